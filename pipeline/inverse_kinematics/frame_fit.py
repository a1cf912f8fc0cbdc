"""Inverse kinematics frame by frame: joint coordinates that minimise weighted squared marker distances.

Global optimisation within joint limits (Lu and O'Connor 1999, J Biomech 32:129-134) by the Levenberg-Marquardt method
with analytic Jacobians and Huber's robust cost, weakly regularised towards a reference pose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.signals import blocks, runs_of
from pipeline.skeleton import Skeleton, link_poses

REGULARISATION_WEIGHT = 1e-6
"""m^2/rad^2: a coordinate 1 rad from its reference costs as much as one marker off by 1 mm."""

OUTLIER = 0.06
"""m; a marker farther from its model marker, which is more than soft tissue moves, is left out of its frame."""

HUBER = 0.03
"""m; distance beyond which the cost of a marker grows linearly (Huber)."""

MIN_MARKERS = 4
"""Minimum number of markers for a frame to be fitted."""

_MAX_ITERATIONS = 30
_TOLERANCE = 1e-4
"""rad or m; largest step at convergence: some micrometres at a marker."""

RESTART_DISTANCE = 0.04
"""m; a frame with a larger mean distance is restarted from a cold start, since its start from a neighbour failed."""

_CONTINUATION = (1e4, 1e2, 1.0)
"""Decreasing factors of the regularisation in a cold start, so that no limb converges a full turn away."""


@dataclass(frozen=True)
class FrameFit:
    """Coordinates of T frames, and the distances of K markers from their model markers.

    Attributes:
        q: (T, n) rad or m; NaN in frames that were not fitted.
        distance: (T, K) m from marker to model marker; NaN if it is missing.
        left_out: (T, K) marker is measured but left out of the fit.
    """

    q: np.ndarray
    distance: np.ndarray
    left_out: np.ndarray

    @property
    def rms(self) -> float:
        """Root mean square distance over all markers that were not left out, m."""
        return float(np.sqrt(np.mean(self.distance[np.isfinite(self.distance) & ~self.left_out] ** 2)))


def fit_frames(
    skeleton: Skeleton,
    model_markers: ModelMarkers,
    markers_G: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    left_out: np.ndarray | None = None,
    start: np.ndarray | None = None,
    reference: np.ndarray | None = None,
    regularisation: np.ndarray | None = None,
    outlier: float = OUTLIER,
) -> FrameFit:
    """Fit every frame, outwards from the one with the most markers, each started from its neighbour.

    A frame with large distances is restarted from a cold start. With ``start``, each frame starts from its own row.

    Args:
        skeleton: tree of n joints, of which the first are those of the pelvis in G.
        model_markers: K.
        markers_G: (T, K, 3) m; NaN if missing.
        weights: (K,) of the squared distances; one if omitted.
        left_out: (T, K) markers to leave out from the beginning.
        start: (T, n) coordinates to start from.
        reference: (n,) coordinates towards which the joints are regularised; zero if omitted.
        regularisation: (n,) multiples of `REGULARISATION_WEIGHT`; one if omitted. The global joints are not
            regularised.
        outlier: m; a marker farther from its model marker is left out of its frame, which is then refitted.

    Raises:
        DynamicsError: no frame has enough markers.
    """
    count, n = len(model_markers.names), len(skeleton)
    seen = np.isfinite(markers_G).all(axis=2)
    weight = np.ascontiguousarray(np.where(seen, np.ones(count) if weights is None else weights, 0.0))
    if left_out is not None:
        weight[left_out] = 0.0
    enough = (weight > 0).sum(axis=1) >= MIN_MARKERS
    if not enough.any():
        raise DynamicsError(
            f"no frame has {MIN_MARKERS} of the skeleton's markers",
            where="inverse kinematics",
            remedy="Check the labels against section 'skeleton' of the marker set",
        )
    regularisation_by_joint = REGULARISATION_WEIGHT * (np.ones(n) if regularisation is None else regularisation)
    regularisation_by_joint[skeleton.global_joints] = 0.0
    target = np.zeros(n) if reference is None else np.asarray(reference, dtype=float)
    solver = _Solver(
        skeleton, model_markers, np.ascontiguousarray(markers_G, dtype=float), weight, target, regularisation_by_joint
    )

    fitted = np.flatnonzero(enough)
    if start is None:
        first = int(np.argmax(np.where(enough, (weight > 0).sum(axis=1), -1)))
        solver.cold_start(first)
        solver.fit_outwards(first, fitted)
    else:
        solver.q[fitted] = start[fitted]
        solver.solve(fitted, fitted)
    distance = solver.distance()
    failed = enough & (_cost(distance, solver.weight) > marker_costs(RESTART_DISTANCE) * solver.weight.sum(axis=1))
    for run in runs_of(failed):
        solver.restart(np.arange(*run))
    solver.try_neighbours(np.flatnonzero(enough & ((distance > outlier) & (solver.weight > 0.0)).any(axis=1)), fitted)
    distance = solver.distance()
    out = np.isfinite(distance) & (distance > outlier)
    if left_out is not None:
        out |= seen & left_out
    refitted = np.flatnonzero((out & (solver.weight > 0.0)).any(axis=1) & enough)
    if len(refitted):
        solver.weight[out] = 0.0
        solver.solve(refitted, refitted)
        distance = solver.distance()
    solver.q[~enough] = np.nan
    distance[~enough] = np.nan
    return FrameFit(solver.q, distance, out)


def marker_costs(distance: np.ndarray | float) -> np.ndarray:
    """Huber's cost (m^2) of markers at some distances (m), of any shape; zero for NaN."""
    cost = np.where(distance > HUBER, HUBER * (distance - 0.5 * HUBER), 0.5 * distance**2)
    return np.where(np.isfinite(cost), cost, 0.0)


