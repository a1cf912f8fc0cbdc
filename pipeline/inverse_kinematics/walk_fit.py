"""Fit of the skeleton to a walk's markers: swaps corrected, jumps left out, and the skeleton recalibrated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pipeline.anatomy import Attachments
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.frame_fit import FrameFit, fit_frames
from pipeline.inverse_kinematics.marker_swaps import MarkerSwap, find_marker_swaps, reordered
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.inverse_kinematics.spline_fit import Residual, SplineFit, fit_spline
from pipeline.inverse_kinematics.static_calibration import CalibratedSkeleton
from pipeline.inverse_kinematics.walk_calibration import calibrate_from_walk
from pipeline.inverse_kinematics.walk_fit_notes import gap_notes, outlier_notes, swap_notes
from pipeline.signals import jump_limits, off_trajectory, runs_of
from pipeline.skeleton import Skeleton
from pipeline.trial import MarkersAndPlates, MotionAndPlates, Note

CALIBRATED_OUTLIER = 0.04
"""m; on a skeleton calibrated from the walk itself, soft tissue explains only smaller distances."""


@dataclass(frozen=True)
class MarkerFit:
    """A walk's markers and the skeleton's pose in every frame.

    Attributes:
        model: the calibrated skeleton, also from the walk if requested.
        marker_names: markers that are fitted.
        model_markers: K model markers: those of the fitted markers, then those of the joint centres.
        markers_G: (T, K, 3) m as recorded, with swaps corrected.
        weights: (K,) of the squared distances.
        frame_fit: pose of every frame by itself.
        used: (T, K) markers and centres used in the fit.
        swaps: swaps that were corrected.
        valid: (T,) frames with enough markers, or in a gap short enough to be bridged.
        rate, cutoff: Hz, of the frames and of the smooth motion.
        regularisation: (n,) relative regularisation weight of each coordinate.
        notes: on swaps, outliers and long gaps.
    """

    model: CalibratedSkeleton
    marker_names: tuple[str, ...]
    model_markers: ModelMarkers
    markers_G: np.ndarray
    weights: np.ndarray
    frame_fit: FrameFit
    used: np.ndarray
    swaps: tuple[MarkerSwap, ...]
    valid: np.ndarray
    rate: float
    cutoff: float
    regularisation: np.ndarray
    notes: tuple[Note, ...]

    @property
    def skeleton(self) -> Skeleton:
        """The calibrated skeleton."""
        return self.model.skeleton

    @property
    def reference(self) -> np.ndarray:
        """Coordinates (n,) towards which a pose is regularised: the static pose, with zero for the global joints."""
        return _reference(self.model)

    @property
    def mass_tracked(self) -> float:
        """Fraction of the body's mass on links that have a model marker on them or on a descendant."""
        marked = np.isin(np.arange(len(self.skeleton)), self.model_markers.joint)
        tracked = (self.skeleton.is_ancestor & marked[None, :]).any(axis=1)
        return float(self.skeleton.mass[tracked].sum() / self.skeleton.mass.sum())

    def smooth(self, residual: Residual | None = None, start: np.ndarray | None = None) -> SplineFit:
        """The smooth motion that fits the markers and, if given, reduces an additional residual (`fit_spline`).

        Args:
            residual: additional residual to reduce.
            start: (T, n) coordinates near the solution; by default those fitted frame by frame.
        """
        return fit_spline(
            self.skeleton,
            self.model_markers,
            self.markers_G,
            self.rate,
            self.cutoff,
            self.frame_fit.q if start is None else start,
            weights=self.weights,
            left_out=self.frame_fit.left_out,
            reference=self.reference,
            regularisation=self.regularisation,
            residual=residual,
        )


