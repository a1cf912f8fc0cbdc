"""The split of a known total load: what adds up to it, what is recovered, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.ground_from_motion import load_learned
from pipeline.ground_from_motion.contacts import Contact, FootFrame, StepOnGround, contacts_of, foot_frame
from pipeline.ground_from_motion.split import (
    FootOnGround,
    Sharing,
    _mean_between_ends,
    _share_of_right,
    split_between_feet,
    zero_moment_point,
)
from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import Event

FLOOR = 0.04
PIVOT_G = np.array([0.3, 1.15, -0.05])
TIME = np.linspace(0.0, 1.0, 101)
SHARE = np.clip((TIME - 0.4) / 0.2, 0.0, 1.0)
"""Of the right foot: it lands at 0.4 s and the left one leaves at 0.6 s."""
OFFSET = np.array([0.013, 0.0, -0.008])


@pytest.fixture
def loads() -> dict[str, Wrench]:
    """Loads of both feet whose forces point to one pivot, on centres of pressure that travel obliquely."""
    vertical = 700.0 + 90.0 * np.cos(4.0 * np.pi * TIME)
    found = {}
    for side, share, heel in (("left", 1.0 - SHARE, [0.0, FLOOR, -0.1]), ("right", SHARE, [0.6, FLOOR, 0.12])):
        cop = np.array(heel) + np.outer(TIME, [0.2, 0.0, 0.03])
        toward = (PIVOT_G - cop) / (PIVOT_G[1] - FLOOR)
        force = (share * vertical)[:, None] * toward
        found[side] = Wrench(force, np.outer(share * vertical, [0.0, 0.004, 0.0]), cop)
    return found


def total_of(loads: dict[str, Wrench]) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment (T, 3) about G's origin."""
    about = [wrench.about(np.zeros(3)) for wrench in loads.values()]
    return sum(w.force_G for w in about), sum(w.moment_G for w in about)


def feet_of(loads: dict[str, Wrench]) -> dict[str, FootOnGround]:
    on = {"left": TIME <= 0.6, "right": TIME >= 0.4}
    times = {"left": (-0.1, 0.6), "right": (0.4, 1.1)}
    return {
        side: FootOnGround(
            on[side],
            *(np.where(on[side], at, np.nan) for at in times[side]),
            np.where(on[side][:, None], loads[side].point_G, np.nan),
            on[side] & ~on["right" if side == "left" else "left"],
        )
        for side in loads
    }


HEIGHT = 0.9
"""m above the floor, at which the correction acts."""


def split(loads, force, moment, share_gain=1.0, balance=(0.0, 0.0, 0.0)):
    sharing = Sharing(np.full(3, PIVOT_G[1] - FLOOR), share_gain, 0.0, np.array(balance), HEIGHT)
    still = np.zeros((len(TIME), 3, 3))
    return split_between_feet(force, moment, feet_of(loads), TIME, FLOOR, still, sharing)


def test_forces_to_one_pivot_on_known_paths_are_recovered_with_their_free_moments(loads):
    force, moment = total_of(loads)
    found = split(loads, force, moment)
    for side, truth in loads.items():
        np.testing.assert_allclose(found.ground[side].force_G, truth.force_G, atol=1e-9)  # N, of 790
        np.testing.assert_allclose(found.ground[side].moment_G, truth.moment_G, atol=1e-9)
    np.testing.assert_allclose(found.unbalanced_moment_G, 0.0, atol=1e-9)


def test_a_constant_error_of_the_zero_moment_point_is_found_in_single_support(loads):
    force, moment = total_of(loads)
    wrong = moment - np.cross(OFFSET, force) * [1.0, 0.0, 1.0]
    found = split(loads, force, wrong)
    np.testing.assert_allclose(found.zmp_offset_G, OFFSET, atol=1e-9)
    for side, truth in loads.items():
        np.testing.assert_allclose(found.ground[side].force_G, truth.force_G, atol=1e-6)


