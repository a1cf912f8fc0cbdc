"""The two manipulators of the thesis's chapter 4 in their optimal motions: its figures 4.2 to 4.7.

Tables 4.1 and 4.2: two revolute joints, from rest to rest in minimum time. Tables 4.3 and 4.4: a prismatic and a
revolute joint, time against effort (equation 4.18). The pi/2 printed for the second link is either the posture in which
the figure is drawn, so that theta_2 = q_2, or an offset added to q_2. Both move in a plane without gravity.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pipeline.examples.tables import Table
from pipeline.prediction import (
    ManipulatorMotion,
    Reading,
    prismatic_revolute_skeleton,
    solve_prismatic_revolute,
    solve_two_revolute,
    two_revolute_skeleton,
)
from pipeline.skeleton import Skeleton, link_poses

SHARE = 0.01
"""The thesis's u, the weight of effort against time in equation 4.18."""

THESIS_REVOLUTE, WANG, XIANG = 0.392, 0.394, 0.393
"""s, minimum times: the thesis's, and those of Wang et al. (2005) and Xiang et al. (2009a) as quoted in it."""

THESIS_PRISMATIC = 0.5585
"""s, the thesis's time of the prismatic and revolute joint."""

READINGS: dict[Reading, str] = {"posture": "the drawn posture, theta = q2", "offset": "an offset added to q2"}


two_revolute, prismatic_revolute = cache(solve_two_revolute), cache(solve_prismatic_revolute)
"""The motion in minimum time, and that of equation 4.18, each solved once."""


def draw_two_revolute(figure: Figure) -> str:
    """Figures 4.2 to 4.4."""
    motion = two_revolute()
    _panels(figure, motion, two_revolute_skeleton(), ("4.2", "4.3", "4.4"), ("joint 1", "joint 2"), ("Nm", "Nm"))
    return (
        "Minimum-time motion of two links with revolute joints. Torques go from bound to bound; internal forces have "
        "two peaks, those of the first joint are larger, and both meet at the end, as in the thesis; between the "
        "peaks the second joint's force is larger, but the first's in the thesis."
    )


def draw_prismatic_revolute(figure: Figure) -> str:
    """Figures 4.5 to 4.7, theta = q2."""
    names, units = ("slide", "rotation"), ("N", "Nm")
    _panels(figure, prismatic_revolute(), prismatic_revolute_skeleton(), ("4.5", "4.6", "4.7"), names, units)
    return (
        f"A slide and a rotation, time against effort with u = {SHARE:g}; table 4.3's angle is read as the drawn "
        "posture. The force on the slide goes from a positive to a negative peak, the torque the other way; internal "
        "forces have two peaks, of which those of the slide are larger."
    )


def revolute_tables() -> Sequence[Table]:
    """Minimum time and switches, thesis against ours."""
    motion = two_revolute()
    first, second = (switches(motion, joint) for joint in range(2))
    peaks = np.linalg.norm(motion.force_G, axis=2).max(axis=0)
    rows = (
        ("Minimum time, s", f"{THESIS_REVOLUTE} ({WANG} and {XIANG} elsewhere)", f"{motion.total_time:.4f}"),
        ("First torque leaves the upper bound, s", "just over 0.2", _listed(first)),
        ("Second torque switches, s", "after a short time, and at 0.25", _listed(second)),
        ("Largest torque over its limit, between nodes", "not given", f"{motion.max_violation_dense:.1e}"),
        ("Peak internal force of joints 1 and 2, N", "the first is larger", f"{peaks[0]:.1f} and {peaks[1]:.1f}"),
    )
    return (Table("Two revolute joints", ("", "Thesis", "Ours"), rows),)


