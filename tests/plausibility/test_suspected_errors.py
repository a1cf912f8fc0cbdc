"""What a finding suspects the error to be, against an error of known size that was planted."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from pipeline.analysis import belts_of
from pipeline.conventions import X, Y
from pipeline.math3d import Wrench, rotation_about
from pipeline.plausibility import load_limits
from pipeline.plausibility.balance import force_balance
from pipeline.plausibility.body_sizes import body_sizes, leg_lengths
from pipeline.plausibility.centre_of_pressure import ahead_of_pivot, push_off
from pipeline.plausibility.knees import clearance, knee_clearance
from pipeline.plausibility.known_loads import pelvis_centre, windows
from pipeline.plausibility.limits import OPEN, Limits, Spread
from pipeline.plausibility.marker_motion import _fast_share, _line, marker_motion
from pipeline.plausibility.plate_position import mass_ahead_in_standing, plate_position
from pipeline.plausibility.plates import (
    TYPICAL_SLOPE,
    Step,
    _height,
    _mediolateral,
    _slope,
    clean_steps,
    fore_aft_errors,
    plates,
)
from pipeline.plausibility.plates_compared import _MIDDLE, _correlations, _reversed, plates_compared
from pipeline.plausibility.sides_compared import side_differences, sides_compared
from pipeline.plausibility.synchronisation import delay_of_stance, plate_delay
from pipeline.signals import load_of
from pipeline.trial import Stance
from tests.plausibility.test_findings import RUN
from tests.recordings import with_cop, with_ground, with_load, with_marker, with_plates, with_values


def typical(name: str = "", value: float = 0.0) -> Limits:
    """Limits beyond which every value is, with what is typical of one."""
    return Limits({name: Spread(value, 1.0, 1.0, False, 1, 1, 1, 1)}, -math.inf, -math.inf, 1.0)


def one_step(kinematics, side="left"):
    """The walk with one clean step, and its plate's number."""
    step = next(s for s in kinematics.stances if not s.rejected and s.side == side)
    return replace(kinematics, stances=(step,)), step.plate


def about(findings, words):
    (finding,) = [f for f in findings if words in f.text]
    return finding


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("factor", [0.6, 0.9, 1.5])
def test_a_scale_of_the_fore_aft_channel_is_suspected_as_large_as_it_is(clean, side, factor):
    """Measured = factor * true, so that 1 - 1 / factor of what was measured is too much."""
    walk, number = one_step(clean.kinematics, side)
    own = about(plates(walk, clean.raw, OPEN), "towards the hips").value
    scaled = with_load(walk, number, lambda w: replace(w, force_G=w.force_G * [factor, 1.0, 1.0]))
    limits = typical("fore-aft force over that to the hips", own)
    found = about(plates(scaled, clean.raw, limits), "towards the hips")
    assert found.text.endswith(f"{factor * own:.2f} of that towards the hips, about {own:.2f} in walking")
    assert found.error.scale_G == pytest.approx((1.0 - 1.0 / factor, 0.0, 0.0))


def inclined(kinematics, number, share):
    """The walk with a plate's fore-aft force a share of that which points from its centre of pressure to the pelvis."""

    def change(plate):
        up, forward = plate.wrench.force_G[:, Y], (pelvis_centre(kinematics) - plate.cop_G)[:, X]
        height = (pelvis_centre(kinematics) - plate.cop_G)[:, Y]
        force_G = plate.wrench.force_G.copy()
        force_G[:, X] = share * up * forward / height
        return replace(plate, wrench=replace(plate.wrench, force_G=force_G))

    return with_plates(kinematics, change, number)


@pytest.mark.parametrize("share", [0.2, 1.4])
@pytest.mark.parametrize("others", [(), (0.8,), (0.68, 0.72, 0.92), (0.7, 0.3)])
def test_the_moment_of_a_fore_aft_force_that_is_off_is_the_share_of_the_vertical_force_s(clean, share, others):
    """A force that points at the pelvis has no moment about it, so that its fore-aft part times height is the vertical
    force times its arm. What is too much of it is against the median of the walk's other steps that are not off, or
    against walking where there is none."""
    walk, number = one_step(clean.kinematics)
    more = [s for s in clean.kinematics.stances if not s.rejected and s.plate != number][: len(others)]
    walk = replace(walk, stances=(*walk.stances, *more))
    for second, of_others in zip(more, others, strict=True):
        walk = inclined(walk, second.plate, of_others)
    walk = inclined(walk, number, share)
    found = {step.plate.number: (step, error) for step, error in fore_aft_errors(walk)}
    assert len(found) == (2 if 0.3 in others else 1)
    step, error = found[number]
    (own,) = (p for p in walk.plates if p.number == number)
    frames = slice(step.stance.start, step.stance.stop)
    moment = own.wrench.force_G[frames, Y] * (pelvis_centre(walk) - own.cop_G)[frames, X]
    typical_share = np.median([other for other in others if other != 0.3]) if others else TYPICAL_SLOPE
    expected = abs(share - typical_share) * np.nanmax(np.abs(moment)) / 72.0
    assert expected > 0.1, "Nm/kg"
    assert error == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("gait", "least", "largest"), [("walk", 0.6, 0.95), ("slow walk", 0.45, 0.95), ("run", 0.45, 1.2)]
)
def test_the_limits_of_a_fore_aft_force_depend_on_the_gait(clean, gait, least, largest):
    """Hips that go on by 0.4 m/s less than the demo's 1.2 m/s while the feet rest, and both feet in the air between
    steps."""
    walk, number = one_step(clean.kinematics)
    if gait == "slow walk":
        behind = np.outer(0.4 * walk.time, [1.0, 0.0, 0.0])
        walk = replace(
            walk,
            points=walk.points | {f"{side}_hip": walk.points[f"{side}_hip"] - behind for side in ("left", "right")},
        )
    if gait == "run":
        walk = replace(walk, events=RUN)
    for share, count in ((least - 0.01, 1), (least + 0.01, 0), (largest - 0.01, 0), (largest + 0.01, 1)):
        assert len(fore_aft_errors(inclined(walk, number, share))) == count, share


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("newtons", [-15.0, 6.0])
def test_a_sideways_force_is_suspected_as_large_as_it_is(clean, side, newtons):
    walk, number = one_step(clean.kinematics, side)
    own = about(plates(walk, clean.raw, OPEN), "points away from the body").value
    pushed = with_load(walk, number, lambda w: replace(w, force_G=w.force_G + np.array([0.0, 0.0, newtons])))
    limits = typical("mediolateral force over that to the hips", own)
    found = about(plates(pushed, clean.raw, limits), "points away from the body")
    assert f"about {own:.2f} in walking" in found.text
    assert found.error.force_G == pytest.approx((0.0, 0.0, newtons))