def test_a_wrong_acceleration_of_the_centre_of_mass_is_seen_in_single_support_and_taken_back(loads):
    """A force at the centre's height that the ground does not give moves the zero-moment point off the foot."""
    force, moment = total_of(loads)
    single = (TIME < 0.4) | (TIME > 0.6)
    wrong_G = np.where(single, np.sin(5.0 * np.pi * TIME), 0.0)[:, None] * [25.0, 0.0, -14.0]  # a whole wave each
    own = zip(loads.values(), (TIME < 0.4, TIME > 0.6), strict=True)
    centre = sum(np.nan_to_num(w.point_G) * on[:, None] for w, on in own) + HEIGHT * np.array([0.0, 1.0, 0.0])
    moment = moment + np.cross(centre, wrong_G)
    found, kept = (split(loads, force + wrong_G, moment, balance=gain) for gain in ((1.0, 0.0, 1.0), (0.0, 0.0, 0.0)))
    errors = [
        max(np.abs(given.ground[side].force_G - truth.force_G)[single].max() for side, truth in loads.items())
        for given in (found, kept)
    ]
    # The offset is a median, which the wrong force moves by a millimetre or two: 1 N of the 25 stays.
    assert errors[0] < 1.5 < 20.0 < errors[1]
    np.testing.assert_allclose(found.correction_G[single], -wrong_G[single], atol=1.5)


@pytest.mark.parametrize("share_gain", [0.0, 0.8, 1.0])
def test_whatever_the_paths_the_forces_add_up_and_the_moment_is_accounted_for(loads, rng, share_gain):
    force, moment = total_of(loads)
    force, moment = force + rng.normal(0.0, 20.0, force.shape), moment + rng.normal(0.0, 20.0, moment.shape)
    moved = {side: replace(w, point_G=w.point_G + rng.normal(0.0, 0.02, 3) * [1, 0, 1]) for side, w in loads.items()}
    found = split(moved, force, moment, share_gain, (0.7, 0.0, 0.6))
    assert np.abs(found.correction_G).max() > 1.0
    np.testing.assert_array_equal(found.correction_G[:, 1], 0.0)
    about = total_of({side: _finite(w) for side, w in found.ground.items()})
    np.testing.assert_allclose(about[0], force + found.correction_G, atol=1e-9)
    given = moment + np.cross([0.0, FLOOR + HEIGHT, 0.0], found.correction_G)
    levels = [0, 2]  # the moment about the vertical is that of the free moments
    np.testing.assert_allclose((about[1] + found.unbalanced_moment_G)[:, levels], given[:, levels], atol=1e-9)
    assert np.abs(found.unbalanced_moment_G).max() > 1.0  # else the sum above shows nothing
    assert min(w.force_G[:, 1].min() for w in found.ground.values()) >= 0.0


def test_zero_moment_point_by_hand():
    # 100 N up at x = 0.2, z = 0.3, and 10 N forward at the floor, 0.5 m high: M = r x F.
    point, force = np.array([[0.2, 0.5, 0.3]]), np.array([[10.0, 100.0, 0.0]])
    moment = np.cross(point, force)
    np.testing.assert_allclose(zero_moment_point(force, moment, 0.5), point, atol=1e-12)


def events(*times: tuple[str, float, str]) -> list[Event]:
    return [Event(time, side, kind, "markers") for side, time, kind in times]


IC, FO = "initial contact", "foot off"


def test_contacts_cut_by_the_recording_last_as_long_as_the_others():
    found = contacts_of(events(("left", 0.2, FO), ("right", 0.1, IC), ("right", 0.8, FO), ("left", 0.6, IC)))
    assert [(c.side, round(c.start, 9), round(c.stop, 9), c.whole) for c in found] == [
        ("left", -0.5, 0.2, False),
        ("right", 0.1, 0.8, True),
        ("left", 0.6, 1.3, False),
    ]


def test_a_missed_foot_off_does_not_join_two_contacts():
    found = contacts_of(events(("left", 0.0, IC), ("left", 1.1, IC), ("left", 1.8, FO)))
    assert [(c.start, round(c.stop, 9), c.whole) for c in found] == [(0.0, 0.7, False), (1.1, 1.8, True)]


def test_without_a_whole_contact_nothing_is_estimated():
    with pytest.raises(DynamicsError, match="trial w: no foot is seen from its initial contact"):
        contacts_of(events(("left", 0.0, IC), ("right", 0.3, FO)), "trial w")


