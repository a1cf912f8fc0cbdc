"""Weights of the objective of the preset `human`, fitted to people's walks by inverse optimal control.

`tools.fit_human_weights` fits them jointly to children at five speeds, adults at four speeds and three published walks.
Those of toes and work, which the curves hardly determine, are chosen by hand. So are, on the same walks, that of the
knee, those of torque rates (the hips' included), of the ankle with little load, and of dorsiflexion
(docs/theory/prediction.md, "The fit").
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Weights:
    """Weights relative to the effort of a joint whose factor is one.

    Attributes:
        hip, knee, ankle, toes: factors of the squared torques of these joints' flexion.
        work: of the energy that muscles of hip, knee and ankle use, kg/J.
        passive_knee: of the squared passive moments of the knees.
        torque_rate: of the squared rates of torques over strengths, s^2.
        hip_rate: factor of torque_rate at the hips.
        accelerations: of squared joint accelerations, s^4/rad^2.
        swing_ankle: of the squared angles of the ankle in swing and in the double support after it, 1/rad^2.
        dorsiflexion, plantarflexion: of the ankle's squared excess over its free angles, 1/rad^2.
    """

    hip: float = 1.02
    knee: float = 4.0
    ankle: float = 2.7
    toes: float = 0.17
    work: float = 0.03
    passive_knee: float = 24.0
    torque_rate: float = 0.026
    hip_rate: float = 2.5
    accelerations: float = 5.7e-7
    swing_ankle: float = 45.0
    dorsiflexion: float = 160.0
    plantarflexion: float = 5.5