@pytest.mark.parametrize(
    ("height", "grade"), [(0.03, "warning"), (0.07, "refusal"), (-0.06, "warning"), (-0.09, "warning")]
)
def test_plates_lowered_by_the_suspected_height_are_just_not_found(clean, height, grade):
    def raised(by):
        up = np.array([0.0, by, 0.0])
        walk = with_load(clean.kinematics, 0, lambda w: replace(w, point_G=w.point_G + up))
        walk = with_plates(walk, lambda plate: replace(plate, corners_G=plate.corners_G + up))
        return [f for f in plates(walk, clean.raw, typical()) if "with the foot flat" in f.text]

    found = raised(height)
    assert [finding.grade for finding in found] == [grade] * 4
    for finding in found:
        x, shift, z = finding.error.shift_G
        assert (x, z) == (0.0, 0.0)
        assert finding.limit == (3.0 if height > 0.0 else 75.0), "mm of the markers above it"
        beyond = math.copysign(1e-6, height)
        assert finding.subject in {f.subject for f in raised(height - shift + beyond)}
        assert finding.subject not in {f.subject for f in raised(height - shift - beyond)}


@pytest.mark.parametrize("metres", [-0.03, 0.012])
def test_a_shift_of_all_plates_aside_is_suspected_as_large_as_it_is(clean, metres):
    """Feet that are turned out by 7 degrees see 99 % of it."""
    words = "centres of pressure under both feet"
    own = about(plates(clean.kinematics, clean.raw, OPEN), words).value
    walk = with_cop(clean.kinematics, lambda cop: cop + np.array([0.0, 0.0, metres]))
    limits = typical("centres of pressure of both feet aside of heel-toe line", own + 5.0)
    found = about(plates(walk, clean.raw, limits), words)
    assert found.error.shift_G == pytest.approx((0.0, 0.0, metres - 0.005), abs=0.02 * abs(metres))
    assert (found.subject, found.value) == ("plates", pytest.approx(own + 1000.0 * metres, abs=20.0 * abs(metres)))
    assert found.text.endswith("to the right" if metres > 0.0 else "to the left")


def made_up_step(side="right", **changes) -> Step:
    """Forty frames of a foot under the pelvis, 1 m high, on a level plate; changes are those of the step's points."""
    corners = np.array([[0.3, 0.0, 0.3], [-0.3, 0.0, 0.3], [-0.3, 0.0, -0.3], [0.3, 0.0, -0.3]])
    plate = SimpleNamespace(corners_G=corners, wrench=SimpleNamespace(point_G=np.zeros((40, 3))))
    still = {"force": [0.0, 700.0, 0.0], "cop": [0.0, 0.0, 0.0], "pelvis": [0.0, 1.0, 0.0]}
    still |= {"heel": [-0.1, 0.04, 0.0], "toe": [0.1, 0.03, 0.0]}
    values = {name: np.tile(value, (40, 1)) for name, value in still.items()}
    return Step(Stance(1, side, 0, 40, 0.0, 0.4, 0.0, ""), plate, **values | changes)


def test_the_fore_aft_force_is_compared_by_correlation_and_slope(rng):
    force, pelvis = rng.normal((0.0, 5.0, 0.0), size=(2, 40, 3))
    correlation, slope = _slope(made_up_step(force=force, pelvis=pelvis))
    towards = force[:, Y] * pelvis[:, X] / pelvis[:, Y]
    assert correlation == pytest.approx(np.corrcoef(towards, force[:, X])[0, 1])
    assert slope == pytest.approx(np.polyfit(towards, force[:, X], 1)[0])
    assert _slope(made_up_step(pelvis=pelvis))[0] == 0.0, "a dead channel"


