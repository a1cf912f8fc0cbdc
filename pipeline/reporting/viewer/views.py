"""Contents of the 3-D views: a recording around its gait cycles, or a predicted gait cycle with a measured one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.analysis import PERCENT, whole_stride
from pipeline.reporting.viewer.bodies import measured_figure, predicted_figure
from pipeline.reporting.viewer.scene import FRAMES_PER_CYCLE, MAX_FRAMES, Figure, at_times, scene, scene_of_points
from pipeline.trial import Cycle, Kinematics, PredictedWalk

MARGIN = 0.25
"""Time shown before the first and after the last gait cycle of a recording, s."""


def trial_scene(kinematics: Kinematics, body: Figure | None = None) -> dict[str, Any]:
    """The recording around its gait cycles, for the page of a trial.

    Args:
        kinematics: of the recording.
        body: figure over `kinematics.time`; by default the legs of `measured_figure`.
    """
    cycles = _shown(kinematics.cycles)
    time, duration = kinematics.time, 1.0
    still = float(time[len(time) // 2])
    kept = slice(None)
    if cycles:
        duration = float(np.mean([c.next_initial_contact - c.initial_contact for c in cycles]))
        start = min(c.initial_contact for c in cycles) - MARGIN
        stop = max(c.next_initial_contact for c in cycles) + MARGIN
        kept = slice(*np.searchsorted(time, [start, min(stop, start + MAX_FRAMES / FRAMES_PER_CYCLE * duration)]))
        first = next((c for c in cycles if c.plate), cycles[0])
        still = 0.65 * first.initial_contact + 0.35 * first.foot_off
    return scene_of_points(
        time[kept],
        [(body or measured_figure(kinematics)).over(lambda values: values[kept])],
        cycle=duration,
        still=still,
        plates=[plate.corners_G for plate in kinematics.plates if np.isfinite(plate.corners_G).all()],
    )


def _shown(cycles: Sequence[Cycle]) -> Sequence[Cycle]:
    """Cycles with kinetics and those between them; all cycles if none has kinetics."""
    with_plate = [k for k, cycle in enumerate(cycles) if cycle.plate]
    return cycles[with_plate[0] : with_plate[-1] + 1] if with_plate else cycles


def prediction_scene(walk: PredictedWalk, measured: Kinematics | None, body: Figure | None = None) -> dict[str, Any]:
    """A predicted gait cycle and a measured one from the initial contact of the same foot, for the prediction's page.

    Args:
        walk: the prediction.
        measured: the measured walk; None for none.
        body: figure over the time of the measured walk; by default the legs of `measured_figure`.
    """
    percent = PERCENT[:: int(np.ceil((len(PERCENT) - 1) / FRAMES_PER_CYCLE))]
    cycles = sorted(measured.cycles if measured else (), key=lambda c: (not c.plate, c.side == "left"))
    walk = whole_stride(walk)
    time, stride, whole = walk.time, predicted_figure(walk), float(walk.time[-1])
    wanted = percent / 100.0 * whole
    if cycles and cycles[0].side == "left":  # the left foot's cycle begins half a cycle later
        following = _moved(stride, np.array([2.0 * walk.task.step_length, 0.0, 0.0]))
        stride = stride.over(lambda one, other: np.concatenate([one, other[1:]]), following)
        time, wanted = np.concatenate([time, whole + time[1:]]), wanted + 0.5 * whole
    figures = [stride.over(at_times(time, wanted))]
    if measured and cycles:
        start, end = cycles[0].initial_contact, cycles[0].next_initial_contact
        own = start + percent / 100.0 * (end - start)
        figures.append((body or measured_figure(measured)).over(at_times(measured.time, own)))
    return scene(figures, label="Gait cycle, %", clock=percent, duration=whole, still=len(percent) // 16, loops=True)


def _moved(figure: Figure, by: np.ndarray) -> Figure:
    points = {name: point + by for name, point in figure.points.items()}
    return replace(figure, points=points, forces=[replace(f, point_G=f.point_G + by) for f in figure.forces])
