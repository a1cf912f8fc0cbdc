"""The demo study: a plausible human walk, on the floor and on its plates."""

from __future__ import annotations

from pathlib import Path

import ezc3d
import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.math3d import unit
from pipeline.synthetic import (
    DemoSubject,
    Gait,
    SegmentInertia,
    SegmentMotion,
    standing,
    walk,
)
from pipeline.synthetic.__main__ import main

G = 9.81
SIDES = ("left", "right")


def test_velocities_and_accelerations_are_the_derivatives_of_the_poses():
    """Eighth-order central differences of the series themselves, h = 1 ms."""
    series = Gait().series(DemoSubject())
    time, h = np.linspace(0.1, 1.9, 23), 1e-3
    weights = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
    for rotation, origin in series.values():
        at = [SegmentMotion.from_series(rotation, origin, time + k * h) for k in range(-4, 5)]
        here = at[4]

        def difference(name: str, at=at) -> np.ndarray:
            values = [getattr(motion, name) for motion in at]
            return sum(w * (values[4 + k] - values[4 - k]) for k, w in enumerate(weights, 1)) / h

        np.testing.assert_allclose(
            here.R_GS @ np.swapaxes(here.R_GS, -1, -2), np.tile(np.eye(3), (23, 1, 1)), atol=1e-9
        )
        # Truncation is (omega h)^8 / 630 of the highest harmonics; rounding 1e-16 / h.
        np.testing.assert_allclose(difference("origin_G"), here.velocity_G, atol=1e-7)
        np.testing.assert_allclose(difference("velocity_G"), here.acceleration_G, atol=1e-5)
        R_dot = difference("R_GS")
        for column in range(3):
            expected = np.cross(here.omega_G, here.R_GS[..., column])
            np.testing.assert_allclose(R_dot[..., column], expected, atol=1e-7)
        np.testing.assert_allclose(difference("omega_G"), here.alpha_G, atol=1e-5)


def test_joint_angles_are_those_of_normal_walking(truth):
    """Ranges of normal adult walking (Perry and Burnfield 2010), with room for habit."""
    for side in SIDES:
        strike = next(e.time for e in truth.events if e.side == side and e.kind == "strike")
        frame = round(strike * 100)
        cycle = slice(frame, frame + 112)
        hip, knee, ankle = (
            np.degrees(truth.joint_angles[f"{side}_{joint}"][cycle]) for joint in ("hip", "knee", "ankle")
        )
        flexion = -knee[:, 0]
        stance = slice(0, 69)
        assert 55 < flexion.max() < 66
        assert 66 < np.argmax(flexion) / 1.12 < 80
        assert 12 < flexion[:30].max() < 23
        assert 2 < flexion.min() < 10
        assert 25 < hip[:, 0].max() < 42
        assert -15 < hip[:, 0].min() < -3
        assert 7 < ankle[stance, 0].max() < 18
        assert -25 < ankle[:, 0].min() < -12
        # General 3-D: every angle of hip and knee moves, but none beyond what a body does.
        for angles in (hip, knee):
            assert (np.ptp(angles[:, 1:], axis=0) > 3).all()
            assert (np.abs(angles[:, 1:]) < 15).all()


def test_speed_cadence_and_step_are_those_of_normal_walking(truth):
    pelvis = truth.segments["pelvis"]
    assert 1.05 < pelvis.velocity_G[:112, 0].mean() < 1.4
    strikes = [e for e in truth.events if e.kind == "strike"]
    assert [e.side for e in strikes] == ["left", "right", "left", "right", "left"]
    cadence = 60 / np.diff([e.time for e in strikes])
    assert ((cadence > 95) & (cadence < 125)).all()
    assert truth.plate_sides == ("left", "right", "left")