@pytest.mark.parametrize(("side", "inwards"), [("left", 1.0), ("right", -1.0)])
@pytest.mark.parametrize(("metres", "count"), [(0.019, 0), (0.021, 1), (-0.1, 0)])
def test_a_mediolateral_force_is_judged_where_the_pelvis_is_inwards_of_the_foot(side, inwards, metres, count):
    """By a fiftieth of its height and more; the force is a quarter of that towards it."""
    pelvis = np.tile([0.0, 1.0, inwards * metres], (40, 1))
    force = np.tile([0.0, 700.0, 0.25 * 700.0 * inwards * metres], (40, 1))
    found = list(_mediolateral(made_up_step(side, pelvis=pelvis, force=force), OPEN))
    assert [finding.value for finding in found] == [pytest.approx(0.25)] * count


@pytest.mark.parametrize("part", ["heel", "toe"])
def test_a_foot_is_as_high_as_its_lower_marker_in_the_second_quarter_of_its_contact(part):
    """The median of ten frames: 90 mm in six of them, and more in the others and outside."""
    heights = np.full(40, 0.3)
    heights[10:16] = 0.09
    track = np.column_stack([np.zeros(40), heights, np.zeros(40)])
    other = np.tile([0.0, 0.5, 0.0], (40, 1))
    (found,) = _height(made_up_step(**{part: track, "toe" if part == "heel" else "heel": other}))
    assert (found.value, found.limit) == (pytest.approx(90.0), 75.0)


@pytest.mark.parametrize(("unseen", "known"), [(0.0, True), (0.2, True), (0.22, False)])
def test_a_step_has_the_frames_of_its_contact_in_which_all_points_are_seen(clean, step, unseen, known):
    """Of a contact that ends early, 50 frames, some without a heel; a contact that cannot be used is none."""
    stance = replace(step, stop=step.start + 50)
    hidden = clean.kinematics.points[f"{step.side}_heel"].copy()
    hidden[step.start + 10 : step.start + 10 + math.floor(50 * unseen)] = np.nan
    points = clean.kinematics.points | {f"{step.side}_heel": hidden}
    steps = clean_steps(replace(clean.kinematics, points=points, stances=(replace(step, rejected="light"), stance)))
    assert len(steps) == known
    for found in steps:
        plate = load_of(step, clean.kinematics.plates)
        seen = np.isfinite(hidden[stance.start : stance.stop]).all(axis=1)
        np.testing.assert_array_equal(found.force, plate.wrench.force_G[stance.start : stance.stop][seen])
        np.testing.assert_array_equal(found.heel, hidden[stance.start : stance.stop][seen])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("metres", [-0.04, 0.025])
def test_a_shift_of_a_plate_along_the_foot_is_suspected_as_large_as_it_is(clean, side, metres):
    walk, number = one_step(clean.kinematics, side)
    own = ahead_of_pivot(walk, walk.stances[0], clean.loads.mass)
    shifted = with_cop(walk, lambda cop: cop + np.array([metres, 0.0, 0.0]), number)
    limits = typical("centre of pressure as the heel rises", own)
    (found,) = push_off(shifted, clean.loads, limits)
    # A foot turned out by 7 degrees sees 99 % of it.
    assert found.error.shift_G == pytest.approx((metres, 0.0, 0.0), rel=0.02)
    assert found.value == pytest.approx(own + 1000.0 * metres, abs=1.0)


def foot_that_rolls(far: float, blur: float, speed: float = 100.0) -> tuple:
    """A foot flat until 0.6 of its stance, then turning about a point `far` ahead of its toe marker by `speed` degrees
    a stance, up to 30; it is off by `blur` from one frame to the next. The centre of pressure is ahead of that point by
    20 mm, and by 1 mm more for each degree beyond the middle of those from 8 to 25."""
    time = np.arange(0.5, 1.5, 0.01)
    phase = (time - 0.6) / 0.8
    degrees = np.clip((phase - 0.603) * speed, 0.0, 30.0)
    middle = np.median(degrees[(degrees > 8.0) & (degrees < 25.0)])
    down = np.radians(degrees)
    off = np.column_stack([np.cos(down), -np.sin(down), 0.0 * down])
    toe, none = np.array([far, 0.0, 0.0]) - far * off, np.zeros((len(time), 3))
    heel = np.array([far, 0.0, 0.0]) - (far + 0.2) * off
    noise = blur * np.where(np.arange(len(time)) % 2, 1.0, -1.0)[:, None] * [1.0, 0.0, 0.0]
    plate = SimpleNamespace(
        number=1,
        cop_G=none + np.outer(far + 0.02 + 0.001 * (degrees - middle), [1.0, 0.0, 0.0]),
        wrench=SimpleNamespace(force_G=none + np.array([0.0, 700.0, 0.0])),
    )
    points = {"left_heel": heel + noise, "left_toe": toe + noise}
    stance = Stance(1, "left", 10, 90, 0.6, 1.4, 0.0, "")
    return SimpleNamespace(time=time, points=points, plates=(plate,)), stance


@pytest.mark.parametrize(
    ("far", "blur", "known"),
    [
        (0.03, 0.0, True),
        (0.059, 0.0, True),
        (0.061, 0.0, False),
        (-0.059, 0.0, True),
        (-0.061, 0.0, False),
        (0.3, 0.0, False),
        (0.03, 0.0009, True),
        (0.03, 0.0012, False),
        (0.03, 0.03, False),
    ],
)
def test_a_foot_that_does_not_turn_about_one_point_at_its_toes_says_nothing(far, blur, known):
    motion, stance = foot_that_rolls(far, blur)
    found = ahead_of_pivot(motion, stance, 70.0)
    assert (found == pytest.approx(20.0, abs=0.1 + 2000.0 * blur)) if known else np.isnan(found)


