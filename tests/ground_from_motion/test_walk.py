"""The demo's walk, whose loads are known exactly, estimated from its motion; and what is refused or reported."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.conventions import SIDES
from pipeline.errors import DynamicsError
from pipeline.ground_from_motion import ground_from_motion, load_learned
from pipeline.ground_from_motion.estimate import WalkingBody, measured_steps, walking_body
from pipeline.ground_from_motion.noise import by_position, usable
from pipeline.ground_from_motion.split import SplitLoads
from pipeline.ground_from_motion.walk import step_errors
from pipeline.provenance import Provenance
from pipeline.reporting.trial.estimated import estimated_section
from pipeline.results import read_stage, write_stage
from pipeline.signals import low_pass
from pipeline.trial import GroundFromMotion
from tests.recordings import with_ground


def test_loads_of_every_contact_are_estimated_and_their_sum_is_newtons(demo_walk, estimated):
    found = [estimated.ground[side].force_G for side in SIDES]
    known = np.isfinite(found[0]).all(axis=1) & demo_walk.body.loads_known
    assert known.sum() > 50
    weight = demo_walk.body.mass * 9.81
    needed = sum(w.force_G for w in demo_walk.body.ground.values()) + demo_walk.body.kinematic.residual_force * weight
    # the pelvis' residual is what the plates lack of the motion's force
    np.testing.assert_allclose((sum(found) - estimated.force_correction)[known], needed[known], atol=1e-6)
    # bodies without noise: what is added is what the learned path is off by, 10 mm or so in 900
    assert 0.0 < np.sqrt(np.mean(estimated.force_correction[known] ** 2)) < 0.02 * weight


def test_the_walk_reports_its_own_error_and_it_is_small(estimated):
    measured = [step for step in estimated.steps if step.plate]
    assert len(measured) >= 2
    for step in measured:
        # Bodies without noise: what is left is the learned split, 4.4 % and 0.12 Nm/kg on people.
        assert max(step.vertical, step.fore_aft, step.lateral) < 0.08
        assert max(step.hip, step.knee, step.ankle) < 0.35
        assert step.cop_along < 0.05
    assert any(note.subject == "estimated loads" for note in estimated.notes)


def test_the_rate_of_a_walk_is_that_of_its_frames_whenever_it_begins():
    values = np.random.default_rng(3).normal(size=(61, 3))
    for begin in (0.0, 40.0):
        walk = SimpleNamespace(time=begin + 0.005 * np.arange(61))
        smooth = WalkingBody.low_passed(walk, values, 4.0)  # type: ignore[arg-type]
        np.testing.assert_allclose(smooth, low_pass(values, 200.0, 4.0), atol=1e-9)


def test_a_planted_error_of_the_plate_is_seen_in_the_steps_error(demo_walk, feet, estimated):
    body = with_ground(demo_walk.body, lambda w: replace(w, force_G=1.25 * w.force_G))
    found = ground_from_motion(body, demo_walk.kinematics, feet, load_learned())
    for wrong, right in zip(found.steps, estimated.steps, strict=True):
        assert not right.plate or wrong.vertical > right.vertical + 0.1  # 25 % of body weight or so


def test_without_plates_nothing_is_measured_and_the_floor_is_that_of_flat_feet(demo_walk, feet, estimated):
    bare = replace(demo_walk.kinematics, plates=(), stances=())
    found = ground_from_motion(demo_walk.body, bare, feet, load_learned())
    assert len(found.steps) == len(estimated.steps)
    assert not any(step.plate for step in found.steps)
    assert all(np.isnan(step.ankle) for step in found.steps)
    assert [note.subject for note in found.notes] == ["ground reactions", "floor"]
    vertical = [e.ground["left"].force_G[:, 1] for e in (found, estimated)]
    assert np.nanmax(np.abs(vertical[0] - vertical[1])) < 0.25 * found.mass * 9.81


def test_legs_alone_are_refused(demo_walk, feet):
    with pytest.raises(DynamicsError, match="markers cover 51 % of the body's mass"):
        ground_from_motion(replace(demo_walk.body, mass_tracked=0.51), demo_walk.kinematics, feet, load_learned())


def test_it_is_stored_and_read_back(estimated, tmp_path):
    write_stage(tmp_path / "w.h5", estimated, Provenance("ground_from_motion"))
    found = read_stage(tmp_path / "w.h5", GroundFromMotion)
    assert [(s.side, s.start, s.plate) for s in found.steps] == [(s.side, s.start, s.plate) for s in estimated.steps]
    np.testing.assert_allclose(found.ground["right"].force_G, estimated.ground["right"].force_G)
    np.testing.assert_allclose(found.joint_moments["left_ankle"], estimated.joint_moments["left_ankle"])


def test_the_page_says_estimated_and_draws_dashed_what_no_plate_measured(demo_walk, estimated):
    section = estimated_section(estimated, demo_walk.body)
    assert len(section.steps) == len(estimated.steps)
    assert section.counts.startswith(f"Steps with estimated loads: {len(estimated.steps)}. Also measured by a plate: ")
    for panel in (panel for row in section.rows for panel in row.panels):
        drawn = [curve.style.split()[1] for curve in panel.curves]
        assert drawn.count("estimated") == len(estimated.steps)
        assert drawn.count("single") == sum(1 for step in estimated.steps if step.plate)
        assert all(band.style.startswith("uncertain") for band in panel.bands)
        # about the same height as what the plates measured: signs and units are those of the registry
        values = {word: np.nanmax([c.y for c in panel.curves if c.style.endswith(word)]) for word in set(drawn)}
        lows = {word: np.nanmin([c.y for c in panel.curves if c.style.endswith(word)]) for word in set(drawn)}
        height = values["single"] - lows["single"]
        assert abs(values["estimated"] - values["single"]) < 0.6 * height
    for row, step in zip(section.steps, estimated.steps, strict=True):
        assert ("measured" in row[2]) == bool(step.plate)
        assert (row[3] == "") == (not step.plate)


def shaken(body, axis: int, by: np.ndarray):
    """A body whose pelvis, and all that it carries, has further accelerations (T,), m/s^2, along an axis of G."""
    motion = body.kinematic
    qdd = motion.qdd.copy()
    qdd[:, axis] += by
    return replace(body, kinematic=replace(motion, qdd=qdd))


def noisy(demo_walk, feet, axis: int) -> WalkingBody:
    """The demo's walk with noise along the floor, in which its accelerations there cannot be used."""
    body = shaken(demo_walk.body, axis, 7.0 * np.sin(2.0 * np.pi * 4.0 * demo_walk.body.time))
    return walking_body(body, demo_walk.kinematics, feet, demo_walk.kinematics.events, load_learned())


