"""Export a study's results as tidy tables for statistics, one kind of value per table, as Parquet and as CSV.

Values of cycles, means over cycles, and the norm are in separate tables or columns, so that no filter is needed to
keep them apart. Every row gives subject, sex, age, session, date, condition and trial. A row of a comparison gives
sessions, dates, conditions and sides of both groups of walks. Walks without results, and those that were refused or
not fully checked, are left out, and listed in left_out with the reason. The table dictionary gives unit, sign and
meaning of the variables and parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from pipeline.analysis import (
    CYCLE_VARIABLES,
    PARAMETERS,
    PERCENT,
    STEP_ERRORS,
    Variable,
    clinical_moments,
    estimated_steps,
    from_estimated_loads,
    muscle_curves,
    sides_from_estimated_loads,
)
from pipeline.config import SessionKey, Study, Trial, TrialKey
from pipeline.conventions import SIDES
from pipeline.results.reading import read_computed, read_stage
from pipeline.results.study_exports.pieces import Pieces
from pipeline.results.study_exports.walks import computed, computed_comparisons, described, left_out, read_asked
from pipeline.results.tables import dictionary_table, group_tables
from pipeline.trial import (
    CycleCurves,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    GroupComparison,
    InverseDynamics,
    Kinematics,
    MuscleActivity,
    MuscleFatigue,
    MuscleLoads,
    StanceCurves,
)

Tables = Iterator[tuple[str, pd.DataFrame]]

_NAMES = ("variable", "parameter")
"""Columns whose values the dictionary defines."""


def write(study: Study, results: Path, folder: Path) -> dict[TrialKey, str]:
    """Write the tables; return why walks are left out. Raises ResultsError if no walk was computed."""
    reasons = left_out(study, results)
    walks = [(trial, session) for trial, session in computed(study, results, "summary") if trial.key not in reasons]
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".pieces-", dir=folder) as beside:
        pieces, named = Pieces(Path(beside)), set[tuple[str, str]]()
        for name, table in _tables(study, results, walks, reasons):
            pieces.add(name, table)
            named |= {(column, value) for column in _NAMES if column in table for value in table[column].unique()}
        pieces.add("dictionary", _dictionary(named))
        pieces.write(folder)
    return reasons


def _tables(
    study: Study, results: Path, walks: Sequence[tuple[Trial, Path]], reasons: Mapping[TrialKey, str]
) -> Tables:
    """Pieces of all tables but the dictionary, walk by walk; ``reasons`` say why other walks are left out."""
    for trial, session in walks:
        file, who = f"{trial.trial}.h5", described(study, trial)
        cycles = read_stage(session / "cycles" / file, GaitCycles)
        tables = [
            *_cycles(cycles),
            *_means(read_stage(session / "summary" / file, GaitSummary)),
            *_leg_series(
                read_stage(session / "kinematics" / file, Kinematics),
                read_stage(session / "inverse_dynamics" / file, InverseDynamics),
                cycles.moment_axes,
            ),
            *_muscles(session / "emg" / file),
            *_estimated(read_asked(study, session / "muscles" / file, MuscleLoads), cycles),
            *_estimated_steps(read_asked(study, session / "ground_from_motion" / file, GroundFromMotion)),
        ]
        for name, table in tables:
            for position, (column, value) in enumerate(who.items()):
                table.insert(position, column, value)
            yield name, table
    for key, reason in reasons.items():
        yield "left_out", pd.DataFrame([{**described(study, study.trials[key]), "reason": reason}])
    for both in computed_comparisons(study, results):
        about = _compared(study, both)
        for name, table in group_tables(both).items():
            yield name.removeprefix("study_"), table.assign(**about)


def _dictionary(named: Collection[tuple[str, str]]) -> pd.DataFrame:
    """Unit, symbol, and meaning with the sign, of variables and parameters, given as pairs of column and value."""
    every = dictionary_table()["study_dictionary"].drop(columns="table").drop_duplicates(["column", "name"])
    known = [pair in named for pair in zip(every["column"], every["name"], strict=True)]
    return every[known].reset_index(drop=True)


def _compared(study: Study, both: GroupComparison) -> dict[str, object]:
    """Columns with the subject's sex and the dates on which the groups of a comparison walked."""
    sessions = {which: SessionKey(both.subject, getattr(both, which).session) for which in ("first", "second")}
    days = {f"{which}_date": study.date_of(session) for which, session in sessions.items()}
    return {"sex": study.subjects[both.subject].sex, **{name: day and day.isoformat() for name, day in days.items()}}


