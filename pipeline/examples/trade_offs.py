"""Trade-offs of the manipulators' optimal motions: time against effort, and time against the number of intervals."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from pipeline.examples.manipulators import READINGS, prismatic_revolute, two_revolute
from pipeline.examples.tables import Table
from pipeline.prediction import ManipulatorMotion

SHARES = (0.0, 0.001, 0.01, 0.05, 0.1, 0.3, 0.6, 0.9, 0.99)
"""u of equation 4.18; u = 1 has no minimum, since effort falls without limit as the motion is given more time."""

INTERVALS = (4, 8, 16, 24)


def effort(motion: ManipulatorMotion, u: float) -> float:
    """Integral of the squared force and torque, weighted by u in the objective; at u = 0 by the trapezoidal rule."""
    if u > 0.0:
        return (motion.objective - (1.0 - u) * motion.total_time) / u
    squares = (motion.tau**2).sum(axis=1)
    return float(0.5 * ((squares[1:] + squares[:-1]) * (motion.time[1:] - motion.time[:-1])).sum())


def draw_front(figure: Figure) -> str:
    """Time against effort for all shares and both readings of table 4.3."""
    left, right = figure.subplots(1, 2)
    for reading, words in READINGS.items():
        motions = [prismatic_revolute(u, reading) for u in SHARES]
        times = [motion.total_time for motion in motions]
        left.plot(times, [effort(m, u) for m, u in zip(motions, SHARES, strict=True)], marker="o", label=words)
        right.plot(SHARES, times, marker="o", label=words)
    left.set(xlabel="time (s)", ylabel="effort (N² s, N² m² s)", yscale="log", title="Pareto front")
    right.set(xlabel="u", ylabel="time (s)", title="Time by the weight of effort")
    left.legend(fontsize="small")
    right.legend(fontsize="small")
    return "More weight on effort gives slower motions of less effort, and no motion is better than another in both."


def front_tables() -> Sequence[Table]:
    """Time and effort for all shares and both readings."""
    rows = []
    for u in SHARES:
        cells = [f"{u:g}"]
        for reading in READINGS:
            motion = prismatic_revolute(u, reading)
            cells += [f"{motion.total_time:.4f}", f"{effort(motion, u):.3f}", f"{motion.objective:.5f}"]
        rows.append(tuple(cells))
    columns = tuple(f"{what}, {reading}" for reading in READINGS for what in ("time, s", "effort", "objective"))
    return (Table("Prismatic and revolute joint", ("u", *columns), tuple(rows)),)


def draw_intervals(figure: Figure) -> str:
    """Minimum time of the two revolute joints against the number of intervals, for fixed and for free knots."""
    axes = figure.subplots()
    for free, label in ((False, "evenly spaced knots"), (True, "knots as design variables")):
        times = [two_revolute(n, free).total_time for n in INTERVALS]
        axes.plot(INTERVALS, times, marker="o", label=label)
    axes.set(xlabel="intervals of each spline", ylabel="minimum time (s)", title="Two revolute joints")
    axes.legend()
    return (
        "Torques switch from bound to bound, and optimal knots coincide with the switches: with free knots, started "
        "from the optimum of the even ones, the same number of intervals is faster."
    )


def interval_tables() -> Sequence[Table]:
    """Minimum time by the number of intervals."""
    rows = []
    for n in INTERVALS:
        fixed, free = two_revolute(n, False), two_revolute(n, True)
        gain = 100.0 * (1.0 - free.total_time / fixed.total_time)
        over = f"{max(fixed.max_violation_dense, free.max_violation_dense):.1e}"
        rows.append((f"{n}", f"{fixed.total_time:.5f}", f"{free.total_time:.5f}", f"{gain:.2f} %", over))
    note = "The last column is the largest torque over its limit on a grid 20 times denser than the nodes, as a share."
    head = ("Intervals", "Even knots, s", "Free knots, s", "Gain", "Limits exceeded by")
    return (Table("Minimum time of the two revolute joints", head, tuple(rows), note),)
