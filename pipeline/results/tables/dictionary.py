"""The dictionary of a study's tidy tables: a table with the meaning of their names."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pipeline.analysis import (
    AS_WALKED,
    CYCLE_VARIABLES,
    ESTIMATED,
    ESTIMATED_CYCLE,
    FATIGUE_MUSCLES,
    GROUPS,
    KNEE_PARTS,
    LOADS,
    PARAMETERS,
    PUBLISHED,
    SET_ASIDE,
    SKELETON_VARIABLES,
    STEP_VARIABLES,
    TIME_VARIABLES,
    WITH_LOAD,
    WITH_WEAK_MUSCLES,
    Quantity,
)
from pipeline.conventions import SIDES
from pipeline.results.tables import estimated
from pipeline.results.tables.features import SCORE
from pipeline.results.tables.frames import COLUMNS, Row, frame
from pipeline.results.tables.predicted import MEASURES, NORM, OF_NORM, SOLVER
from pipeline.uncertainty import SOURCES

FATIGUE = {
    AS_WALKED: "muscle fatigue over an hour of the walk as it was",
    WITH_LOAD: "the same with a mass carried on the trunk (config.yaml, muscles, carried), solved again",
    WITH_WEAK_MUSCLES: "the same with weak muscles (config.yaml, muscles, weak), solved again",
}
"""Cases of muscle fatigue."""


def _fatigue_kinds(what: str = "") -> dict[str, str]:
    """Kinds and meaning of rows of muscle fatigue."""
    measured = {f"fatigue {case}": f"{what}{meaning}" for case, meaning in FATIGUE.items()}
    mixed = "; moments of part of the side's cycles come from loads estimated from motion"
    return measured | {f"{kind}, {ESTIMATED}": f"{meaning}{mixed}" for kind, meaning in measured.items()}


KINDS: dict[str, dict[str, str]] = {
    "study_curves": {
        "cycle": "one gait cycle, numbered from 1 within the trial, over 0 to 100 % between two initial contacts",
        "stance": "one clean step on a plate outside complete gait cycles, numbered from 1 within the trial, over 0 to "
        "100 % from initial contact to foot off",
        f"cycle, {SET_ASIDE}": "one gait cycle of a curve that is in no average: a doubtful one, or loads that are set "
        "aside (study_cycle_loads has the reason)",
        f"stance, {SET_ASIDE}": "one such step of a curve that is set aside",
        "mean": "mean over the cycles of a side that are averaged; without a trial, over those of all walks of the "
        "session and condition",
        "sd": "standard deviation over the same cycles",
        ESTIMATED_CYCLE: "loads of one gait cycle without a plate, estimated from motion, if config.yaml "
        "asks for estimated_steps in averages",
        f"{ESTIMATED_CYCLE}, {SET_ASIDE}": "one such cycle of a curve that is in no average",
        f"mean, {ESTIMATED}": "mean of loads over the cycles of a side, some or all of them with estimated loads",
        f"sd, {ESTIMATED}": "standard deviation over the same cycles",
        "uncertainty": "standard deviation of the error of the mean of a side's cycles, if config.yaml asks for it",
        "uncertainty band below": "how far the 95 % band of that error reaches below the mean",
        "uncertainty band above": "how far it reaches above the mean",
        "norm mean": "mean of the norm at the walk's dimensionless speed",
        "norm sd": "standard deviation of the norm's sample",
        "stance moment": "moment over the first clean stance, 0 to 100 % from initial contact to foot off",
        "stance contribution of ground": "contribution of the ground reaction to that moment",
        "stance contribution of gravity": "contribution of gravity",
        "stance contribution of inertia": "contribution of the segments' accelerations and velocities",
        "whole body kinematic": "one gait cycle of the motion of the whole-body skeleton fitted to markers; angles are "
        "coordinates of that model, zero when upright with arms down, not angles between segment axes as for the kinds "
        "cycle and mean",
        "whole body residual-reduced": "the same cycle of the motion after residual reduction",
        **estimated.CURVE_KINDS,
        "stance matrix form": "moment over the first clean stance, by the equations in matrix form",
        "stance whole body kinematic": "the same moment by recursive inverse dynamics of the whole body",
        "stance whole body residual-reduced": "the same after residual reduction",
        "left against right t": "Student's t of all left against all right cycles of the session and condition",
        f"left against right t, {ESTIMATED}": "the same of loads, some or all of them estimated from motion",
    },
    "study_scalars": {
        "cycle": "of one gait cycle, numbered from 1 within the trial",
        "stance": "of one clean step on a plate outside complete gait cycles, numbered from 1 within the trial",
        **estimated.SCALAR_KINDS,
        "mean": "mean over the cycles of a side",
        "sd": "standard deviation over the same cycles",
        "symmetry": "left minus right over their mean, in percent",
        "profile": "Movement Analysis Profile: root mean square difference of an angle from the norm",
        "norm profile": "root mean square of the profiles of the norm's sample",
        "score": "Gait Profile Score of a side; without a side, of both sides",
        "norm score": "root mean square of the Gait Profile Scores of a side in the norm's sample",
        "trial": "of the walk, or of all walks of the session and condition together",
        "subject": "value of the subject with which the walk was computed",
        "segment mass": "mass of a segment in the matrix form",
        "segment length": "length of a segment in the matrix form that scales its inertia",
        **{
            f"uncertainty due to {source}": "standard deviation of the error of the mean of a side's cycles due to "
            "that source, root mean square over the cycle"
            for source in SOURCES
        },
        "whole body": "of the walk on the skeleton, whichever motion",
        "whole body kinematic": "of the motion fitted to the markers",
        "whole body residual-reduced": "of the motion after residual reduction",
        "marker error rms kinematic": "root mean square distance of a measured marker from the model's",
        "marker error rms residual-reduced": "the same after residual reduction",
        "marker error maximum kinematic": "maximum distance of a measured marker from the model's",
        "marker error maximum residual-reduced": "the same after residual reduction",
        "segment scale factor": "size of a segment of the skeleton in percent of the generic one at the same height",
        "mass factor": "mass of a group of segments after residual reduction over that of the generic skeleton",
        "joint offset": "constant angle added at a joint, from the static trial",
        "joint centre error": "distance of the skeleton's joint from the joint centre of the static trial",
        "coordinate uncertainty": "uncertainty of a coordinate when each marker has an error of 5 mm, in the "
        "least certain of ten poses",
        "coordinate at limit": "share of the frames in which a coordinate is at its limit",
        **_fatigue_kinds(),
        "left against right": "threshold, degrees of freedom, curves and clusters of the t of left against right",
        f"left against right, {ESTIMATED}": "the same of loads, some or all of them estimated from motion",
    },
    "study_features": {
        "cycle": "of one gait cycle, numbered from 1 within the trial",
        f"cycle, {SET_ASIDE}": "of one gait cycle of a curve that is in no average",
        "mean": "mean over the cycles of a side that are averaged",
        ESTIMATED_CYCLE: "loads of one gait cycle without a plate, estimated from motion",
        f"{ESTIMATED_CYCLE}, {SET_ASIDE}": "of one such cycle of a curve that is in no average",
        f"mean, {ESTIMATED}": "mean of loads over these cycles, some or all of them with estimated loads",
        f"sd, {ESTIMATED}": "standard deviation over the same cycles",
        "sd": "standard deviation over the same cycles",
        "norm": "of the norm's mean curve at the walk's dimensionless speed, in the phases of the side's mean events",
        "norm sd": "standard deviation of the norm's sample where that curve has its extreme values, and its mean",
        "score": "Movement Analysis Profile of a curve and Gait Profile Score of a side, in the column mean",
        "norm score": "root mean square of these over the norm's sample",
    },
    "study_times": {
        "kinematic": "motion fitted to the markers",
        "residual-reduced": "motion after residual reduction",
        "inverse kinematics": "coordinate of the pelvis in the window of the forward simulation",
        "forward simulation": "the same for a body moved only by gravity and the plates, with prescribed joints",
        **_fatigue_kinds("over the hour, every five minutes: "),
    },
    "study_comparisons": {
        "parameter": "spatiotemporal parameter",
        "profile": "column of the Movement Analysis Profile",
        "score": "Gait Profile Score; without sides, of both sides together",
        "feature": "statistic of a curve in a phase of the gait cycle, mean of the cycles",
    },
    "predicted_curves": {
        "predicted": "over the gait cycle, like the measured curves of study_curves",
        "measured mean": "net joint force on the skeleton, mean of a side's cycles with a clean step on a plate",
        "measured sd": "standard deviation of these cycles",
        "predicted motion": "over the predicted stride, from the right foot's initial contact",
        "t": "Student's t of predicted against measured, of several walks",
        "difference": "mean of predicted minus measured, of the same walks",
    },
}
"""Values of the column ``kind``, by table."""

EVENTS = {
    "initial contact": "a foot touches the ground",
    "foot off": "a foot leaves the ground",
    "contact begin": "a foot touches a plate; left_out says why the contact was not used, and is empty if it was",
    "contact end": "the foot leaves the plate",
}

CHANGES = {
    "first": "value of all cycles of the first group of walks, or of the first side",
    "second": "value of the second",
    "change": "second minus first",
    "half_width": "half the 95 % confidence interval of the change, within this subject, from leaving out each walk; "
    "missing if a group has one walk",
    "first_sd": "standard deviation between the walks of the first",
    "second_sd": "standard deviation between the walks of the second",
    "t": "Student's t along the curve, if spm1d is installed",
    "first_estimated": "of loads: cycles of the first group or side with loads estimated from motion; 0 if all are "
    "measured",
    "second_estimated": "the same of the second",
}
"""Numerical columns of the comparisons' tables."""