def test_the_stance_foot_stays_on_the_floor_and_still_while_flat(truth):
    for side in SIDES:
        foot, subject = truth.segments[f"{side}_foot"], truth.subject
        sole = [
            foot.point(np.array([x, -subject.ankle_height, z]))
            for x in subject.sole[:2]
            for z in (-subject.sole_half_width, subject.sole_half_width)
        ]
        lowest = np.min([point[:, 1] for point in sole], axis=0)
        assert lowest.min() > -0.006  # the foot rolls by 2 degrees with the shank: 1.6 mm at its edges
        strike = next(e.time for e in truth.events if e.side == side and e.kind == "strike")
        begin, end = (round(100 * (strike + share * 1.12)) for share in (0.15, 0.30))
        assert np.linalg.norm(foot.velocity_G[begin:end], axis=-1).max() < 0.02
        begin, end = (round(100 * (strike + share * 1.12)) for share in (0.72, 0.92))
        assert lowest[begin:end].min() > 0.008  # the toes clear the floor


def test_the_ground_carries_body_weight_and_obeys_friction(truth):
    total = sum(truth.ground[side].force_G for side in SIDES)
    weight = truth.subject.mass * G
    assert total[:112, 1].mean() == pytest.approx(weight, rel=2e-3)  # one cycle at 100 Hz
    assert abs(total[:112, 0].mean()) < 0.005 * weight  # steady speed
    for side in SIDES:
        force, moment = truth.ground[side].force_G, truth.ground[side].moment_G
        loaded = force[:, 1] > 0.0
        assert (force[:, 1] >= 0.0).all()
        assert (force[~loaded] == 0.0).all()
        assert (moment[~loaded] == 0.0).all()
        assert (np.hypot(force[loaded, 0], force[loaded, 2]) < 0.5 * force[loaded, 1]).all()
        # A free moment comes from shear under a foot of some 5 cm: no more than 0.5 x 0.05 m x the vertical force.
        assert (np.abs(moment[loaded, 1]) < 0.5 * 0.05 * force[loaded, 1] + 1e-9).all()
        peaks = force[:, 1] / weight
        assert 1.05 < peaks.max() < 1.25


def test_the_plates_load_smoothly_and_only_in_stance(truth):
    for load in truth.plate_loads_G:
        vertical = load.force_G[:, 1]
        rate = np.diff(vertical) * 1e3
        assert vertical[0] == 0.0
        assert np.abs(np.diff(rate)).max() < 1000  # N/s from one ms to the next: no jump of the slope
        assert 0.6 < np.count_nonzero(vertical) / 1e3 < 0.75


def test_force_and_path_of_pressure_lean_as_in_walking_and_mirror_between_the_sides(truth):
    """The force points to the midline in single support; pressure passes outside the heel-toe line, then inside."""
    mirror, half = np.array([1.0, 1.0, -1.0]), 56  # frames
    left, right = (truth.ground[side] for side in SIDES)
    step = np.array([0.5 * 1.15 * 1.12, 0.0, 0.0])
    frames = slice(32, 100)  # the left stance on plate 1; the right foot follows half a cycle later
    later = slice(32 + half, 100 + half)
    np.testing.assert_allclose(right.force_G[later], left.force_G[frames] * mirror, atol=1e-9)
    np.testing.assert_allclose(right.point_G[later], left.point_G[frames] * mirror + step, atol=1e-9)
    np.testing.assert_allclose(right.moment_G[later, 1], -left.moment_G[frames, 1], atol=1e-9)
    single = slice(30 + 14 + half, 30 + 56 + half)
    assert (right.force_G[single, 2] < 0).all()
    heading = unit(truth.segments["right_foot"].R_GS[30 + half + 22, :, 0] * [1, 0, 1])
    outward = np.cross(heading, [0.0, 1.0, 0.0])
    ankle = truth.segments["right_foot"].origin_G[30 + half + 22]
    assert (right.point_G[30 + half + 22] - ankle) @ outward > 0.002
    assert (right.point_G[30 + half + 68] - ankle) @ outward < -0.005


