"""Steps whose moments, and shanks whose turns, are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.conventions import LATERAL_SIGN
from pipeline.plausibility.angles import loaded_frames
from pipeline.plausibility.limits import OPEN, Limits, Spread
from pipeline.plausibility.shank_axis import shank_axes
from pipeline.plausibility.steps_compared import CURVES, name_of, steps_compared

PHASE = np.linspace(0.05, 0.95, 91)


@pytest.mark.parametrize("more", [0.4, -0.4])
@pytest.mark.parametrize(("joint", "plane"), CURVES)
def test_a_step_differs_by_the_root_mean_square_of_what_it_has_more(clean, joint, plane, more):
    """Moments that rise evenly over each stance, mirrored on the left in the frontal plane: one step's by 0.4 Nm/kg
    more or less, which is 0.38 at 95 %."""
    walk, mass = clean.kinematics, clean.loads.mass
    steps = [stance for stance in walk.stances if not stance.rejected]
    assert {step.side for step in steps} == {"left", "right"}
    joints = dict(clean.loads.joints)
    for step in steps:
        frames = slice(step.start, step.stop)
        rise = (walk.time[frames] - step.onset) / (step.end - step.onset)
        for name in ("hip", "knee", "ankle"):
            load = joints[f"{step.side}_{name}"]
            moment = load.moment_distal.copy()
            of_planes = {"frontal": 0.3 + 0.5 * rise, "sagittal": 1.0 - 0.7 * rise}
            if step is steps[1] and name == joint:
                of_planes[plane] = of_planes[plane] + more * rise
            moment[frames, 0] = mass * LATERAL_SIGN[step.side] * of_planes["frontal"]
            moment[frames, 2] = mass * of_planes["sagittal"]
            joints[f"{step.side}_{name}"] = replace(load, moment_distal=moment)
    found = list(steps_compared(walk, replace(clean.loads, joints=joints), OPEN))
    (worst,) = (one for one in found if one.value > 1e-3)
    assert (worst.subject, worst.residual) == (f"{steps[1].on}, {steps[1].side} {joint}", name_of(joint, plane))
    assert worst.value == pytest.approx(0.4 * np.sqrt(np.mean(PHASE**2)), rel=0.01)
    assert worst.moment_error == pytest.approx(0.38, rel=0.01)
    assert worst.moment_of == f"{steps[1].side} {joint}'s moment"
    assert {one.residual for one in found} == {name_of(*curve) for curve in CURVES}


def test_one_step_alone_and_one_without_a_moment_in_a_frame_are_not_compared(clean):
    steps = [stance for stance in clean.kinematics.stances if not stance.rejected]
    alone = replace(clean.kinematics, stances=(steps[0],))
    assert not list(steps_compared(alone, clean.loads, OPEN))
    assert list(steps_compared(replace(alone, stances=tuple(steps[:2])), clean.loads, OPEN))
    joints = {name: replace(load, moment_distal=load.moment_distal.copy()) for name, load in clean.loads.joints.items()}
    for load in joints.values():
        load.moment_distal[steps[0].start + 10, 1] = np.nan
    both = clean.kinematics, replace(clean.loads, joints=joints)
    without = {name: load for name, load in joints.items() if name != "left_knee"}
    of_others = {one.residual for one in steps_compared(clean.kinematics, replace(clean.loads, joints=without), OPEN)}
    assert of_others == {name_of(*curve) for curve in CURVES if curve[0] != "knee"}, "unless both sides have a joint"
    assert any(steps[0].on in one.subject for one in steps_compared(*both, OPEN)), "rotation is not compared"
    for load in joints.values():
        load.moment_distal[steps[0].start + 10, [0, 2]] = np.nan
    found = list(steps_compared(*both, OPEN))
    assert found
    assert not any(steps[0].on in one.subject for one in found)


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("right", [(-3.0, 5.0), (40.0, -20.0)])
def test_a_shank_is_turned_by_half_of_what_knee_and_ankle_differ_by(clean, given, right):
    """Left: 14 and -10 degrees of rotation, so 12 of the shank; what is typical is 2, and 1 between both."""
    walk, angles = clean.kinematics, {name: value.copy() for name, value in clean.kinematics.angles.items()}
    for side, pair in (("left", (14.0, -10.0)), ("right", right)):
        for joint, degrees in zip(("knee", "ankle"), pair, strict=True):
            angles[f"{side}_{joint}"][loaded_frames(walk, side), 2] = np.radians(degrees)
    offsets = {f"shank_rotation_{side}": 0.0 for side in ("left", "right")} if given else {}
    values = {k: v for k, v in walk.calibration.values.items() if not k.startswith("shank_rotation")} | offsets
    turned = replace(walk, angles=angles, calibration=replace(walk.calibration, values=values))
    middle = {"turn of a shank's axis": 2.0, "turn of one shank's axis against the other's": 1.0}
    spreads = {name: Spread(value, 1e-6, 1e-6, False, 1, 1, 1, 1) for name, value in middle.items()}
    found = {one.subject: one for one in shank_axes(turned, Limits(spreads, 1.0, 1.0, 0.05))}
    other = 0.5 * (right[0] - right[1])
    expected = {"left shank": (12.0, "left", 10.0), "right shank": (other, "right", other - 2.0)}
    expected["shanks"] = 12.0 - other, "left" if abs(other) < 12.0 else "right", 11.0 - other
    assert set(found) == set(expected)
    for subject, (value, side, off) in expected.items():
        assert found[subject].value == pytest.approx(value)
        if given:
            assert found[subject].error.values == pytest.approx({f"shank_rotation_{side}": np.radians(off)})
            assert np.isnan(found[subject].angle_error)
        else:
            assert found[subject].error is None
            assert found[subject].angle_error == pytest.approx(abs(off))
            assert found[subject].angle_of == f"{side} knee rotation"
    assert ("left inwards" in found["shanks"].text) == (other < 12.0)
