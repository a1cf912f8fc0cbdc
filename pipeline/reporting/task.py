"""The page of a task's optimal motion: postures, coordinates, torques, internal loads and sensitivities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.reporting.figures.panels import Curve, Panel, Row, XAxis, YAxis
from pipeline.reporting.notes import by_heading
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ReportRun
from pipeline.trial import RepeatedTask, TaskMotion

SHOWN_JOINTS = 9
"""Maximum number of joints on the page; of a body with more, those that come closest to their load limits."""

POSTURES, POINTS = 7, 240
"""Number of postures in the picture, and of points of a curve on the page; the files have all."""

SIZE, MARGIN = 360.0, 24.0
"""Maximum height of the picture (half its maximum width) and its margin, pixels."""


def write_task_report(path: Path, motion: TaskMotion, run: ReportRun) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        motion: the optimal motion.
        run: the file, its contents as configuration, and versions.
    """
    joints, (postures, size) = _shown(motion), _postures(motion)
    write_page(
        path,
        "task.html.j2",
        run=run,
        motion=motion,
        notes=by_heading(motion.notes),
        postures=postures,
        size=size,
        rows=[_row(motion, j) for j in joints],
        panels=[*_panels(motion, joints)],
        repeated=motion.repeated,
        left_out=len(motion.joint_names) - len(joints),
        **(_repeated(motion, motion.repeated) if motion.repeated else {}),
    )


def _shown(motion: TaskMotion) -> list[int]:
    """Joints on the page, in the order of the file."""
    moved = np.flatnonzero((np.ptp(motion.q, axis=0) > 1e-6) & np.isfinite(motion.tau_limit)).tolist()
    limited = [j for j in moved if not (motion.task == "lift" and motion.joint_names[j].startswith("left_"))]
    by_share = sorted(limited, key=lambda j: -float(np.abs(motion.tau[:, j]).max() / motion.tau_limit[j]))
    return sorted(by_share[:SHOWN_JOINTS])


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _units(motion: TaskMotion, j: int) -> tuple[str, float, str]:
    """Units of the coordinate, the factor to them, and units of the torque or force."""
    return ("°", float(np.degrees(1.0)), "Nm") if motion.joint_kinds[j] == "R" else ("m", 1.0, "N")


def _row(motion: TaskMotion, j: int) -> dict[str, Any]:
    """A joint in the table.

    ``lowest`` to ``highest`` is the range of the coordinate, in ``units``; ``share`` that of the limit of torque or
    force that its peak reaches; ``force`` and ``moment`` are peaks of the internal load, N and Nm; ``by_coordinate`` is
    the largest derivative of the torque or force by the joint's own coordinate, ``inertia`` the range of the joint's
    own inertia, the diagonal of the mass matrix.
    """
    units, factor, effort = _units(motion, j)
    q, peak = factor * motion.q[:, j], float(np.abs(motion.tau[:, j]).max())
    inertia = motion.dtau_dqdd[:, j, j]
    return {
        "name": _title(motion.joint_names[j]),
        "units": units,
        "effort_units": effort,
        "lowest": float(q.min()),
        "highest": float(q.max()),
        "peak": peak,
        "share": peak / float(motion.tau_limit[j]),
        "force": float(np.linalg.norm(motion.force_G[:, j], axis=1).max()),
        "moment": float(np.linalg.norm(motion.moment_G[:, j], axis=1).max()),
        "by_coordinate": float(np.abs(motion.dtau_dq[:, j, j]).max()),
        "inertia": (float(inertia.min()), float(inertia.max())),
    }


def _panels(motion: TaskMotion, joints: list[int]) -> Iterator[Row]:
    """For each joint a row with its coordinate, its torque with the limits, and the internal force."""
    take = np.unique(np.linspace(0, len(motion.time) - 1, POINTS).round().astype(int))
    time = motion.time[take]
    across = XAxis(0.0, float(time[-1]), "s")
    for j in joints:
        units, factor, effort = _units(motion, j)
        q, tau = factor * motion.q[take, j], motion.tau[take, j]
        force = np.linalg.norm(motion.force_G[take, j], axis=1)
        limit = float(motion.tau_limit[j])
        ends = np.array([time[0], time[-1]])
        near = [Curve(ends, np.full(2, side * limit), "limit") for side in (-1.0, 1.0) if np.abs(tau).max() > limit / 2]
        kind = "Torque" if effort == "Nm" else "Force"
        yield Row(
            _title(motion.joint_names[j]),
            (
                _panel("Coordinate", units, time, q, across),
                _panel(f"{kind} of the actuator", effort, time, tau, across, near),
                _panel("Internal force", "N", time, force, across),
            ),
        )