CYCLE_LOADS = dict(
    zip(
        LOADS,
        ("moments, powers and ground reaction of a clean step on a plate", "estimated from motion", "none"),
        strict=True,
    )
)
"""Loads of a gait cycle."""

PHASES = {
    "cycle": "initial contact to the next of the same foot",
    "stance": "initial contact to foot off",
    "swing": "foot off to initial contact",
    "loading_response": "initial contact to the opposite foot off",
    "single_support": "opposite foot off to opposite initial contact",
    "mid_stance": "first half of single support",
    "terminal_stance": "second half of single support",
    "pre_swing": "opposite initial contact to foot off",
    "initial_swing": "first third of swing",
    "mid_swing": "second third of swing",
    "terminal_swing": "last third of swing",
}
"""Phases of the gait cycle."""

FEATURE_COLUMNS = {
    "start": "start of the phase in percent of the gait cycle",
    "end": "end of the phase in percent of the gait cycle",
    "minimum": "minimum in the phase",
    "minimum_percent": "time of the minimum in percent of the gait cycle",
    "maximum": "maximum in the phase",
    "maximum_percent": "time of the maximum in percent of the gait cycle",
    "range": "maximum minus minimum",
    "mean": "mean over the phase",
}
"""Columns of the features of curves."""

GRADES = {
    "note": "for information",
    "warning": "to be checked",
    "refusal": "the results of the walk must not be used; they are in no average",
}
"""Grades of findings."""

