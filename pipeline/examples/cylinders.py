"""Problem 2 of the inverse dynamics text: a three-dimensional double pendulum of two cylindrical bars.

Each bar hangs in a ball joint, modelled as three revolute joints with massless links between them, at the end of the
previous bar. The bars swing freely from an initial spin. From their motion alone, the block matrices find the forces
and moments of the joints; the moments are zero, since ball joints transmit none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from pipeline.dynamics import forward_dynamics, rnea
from pipeline.dynamics.simulation import Simulation, simulate
from pipeline.examples.segments import segment_state
from pipeline.examples.tables import Table
from pipeline.math3d import Wrench
from pipeline.newton_euler import LegSystem, assemble
from pipeline.newton_euler import solve as solve_system
from pipeline.skeleton import Segment, Skeleton, link_poses

LENGTH, RADIUS, MASS = (0.6, 0.4), (0.04, 0.03), (3.0, 1.5)
"""Lengths (m), radii (m) and masses (kg) of the upper and the lower bar."""


def cylinder_inertia(mass: float, radius: float, length: float) -> np.ndarray:
    """Inertia (3, 3) of a solid cylinder along y about its centre: m r^2 / 2 and m (3 r^2 + l^2) / 12."""
    across = mass * (3 * radius**2 + length**2) / 12
    return np.diag([across, mass * radius**2 / 2, across])


def tree() -> Skeleton:
    """The pendulum: axes Z, X, Y at each ball joint, bars along -Y of G at q = 0."""
    origin = np.tile(np.eye(4), (6, 1, 1))
    turn = np.diag([1.0, -1.0, -1.0, 1.0])  # the upper bar's link frame is x, -y, -z
    origin[3] = turn
    mass, com, inertia = np.zeros(6), np.zeros((6, 3)), np.zeros((6, 3, 3))
    segments = {}
    for bar, j in enumerate((2, 5)):
        mass[j] = MASS[bar]
        com[j] = [0.0, -LENGTH[bar] / 2, 0.0]
        inertia[j] = cylinder_inertia(MASS[bar], RADIUS[bar], LENGTH[bar])
        pose = turn.copy()
        pose[:3, 3] = [0.0, -LENGTH[bar], 0.0]
        segments[("upper_bar", "lower_bar")[bar]] = Segment(j, pose)
    return Skeleton(
        joint_names=tuple(f"{bar}_{axis}" for bar in ("upper", "lower") for axis in "zxy"),
        parent=np.arange(6) - 1,
        kind=("R",) * 6,
        theta=np.full(6, np.pi / 2),
        d=np.array([0.0, 0.0, -LENGTH[0], 0.0, 0.0, -LENGTH[1]]),
        a=np.zeros(6),
        alpha=np.tile([np.pi / 2, np.pi / 2, -np.pi / 2], 2),
        origin=origin,
        mass=mass,
        com=com,
        inertia=inertia,
        segments=segments,
    )


@dataclass(frozen=True)
class Solution:
    """The motion, the block system, its solution (T, 12), and the recursion's forces (T, 2, 3), upper joint first."""

    motion: Simulation
    system: LegSystem
    x: np.ndarray
    recursive_force_G: np.ndarray


def solve(duration: float = 3.0) -> Solution:
    """Swing freely, then find the joints' loads from the motion."""
    skeleton = tree()
    q0, qd0 = np.array([0.6, 0.4, 0.0, -0.9, 0.5, 0.2]), np.array([1.0, 2.0, 3.0, -1.0, 0.5, 8.0])
    times = np.linspace(0.0, duration, 301)
    motion = simulate(skeleton, q0, qd0, duration, times=times, rtol=1e-11, atol=1e-11)
    qdd = forward_dynamics(skeleton, motion.q, motion.qd, motion.tau)
    chain = [segment_state(skeleton, name, motion.q, motion.qd, qdd) for name in ("lower_bar", "upper_bar")]
    no_load = Wrench(np.zeros((len(motion.time), 3)), np.zeros(3), np.zeros(3))
    system = assemble(chain, no_load)
    force = rnea(skeleton, motion.q, motion.qd, qdd).force_G[:, [2, 5]]
    return Solution(motion, system, solve_system(system).total, force)


def draw(figure: Figure) -> str:
    """Path of the lower bar's end, and the joints' forces by both formulations."""
    solution = solve()
    left, right = figure.add_subplot(1, 2, 1, projection="3d"), figure.add_subplot(1, 2, 2)
    skeleton = tree()
    _, r = link_poses(skeleton, solution.motion.q)
    for j, label in ((2, "end of the upper bar"), (5, "end of the lower bar")):
        left.plot(r[:, j, 0], r[:, j, 2], r[:, j, 1], linewidth=1, label=label)
    left.set(xlabel="X (m)", ylabel="Z (m)", zlabel="Y (m)")
    left.legend(fontsize="small", loc="lower left")
    time = solution.motion.time
    for column, label in ((6, "support"), (0, "between the bars")):
        force = np.linalg.norm(solution.x[:, column : column + 3], axis=1)
        (line,) = right.plot(time, force, label=f"{label}, block matrices", linewidth=1.5)
        recursive = np.linalg.norm(solution.recursive_force_G[:, 0 if column else 1], axis=1)
        right.plot(time[::8], recursive[::8], ".", color=line.get_color(), label=f"{label}, recursion")
    right.set(xlabel="time (s)", ylabel="joint force (N)")
    right.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2)
    moments = np.abs(solution.x[:, [3, 4, 5, 9, 10, 11]]).max()
    return (
        "Two cylindrical bars in ball joints, swinging freely with spin. From the motion alone the block matrices find "
        f"the joints' forces, and moments of zero within {moments:.0e} Nm."
    )


def tables() -> Sequence[Table]:
    """The block matrices of M a = C + G + A F + E, which the problem asks for."""
    rows = (
        ("force, 1", "m₁ a₁", "0", "m₁ g", "1", "0", "0", "0"),
        ("moment, 1", "I₁ ω̇₁", "-S(ω₁) I₁ ω₁", "0", "R₁ S(r₁)", "1", "0", "0"),
        ("force, 2", "m₂ a₂", "0", "m₂ g", "-1", "0", "1", "0"),
        ("moment, 2", "I₂ ω̇₂", "-S(ω₂) I₂ ω₂", "0", "-R₂ S(d₂)", "-R₂ R₁ᵀ", "R₂ S(r₂)", "1"),
    )
    note = (
        "1 is the lower bar, 2 the upper one; F₁ and M₁ act on bar 1 between the bars, F₂ and M₂ on bar 2 at the "
        "support. Forces are in global axes, moments in those of their bar, to which R₁ and R₂ turn. From a bar's "
        "centre, r goes to its upper joint and d to its lower one; S(v) is the matrix of the cross product with v. A "
        "cylinder of radius b and length l has I = m diag(3 b² + l², 6 b², 3 b² + l²) / 12, with its axis along y. E "
        "is zero: nothing touches the bars."
    )
    return (Table("The matrices", ("Row", "M a", "C", "G", "A: F₁", "M₁", "F₂", "M₂"), rows, note),)