def prismatic_tables() -> Sequence[Table]:
    """Time and objective for both readings of table 4.3, thesis against ours."""
    rows = []
    for reading, words in READINGS.items():
        motion = prismatic_revolute(SHARE, reading)
        rows.append(
            (
                words,
                f"{THESIS_PRISMATIC}",
                f"{motion.total_time:.4f}",
                f"{100 * (THESIS_PRISMATIC / motion.total_time - 1):+.1f} %",
                f"{motion.objective:.5f}",
                f"{100 * (in_time(motion, THESIS_PRISMATIC) / motion.objective - 1):+.2f} %",
            )
        )
    times = ("T of the thesis, s", "Ours, s", "Thesis from ours")
    head = ("Table 4.3's pi/2 is", *times, "Our objective", "Ours in the thesis' T")
    note = (
        "The last column is the objective of our motion scaled in time to the thesis' duration, above our optimum: "
        "torques go with the square of the pace. Read as the drawn posture, the objective is so flat that the "
        "published time raises it by almost nothing; read as an offset, it is far from the optimum. Neither explains "
        "it, nor do coarse splines: 3 to 8 even intervals give 0.5867 to 0.5859 s in the first reading."
    )
    return (Table("One prismatic and one revolute joint, u = 0.01", head, tuple(rows), note),)


def in_time(motion: ManipulatorMotion, duration: float, u: float = SHARE) -> float:
    """Objective 4.18 of the motion along the same path in another time. Without gravity, torques and forces scale with
    the square of the pace, so the integral of their squares scales with its third power."""
    effort = motion.objective - (1.0 - u) * motion.total_time
    pace = motion.total_time / duration
    return (1.0 - u) * duration + effort * pace**3


def switches(motion: ManipulatorMotion, joint: int) -> np.ndarray:
    """Times (K,) s at which a joint's torque passes zero."""
    tau = motion.tau[:, joint]
    return motion.time[1:][np.sign(tau[1:]) * np.sign(tau[:-1]) < 0]


def _listed(times: np.ndarray) -> str:
    return " and ".join(f"{time:.3f}" for time in times)


def _panels(
    figure: Figure,
    motion: ManipulatorMotion,
    skeleton: Skeleton,
    numbers: tuple[str, str, str],
    names: tuple[str, str],
    units: tuple[str, str],
) -> None:
    """Actuation, norms of the internal forces, and snapshots of the path."""
    left, middle, right = figure.subplots(1, 3)
    for j, (name, unit) in enumerate(zip(names, units, strict=True)):
        left.plot(motion.time, motion.tau[:, j], label=f"{name} ({unit})")
        middle.plot(motion.time, np.linalg.norm(motion.force_G[:, j], axis=1), label=name)
    left.set(title=f"{numbers[0]} Actuation", xlabel="time (s)", ylabel=" or ".join(dict.fromkeys(units)))
    middle.set(title=f"{numbers[1]} Internal force", xlabel="time (s)", ylabel="N")
    left.legend(fontsize="small")
    middle.legend(fontsize="small")
    _snapshots(right, motion, skeleton)
    right.set(title=f"{numbers[2]} Trajectory, early to late", ylabel="m", xlabel="m", aspect="equal")


def _snapshots(axes: Axes, motion: ManipulatorMotion, skeleton: Skeleton, count: int = 11) -> None:
    """Links at equal intervals of time, darker with time, and the path of the tip."""
    _, r = link_poses(skeleton, motion.q)
    plane = sorted(np.ptp(r.reshape(-1, 3), axis=0).argsort()[1:])  # the two directions in which it moves
    positions = np.concatenate([np.zeros((len(r), 1, 3)), r], axis=1)[:, :, plane]
    shown = [int(np.argmin(np.abs(motion.time - t))) for t in np.linspace(0.0, motion.total_time, count)]
    for number, frame in enumerate(shown):
        shade = str(0.8 - 0.8 * number / (count - 1))
        axes.plot(*positions[frame].T, color=shade, linewidth=1, marker="o", markersize=2)
    axes.plot(*positions[:, -1].T, color="tab:red", linewidth=1)
