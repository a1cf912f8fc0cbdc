"""The double pendulum with its second bar held at 60 degrees by a PID controller between the bars.

M_12 = 30 (r - theta_2) - 2 omega_2 + 3 integral of (r - theta_2), with r = pi/3, as in the text's program; the integral
is a state of the controller, integrated with the motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from matplotlib.figure import Figure

from pipeline.dynamics.simulation import Simulation, simulate
from pipeline.examples.double_pendulum import CODED, INITIAL_ANGLES, INITIAL_RATES, absolute, relative, tree


@dataclass(frozen=True)
class PID:
    """Drives the second bar's angle from the vertical to a target, by the moment between the bars."""

    target: float = pi / 3
    proportional: float = 30.0
    derivative: float = 2.0
    integral: float = 3.0

    @property
    def initial_states(self) -> np.ndarray:
        """The integral of the error, zero at the start."""
        return np.zeros(1)

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Torques (M_1, M_12) = (0, PID), and the rate of the integral."""
        error = self.target - absolute(q)[1]
        moment = self.proportional * error - self.derivative * absolute(qd)[1] + self.integral * states[0]
        return np.array([0.0, moment]), np.array([error])


def controlled(duration: float = 20.0) -> Simulation:
    """The controlled pendulum from the text's initial state."""
    times = np.linspace(0.0, duration, round(duration * 100) + 1)
    start = relative(INITIAL_ANGLES), relative(INITIAL_RATES)
    return simulate(tree(CODED), *start, duration, controller=PID(), times=times)


def draw(figure: Figure) -> str:
    """Angle of the second bar and the controller's moment."""
    motion = controlled()
    left, right = figure.subplots(1, 2)
    left.plot(motion.time, np.degrees(absolute(motion.q)), linewidth=1, label=["first bar", "second bar"])
    left.axhline(np.degrees(PID().target), color="k", linestyle=":", label="target")
    left.set(xlabel="time (s)", ylabel="angle (deg)")
    left.legend()
    right.plot(motion.time, motion.tau[:, 1], linewidth=1)
    right.set(xlabel="time (s)", ylabel="moment between the bars (Nm)")
    balance = np.abs(motion.energy.total - motion.work - motion.energy.total[0]).max()
    error = np.degrees(absolute(motion.q)[-1, 1] - PID().target)
    return (
        f"After 20 s the second bar is {error:+.2f} degrees from its target. Energy minus the controller's work stays "
        f"constant within {balance:.0e} J."
    )