def test_a_marker_that_jumps_while_the_foot_is_flat_does_not_move_the_point():
    motion, stance = foot_that_rolls(0.03, 0.0)
    phase = (motion.time - stance.onset) / (stance.end - stance.onset)
    motion.points["left_toe"][(phase > 0.34) & (phase < 0.4)] += [0.0, 0.1, 0.0]
    assert ahead_of_pivot(motion, stance, 70.0) == pytest.approx(20.0, abs=0.1)


@pytest.mark.parametrize(("speed", "known"), [(300.0, True), (500.0, False)])
def test_a_foot_that_turns_by_so_much_in_three_frames_says_nothing(speed, known):
    """From 8 to 25 degrees: 4.5 frames at 300 degrees a stance of 0.8 s, 2.7 at 500."""
    found = ahead_of_pivot(*foot_that_rolls(0.03, 0.0, speed), 70.0)
    assert (found == pytest.approx(20.0, abs=0.1)) if known else np.isnan(found)


@pytest.mark.parametrize("late", [-0.02, 0.0, 0.013])
@pytest.mark.parametrize("rate", [50.0, 200.0])
def test_a_load_is_late_by_what_its_middle_is_after_that_of_the_foot_s_rest(late, rate):
    """The toes slow down by 2 m/s^2 to rest at 0.5 s and leave at 1.1 s with 4 m/s^2: slower than 0.5 m/s from 0.25 to
    1.225 s. They go aside, too (3, 0, 4), and up, which does not count; the heel is faster by as much again."""
    time = np.arange(round(1.6 * rate)) / rate
    path = -((np.minimum(time, 0.5) - 0.5) ** 2) + 2.0 * (np.maximum(time, 1.1) - 1.1) ** 2
    toe = np.stack([0.6 * path, 5.0 * time, 0.8 * path], axis=1)
    points = {"right_toe": toe, "right_heel": 2.0 * toe}
    stance = SimpleNamespace(
        side="right", start=round(0.3 * rate), stop=round(1.2 * rate), onset=0.27 + late, end=1.205 + late
    )
    found = delay_of_stance(SimpleNamespace(time=time, rate=rate, points=points), stance)
    assert found == pytest.approx(late, abs=1e-9)
    on_belt = {name: point - np.outer(1.2 * time, [1.0, 0.0, 0.0]) for name, point in points.items()}
    cycle = SimpleNamespace(side="right", initial_contact=0.5, foot_off=1.1, next_initial_contact=1.46)
    kinematics = SimpleNamespace(time=time, rate=rate, points=on_belt, cycles=(cycle,))
    found = delay_of_stance(kinematics, stance, belts_of(kinematics)["right"])
    assert found == pytest.approx(late, abs=1e-9), "on a belt, the foot is at rest on it"


@pytest.mark.parametrize("rate", [100.0, 200.0])
def test_loads_are_known_while_both_feet_s_are_and_the_pelvis_is_for_three_tenths_of_a_second(rate):
    """In hundredths of a second, the left foot's are known from 10 to 75, 90 to 110 and from 120 on, the right one's up
    to 30 and from 35 on, the hips up to 150. The 20 in which all are known early, and again later, are too short."""
    frames = np.arange(round(2.0 * rate)) * 100.0 / rate

    def seen(*spans):
        known = np.any([(first <= frames) & (frames < last) for first, last in spans], axis=0)
        return np.where(known, 1.0, np.nan)[:, None] * np.ones(3)

    points = {"left_hip": seen((0, 200)), "right_hip": seen((0, 150))}
    ground = {
        "left": SimpleNamespace(force_G=seen((10, 75), (90, 110), (120, 200))),
        "right": SimpleNamespace(force_G=seen((0, 30), (35, 200))),
    }
    found = windows(SimpleNamespace(rate=rate, points=points), SimpleNamespace(ground=ground))
    assert found == [(0.35 * rate, 0.75 * rate), (1.2 * rate, 1.5 * rate)]


@pytest.mark.parametrize("frames", [-2.7, -0.4, 0.3, 1.5])
def test_a_delay_is_known_to_parts_of_a_frame(clean, frames):
    """The body's motion alone: the load of both feet by a spline at times between the frames."""
    time, seconds = clean.kinematics.time, frames / clean.kinematics.rate

    def late(values):
        seen = np.isfinite(values).all(axis=1)
        moved = CubicSpline(time[seen], values[seen])(time - seconds)
        return np.where(seen[:, None], moved, values)

    loads = with_ground(clean.loads, lambda w: Wrench(late(w.force_G), late(w.moment_G), w.point_G))
    walk = replace(clean.kinematics, stances=tuple(replace(s, rejected="x") for s in clean.kinematics.stances))
    before, after = (plate_delay(walk, own)[0] for own in (clean.loads, loads))
    assert after - before == pytest.approx(seconds, abs=5e-4)


