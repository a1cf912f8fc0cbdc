"""The tables of walks and subjects: curves over the gait cycle, scalars, events, and curves over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
import pandas as pd

from pipeline.analysis import (
    CYCLE_VARIABLES,
    ESTIMATED,
    PARAMETERS,
    SAGITTAL_MOMENTS,
    SET_ASIDE,
    SKELETON_VARIABLES,
    TIME_VARIABLES,
    VARIABLES,
    body_measures,
    kind_of_cycle,
    loads_of_cycles,
    mapped_scalars,
    margins_of_stability,
    motions,
    stance_moments,
)
from pipeline.results.tables.details import segment_details, subject_details, whole_body_details
from pipeline.results.tables.estimated import (
    estimated_curves,
    estimated_scalars,
    fatigue_scalars,
    fatigue_times,
    muscle_rows,
)
from pipeline.results.tables.features import feature_rows
from pipeline.results.tables.frames import Row, curve, frame, over_time, scalar
from pipeline.trial import (
    CurveUncertainty,
    Findings,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    InverseDynamics,
    MotionAndPlates,
    MuscleLoads,
    WholeBody,
)

SIDES_TESTED = "left against right"

CYCLE_TIMES = ("initial_contact", "foot_off", "next_initial_contact", "opposite_foot_off", "opposite_initial_contact")
"""Instants of a cycle among the scalars."""


@dataclass(frozen=True)
class WalkResults:
    """Results of a walk for its tables; all but the first four are optional.

    With a walk on the skeleton come its joint loads in matrix form.
    """

    plates: MotionAndPlates
    cycles: GaitCycles
    summary: GaitSummary
    findings: Findings
    body: WholeBody | None = None
    loads: InverseDynamics | None = None
    session: str = "1"
    condition: str = ""
    uncertainty: CurveUncertainty | None = None
    muscles: MuscleLoads | None = None
    estimated: GroundFromMotion | None = None


def walk_tables(walk: WalkResults) -> dict[str, pd.DataFrame]:
    """The rows of a walk by table."""
    summary = walk.summary
    who = {"subject": summary.subject, "session": walk.session, "condition": walk.condition, "trial": summary.name}
    curves, scalars = [*_cycle_curves(walk.cycles), *_summary_curves(summary)], [*_cycle_scalars(walk.cycles)]
    curves += _stance_curves(walk.cycles)
    scalars += [*_stance_scalars(walk.cycles), *_summary_scalars(summary), *subject_details(walk.plates.calibration)]
    scalars += segment_details(walk.plates.calibration)
    if walk.uncertainty:
        curves += _uncertainty_curves(walk.uncertainty)
        scalars += _uncertainty_scalars(walk.uncertainty)
    tables = {
        "study_cycle_loads": frame("study_cycle_loads", _cycle_loads(walk), **who),
        "study_events": frame("study_events", _events(walk.plates), **who),
        "study_features": frame("study_features", feature_rows(walk.cycles, summary), **who),
        "study_findings": frame("study_findings", _findings(walk), **who),
    }
    if walk.estimated:
        curves += estimated_curves(walk.estimated)
        scalars += estimated_scalars(walk.estimated)
    if walk.muscles:
        curves += muscle_rows(walk.cycles, walk.muscles)
        scalars += fatigue_scalars(walk.cycles, walk.muscles)
    if (body := walk.body) and walk.loads:
        curves += [*_method_curves(walk.plates, body, walk.loads), *_whole_body_curves(walk.cycles, body)]
        scalars += [*_whole_body_scalars(body, walk.cycles), *whole_body_details(body)]
        times = [*_times(body), *(fatigue_times(walk.cycles, walk.muscles) if walk.muscles else ())]
        tables["study_times"] = frame("study_times", times, **who)
    return tables | {
        "study_curves": frame("study_curves", _with_values(curves), **who),
        "study_scalars": frame("study_scalars", _with_values(scalars), **who),
    }


def subject_tables(summary: GaitSummary, session: str = "1", condition: str = "") -> dict[str, pd.DataFrame]:
    """The rows of all walks of a session and condition together, by table."""
    who = {"subject": summary.subject, "session": session, "condition": condition}
    curves, scalars = [*_summary_curves(summary)], [*_summary_scalars(summary)]
    for name, test in summary.sides_compared.items():
        mixed = f", {ESTIMATED}" * (any(summary.estimated_count.values()) and VARIABLES[name].is_kinetic)
        curves.append(curve(f"{SIDES_TESTED} t{mixed}", name, test.t, "1"))
        scalars += [
            scalar(f"{SIDES_TESTED}{mixed}", f"{name} {what}", value, unit)
            for what, value, unit in mapped_scalars(test)
        ]
    return {
        "study_curves": frame("study_curves", _with_values(curves), **who),
        "study_scalars": frame("study_scalars", _with_values(scalars), **who),
    }


def _with_values(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if np.isfinite(row["value"]).any()]


def _cycle_curves(cycles: GaitCycles) -> Iterator[Row]:
    for number, cycle in enumerate(cycles.cycles, start=1):
        for name, variable in CYCLE_VARIABLES.items():
            yield curve(
                kind_of_cycle(variable, cycle), name, variable.of(cycle), variable.units, cycle.cycle.side, number
            )


def _stance_curves(cycles: GaitCycles) -> Iterator[Row]:
    for number, curves in enumerate(cycles.stances, start=1):
        for name, variable in CYCLE_VARIABLES.items():
            kind = f"stance, {SET_ASIDE}" if variable.is_set_aside(curves) else "stance"
            yield curve(kind, name, variable.of(curves), variable.units, curves.stance.side, number)


def _stance_scalars(cycles: GaitCycles) -> Iterator[Row]:
    for number, curves in enumerate(cycles.stances, start=1):
        stance = curves.stance
        yield scalar("stance", "initial_contact", stance.onset, "s", stance.side, number)
        yield scalar("stance", "foot_off", stance.end, "s", stance.side, number)
        for plate in stance.plates:
            yield scalar("stance", "plate", plate, "1", stance.side, number)


def _summary_curves(summary: GaitSummary) -> Iterator[Row]:
    units = summary.variable_units
    for side in summary.mean:
        mixed = summary.estimated_count[side] > 0
        for kind, of_kind in (("mean", summary.mean), ("sd", summary.sd)):
            for name, values in of_kind[side].items():
                marked = f"{kind}, {ESTIMATED}" if mixed and VARIABLES[name].is_kinetic else kind
                yield curve(marked, name, values, units[name], side)
    for name, contributions in summary.contributions.items():
        for side, of_side in contributions.items():
            for part, values in of_side.items():
                kind = "stance moment" if part == "total" else f"stance contribution of {part}"
                yield curve(kind, name, values, VARIABLES[name].units, side)
    for kind, of_norm in (("norm mean", summary.norm_mean), ("norm sd", summary.norm_sd)):
        for name, values in of_norm.items():
            yield curve(kind, name, values, units[name])


def _uncertainty_curves(uncertainty: CurveUncertainty) -> Iterator[Row]:
    kinds = {
        "uncertainty": uncertainty.sd,
        "uncertainty band below": uncertainty.band_below,
        "uncertainty band above": uncertainty.band_above,
    }
    for kind, values in kinds.items():
        for side, of_side in zip(uncertainty.side_names, values, strict=True):
            named = uncertainty.variable_names, of_side, uncertainty.variable_units
            yield from map(curve, repeat(kind), *named, repeat(side))


def _uncertainty_scalars(uncertainty: CurveUncertainty) -> Iterator[Row]:
    """Root mean square over the cycle of the standard deviations due to each source."""
    for source, of_source in zip(uncertainty.source_names, uncertainty.by_source, strict=True):
        for side, of_side in zip(uncertainty.side_names, of_source, strict=True):
            named = zip(uncertainty.variable_names, uncertainty.variable_units, of_side, strict=True)
            for name, unit, values in named:
                known = values[np.isfinite(values)]
                rms = float(np.sqrt(np.mean(known**2))) if len(known) else np.nan
                yield scalar(f"uncertainty due to {source}", name, rms, unit, side)


def _method_curves(plates: MotionAndPlates, body: WholeBody, loads: InverseDynamics) -> Iterator[Row]:
    """The legs' sagittal moments over stance, by each method."""
    for (side, joint), methods in stance_moments(body, plates, loads).items():
        for method, values in methods.items():
            yield curve(f"stance {method}", SAGITTAL_MOMENTS[joint], values, "Nm/kg", side)


