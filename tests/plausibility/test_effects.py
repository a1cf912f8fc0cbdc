"""What a finding states of its effect, against the walk that is computed from recordings with and without the error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, summarise
from pipeline.math3d import Wrench, rotation_about
from pipeline.plausibility import load_limits, plausibility
from pipeline.plausibility.assess import graded
from pipeline.plausibility.effects import _load_change, _turned, body_effects, plate_effects, weight, with_effects
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError, PlateError
from pipeline.signals import load_of
from pipeline.trial import Finding
from tests.recordings import late, scaled, shifted, turned, with_load, with_marker, with_plates


def added(newtons):
    return lambda w: replace(w, force_G=w.force_G + (w.force_G[:, 1:2] > 20.0) * np.asarray(newtons))


def largest(found, clean, motion, side):
    """Largest change of a moment of the side's joints over its clean steps, Nm/kg."""
    frames = np.zeros(len(motion.time), dtype=bool)
    for stance in motion.stances:
        if stance.side == side and not stance.rejected:
            frames[stance.start : stance.stop] = True
    own = [
        np.nanmax(np.abs(found.joints[name].moment_distal - load.moment_distal)[frames]) / clean.mass
        for name, load in clean.joints.items()
        if name.startswith(side)
    ]
    return max(own)


@pytest.mark.parametrize(
    ("change", "error", "tolerance"),
    [
        (shifted([0.03, 0.0, 0.0]), {"shift_G": (0.03, 0.0, 0.0)}, 0.05),
        (shifted([0.0, 0.0, 0.03]), {"shift_G": (0.0, 0.0, 0.03)}, 0.05),
        (added([20.0, 0.0, 0.0]), {"force_G": (20.0, 0.0, 0.0)}, 0.1),
        (scaled([1.2, 1.0, 1.0]), {"scale_G": (0.2 / 1.2, 0.0, 0.0)}, 0.1),
        # A turn about the middle of the plate and not about the centre of pressure; a delay to the second order.
        (turned(np.radians(6.0)), {"turn": np.radians(6.0)}, 0.5),
        (late(15), {"delay": 0.015}, 0.3),
    ],
    ids=["forward", "aside", "added", "scaled", "turned", "late"],
)
def test_the_effect_of_a_plate_is_that_of_planting_it(clean, step, analyse, change, error, tolerance):
    found = analyse(with_load(clean.raw, step.plate, change), clean.static, sex="f")
    ((size, of),) = plate_effects([PlateError((step,), **error)], found.kinematics, found.loads)
    assert of.startswith(step.side)
    assert size == pytest.approx(largest(found.loads, clean.loads, clean.kinematics, step.side), rel=tolerance)
    assert size > 0.1


@pytest.mark.parametrize("kind", ["shift_G", "force_G", "scale_G", "turn", "delay"])
def test_the_error_of_a_load_is_what_planting_it_adds(clean, kind):
    """In force and in moment about the laboratory's origin, with its sign. A turn is about the vertical through the
    centre of pressure, and a delay of one frame is the mean of the differences from the frames before and after."""
    walk = clean.kinematics
    step = next(s for s in walk.stances if not s.rejected)
    plate = load_of(step, walk.plates)
    w, about_cop = plate.wrench, plate.wrench.about(plate.cop_G)
    metres, newtons, shares = np.array([0.03, -0.01, 0.02]), np.array([20.0, -30.0, 10.0]), np.array([0.2, -0.1, 0.3])
    R = rotation_about(np.array([0.0, 1.0, 0.0]), 1e-6)
    planted = {
        "shift_G": (metres, shifted(metres)(w)),
        "force_G": (newtons, replace(w, force_G=w.force_G + newtons)),
        "scale_G": (shares, scaled(1.0 + shares)(w)),
        "turn": (1e-6, Wrench(about_cop.force_G @ R.T, about_cop.moment_G, about_cop.point_G)),
        "delay": (1.0 / walk.rate, late(1)(w)),
    }
    size, changed = planted[kind]
    # Half of the difference from the frame after it, for a delay.
    own, share = (late(-1)(w), 0.5) if kind == "delay" else (w, 1.0)
    changed, own = changed.about(np.zeros(3)), own.about(np.zeros(3))
    added = share * (changed.force_G - own.force_G), share * (changed.moment_G - own.moment_G)
    frames = np.arange(step.start, step.stop)
    frames = frames[np.isfinite(plate.cop_G[frames]).all(axis=1)]
    found = _load_change(PlateError((step,), **{kind: size}), step.side, walk)
    for part, expected in zip(found, added, strict=True):
        own = expected[frames]
        np.testing.assert_allclose(part[frames], own, rtol=1e-5, atol=1e-5 * np.abs(own).max())
        assert not part[: step.start].any()
        assert not part[step.stop :].any()
    other = "right" if step.side == "left" else "left"
    assert not np.any(_load_change(PlateError((step,), **{kind: size}), other, walk))


def test_differences_of_angles_are_within_half_a_turn():
    np.testing.assert_allclose(
        _turned(np.array([350.0, -350.0, 190.0, 370.0, 10.0, -10.0])), [-10, 10, -170, 10, 10, -10]
    )