@pytest.mark.parametrize("before", [0, 10])
def test_a_delay_is_known_where_both_feet_s_loads_are_from_the_first_frame_to_the_last(clean, before):
    """The walk cut to its window, or from some frames before it, has the delay of the whole walk."""
    walk = replace(clean.kinematics, stances=tuple(replace(s, rejected="x") for s in clean.kinematics.stances))
    start, stop = max(windows(walk, clean.loads), key=lambda span: span[1] - span[0])
    start -= before
    part = replace(
        walk,
        time=walk.time[start:stop],
        points={name: point[start:stop] for name, point in walk.points.items()},
        segments={
            name: replace(s, com_acceleration_G=s.com_acceleration_G[start:stop]) for name, s in walk.segments.items()
        },
        cycles=(),
    )
    delay, _ = plate_delay(part, with_ground(clean.loads, lambda w: w.at(slice(start, stop))))
    assert delay == pytest.approx(plate_delay(walk, clean.loads)[0], abs=2e-3)


@pytest.mark.parametrize("at", [0.3, 0.7])
def test_a_delay_is_that_of_the_longest_time_with_known_loads(clean, at):
    """A missing frame parts the time; the longer part alone gives the same delay."""
    walk = replace(clean.kinematics, stances=())
    start, stop = max(windows(walk, clean.loads), key=lambda span: span[1] - span[0])
    split = start + round(at * (stop - start))

    def without(frames):
        known = np.ones((len(walk.time), 1))
        known[frames] = np.nan
        return plate_delay(walk, with_ground(clean.loads, lambda w: replace(w, force_G=w.force_G * known)))[0]

    assert np.isfinite(found := without(split))
    assert found == without(slice(split, None) if at > 0.5 else slice(None, split + 1))


@pytest.mark.parametrize("factor", [0.4, 0.7, 2.0, 3.0])
def test_the_pelvis_over_the_plates_follows_the_plates_variation(clean, factor):
    """Each foot's force is its part of the body's weight and of what varies about it; the latter times a factor."""
    total = sum(np.nan_to_num(w.force_G[:, Y]) for w in clean.loads.ground.values())
    carried = 72.0 * 9.80665
    share = (carried + factor * (total - carried)) / np.where(total > 1.0, total, 1.0)
    share = np.where(total > 1.0, share, 1.0)[:, None]
    loads = with_ground(clean.loads, lambda w: replace(w, force_G=w.force_G * share))
    before, after = (force_balance(clean.kinematics, own) for own in (clean.loads, loads))
    assert after.ratio == pytest.approx(before.ratio / factor, rel=1e-6)
    assert before.ratio == pytest.approx(1.18, rel=0.05)


@pytest.mark.parametrize(
    ("times", "behind", "ratio"),
    [(3.0, 90, 3.0), (2.2, 90, 2.2), (1.8, 90, np.nan), (0.3, 90, np.nan), (3.0, 60, 3.0), (3.0, 30, 2.6)],
)
def test_a_pelvis_that_moves_far_more_than_its_force_says_so_even_if_not_in_step_with_it(clean, times, behind, ratio):
    """It goes up and down at 2 Hz, its acceleration some degrees behind that of the plates and larger by a factor; the
    force varies by 2 m/s^2 of the mass. With a correlation of cos(30) the part in step counts, with cos(60) the size.
    """
    walk, turn = clean.kinematics, 4.0 * np.pi * clean.kinematics.time
    up = np.array([0.0, 1.0, 0.0])
    height = np.outer(-2.0 * times / (4.0 * np.pi) ** 2 * np.cos(turn - np.radians(behind)), up)
    points = walk.points | {
        f"{side}_hip": np.outer(walk.time, [1.2, 0.0, 0.0]) + up + height for side in ("left", "right")
    }
    force = np.outer(clean.loads.mass * (9.81 + 2.0 * np.cos(turn)) / 2.0, up)
    loads = with_ground(clean.loads, lambda w: replace(w, force_G=np.where(np.isfinite(w.force_G), force, np.nan)))
    balance = force_balance(replace(walk, points=points), loads)
    assert balance.ratio == pytest.approx(ratio, rel=0.1, nan_ok=True)


