"""The task of a row of the predictions, with blank cells filled in from the measured walk that the row names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.analysis import is_run, parameter_of
from pipeline.config import Prediction
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import HEEL, make_walker
from pipeline.skeleton import Skeleton, merge_frozen
from pipeline.trial import GaitCycles, Note


def task_of(row: Prediction, skeleton: Skeleton, measured: GaitCycles | None) -> tuple[GaitTask, tuple[Note, ...]]:
    """The task of a row, and a note on what was taken from the measured walk.

    Args:
        row: of the predictions.
        skeleton: its heel offset converts the step width of measured heels to that of ankles.
        measured: the walk that the row names; None if it names none.

    Raises:
        PredictionError: neither the row nor the walk gives the speed or the step length, or a run is to be predicted
            from a walk or a walk from a run.
    """
    given = GaitTask(
        speed=row.speed_m_s or np.nan,
        step_length=row.step_length_m or np.nan,
        double_support=row.double_support,
        flight=row.flight,
        step_width=row.step_width_m,
        friction=row.friction,
        form=row.form,
    )
    if row.toe_out_deg is not None:
        given = replace(given, toe_out=float(np.radians(row.toe_out_deg)))
    if measured is None:
        return given, ()
    taken, texts = _taken(row, given.toe_out, skeleton, measured)
    task = replace(given, **taken)  # type: ignore[arg-type]
    for name in ("speed", "step_length"):
        if not np.isfinite(getattr(task, name)):
            raise PredictionError(
                f"its {name.replace('_', ' ')} is unknown, since it has no complete gait cycle",
                where=f"walk {measured.name}",
                remedy="Give it in predictions.tsv, or predict another walk",
            )
    return task, (Note("info", "task", f"from the measured walk {measured.name}: {', '.join(texts)}"),) if texts else ()


def _taken(
    row: Prediction, toe_out: float, skeleton: Skeleton, measured: GaitCycles
) -> tuple[dict[str, float], list[str]]:
    """Values of the measured walk for the row's blank cells, and the same values as text.

    Args:
        toe_out: rad, of the row, or the default if the row leaves it blank.
    """
    values: dict[str, float] = {}
    texts = []

    def take(field: str, given: float | None, value: float, text: str) -> None:
        if given is None and np.isfinite(value):
            values[field] = value
            texts.append(text)

    def mean(name: str) -> float:
        return parameter_of(measured.cycles, name)

    both, degrees, heels = mean("double_support") / 100.0, mean("toe_out"), mean("step_width")
    take("speed", row.speed_m_s, mean("speed"), f"speed {mean('speed'):.3f} m/s")
    # Not the mean of the measured step lengths, which are known only with the events of both feet.
    half = 0.5 * mean("stride_length")
    take("step_length", row.step_length_m, half, f"step length {half:.3f} m, half the stride")
    _refuse_another_gait(row, measured, both)
    if row.preset == "running":
        flight = 1.0 - mean("stance") / 50.0
        take("flight", row.flight, flight, f"flight {flight:.3f} of a step")
    else:
        take("double_support", row.double_support, both, f"double support {both:.3f} of a step")
    take("toe_out", row.toe_out_deg, float(np.radians(degrees)), f"toe-out {degrees:.1f} degrees")
    # With toe-out the heel is nearer to the midline than the ankle.
    heel = make_walker(merge_frozen(skeleton)).contacts[HEEL][0]
    ankles = heels - 2.0 * heel * float(np.sin(values.get("toe_out", toe_out)))
    take(
        "step_width",
        row.step_width_m,
        float(ankles),
        f"step width {ankles:.3f} m of the ankles, {heels:.3f} m of the heels",
    )
    return values, texts


def _refuse_another_gait(row: Prediction, measured: GaitCycles, double_support: float) -> None:
    """Raise PredictionError if a run is to be predicted from a walk, or a walk with the double support of a run."""
    cycles = measured.cycles
    if row.preset == "running" and cycles and not is_run(cycles):
        what, remedy = "no run", "Name a measured run, or use another preset than running"
    elif row.preset != "running" and row.double_support is None and double_support == 0.0 and is_run(cycles):
        what, remedy = "a run", "Use the preset running in predictions.tsv, or name a walk"
    else:
        return
    stance = f"in it each foot stands for {parameter_of(cycles, 'stance'):.0f} % of the cycle"
    raise PredictionError(f"{stance}, so it is {what}", where=f"walk {measured.name}", remedy=remedy)