def _whole_body_curves(cycles: GaitCycles, body: WholeBody) -> Iterator[Row]:
    own = [curves.cycle for curves in cycles.cycles]
    found = {
        (name, label): variable.over_cycles(body, motion, own)
        for name, variable in SKELETON_VARIABLES.items()
        for label, motion in motions(body).items()
    }
    for number, cycle in enumerate(own, start=1):
        for (name, label), values in found.items():
            units = SKELETON_VARIABLES[name].units
            yield curve(f"whole body {label}", name, values[number - 1], units, cycle.side, number)


def _cycle_scalars(cycles: GaitCycles) -> Iterator[Row]:
    for number, curves in enumerate(cycles.cycles, start=1):
        cycle = curves.cycle
        for name, parameter in PARAMETERS.items():
            yield scalar("cycle", name, curves.parameters[name], parameter.units, cycle.side, number)
        for name in CYCLE_TIMES:
            yield scalar("cycle", name, getattr(cycle, name), "s", cycle.side, number)
        for plate in cycle.plates:
            yield scalar("cycle", "plate", plate, "1", cycle.side, number)


def _cycle_loads(walk: WalkResults) -> Iterator[Row]:
    plates = walk.plates
    for found in loads_of_cycles(walk.cycles.cycles, plates.stances, len(plates.plates)):
        yield {"side": found.side, "cycle": found.number, "loads": found.loads, "reason": found.reason}