@pytest.mark.parametrize(("share", "seen"), [(0.11, True), (0.09, False)])
def test_a_load_below_a_tenth_of_the_weight_does_not_show_where_the_foot_turns(clean, share, seen):
    """All forces of the same size; the centre of pressure, and with it the distance, stays."""
    walk, mass = clean.kinematics, clean.loads.mass
    light = share * mass * 9.81 * np.array([0.0, 1.0, 0.0])
    unloaded = with_load(walk, 0, lambda w: replace(w, force_G=np.tile(light, (len(w.force_G), 1))))
    for stance in walk.stances:
        expected = ahead_of_pivot(walk, stance, mass) if seen else np.nan
        found = ahead_of_pivot(unloaded, stance, mass)
        assert found == pytest.approx(expected, abs=2.0, nan_ok=True)


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_two_plates_under_one_foot_suspect_what_differs(clean, factor):
    """Centres of pressure that run evenly along the foot, over 160 mm on plate 1 and `factor` times that on plate 3,
    and 12 mm apart sideways."""
    walk = clean.kinematics
    stances = {s.plate: s for s in walk.stances if s.plate in (1, 3)}
    feet = {}
    for number, length, aside in ((1, 0.16, 0.0), (3, 0.16 * factor, 0.012)):
        own = stances[number]
        heel, toe = (walk.points[f"{own.side}_{part}"] for part in ("heel", "toe"))
        phase = (walk.time - own.onset) / (own.end - own.onset)
        axis = (toe - heel)[(own.start + own.stop) // 2]
        feet[number] = float(np.median(np.linalg.norm(toe - heel, axis=1)[own.start : own.stop]))
        cop = heel[(own.start + own.stop) // 2] + phase[:, None] * [length, 0.0, 0.0] + [0.0, 0.0, aside]
        walk = with_cop(walk, lambda old, cop=cop: np.where(np.isfinite(old), cop, np.nan), number)
        assert axis[X] > 0.1
    found = [f for f in plates_compared(walk, OPEN) if f.subject == "plate 1 and plate 3"]
    apart = abs(factor - 1.0) * 0.16 * (_MIDDLE[-1] - _MIDDLE[0])
    path = about(found, "path of the centre")
    assert path.value == pytest.approx(100.0 * apart / feet[1], rel=0.005)
    assert path.error.shift_G == pytest.approx((0.5 * apart, 0.0, 0.0), rel=0.005)
    aside = about(found, "farther to one side")
    assert aside.error.shift_G == pytest.approx((0.0, 0.0, 0.001 * aside.value))


def test_free_moments_correlate_as_numpy_says_and_a_constant_one_with_none(rng):
    curves = rng.normal(size=(4, 71)) + np.arange(4.0)[:, None]
    np.testing.assert_allclose(_correlations(curves), np.corrcoef(curves), atol=1e-12)
    curves[2] = 3.0
    found = _correlations(curves)
    assert np.isnan(found[2]).all()
    np.testing.assert_allclose(found[[0, 1, 3]][:, [0, 1, 3]], np.corrcoef(curves[[0, 1, 3]]), atol=1e-12)
    assert _correlations(np.zeros((0, 71))).shape == (0, 0)


def test_free_moments_of_two_plates_are_compared_and_not_those_of_two_steps_on_one(rng):
    """The opposite pattern is on plate 1, then on plate 2, with half of it on plate 3."""
    curve = rng.normal(size=71)

    def step(number: int, moment: np.ndarray) -> SimpleNamespace:
        return SimpleNamespace(stance=SimpleNamespace(on=f"plate {number}", side="left"), free_moment=moment)

    assert not list(_reversed([step(1, curve), step(1, -curve)]))
    assert not list(_reversed([step(1, curve), step(2, curve)]))
    assert not list(_reversed([]))
    mixed = step(3, -0.5 * curve + rng.normal(size=71))
    (found,) = _reversed([step(1, curve), mixed, step(2, -curve)])
    assert found.subject == "plate 1 and plate 2"
    assert found.value == pytest.approx(-1.0)


def test_steps_that_cannot_be_used_are_not_compared(clean):
    """The left foot's second step is rejected, or across two plates: no other pair is of one foot."""
    walk = clean.kinematics
    on = {s.plate: s for s in walk.stances}
    own, others = on[3], (on[1], next(s for s in walk.stances if s.side == "right"))
    pair = replace(walk, stances=(*others, own))
    assert about(plates_compared(pair, OPEN), "presses").subject
    for left_out in (replace(own, rejected="light"), replace(own, second_plate=4)):
        assert not [f for f in plates_compared(replace(walk, stances=(*others, left_out)), OPEN) if f.units != "1"]


@pytest.mark.parametrize("step", [[0.025, 0.0, 0.0], [0.0, -0.04, 0.03]])
def test_a_jump_of_a_marker_is_suspected_as_far_as_it_is(clean, plug_in_gait, step):
    """The third difference of a clean path is 0.5 mm."""
    after = (np.arange(len(clean.raw.time)) >= 150)[:, None]
    walk = with_marker(clean.raw, "LKNE", lambda place: place + after * step)
    limits = Limits({"third difference of a marker": Spread(0.0, 1.0, 10.0, False, 1, 1, 1, 1)}, 1.0, 1.0, 0.05)
    (found,) = marker_motion(clean.kinematics, walk, plug_in_gait, limits)
    shift = found.error.shifts_G["LKNE"]
    assert min(np.abs(shift - step).max(), np.abs(shift + step).max()) < 1e-3


@pytest.mark.parametrize("frames", [20, 60])
def test_a_line_is_suspected_to_miss_a_curved_path_by_its_sagitta(frames):
    """Constant acceleration of 3 m/s^2 beside 2 m/s forwards: across t s a line misses it by 3 t^2 / 8 at most."""
    time = np.arange(200) / 100.0
    true = np.column_stack([2.0 * time, 1.2 * time**2, 0.9 * time**2])
    track = true.copy()
    track[80 : 81 + frames] = np.linspace(true[80], true[80 + frames], frames + 1)
    (found,) = _line("LANK", track, SimpleNamespace(rate=100.0), OPEN)
    missed = np.linalg.norm(track - true, axis=1).max()
    # Differences that lie wholly within are one frame fewer on either side.
    assert np.linalg.norm(found.error.shifts_G["LANK"]) == pytest.approx(missed, rel=2.5 / frames + 0.02)
    assert found.value == pytest.approx(10.0 * frames, abs=20.0)


@pytest.mark.parametrize("frames", [101, 401])
@pytest.mark.parametrize(("slow", "fast"), [(0.1, 0.01), (0.05, 0.001)])
def test_the_share_of_fast_motion_is_that_of_two_sines(slow, fast, frames):
    """At 2 and 7 Hz: the powers of their velocities are as (2 slow)^2 to (7 fast)^2, beside any mean velocity."""
    time = np.arange(frames) / 100.0
    sines = slow * np.sin(4.0 * np.pi * time) + fast * np.cos(14.0 * np.pi * time)
    track = np.column_stack([1.3 * time + 0.6 * sines, 0.8 * sines, 0.0 * sines])
    assert _fast_share(track, 100.0) == pytest.approx(2.0 * np.log10(7.0 * fast / (2.0 * slow)), abs=0.01)


@pytest.mark.parametrize("of_feet", [True, False])
def test_the_share_of_fast_motion_is_that_of_the_feet(clean, plug_in_gait, of_feet):
    """Markers of heels and toes, or all others, that were smoothed over 0.3 s."""
    feet = [k for k, name in enumerate(clean.raw.marker_names) if name[1:] in ("HEE", "TOE")]
    smoothed = feet if of_feet else [k for k in range(len(clean.raw.marker_names)) if k not in feet]
    markers = clean.raw.markers_G.copy()
    kernel = np.ones(31) / 31.0
    for k in smoothed:
        for axis in range(3):
            markers[:, k, axis] = np.convolve(markers[:, k, axis], kernel, mode="same")
    found = marker_motion(clean.kinematics, replace(clean.raw, markers_G=markers), plug_in_gait, load_limits())
    assert ("markers" in {finding.subject for finding in found}) == of_feet


@pytest.mark.parametrize(("frames", "known"), [(79, False), (81, True)])
def test_the_share_of_fast_motion_is_that_of_the_longest_part_of_at_least_eight_tenths_of_a_second(frames, known):
    """Which is the first of two parts, after a gap; the other one moves faster."""
    time = np.arange(200) / 100.0
    track = np.outer(np.sin(4.0 * np.pi * time) + 0.05 * np.sin(14.0 * np.pi * time), [1.0, 0.5, 0.0])
    alone = _fast_share(track[50 : 50 + frames], 100.0)
    track[:50] = track[50 + frames] = np.nan
    track[51 + frames :] *= (-1.0) ** np.arange(149 - frames)[:, None]
    assert np.isfinite(alone) == known
    assert _fast_share(track, 100.0) == pytest.approx(alone, nan_ok=True)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("width", ["knee_width", "ankle_width"])
def test_a_width_is_suspected_to_be_too_large_by_all_that_it_is_larger(clean, plug_in_gait, side, width):
    """25 mm in 100 mm."""
    values = {f"{width}_left": 0.1, f"{width}_right": 0.1} | {f"{width}_{side}": 0.125}
    walk = with_values(clean.kinematics, **values)
    (found,) = [f for f in sides_compared(walk, plug_in_gait, OPEN) if f.subject == width.replace("_", " ")]
    # Per cent of the mean, 112.5 mm, taken of the larger.
    assert (found.units, found.value) == ("%", pytest.approx((1.0 if side == "left" else -1.0) * 100.0 * 25.0 / 112.5))
    assert found.error.values == pytest.approx({f"{width}_{side}": 0.025 * 125.0 / 112.5})


@pytest.mark.parametrize(("side", "label"), [("left", "L"), ("right", "R")])
@pytest.mark.parametrize(
    ("one", "other", "end"), [("heel", "toe", "TOE"), ("ankle", "heel", "HEE"), ("ASIS", "sacrum", "ASI")]
)
def test_a_marker_is_suspected_to_stand_out_by_all_of_the_difference(clean, plug_in_gait, side, label, one, other, end):
    """Both sides made alike, then 30 mm farther from the first point."""
    points, markers = dict(clean.kinematics.points), clean.kinematics.markers_G.copy()
    names, pelvis = clean.kinematics.marker_names, one == "ASIS"
    for own, prefix, length in (("left", "L", 0.2), ("right", "R", 0.2)):
        start = points["sacrum" if pelvis else f"{own}_{one}"]
        k = names.index(prefix + end)
        line = markers[:, k] - start
        length += 0.03 * (own == side)
        markers[:, k] = start + length * line / np.linalg.norm(line, axis=1, keepdims=True)
        if not pelvis:
            points[f"{own}_{other}"] = markers[:, k]
    walk = replace(clean.kinematics, points=points, markers_G=markers)
    (found,) = [f for f in sides_compared(walk, plug_in_gait, OPEN) if f.subject == f"distance from {one} to {other}"]
    assert f"{side} side" in found.text
    assert found.value == pytest.approx(30.0 if side == "left" else -30.0)
    ((name, shift),) = found.error.shifts_G.items()
    assert name == label + end
    start = points["sacrum" if pelvis else f"{side}_{one}"]
    mended = markers[:, names.index(name)] - shift - start
    np.testing.assert_allclose(np.linalg.norm(mended, axis=1), 0.2, atol=1e-9)


def test_sizes_of_which_a_side_lacks_a_point_are_not_compared(clean, plug_in_gait):
    all_names = set(side_differences(clean.kinematics, plug_in_gait))
    assert len(all_names) == 6
    for name, words in (("left_toe", "toe"), ("right_heel", "heel"), ("sacrum", "sacrum")):
        points = {key: place for key, place in clean.kinematics.points.items() if key != name}
        left = set(side_differences(replace(clean.kinematics, points=points), plug_in_gait))
        assert left == {one for one in all_names if words not in one}
    names = tuple(name for name in clean.kinematics.marker_names if name != "LASI")
    columns = [clean.kinematics.marker_names.index(name) for name in names]
    walk = replace(clean.kinematics, marker_names=names, markers_G=clean.kinematics.markers_G[:, columns])
    assert set(side_differences(walk, plug_in_gait)) == {one for one in all_names if "ASIS" not in one}


@pytest.mark.parametrize("millimetres", [-60.0, 45.0])
def test_a_leg_length_that_is_off_is_suspected_to_be_so_by_as_much(clean, plug_in_gait, millimetres):
    """Against the markers of the static trial, from the ASIS to the ankle."""
    true = float(np.median(np.linalg.norm(clean.static.marker("LASI") - clean.static.marker("LANK"), axis=1)))
    walk = with_values(clean.kinematics, leg_length_left=true + 0.001 * millimetres)
    (found,) = [f for f in leg_lengths(walk, clean.static, plug_in_gait) if f.subject == "left leg length"]
    assert (found.grade, found.value) == ("warning", pytest.approx(millimetres))
    assert found.error.values == pytest.approx({"leg_length_left": 0.001 * millimetres})
    assert found.limit * millimetres > 0.0


@pytest.mark.parametrize("factor", [0.7, 1.4])
@pytest.mark.parametrize(
    ("joint", "name", "whole"),
    [("knee", "knee width over stature", "height"), ("ankle", "ankle width over knee width", "knee_width_left")],
)
def test_a_width_of_no_body_is_suspected_to_be_off_by_what_was_planted(clean, plug_in_gait, factor, joint, name, whole):
    """What is typical is that of the body."""
    values, width = clean.kinematics.calibration.values | {"height": 1.7}, f"{joint}_width_left"
    share = 100.0 * values[width] / values[whole]
    walk = with_values(clean.kinematics, height=1.7, **{width: factor * values[width]})
    found = body_sizes(walk, clean.static, plug_in_gait, typical(name, share))
    (found,) = [f for f in found if (f.subject, f.residual) == (f"left {joint} width", name)]
    assert found.value == pytest.approx(factor * share)
    assert found.error.values == pytest.approx({width: (factor - 1.0) * values[width]})


@pytest.mark.parametrize("metres", [-0.03, 0.05])
def test_a_distance_of_the_asis_is_suspected_to_be_off_by_what_was_planted(clean, plug_in_gait, metres):
    """What is typical is what the demo's own differs from the markers by."""

    def found(more, limits):
        walk = with_values(clean.kinematics, inter_asis=clean.kinematics.calibration.values["inter_asis"] + more)
        (one,) = [f for f in body_sizes(walk, clean.static, plug_in_gait, limits) if "ASIS" in f.subject]
        return one

    own = found(0.002, OPEN).value
    assert own == pytest.approx(2.0, abs=1.0), "mm; the demo's own is right"
    assert found(0.002 + metres, OPEN).value == pytest.approx(own + 1000.0 * metres)
    suspected = found(0.002 + metres, typical("distance of the ASIS", own)).error.values
    assert suspected == pytest.approx({"inter_asis": metres})


@pytest.mark.parametrize("metres", [-0.08, 0.06])
def test_plates_along_the_walkway_are_suspected_to_be_shifted_by_what_is_said(clean, plug_in_gait, metres):
    """The body's centre by the plates is shifted by as much, so that two plantings differ by their difference."""

    def suspected(by):
        shifted = with_ground(clean.loads, lambda w: replace(w, point_G=w.point_G + np.array([by, 0.0, 0.0])))
        (found,) = plate_position(clean.kinematics, shifted, clean.static, plug_in_gait)
        return np.array(found.error.shift_G)

    more = 0.03 * np.sign(metres)
    np.testing.assert_allclose(suspected(metres + more) - suspected(metres), [more, 0.0, 0.0], atol=1e-9)


def test_knees_that_overlap_would_touch_without_the_suspected_error(clean, plug_in_gait):
    """The wider of two knees is suspected. Its centre is half its width from the marker, and so is its inner side from
    the centre."""
    own = clean.kinematics
    marker = own.markers_G[:, own.marker_names.index(plug_in_gait.points["left_knee"].chord.marker)]
    true, inwards = own.calibration.values["knee_width_left"], own.points["left_knee"] - marker
    inwards = inwards / np.linalg.norm(inwards, axis=1, keepdims=True)

    def walk(width: float):
        points = own.points | {"left_knee": own.points["left_knee"] + 0.5 * (width - true) * inwards}
        return replace(with_values(own, knee_width_left=width), points=points)

    (found,) = knee_clearance(walk(0.3), plug_in_gait)
    assert found.value < -10.0
    assert [*found.error.values] == ["knee_width_left"]
    corrected = walk(0.3 - found.error.values["knee_width_left"])
    # The knees' axes are a few degrees from the pelvis' one, along which the overlap is.
    assert abs(clearance(corrected, plug_in_gait)) < 0.02 * abs(found.value)


@pytest.mark.parametrize("degrees", [50.0, -90.0, 180.0])
def test_where_the_standing_body_s_centre_is_does_not_depend_on_the_heading(clean, plug_in_gait, degrees):
    """Markers and plates turned together about the vertical."""
    R = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    turned = tuple(
        replace(p, wrench=Wrench(p.wrench.force_G @ R.T, p.wrench.moment_G @ R.T, p.wrench.point_G @ R.T))
        for p in clean.static.plates
    )
    about = replace(clean.static, markers_G=clean.static.markers_G @ R.T, plates=turned)
    before, after = (mass_ahead_in_standing(clean.kinematics, s, plug_in_gait) for s in (clean.static, about))
    assert np.isfinite(before)
    assert after == pytest.approx(before, abs=1e-6)
