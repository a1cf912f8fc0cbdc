"""A walk on the skeleton, complete and with markers, plates or static trial missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from pipeline.anatomy import BodyPose, load_marker_set
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject, WholeBodySettings
from pipeline.conventions import GRAVITY, GRAVITY_G, SIDES, Y
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics import spline_fit
from pipeline.kinematics import kinematics
from pipeline.skeleton import Skeleton, link_poses, load_skeleton
from pipeline.stages import inverse_dynamics, whole_body
from pipeline.whole_body import forward_check, residual_reduction, whole_body_dynamics
from tests.recordings import only_markers, with_marker, with_markers

ROOT = Path(__file__).resolve().parents[2]
PELVIS_AND_LEFT = ("LASI", "RASI", "LPSI", "RPSI", "LTHI", "LKNE", "LTIB", "LANK", "LHEE", "LTOE")


def note_on(body, subject):
    return " ".join(note.text for note in body.notes if note.subject == subject)


def test_the_skeleton_fits_the_demos_markers_and_agrees_with_the_matrix_form(demo_walk):
    body = demo_walk.body
    assert 1000.0 * np.sqrt(np.nanmean(body.kinematic.marker_error**2)) < 5.0
    assert len(body.moment_comparisons) == 6
    assert min(entry.correlation for entry in body.moment_comparisons) > 0.98


def test_stored_model_and_coordinates_reproduce_marker_distances_and_segment_poses(demo_walk):
    """Model, coordinates and model marker positions are all that a viewer needs; segments are rigid on their links."""
    body = demo_walk.body
    skeleton = Skeleton(joint_names=body.joint_names, **vars(body.model))
    R, r = link_poses(skeleton, body.kinematic.q)
    links = [body.joint_names.index(name) for name in body.marker_joints]
    places = r[:, links] + np.einsum("tkij,kj->tki", R[:, links], body.model_marker_positions)
    seen = np.stack([demo_walk.raw.marker(name) for name in body.fitted_markers], axis=1)
    apart = np.linalg.norm(places - seen, axis=2)
    np.testing.assert_allclose(apart, body.kinematic.marker_error, atol=1e-12)
    for k, name in enumerate(body.marker_segments):
        pose = body.kinematic.segments[name]
        on_link = np.swapaxes(R[:, links[k]], 1, 2) @ pose.R_GS
        np.testing.assert_allclose(on_link, on_link[:1].repeat(len(on_link), axis=0), atol=1e-12)
    upright = body.kinematic.segments["pelvis"].R_GS[:, Y, Y]
    assert upright.min() > 0.9, "y is up and x forward in walking"
    assert body.kinematic.segments["head"].origin_G[:, Y].min() > 1.2
    ankle, knee = (body.kinematic.segments[f"left_{name}"].origin_G for name in ("foot", "shank"))
    centre = demo_walk.kinematics.joints["left_knee"].centre_G
    assert np.nanmax(np.linalg.norm(knee - centre, axis=1)) < 0.02, "a segment's origin is its proximal joint"
    assert (ankle[:, Y] < knee[:, Y]).all()


def test_the_centre_of_mass_obeys_newtons_law_for_the_whole_body(demo_walk):
    """Mass times its acceleration is weight and ground reaction and residual: Newton's law for the whole body."""
    body = demo_walk.body
    step = body.time[1] - body.time[0]
    acceleration = np.gradient(np.gradient(body.kinematic.com_G, step, axis=0), step, axis=0)
    force = sum(wrench.force_G for wrench in body.ground.values()) + body.mass * np.array(GRAVITY_G)
    residual = body.kinematic.residual_force * body.mass * GRAVITY
    inner = body.loads_known & np.roll(body.loads_known, 3) & np.roll(body.loads_known, -3)
    assert inner.sum() > 20
    # Central differences of a 6 Hz motion at 100 Hz are off by some per cent of the peak acceleration.
    apart = (body.mass * acceleration - force - residual)[inner] / (body.mass * GRAVITY)
    assert np.abs(apart).max() < 0.02


