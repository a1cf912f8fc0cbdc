"""Five rows of the table of planted faults (`python -m tests.benchmarks.faults`), on the demo's walk."""

from __future__ import annotations

import pytest

from tests.benchmarks.faults import FAULTS, outcome, recordings_of, verdict


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("LANK-RANK exchanged, whole", "refused", "refusal, legs"),
        (
            "plates 20 ms late",
            "named",
            "warning, plate 4: under the right foot 23 ms late relative to the body's motion; likewise",
        ),
        ("LTHI moved forward 20 mm", "named", "note, knees: the flexion axis of the left knee is turned"),
        ("one plate's Fx reversed, in the file", "refused", "refusal, plate 1: fore-aft force"),
        ("file events 150 ms late", "right", "events of the file: 148 ms later than the plates"),
    ],
)
def test_a_planted_fault_is_refused_named_or_mended(fault, kind, words):
    recordings = recordings_of("synthetic")
    found, errors, said = verdict(outcome(FAULTS[fault](recordings, 1.0)), outcome(recordings))
    assert (found, any(text.startswith(words) for text in said)) == (kind, True), said
    assert kind != "right" or errors.tolerated
