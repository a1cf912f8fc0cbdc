"""Plates against the body's motion: what is planted in one plate is what the balance of the body finds of it."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from pipeline.math3d import Wrench, rotation_about
from pipeline.plausibility import load_limits
from pipeline.plausibility.limits import OPEN
from pipeline.plausibility.plates_by_motion import MISFITS, Balance, _judged, balances_of, misfits_of, plates_by_motion
from pipeline.trial import Stance
from tests.benchmarks.treadmill import treadmill
from tests.recordings import late, scaled, shifted, turned, with_load

DELAY, ALONG, ACROSS, TURN, SCALE, VERTICAL = range(len(MISFITS))


def pressed(wrench):
    """By 12 % of the weight of 70 kg while loaded."""
    loaded = wrench.force_G[:, 1] > 20.0
    return replace(wrench, force_G=wrench.force_G + 0.12 * 70.0 * 9.81 * loaded[:, None] * [0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("change", "misfit", "expected", "tolerance", "words"),
    [
        # In double support one plate is unloaded as the other is loaded: a part is taken for the other's being early.
        (late(20), DELAY, 20.0, 6.0, "ms late relative to"),
        (shifted([0.05, 0.0, 0.0]), ALONG, 50.0, 2.0, "mm too far forward"),
        (shifted([0.0, 0.0, -0.06]), ACROSS, -60.0, 2.0, "mm too far left"),
        # The sine of 8 degrees for the angle, and the force's fit beside the motion's own scale.
        (turned(np.radians(8.0)), TURN, 8.0, 1.5, "degrees turned to the left"),
        # Of the plate's own force, 1 - 1 / 1.4; the motion of trunk and arms is fitted along with it.
        (scaled([1.4, 1.0, 1.0]), SCALE, 28.6, 4.0, "% more fore-aft force"),
        (pressed, VERTICAL, 12.0, 2.0, "more vertical force"),
    ],
    ids=["late", "forward", "left", "turned", "scaled", "pressed"],
)
def test_what_is_planted_in_a_plate_is_found_and_named(
    clean, step, analyse, plug_in_gait, change, misfit, expected, tolerance, words
):
    assert not list(plates_by_motion(clean.kinematics, clean.loads, plug_in_gait, load_limits()))
    raw = with_load(clean.raw, step.plate, change)
    if clean.raw.analog_rate != 1000.0:
        pytest.fail("the delay is in samples")
    mass = clean.loads.mass
    walk = analyse(raw, clean.static, sex="f")
    (before,), (after,) = (balances_of(own.kinematics, own.loads, plug_in_gait) for own in (clean, walk))
    before, after = (misfits_of(balance)[misfit] for balance in (before, after))
    n = clean.kinematics.stances.index(step)
    scale = 70.0 / mass if misfit == VERTICAL else 1.0
    assert after[n] - before[n] == pytest.approx(scale * expected, abs=tolerance)
    found = list(plates_by_motion(walk.kinematics, walk.loads, plug_in_gait, load_limits()))
    assert MISFITS[misfit].name in {f.residual for f in found}
    assert step.on in {f.subject for f in found}
    text = next(f.text for f in found if (f.residual, f.subject) == (MISFITS[misfit].name, step.on))
    assert words in text
    assert ("compared with the walk's other steps" in text) == (misfit != DELAY)
    assert "only one" not in text


def test_of_two_steps_one_is_named_that_may_be_either(clean, plug_in_gait):
    """Its error is not known to be that step's, but for a delay, which needs no other step."""
    steps = [s for s in clean.kinematics.stances if not s.rejected]
    for count in (2, 3):
        walk = replace(clean.kinematics, stances=tuple(steps[:count]))
        found = list(plates_by_motion(walk, clean.loads, plug_in_gait, OPEN))
        assert {f.residual for f in found} == {misfit.name for misfit in MISFITS}
        for finding in found:
            alone = count == 2 and finding.residual != MISFITS[DELAY].name
            assert ("only one: which of the two is wrong is unknown" in finding.text) == alone
            assert finding.error.known != alone


def test_the_demo_needs_the_force_that_its_plates_have(clean, plug_in_gait):
    """Known loads; the trunk and the arms move as one mass here: 5 % of body weight, root mean square."""
    (balance,) = balances_of(clean.kinematics, clean.loads, plug_in_gait)
    assert len(balance.stances) > 1
    assert np.sqrt(np.mean(balance.excess**2, axis=0)) == pytest.approx([0.0, 0.0, 0.0], abs=0.05 * 9.81)