@pytest.mark.parametrize(("side", "lateral"), [("left", -1.0), ("right", 1.0)])
def test_the_foots_frame_of_a_general_heading(side, lateral):
    heading = np.array([np.cos(0.7), 0.0, np.sin(0.7)])
    heel = np.tile([1.0, 0.06, 2.0], (101, 1))
    heel[60:, 1] += 0.03
    toe = np.tile(heel[0] + 0.2 * heading - [0.0, 0.04, 0.0], (101, 1))
    toe[60:, 1] += 0.01
    frame = foot_frame(Contact(side, 0.0, 1.0, True), heel, toe, TIME)
    assert frame is not None
    assert frame.length == pytest.approx(0.2)
    np.testing.assert_allclose(frame.lateral_G, lateral * np.array([-heading[2], 0.0, heading[0]]), atol=1e-12)
    np.testing.assert_allclose(frame.pitch[[30, 80]], [0.0, 0.1], atol=1e-12)  # 30 - 10 mm over 200 mm
    along, across = np.array([0.1, 0.9]), np.array([0.05, -0.1])
    np.testing.assert_allclose(
        frame.on_foot(frame.to_ground(along, across, 0.0, TIME[:2]), TIME[:2]), np.stack([along, across], axis=1)
    )


def test_the_path_ships_from_heel_to_toe_with_bands_and_source():
    learned = load_learned()
    assert "python -m tests.benchmarks.ground_from_motion" in learned.source
    assert learned.path[0, 0] < 0.25 < 1.0 < learned.path[-1, 0]
    assert (np.diff(learned.path[:, 0]) > 0.0).all()
    assert min(learned.force_sd.min(), learned.moment_sd.min()) > 0.0


@pytest.mark.parametrize("seen", [True, False])
def test_the_path_departs_from_the_mean_with_pitch_place_of_the_centre_and_length(seen):
    """A foot of 0.25 m of a body of 1.6 m, raised by 0.3 at two thirds of the contact, under a centre of mass that is
    0.4 foot lengths ahead of the heel at a quarter of it; a centre that is not seen changes nothing."""
    learned = replace(
        load_learned(),
        phases=np.array([0.0, 1.0]),
        path=np.array([[0.1, 0.02], [0.9, -0.03]]),
        pitch_phases=np.array([2.0 / 3.0]),
        centre_phases=np.array([0.25]),
        input_mean=np.array([0.1, 0.6, 0.15]),
        input_gain=np.array([[0.5, 0.0], [0.25, -0.5], [2.0, 4.0]]),
    )
    contact, along = Contact("right", 0.2, 0.8, whole=True), np.array([0.6, 0.0, 0.8])
    phase = contact.phase(TIME)
    heel = np.array([1.0, 0.03, -2.0])
    frame = FootFrame(heel, along, np.array([-0.8, 0.0, 0.6]), 0.25, np.where(phase > 0.5, 0.3, 0.0))
    centre = heel + 0.25 * ((0.4 + 2.0 * (phase - 0.25))[:, None] * along + np.array([-0.8, 3.0, 0.6]))
    centre = centre if seen else np.full_like(centre, np.nan)
    path = learned.path_of(StepOnGround(contact, frame, TIME, centre, 1.6))
    pitch, place, length = 0.3 - 0.1, (0.4 - 0.6) * seen, 0.25 / 1.6 - 0.15
    expected = [0.1 + 0.5 * pitch + 0.25 * place + 2.0 * length, 0.9 - 0.5 * place + 4.0 * length]
    np.testing.assert_allclose(path, np.stack([expected, [0.02, -0.03]], axis=1), atol=1e-12)


def test_a_file_without_a_number_is_refused(tmp_path):
    (tmp_path / "split.json").write_text('{"source": ""}')
    with pytest.raises(DynamicsError, match=r"split.json: cannot be read: KeyError 'phases'"):
        load_learned(tmp_path / "split.json")


def _finite(wrench: Wrench) -> Wrench:
    return replace(wrench, point_G=np.nan_to_num(wrench.point_G))


def test_by_time_alone_the_offset_is_a_mean_that_noise_of_positions_hardly_moves(loads):
    """Noise of 10 mm at 3.7 Hz has accelerations of half of gravity, 0.5 m of zero-moment point; a part in some fifty
    of that is left, since its mean between the ends of a run is that of the positions."""
    force, moment = total_of(loads)
    quiet = split(loads, force, moment, share_gain=0.0, balance=(1.0, 0.0, 1.0)).zmp_offset_G
    mass, by = 70.0, 0.010 * (2.0 * np.pi * 3.7) ** 2
    wrong_G = mass * by * np.sin(2.0 * np.pi * 3.7 * TIME + 0.4)[:, None] * [1.0, 0.0, -0.5]
    shaken = moment + np.cross([0.0, FLOOR + HEIGHT, 0.0], wrong_G)
    found = split(loads, force + wrong_G, shaken, share_gain=0.0, balance=(1.0, 0.0, 1.0))
    assert np.abs(found.zmp_offset_G - quiet).max() < 0.010
    assert np.abs(wrong_G / force[:, 1:2]).max() * HEIGHT > 0.45


