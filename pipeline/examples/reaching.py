"""Coupling torques of a reaching arm: the torques at one joint due to the motion of the other.

Upper arm and forearm as two bars in a horizontal plane, after Hollerbach and Flash (1982), Biol Cybern 44:67-77. The
hand moves along a straight line with minimal jerk (Flash and Hogan 1985, J Neurosci 5:1688-1703). In each joint's
torque, M_ii q_i'' is due to its own acceleration; M_ij q_j'' is due to the other's acceleration, and -C_i to both
velocities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from pipeline.dynamics import equations_of_motion, rnea
from pipeline.examples.double_pendulum import Bars, tree

ARM = Bars(m1=1.9, m2=1.6, l1=0.30, l2=0.36)
"""Arm of an adult, with the hand included in the forearm."""

START, END, DURATION = (-0.25, 0.30), (0.10, 0.45), 0.5
"""Position of the hand to the right and ahead of the left shoulder, m; s."""

STILL = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Reach:
    """A movement of the arm at T times.

    Attributes:
        time: (T,) s.
        q, qd, qdd: (T, 2) shoulder and elbow, rad.
        tau: (T, 2) joint torques, Nm.
        own, other, velocity: (T, 2) parts due to the joint's own acceleration, the other's, and the velocities.
    """

    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    own: np.ndarray
    other: np.ndarray
    velocity: np.ndarray


def reach(count: int = 201) -> Reach:
    """The movement and its torques, at ``count`` times."""
    s = np.linspace(0.0, 1.0, count)
    across = np.subtract(END, START)
    shape = (s**3 * (10 - 15 * s + 6 * s**2), 30 * s**2 * (1 - s) ** 2, 60 * s * (1 - s) * (1 - 2 * s))
    hand, speed, acceleration = (np.outer(values / DURATION**order, across) for order, values in enumerate(shape))
    q, qd, qdd = _joint_motion(hand + START, speed, acceleration)
    terms = equations_of_motion(tree(ARM), q, qd, gravity=STILL)
    M = terms.M
    own = np.stack([M[:, i, i] * qdd[:, i] for i in range(2)], axis=1)
    other = np.stack([M[:, i, 1 - i] * qdd[:, 1 - i] for i in range(2)], axis=1)
    tau = rnea(tree(ARM), q, qd, qdd, gravity=STILL).tau
    return Reach(DURATION * s, q, qd, qdd, tau, own, other, -terms.C)


def _joint_motion(hand: np.ndarray, speed: np.ndarray, acceleration: np.ndarray) -> tuple[np.ndarray, ...]:
    """Angles (T, 2) and two derivatives of the arm for a motion of the hand (T, 2), to the right and ahead.

    The tree's first bar points down (-Y) at zero and turns towards X.
    """
    l1, l2 = ARM.l1, ARM.l2
    x, y = hand[:, 0], -hand[:, 1]  # the tree hangs, so ahead is down
    elbow = np.arccos((x**2 + y**2 - l1**2 - l2**2) / (2 * l1 * l2))
    shoulder = np.arctan2(x, -y) - np.arctan2(l2 * np.sin(elbow), l1 + l2 * np.cos(elbow))
    q = np.stack([shoulder, elbow], axis=1)
    # Elbow and hand move at right angles to the bars: columns of the hand's Jacobian J (T, 2, 2) in X and Y.
    upper, forearm = (
        length * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        for length, angle in ((l1, q[:, 0]), (l2, q.sum(axis=1)))
    )
    J = np.stack([upper + forearm, forearm], axis=2)
    ahead = np.array([1.0, -1.0])
    qd = np.linalg.solve(J, (speed * ahead)[..., None])[..., 0]
    # Jd qd, the centripetal acceleration along both bars.
    bias = _turned(upper) * qd[:, :1] ** 2 + _turned(forearm) * qd.sum(axis=1, keepdims=True) ** 2
    return q, qd, np.linalg.solve(J, (acceleration * ahead - bias)[..., None])[..., 0]


def _turned(vectors: np.ndarray) -> np.ndarray:
    """Vectors (T, 2) turned by 90 degrees from X towards Y."""
    return np.stack([-vectors[:, 1], vectors[:, 0]], axis=1)


def draw(figure: Figure) -> str:
    """Torques of shoulder and elbow with their parts."""
    found = reach()
    for axes, joint, name in zip(figure.subplots(1, 2), range(2), ("shoulder", "elbow"), strict=True):
        axes.plot(found.time, found.tau[:, joint], color="k", label="whole")
        for values, label in (
            (found.own, "own acceleration"),
            (found.other, "the other joint's acceleration"),
            (found.velocity, "velocities"),
        ):
            axes.plot(found.time, values[:, joint], linewidth=1, label=label)
        axes.set(xlabel="time (s)", ylabel=f"torque of the {name} (Nm)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize="small")
    coupling = found.other + found.velocity
    shares = np.abs(coupling).max(axis=0) / np.abs(found.tau).max(axis=0)
    return (
        "The hand moves 0.38 m along a straight line in 0.5 s. Torques due to the other joint reach "
        f"{shares[0]:.0%} of the shoulder's largest torque and {shares[1]:.0%} of the elbow's: the joints of an arm "
        "cannot be moved independently."
    )
