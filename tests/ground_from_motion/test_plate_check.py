"""A plate whose force contradicts the motion is named with its ratio, and a clean one is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, summarise
from pipeline.ground_from_motion import ground_from_motion, load_learned
from pipeline.ground_from_motion.plate_check import force_ratios
from pipeline.results.tables import WalkResults, walk_tables
from pipeline.trial import Findings
from tests.recordings import with_ground


def warnings_of(demo_walk, feet, scale) -> list[tuple[str, str]]:
    ground = {side: replace(w, force_G=w.force_G * scale[side]) for side, w in demo_walk.body.ground.items()}
    found = ground_from_motion(replace(demo_walk.body, ground=ground), demo_walk.kinematics, feet, load_learned())
    return [(note.subject, note.text) for note in found.notes if note.kind == "warning"]


def test_the_plates_of_a_clean_walk_are_not_contradicted(demo_walk, feet):
    assert warnings_of(demo_walk, feet, {"left": 1.0, "right": 1.0}) == []


@pytest.mark.parametrize(
    ("factors", "direction"),
    [((0.5, 1.0, 1.0), "fore-aft"), ((1.5, 1.0, 1.0), "fore-aft"), ((1.0, 1.2, 1.0), "vertical")],
)
def test_a_wrong_scale_of_one_side_is_named_on_its_plates_alone(demo_walk, feet, factors, direction):
    found = warnings_of(demo_walk, feet, {"left": np.array(factors), "right": 1.0})
    plates = {stance.on for stance in demo_walk.kinematics.stances if stance.side == "left" and not stance.rejected}
    assert {subject for subject, _ in found} <= plates
    assert found
    assert all(f"the {direction} force of the left foot's step" in text for _, text in found)


def test_a_contradicted_plate_is_in_the_table_of_findings(demo_walk, feet):
    body = with_ground(demo_walk.body, lambda w: replace(w, force_G=w.force_G * [0.5, 1.0, 1.0]))
    found = ground_from_motion(body, demo_walk.kinematics, feet, load_learned())
    cycles = gait_cycles(demo_walk.kinematics, demo_walk.loads)
    nothing = Findings(cycles.name, cycles.subject, ())
    walk = WalkResults(demo_walk.kinematics, cycles, summarise(cycles, 0.9, None), nothing, None, estimated=found)
    rows = walk_tables(walk)["study_findings"]
    expected = [(note.subject, note.text) for note in found.notes if note.kind == "warning"]
    assert expected
    assert list(zip(rows.about.astype(str), rows.finding.astype(str), strict=True)) == expected


def test_ratios_by_hand_and_without_a_known_frame():
    estimated = np.array([[10.0, 700.0, -5.0], [20.0, 800.0, 10.0], [np.nan] * 3])
    np.testing.assert_allclose(force_ratios(estimated * [0.5, 1.2, -1.0], estimated), [0.5, 1.2, -1.0])
    assert np.isnan(force_ratios(estimated[2:], estimated[2:])).all()