def fit_markers(
    walk: MarkersAndPlates,
    kinematics: MotionAndPlates,
    definition: Attachments,
    model: CalibratedSkeleton,
    cutoff: float,
    max_gap: float,
    centre_weight: float,
    calibrate: bool = True,
) -> MarkerFit:
    """Fit the skeleton to the markers frame by frame.

    Args:
        walk: recording; its unfiltered markers are fitted.
        kinematics: of the same walk, with the joint centres.
        definition: the model markers.
        model: skeleton calibrated from the static trial.
        cutoff: of the smooth motion, Hz.
        max_gap: longest gap that is bridged, s.
        centre_weight: of the joint centres relative to the markers; zero leaves them out.
        calibrate: also calibrate the skeleton's joints and model markers from the walk.

    Raises:
        DynamicsError: the walk has none of the model's markers, or no frame has enough of them.
    """
    marker_names, names, markers_G, weights = _measured(walk, kinematics, definition, model, centre_weight)
    regularisation = definition.regularisation(model.skeleton.joint_names)
    frame_fit, swaps, markers_G, jumps = _without_swaps(
        model, model.markers.only(names), len(marker_names), markers_G, weights, regularisation, jump_limits(walk.rate)
    )
    if calibrate:
        used = np.where(np.isfinite(markers_G).all(axis=2) & ~frame_fit.left_out, weights, 0.0)
        model = calibrate_from_walk(model, definition, model.markers.only(names), markers_G, used, _reference(model))
        frame_fit = _fitter(model, regularisation)(
            model.markers.only(names), markers_G, weights=weights, left_out=jumps, outlier=CALIBRATED_OUTLIER
        )
    used = np.isfinite(markers_G).all(axis=2) & ~frame_fit.left_out
    model_markers, longest = model.markers.only(names), round(max_gap * walk.rate)
    return MarkerFit(
        model=model,
        marker_names=marker_names,
        model_markers=model_markers,
        markers_G=markers_G,
        weights=weights,
        frame_fit=frame_fit,
        used=used,
        swaps=swaps,
        valid=_bridged(np.isfinite(frame_fit.q).all(axis=1), longest),
        rate=walk.rate,
        cutoff=cutoff,
        regularisation=regularisation,
        notes=(
            *swap_notes(swaps),
            *outlier_notes(marker_names, frame_fit),
            *gap_notes(model.skeleton, model_markers, len(marker_names), frame_fit.q, used, longest),
        ),
    )


def _measured(
    walk: MarkersAndPlates,
    kinematics: MotionAndPlates,
    definition: Attachments,
    model: CalibratedSkeleton,
    centre_weight: float,
) -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray, np.ndarray]:
    """Names of the markers, names of markers and centres, their positions (T, K, 3) and weights (K,)."""
    attached = [name for name in definition.markers if name in model.markers.names]
    markers = tuple(name for name in attached if name in walk.marker_names)
    if not markers:
        raise DynamicsError(
            "it has none of the skeleton's markers",
            where=f"trial {walk.name}",
            remedy="Check its labels against section 'skeleton' of the marker set",
        )
    centres = tuple(name for name in definition.centres if name in kinematics.points) if centre_weight else ()
    tracks = [walk.marker(name) for name in markers] + [kinematics.points[name] for name in centres]
    weights = np.append(np.ones(len(markers)), np.full(len(centres), centre_weight))
    return markers, markers + centres, np.stack(tracks, axis=1), weights


def _reference(model: CalibratedSkeleton) -> np.ndarray:
    reference = model.static_pose.copy()
    reference[model.skeleton.global_joints] = 0.0
    return reference


def _fitter(model: CalibratedSkeleton, regularisation: np.ndarray) -> partial[FrameFit]:
    return partial(fit_frames, model.skeleton, reference=_reference(model), regularisation=regularisation)


def _without_swaps(
    model: CalibratedSkeleton,
    model_markers: ModelMarkers,
    count: int,
    markers_G: np.ndarray,
    weights: np.ndarray,
    regularisation: np.ndarray,
    limits: tuple[float, float],
) -> tuple[FrameFit, tuple[MarkerSwap, ...], np.ndarray, np.ndarray]:
    """Fit with swaps corrected: the fit, the swaps, the corrected markers, and those that jump (T, K) and are left out.

    The first ``count`` are markers, the others joint centres; ``limits`` are those of `pipeline.signals.jump_limits`.
    """
    fit = _fitter(model, regularisation)
    found = fit(model_markers, markers_G, weights=weights)
    only_markers, tracks = model_markers.only(model_markers.names[:count]), markers_G[:, :count]
    order, swaps = find_marker_swaps(
        model.skeleton,
        only_markers,
        tracks,
        replace(found, distance=found.distance[:, :count], left_out=found.left_out[:, :count]),
        lambda some: fit(only_markers, some),
    )
    left_out = np.zeros(markers_G.shape[:2], dtype=bool)
    if swaps:
        markers_G = np.concatenate([reordered(tracks, order), markers_G[:, count:]], axis=1)
        for swap in swaps:
            left_out[swap.frames, count:] = True  # the centres were computed from the swapped markers
    left_out[:, :count] = off_trajectory(markers_G[:, :count], *limits)
    if swaps or left_out.any():
        found = fit(model_markers, markers_G, weights=weights, left_out=left_out)
    return found, swaps, markers_G, left_out


def _bridged(fitted: np.ndarray, longest: int) -> np.ndarray:
    """Frames (T,) that are fitted, or in a gap of at most ``longest`` frames between fitted frames."""
    valid = fitted.copy()
    for first, last in runs_of(~fitted):
        valid[first:last] = first > 0 and last < len(fitted) and last - first <= longest
    return valid
