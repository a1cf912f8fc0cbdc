"""Three rows of the table of planted faults (`python -m tests.benchmarks.faults`), on the demo's walk."""

from __future__ import annotations

import pytest

from tests.benchmarks.fault_list import FAULTS
from tests.benchmarks.faults import outcome, recordings_of, verdict

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("LANK-RANK exchanged, whole", "refused", "refusal, legs"),
        ("plates 20 ms late", "named", "warning, plates: 14 ms late to the markers"),
        ("file events 150 ms late", "right", "events of the file: 148 ms late to the plates"),
    ],
)
def test_a_planted_fault_is_refused_named_or_mended(fault, kind, words):
    recordings = recordings_of("synthetic")
    found, errors, said = verdict(outcome(FAULTS[fault](recordings, 1.0)), outcome(recordings))
    assert (found, any(text.startswith(words) for text in said)) == (kind, True), said
    assert kind != "right" or errors.tolerated
