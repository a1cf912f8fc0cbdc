"""The demo study: a plausible human walk of the whole skeleton, on the floor and on its plates."""

from __future__ import annotations

from pathlib import Path

import ezc3d
import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.math3d import unit
from pipeline.skeleton import segment_pose
from pipeline.synthetic import (
    Contact,
    DemoSubject,
    Gait,
    SegmentMotion,
    balanced,
    standing,
    walk,
)
from pipeline.synthetic.__main__ import main
from tests.oracles.segment_loads import SegmentInertia, joint_loads, true_angles, true_loads

G = 9.81
SIDES = ("left", "right")
CYCLE = 108
"""Frames of a gait cycle at 100 Hz."""


def difference(at: list[np.ndarray], h: float) -> np.ndarray:
    """Eighth-order central difference of nine samples h apart, and its truncation is (omega h)^8 / 630."""
    weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    return sum(w * (at[4 + k] - at[4 - k]) for k, w in enumerate(weights, 1)) / h


@pytest.fixture(scope="module")
def motion():
    """Coordinates of the walk as functions of time."""
    return balanced(Gait(), DemoSubject(), Contact()).motion


def contact_frame(truth, side: str) -> int:
    return round(100 * next(e.time for e in truth.events if e.side == side and e.kind == "initial contact"))


def test_rates_are_the_derivatives_of_the_coordinates(truth, motion):
    time, h = np.linspace(0.1, 1.9, 23), 1e-3
    for order, tolerance in ((0, 1e-7), (1, 1e-5)):  # rounding is 1e-16 / h; the highest harmonics are truncated
        numeric = difference([motion(time + k * h, order) for k in range(-4, 5)], h)
        np.testing.assert_allclose(numeric, motion(time, order + 1), atol=tolerance)
    # The trial begins 0.3 s before a left initial contact, which is half a cycle after a right one.
    began = 0.5 * Gait().cycle - 0.3
    for order, mine in enumerate((truth.q, truth.qd, truth.qdd)):
        np.testing.assert_allclose(mine[:, 1:], motion(truth.time + began, order)[:, 1:], atol=1e-9)
    np.testing.assert_allclose(truth.qd[:, 0], motion(truth.time + began, 1)[:, 0], atol=1e-12)


def test_motions_of_segments_are_the_derivatives_of_their_poses(truth, motion):
    body, subject = truth.subject.skeleton, truth.subject
    time, h = np.linspace(0.1, 1.0, 11), 1e-3
    for name, turn in (("pelvis", subject.R_SP), ("left_foot", None), ("right_hand", None)):
        at = [
            SegmentMotion.of_skeleton(body, name, *(motion(time + k * h, n) for n in range(3)), R_SA=turn)
            for k in range(-4, 5)
        ]
        here = at[4]
        for value, rate in (("origin_G", "velocity_G"), ("velocity_G", "acceleration_G"), ("omega_G", "alpha_G")):
            numeric = difference([getattr(moved, value) for moved in at], h)
            np.testing.assert_allclose(numeric, getattr(here, rate), atol=1e-5)
        R_dot = difference([moved.R_GS for moved in at], h)
        for column in range(3):
            np.testing.assert_allclose(R_dot[..., column], np.cross(here.omega_G, here.R_GS[..., column]), atol=1e-7)


@pytest.mark.parametrize("side", SIDES)
def test_the_axis_of_the_shank_joins_the_malleoli(truth, side):
    """Its origin is the knee; the ankle's marker is on the line through the ankle that is lateral in these axes."""
    segments, marker = truth.segments, truth.markers_G[f"{side[0].upper()}ANK"]
    shank, ankle = segments[f"{side}_shank"], segments[f"{side}_foot"].origin_G
    in_shank = np.einsum("tji,tj->ti", shank.R_GS, marker - ankle)
    lateral = in_shank[:, 2] * (1.0 if side == "right" else -1.0)
    assert (lateral > 0.03).all()
    np.testing.assert_allclose(in_shank[:, 0], 0.0, atol=1e-9)


def test_pelvis_residuals_are_zero(truth):
    weight = truth.subject.mass * G
    assert np.abs(truth.loads.tau[:, :6]).max() < 1e-9 * weight
    assert np.abs(standing().loads.tau[:, :6]).max() < 1e-9 * weight


