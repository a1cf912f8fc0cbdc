"""The two two-link manipulators of the thesis' chapter 4 as Denavit-Hartenberg tables, in a plane without gravity.

Tables 4.1 and 4.2: two revolute joints. Tables 4.3 and 4.4: a prismatic and a revolute joint; the pi/2 printed for its
second link is either the posture in which the figure is drawn, so that theta_2 = q_2, or an offset added to q_2. The
first reading matches the published result far better. Here both manipulators move from rest to rest between the
thesis' end points along fifth-order polynomials, in the thesis' optimal times: their loads, not their optimal motions.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from pipeline.dynamics import JointLoads, rnea
from pipeline.prediction.manipulators import prismatic_revolute_skeleton, two_revolute_skeleton
from pipeline.skeleton import Skeleton, link_poses

TWO_REVOLUTE = {"from": (0.0, -2.0), "to": (1.0, -1.0), "time": 0.392}
PRISMATIC_REVOLUTE = {"from": (0.1, 0.6), "to": (np.pi / 4, -np.pi / 4), "time": 0.5585}
"""End points of equations 4.17 and 4.19, and the published times, s."""


def rest_to_rest(start: tuple, end: tuple, duration: float, frames: int = 101) -> tuple[np.ndarray, ...]:
    """Times (T,), and coordinates with two derivatives (T, 2), along 10 s^3 - 15 s^4 + 6 s^5."""
    s = np.linspace(0.0, 1.0, frames)[:, None]
    travel = np.subtract(end, start)
    q = start + travel * (10 * s**3 - 15 * s**4 + 6 * s**5)
    qd = travel * (30 * s**2 - 60 * s**3 + 30 * s**4) / duration
    qdd = travel * (60 * s - 180 * s**2 + 120 * s**3) / duration**2
    return s[:, 0] * duration, q, qd, qdd


def loads(skeleton: Skeleton, task: dict) -> tuple[np.ndarray, np.ndarray, JointLoads]:
    """Times (T,), coordinates (T, 2) and joint loads of a task; gravity does not act in the manipulators' plane."""
    time, q, qd, qdd = rest_to_rest(task["from"], task["to"], task["time"])
    return time, q, rnea(skeleton, q, qd, qdd, gravity=(0.0, 0.0, 0.0))


def draw(figure: Figure) -> str:
    """Torques and forces, and internal joint forces, of both manipulators."""
    systems = (("revolute, revolute", two_revolute_skeleton(), TWO_REVOLUTE),)
    systems += (("prismatic, revolute", prismatic_revolute_skeleton(), PRISMATIC_REVOLUTE),)  # type: ignore[assignment]
    axes = figure.subplots(2, 3)
    for (left, middle, right), (name, skeleton, task) in zip(axes, systems, strict=True):
        time, q, result = loads(skeleton, task)
        unit = ["Nm" if kind == "R" else "N" for kind in skeleton.kind]
        left.plot(time, result.tau, label=[f"joint {j + 1} ({unit[j]})" for j in range(2)])
        left.set(title=name, ylabel="actuation")
        middle.plot(time, np.linalg.norm(result.force_G, axis=2), label=["joint 1", "joint 2"])
        middle.set(ylabel="internal force (N)")
        left.legend(fontsize="small")
        middle.legend(fontsize="small")
        _, r = link_poses(skeleton, q)
        plane = np.ptp(r.reshape(-1, 3), axis=0).argsort()[:0:-1]  # the two directions in which it moves
        for t in range(0, len(time), 10):
            path = np.vstack([np.zeros(3), r[t]])[:, sorted(plane)]
            right.plot(*path.T, color=str(0.85 - 0.8 * t / len(time)), linewidth=1)
        right.set(ylabel="m", aspect="equal")
    axes[1, 0].set(xlabel="time (s)")
    axes[1, 1].set(xlabel="time (s)")
    return (
        "Rest to rest along fifth-order polynomials between the thesis' end points, in its published times: not its "
        "optimal motions, so actuation may exceed its limits. As in its figures 4.3 and 4.6 the internal forces have "
        "two peaks, and those of the first joint are the larger."
    )
