"""A predicted walk compared with a measured one, curve by curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pipeline.analysis.agreement import curve_agreement
from pipeline.analysis.cycles import foot_off
from pipeline.analysis.mixed_steps import mixed_notes
from pipeline.analysis.norm import Norm, dimensionless_speed
from pipeline.analysis.predicted.cycle import predicted_cycle, predicted_forces
from pipeline.analysis.predicted.low_passed import low_passed
from pipeline.analysis.predicted.motion import motion_curves
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.summary import average
from pipeline.analysis.variables import COMPARED_PARAMETERS, CYCLE_VARIABLES, JOINT_FORCES, VARIABLES, Variable
from pipeline.analysis.walk_parameters import parameter_of
from pipeline.conventions import SIDES
from pipeline.trial import (
    CurveAgreement,
    CycleCurves,
    GaitCycles,
    LowPass,
    Note,
    PredictedComparison,
    PredictedWalk,
    SharedParameter,
    WholeBody,
)

_SHARED_MEASURES = ("rmse", "offset", "rmse_shape", "nrmse", "r", "timing")


def compare(
    walk: PredictedWalk, measured: GaitCycles | None, body: WholeBody | None = None, norm: Norm | None = None
) -> PredictedComparison:
    """Curves of both walks over the gait cycle of each side, and their agreement.

    Predicted curves and parameters are low-pass filtered like the measured walk (`low_passed`).

    Args:
        walk: the prediction.
        measured: the walk to compare with; None for none.
        body: that walk on the skeleton, for comparing net joint forces too; None leaves these out.
        norm: its mean curves at the measured speed are compared with the measured ones too.
    """
    compared = CYCLE_VARIABLES | (JOINT_FORCES if body else {})
    variables = {name: variable for name, variable in VARIABLES.items() if name in compared}
    axes = measured.moment_axes if measured else "distal"
    of_side = {side: [c for c in measured.cycles if c.cycle.side == side] if measured else [] for side in SIDES}
    shown = tuple(side for side in SIDES if of_side[side])
    alike = low_passed(walk, measured.low_pass if measured else None)
    own = {side: predicted_cycle(alike, side, axes) for side in shown}
    forces = {side: predicted_forces(alike, side) for side in shown}
    shape = (len(shown), len(variables), len(PERCENT))
    predicted = np.array(
        [[_predicted(v, own[side], forces[side]) for v in variables.values()] for side in shown]
    ).reshape(shape)
    averages = [
        average([_measured(v, c, body) for c in of_side[side]], PERCENT.shape)
        for side in shown
        for v in variables.values()
    ]
    foot_offs = np.array([foot_off(own[side]) for side in shown])
    measured_offs = np.array([np.mean([foot_off(c) for c in of_side[side]]) for side in shown])
    cycles = [c for side in shown for c in of_side[side]]
    found = PredictedComparison(
        name=walk.name,
        subject=walk.subject,
        walk=measured.name if measured else "",
        asked=measured is not None and measured.name == walk.task.walk,
        moment_axes=axes,
        side_names=shown,
        variable_names=tuple(variables),
        percent=PERCENT,
        variable_units=tuple(v.units for v in variables.values()),
        predicted=predicted,
        measured=np.array([one.mean for one in averages]).reshape(shape),
        measured_sd=np.array([one.sd for one in averages]).reshape(shape),
        predicted_foot_off=foot_offs,
        measured_foot_off=measured_offs,
        motion=motion_curves(walk),
        parameters=tuple(
            SharedParameter(name, entry.units, parameter_of(list(own.values()), name), parameter_of(cycles, name))
            for name, entry in COMPARED_PARAMETERS.items()
            if cycles
        ),
        agreement=(),
        notes=_notes(walk, of_side, body, measured.low_pass) if measured and cycles else (),
    )
    found = replace(found, agreement=tuple(_agreements(found, found.predicted)))
    if norm is None or not cycles or walk.task.flight:  # norms are of walking
        return found
    speed = dimensionless_speed(parameter_of(cycles, "speed"), walk.task.leg_length)
    return replace(found, norm=norm.name, norm_agreement=tuple(_of_norm(found, norm, speed)))


def _predicted(variable: Variable, cycle: CycleCurves, forces: dict[str, np.ndarray]) -> np.ndarray:
    return forces[variable.step.joint] if variable.quantity == "forces" and variable.step else variable.of(cycle)


def _measured(variable: Variable, cycle: CycleCurves, body: WholeBody | None) -> np.ndarray:
    """A net joint force is taken from the skeleton, for cycles with a clean step on a plate only, like all loads."""
    if body is None or variable.skeleton is None or variable.cycle:
        return variable.averaged(cycle)
    known = (
        cycle.cycle.plate
        and not cycle.set_aside
        and variable.skeleton.observability(body, cycle.cycle.side)[0] != "estimated"
    )
    return variable.over_cycles(body, body.kinematic, [cycle.cycle])[0] if known else np.full(len(PERCENT), np.nan)


def _of_norm(both: PredictedComparison, norm: Norm, speed: float) -> Iterator[CurveAgreement]:
    """Agreement of the norm's mean curves; those with another zero are compared in shape only."""
    if not np.isfinite(speed):
        return
    bands = [norm.band(name, speed, both.percent) for name in both.variable_names]
    unknown = np.full(len(both.percent), np.nan)
    means = np.array([unknown if band is None else band.mean for band in bands])
    for found in _agreements(both, np.broadcast_to(means, both.measured.shape)):
        other_zero = found.variable in norm.other_zeros
        yield replace(found, rmse=np.nan, offset=np.nan, nrmse=np.nan) if other_zero else found


