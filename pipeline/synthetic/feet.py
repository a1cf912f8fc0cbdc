"""Motion of the feet of a synthetic walk: rolling over heel and toe joint on the floor, then swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import LATERAL_SIGN
from pipeline.math3d import rotation_about
from pipeline.skeleton import Skeleton
from pipeline.synthetic.curves import Curve, smooth, through_points

_EX, _EY, _EZ = np.eye(3)

_ROUNDING: Curve = {0: 0.004, 62: 0.004, 74: 0.05, 90: 0.05}
"""m, rounding of the transition of support from heel to toe joint: sharp on the floor, smooth in swing."""


@dataclass(frozen=True)
class Steps:
    """Parameters of one foot's motion. Phases are percent of its own cycle from initial contact; angles in degrees,
    lengths in m.

    Attributes:
        pitch: of the sole, toes up positive.
        lift: clearance of the lowest point of the sole.
        toes: extension of the toes.
        toe_out: of the sole, while flat.
        ahead: distance of the ankle centre ahead of the mean path of the pelvis at mid-stance.
        lateral: distance of the ankle centre from the line of progression.
        swing_from: phase at which the foot begins to advance, shortly before foot off.
    """

    pitch: Curve
    lift: Curve
    toes: Curve
    toe_out: float = 7.0
    ahead: float = -0.097
    lateral: float = 0.05
    swing_from: float = 59.0

    def standing(self, side: str, stride: float, stance: float) -> tuple[np.ndarray, np.ndarray]:
        """Heading (3,) of the flat foot, and the point (3,) on the floor below its ankle, for initial contact at t = 0.

        The foot stays in place while the pelvis, which is at G's origin at t = 0 on its mean path, passes over it until
        mid-stance.
        """
        s = LATERAL_SIGN[side]
        heading = rotation_about(_EY, -s * np.radians(self.toe_out)) @ _EX
        return heading, (self.ahead + stride * stance / 200.0) * _EX + s * self.lateral * _EZ

    def path(
        self, side: str, sole: Sole, own_phase: np.ndarray, stride: float, stance: float, smoothing: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Foot over one cycle: orientation R_GF (n, 3, 3), ankle centre without drift (n, 3) m, toe extension (n,) rad.

        Args:
            side: "left" or "right".
            sole: of that foot.
            own_phase: (n,) equidistant phases of a whole cycle.
            stride: m.
            stance: percent of the cycle.
            smoothing: of the drawn curves, percent of the cycle.
        """
        heading, start = self.standing(side, stride, stance)
        pitch = np.radians(through_points(self.pitch, own_phase, smoothing))
        rounding = through_points(_ROUNDING, own_phase, smoothing)
        own = np.mod(own_phase, 100.0)
        swing = np.clip((own - self.swing_from) / (102.0 - self.swing_from), 0.0, 1.0)
        advance = swing**2 * (3 - 2 * swing)
        lag = smooth(advance / advance.max() - own / 100.0, smoothing)  # progression without its drift
        ankle = start + stride * lag[:, None] * _EX + sole.rolled(pitch, rounding)[:, None] * heading
        ankle[:, 1] = through_points(self.lift, own_phase, smoothing) + sole.support(pitch, rounding)[0]
        yaw = rotation_about(_EY, -LATERAL_SIGN[side] * np.radians(self.toe_out))
        return yaw @ rotation_about(_EZ, pitch), ankle, np.radians(through_points(self.toes, own_phase, smoothing))


@dataclass(frozen=True)
class Sole:
    """Geometry of a sole in its sagittal plane, from the ankle centre, m: an edge at the heel, and the toe joint.

    Attributes:
        heel: fore-aft position of the heel's edge, on the sole.
        ball, drop: position of the toe joint, forward and down; the toes below it stay flat while the foot turns about
            it.
        height: of the ankle centre above the flat sole.
    """

    heel: float
    ball: float
    drop: float
    height: float

    @classmethod
    def of(cls, skeleton: Skeleton, side: str, heel: float, height: float) -> Sole:
        """The sole of a skeleton's foot; the toe joint is taken from the skeleton."""
        foot = skeleton.segment(f"{side}_foot")
        toe = np.linalg.inv(foot.pose)[:3, 3]  # the link's own origin is the toe joint
        return cls(heel, float(toe[0]), float(-toe[1]), height)

    def support(self, pitch: np.ndarray, rounding: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Height (...) of the ankle above the floor when the pitched foot touches it, and the toe joint's share."""
        radius = self.height - self.drop
        at_heel = self.height * np.cos(pitch) - self.heel * np.sin(pitch)
        at_ball = radius + self.drop * np.cos(pitch) - self.ball * np.sin(pitch)
        apart = at_ball - at_heel
        smooth_difference = np.hypot(apart, rounding)
        return 0.5 * (at_heel + at_ball + smooth_difference - rounding), 0.5 * (1.0 + apart / smooth_difference)

    def rolled(self, pitch: np.ndarray, rounding: np.ndarray) -> np.ndarray:
        """Advance (n,) of the ankle centre, m, when the foot turns about its edges without slipping.

        It is minus the integral over pitch of the ankle's height above the centre of rotation; as such a centre, the
        toe joint is above the floor.
        """
        node, weight = np.polynomial.legendre.leggauss(200)
        height, share = self.support(0.5 * pitch[:, None] * (1 + node), rounding[:, None])
        return -0.5 * pitch * ((height - (self.height - self.drop) * share) @ weight)
