"""The stage that estimates loads from motion: which of the walk's steps on plates it takes as measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.config import HOME, GivenSteps, PlateContact
from pipeline.stages import ground_from_motion as stage
from pipeline.trial import GroundFromMotion

AHEAD = np.array([0.07, 0.0, 0.0])
"""m by which one plate is displaced: the feet on it contradict its loads."""


def path_of(found: GroundFromMotion, step) -> np.ndarray:
    """Centre of pressure along the walkway over a step."""
    during = (found.time > step.start) & (found.time < step.stop)
    return found.ground[step.side].point_G[during, 0]


def test_the_path_is_not_fitted_to_a_plate_that_the_walk_contradicts(
    demo_legs, analyse, on_skeleton, plug_in_gait_path
):
    """Other steps have the loads that they have without that step; a study that keeps it has them fitted to it."""
    number = demo_legs.kinematics.cycles[0].plate or next(c.plate for c in demo_legs.kinematics.cycles if c.plate)
    displaced = tuple(
        replace(p, corners_G=p.corners_G + AHEAD, wrench=replace(p.wrench, point_G=p.wrench.point_G + AHEAD))
        if p.number == number
        else p
        for p in demo_legs.raw.plates
    )
    raw = replace(demo_legs.raw, plates=displaced)
    legs = analyse(raw, demo_legs.static, sex="f")
    body = on_skeleton(raw, demo_legs.static, legs, residual_reduction=False)
    stance = next(s for s in legs.kinematics.stances if s.plate == number)
    contact = PlateContact(number, 0.5 * (stance.onset + stance.end))

    def run(kinematics, *kept: PlateContact) -> GroundFromMotion:
        files = plug_in_gait_path, HOME / "config/residuals.json", HOME / "config/ground_from_motion.json"
        return stage.run(body, kinematics, legs.loads, raw, *files, GivenSteps(kept=kept))

    rejected = tuple(replace(s, rejected="excluded") if s == stance else s for s in legs.kinematics.stances)
    found, kept = run(legs.kinematics), run(legs.kinematics, contact)
    without = run(replace(legs.kinematics, stances=rejected))
    assert number not in {step.plate for step in found.steps}
    assert found.personal == without.personal == kept.personal - 1
    for step, same, other in zip(found.steps, without.steps, kept.steps, strict=True):
        np.testing.assert_allclose(path_of(found, step), path_of(without, same), atol=1e-9)
        assert other.plate == number or np.nanmean(path_of(kept, other) - path_of(found, step)) > 0.005
