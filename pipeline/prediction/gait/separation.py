"""Distances between segment axes: legs that do not pass through one another, and hands clear of the trunk.

Each segment is a line between two body points. The distance of two segments is that of their closest points; the
parameters of these points do not contribute to its derivative (Danskin 1966: the derivative of a minimum is that at the
minimiser).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from pipeline.conventions import SIDES
from pipeline.optimisation import NodeConstraint, NodeValues
from pipeline.prediction.gait.constraints import Setting
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.separation_kernels import segment_distances_kernel

LEG = {
    "thigh": ("hip", "knee"),
    "shank": ("knee", "ankle"),
    "instep": ("ankle", "toe_joint"),
    "sole": ("heel", "toe"),
}
"""Axes of a leg, by the body points at their ends."""

HAND, FLANK = ("wrist", "knuckles"), ("hip", "chest")
"""Axes of a hand, and of each half of the trunk, from hip to shoulder height."""

LEG_CLEARANCE, LEG_CLEARANCE_SHARE = 0.07, 0.12
"""m; smallest distance between axes of the legs, where people walk with 6 to 14 cm (four measured walks); for small
bodies at most a share of leg length, about the usual step width."""

HAND_CLEARANCE_SHARE = 0.145
"""Over leg length, 0.13 m for a leg of 0.9 m: half the depth of the abdomen and half the thickness of a hand (Gordon et
al. 1989)."""

SIDE_BY_SIDE = np.sqrt(0.5)
"""Lateral share of the line between closest points above which segments are side by side: 45 degrees; with one, no
distance is negative."""


@dataclass(frozen=True)
class SegmentPairs:
    """Pairs of segments whose distances are computed.

    Attributes:
        names: (P,) of the pairs.
        ends: (P, 4) body points: both ends of the first segment, then both of the second.
        ordered: whether the first segment must be on the left of the second where they are side by side.
    """

    names: tuple[str, ...]
    ends: np.ndarray
    ordered: bool = False

    def distances(self, motion: WalkingMotion) -> NodeValues:
        """(K, P) distance of each pair's closest points, m, with its derivatives by the coordinates.

        Distances of ordered segments are negative if they are side by side in the wrong order, so that a search is led
        back. Side by side means that the line between their closest points is within 45 degrees of lateral.
        """
        positions, jacobians = motion.positions
        index = {name: i for i, name in enumerate(motion.walker.points)}
        ends = np.array([[index[name] for name in pair] for pair in self.ends])
        distance = np.empty((len(positions), len(ends)))
        dq = np.zeros((*distance.shape, jacobians.shape[3]))
        side_by_side = SIDE_BY_SIDE if self.ordered else 1.0
        segment_distances_kernel(ends, positions, jacobians, side_by_side, distance, dq)
        return NodeValues(distance, dq if len(jacobians) else None)

    def smallest(self, motion: WalkingMotion) -> float:
        """Smallest distance of any pair at any node, m."""
        return float(self.distances(motion).value.min())


def _legs(*left_and_right: tuple[str, str]) -> SegmentPairs:
    names = tuple(f"left {one}, right {other}" for one, other in left_and_right)
    ends = [
        [*(f"left_{end}" for end in LEG[one]), *(f"right_{end}" for end in LEG[other])] for one, other in left_and_right
    ]
    return SegmentPairs(names, np.array(ends), ordered=True)


LEGS = _legs(*product(LEG, LEG))
"""Every axis of the left leg with every axis of the right."""

HANDS = SegmentPairs(
    tuple(f"{hand} hand, {flank} flank" for hand, flank in product(SIDES, SIDES)),
    np.array(
        [
            [*(f"{hand}_{end}" for end in HAND), *(f"{flank}_{end}" for end in FLANK)]
            for hand, flank in product(SIDES, SIDES)
        ]
    ),
)


def leg_clearance(leg_length: float) -> float:
    """Smallest distance of the legs' axes, m, for a leg length in m."""
    return min(LEG_CLEARANCE, LEG_CLEARANCE_SHARE * leg_length)


def legs_apart(at: Setting) -> list[NodeConstraint]:
    """Leg axes apart while a foot swings; the positions of feet on the ground are set by the task."""
    swings = at.inside & np.any([at.schedule.share[side] <= 0.0 for side in SIDES], axis=0)
    low = leg_clearance(at.walker.leg_length)
    return [NodeConstraint("legs apart", LEGS.distances, low, np.inf, 1e-4, "m", swings, LEGS.names, scale=10.0)]


def hands_clear_of_trunk(at: Setting) -> list[NodeConstraint]:
    """Hands outside the trunk: hand axes apart from those of the trunk's halves."""
    low = HAND_CLEARANCE_SHARE * at.walker.leg_length
    name = "hands clear of trunk"
    return [NodeConstraint(name, HANDS.distances, low, np.inf, 1e-4, "m", at.inside, HANDS.names, scale=10.0)]


CONSTRAINTS = {
    legs_apart: "while a foot swings, axes of thighs, shanks and feet of the two legs at least 7 cm apart (12 % of the "
    "leg length if that is less), since people walk with 6 to 14 (four measured walks)",
    hands_clear_of_trunk: "axes of the hands at least half the depth of the abdomen and half the thickness of a hand "
    "from those of the trunk (Gordon et al. 1989)",
}
"""Bound of each constraint, and its justification."""