def test_the_ground_reaction_acts_at_the_centre_of_pressure_of_the_plates(demo_walk):
    body, kinematics = demo_walk.body, demo_walk.kinematics
    compared = 0
    for stance in kinematics.stances:
        if stance.rejected:
            continue
        plate = next(plate for plate in kinematics.plates if plate.number == stance.plate)
        frames = slice(stance.start + 10, stance.stop - 10)
        wrench = body.ground[stance.side]
        np.testing.assert_allclose(wrench.force_G[frames], plate.wrench.force_G[frames], atol=15.0)
        np.testing.assert_array_equal(wrench.point_G[frames], plate.cop_G[frames])
        # About the centre of pressure only the moment about the vertical is left.
        assert np.abs(wrench.moment_G[frames][:, [0, 2]]).max() < 1.5
        compared += 1
    assert compared >= 2
    for side in SIDES:
        unloaded = np.linalg.norm(body.ground[side].force_G, axis=1) < 10.0
        assert np.isnan(body.ground[side].point_G[unloaded]).all(), "no force has no centre of pressure"


def test_without_a_static_trial_a_frame_of_the_walk_is_used_which_is_noted(demo_walk, analyse, on_skeleton):
    raw = demo_walk.raw
    body = on_skeleton(raw, raw, analyse(raw, raw, sex="f"), residual_reduction=False)
    assert "is taken as standing upright" in note_on(body, raw.name)
    for name in ("left_thigh", "right_shank"):
        assert body.scale_factors[name] == pytest.approx(demo_walk.body.scale_factors[name], rel=0.05)


def test_lower_body_markers_give_the_legs_and_all_else_is_unobservable(demo_walk, on_skeleton):
    legs = {"ASI", "PSI", "THI", "KNE", "TIB", "ANK", "HEE", "TOE"}
    wanted = [name for name in demo_walk.raw.marker_names if name[1:] in legs]
    raw, static = (only_markers(trial, wanted) for trial in (demo_walk.raw, demo_walk.static))
    body = on_skeleton(raw, static, demo_walk)
    knee = body.joint_names.index("right_knee_flexion")
    assert np.degrees(np.nanmax(np.abs(body.kinematic.q - demo_walk.body.kinematic.q)[:, knee])) < 1.0
    assert {"left_elbow_flexion", "spine1_flexion", "upper_neck_rotation"} <= set(body.unobservable)
    assert body.mass_tracked < 0.7
    assert body.residual_reduced is None
    assert "markers track only" in note_on(body, "residual reduction")
    assert not any(note.kind == "warning" and "elbow" in note.subject for note in body.notes), "it is held, not pinned"


@pytest.mark.long
@pytest.mark.parametrize("plates", [0, 1])
def test_with_fewer_plates_what_is_known_is_given(demo_walk, analyse, on_skeleton, plates):
    raw = replace(demo_walk.raw, plates=demo_walk.raw.plates[:plates])
    matrix = analyse(raw, demo_walk.static, sex="f")
    body = on_skeleton(raw, demo_walk.static, matrix)
    assert np.isfinite(body.kinematic.q).all(), "angles need no plate"
    stances = [s for s in demo_walk.kinematics.stances if not s.rejected and s.plate <= plates]
    for side in SIDES:
        on_plate = np.zeros(len(body.time), dtype=bool)
        for stance in (s for s in stances if s.side == side):
            on_plate[stance.start : stance.stop] = True
        assert np.isfinite(body.kinematic.joint_moments[f"{side}_knee"][on_plate]).all()
    if not plates:
        assert not body.moment_comparisons
        assert not body.loads_known.any() or np.abs(body.ground["left"].force_G[body.loads_known]).max() == 0.0
    if not body.loads_known.any():
        assert body.residual_reduced is None
        assert body.forward_check is None


@pytest.mark.long
def test_markers_that_end_early_leave_only_their_frames_missing(demo_walk, on_skeleton):
    markers = demo_walk.raw.markers_G.copy()
    markers[-60:] = np.nan
    body = on_skeleton(replace(demo_walk.raw, markers_G=markers), demo_walk.static, demo_walk, centre_weight=0.0)
    assert np.isfinite(body.kinematic.q[:-60]).all()
    assert np.isnan(body.kinematic.q[-59:]).all()
    assert np.isnan(body.kinematic.com_G[-59:]).all()
    assert not body.loads_known[-59:].any()


def test_a_walk_with_a_pelvis_and_one_leg_gives_that_leg(demo_walk, on_skeleton):
    raw = only_markers(demo_walk.raw, PELVIS_AND_LEFT)
    body = on_skeleton(raw, demo_walk.static, demo_walk, centre_weight=0.0)
    assert "right_knee_flexion" in {name for group in body.unobservable for name in group.split(" + ")}
    assert not any("left_knee" in group for group in body.unobservable)