@pytest.mark.parametrize("share_gain", [0.0, 0.7])
@pytest.mark.parametrize(
    ("turn", "moved", "mirrored", "longer", "heavier", "slower"),
    [
        (0.5 * np.pi, (0.4, 0.3, -1.7), False, 1.0, 1.0, 1.0),
        (0.0, (0.0, 0.0, 0.0), True, 1.0, 1.0, 1.0),
        (-0.5 * np.pi, (1.0, -0.2, 0.5), True, 1.3, 0.6, 1.7),
    ],
)
def test_the_split_is_the_same_wherever_the_body_walks_however_large_it_is(
    loads, rng, share_gain, turn, moved, mirrored, longer, heavier, slower
):
    """In a laboratory that is turned by a right angle and moved, in the mirror with the sides exchanged, for a body of
    other lengths and weight and in another time that begins at another instant."""
    force, moment = total_of(loads)
    force, moment = force + rng.normal(0.0, 9.0, force.shape), moment + rng.normal(0.0, 9.0, moment.shape)
    gain = rng.uniform(0.1, 0.9, (len(TIME), 3, 3)) * np.outer([1.0, 0.0, 1.0], [1.0, 0.0, 1.0])

    def shared(k: float, widening: float) -> Sharing:
        return Sharing(np.full(3, 1.1 * k), share_gain, widening, np.full(3, 0.6), HEIGHT * k)

    def later(t: np.ndarray) -> np.ndarray:
        return slower * t + (slower - 1.0)

    S = np.diag([1.0, 1.0, -1.0 if mirrored else 1.0])
    R = longer * rotation_about(np.array([0.0, 1.0, 0.0]), turn) @ S
    axial, t = np.linalg.det(S) / longer * R, np.array(moved)
    feet = feet_of(loads)
    own = split_between_feet(force, moment, feet, TIME, FLOOR, gain, shared(1.0, 0.02))
    swapped = {"left": "right", "right": "left"} if mirrored else {"left": "left", "right": "right"}
    other_feet = {
        swapped[side]: replace(foot, start=later(foot.start), stop=later(foot.stop), path_G=foot.path_G @ R.T + t)
        for side, foot in feet.items()
    }
    to_force = heavier / longer * R
    seen = force @ to_force.T
    about = heavier * longer * moment @ axial.T + np.cross(t, seen)
    floor, sharing = longer * FLOOR + moved[1], shared(longer, 0.02 * slower)
    gains = R @ gain @ R.T / longer**2
    found = split_between_feet(seen, about, other_feet, later(TIME), floor, gains, sharing)
    np.testing.assert_allclose(found.zmp_offset_G, R @ own.zmp_offset_G, atol=1e-9)
    np.testing.assert_allclose(found.correction_G, own.correction_G @ to_force.T, atol=1e-6)
    for side, load in own.ground.items():
        image = found.ground[swapped[side]]
        np.testing.assert_allclose(image.force_G, load.force_G @ to_force.T, atol=1e-6)
        np.testing.assert_allclose(image.moment_G, heavier * longer * load.moment_G @ axial.T, atol=1e-6)
        np.testing.assert_allclose(image.point_G, load.point_G @ R.T + t, atol=1e-9)