def _cycles(cycles: GaitCycles) -> Tables:
    """Curves of each cycle, of each clean step outside complete cycles, and spatiotemporal parameters of each cycle."""
    curves, parameters = [], []
    for number, cycle in enumerate(cycles.cycles, start=1):
        same = {"side": cycle.cycle.side, "cycle": number}
        same |= {"estimated_loads": True} if cycle.estimated else {}
        curves += [
            _curve(same | _marked(variable, cycle), name, variable.of(cycle), variable.units)
            for name, variable in CYCLE_VARIABLES.items()
        ]
        parameters += [
            {**same, "parameter": name, "unit": parameter.units, "value": cycle.parameters[name]}
            for name, parameter in PARAMETERS.items()
        ]
    yield "cycle_curves", _joined(curves)
    steps = [
        _curve(
            {"side": step.stance.side, "step": number} | _marked(variable, step),
            *(name, variable.of(step), variable.units, "percent_of_stance"),
        )
        for number, step in enumerate(cycles.stances, start=1)
        for name, variable in CYCLE_VARIABLES.items()
    ]
    if steps:
        yield "step_curves", _joined(steps)
    yield "cycle_parameters", pd.DataFrame(parameters)


def _marked(variable: Variable, curves: CycleCurves | StanceCurves) -> dict[str, object]:
    """A column for curves that are in no average."""
    return {"set_aside": True} if variable.is_set_aside(curves) else {}


def _means(summary: GaitSummary) -> Tables:
    """Mean curves of a walk's cycles by side, with the norm at its speed, and means of spatiotemporal parameters."""
    curves = []
    mixed = any(summary.estimated_count.values())
    for side, means in summary.mean.items():
        for name, mean in means.items():
            count = summary.count[side][name]
            if count and np.isfinite(mean).any():
                columns: dict[str, object] = {"side": side, "variable": name, "unit": summary.variable_units[name]}
                columns |= {"percent": summary.percent, "mean": mean, "sd": summary.sd[side][name], "cycles": count}
                if mixed:
                    columns |= {"estimated": bool(summary.estimated_count[side] and CYCLE_VARIABLES[name].is_kinetic)}
                norm = {"norm_mean": summary.norm_mean[name], "norm_sd": summary.norm_sd[name]} if summary.norm else {}
                curves.append(pd.DataFrame(columns | norm))
    yield "walk_mean_curves", _joined(curves)
    parameters = []
    for side, of_side in summary.parameter_mean.items():
        for name, average in of_side.items():
            row = {"side": side, "parameter": name, "unit": summary.parameter_units[name]}
            parameters.append(row | {"mean": average, "sd": summary.parameter_sd[side][name]})
    yield "walk_mean_parameters", pd.DataFrame(parameters)


def _leg_series(walk: Kinematics, loads: InverseDynamics, moment_axes: str) -> Tables:
    """Angles (deg), internal moments (Nm/kg) and powers (W/kg) of the legs over the time of the recording."""
    parts = []
    for side in SIDES:
        for joint in ("hip", "knee", "ankle"):
            name = f"{side}_{joint}"
            if name not in loads.joints:
                continue
            load = loads.joints[name]
            moment = load.moment_G if moment_axes == "global" else getattr(load, f"moment_{moment_axes}")
            extensor, abductor, rotator = (clinical_moments(name, moment) / loads.mass).T
            flexion, adduction, rotation = np.degrees(walk.angles[name]).T
            columns = {"side": side, "joint": joint, "time_s": walk.time, "flexion_deg": flexion}
            columns |= {"adduction_deg": adduction, "internal_rotation_deg": rotation}
            columns |= {"extensor_moment_nm_kg": extensor, "abductor_moment_nm_kg": abductor}
            columns |= {"external_rotator_moment_nm_kg": rotator, "power_w_kg": load.power / loads.mass}
            parts.append(pd.DataFrame(columns))
    if parts:
        yield "leg_time_series", _joined(parts)