EFFECTS = {
    "angle_error": ("deg", "largest effect that the finding may have on a joint angle; empty if not known"),
    "moment_error": ("Nm/kg", "largest effect that the finding may have on a joint moment; empty if not known"),
}
"""Columns with the possible effect of a finding on the results: unit and meaning."""

TIMES = {f"pelvis_{name}": "m" for name in ("tx", "ty", "tz")} | {
    f"pelvis_{name}": "deg" for name in ("rotation", "list", "tilt")
}
"""Units of curves over time without a registry: the pelvis' coordinates in the window of the forward simulation."""

SCALARS = {
    "initial_contact": ("s", "initial contact that begins the cycle, from the first frame"),
    "foot_off": ("s", "the foot leaves the ground, from the first frame"),
    "next_initial_contact": ("s", "initial contact that ends the cycle, from the first frame"),
    "opposite_foot_off": ("s", "the other foot leaves the ground within the cycle, from the first frame"),
    "opposite_initial_contact": ("s", "initial contact of the other foot within the cycle, from the first frame"),
    "plate": ("1", "plate with the clean stance, a row for each of two plates; absent if there is none"),
    "cycles_with_estimated_loads": ("1", "cycles of the side whose loads are estimated from motion, in its averages"),
    "gps": ("deg", "Gait Profile Score"),
    "walking_speed": ("m/s", "mean over all cycles of both sides"),
    "leg_length": ("m", "mean of both legs"),
    "dimensionless_speed": ("1", "walking speed over the square root of gravity times leg length"),
    "norm_speed": ("1", "dimensionless speed at which the norm is evaluated"),
    **estimated.PARAMETERS,
}

WHAT: dict[Quantity, str] = {
    "moments": "internal, of the proximal on the distal segment",
    "forces": "magnitude of the net joint force",
    "markers": "root mean square distance of the measured markers from the model's",
    "residual_force": "residual force at the pelvis",
    "residual_moment": "residual moment at the pelvis",
}
"""Definition of the curves of a quantity, if their labels do not include it."""


def dictionary_table() -> dict[str, pd.DataFrame]:
    """The dictionary as a table; a unit is empty if it differs from row to row."""
    return {"study_dictionary": frame("study_dictionary", _rows())}