@pytest.mark.parametrize("kept", [(), ("LASI", "RASI", "LKNE")])
def test_too_few_markers_are_refused(demo_walk, on_skeleton, kept):
    with pytest.raises(DynamicsError, match=r"skeleton's markers"):
        on_skeleton(only_markers(demo_walk.raw, kept), demo_walk.static, demo_walk, centre_weight=0.0)


def test_a_marker_set_without_attachments_is_refused_with_the_section_to_add(demo_walk, tmp_path):
    own = tmp_path / "own.yaml"
    text = (ROOT / "config/marker_sets/plug_in_gait.yaml").read_text()
    own.write_text(text[: text.index("\nskeleton:")].replace("name: plug_in_gait", "name: own"))
    with pytest.raises(DynamicsError, match=r"own has no section 'skeleton'.+Add it after.+plug_in_gait\.yaml"):
        whole_body.run(
            demo_walk.raw,
            demo_walk.static,
            demo_walk.kinematics,
            demo_walk.loads,
            own,
            ROOT / "config/skeleton.yaml",
            Subject(subject="demo"),
            FilterSettings(),
            WholeBodySettings(),
        )


@pytest.mark.long
def test_a_cut_off_too_near_the_frame_rate_is_lowered_which_is_noted(demo_walk, on_skeleton):
    """At 40 Hz a spline would have more coefficients than there are frames; 30 Hz is what 100 Hz carry."""
    high = replace(demo_walk.kinematics.low_pass, markers=40.0, forces=40.0)
    matrix = SimpleNamespace(kinematics=replace(demo_walk.kinematics, low_pass=high), loads=demo_walk.loads)
    body = on_skeleton(demo_walk.raw, demo_walk.static, matrix, residual_reduction=False)
    assert note_on(body, "cut-off").startswith("30 Hz")
    assert note_on(body, "cut-off").endswith("instead of 40 Hz")
    assert not note_on(demo_walk.body, "cut-off")
    assert 1000.0 * np.sqrt(np.nanmean(body.kinematic.marker_error**2)) < 5.0


@pytest.mark.long
def test_a_fit_that_has_not_converged_is_a_warning(demo_walk, on_skeleton, monkeypatch):
    text = "motion has not converged after 1 iterations"
    assert not any("has not converged" in note.text for note in demo_walk.body.notes)
    monkeypatch.setattr(spline_fit, "_MAX_ITERATIONS", 1)
    body = on_skeleton(demo_walk.raw, demo_walk.static, demo_walk)
    found = [note for note in body.notes if text in note.text]
    assert {note.kind for note in found} == {"warning"}
    assert {note.text.split()[4] for note in found} == {"kinematic", "residual-reduced"}


def test_a_failure_after_the_fit_leaves_only_its_own_figure_missing(demo_walk, on_skeleton, monkeypatch):
    def refuse(*_, **__):
        raise DynamicsError("the integrator gives up", where="simulation")

    monkeypatch.setattr(forward_check, "simulate_free_body", refuse)
    monkeypatch.setattr(residual_reduction, "fit_mass_distribution", refuse)
    body = on_skeleton(demo_walk.raw, demo_walk.static, demo_walk)
    assert body.forward_check is None
    assert body.residual_reduced is None
    assert (
        note_on(body, "forward simulation")
        == note_on(body, "residual reduction")
        == "simulation: the integrator gives up"
    )
    np.testing.assert_array_equal(body.kinematic.tau, demo_walk.body.kinematic.tau)


def test_near_a_step_that_no_plate_measured_loads_are_not_known(demo_walk, analyse, on_skeleton):
    """A quarter of a period of 6 Hz, 4 frames: so far the filter carries the step's impact into the motion."""
    raw = replace(demo_walk.raw, plates=demo_walk.raw.plates[:1])
    matrix = analyse(raw, demo_walk.static, sex="f")
    body = on_skeleton(raw, demo_walk.static, matrix, residual_reduction=False)
    (stance,) = (s for s in matrix.kinematics.stances if s.side == "left" and not s.rejected)
    own = [event for event in matrix.kinematics.events if (event.side, event.kind) == ("left", "initial contact")]
    next_initial_contact = round(100.0 * min(event.time for event in own if event.time > stance.end))
    known = np.isfinite(body.kinematic.joint_moments["left_knee"]).all(axis=1)
    assert known[stance.start : next_initial_contact - 6].all(), "from the plate on, and into swing"
    assert not known[next_initial_contact - 3 : next_initial_contact + 40].any()