def test_ezc3d_reads_the_intended_loads_from_every_plate_of_the_shipped_kind(truth, folder):
    """Types 2, 2 and 4; the surface's centre and axes come from the file's corners alone."""
    c3d = ezc3d.c3d(str(folder / "walk.c3d"), extract_forceplat_data=True)
    assert list(c3d["parameters"]["FORCE_PLATFORM"]["TYPE"]["value"]) == [2, 2, 4]
    for stored, plate, load in zip(c3d["data"]["platform"], truth.plates, truth.plate_loads_G, strict=True):
        intended = load.rotated(truth.R_LG).about(plate.centre_L)
        np.testing.assert_allclose(stored["force"].T, intended.force_G, atol=5e-4)  # float32 of about 1e3 N
        np.testing.assert_allclose(1e-3 * stored["moment"].T, intended.moment_G, atol=5e-4)
    x_axes = np.array([plate.R_LP[:, 0] for plate in truth.plates])
    np.testing.assert_allclose(x_axes, [[0, 1, 0], [0, -1, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose([plate.R_LP[:, 2] for plate in truth.plates], [[0, 0, -1]] * 3, atol=1e-12)


def test_the_centre_of_pressure_is_under_the_foot_and_on_its_plate(truth):
    subject = truth.subject
    for plate, load, side in zip(truth.plates, truth.plate_loads_G, truth.plate_sides, strict=True):
        at_marker_times = slice(0, None, 10)
        loaded = load.force_G[at_marker_times, 1] > 5.0
        foot = truth.segments[f"{side}_foot"]
        flat = foot.R_GS[loaded][np.argmin(foot.velocity_G[loaded][:, 0])]
        cop = load.point_G[at_marker_times][loaded]
        ankle = foot.origin_G[loaded][np.argmin(np.linalg.norm(foot.velocity_G[loaded], axis=-1))]
        heading = unit(flat[:, 0] * [1, 0, 1])
        along = (cop - ankle) @ heading
        across = (cop - ankle) @ np.cross(heading, [0.0, 1.0, 0.0])
        assert subject.sole[0] - 0.005 < along.min() < -0.02
        assert 0.1 < along.max() < subject.sole[2]
        assert (np.abs(across) < subject.sole_half_width).all()
        assert (np.diff(along) > -1e-6).all()
        at_plate = (load.point_G[load.force_G[:, 1] > 0] @ truth.R_LG.T - plate.centre_L) @ plate.R_LP
        half = 0.5 * np.abs((plate.corners_L[0] - plate.corners_L[2]) @ plate.R_LP)
        assert (np.abs(at_plate[:, :2]) < half[:2] - 0.05).all()


@pytest.fixture(scope="module")
def inertias() -> dict[str, SegmentInertia]:
    bodies = {}
    for side in SIDES:
        bodies[f"{side}_thigh"] = SegmentInertia(8.0, np.array([0.0, -0.18, 0.0]), np.diag([0.12, 0.03, 0.12]))
        bodies[f"{side}_shank"] = SegmentInertia(3.2, np.array([0.0, -0.18, 0.0]), np.diag([0.045, 0.005, 0.045]))
        bodies[f"{side}_foot"] = SegmentInertia(1.0, np.array([0.05, -0.04, 0.0]), np.diag([0.001, 0.004, 0.004]))
    return bodies


def test_joint_moments_are_those_of_normal_walking(truth, inertias):
    """Sagittal moments about the distal segment's z axis, extension of the knee positive; Nm/kg."""
    loads = truth.true_loads(inertias)
    for side in SIDES:
        about_z = {
            joint: np.sum(loads[f"{side}_{joint}"].moment_G * truth.segments[f"{side}_{part}"].R_GS[..., 2], axis=-1)
            / truth.subject.mass
            for joint, part in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot"))
        }
        stance = truth.on_plates[side] & (truth.ground[side].force_G[:, 1] > 20)
        assert -1.7 < about_z["ankle"][stance].min() < -1.1
        assert 0.3 < about_z["knee"][stance].max() < 0.9
        assert -1.5 < about_z["hip"][stance].min() < -0.4
        assert 0.4 < about_z["hip"].max() < 1.8


def test_what_the_plates_see_is_what_acts_on_the_feet_where_they_see_all(truth):
    for side in SIDES:
        seen = sum(
            load.force_G[::10] for load, on in zip(truth.plate_loads_G, truth.plate_sides, strict=True) if on == side
        )
        whole = truth.on_plates[side]
        assert whole.sum() > 100
        np.testing.assert_allclose(seen[whole], truth.ground[side].force_G[whole], atol=1e-9)
        assert np.abs(seen - truth.ground[side].force_G)[~whole].max() > 500


def test_the_walk_back_is_the_same_walk_on_the_same_plates_the_other_way():
    there, back = walk(), walk(first_side="right", back=True)
    assert back.plate_sides == ("right", "left", "right")
    assert there.markers_G["LASI"][-1, 0] > there.markers_G["LASI"][0, 0]
    assert (back.markers_G["LASI"] @ back.R_LG.T)[-1, 1] < (back.markers_G["LASI"] @ back.R_LG.T)[0, 1]
    for a, b in zip(there.plates, back.plates, strict=True):
        np.testing.assert_array_equal(a.corners_L, b.corners_L)


def test_standing_leaves_body_weight_on_one_plate_and_hangs_together():
    still = standing()
    forces = [load.force_G[0] @ still.R_LG.T for load in still.plate_loads_G]
    np.testing.assert_allclose(forces, [[0, 0, 0], [0, 0, still.subject.mass * G], [0, 0, 0]], atol=1e-9)
    for side in SIDES:
        foot, subject = still.segments[f"{side}_foot"], still.subject
        assert foot.origin_G[0, 1] == pytest.approx(subject.ankle_height, abs=1e-9)
        lengths = np.linalg.norm(
            np.diff([still.joint_centres_G[f"{side}_{j}"][0] for j in ("hip", "knee", "ankle")], axis=0), axis=-1
        )
        np.testing.assert_allclose(lengths, [subject.thigh_length[side], subject.shank_length[side]], atol=1e-12)


def test_the_noisy_file_has_the_announced_gaps_and_no_others(folder):
    c3d = ezc3d.c3d(str(folder / "walk_back.c3d"))
    labels = c3d["parameters"]["POINT"]["LABELS"]["value"]
    missing = np.isnan(c3d["data"]["points"][:3]).any(axis=0)
    assert {labels[i]: missing[i].sum() for i in np.flatnonzero(missing.any(axis=1))} == {"LTIB": 6, "RTHI": 60}


def test_legs_too_short_for_the_step_are_refused_with_the_phase():
    with pytest.raises(DynamicsError, match=r"leg at \d+ % of its cycle: hip and ankle are 0\.\d+ m apart"):
        Gait(hips_height=0.93).series(DemoSubject())


def test_the_command_regenerates_the_files_byte_for_byte(folder, tmp_path, capsys):
    main([str(tmp_path)])
    assert "walk_back.c3d" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 3
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()


@pytest.mark.parametrize("name", ["static.c3d", "walk.c3d", "walk_back.c3d"])
def test_the_files_that_ship_are_those_that_the_generator_writes(folder, name):
    """Compared by value: another processor's rounding may differ in the last bit of a float32."""
    shipped = Path(__file__).parents[2] / "data" / "demo" / name
    ours, theirs = (ezc3d.c3d(str(path)) for path in (folder / name, shipped))
    for kind in ("points", "analogs"):
        np.testing.assert_allclose(theirs["data"][kind], ours["data"][kind], rtol=1e-6, atol=1e-4)