def _agreements(both: PredictedComparison, curves: np.ndarray) -> Iterator[CurveAgreement]:
    """Agreement of every curve that the measured walk has; for the ground reaction over the longer of the predicted and
    measured stance only, since both are zero in swing."""
    for k, side in enumerate(both.side_names):
        stance = max(both.predicted_foot_off[k], both.measured_foot_off[k]) >= both.percent
        for row, (name, unit) in enumerate(zip(both.variable_names, both.variable_units, strict=True)):
            reference = both.measured[k, row]
            if VARIABLES[name].quantity == "ground":
                reference = np.where(stance, reference, np.nan)
            found = curve_agreement(both.percent, curves[k, row], reference)
            if np.isfinite(found.rmse):
                shared = {field: getattr(found, field) for field in _SHARED_MEASURES}
                peaks = {"peak_predicted": found.reference_peak + found.peak, "peak_measured": found.reference_peak}
                yield CurveAgreement(variable=name, side=side, unit=unit, count=found.count, **shared, **peaks)


def _notes(
    walk: PredictedWalk, of_side: dict[str, list[CycleCurves]], body: WholeBody | None, filter: LowPass | None
) -> tuple[Note, ...]:
    """Notes on how curves are compared, and on limitations of the comparison."""
    notes = []
    if filter:
        loads = "" if filter.forces == filter.markers else f", loads at {filter.forces:g} Hz"
        text = f"predicted curves are low-pass filtered at {filter.markers:g} Hz{loads}, as the measured ones are"
        notes.append(Note("info", "filter", text))
    lengths = {side: parameter_of(cycles, "step_length") for side, cycles in of_side.items() if cycles}
    if walk.task.form == "step" and len(lengths) == 2:
        text = "one symmetric step is compared with both sides; measured step lengths are " + " and ".join(
            f"{length:.3f} m ({side})" for side, length in lengths.items()
        )
        notes.append(Note("info", "symmetry", text))
    for side, cycles in of_side.items():
        if not cycles:
            notes.append(
                Note("left out", f"{side} side", "not compared: the measured walk has no gait cycle of the side")
            )
        elif not any(c.cycle.plate or c.estimated for c in cycles):
            notes.append(Note("left out", f"{side} side", "no measured moments, powers or ground reaction"))
        notes += mixed_notes(cycles)
    if body is None:
        text = "not compared: the measured walk was not fitted to the whole skeleton"
        notes.append(Note("left out", "net joint forces", text))
    return tuple(notes)