def test_a_motion_that_needs_a_floor_that_pulls_is_refused_with_time_and_remedy(demo_walk, feet):
    by = np.zeros(len(demo_walk.body.time))
    by[len(by) // 2] = -25.0
    with pytest.raises(DynamicsError, match=r"(?s)the ground to pull at .* s \(.*Lower the cut-off of the markers"):
        ground_from_motion(shaken(demo_walk.body, 1, by), demo_walk.kinematics, feet, load_learned())


def test_noise_that_all_markers_share_along_the_floor_does_not_reach_the_loads(demo_walk, feet, estimated):
    """As video has it: 0.9 body weights are needed along the floor; the loads stay those of the quiet motion."""
    time, learned = demo_walk.body.time, load_learned()
    quiet = ground_from_motion(demo_walk.body, demo_walk.kinematics, feet, by_position(learned))
    body = shaken(demo_walk.body, 0, 7.0 * np.sin(2.0 * np.pi * 4.0 * time))
    body = shaken(body, 2, 3.0 * np.sin(2.0 * np.pi * 3.0 * time))
    found = ground_from_motion(body, demo_walk.kinematics, feet, learned)
    (note,) = [note for note in found.notes if note.subject == "accelerations"]
    assert "body weights along the floor" in note.text
    assert (note.subject, note.text) in estimated_section(found, demo_walk.body).warnings
    assert len(found.steps) == len(quiet.steps) == len(estimated.steps)
    weight = found.mass * 9.81
    for step in found.steps:
        during = (time >= step.start) & (time <= step.stop)
        moved = (found.ground[step.side].force_G - quiet.ground[step.side].force_G)[during] / weight
        # What is left is the offset of the zero-moment point, a weighted mean that the noise moves by some 5 mm, over
        # the height at which the correction acts, 0.9 m, and what follows from it in the share.
        assert np.nanmax(np.abs(moved)) < 0.02
    # what was added to the motion's force, noise and smoothed accelerations included, is told
    total = sum(wrench.force_G for wrench in found.ground.values())
    known = np.isfinite(total).all(axis=1) & demo_walk.body.loads_known
    needed = sum(w.force_G for w in demo_walk.body.ground.values()) + demo_walk.body.kinematic.residual_force * weight
    needed = needed + found.mass * (body.kinematic.qdd - demo_walk.body.kinematic.qdd)[:, :3]
    assert known.sum() > 50
    np.testing.assert_allclose((total - found.force_correction)[known], needed[known], atol=1e-6)
    # its bands are wider than those of a motion whose accelerations can be used
    assert (found.force_sd >= learned.position_force_sd - 1e-12).all()
    assert found.force_sd[:, 0].mean() > estimated.force_sd[:, 0].mean()


def test_bands_of_noisy_motion_are_wider_by_what_flat_feet_move_by(demo_walk, feet):
    """Feet that accelerate by 2 m/s^2 upwards, on parabolas: 2 / 9.81 body weights, and 0.1 m of lever at 2 N/kg."""
    time, learned = demo_walk.body.time, load_learned()
    walk = noisy(demo_walk, feet, 0)
    rising = {side: tuple(np.outer(time**2, [0.0, 1.0, 0.0]) for _ in range(2)) for side in SIDES}
    found, notes = usable(walk, learned, rising)
    assert len(notes) == 1
    expected = learned.position_force_sd.copy()
    expected[:, 1] = np.hypot(expected[:, 1], 2.0 / 9.81)
    # Differences at the ends of the recording are of lower order, if a foot is flat there, and the filter bends them.
    np.testing.assert_allclose(found.force_sd, expected, rtol=0.03)
    np.testing.assert_allclose(found.moment_sd, np.hypot(learned.position_moment_sd, 0.2), rtol=0.03)


@pytest.mark.parametrize("axis", [0, 2])
def test_bands_of_noisy_motion_are_wider_by_the_place_of_flat_feet(demo_walk, feet, axis):
    """Feet that are 10 mm ahead and 5 mm aside, there, and as far back and to the other side, frame after frame: a lean
    of sqrt(2) times sqrt(2/3) of it over 0.55 of stature, and its moment under body weight."""
    time, learned = demo_walk.body.time, load_learned()
    walk = noisy(demo_walk, feet, axis)
    fro = np.arange(len(time)) % 3 - 1.0
    place = np.array([2.0, 0.05, -0.3]) + np.outer(fro, [0.010, 0.0, 0.005])
    found, _ = usable(walk, learned, dict.fromkeys(SIDES, (place, place)))
    lean = np.sqrt(4.0 / 3.0) * np.array([0.010, 0.0, 0.005])
    # About a third of some 20 frames of each contact is at each of the three places.
    added = np.sqrt(found.force_sd**2 - learned.position_force_sd**2)
    np.testing.assert_allclose(added, np.broadcast_to(lean / (0.55 * walk.height), added.shape), rtol=0.05, atol=1e-9)
    added = np.sqrt(found.moment_sd**2 - learned.position_moment_sd**2)
    np.testing.assert_allclose(added, 9.81 * lean[0], rtol=0.05)


def test_vertical_noise_that_all_markers_share_is_taken_off_where_the_floor_shows_noise(demo_walk, feet):
    """A quarter of gravity at 7 Hz, as OpenCap's walk has: a tenth of it is left, and the limbs do not have it either.

    Without noise along the floor it stays in the loads, as it may be motion.
    """
    time, learned = demo_walk.body.time, load_learned()
    by = 0.25 * 9.81 * np.sin(2.0 * np.pi * 7.0 * time)
    floor = shaken(demo_walk.body, 0, 7.0 * np.sin(2.0 * np.pi * 4.0 * time))
    motions = (floor, shaken(floor, 1, by)), (demo_walk.body, shaken(demo_walk.body, 1, by))
    changes = []
    for quiet, noisy in motions:
        without, found = (ground_from_motion(body, demo_walk.kinematics, feet, learned) for body in (quiet, noisy))
        assert len(found.steps) == len(without.steps) > 0
        changes.append(
            [
                max(np.nanmax(np.abs(found.ground[s].force_G - without.ground[s].force_G)) for s in SIDES)
                / (found.mass * 9.81),
                max(np.nanmax(np.abs(found.joint_moments[j] - without.joint_moments[j])) for j in found.joint_moments)
                / found.mass,
            ]
        )
    (force, moment), (kept, _) = changes
    assert force < 0.05  # a filter of 3 Hz and order four passes 3 % of 7 Hz, and bends the recording's ends
    assert moment < 0.1
    assert kept > 0.2


def test_a_steps_errors_are_those_planted_along_each_axis(demo_walk, feet):
    """Forces off by 0.1, 0.2 and 0.3 body weights along X, Y and Z."""
    body, kinematics, learned = demo_walk.body, demo_walk.kinematics, load_learned()
    walk = walking_body(body, kinematics, feet, kinematics.events, learned)
    number, stance = next(iter(measured_steps(walk, kinematics.stances).items()))
    off = np.array([0.1, 0.2, -0.3]) * body.mass * 9.81
    none = np.zeros((len(body.time), 3))
    ground = with_ground(body, lambda w: replace(w, force_G=w.force_G + off)).ground
    split = SplitLoads(ground, np.zeros(3), none, none)
    errors = step_errors(walk, number, stance, body, split, body.kinematic.joint_moments, learned)
    found = [errors[name] for name in ("fore_aft", "vertical", "lateral", "cop_along", "cop_across", "ankle")]
    np.testing.assert_allclose(found, [0.1, 0.2, 0.3, 0.0, 0.0, 0.0], rtol=1e-3, atol=1e-12)


def test_near_a_contact_that_was_missed_or_not_seen_nothing_is_estimated(demo_walk, feet, estimated):
    """The other foot would be given the load of both."""
    kinematics = demo_walk.kinematics
    second = sorted(step.start for step in estimated.steps if step.side == "right")[1:2] or [
        next(step.start for step in estimated.steps if step.side == "right")
    ]
    step = next(s for s in estimated.steps if (s.side, s.start) == ("right", second[0]))
    middle = np.searchsorted(estimated.time, (step.start + step.stop) / 2.0)
    assert np.isfinite(estimated.ground["left"].force_G[middle]).all()
    missed = [e for e in kinematics.events if e.side != "right" or not step.start - 0.01 < e.time < step.stop + 0.01]
    unseen = {"left": feet["left"], "right": tuple(point.copy() for point in feet["right"])}
    during = (estimated.time >= step.start) & (estimated.time <= step.stop)
    for point in unseen["right"]:
        point[during] = np.nan
    for events, points in ((missed, feet), (kinematics.events, unseen)):
        own = replace(kinematics, events=tuple(events))
        found = ground_from_motion(demo_walk.body, own, points, load_learned())
        assert len(found.steps) < len(estimated.steps)
        assert np.isnan(found.ground["left"].force_G[middle]).all()


def test_with_one_foot_alone_nothing_is_estimated(demo_walk, feet):
    events = tuple(event for event in demo_walk.kinematics.events if event.side == "left")
    found = ground_from_motion(demo_walk.body, replace(demo_walk.kinematics, events=events), feet, load_learned())
    assert found.steps == ()
    assert not any(np.isfinite(wrench.force_G).any() for wrench in found.ground.values())


def test_a_foot_on_its_own_belt_stays_where_its_frame_is(demo_walk, feet):
    """Belts of 0.5 and 1.0 m/s: while it is flat, each heel is within 5 mm of its frame's origin as the belt carries it
    along; with one speed for both belts, it would leave it by 3 cm."""
    body, belts = demo_walk.body, {"left": 0.5, "right": 1.0}
    moving = {
        side: tuple(point - np.outer(belts[side] * body.time, [1.0, 0.0, 0.0]) for point in parts)
        for side, parts in feet.items()
    }
    events = demo_walk.kinematics.events
    over_ground, walk = (
        walking_body(body, demo_walk.kinematics, parts, events, load_learned()) for parts in (feet, moving)
    )
    steps = [*zip(walk.contacts, walk.frames, over_ground.frames, strict=True)]
    seen = [(contact, frame, expected) for contact, frame, expected in steps if frame and expected]
    assert {contact.side for contact, _, _ in seen} == set(SIDES)
    for contact, frame, expected in seen:
        assert frame.belt == pytest.approx(belts[contact.side], abs=0.03)  # flat feet roll on by some mm
        assert expected.belt == 0.0
        phase = contact.phase(walk.time)
        flat = (phase >= 0.15) & (phase <= 0.5)
        heel_G = moving[contact.side][0][flat]
        assert np.nanmax(np.abs(frame.on_foot(heel_G, walk.time[flat])[:, 0])) * frame.length < 0.005
        count = np.zeros(flat.sum())
        back = frame.to_ground(count, count, 0.0, walk.time[flat])
        assert np.nanmax(np.abs(back - heel_G)[:, 0]) < 0.005


def test_on_a_treadmill_the_loads_are_those_over_ground(demo_walk, feet, estimated):
    """The same walk seen from axes that move along with it at a constant speed: the same forces, by Galilei."""
    back = np.outer(-1.2 * demo_walk.body.time, [1.0, 0.0, 0.0])
    body, kinematics = demo_walk.body, demo_walk.kinematics
    motion, q = body.kinematic, body.kinematic.q.copy()
    q[:, 0] += back[:, 0]
    on_belt = with_ground(body, lambda w: replace(w, point_G=w.point_G + back))
    on_belt = replace(on_belt, kinematic=replace(motion, q=q, com_G=motion.com_G + back))
    moving = {side: (heel + back, toe + back) for side, (heel, toe) in feet.items()}
    found = ground_from_motion(on_belt, kinematics, moving, load_learned())
    weight = body.mass * 9.81
    for side in SIDES:
        ours, theirs = found.ground[side], estimated.ground[side]
        # the belt's speed is found from flat feet, which roll on by some mm
        np.testing.assert_allclose(ours.force_G, theirs.force_G, atol=0.005 * weight)
        np.testing.assert_allclose(ours.point_G, theirs.point_G + back, atol=0.005)
        for joint in ("hip", "knee", "ankle"):
            name = f"{side}_{joint}"
            np.testing.assert_allclose(found.joint_moments[name], estimated.joint_moments[name], atol=0.02 * body.mass)
    for own, other in zip(found.steps, estimated.steps, strict=True):
        assert own.plate == other.plate
        assert not own.plate or abs(own.cop_along - other.cop_along) < 0.003
