"""How the feet of three published walks bear and leave the ground in double support, which chose the contact schedule.

The walks lie beside the repository and are no part of it.
"""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.conventions import Y
from pipeline.prediction.gait.schedule import BALL_OFF, LEADING_CENTRE
from pipeline.prediction.gait.walker import BALL_MEDIAL, FOREFOOT_SHARE, HEEL, make_walker
from pipeline.sides import other_side
from pipeline.skeleton import load_skeleton, merge_frozen
from tests.benchmarks.reference_walks import compute, recordings, reference_walks
from tests.walks import MEASURED, PUBLISHED, SKELETON

pytestmark = pytest.mark.long

TOE_JOINT_HEIGHT = 0.02
"""m above the ground, of a foot that stands."""

SHARES = np.array([0.1, 0.4, 0.6, 1.0])
"""Of double support."""


@pytest.fixture(scope="module")
def motions():
    if not MEASURED.is_dir():
        pytest.skip(f"no measured walks: {MEASURED} is absent")
    return [compute(walk, recordings(walk)).motion for walk in reference_walks() if walk.name in PUBLISHED]


def times(motion, side, kind, after, within) -> list[float]:
    """Of a side's events of a kind, s, within a time after another."""
    return [
        event.time
        for event in motion.events
        if event.side == side and event.kind == kind and after < event.time < after + within
    ]


def markers(motion, side) -> tuple[np.ndarray, np.ndarray]:
    """Heel and toe marker (T, 3) of a foot, m."""
    return tuple(motion.markers_G[:, motion.marker_names.index(f"{side[0].upper()}{name}")] for name in ("HEE", "TOE"))


def standing(motion, start, stop) -> np.ndarray:
    """(T,) frames in the middle of a foot's single support."""
    return (motion.time > start + 0.35 * (stop - start)) & (motion.time < start + 0.55 * (stop - start))


def test_the_toe_joint_rises_by_two_millimetres_until_the_ball_leaves_the_ground(motions) -> None:
    means = []
    for motion in motions:
        own = []
        for event in motion.events:
            if event.kind != "initial contact":
                continue
            side, contact = other_side(event.side), event.time
            before = times(motion, side, "initial contact", contact - 0.9, 0.7)
            off = times(motion, side, "foot off", contact, 0.35)
            if not before or not off:
                continue
            stands = standing(motion, before[-1], contact)
            heel, toe = markers(motion, side)
            along = toe - heel
            pitch = np.arctan2(along[:, Y], np.hypot(along[:, 0], along[:, 2]))
            lever = np.median(toe[stands, Y]) - TOE_JOINT_HEIGHT
            joint = toe[:, Y] - lever * np.cos(pitch - np.median(pitch[stands]))
            at = contact + BALL_OFF * (off[0] - contact)
            own.append(np.interp(at, motion.time, joint) - np.median(joint[stands]))
        means.append(np.mean(own))
    assert len(means) == 3
    assert 0.001 < np.mean(means) < 0.003


def test_the_load_of_the_leading_foot_moves_forwards_from_the_heel_at_once(motions) -> None:
    walker = make_walker(merge_frozen(load_skeleton(SKELETON)))
    foot_length = walker.contacts[BALL_MEDIAL][0] / FOREFOOT_SHARE
    heel, forefoot = walker.contacts[HEEL][0] / foot_length, walker.sole["forefoot"][:, 0].mean() / foot_length
    found = []
    for motion in motions:
        own = []
        for stance in motion.stances:
            if not stance.side or stance.rejected:
                continue
            off = times(motion, other_side(stance.side), "foot off", stance.onset - 0.02, 0.4)
            contact = times(motion, other_side(stance.side), "initial contact", stance.onset + 0.2, 1.0)
            if not off or not contact:
                continue
            stands = standing(motion, stance.onset, contact[0])
            behind, toe = (np.median(marker[stands], axis=0) for marker in markers(motion, stance.side))
            ankle = np.median(motion.joints[f"{stance.side}_ankle"].centre_G[stands], axis=0)
            ahead = (toe - behind) * [1.0, 0.0, 1.0] / np.hypot(*(toe - behind)[[0, 2]])
            length = (toe - ankle) @ ahead / FOREFOOT_SHARE
            (plate,) = (plate for plate in motion.plates if plate.number == stance.plate)
            place = (plate.cop_G - ankle) @ ahead / length
            own.append(np.interp(stance.onset + SHARES * (off[0] - stance.onset), motion.time, place))
        found.append(np.mean(own, axis=0))
    planned = LEADING_CENTRE[0] + np.ptp(LEADING_CENTRE) * SHARES
    np.testing.assert_allclose(planned, (np.mean(found, axis=0) - heel) / (forefoot - heel), atol=0.02)
