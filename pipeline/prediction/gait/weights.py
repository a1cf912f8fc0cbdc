"""Weights of the objective of the preset `human`, fitted to the walks of people by inverse optimal control.

`tools.fit_human_weights` fits them to the five speeds of a norm and to three published walks together. Those that the
curves hardly determine, of toes, work and dorsiflexion, are chosen by hand.
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
        accelerations: of squared joint accelerations, s^4/rad^2.
        swing_ankle: of the squared angles of the swinging ankle, 1/rad^2.
        dorsiflexion, plantarflexion: of the ankle's excess over the angles that are free, 1/rad^2.
    """

    hip: float = 1.76
    knee: float = 4.7
    ankle: float = 2.73
    toes: float = 0.17
    work: float = 0.03
    passive_knee: float = 17.8
    torque_rate: float = 0.0163
    accelerations: float = 1.47e-6
    swing_ankle: float = 6.05
    dorsiflexion: float = 100.0
    plantarflexion: float = 5.0