def test_joint_angles_are_those_of_walking_and_the_left_knee_is_stiff(truth):
    """Ranges of adult walking (Perry and Burnfield 2010), with room for habit and for a stiff left leg."""
    for side in SIDES:
        cycle = slice(contact_frame(truth, side), contact_frame(truth, side) + CYCLE)
        hip, knee, ankle = (
            np.degrees(true_angles(truth)[f"{side}_{joint}"][cycle]) for joint in ("hip", "knee", "ankle")
        )
        flexion = -knee[:, 0]
        stance = slice(0, 66)
        assert 48 < flexion.max() < 68
        assert 64 < np.argmax(flexion) / 1.08 < 80
        assert 12 < flexion[:30].max() < 27
        assert 2 < flexion.min() < 12
        assert 25 < hip[:, 0].max() < 45
        assert -15 < hip[:, 0].min() < 3
        assert 7 < ankle[stance, 0].max() < 22
        assert -20 < ankle[:, 0].min() < 3
        assert (np.ptp(hip[:, 1:], axis=0) > 3).all()
        assert (np.abs(hip[:, 1:]) < 15).all()
    left, right = (np.degrees(-true_angles(truth)[f"{side}_knee"][:, 0]).max() for side in SIDES)
    assert left < right - 8


def test_no_joint_leaves_its_range(truth):
    body = truth.subject.skeleton
    for q in (truth.q, standing().q):
        assert (q >= body.q_lower).all()
        assert (q <= body.q_upper).all()


def test_speed_cadence_and_step_are_those_of_walking(truth):
    assert 1.05 < truth.segments["pelvis"].velocity_G[:CYCLE, 0].mean() < 1.4
    contacts = [e for e in truth.events if e.kind == "initial contact"]
    assert [e.side for e in contacts] == ["left", "right", "left", "right", "left", "right"]
    cadence = 60 / np.diff([e.time for e in contacts])
    assert ((cadence > 95) & (cadence < 125)).all()
    assert truth.plate_sides == ("left", "right", "left", "right")


def test_the_stance_foot_stays_on_the_floor_and_still_while_flat(truth):
    subject = truth.subject
    for side in SIDES:
        foot, heel = truth.segments[f"{side}_foot"], subject.sole[0]
        R, toe = segment_pose(subject.skeleton, f"{side}_toes", truth.q)
        edge = np.array([heel, -subject.ankle_height, 0.0])
        heights = {
            "heel": (foot.origin_G + foot.R_GS @ edge)[:, 1],
            "toe joint": toe[:, 1] - (subject.ankle_height - subject.sole_of(side).drop),
        }
        lowest = np.min(list(heights.values()), axis=0)
        assert lowest.min() > -0.004  # the design's curves are smoothed, which rounds the heel's corner
        start = contact_frame(truth, side)
        begin, end = (round(start + share * CYCLE) for share in (0.16, 0.28))
        assert np.linalg.norm(foot.velocity_G[begin:end], axis=-1).max() < 0.05
        assert lowest[begin:end].max() < 0.003
        begin, end = (round(start + share * CYCLE) for share in (0.72, 0.92))
        assert lowest[begin:end].min() > 0.006  # the foot clears the floor
        # Where the foot turns about its toe joint, the toes keep the floor: their pitch is less than the foot's.
        late = round(start + 0.56 * CYCLE)
        assert abs(R[late, 1, 0]) < abs(foot.R_GS[late, 1, 0]) / 2


def test_the_point_of_a_swinging_foot_is_that_of_the_nearest_stance(truth):
    """It moves once in a swing, by less than a stride."""
    for side in SIDES:
        moved = np.linalg.norm(np.diff(truth.ground[side].point_G, axis=0), axis=-1)
        assert moved.max() < Gait().stride, side


def test_ground_reactions_are_those_of_walking(truth):
    """Two peaks near 1.1 body weights with a valley, friction far below 0.6, little twist, pressure inside the sole."""
    subject, weight = truth.subject, truth.subject.mass * G
    total = sum(truth.ground[side].force_G for side in SIDES)
    assert total[:CYCLE, 1].mean() == pytest.approx(weight, rel=2e-3)  # one cycle at 100 Hz
    assert abs(total[:CYCLE, 0].mean()) < 0.002 * weight  # steady speed
    for side in SIDES:
        load = truth.ground[side]
        force, moment = load.force_G, load.moment_G
        loaded = force[:, 1] > 0.0
        assert (force[:, 1] >= 0.0).all()
        assert (force[~loaded] == 0.0).all()
        assert (np.hypot(force[loaded, 0], force[loaded, 2]) < 0.4 * force[loaded, 1]).all()
        assert (np.abs(moment[loaded, 1]) < 0.025 * force[loaded, 1] + 1e-9).all()  # 0.5 x 0.05 m under the sole

        start = contact_frame(truth, side)
        vertical = force[start : start + 67, 1] / weight
        middle = 20 + np.argmin(vertical[20:45])
        first, second = vertical[:middle].max(), vertical[middle:].max()
        assert 1.05 < first < 1.2
        assert 1.05 < second < 1.2
        assert 0.7 < vertical[middle] < 0.9
        assert force[start : start + 30, 0].min() < -0.12 * weight  # brakes, then pushes off
        assert force[start + 35 : start + 67, 0].max() > 0.15 * weight

        stance = slice(start + 1, start + 66)
        flat = truth.segments[f"{side}_foot"].R_GS[start + 24]
        heading = unit(flat[:, 0] * [1, 0, 1])
        ankle = truth.segments[f"{side}_foot"].origin_G[start + 24]
        along = (load.point_G[stance] - ankle) @ heading
        across = (load.point_G[stance] - ankle) @ np.cross(heading, [0.0, 1.0, 0.0])
        assert subject.sole[0] < along.min() < -0.02
        assert 0.1 < along.max() < subject.sole[1]
        assert (np.abs(across) < subject.sole_half_width).all()
        assert (np.diff(along) > -1e-4).all()
        assert np.abs(load.point_G[:, 1]).max() < 1e-12