def test_the_centre_of_pressure_follows_the_zero_moment_point_less_and_less_beyond_single_support(loads):
    """A zero-moment point 10 mm ahead of the left foot's path, of which half is followed until 0.4 s, where the right
    foot lands, and nothing at 0.6 s, where the left one leaves."""
    force, moment = total_of(loads)
    path = {side: replace(w, point_G=w.point_G - [0.01, 0.0, 0.0]) for side, w in loads.items()}
    ahead = np.where(TIME < 0.5, 1.0, 0.0)[:, None] * [0.01, 0.0, 0.0]
    paths = {side: replace(w, point_G=w.point_G - (ahead if side == "left" else 0.0)) for side, w in loads.items()}
    half = np.tile(np.diag([0.5, 0.0, 0.5]), (len(TIME), 1, 1))
    sharing = Sharing(np.full(3, PIVOT_G[1] - FLOOR), 1.0, 0.0, np.zeros(3), HEIGHT)
    found = split_between_feet(force, moment, feet_of(path), TIME, FLOOR, half, sharing)
    np.testing.assert_allclose(found.zmp_offset_G, [-0.01, 0.0, 0.0], atol=1e-9)
    found = split_between_feet(force, moment, feet_of(paths), TIME, FLOOR, half, sharing)
    offset = found.zmp_offset_G[0]
    drawn = (found.ground["left"].point_G - feet_of(paths)["left"].path_G)[:, 0]
    at = [np.argmin(np.abs(TIME - time)) for time in (0.2, 0.3, 0.45, 0.5, 0.55)]
    fading = (0.6 - TIME[at]) / (0.6 - 0.39)
    np.testing.assert_allclose(drawn[at], 0.5 * (0.01 + offset) * np.minimum(fading, 1.0), atol=1e-9)


def test_the_share_of_the_feet_is_that_of_the_zero_moment_point_of_the_corrected_load(loads, rng):
    """Where both feet are on the ground and the correction, stronger forward than sideways, moves the point along."""
    force, moment = total_of(loads)
    moment = moment + rng.normal(0.0, 20.0, moment.shape)
    found = split(loads, force, moment, balance=(0.9, 0.0, 0.2))
    corrected = force + found.correction_G
    about = moment + np.cross([0.0, FLOOR + HEIGHT, 0.0], found.correction_G)
    zmp = zero_moment_point(corrected, about, FLOOR) + found.zmp_offset_G
    both = (TIME >= 0.4) & (TIME <= 0.6)
    left, right = (found.ground[side].point_G[both] for side in ("left", "right"))
    way = right - left
    between = np.sum((zmp[both] - left) * way, axis=1) / np.sum(way**2, axis=1)
    share = found.ground["right"].force_G[both, 1] / corrected[both, 1]
    np.testing.assert_allclose(share, np.clip(between, 0.0, 1.0), atol=1e-9)


@pytest.mark.parametrize(
    ("gain", "quarter", "half"), [(0.0, 1.0 - np.exp(-0.125), 1.0 - np.exp(-1.0)), (0.4, 0.15625, 0.5)]
)
@pytest.mark.parametrize("leading", ["right", "left"])
def test_the_share_of_the_leading_foot_grows_over_double_support_widened_at_both_ends(gain, quarter, half, leading):
    """From 0.4 to 0.6 s, widened by 0.1 s: a quarter has passed at 0.4 s and a half at 0.5 s. By time alone with Ren's
    function, else with a smooth step, beside the zero-moment point at 70 % of the way from the left foot to the right.
    """
    trailing = "left" if leading == "right" else "right"
    times = {trailing: (-0.1, 0.6), leading: (0.4, 1.1)}
    on = {trailing: TIME <= 0.6, leading: TIME >= 0.4}
    cop = {
        side: np.tile(place, (len(TIME), 1)) for side, place in (("left", [0.1, 0.0, -0.1]), ("right", [0.6, 0.0, 0.1]))
    }
    zmp = 0.3 * cop["left"] + 0.7 * cop["right"]
    feet = {
        side: FootOnGround(on[side], *(np.where(on[side], at, np.nan) for at in times[side]), cop[side], on[side])
        for side in times
    }
    share = _share_of_right(feet, cop, zmp, TIME, gain, 0.1)
    for frame, grown in ((40, quarter), (50, half)):
        by_time = grown if leading == "right" else 1.0 - grown
        assert share[frame] == pytest.approx(gain * 0.7 + (1.0 - gain) * by_time)
    assert (share[0], share[-1]) == ((0.0, 1.0) if leading == "right" else (1.0, 0.0))


def test_the_mean_between_the_ends_of_runs_gives_each_the_weight_of_its_raised_cosine():
    """Cosines over 3 and 7 frames add up to 2 and 4: a run of ones and one of twos have (2 + 8) / 6."""
    runs = np.concatenate([[np.nan], np.ones(3), [np.nan], np.full(7, 2.0), [np.nan]])
    np.testing.assert_allclose(
        _mean_between_ends(np.outer(runs, [1.0, 2.0, -3.0])), np.array([1.0, 2.0, -3.0]) * 10 / 6
    )
    assert not _mean_between_ends(np.full((4, 3), np.nan)).any()
