"""What the names in a study's tidy tables mean: a table of its own, beside them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from pipeline.analysis.cycles import JOINTS
from pipeline.analysis.variables import (
    CYCLE_VARIABLES,
    PARAMETERS,
    SKELETON_VARIABLES,
    STEP_VARIABLES,
    TIME_VARIABLES,
    Quantity,
    Variable,
)
from pipeline.conventions import SIDES
from pipeline.results.tables.predicted import MEASURES, SOLVER

HEADER = ("table", "column", "name", "unit", "meaning")

KINDS: dict[str, dict[str, str]] = {
    "study_curves": {
        "cycle": "one gait cycle, numbered from 1 within the trial, 0 to 100 % from initial contact to the next",
        "mean": "mean over the cycles of a side; without a trial, over those of all walks of the subject",
        "sd": "standard deviation over the same cycles",
        "norm mean": "mean of the norm at the walk's dimensionless speed",
        "norm sd": "standard deviation of the norm's sample",
        "stance total": "moment over the first clean stance, 0 to 100 % from initial contact to foot off",
        "stance ground": "part of that moment that balances the ground reaction",
        "stance gravity": "part of that moment that balances gravity",
        "stance inertia": "part of that moment that accelerates the segments",
        "full body": "one gait cycle on the whole skeleton, the motion as the markers have it (untouched)",
        "full body consistent": "the same cycle of the motion bent towards balance with the plates",
        "stance matrix form": "moment over the first clean stance, of the equations in matrix form",
        "stance skeleton": "the same moment of recursive dynamics on the whole skeleton, untouched motion",
        "stance skeleton consistent": "the same of the consistent motion",
        "left against right t": "Student's t of all left against all right cycles of the subject",
    },
    "study_scalars": {
        "cycle": "of one gait cycle, numbered from 1 within the trial",
        "mean": "mean over the cycles of a side",
        "sd": "standard deviation over the same cycles",
        "symmetry": "left minus right over their mean, in percent",
        "profile": "Movement Analysis Profile: root mean square difference of an angle from the norm",
        "norm profile": "the same, usual in the norm's sample: root mean square over its members",
        "score": "Gait Profile Score of a side, and without a side of both",
        "norm score": "Gait Profile Score of a side that is usual in the norm's sample",
        "trial": "of the walk, or of all walks of the subject together",
        "subject": "value of the subject with which the walk was computed",
        "segment mass": "mass of a segment in the matrix form",
        "segment length": "length of a segment in the matrix form that scales its inertia",
        "full body": "of the walk on the whole skeleton, whichever motion",
        "full body untouched": "of the motion as the markers have it",
        "full body consistent": "of the motion bent towards balance with the plates",
        "marker rms untouched": "root mean square distance of a marker from its place on the skeleton",
        "marker rms consistent": "the same of the consistent motion",
        "marker largest untouched": "largest distance of a marker from its place on the skeleton",
        "marker largest consistent": "the same of the consistent motion",
        "segment size": "size of a segment of the skeleton in percent of that of the stature's average",
        "mass factor": "mass of a group of segments in the consistent motion over that of the table",
        "constant turn": "constant turn of a joint that the standing posture shows",
        "joint from standing centre": "distance of the skeleton's joint from the joint centre of the static trial",
        "coordinate may be off": "by which a coordinate may be off when each marker is off by 5 mm",
        "coordinate at limit": "part of the frames in which a coordinate is at its limit",
        "left against right": "threshold, degrees of freedom, curves and clusters of the t of left against right",
    },
    "study_times": {
        "kinematic": "motion as the markers have it",
        "residual_reduced": "motion bent towards balance with the plates",
        "as fitted": "coordinate of the skeleton in the window of forward dynamics",
        "reproduced": "the same coordinate as forward dynamics reproduces it from the computed torques",
    },
    "predicted_curves": {
        "predicted": "over the gait cycle, like the measured curves of study_curves",
        "predicted motion": "over the predicted step or stride",
        "t": "Student's t of predicted against measured, of several walks",
        "difference": "mean of predicted less measured, of the same walks",
    },
}
"""Values of the column kind."""

EVENTS = {
    "initial contact": "a foot comes to the ground",
    "foot off": "a foot leaves the ground",
    "contact begin": "a foot comes on a plate; left_out says why the contact was not used, and is empty if it was",
    "contact end": "it leaves the plate",
}

TIMES = {f"{side}_{joint}_flexion": "coordinate of the skeleton" for side in SIDES for joint in JOINTS}
"""Curves over time that are in no registry: coordinates in the window of forward dynamics."""

SCALARS = {
    "initial_contact": ("s", "initial contact that begins the cycle, from the first frame"),
    "foot_off": ("s", "the foot leaves the ground, from the first frame"),
    "next_initial_contact": ("s", "initial contact that ends the cycle, from the first frame"),
    "opposite_foot_off": ("s", "the other foot leaves the ground within the cycle, from the first frame"),
    "opposite_initial_contact": ("s", "initial contact of the other foot within the cycle, from the first frame"),
    "plate": ("1", "plate that carries the cycle's stance cleanly; absent where none does"),
    "gps": ("deg", "Gait Profile Score"),
    "walking_speed": ("m/s", "mean over all cycles of both sides"),
    "leg_length": ("m", "mean of both legs"),
    "dimensionless_speed": ("1", "walking speed over the root of gravity times leg length"),
    "norm_speed": ("1", "dimensionless speed at which the norm is read"),
}

WHAT: dict[Quantity, str] = {
    "moments": "internal, of the proximal on the distal segment",
    "forces": "magnitude of the net joint force",
    "markers": "root mean square distance of the markers from their places on the skeleton",
    "residual_force": "residual force at the pelvis",
    "residual_moment": "residual moment at the pelvis",
}
"""What the curves of a quantity are, where their labels do not say it."""

AGREEMENT = {
    "predicted": "value of the predicted walk",
    "measured": "value of the measured walk",
    "rmse": "root mean square difference, for the ground reaction over stance",
    "offset": "mean of the predicted less that of the measured curve",
    "rmse_shape": "root mean square difference with the offset taken off",
    "nrmse": "root mean square difference over the range of the measured curve",
    "r": "correlation",
    "peak_predicted": "largest predicted value in the direction of the measured peak",
    "peak_measured": "measured value farthest from zero",
    "timing": "delay of the predicted peak",
    "iterations": "iterations of the solver",
    "variables": "design variables of the problem",
    "constraints": "constraint rows",
    "active": "constraint rows on a bound",
    "max_violation": "largest violation at the nodes over its tolerance",
    "optimality": "first-order optimality",
    "slip": "largest speed of a point that touches the ground, denser grid",
    "lift": "largest distance of such a point from the ground, denser grid",
    "balance": "largest residual of whole-body balance",
}


def dictionary_rows() -> Iterator[tuple[str, ...]]:
    """Rows under `HEADER`; a unit is empty where it differs from row to row."""
    for table, kinds in KINDS.items():
        yield from ((table, "kind", name, "", meaning) for name, meaning in kinds.items())
    yield from (("study_events", "event", name, "", meaning) for name, meaning in EVENTS.items())
    for table, variables in (
        ("study_curves", CYCLE_VARIABLES | SKELETON_VARIABLES),
        ("study_times", TIME_VARIABLES),
        ("predicted_curves", CYCLE_VARIABLES | STEP_VARIABLES),
    ):
        yield from (
            (table, "variable", name, variable.units, _meaning(variable)) for name, variable in variables.items()
        )
    yield from (("study_times", "variable", name, "deg", meaning) for name, meaning in TIMES.items())
    for parameter in PARAMETERS.values():
        yield "study_scalars", "parameter", parameter.name, parameter.units, parameter.definition
    for name, (unit, meaning) in SCALARS.items():
        yield "study_scalars", "parameter", name, unit, meaning
    for name, meaning in AGREEMENT.items():
        yield "predicted_vs_measured", "measure", name, (MEASURES | SOLVER).get(name) or "", meaning


def _meaning(variable: Variable) -> str:
    """Its label, signs, and what curves of its quantity are."""
    return ", ".join(filter(None, (variable.label, variable.sign, WHAT.get(variable.quantity, ""))))


def write_dictionary(path: Path) -> None:
    """Write all rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEADER, *dictionary_rows()])
    path.write_text(text.getvalue(), encoding="utf-8")