def _muscles(path: Path) -> Tables:
    """EMG envelopes of each cycle in V and as a fraction of the walk's reference, if computed."""
    activity, parts = read_computed(path, MuscleActivity), []
    if not activity:
        return
    for cycle in activity.cycles:
        k = activity.side_names.index(cycle.side)
        for m, muscle in enumerate(activity.muscle_names):
            values = cycle.envelope[m]
            if np.isfinite(values).any():
                columns = {"side": cycle.side, "cycle": cycle.number, "muscle": muscle, "percent": activity.percent}
                fraction = values / activity.reference[k, m]
                parts.append(pd.DataFrame(columns | {"envelope_v": values, "fraction_of_reference": fraction}))
    if parts:
        yield "emg_cycles", _joined(parts)


def _estimated(loads: MuscleLoads | None, cycles: GaitCycles) -> Tables:
    """Estimated muscle activations and forces and joint contact forces of each cycle, and fatigue, if computed."""
    if loads:
        parts = []
        for number, cycle in enumerate(cycles.cycles, start=1):
            same: dict[str, object] = {"side": cycle.cycle.side, "cycle": number}
            same |= {"estimated_loads": True} if from_estimated_loads(loads, cycle.cycle) else {}
            curves = muscle_curves(loads, cycle.cycle)
            parts += [_curve(same, name, values, unit) for name, (values, unit) in curves.items()]
        yield "estimated_muscle_curves", _joined(parts)
        if loads.fatigue:
            mixed = sides_from_estimated_loads(loads, [curves.cycle for curves in cycles.cycles])
            yield "muscle_fatigue", _fatigue(loads.fatigue, mixed)


def _estimated_steps(found: GroundFromMotion | None) -> Tables:
    """Loads of each step estimated from motion, with the standard deviation of their error, and a row per step."""
    if not found:
        return
    curves, steps = [], []
    for number, loads in enumerate(estimated_steps(found), start=1):
        step = loads.step
        same: dict[str, object] = {"side": step.side, "step": number, "measured_too": bool(step.plate)}
        for name, unit, values in loads.curves():
            sd = loads.error_sd.get(name, np.full(len(values), np.nan))
            part = _curve(same, name, values, unit, "percent_of_stance")
            curves.append(part.assign(error_sd=sd[np.isfinite(values)]))
        times = {"initial_contact_s": step.start, "foot_off_s": step.stop, "plate": step.plate or None}
        steps.append(same | times | {f"error_{name}": getattr(step, name) for name in STEP_ERRORS})
    if curves:
        yield "estimated_step_curves", _joined(curves)
        yield "estimated_steps", pd.DataFrame(steps)


def _fatigue(fatigue: MuscleFatigue, mixed: set[str]) -> pd.DataFrame:
    """Capacity after an hour of the walk, and endurance time of the cycle's peak load, by muscle."""
    rows = []
    for at in np.ndindex(fatigue.held.shape):
        (case, side, muscle), last = at, fatigue.capacity[(*at, -1)]
        if np.isfinite(last):
            row: dict[str, object] = {"case": fatigue.case_words[case], "side": fatigue.side_names[side]}
            row |= {"estimated_loads": True} if fatigue.side_names[side] in mixed else {}
            row |= {"muscle": fatigue.muscles[muscle], "capacity_after_hour": last}
            rows.append(row | {"peak_load": fatigue.peak_load[at], "peak_held_min": fatigue.held[at]})
    return pd.DataFrame(rows)


def _curve(same: dict[str, object], name: str, values: np.ndarray, unit: str, along: str = "percent") -> pd.DataFrame:
    known = np.isfinite(values)
    return pd.DataFrame({**same, "variable": name, "unit": unit, along: PERCENT[known], "value": values[known]})


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame()