def test_the_centre_of_mass_is_as_high_above_a_plate_as_the_plate_is_low(clean, plug_in_gait):
    """Steps 20 cm down are 20 cm farther from it."""
    walks = clean.kinematics, with_load(clean.kinematics, 0, shifted([0.0, -0.2, 0.0]))
    ((before,), (after,)) = (balances_of(walk, clean.loads, plug_in_gait) for walk in walks)
    np.testing.assert_allclose(after.height - before.height, 0.2, atol=1e-9)
    assert 0.5 < before.height.mean() < 1.2


def of_two_steps(force, **balance):
    """A balance of 400 frames, 10 ms apart, of a step of each foot with their forces (2, 400, 3)."""
    stances = tuple(Stance(k + 1, side, 0, 400, 0.0, 4.0, 0.0, "") for k, side in enumerate(("left", "right")))
    own = {"height": np.full(400, 0.9), "lever": np.zeros((400, 3)), "needed": force.sum(axis=0)} | balance
    return Balance(stances=stances, forces=force, rates=np.gradient(force, axis=1) * 100.0, **own)


def test_the_fit_of_a_plate_that_is_wrong_in_one_way_is_exact():
    """Loads of two steps by hand: the first plate's force is turned by R, so that it and its moment about a centre at
    height h above it differ by (R - 1) F and r x (R - 1) F, r = (0, -h, 0)."""
    random = np.random.default_rng(3)
    force = random.normal(size=(2, 400, 3)) * [1.5, 1.0, 0.5] + [0.0, 6.0, 0.0]
    height = random.uniform(0.8, 1.0, 400)
    angle = np.radians(2.0)
    off = force[0] @ rotation_about(np.array([0.0, 1.0, 0.0]), angle).T - force[0]
    arm = np.stack([0.0 * height, -height, 0.0 * height], axis=1)
    values = misfits_of(of_two_steps(force, excess=off, turning=np.cross(arm, off), height=height))
    # Left: the second order of the angle times the mediolateral force, which is independent of the fore-aft one.
    assert values[TURN] == pytest.approx([2.0, 0.0], abs=0.05)


