"""Ankle and knee of one leg by the text's block matrices, compared with recursive dynamics of the 55-joint body.

A synthetic stance phase: smooth hip, knee and ankle motion in three dimensions, and a double-peaked ground reaction
with a centre of pressure that travels from heel to toes. The toe joint is locked and merged into the foot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from pipeline.conventions import GRAVITY
from pipeline.dynamics import rnea
from pipeline.examples.segments import segment_state
from pipeline.math3d import Wrench
from pipeline.newton_euler import assemble, joint_force_G, joint_moment_G
from pipeline.newton_euler import solve as solve_system
from pipeline.skeleton import Skeleton, load_skeleton, merge_frozen, segment_pose

STANCE = 0.65
"""Duration, s."""


@dataclass(frozen=True)
class Leg:
    """Moments about the joint centres and forces of ankle and knee (T, 2, 3), in G, from both formulations."""

    time: np.ndarray
    moment_G: np.ndarray
    force_G: np.ndarray
    recursive_moment_G: np.ndarray
    recursive_force_G: np.ndarray


def body(path: Path) -> Skeleton:
    """The human of a file with its right toe joint locked and merged, like its frozen joints."""
    human = load_skeleton(path)
    frozen = human.frozen.copy()
    frozen[human.index("right_toe_extension")] = True
    return merge_frozen(replace(human, frozen=frozen))


def stance(skeleton: Skeleton, frames: int = 101) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Times (T,), and coordinates with two derivatives (T, n) of the synthetic stance."""
    time = np.linspace(0.0, STANCE, frames)
    w = np.pi / STANCE
    q, qd, qdd = (np.zeros((frames, len(skeleton))) for _ in range(3))
    # mean, amplitude, harmonic, phase
    motions = {
        "pelvis_tx": (0.4, -0.4, 1, 0.0),
        "pelvis_ty": (0.92, 0.02, 4, 0.5),
        "right_hip_flexion": (0.15, 0.35, 1, 0.0),
        "right_hip_adduction": (0.05, 0.08, 2, 0.4),
        "right_hip_rotation": (0.02, 0.10, 1, 1.0),
        "right_knee_flexion": (0.25, 0.15, 3, 2.0),
        "right_ankle_flexion": (0.0, 0.20, 2, 2.5),
        "right_ankle_inversion": (0.02, 0.06, 2, 0.3),
    }
    for name, (mean, amplitude, harmonic, phase) in motions.items():
        j, angle, rate = skeleton.index(name), harmonic * w * time + phase, harmonic * w
        q[:, j] = mean + amplitude * np.cos(angle)
        qd[:, j] = -amplitude * rate * np.sin(angle)
        qdd[:, j] = -amplitude * rate**2 * np.cos(angle)
    return time, q, qd, qdd


def ground_reaction(skeleton: Skeleton, time: np.ndarray, q: np.ndarray) -> Wrench:
    """A double-peaked load of about body weight that travels along the foot, with a small free moment."""
    s = time / STANCE
    weight = GRAVITY * skeleton.mass.sum()
    vertical = weight * (1.3 * np.sin(np.pi * s) + 0.45 * np.sin(3 * np.pi * s)) * (0.97 - 0.05 * s)
    force = np.stack([-0.2 * weight * np.sin(2 * np.pi * s), vertical, -0.05 * weight * np.sin(np.pi * s)], axis=1)
    R, r = segment_pose(skeleton, "right_foot", q)
    along = np.stack([-0.05 + 0.2 * s, np.full_like(s, -0.06), 0.01 * np.sin(np.pi * s)], axis=1)
    moment = np.stack([np.zeros_like(s), 3.0 * np.sin(2 * np.pi * s), np.zeros_like(s)], axis=1)
    return Wrench(force, moment, r + (R @ along[..., None])[..., 0])


def solve(path: Path) -> Leg:
    """Solve both formulations for the same motion."""
    skeleton = body(path)
    time, q, qd, qdd = stance(skeleton)
    ground = ground_reaction(skeleton, time, q)
    chain = [segment_state(skeleton, name, q, qd, qdd) for name in ("right_foot", "right_shank")]
    x = solve_system(assemble(chain, ground)).total
    moments = [joint_moment_G(x, k, segment.R_GS) for k, segment in enumerate(chain)]
    forces = [joint_force_G(x, k) for k in range(len(chain))]
    loads = rnea(skeleton, q, qd, qdd, wrenches={"right_foot": ground})
    joints = [skeleton.index(name) for name in ("right_ankle_inversion", "right_knee_flexion")]
    recursive = loads.moment_G[:, joints], loads.force_G[:, joints]
    return Leg(time, np.stack(moments, axis=1), np.stack(forces, axis=1), *recursive)


def draw(figure: Figure, path: Path) -> str:
    """Moments at ankle and knee: lines from the block matrices, dots from the recursion."""
    leg = solve(path)
    for k, (axes, name) in enumerate(zip(figure.subplots(1, 2), ("ankle", "knee"), strict=True)):
        for i, axis in enumerate(("forward", "up", "right")):
            (line,) = axes.plot(leg.time, leg.moment_G[:, k, i], label=f"about {axis}", linewidth=1.5)
            axes.plot(leg.time[::5], leg.recursive_moment_G[::5, k, i], ".", color=line.get_color())
        axes.set(xlabel="time (s)", ylabel=f"moment at the {name} (Nm)")
    axes.legend()
    difference = np.abs(leg.moment_G - leg.recursive_moment_G).max()
    return (
        "Synthetic stance of the right leg. Lines: the 12 x 12 block system of foot and shank. Dots: the recursion "
        f"over the whole body. They differ by at most {difference:.0e} Nm. Segments are those of the 55-joint "
        "human, the toes merged into the foot."
    )