def _panel(
    title: str, units: str, x: np.ndarray, y: np.ndarray, across: XAxis, limits: list[Curve] | None = None
) -> Panel:
    drawn = np.concatenate([y, [0.0], *(curve.y for curve in limits or [])])
    low, high = float(drawn.min()), float(drawn.max())
    if high - low < 1e-6:
        low, high = low - 1.0, high + 1.0
    largest = max(abs(low), abs(high))
    decimals = int(np.clip(2 - np.floor(np.log10(largest)), 0, 4))
    return Panel(
        YAxis(title, units, low, high, decimals),
        (Curve(x, y, "predicted", title), *(limits or [])),
        across=across,
    )


STYLES = ("total", "ground", "gravity", "inertia")
"""Line styles of the joints that fatigue most."""


def _repeated(motion: TaskMotion, again: RepeatedTask) -> dict[str, Any]:
    """The section on a repeated task: curves of the joints on the page that lose most strength, in that order."""
    joints = sorted(_shown(motion), key=lambda j: float(again.strength[-1, j]))[: len(STYLES)]
    keys = [(style, _title(motion.joint_names[j])) for style, j in zip(STYLES, joints, strict=False)]
    row = _repeated_row(motion, again, joints, keys)
    return {"repeated_row": row, "repeated_keys": keys, "minutes": again.lifts * again.every / 60.0}


def _repeated_row(motion: TaskMotion, again: RepeatedTask, joints: list[int], keys: Sequence[tuple[str, str]]) -> Row:
    """Strength, peak torque and posture over the repetitions, for some joints with the styles and labels of curves."""
    every, solved = np.arange(1.0, again.lifts + 1.0), np.append(again.number, again.lifts).astype(float)
    across = XAxis(1.0, max(float(again.lifts), 2.0), "lifts")

    def panel(title: str, units: str, number: np.ndarray, values: np.ndarray, low: float, high: float) -> Panel:
        curves = tuple(Curve(number, of_joint, *key) for of_joint, key in zip(values.T, keys, strict=True))
        return Panel(YAxis(title, units, low, high, 1), curves, across=across)

    left = again.strength[:, joints]
    peaks = np.abs(again.tau).max(axis=1)[:, joints] / motion.tau_limit[joints]
    peaks = peaks[np.searchsorted(again.number, every, side="right") - 1]  # repeated until the next solved lift
    angle = np.degrees(again.q[:, :, joints])
    largest = np.take_along_axis(angle, np.abs(angle).argmax(axis=1)[:, None], axis=1)[:, 0]
    low, high = float(largest.min()), float(largest.max())
    return Row(
        "",
        (
            panel("Remaining strength", "%", every, 100.0 * left, 0.0, 100.0),
            panel("Peak torque over remaining strength", "%", every, 100.0 * peaks / left, 0.0, 100.0),
            panel("Largest angle", "°", solved, largest[[*range(len(largest)), -1]], min(low, 0.0), max(high, 1.0)),
        ),
    )


def _postures(motion: TaskMotion) -> tuple[list[tuple[str, float]], tuple[float, float]]:
    """Postures at equal time intervals in the plane of largest movement, earliest palest; and the picture's size.

    A posture is the SVG path of the lines between the joints, and its opacity.
    """
    places = np.concatenate([np.zeros((len(motion.time), 1, 3)), motion.origin_G], axis=1)  # the base first
    spread = np.ptp(places.reshape(-1, 3), axis=0)
    plane = [0, 1] if motion.task != "arm" else sorted(np.argsort(spread)[1:].tolist())
    flat = places[:, :, plane]
    drawn = [
        (j + 1, int(p) + 1)
        for j, p in enumerate(motion.parents)
        if motion.task == "arm" or (p >= 0 and motion.joint_kinds[j] == "R")  # the translations of a body are not links
    ]
    used = sorted({k for pair in drawn for k in pair})
    low, high = flat[:, used].min(axis=(0, 1)), flat[:, used].max(axis=(0, 1))
    scale = (SIZE - 2 * MARGIN) / max(float(high[1] - low[1]), float(high[0] - low[0]) / 2.0, 1e-9)
    x = MARGIN + scale * (flat[..., 0] - low[0])
    y = MARGIN + scale * (high[1] - flat[..., 1])
    frames = np.linspace(0, len(motion.time) - 1, POSTURES).round().astype(int)
    size = 2 * MARGIN + scale * (high - low)
    found = [
        (
            " ".join(
                f"M{x[frame, a]:.1f} {y[frame, a]:.1f}L{x[frame, b]:.1f} {y[frame, b]:.1f}"
                for b, a in drawn
                if np.hypot(x[frame, a] - x[frame, b], y[frame, a] - y[frame, b]) > 0.05
            ),
            round(0.2 + 0.8 * number / (POSTURES - 1), 2),
        )
        for number, frame in enumerate(frames)
    ]
    return found, (round(float(size[0]), 1), round(float(size[1]), 1))
