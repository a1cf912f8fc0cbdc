"""A spring as external element E: the double pendulum with its tip tied to a fixed point.

The spring pulls at the second bar's end with the force k (|x| - L) along itself, where x goes from the end to the fixed
point; if it is shorter than at rest, it pushes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from pipeline.dynamics.loads import Wrenches
from pipeline.dynamics.simulation import Simulation, simulate
from pipeline.examples.double_pendulum import INITIAL_ANGLES, Bars, absolute, relative, tree
from pipeline.math3d import Wrench
from pipeline.skeleton import link_poses


@dataclass(frozen=True)
class Spring:
    """Stiffness (N/m), length at rest (m), and the fixed point (3,) m in G."""

    stiffness: float = 40.0
    rest: float = 0.5
    anchor: tuple[float, float, float] = (1.0, -1.5, 0.0)

    def stretch(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lengthening (T,) m, its direction (T, 3) from the second bar's end, and that end (T, 3) m."""
        _, r = link_poses(tree(Bars()), q)
        along = np.subtract(self.anchor, r[:, 1])
        length = np.linalg.norm(along, axis=1)
        return length - self.rest, along / length[:, None], r[:, 1]

    def wrenches(self, t: float, q: np.ndarray, qd: np.ndarray) -> Wrenches:
        """The pull at the second bar's end, for `simulate`."""
        stretch, direction, end = self.stretch(q[None])
        return {"second": Wrench(self.stiffness * stretch[:, None] * direction, np.zeros((1, 3)), end)}

    def energy(self, q: np.ndarray) -> np.ndarray:
        """Stored energy (T,), J."""
        return 0.5 * self.stiffness * self.stretch(q)[0] ** 2


def tied(duration: float = 5.0) -> Simulation:
    """The tied pendulum from rest at the text's initial angles."""
    times = np.linspace(0.0, duration, round(duration * 100) + 1)
    pull = Spring().wrenches
    return simulate(tree(Bars()), relative(INITIAL_ANGLES), np.zeros(2), duration, wrenches=pull, times=times)


def draw(figure: Figure) -> str:
    """Angles of both bars, and the energies."""
    motion, spring = tied(), Spring()
    left, right = figure.subplots(1, 2)
    left.plot(motion.time, np.degrees(absolute(motion.q)), linewidth=1, label=["first bar", "second bar"])
    left.set(xlabel="time (s)", ylabel="angle from the vertical (deg)")
    left.legend(fontsize="small")
    stored, total = spring.energy(motion.q), motion.energy.total
    for values, label in ((total, "of the bars"), (stored, "of the spring"), (total + stored, "together")):
        right.plot(motion.time, values, linewidth=1, label=label)
    right.set(xlabel="time (s)", ylabel="energy (J)")
    right.legend(fontsize="small")
    error = np.ptp(total + stored)
    return (
        f"A spring of {spring.stiffness:g} N/m from the second bar's end to a fixed point stores up to "
        f"{stored.max():.1f} J; bars and spring together keep their energy within {error:.0e} J."
    )
