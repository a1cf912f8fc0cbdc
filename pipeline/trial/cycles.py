"""Gait cycles on a common scale, and their averages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, ByAngle, ByJoint, BySide, Note, Quantity, T
from pipeline.trial.statistical_mapping import StatisticalMap
from pipeline.trial.walk import Cycle, LowPass, Stance

NORM_ZEROS = "zeros of the norm"
"""Subject of the note on norm curves moved to the walk's mean."""

_ByPointCurve = Annotated[dict[str, T], Axis("curve", "curve of points of the body")]
_ByVariable = Annotated[dict[str, T], Axis("variable", "curve over the gait cycle")]
_ByParameter = Annotated[dict[str, T], Axis("parameter", "spatiotemporal parameter")]
_Doubtful = Annotated[dict[str, str], Axis("doubtful_curve", "curve in no average")]


@dataclass(frozen=True)
class CycleCurves:
    """One gait cycle on a common scale; three columns are the sagittal, frontal and transverse plane.

    Attributes:
        angles: by joint (``pelvis``, ``hip``, ``knee``, ``ankle``): flexion (pelvis: anterior tilt), adduction (pelvis:
            ipsilateral side up; ankle: inversion), internal rotation (pelvis: ipsilateral side forward); and ``foot``,
            in G: toes up, missing, toes in.
        moments: by joint, internal, per body mass: extensor (ankle: plantarflexor), abductor (ankle: evertor), external
            rotator; missing where the ground reaction is not known.
        powers: by joint, per body mass.
        ground: fore-aft (forward positive), vertical, mediolateral (towards the midline positive) ground reaction on
            this foot, in body weights.
        of_points: curves computed from points of the body, with the names and units of `pipeline.analysis.variables`.
        parameters: spatiotemporal values by name; `PARAMETERS` in `pipeline.analysis` has units and definitions.
        set_aside: why moments, powers and ground reaction are shown but excluded from averages; empty if included.
        doubtful: why single curves are shown but excluded from averages, by their names in
            `pipeline.analysis.variables`.
        estimated: whether moments, powers and ground reaction are estimated from motion because no plate measured them.
    """

    cycle: Cycle
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    angles: ByAngle[Annotated[np.ndarray, Quantity("joint angles", "rad", ("percent", "plane"), "joint")]]
    moments: ByJoint[Annotated[np.ndarray, Quantity("joint moments", "Nm/kg", ("percent", "plane"), "joint")]]
    powers: ByJoint[Annotated[np.ndarray, Quantity("joint power", "W/kg", ("percent",))]]
    ground: Annotated[np.ndarray, Quantity("ground reaction", "body weight", ("percent", "direction"), "G")]
    parameters: _ByParameter[float]
    set_aside: str = ""
    doubtful: _Doubtful = field(default_factory=dict)
    of_points: _ByPointCurve[
        Annotated[np.ndarray, Quantity("curve computed from points", "see variable", ("percent",))]
    ] = field(default_factory=dict)
    estimated: bool = False


@dataclass(frozen=True)
class StanceCurves:
    """One clean step on a plate that belongs to no complete gait cycle, from initial contact to foot off.

    Attributes:
        stance: the contact with the plate.
        angles, moments, powers, ground, set_aside, doubtful, of_points: as in `CycleCurves`, over the stance.
    """

    stance: Stance
    percent: Annotated[np.ndarray, Axis("stance_percent", "stance, from initial contact to foot off", "%")]
    angles: ByAngle[Annotated[np.ndarray, Quantity("joint angles", "rad", ("stance_percent", "plane"), "joint")]]
    moments: ByJoint[Annotated[np.ndarray, Quantity("joint moments", "Nm/kg", ("stance_percent", "plane"), "joint")]]
    powers: ByJoint[Annotated[np.ndarray, Quantity("joint power", "W/kg", ("stance_percent",))]]
    ground: Annotated[np.ndarray, Quantity("ground reaction", "body weight", ("stance_percent", "direction"), "G")]
    set_aside: str = ""
    doubtful: _Doubtful = field(default_factory=dict)
    of_points: _ByPointCurve[
        Annotated[np.ndarray, Quantity("curve computed from points", "see variable", ("stance_percent",))]
    ] = field(default_factory=dict)


@dataclass(frozen=True)
class GaitCycles:
    """All gait cycles of a walk, and its clean steps on plates that belong to none of them.

    Attributes:
        low_pass: the filter behind the curves; None if they are not from one walk.
    """

    name: str
    subject: str
    moment_axes: str
    cycles: Annotated[tuple[CycleCurves, ...], Axis("gait_cycle", "number of the gait cycle")]
    notes: tuple[Note, ...]
    stances: Annotated[tuple[StanceCurves, ...], Axis("contact", "number of the contact with a plate")] = ()
    low_pass: LowPass | None = None


