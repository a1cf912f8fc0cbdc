"""What the names in a study's tidy tables mean: a table of its own, beside them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from pipeline.analysis.cycles import JOINTS, PARAMETERS
from pipeline.analysis.variables import VARIABLES
from pipeline.analysis.whole_body.measures import FORCE_AXES, MOMENT_AXES
from pipeline.analysis.whole_body.variables import BODY_VARIABLES
from pipeline.conventions import SIDES
from pipeline.reporting.figures.scales import title_of
from pipeline.reporting.figures.whole_body_scales import BODY_SCALES
from pipeline.results.tables.predicted import MEASURES, SOLVER

HEADER = ("table", "column", "name", "unit", "meaning")

KINDS: dict[str, dict[str, str]] = {
    "study_curves": {
        "cycle": "one gait cycle, numbered from 1 within the trial, over 0 to 100 % from strike to next strike",
        "mean": "mean over the cycles of a side; without a trial, over those of all walks of the subject",
        "sd": "standard deviation over the same cycles",
        "norm mean": "mean of the norm at the walk's dimensionless speed",
        "norm sd": "standard deviation of the norm's sample",
        "stance total": "moment over the first clean stance, 0 to 100 % from strike to foot off",
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
    "strike": "a foot comes to the ground",
    "off": "a foot leaves the ground",
    "contact begin": "a foot comes on a plate; left_out says why the contact was not used, and is empty if it was",
    "contact end": "it leaves the plate",
}

CURVES = {
    "ankle_rotation": "Ankle rotation, internal positive, external negative",
    "foot_pitch": "Foot pitch, toes up positive, toes down negative",
}
"""Curves that no figure shows."""

TIMES = {
    "marker_distance_rms": ("mm", "root mean square distance of the markers from their places on the skeleton"),
    **{f"residual_force_{axis}": ("%BW", "residual force at the pelvis") for axis in FORCE_AXES},
    **{f"residual_moment_{axis}": ("%BW*height", "residual moment at the pelvis") for axis in MOMENT_AXES},
    **{f"{side}_{joint}_flexion": ("deg", "coordinate of the skeleton") for side in SIDES for joint in JOINTS},
}

SCALARS = {
    "strike": ("s", "strike that begins the cycle, from the first frame"),
    "foot_off": ("s", "the foot leaves the ground, from the first frame"),
    "next_initial_contact": ("s", "strike that ends the cycle, from the first frame"),
    "opposite_off": ("s", "the other foot leaves the ground within the cycle, from the first frame"),
    "opposite_initial_contact": ("s", "strike of the other foot within the cycle, from the first frame"),
    "plate": ("1", "plate that carries the cycle's stance cleanly; absent where none does"),
    "gps": ("deg", "Gait Profile Score"),
    "walking_speed": ("m/s", "mean over all cycles of both sides"),
    "leg_length": ("m", "mean of both legs"),
    "dimensionless_speed": ("1", "walking speed over the root of gravity times leg length"),
    "norm_speed": ("1", "dimensionless speed at which the norm is read"),
}

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
    for name, variable in (BODY_VARIABLES | VARIABLES).items():
        yield "study_curves", "variable", name, variable.units, _curve(name)
    for name, (unit, meaning) in TIMES.items():
        yield "study_times", "variable", name, unit, meaning
    for name, (unit, meaning) in (PARAMETERS | SCALARS).items():
        yield "study_scalars", "parameter", name, unit, meaning
    for name, meaning in AGREEMENT.items():
        yield "predicted_vs_measured", "measure", name, (MEASURES | SOLVER).get(name) or "", meaning


def _curve(name: str) -> str:
    """The title of the curve's panels, its signs as they stand there, and what it is by its kind."""
    if name in CURVES:
        return CURVES[name]
    scale = BODY_SCALES[name]
    signs = [
        f"{word.lower()} {sign}" for word, sign in ((scale.positive, "positive"), (scale.negative, "negative")) if word
    ]
    what = {"Nm/kg": "internal, of the proximal on the distal segment", "BW": "magnitude of the net joint force"}
    title = title_of(name) if name in VARIABLES else scale.title
    return ", ".join([title, *signs, *filter(None, [what.get(scale.units)])])


def write_dictionary(path: Path) -> None:
    """Write all rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEADER, *dictionary_rows()])
    path.write_text(text.getvalue(), encoding="utf-8")
