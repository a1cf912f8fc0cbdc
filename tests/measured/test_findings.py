"""Findings on the three measured walks: exactly those that are known of them."""

from __future__ import annotations

import pytest

from pipeline.analysis import gait_cycles, mean_leg_length, summarise
from pipeline.plausibility import plausibility
from pipeline.results import load_norm
from tests.measured.test_plug_in_gait import STEPS_ON_PLATES, WALKS
from tests.walks import ROOT

pytestmark = pytest.mark.long

KNOWN = {
    "HC032A03": [
        ("warning", "right shank", 7.3, 0.1),
        ("warning", "markers LHFB and LTUB", 17.0, 1.0),
    ],
    "HC038A11": [],
    "PiG_Motion3_FF": [
        ("warning", "left shank", -27.0, 1.0),
        ("note", "shanks", -15.0, 1.0),
        ("note", "left knee", 14.0, 1.0),
        ("note", "right knee", 12.0, 1.0),
    ],
}
"""Grade, subject, value and its tolerance (rounding of the known value), by grade and effect.

HC032A: the right knee marker is 7.3 mm nearer to the ankle's than in the static trial, and LHFB and LTUB are exchanged.
nantes: the tibiae are twisted, so that the stored knees are rotated outwards by 20 to 40 degrees; the varus that
is stored in the file follows flexion, too, over 13 to 15 degrees.
"""


@pytest.fixture(scope="module")
def looked_at(trials, analyse, plug_in_gait, norm):
    from pipeline.acquisition import read_trial

    def run(name):
        walk, static = (read_trial(file) for file in WALKS[name])
        found = analyse(walk, static)
        cycles = gait_cycles(found.kinematics, found.loads)
        summary = summarise(cycles, mean_leg_length(found.kinematics.calibration), norm)
        findings = plausibility(found.kinematics, found.loads, summary, walk, static, plug_in_gait)
        return found.kinematics, findings.findings

    return {name: run(name) for name in WALKS}


@pytest.fixture(scope="module")
def norm():
    return load_norm(ROOT / "config/norms/schwartz2008.json")


@pytest.mark.parametrize("name", WALKS)
def test_the_findings_are_those_that_are_known(looked_at, name):
    _, findings = looked_at[name]
    assert [(f.grade, f.subject) for f in findings] == [known[:2] for known in KNOWN[name]]
    for finding, (_, _, value, tolerance) in zip(findings, KNOWN[name], strict=True):
        assert finding.value == pytest.approx(value, abs=tolerance)


def test_none_of_the_seven_strikes_is_refused(looked_at):
    strikes = [
        (name, s.side, s.plate) for name, (motion, _) in looked_at.items() for s in motion.stances if not s.rejected
    ]
    assert strikes == [step[:3] for step in STEPS_ON_PLATES]


def test_a_foot_off_that_is_stored_early_loses_to_the_plate(looked_at):
    """Two frames by the published events, three by the plate's own threshold of 10 N."""
    motion, _ = looked_at["PiG_Motion3_FF"]
    (note,) = [note for note in motion.notes if note.subject == "events of the file"]
    assert note.text == "right foot off at 1.780 s is 30 ms earlier than by plate 2, which is used"
    assert note.kind == "info"