def test_in_single_support_the_other_foot_has_no_load(truth):
    """Between the other foot's foot off and initial contact its load is exactly none."""
    for side, other in (SIDES, SIDES[::-1]):
        start = contact_frame(truth, side)
        single = slice(start + round(0.125 * CYCLE), start + round(0.495 * CYCLE))
        assert (truth.ground[other].force_G[single] == 0.0).all()
        assert (truth.ground[side].force_G[single, 1] > 400).all()


def test_the_plates_load_smoothly_and_only_in_stance(truth):
    for load in truth.plate_loads_G:
        vertical = load.force_G[:, 1]
        rate = np.diff(vertical) * 1e3
        assert vertical[0] == 0.0
        assert np.abs(np.diff(rate)).max() < 1000  # N/s from one ms to the next: no jump of the slope
        assert 0.6 < np.count_nonzero(vertical) / 1e3 < 0.75


def test_ezc3d_reads_the_intended_loads_from_every_plate_of_the_shipped_kind(truth, folder):
    """Types 2 and 4; the surface's centre and axes come from the file's corners alone."""
    c3d = ezc3d.c3d(str(folder / "walk.c3d"), extract_forceplat_data=True)
    assert list(c3d["parameters"]["FORCE_PLATFORM"]["TYPE"]["value"]) == [2, 2, 4, 2]
    for stored, plate, load in zip(c3d["data"]["platform"], truth.plates, truth.plate_loads_G, strict=True):
        intended = load.rotated(truth.R_LG).about(plate.centre_L)
        np.testing.assert_allclose(stored["force"].T, intended.force_G, atol=5e-4)  # float32 of about 1e3 N
        np.testing.assert_allclose(1e-3 * stored["moment"].T, intended.moment_G, atol=5e-4)
    x_axes = np.array([plate.R_LP[:, 0] for plate in truth.plates])
    np.testing.assert_allclose(x_axes, [[0, 1, 0], [0, -1, 0], [0, 1, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose([plate.R_LP[:, 2] for plate in truth.plates], [[0, 0, -1]] * 4, atol=1e-12)


@pytest.mark.parametrize("back", [False, True])
def test_every_foot_lands_on_its_plate(truth, back):
    trial = walk(first_side="right", back=True) if back else truth
    for plate, load in zip(trial.plates, trial.plate_loads_G, strict=True):
        at_plate = (load.point_G[load.force_G[:, 1] > 0] @ trial.R_LG.T - plate.centre_L) @ plate.R_LP
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


def test_joint_moments_are_those_of_walking(truth, inertias):
    """Sagittal moments about the distal segment's z axis, extension of the knee positive; Nm/kg."""
    loads = true_loads(truth, inertias)
    for side in SIDES:
        about_z = {
            joint: np.sum(loads[f"{side}_{joint}"].moment_G * truth.segments[f"{side}_{part}"].R_GS[..., 2], axis=-1)
            / truth.subject.mass
            for joint, part in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot"))
        }
        stance = truth.on_plates[side] & (truth.ground[side].force_G[:, 1] > 20)
        assert -1.8 < about_z["ankle"][stance].min() < -1.1
        assert 0.3 < about_z["knee"][stance].max() < 0.9
        assert -1.5 < about_z["hip"][stance].min() < -0.4
        assert 0.4 < about_z["hip"].max() < 1.8


def test_recursive_moments_are_those_of_the_plain_newton_euler_loop(truth):
    """The skeleton's legs, link by link with their own inertia, in a loop that shares no code with the recursion."""
    body = truth.subject.skeleton
    for side in SIDES:
        inertias, segments = {}, {}
        for name in (f"{side}_{part}" for part in ("thigh", "shank", "foot", "toes")):
            j, pose = body.segment(name).joint, body.segment(name).pose
            R, r = pose[:3, :3], pose[:3, 3]
            inertias[name] = SegmentInertia(body.mass[j], R.T @ (body.com[j] - r), R.T @ body.inertia[j] @ R)
            segments[name] = SegmentMotion.of_skeleton(body, name, truth.q, truth.qd, truth.qdd)
        loads = joint_loads(tuple(segments), segments, inertias, {f"{side}_foot": truth.ground[side]})
        for part, joint in (("thigh", "hip_flexion"), ("shank", "knee_flexion"), ("foot", "ankle_flexion")):
            j = body.index(f"{side}_{joint}")
            # Nm of 1e2; both sum a dozen terms of 1e3 N times lever arms.
            np.testing.assert_allclose(loads[f"{side}_{part}"].moment_G, truth.loads.moment_G[:, j], atol=1e-9)


def test_plate_loads_are_the_feets_loads_where_both_are_on_plates(truth):
    for side in SIDES:
        seen = sum(
            load.force_G[::10] for load, on in zip(truth.plate_loads_G, truth.plate_sides, strict=True) if on == side
        )
        whole = truth.on_plates[side]
        assert whole.sum() > 200
        np.testing.assert_allclose(seen[whole], truth.ground[side].force_G[whole], atol=1e-9)
    both = truth.on_plates["left"] & truth.on_plates["right"]
    assert both.sum() > 1.5 * CYCLE  # more than a whole stride with both feet on plates


def test_the_walk_back_is_the_same_walk_on_the_same_plates_the_other_way(truth):
    back = walk(first_side="right", back=True)
    assert back.plate_sides == ("left", "right", "left", "right")
    assert truth.markers_G["LASI"][-1, 0] > truth.markers_G["LASI"][0, 0]
    assert (back.markers_G["LASI"] @ back.R_LG.T)[-1, 1] < (back.markers_G["LASI"] @ back.R_LG.T)[0, 1]
    for a, b in zip(truth.plates, back.plates, strict=True):
        np.testing.assert_array_equal(a.corners_L, b.corners_L)


def test_the_static_pose_has_body_weight_on_one_plate_and_the_subjects_lengths():
    still = standing()
    subject = still.subject
    forces = [load.force_G[0] @ still.R_LG.T for load in still.plate_loads_G]
    np.testing.assert_allclose(forces, [[0, 0, 0], [0, 0, subject.mass * G], [0, 0, 0], [0, 0, 0]], atol=1e-9)
    for side in SIDES:
        foot = still.segments[f"{side}_foot"]
        np.testing.assert_allclose(foot.R_GS[0, 1], [0.0, 1.0, 0.0], atol=1e-9)  # the sole is flat
        assert foot.origin_G[0, 1] == pytest.approx(subject.ankle_height, abs=1e-9)
        lengths = np.linalg.norm(
            np.diff([still.joint_centres_G[f"{side}_{j}"][0] for j in ("hip", "knee", "ankle")], axis=0), axis=-1
        )
        np.testing.assert_allclose(lengths, [subject.thigh_length[side], subject.shank_length[side]], atol=1e-12)


def test_a_person_who_stands_is_in_balance_over_the_feet_at_a_heading():
    """Half of body weight on each foot as far to the side as its ankle, both together below the centre of mass."""
    still = standing(heading=20.0)
    loads = {side: still.ground[side] for side in SIDES}
    ankles = {side: still.joint_centres_G[f"{side}_ankle"][0] for side in SIDES}
    for load in loads.values():
        np.testing.assert_allclose(load.force_G[0], [0.0, 0.5 * still.subject.mass * G, 0.0], atol=1e-9)
    (left, right), (ankle, other) = ([of[side] for side in SIDES] for of in (loads, ankles))
    np.testing.assert_allclose(right.point_G[0] - left.point_G[0], other - ankle, atol=1e-9)
    plate = next(load for load in still.plate_loads_G if load.force_G[0].any())
    np.testing.assert_allclose(0.5 * (left.point_G[0] + right.point_G[0]), plate.point_G[0], atol=1e-9)


def test_the_noisy_file_has_the_announced_gaps_and_no_others(folder):
    c3d = ezc3d.c3d(str(folder / "walk_back.c3d"))
    labels = c3d["parameters"]["POINT"]["LABELS"]["value"]
    missing = np.isnan(c3d["data"]["points"][:3]).any(axis=0)
    assert {labels[i]: missing[i].sum() for i in np.flatnonzero(missing.any(axis=1))} == {"LTIB": 6, "RTHI": 60}


@pytest.mark.long
def test_legs_too_short_for_the_step_are_refused_with_the_place():
    with pytest.raises(DynamicsError, match=r"leg, frame \d+ of 551: the foot stays \d+\.\d mm from its target"):
        balanced(Gait(height=0.96), DemoSubject(), Contact())


@pytest.mark.long
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