def test_what_trunk_and_arms_do_unseen_displaces_no_plate():
    """Loads of two steps by hand: the first plate is displaced by d, which adds d x F; the trunk, at the place l above
    the body's centre, accelerates by more than its one point shows, which adds l x E. The place is d, exactly."""
    random = np.random.default_rng(4)
    force = random.normal(size=(2, 400, 3)) * [1.5, 1.0, 0.5] + [0.0, 6.0, 0.0]
    unseen = random.normal(size=(400, 3))
    lever = np.array([0.02, 0.25, -0.01]) + 0.02 * random.normal(size=(400, 3))
    for misfit, displaced in ((ALONG, [0.03, 0.0, 0.0]), (ACROSS, [0.0, 0.0, 0.03])):
        turning, needed = np.cross(displaced, force[0]) + np.cross(lever, unseen), force.sum(axis=0) - unseen
        balance = of_two_steps(force, excess=unseen, needed=needed, turning=turning, lever=lever)
        # With d alone in one direction, the moment about the other horizontal axis is that of the vertical force.
        assert misfits_of(balance)[misfit] == pytest.approx([30.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("n", [0, 1])
def test_a_plate_that_is_late_scaled_or_pressed_is_found_by_as_much_and_its_neighbour_by_nothing(n):
    """Loads of two steps by hand, of which one changes: tau later, it lacks tau times its rate; of its fore-aft force
    a share s is too much, at the height h below the centre; 7 % of body weight press on it while it is loaded."""
    random = np.random.default_rng(5)
    force = random.normal(size=(2, 400, 3)) * [1.5, 1.0, 0.5] + [0.0, 6.0, 0.0]
    force[0, 250:], force[1, :150], force[:, 200:220, 1], force[:, 220:240, 1] = 0.0, 0.0, 0.7, 0.3
    height = random.uniform(0.8, 1.0, 400)
    rates = np.gradient(force, axis=1) * 100.0
    forward, upward = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    loaded = (force[n, :, 1] > 0.05 * 9.81)[:, None]
    needed = np.random.default_rng(6).normal(9.8, 1.0, (400, 3))
    # What the motion's own vertical force is off by, by a share and a constant, is fitted along with the plates'.
    unseen = (0.03 * needed[:, 1] - 0.2)[:, None] * upward
    planted = {DELAY: (-0.012 * rates[n], 12.0), SCALE: (0.2 * force[n] * forward, 20.0)}
    planted[VERTICAL] = (0.07 * 9.81 * loaded * upward, 7.0)
    for misfit, (off, value) in planted.items():
        turning = np.cross(-height[:, None] * upward, off)
        balance = of_two_steps(force, excess=off + unseen, needed=needed, turning=turning, height=height)
        expected = [value, 0.0] if n == 0 else [0.0, value]
        assert misfits_of(balance)[misfit] == pytest.approx(expected, abs=1e-6), MISFITS[misfit].name


def test_the_balance_of_bodies_of_given_motion_on_plates_that_bear_them_is_zero(clean, plug_in_gait):
    """Each segment is a point of constant acceleration, the rest of the body another one, the thorax's markers; two
    plates, 0.4 m apart and a little above the floor, have any share of the force and of its moment about the centre."""
    walk, random = clean.kinematics, np.random.default_rng(8)
    step = next(s for s in walk.stances if not s.rejected)
    frames, time = slice(step.start, step.stop), walk.time[:, None]

    def point():
        place, velocity, acceleration = random.normal(size=(3, 3))
        return place + velocity * time + 0.5 * acceleration * time**2, np.tile(acceleration, (len(time), 1))

    segments, masses = dict(walk.segments), walk.calibration.segments
    parts = []
    for name, segment in segments.items():
        place, acceleration = point()
        segments[name] = replace(segment, com_G=place, com_acceleration_G=acceleration)
        parts.append((masses[name].mass, place, acceleration))
    place, acceleration = point()
    parts.append((clean.loads.mass - sum(mass for mass, _, _ in parts), place, acceleration))
    thorax = [k for k, name in enumerate(walk.marker_names) if name in ("C7", "T10", "CLAV", "STRN", "RBAK")]
    markers = walk.markers_G.copy()
    markers[:, thorax] = place[:, None]
    hidden = walk.marker_names.index("RBAK")  # a marker that is missing in some frames does not count
    markers[:, hidden] += 1.0
    markers[:20, hidden] = np.nan
    centre = sum(mass * at for mass, at, _ in parts) / clean.loads.mass
    force = sum(mass * (own + np.array([0.0, 9.81, 0.0])) for mass, _, own in parts)
    moment = sum(mass * np.cross(at - centre, own) for mass, at, own in parts)
    numbers = [step.plate, next(p.number for p in walk.plates if p.number != step.plate)]
    first_share, first_moment = np.array([0.4, 0.3, 0.6]), random.normal(size=force.shape)
    points = np.array([[0.1, 0.02, -0.1], [0.5, 0.02, 0.1]])
    forces = first_share * force, (1.0 - first_share) * force
    lacking = moment - sum(np.cross(at - centre, own) for at, own in zip(points, forces, strict=True)) - first_moment
    inside = np.zeros((len(time), 1))
    inside[frames] = 1.0
    wrenches = [
        Wrench(inside * own, inside * about, at)
        for own, about, at in zip(forces, (first_moment, lacking), points, strict=True)
    ]
    plates = tuple(
        replace(next(p for p in walk.plates if p.number == n), wrench=w) for n, w in zip(numbers, wrenches, strict=True)
    )
    stances = tuple(replace(step, side=side, plate=n) for side, n in zip(("left", "right"), numbers, strict=True))
    known = np.where(inside > 0.0, 1.0, np.nan)
    ground = {
        side: Wrench(known * own, known * 0.0 * own, at)
        for side, own, at in zip(("left", "right"), forces, points, strict=True)
    }
    moved = replace(walk, segments=segments, markers_G=markers, plates=plates, stances=stances)
    (balance,) = balances_of(moved, replace(clean.loads, ground=ground), plug_in_gait)
    assert len(balance.height) == step.stop - step.start
    np.testing.assert_allclose(balance.excess, 0.0, atol=1e-6)
    np.testing.assert_allclose(balance.turning, 0.0, atol=1e-6)
    np.testing.assert_allclose(balance.needed, force[frames] / clean.loads.mass, atol=1e-6)
    np.testing.assert_allclose(balance.lever, (place - centre)[frames], atol=1e-9)
    np.testing.assert_allclose(balance.height, centre[frames, 1] - 0.02, atol=1e-9)
    for own, rates, loads in zip(balance.forces, balance.rates, forces, strict=True):
        np.testing.assert_allclose(own, loads[frames] / clean.loads.mass, atol=1e-9)
        np.testing.assert_allclose(rates[1:-1], np.gradient(own, axis=0)[1:-1] * walk.rate, atol=1e-9)


def test_steps_are_fitted_in_parts_with_those_next_to_them(clean, plug_in_gait, monkeypatch):
    """Four steps, two at a time with one before or after: three in each part, of which two are judged."""
    (whole,) = balances_of(clean.kinematics, clean.loads, plug_in_gait)
    assert len(whole.stances) == 4
    assert whole.judged == slice(0, 4)
    for name, value in (("BLOCK_STEPS", 2), ("OVERLAP_STEPS", 1)):
        monkeypatch.setattr(sys.modules[balances_of.__module__], name, value)
    first, last = balances_of(clean.kinematics, clean.loads, plug_in_gait)
    assert (first.stances, first.judged) == (whole.stances[:3], slice(0, 2))
    assert (last.stances, last.judged) == (whole.stances[1:], slice(1, 3))
    # Three frames beyond each contact, into which the filter spreads its load.
    starts = [min(s.start for s in part.stances) - 3 for part in (first, last)]
    ends = [max(s.stop for s in part.stances) + 3 for part in (first, last)]
    assert len(first.height) <= ends[0] - starts[0]
    at_whole = {tuple(row): k for k, row in enumerate(whole.needed)}
    for part, steps in ((first, slice(0, 3)), (last, slice(1, 4))):
        rows = [at_whole[tuple(row)] for row in part.needed]
        np.testing.assert_array_equal(part.forces, whole.forces[steps][:, rows])


@pytest.mark.parametrize(("misfit", "mirrored", "compared"), [(DELAY, 0, 0), (ALONG, 0, 1), (ACROSS, 1, 1)])
def test_a_step_is_judged_alone_or_against_the_others_or_their_mirror_images(misfit, mirrored, compared):
    sides = ("left", "right", "left", "right", "left")
    stances = [Stance(k + 1, side, 0, 9, 0.0, 0.1, 0.0, "") for k, side in enumerate(sides)]
    values = np.array([-5.0, 5.0, -5.0, 5.0, 15.0])
    found = dict(_judged(values, stances, MISFITS[misfit]))
    if not compared:
        assert found == dict(enumerate(values))
    elif mirrored:
        # Mirrored, all others are as the left ones, -5: 15 is 15 from the median of -5, 5, -5 and 5.
        assert found == pytest.approx({4: 15.0, 0: 0.0, 1: 0.0, 2: 0.0})
    else:
        # Then -5 is 10 from 5, -5 and 5, and again 10 from 5 and 5.
        assert found == pytest.approx({4: 15.0, 0: -10.0, 2: -10.0, 1: 0.0})


@pytest.mark.long
def test_steps_of_a_long_recording_are_fitted_in_parts_as_all_at_once(clean, analyse, plug_in_gait, monkeypatch):
    """A minute on a treadmill: a step's misfits hardly depend on steps that are more than ten away."""
    walk = analyse(treadmill(60.0, 100.0), clean.static, sex="f")
    assert len(walk.kinematics.cycles) > 100
    parts = balances_of(walk.kinematics, walk.loads, plug_in_gait)
    monkeypatch.setattr(sys.modules[balances_of.__module__], "BLOCK_STEPS", 10_000)
    (whole,) = balances_of(walk.kinematics, walk.loads, plug_in_gait)
    assert len(whole.stances) > 100
    assert [stance for part in parts for stance in part.stances[part.judged]] == [*whole.stances]
    assert max(len(part.stances) for part in parts) <= 60
    for number, expected in enumerate(misfits_of(whole)):
        found = np.concatenate([misfits_of(part)[number][part.judged] for part in parts])
        # ms, mm, mm, degrees and percent; the limits of warnings are 8 ms and more, 28 mm, 4 degrees, 6 %.
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=0.3)
