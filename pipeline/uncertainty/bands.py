"""Standard deviations of a walk's mean curves and 95 % bands, from independent errors of published magnitude."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.analysis import PERCENT, estimated_counts
from pipeline.config import UncertaintySettings
from pipeline.conventions import SIDES
from pipeline.kinematics import refiltered
from pipeline.trial import CurveUncertainty, Kinematics, Note
from pipeline.uncertainty.body_errors import BodyPerturbation, body_errors
from pipeline.uncertainty.load_errors import load_errors
from pipeline.uncertainty.marker_errors import with_noise, with_soft_tissue
from pipeline.uncertainty.profile_band import main_derivatives, profile_band
from pipeline.uncertainty.recorded_walk import VARIABLES, RecordedWalk
from pipeline.uncertainty.second_order import counted_once, second_order_variance
from pipeline.uncertainty.sources import (
    ANKLE_CENTRE,
    CUTOFF,
    HIP_CENTRE,
    KNEE_AXIS,
    MARKER_NOISE,
    SOFT_TISSUE,
    SOURCES,
    STRIDES,
)
from pipeline.uncertainty.strides import load_stride_spread

DECAY = 1.5
"""Power of the cut-off frequency with which a filter's error is assumed to fall. It is 4 for content well below the
cut-off, 2 near a jump of a curve's curvature, and 1 near a jump of its slope, as contacts cause in moments."""


def curve_uncertainty(walk: RecordedWalk, settings: UncertaintySettings) -> CurveUncertainty:
    """Propagate all errors to the walk's mean curves; the same seed gives the same result.

    A few strides do not represent the person; how far the mean of so many strides deviates is known from reference
    walks. Errors of loads and inertia are linear through the block matrix of each leg. Those of the body and of the
    cut-off are differences of the whole computation. Those of the markers' motion are sampled. The part that body and
    markers' motion count twice is subtracted (`second_order`); the bands follow the curves' second order
    (`profile_band`).
    """
    shape = (len(SOURCES), len(SIDES), len(VARIABLES), len(PERCENT))
    variance, band = np.full(shape, np.nan), np.full((2, *shape[1:]), np.nan)
    notes: tuple[Note, ...] = ()
    if walk.kinematics.cycles:
        base = walk.mean_curves
        errors = list(body_errors(walk.marker_set, walk.attached_to, walk.kinematics.calibration.values, settings))
        changes = np.array([walk.curves(walk.with_body_error(error)) - base for error in errors])
        variance[:] = 0.0
        for source, square in _squares(walk, errors, changes, settings):
            variance[SOURCES.index(source)] += square
        second_order, notes = second_order_variance(walk, settings)
        nonlinear = [SOURCES.index(source) for source in (HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE, SOFT_TISSUE)]
        variance[nonlinear] = counted_once(variance[nonlinear], second_order)
        notes += (*without_band(walk), *from_video(walk, settings))
        variance[:, ~np.isfinite(base)] = np.nan
        total = variance.sum(axis=0)
        band[:] = profile_band(np.sqrt(total), *main_derivatives(walk, errors, changes, total, second_order))
    return CurveUncertainty(
        name=walk.kinematics.name,
        subject=walk.kinematics.subject,
        source_names=SOURCES,
        side_names=SIDES,
        variable_names=tuple(VARIABLES),
        percent=PERCENT,
        variable_units=tuple(variable.units for variable in VARIABLES.values()),
        by_source=np.sqrt(variance),
        band_below=band[0],
        band_above=band[1],
        notes=notes,
    )


def without_band(walk: RecordedWalk) -> tuple[Note, ...]:
    """A note on each side with loads whose mean includes estimated cycles: the error of these is not known."""
    lacking = (np.isnan(walk.mean_curves).all(axis=2) & (walk.strides > 0)).any(axis=1)
    counts = estimated_counts(walk.cycles.cycles if walk.cycles else ())
    text = (
        "its loads have no uncertainty band, since their mean includes {} with estimated loads "
        "(loads: estimated_steps in config.yaml), whose error is not propagated"
    )
    return tuple(
        Note("left out", f"{side} side", text.format("a cycle" if counts[side] == 1 else f"{counts[side]} cycles"))
        for side, lacks in zip(SIDES, lacking, strict=True)
        if lacks and counts[side]
    )


def from_video(walk: RecordedWalk, settings: UncertaintySettings) -> tuple[Note, ...]:
    """A warning if the positions are estimates from video, and the errors assumed are still those of markers."""
    usual, of_markers = UncertaintySettings(), ("placement", "marker_noise", "soft_tissue_thigh", "soft_tissue")
    if not walk.marker_set.estimated or any(getattr(settings, name) != getattr(usual, name) for name in of_markers):
        return ()
    text = (
        "assume the errors of markers on the skin; positions estimated from video have larger ones (knee flexion off "
        "by 4 to 10 degrees: doi 10.1016/j.jbiomech.2025.112602), so the bands are too narrow: enter larger errors in "
        f"config.yaml (uncertainty: {', '.join(of_markers)})"
    )
    return (Note("warning", "uncertainty bands", text),)


def _squares(
    walk: RecordedWalk, errors: Sequence[BodyPerturbation], changes: np.ndarray, settings: UncertaintySettings
) -> Iterator[tuple[str, np.ndarray]]:
    """Source and variance (2, V, 101) of each independent error; the body's errors have changes (E, 2, V, 101)."""
    for error, change in zip(errors, changes, strict=True):
        yield error.source, change**2
    yield MARKER_NOISE, _variance(walk, with_noise(walk, settings))
    yield SOFT_TISSUE, _variance(walk, with_soft_tissue(walk, settings))
    for source, change in load_errors(walk, settings):
        yield source, change**2
    yield STRIDES, settings.strides**2 * _stride_variance(walk)
    if settings.cutoff < 1.0:
        smoothed = walk.curves(_smoother(walk, settings.cutoff)) - walk.mean_curves
        yield CUTOFF, (smoothed / (settings.cutoff**-DECAY - 1.0)) ** 2


def _stride_variance(walk: RecordedWalk) -> np.ndarray:
    """Variance (2, V, 101) of the walk's mean curves about those of the person, from the numbers of strides."""
    spread = load_stride_spread()
    return np.array(
        [[spread.variance(name, n) for name, n in zip(VARIABLES, own, strict=True)] for own in walk.strides]
    )


def _smoother(walk: RecordedWalk, part: float) -> Kinematics:
    """The walk with markers and forces filtered at that fraction of their cut-off frequencies.

    The resulting change indicates what the walk's own filter removed; a higher cut-off would add noise instead.
    """
    forces = walk.filter.forces
    filter = walk.filter if forces is None else walk.filter.model_copy(update={"forces": part * forces})
    frequency = part * walk.kinematics.cutoff.value
    (motion,) = refiltered(walk.recording, walk.kinematics, walk.marker_set, filter, [frequency], walk.events)
    return motion


def _variance(walk: RecordedWalk, samples: Iterator[Kinematics]) -> np.ndarray:
    return np.var([walk.curves(motion) for motion in samples], axis=0, ddof=1)