def _rows() -> Iterator[Row]:
    for table, kinds in KINDS.items():
        yield from (_entry(table, "kind", name, "", meaning) for name, meaning in kinds.items())
    yield from (_entry("study_events", "event", name, "", meaning) for name, meaning in EVENTS.items())
    yield from (_entry("study_cycle_loads", "loads", name, "", meaning) for name, meaning in CYCLE_LOADS.items())
    yield _entry("study_cycle_loads", "reason", "", "", "why the cycle has no loads")
    yield from (_entry("study_findings", "grade", name, "", meaning) for name, meaning in GRADES.items())
    yield from (_entry("study_findings", name, "", unit, meaning) for name, (unit, meaning) in EFFECTS.items())
    for table in ("study_comparisons", "study_comparison_curves"):
        yield from (_entry(table, name, "", "", CHANGES[name]) for name in COLUMNS[table] if name in CHANGES)
    yield from (_entry("study_features", "phase", name, "%", meaning) for name, meaning in PHASES.items())
    yield _entry("study_features", "variable", SCORE, "deg", "Gait Profile Score of a side")
    for name, meaning in FEATURE_COLUMNS.items():
        yield _entry("study_features", name, "", "", meaning)
    for table, variables in (
        ("study_features", CYCLE_VARIABLES),
        ("study_curves", CYCLE_VARIABLES | SKELETON_VARIABLES),
        ("study_times", TIME_VARIABLES),
        ("study_comparison_curves", CYCLE_VARIABLES),
        ("predicted_curves", CYCLE_VARIABLES | STEP_VARIABLES),
    ):
        for variable in variables.values():
            meaning = ", ".join(filter(None, (variable.label, variable.sign, WHAT.get(variable.quantity, ""))))
            yield {**_entry(table, "variable", variable.name, variable.units, meaning), "symbol": variable.symbol}
    for name, (unit, meaning) in _estimated():
        yield _entry("study_curves", "variable", name, unit, meaning)
        yield _entry("predicted_curves", "variable", name, unit, meaning)
    for name, unit in TIMES.items():
        yield _entry("study_times", "variable", name, unit, "coordinate of the pelvis")
    yield from _fatigue()
    for parameter in PARAMETERS.values():
        for table in ("study_scalars", "study_comparisons"):
            yield _entry(table, "parameter", parameter.name, parameter.units, parameter.definition)
    for name, (unit, meaning) in SCALARS.items():
        yield _entry("study_scalars", "parameter", name, unit, meaning)
    for name, (unit, meaning) in _agreement().items():
        yield _entry("predicted_vs_measured", "measure", name, unit, meaning)
    meaning = "a quantity of the predicted walk beyond its limit for people"
    yield _entry("predicted_vs_measured", "variable", "warning", "", meaning)


def _agreement() -> dict[str, tuple[str, str]]:
    """Unit and meaning of the measures of predicted walks; those of the norm come after the same of the prediction."""
    walks = {which: ("", f"value of the {which} walk") for which in ("predicted", "measured")}
    both = {name: MEASURES[name] for name in OF_NORM}
    return walks | both | {f"{NORM}{name}": ("", meaning) for name, meaning in OF_NORM.items()} | MEASURES | SOLVER


def _estimated() -> Iterator[tuple[str, tuple[str, str]]]:
    """Estimated curves of muscles and joints: name, unit and meaning."""
    for group in GROUPS:
        muscle = group.replace("_", " ")
        yield f"{group}_activation", ("1", f"estimated activation of the {muscle}, 0 to 1")
        yield f"{group}_force", ("BW", f"estimated force of the {muscle}")
    for joint in PUBLISHED:
        yield f"{joint}_contact_force", ("BW", f"estimated magnitude of the contact force of the {joint}")
    for part in KNEE_PARTS:
        meaning = f"estimated {part} part of the knee's contact force along the shank, by its frontal moment"
        yield f"knee_{part}_contact_force", ("BW", meaning)


def _fatigue() -> Iterator[Row]:
    """Variables and parameters of muscle fatigue."""
    held = "time within the hour that the capacity stays above the peak load; 60 if it always does"
    for group in FATIGUE_MUSCLES:
        muscle = group.replace("_", " ")
        meaning = f"force that the {muscle} could still hold, over that of the rested muscle"
        for side in SIDES:
            yield _entry("study_times", "variable", f"{side}_{group}_capacity", "1", meaning)
        yield _entry("study_scalars", "parameter", f"{group}_capacity", "1", f"{meaning}, after the hour")
        yield _entry("study_scalars", "parameter", f"{group}_peak_load", "1", f"peak activation of the {muscle}")
        yield _entry("study_scalars", "parameter", f"{group}_held", "min", held)


def _entry(table: str, column: str, name: str, unit: str, meaning: str) -> Row:
    return {"table": table, "column": column, "name": name, "unit": unit, "meaning": meaning}
