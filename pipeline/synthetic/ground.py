"""Ground reactions of the designed walk, foot by foot, whether or not a plate lies below."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pipeline.conventions import LATERAL_SIGN
from pipeline.math3d import Wrench
from pipeline.synthetic.gait import Curve, Gait

_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class GroundReaction:
    """Curves over stance, phases in percent of it; all loads are on the foot and vanish outside stance.

    Attributes:
        vertical: relative; it is scaled so that both feet together carry body weight on average over a cycle.
        forward, medial: share of body weight.
        free_moment: Nm per kg, about the upward vertical, of the right foot (mirrored on the left).
        cop_forward, cop_medial: m, in the foot's heading and across it, from the point below the flat foot's ankle.
    """

    vertical: Curve = field(
        default_factory=lambda: {0: 0, 4: 0.18, 12: 0.72, 22: 1.12, 50: 0.76, 77: 1.11, 90: 0.55, 97: 0.09, 100: 0}
    )
    forward: Curve = field(
        default_factory=lambda: {0: 0, 4: -0.005, 18: -0.145, 50: -0.02, 58: 0.015, 84: 0.185, 96: 0.035, 100: 0}
    )
    medial: Curve = field(default_factory=lambda: {0: 0, 5: -0.02, 20: 0.05, 50: 0.035, 78: 0.055, 95: 0.01, 100: 0})
    free_moment: Curve = field(default_factory=lambda: {0: 0, 25: 0.03, 55: -0.02, 82: -0.09, 100: 0})
    cop_forward: Curve = field(
        default_factory=lambda: {0: -0.045, 10: -0.018, 25: 0.032, 50: 0.078, 75: 0.122, 92: 0.145, 100: 0.16}
    )
    cop_medial: Curve = field(default_factory=lambda: {0: 0.002, 30: -0.008, 70: -0.003, 100: 0.012})

    def on_foot(self, gait: Gait, mass: float, gravity: float, side: str, strike: float, time: np.ndarray) -> Wrench:
        """Load (T, 3) in G of one stance that begins at ``strike`` s, at its centre of pressure.

        Between stances the force is zero and the point is that of the nearest end of the stance.
        """
        s = LATERAL_SIGN[side]
        percent = 100 * (time - strike) / (gait.cycle * gait.stance / 100)
        weight = mass * gravity
        heading, below = gait.standing_foot(side)
        below = below + gait.speed * strike * np.array([1.0, 0.0, 0.0])
        medial = -s * np.cross(heading, _UP)
        cop = below + np.outer(_over_stance(self.cop_forward, percent), heading)
        cop = cop + np.outer(_over_stance(self.cop_medial, percent), medial)
        mean = np.mean(_over_stance(self.vertical, np.linspace(0.0, 100.0, 2001)))
        share = 100.0 / (2.0 * gait.stance * mean)
        force = weight * np.stack(
            [
                _over_stance(self.forward, percent),
                share * _over_stance(self.vertical, percent),
                -s * _over_stance(self.medial, percent),
            ],
            axis=-1,
        )
        moment = np.outer(s * mass * _over_stance(self.free_moment, percent), _UP)
        return Wrench(force, moment, cop)


def _over_stance(curve: Curve, percent: np.ndarray) -> np.ndarray:
    """Monotone cubic through the curve's points, constant before and after; once continuously differentiable."""
    from scipy.interpolate import PchipInterpolator

    phase, value = np.array(sorted(curve.items())).T
    phase = np.concatenate([[-10.0], phase, [110.0]])  # a flat piece on either side gives slope 0 at both ends
    value = np.concatenate([value[:1], value, value[-1:]])
    return PchipInterpolator(phase, value)(np.clip(percent, 0.0, 100.0))