@pytest.mark.parametrize(
    ("values", "shift", "tolerance"),
    [
        ({"knee_width_left": 0.03}, None, 0.2),
        # Whose centre also turns the foot's axes, by the static trial, which is not calibrated again.
        ({"ankle_width_right": -0.02}, None, 0.35),
        ({"shank_rotation_left": np.radians(12.0)}, None, 0.2),
        ({}, ("LKNE", [0.02, 0.0, 0.0]), 0.1),
        ({}, ("RASI", [0.0, 0.02, 0.0]), 0.1),
    ],
    ids=["knee width", "ankle width", "shank", "knee marker", "marker of the pelvis"],
)
def test_the_effect_of_a_size_or_marker_is_that_of_planting_it(clean, analyse, plug_in_gait, values, shift, tolerance):
    own = {name: clean.kinematics.calibration.values[name] + change for name, change in values.items()}
    raw, shifts = clean.raw, {}
    if shift:
        name, by = shift
        raw, shifts = with_marker(raw, name, lambda place: place + by), {name: np.array(by)}
    found = analyse(raw, clean.static, sex="f", values=own)
    moment, angle = body_effects(BodyError(shifts, values), found.kinematics, found.loads, plug_in_gait)
    changed = max(largest(found.loads, clean.loads, clean.kinematics, side) for side in ("left", "right"))
    angles = {
        joint: np.degrees(np.nanmax(np.abs(found.kinematics.angles[joint] - angles)))
        for joint, angles in clean.kinematics.angles.items()
    }
    assert moment[0] == pytest.approx(changed, rel=tolerance)
    assert angle[0] == pytest.approx(max(angles.values()), rel=tolerance)
    named = next(joint for joint in angles if angle[1].startswith(joint.replace("_", " ")))
    assert angles[named] == pytest.approx(max(angles.values()), rel=tolerance)


@pytest.mark.parametrize(
    ("moment", "angle", "grade"), [(0.03, 1.0, "note"), (0.03, 3.0, "warning"), (0.3, 0.0, "warning")]
)
def test_a_finding_is_graded_by_its_effect(moment, angle, grade):
    finding = Finding(
        *("plate 1", "is off", 1.0, 0.5, "mm", "a test", "by a test", "none"),
        moment_error=moment,
        moment_of="left hip's moment",
        angle_error=angle,
        angle_of="left knee rotation",
    )
    assert graded(finding, load_limits()).grade == grade
    assert ("left hip's moment by 0.3 Nm/kg" in finding.sentence) == (moment == 0.3)
    assert ("may change left knee rotation by 3 degrees" in finding.sentence) == (angle == 3.0)


def test_the_weight_of_a_finding_is_its_larger_effect_and_one_where_none_is_known():
    finding = Finding(*("plate 1", "is off", 1.0, 0.5, "mm", "a test", "by a test", "none"))
    assert weight(finding) == 1.0
    assert weight(replace(finding, angle_error=6.0)) == pytest.approx(3.0)
    assert weight(replace(finding, angle_error=6.0, moment_error=0.25)) == pytest.approx(5.0)


def test_what_no_walk_can_be_computed_without_has_no_effect(clean, plug_in_gait):
    """A knee wider than the thigh is long."""
    error = BodyError(values={"knee_width_left": -2.0})
    finding = FindingWithError(*("knee", "is off", 1.0, 0.5, "mm", "a test", "by a test", "none"), error=error)
    (found,) = with_effects([finding], clean.kinematics, clean.loads, plug_in_gait)
    assert np.isnan(found.moment_error)
    assert np.isnan(found.angle_error)


def test_findings_of_a_walk_state_their_effect(clean, step, analyse, plug_in_gait):
    raw = with_load(clean.raw, step.plate, shifted([0.06, 0.0, 0.0]))
    walk = analyse(raw, clean.static, sex="f")
    summary = summarise(gait_cycles(walk.kinematics, walk.loads), 0.8, None)
    found = plausibility(walk.kinematics, walk.loads, summary, raw, clean.static, plug_in_gait).findings
    assert any(f"may change the {step.side}" in f.sentence for f in found if f.subject == step.on)
    assert all(type(f) is Finding for f in found)
    warnings = [f for f in found if f.grade == "warning"]
    assert {f.grade for f in found[: len(warnings)]} <= {"warning", "refusal"}
    known = [max(f.moment_error / 0.05, f.angle_error / 2.0) for f in warnings if f.effect]
    assert known == sorted(known, reverse=True), "what changes the results most comes first"


def test_a_static_trial_that_faces_the_other_way_changes_no_finding(clean, step, analyse, plug_in_gait):
    """Turned by 180 degrees about the vertical with its plates; a knee marker and a plate are off, so that there are
    findings to change."""
    R = rotation_about(np.array([0.0, 1.0, 0.0]), np.pi)
    about = with_load(replace(clean.static, markers_G=clean.static.markers_G @ R.T), 0, lambda w: w.rotated(R))
    about = with_plates(about, lambda plate: replace(plate, corners_G=plate.corners_G @ R.T))
    raw = with_load(clean.raw, step.plate, shifted([0.06, 0.0, 0.0]))
    raw = with_marker(raw, "LKNE", lambda place: place + np.array([0.02, 0.0, 0.0]))
    said = []
    for static in (clean.static, about):
        walk = analyse(raw, static, sex="f")
        summary = summarise(gait_cycles(walk.kinematics, walk.loads), 0.8, None)
        found = plausibility(walk.kinematics, walk.loads, summary, raw, static, plug_in_gait).findings
        said.append([(f.grade, f.subject, f.text) for f in found])
        weights = [weight(f) for f in found if f.grade == "warning"]
        assert len(set(weights)) > 1
        assert weights == sorted(weights, reverse=True)
    assert len(said[0]) > 1
    assert said[0] == said[1]