@pytest.mark.long
def test_a_marker_that_was_left_out_does_not_count_among_the_distances(demo_walk, on_skeleton):
    """A heel that lies 300 mm off for 5 frames is left out of them, and named with how far it was."""
    off = ((np.arange(len(demo_walk.raw.time)) // 5) == 20)[:, None] * [0.0, 0.3, 0.0]
    raw = with_marker(demo_walk.raw, "LHEE", lambda heel: heel + off)
    body = on_skeleton(raw, demo_walk.static, demo_walk, residual_reduction=False)
    distance = body.kinematic.marker_error
    assert np.isnan(distance[100:105, body.fitted_markers.index("LHEE")]).all()
    assert np.nanmax(distance) < 0.02
    assert "101-105" in note_on(body, "marker LHEE")


MEDIAL = {
    "points": {
        "{side}_knee": {"mean": ["{S}KNE", "{S}KNM"], "fixed_in": "{side}_thigh_markers"},
        "{side}_ankle": {"mean": ["{S}ANK", "{S}ANM"], "fixed_in": "{side}_shank_markers"},
    },
    "frames": {
        "{side}_thigh_markers": {
            "origin": "{S}KNE",
            "axes": {"y": {"from": "{S}KNE", "to": "{side}_hip"}, "z": {"from": "{S}KNE", "to": "{S}THI"}},
        },
        "{side}_shank_markers": {
            "origin": "{S}ANK",
            "axes": {"y": {"from": "{S}ANK", "to": "{side}_knee"}, "z": {"from": "{S}ANK", "to": "{S}TIB"}},
        },
    },
}
"""Knees and ankles are midway between markers on both sides, of which the walk shows the lateral ones only."""


def with_medial_markers(static, marker_set, calibration):
    """The standing trial with medial markers that mirror the lateral ones in Plug-in Gait's joint centres."""
    seen = {name: static.marker(name) for name in static.marker_names}
    pose = BodyPose(marker_set, seen, calibration.values, calibration.hip_method)
    medial = {}
    for side in SIDES:
        for lateral, joint in (("KNE", "knee"), ("ANK", "ankle")):
            marker = f"{side[0].upper()}{lateral}"
            medial[f"{marker[:-1]}M"] = 2.0 * pose.point(f"{side}_{joint}") - seen[marker]
    return with_markers(static, **medial)


@pytest.fixture(scope="module")
def on_medial_markers(demo_walk, plug_in_gait, tmp_path_factory):
    """The demo's walk on the skeleton by a marker set whose medial markers the standing trial alone shows."""
    data = yaml.safe_load((ROOT / "config/marker_sets/plug_in_gait.yaml").read_text())
    for section, entries in MEDIAL.items():
        data[section].update(entries)
    path = tmp_path_factory.mktemp("medial") / "medial.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    marker_set = load_marker_set(path)
    static = with_medial_markers(demo_walk.static, plug_in_gait, demo_walk.kinematics.calibration)
    filters = FilterSettings()
    settings = AnatomySettings(), filters, EventSettings()
    motion = kinematics(demo_walk.raw, static, marker_set, Subject.from_si("subject", "f", {}), *settings)
    values = motion.calibration.values
    skeleton = load_skeleton(ROOT / "config/skeleton.yaml", mass=values["mass"], height=values["height"], sex="female")
    of_walk = demo_walk.raw, static, motion, inverse_dynamics.run(motion), marker_set, skeleton, filters
    return whole_body_dynamics(*of_walk, WholeBodySettings(residual_reduction=False))


def test_medial_markers_of_the_static_trial_alone_give_the_walks_joint_centres(demo_walk, on_medial_markers):
    """They agree with Plug-in Gait's chords, as the demo has no soft-tissue artefact: body and motion are the same.

    The fit's own tolerance moves legs by ten thousandths of a degree.
    """
    body, other = on_medial_markers, demo_walk.body
    assert body.scale_factors == pytest.approx(other.scale_factors, rel=1e-6)
    assert max(body.joint_centre_errors.values()) < max(other.joint_centre_errors.values()) + 1e-5
    legs = [j for j, name in enumerate(body.joint_names) if any(part in name for part in ("hip", "knee", "ankle_f"))]
    assert np.degrees(np.nanmax(np.abs(body.kinematic.q - other.kinematic.q)[:, legs])) < 0.01
    assert min(entry.correlation for entry in body.moment_comparisons) > 0.98