_Mean = Annotated[np.ndarray, Quantity("mean", "see variable_units", ("percent",))]
_Deviation = Annotated[np.ndarray, Quantity("standard deviation", "see variable_units", ("percent",))]
_Contributions = Annotated[
    dict[str, Annotated[np.ndarray, Quantity("contribution to the sagittal moment", "Nm/kg", ("stance_percent",))]],
    Axis("contribution", "contribution to a moment"),
]


@dataclass(frozen=True)
class GaitSummary:
    """The averages of a walk's cycles by side, in reported units, with a norm at the same speed.

    Curves are (percent,) by name of side and variable; spatiotemporal values are by side and parameter. Unknown curves
    and values are NaN.

    Attributes:
        variable_units: of the variables; ``pipeline.analysis.variables`` defines each.
        count: number of cycles averaged: those that have the variable throughout or, if there are none, those that have
            any value of it; the standard deviation is missing for fewer than two.
        parameter_units: of the spatiotemporal parameters.
        symmetry: left minus right over their mean; zero is symmetric.
        walking_speed, cadence: means over all cycles of both sides.
        leg_length: mean of both sides; missing if unknown.
        speed: walking speed over sqrt(g times leg length).
        contributions: to the sagittal moment of a joint over each side's first clean stance, by variable, side and
            contributor; the total is the sum of the others. Missing for a side without such a stance.
        norm, norm_source, norm_sample: empty without a norm.
        norm_speed: dimensionless speed at which the norm is evaluated.
        profile: Movement Analysis Profile: root mean square difference from the norm's mean over the cycle.
        gps, gps_overall: Gait Profile Score of each side and of both.
        norm_profile, norm_gps: root mean square over the members of the norm's sample, of the profile and of the score
            of one side.
        estimated_count: number of cycles whose loads are estimated from motion; they are included in the averages.
        sides_compared: all cycles of the left side against all of the right, by variable; only for subjects with
            several cycles, and if spm1d is installed.
    """

    name: str
    subject: str
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    variable_units: _ByVariable[str]
    parameter_units: _ByParameter[str]
    mean: BySide[_ByVariable[_Mean]]
    sd: BySide[_ByVariable[_Deviation]]
    count: BySide[_ByVariable[Annotated[int, Quantity("cycles with values", "1")]]]
    parameter_mean: BySide[_ByParameter[Annotated[float, Quantity("mean", "see parameter_units")]]]
    parameter_sd: BySide[_ByParameter[Annotated[float, Quantity("standard deviation", "see parameter_units")]]]
    symmetry: _ByParameter[Annotated[float, Quantity("left minus right over their mean", "%")]]
    walking_speed: Annotated[float, Quantity("walking speed", "m/s")]
    cadence: Annotated[float, Quantity("cadence", "steps/min")]
    leg_length: Annotated[float, Quantity("mean leg length", "m")]
    speed: Annotated[float, Quantity("dimensionless speed", "1")]
    stance_percent: Annotated[np.ndarray, Axis("stance_percent", "stance, from initial contact to foot off", "%")]
    contributions: Annotated[dict[str, BySide[_Contributions]], Axis("moment", "sagittal moment")]
    norm: str
    norm_source: str
    norm_sample: str
    norm_speed: Annotated[float, Quantity("dimensionless speed of the norm", "1")]
    norm_mean: _ByVariable[Annotated[np.ndarray, Quantity("mean of the norm", "see variable_units", ("percent",))]]
    norm_sd: _ByVariable[
        Annotated[np.ndarray, Quantity("standard deviation of the norm", "see variable_units", ("percent",))]
    ]
    profile: BySide[_ByVariable[Annotated[float, Quantity("Movement Analysis Profile", "deg")]]]
    gps: BySide[Annotated[float, Quantity("Gait Profile Score", "deg")]]
    gps_overall: Annotated[float, Quantity("Gait Profile Score of both sides", "deg")]
    norm_profile: _ByVariable[Annotated[float, Quantity("profile, root mean square over the norm's sample", "deg")]]
    norm_gps: Annotated[float, Quantity("Gait Profile Score, root mean square over the norm's sample", "deg")]
    notes: tuple[Note, ...]
    sides_compared: dict[str, StatisticalMap] = field(default_factory=dict)
    estimated_count: BySide[Annotated[int, Quantity("cycles with estimated loads", "1")]] = field(default_factory=dict)

    @property
    def norm_moves(self) -> tuple[str, ...]:
        """How curves of the norm were moved to the walk's mean, in words; empty if none were."""
        return tuple(note.text for note in self.notes if note.subject == NORM_ZEROS)