def _summary_scalars(summary: GaitSummary) -> Iterator[Row]:
    for side, gps in summary.gps.items():
        for name, unit in summary.parameter_units.items():
            yield scalar("mean", name, summary.parameter_mean[side][name], unit, side)
            yield scalar("sd", name, summary.parameter_sd[side][name], unit, side)
        for name, value in summary.profile[side].items():
            yield scalar("profile", name, value, "deg", side)
        yield scalar("score", "gps", gps, "deg", side)
        if summary.estimated_count[side]:
            yield scalar("mean", "cycles_with_estimated_loads", summary.estimated_count[side], "1", side)
    for name, value in summary.symmetry.items():
        yield scalar("symmetry", name, value, "%")
    yield scalar("score", "gps", summary.gps_overall, "deg")
    for name, value in summary.norm_profile.items():
        yield scalar("norm profile", name, value, "deg")
    yield scalar("norm score", "gps", summary.norm_gps, "deg")
    for name, value, unit in (
        ("walking_speed", summary.walking_speed, "m/s"),
        ("cadence", summary.cadence, "steps/min"),
        ("leg_length", summary.leg_length, "m"),
        ("dimensionless_speed", summary.speed, "1"),
        ("norm_speed", summary.norm_speed, "1"),
    ):
        yield scalar("trial", name, value, unit)


def _whole_body_scalars(body: WholeBody, cycles: GaitCycles) -> Iterator[Row]:
    for measure in chain(body_measures(body), margins_of_stability(body, cycles)):
        kind = f"whole body {measure.motion}".strip()
        yield scalar(kind, measure.name, measure.value, measure.unit, measure.side)


def _findings(walk: WalkResults) -> Iterator[Row]:
    """Findings, then warnings of the skeleton's page, and warnings on plates that the motion contradicts."""
    for finding in walk.findings.findings:
        what = {"grade": finding.grade, "about": finding.subject, "finding": finding.sentence, "source": finding.source}
        effects = {"angle_error": finding.angle_error, "moment_error": finding.moment_error}
        yield {**what, "value": finding.value, "limit": finding.limit, "unit": finding.units, **effects}
    notes = {
        "the whole skeleton": walk.body.notes if walk.body else (),
        "loads estimated from motion": walk.estimated.notes if walk.estimated else (),
    }
    for source, of_source in notes.items():
        for note in of_source:
            if note.kind == "warning":
                yield {"grade": "warning", "about": note.subject, "finding": note.text, "source": source}


def _events(walk: MotionAndPlates) -> Iterator[Row]:
    """Events, then contacts with plates, with the reason if a contact is not used."""
    for event in walk.events:
        yield {"side": event.side, "event": event.kind, "time": event.time, "source": event.source}
    for stance in walk.stances:
        for plate in stance.plates:
            of_plate = {"side": stance.side, "plate": plate, "left_out": stance.rejected}
            for name, time in (("contact begin", stance.onset), ("contact end", stance.end)):
                yield {**of_plate, "event": name, "time": time}


def _times(body: WholeBody) -> Iterator[Row]:
    """Curves over the recording, and the pelvis' coordinates in the window of the forward simulation."""
    for kind, motion in motions(body).items():
        for name, variable in TIME_VARIABLES.items():
            if variable.time:
                yield from over_time(kind, name, body.time, variable.time(body, motion), variable.units)
    if found := body.forward_check:
        for k, name in enumerate(found.pelvis_names):
            factor, unit = (1.0, "m") if k < 3 else (np.degrees(1.0), "deg")
            for kind, values in (("inverse kinematics", found.fitted), ("forward simulation", found.simulated)):
                yield from over_time(kind, name, found.window, factor * values[:, k], unit)
