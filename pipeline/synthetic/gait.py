"""Coordinates of the 55-joint skeleton over a synthetic walk, from chosen curves and inverse kinematics of the legs.

Feet, pelvis, trunk and arms move along chosen curves. The legs follow by inverse kinematics, and the path of the pelvis
is adjusted until the centre of pressure is under the feet (`pipeline.synthetic.ground`). The curves are drawn by hand
after the general shape of adult walking (Perry and Burnfield 2010), not measured. The left leg swings stiffly, so that
the sides differ. Everything but the progression is periodic.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pipeline.conventions import SIDES
from pipeline.synthetic.curves import FourierSeries
from pipeline.synthetic.feet import Steps
from pipeline.synthetic.reach import reach
from pipeline.synthetic.subject import DemoSubject

Wave = tuple[float, tuple[tuple[int, float, float], ...]]
"""Mean, and harmonics: order, amplitude, and phase of the maximum in percent of the right cycle; degrees."""

SAMPLES = 551
"""Samples of one cycle: an odd number, large enough for the tail of the series to fall below rounding."""

_RIGHT = Steps(
    pitch={
        **{0: 13, 6: 2, 12: 0, 30: 0, 40: -0.5, 50: -9.5, 56: -30},
        **{62: -57, 67: -67, 80: -25, 90: 7.5, 96: 19.5},
    },
    lift={0: 0, 54: 0, 62: 0.034, 68: 0.072, 75: 0.056, 82: 0.034, 90: 0.033, 96: 0.017},
    toes={0: 5, 12: 0, 38: 2, 50: 17, 56: 36, 62: 35, 72: 5, 90: 8},
)
_LEFT = Steps(
    pitch={
        **{0: 11, 6: 2, 12: 0, 30: 0, 40: -1, 50: -9, 56: -25},
        **{62: -44, 67: -49, 80: -19, 90: 6, 96: 14.5},
    },
    lift={0: 0, 54: 0, 62: 0.028, 68: 0.052, 75: 0.046, 82: 0.034, 90: 0.032, 96: 0.016},
    toes={0: 5, 12: 0, 38: 2, 50: 14, 56: 28, 62: 28, 72: 5, 90: 6},
    toe_out=9.0,
    ahead=-0.104,
)


def _body_waves() -> dict[str, Wave]:
    waves: dict[str, Wave] = {
        "pelvis_rotation": (0.0, ((1, 5.0, 0),)),
        "pelvis_list": (0.0, ((1, 3.2, 66), (3, 0.2, 64))),
        "pelvis_tilt": (-4.5, ((2, 1.0, 5),)),
    }
    for joint in range(1, 5):
        waves[f"spine{joint}_flexion"] = (-5.2 if joint < 3 else -2.5, ((2, 0.3, 10),))
        waves[f"spine{joint}_bending"] = (0.0, ((1, -0.6, 66),))
        waves[f"spine{joint}_rotation"] = (0.0, ((1, -2.3, 0),))
    waves["upper_neck_flexion"] = (3.0, ((2, 0.5, 60),))
    waves["upper_neck_rotation"] = (0.0, ((1, 3.0, 0),))
    for side, forward in (("right", 50.0), ("left", 0.0)):
        waves[f"{side}_shoulder_adduction"] = (-8.0, ((2, 0.8, forward),))
        waves[f"{side}_shoulder_flexion"] = (-4.0, ((1, 20.0 if side == "right" else 15.0, forward),))
        waves[f"{side}_elbow_flexion"] = (24.0, ((1, 9.0, forward + 6.0), (2, 1.5, forward)))
        waves[f"{side}_elbow_pronation"] = (75.0, ((1, 4.0, forward),))
        waves[f"{side}_wrist_flexion"] = (4.0, ((1, 2.0, forward),))
    return waves


@dataclass(frozen=True)
class Gait:
    """Design of a synthetic walk.

    Attributes:
        speed, cycle: walking speed, m/s, and duration of the gait cycle, s.
        stance: share of the cycle with ground contact, percent.
        steps: by side.
        waves: of the coordinates, by joint name; legs and translation of the pelvis are computed from the rest.
        height: mean height of the midpoint of the hip centres, m.
        rise: harmonics of that height: order, amplitude (m), and phase of the maximum.
        smoothing: of all drawn curves, percent of the cycle.
    """

    speed: float = 1.10
    cycle: float = 1.08
    stance: float = 62.0
    steps: dict[str, Steps] = field(default_factory=lambda: {"left": _LEFT, "right": _RIGHT})
    waves: dict[str, Wave] = field(default_factory=_body_waves)
    height: float = 0.8725
    rise: tuple[tuple[int, float, float], ...] = ((2, 0.0155, 29.5), (4, 0.001, 2))
    smoothing: float = 3.2

    @property
    def stride(self) -> float:
        """Stride length, m."""
        return self.speed * self.cycle

    @property
    def phase(self) -> np.ndarray:
        """Phases (n,) of the samples of one cycle, percent of the right cycle."""
        return np.arange(SAMPLES) * 100.0 / SAMPLES

    def coordinates(
        self, subject: DemoSubject, sway: np.ndarray, start: np.ndarray | None = None, crouch: float = 0.0
    ) -> np.ndarray:
        """Periodic part (n, 55) of the coordinates over one cycle that begins with the right foot's initial contact.

        Args:
            subject: owner of the skeleton.
            sway: (n, 2) m, fore-aft and mediolateral deviation of the pelvis from its mean progression.
            start: initial guess for the legs' coordinates; bent knees if omitted.
            crouch: m by which the pelvis is lower than designed.

        Raises:
            DynamicsError: a leg is too short for its step.
        """
        body, phase = subject.skeleton, self.phase
        q = np.zeros((SAMPLES, len(body))) if start is None else start.copy()
        for name, wave in self.waves.items():
            q[:, body.index(name)] = np.radians(_wave(wave, phase))
        q[:, 0], q[:, 1], q[:, 2] = sway[:, 0], _wave((self.height - crouch, self.rise), phase), sway[:, 1]
        for side in SIDES:
            R_GF, ankle, toes = self.foot(subject, side)
            q[:, body.index(f"{side}_toe_extension")] = toes
            if start is None:
                q[:, body.index(f"{side}_knee_flexion")] = 0.5
            q = reach(body, side, q, R_GF, ankle)
        return q

    def foot(self, subject: DemoSubject, side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Orientation, ankle centre without its drift, and toe extension of a foot over one cycle; see `Steps.path`."""
        own = self.phase + (0.0 if side == "right" else 50.0)
        return self.steps[side].path(side, subject.sole_of(side), own, self.stride, self.stance, self.smoothing)

    def series(self, q: np.ndarray) -> FourierSeries:
        """The result of `coordinates` as functions of time, with the progression added."""
        drift = np.zeros(q.shape[1])
        drift[0] = self.speed
        return FourierSeries.through(q, self.cycle, drift)


def _wave(wave: Wave, phase: np.ndarray) -> np.ndarray:
    mean, harmonics = wave
    return mean + sum(
        (amplitude * np.cos(2 * np.pi * order * (phase - peak) / 100) for order, amplitude, peak in harmonics),
        start=np.zeros_like(phase),
    )