def _cost(distance: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Cost (T,) of frames, from distances and weights (T, K)."""
    return (weight * marker_costs(distance)).sum(axis=1)


def model_marker_positions(skeleton: Skeleton, model_markers: ModelMarkers, q: np.ndarray) -> np.ndarray:
    """Positions (T, K, 3) of the model markers in G at coordinates q (T, n), m."""
    positions = np.empty((len(q), len(model_markers.names), 3))
    for frames in blocks(len(q)):
        R, r = link_poses(skeleton, q[frames])
        positions[frames] = r[:, model_markers.joint]
        positions[frames] += np.einsum("tkij,kj->tki", R[:, model_markers.joint], model_markers.point)
    return positions


def marker_distances(
    skeleton: Skeleton, model_markers: ModelMarkers, q: np.ndarray, markers_G: np.ndarray
) -> np.ndarray:
    """Distances (T, K) m of markers (T, K, 3) from their model markers at coordinates q (T, n); NaN if missing."""
    distance = np.empty(markers_G.shape[:2])
    for frames in blocks(len(q)):
        positions = model_marker_positions(skeleton, model_markers, q[frames])
        distance[frames] = np.linalg.norm(positions - markers_G[frames], axis=2)
    return distance


class _Solver:
    """The arguments of the kernel, and the coordinates found so far."""

    def __init__(
        self,
        skeleton: Skeleton,
        model_markers: ModelMarkers,
        markers: np.ndarray,
        weight: np.ndarray,
        reference: np.ndarray,
        regularisation_by_joint: np.ndarray,
    ) -> None:
        self.skeleton, self.model_markers, self.markers, self.weight = skeleton, model_markers, markers, weight
        self.reference, self.regularisation_by_joint = reference, regularisation_by_joint
        self.q = np.tile(np.clip(reference, skeleton.q_lower, skeleton.q_upper), (len(markers), 1))

    def solve(
        self,
        order: np.ndarray,
        start: np.ndarray,
        regularisation_by_joint: np.ndarray | None = None,
        huber: float = HUBER,
    ) -> None:
        """Fit the frames in ``order``, each from the coordinates of the frame in ``start``."""
        from pipeline.inverse_kinematics.kernels import fit_frames_kernel

        fit_frames_kernel(
            self.skeleton.arrays,
            self.model_markers.joint,
            self.model_markers.point,
            self.markers,
            self.weight,
            huber,
            np.ascontiguousarray(order, dtype=np.int64),  # another layout would be compiled separately
            np.ascontiguousarray(start, dtype=np.int64),
            self.reference,
            self.regularisation_by_joint if regularisation_by_joint is None else regularisation_by_joint,
            self.skeleton.q_lower,
            self.skeleton.q_upper,
            _MAX_ITERATIONS,
            _TOLERANCE,
            self.q,
        )

    def cold_start(self, frame: int) -> None:
        """Fit one frame without a start, from four headings of the body, and keep the best fit."""
        revolute = [j for j in self.skeleton.global_joints if self.skeleton.kind[j] == "R"]
        found, alone = [], np.array([frame])
        for heading in np.arange(4) * 0.5 * np.pi if revolute else [0.0]:
            self.q[frame] = self.reference
            if revolute:
                self.q[frame, revolute[0]] += heading
            for factor in _CONTINUATION:
                self.solve(alone, alone, factor * self.regularisation_by_joint, huber=np.inf)
            self.solve(alone, alone)
            found.append((float(np.nansum(self.weight[frame] * self.distance(frame) ** 2)), self.q[frame].copy()))
        self.q[frame] = min(found, key=lambda pair: pair[0])[1]
        self.q[frame, revolute] = (self.q[frame, revolute] + np.pi) % (2.0 * np.pi) - np.pi

    def fit_outwards(self, first: int, frames: np.ndarray) -> None:
        """Fit ascending frames outwards from a fitted one to both ends."""
        for way in (frames[frames > first], frames[frames < first][::-1]):
            self.solve(way, np.concatenate([[first], way])[:-1])

    def restart(self, frames: np.ndarray) -> None:
        """Refit consecutive frames from a cold start in their middle, and keep the better fits."""
        first = int(frames[len(frames) // 2])

        def attempt() -> None:
            self.cold_start(first)
            self.fit_outwards(first, frames)

        self._keep_better(frames, attempt)

    def try_neighbours(self, frames: np.ndarray, fitted: np.ndarray) -> None:
        """Refit frames, started from the one before and the one after, and keep the better fits."""
        for step in (-1, 1):
            some = frames[np.isin(frames + step, fitted)]
            self._keep_better(some, partial(self.solve, some, some + step))

    def _keep_better(self, frames: np.ndarray, attempt: Callable[[], None]) -> None:
        if not len(frames):
            return
        q, cost = self.q[frames], _cost(self.distance()[frames], self.weight[frames])
        attempt()
        worse = _cost(self.distance()[frames], self.weight[frames]) >= cost
        self.q[frames[worse]] = q[worse]

    def distance(self, frame: int | None = None) -> np.ndarray:
        """Distances (T, K) m of the markers from their model markers, or (K,) of one frame."""
        rows = slice(None) if frame is None else slice(frame, frame + 1)
        apart = marker_distances(self.skeleton, self.model_markers, self.q[rows], self.markers[rows])
        return apart if frame is None else apart[0]
