"""A predicted walk against a measured one: curves, parameters and their agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity, of_curves
from pipeline.trial.statistical_mapping import PairedMap


@dataclass(frozen=True)
class CurveAgreement:
    """Agreement of a predicted curve with the measured one; see `pipeline.analysis.agreement.Agreement`.

    Attributes:
        unit: of the curve, its RMSE, offset and peaks.
        count: number of percents of the cycle compared; for the ground reaction, of stance only.
        peak_predicted, peak_measured: ``peak_measured`` is the measured curve's value farthest from zero,
            ``peak_predicted`` the predicted curve's maximum in the same direction.
        timing: delay of the predicted peak.
    """

    variable: str
    side: str
    unit: str
    count: int
    rmse: Annotated[float, Quantity("root mean square difference", "see unit")]
    offset: Annotated[float, Quantity("mean of predicted minus mean of measured", "see unit")]
    rmse_shape: Annotated[float, Quantity("root mean square difference without offset", "see unit")]
    nrmse: Annotated[float, Quantity("root mean square difference over range of measured", "1")]
    r: Annotated[float, Quantity("correlation", "1")]
    peak_predicted: Annotated[float, Quantity("predicted peak", "see unit")]
    peak_measured: Annotated[float, Quantity("measured peak", "see unit")]
    timing: Annotated[float, Quantity("delay of the predicted peak", "% of the cycle")]


@dataclass(frozen=True)
class SharedParameter:
    """A spatiotemporal parameter of both walks, with the same definition."""

    name: str
    unit: str
    predicted: Annotated[float, Quantity("predicted", "see unit")]
    measured: Annotated[float, Quantity("measured, mean of both sides", "see unit")]


@dataclass(frozen=True)
class MotionCurves:
    """The stride of a predicted walk, from the right foot's initial contact; a step is followed by its mirror image.

    Attributes:
        side_names: left, right, and both feet together, for the ground reaction.
        units: of the variables; ``pipeline.analysis.predicted.motion`` defines each.
        foot_off: of each side; missing if the foot stays on the ground.
    """

    side_names: Annotated[tuple[str, ...], Axis("motion_side", "side, or both")]
    variable_names: Annotated[tuple[str, ...], Axis("motion_variable", "curve over the predicted stride")]
    percent: Annotated[np.ndarray, Axis("motion_percent", "predicted stride", "%")]
    units: tuple[str, ...]
    values: Annotated[
        np.ndarray, Quantity("predicted", "see units", ("motion_side", "motion_variable", "motion_percent"))
    ]
    foot_off: Annotated[np.ndarray, Quantity("foot off", "% of the stride", ("motion_side",))]


@dataclass(frozen=True)
class PredictedComparison:
    """A predicted walk against a measured one, over the gait cycle from each side's own initial contact.

    Attributes:
        name: of the prediction.
        walk: the measured walk; empty if the subject has none with a gait cycle, and everything but ``motion`` is then
            empty too.
        asked: whether the prediction's task is taken from that walk; otherwise it is the subject's walk nearest in
            speed and step length.
        variable_units: of the variables; ``pipeline.analysis.variables`` defines each.
            Net joint forces are among them if the walk was fitted to the whole skeleton.
        predicted, measured: curves; measured ones are the mean of a side's cycles.
        measured_sd: missing for fewer than two cycles.
        predicted_foot_off, measured_foot_off: of each side.
        motion: the predicted stride, over its own duration.
        agreement: of every curve that both have.
        norm, norm_agreement: the norm's name, empty for none, and the agreement of its mean curves at the measured
            walk's speed with the measured ones, as a reference for a curve that is not of this subject. ``predicted``
            peaks there are the norm's.
    """

    name: str
    subject: str
    walk: str
    asked: bool
    moment_axes: str
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    variable_names: Annotated[tuple[str, ...], Axis("variable", "curve over the gait cycle")]
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    variable_units: tuple[str, ...]
    predicted: Annotated[np.ndarray, of_curves("predicted")]
    measured: Annotated[np.ndarray, of_curves("measured")]
    measured_sd: Annotated[np.ndarray, of_curves("standard deviation of measured")]
    predicted_foot_off: Annotated[np.ndarray, Quantity("predicted foot off", "% of the cycle", ("side",))]
    measured_foot_off: Annotated[np.ndarray, Quantity("measured foot off", "% of the cycle", ("side",))]
    motion: MotionCurves
    parameters: tuple[SharedParameter, ...]
    agreement: tuple[CurveAgreement, ...]
    notes: tuple[Note, ...]
    norm: str = ""
    norm_agreement: tuple[CurveAgreement, ...] = ()


@dataclass(frozen=True)
class PredictedSample:
    """Several walks, predicted against measured along the gait cycle; a curve is the mean of the sides that have it.

    Attributes:
        kind: preset and form of the predictions.
        subject: the subject if every pair is a walk of one subject; empty if every pair is another subject.
        maps: by variable.
        left_out: why the other variables, or some of the pairs, are not compared; by variable.
    """

    kind: str
    subject: str
    maps: dict[str, PairedMap]
    left_out: dict[str, str]


@dataclass(frozen=True)
class PredictedStudy:
    """Several walks together, predicted against measured.

    Attributes:
        notes: why some or all walks are not compared.
    """

    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    samples: tuple[PredictedSample, ...]
    notes: tuple[Note, ...]
