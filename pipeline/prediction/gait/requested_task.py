"""What a row of the predictions asks for, with what it leaves blank taken from the measured walk that it names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.analysis.walk_parameters import parameter_of
from pipeline.config import Prediction
from pipeline.prediction import GaitTask, PredictionError
from pipeline.prediction.gait.body import HEEL, make_walker
from pipeline.skeleton import Skeleton, merge_frozen
from pipeline.trial import GaitCycles, Note


def task_of(row: Prediction, skeleton: Skeleton, measured: GaitCycles | None) -> tuple[GaitTask, tuple[Note, ...]]:
    """The task of a row, and what it has from the measured walk.

    Args:
        row: what is asked.
        skeleton: who walks; its heels turn the distance of the measured heels into that of the ankles.
        measured: the walk that the row names; None if it names none.

    Raises:
        PredictionError: neither the row nor the walk tells speed or step length.
    """
    given = GaitTask(
        speed=row.speed_m_s or np.nan,
        step_length=row.step_length_m or np.nan,
        double_support=row.double_support,
        step_width=row.step_width_m,
        friction=row.friction,
        form=row.form,
    )
    if row.toe_out_deg is not None:
        given = replace(given, toe_out=float(np.radians(row.toe_out_deg)))
    if measured is None:
        return given, ()
    taken, told = _taken(row, skeleton, measured)
    task = replace(given, **taken)  # type: ignore[arg-type]
    for name in ("speed", "step_length"):
        if not np.isfinite(getattr(task, name)):
            raise PredictionError(
                f"its {name.replace('_', ' ')} is not known: it has no whole gait cycle that shows it",
                where=f"walk {measured.name}",
                remedy="Give it in predictions.tsv, or predict another walk",
            )
    return task, (Note("info", "task", f"of the measured walk {measured.name}: {', '.join(told)}"),) if told else ()


def _taken(row: Prediction, skeleton: Skeleton, measured: GaitCycles) -> tuple[dict[str, float], list[str]]:
    """What the row leaves blank and the walk knows, and the same in words."""
    values: dict[str, float] = {}
    told = []

    def take(field: str, given: float | None, value: float, words: str) -> None:
        if given is None and np.isfinite(value):
            values[field] = value
            told.append(words)

    def mean(name: str) -> float:
        return parameter_of(measured.cycles, name)

    both, degrees, heels = mean("double_support") / 100.0, mean("toe_out"), mean("step_width")
    take("speed", row.speed_m_s, mean("speed"), f"speed {mean('speed'):.3f} m/s")
    # Not the measured step length: its rear heel has risen and moved forward at the other foot's initial contact.
    half = 0.5 * mean("stride_length")
    take("step_length", row.step_length_m, half, f"step length {half:.3f} m, half the stride")
    take("double_support", row.double_support, both, f"double support {both:.3f} of a step")
    take("toe_out", row.toe_out_deg, float(np.radians(degrees)), f"toe-out {degrees:.1f} degrees")
    # A foot that points outwards has its heel nearer to the midline than its ankle.
    toe_out = values.get("toe_out", float(np.radians(row.toe_out_deg or 0.0)))
    heel = make_walker(merge_frozen(skeleton)).contacts[HEEL][0]
    ankles = heels - 2.0 * heel * float(np.sin(toe_out))
    take(
        "step_width",
        row.step_width_m,
        float(ankles),
        f"step width {ankles:.3f} m of the ankles, {heels:.3f} m of the heels",
    )
    return values, told
