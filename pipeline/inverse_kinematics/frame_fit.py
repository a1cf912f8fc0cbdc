"""Inverse kinematics: coordinates of a skeleton, frame by frame, that bring its markers to where they were seen.

Weighted least squares within the joints' limits (Lu and O'Connor 1999, J Biomech 32:129-134) by Levenberg and
Marquardt's method with analytic Jacobians; held lightly to a reference where the markers say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.signals import blocks, runs_of
from pipeline.skeleton.points import link_poses
from pipeline.skeleton.tree import Skeleton

STIFFNESS = 1e-6
"""m^2/rad^2: a coordinate off its reference by 1 rad costs as much as one marker off by 1 mm."""

OUTLIER = 0.06
"""m; a marker farther from its place than soft tissue ever takes it is left out of its frame."""

HUBER = 0.03
"""m; beyond this distance a marker pulls no harder."""

FEWEST = 4
"""Frames with fewer markers are not fitted."""

_ROUNDS = 30
_SMALL = 1e-4
"""rad or m; the last step of a converged frame is smaller, and the next would be several times smaller still: some
micrometres at a marker."""

LOST = 0.04
"""m; a frame whose markers are farther off than this on average is begun anew: its neighbour may have led it astray."""

_COLD = (1e4, 1e2, 1.0)
"""A cold start holds the joints firmly first, and then relaxes, lest a limb arrives turned by a whole circle."""


@dataclass(frozen=True)
class FrameFit:
    """Coordinates of T frames, and how far K markers are from them.

    Attributes:
        q: (T, n) rad or m; NaN in frames that were not fitted.
        distance: (T, K) m from marker to its place on the skeleton; NaN where it was not seen.
        left_out: (T, K) marker was seen, and too far off to count.
        converged: (T,) the frame's search ended at its optimum.
    """

    q: np.ndarray
    distance: np.ndarray
    left_out: np.ndarray
    converged: np.ndarray

    @property
    def rms(self) -> float:
        """Root mean square distance over all markers that count, m."""
        return float(np.sqrt(np.mean(self.distance[np.isfinite(self.distance) & ~self.left_out] ** 2)))


def fit_frames(
    skeleton: Skeleton,
    attachments: ModelMarkers,
    markers_G: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    left_out: np.ndarray | None = None,
    start: np.ndarray | None = None,
    reference: np.ndarray | None = None,
    regularisation: np.ndarray | None = None,
    stiffness: float = STIFFNESS,
    outlier: float = OUTLIER,
) -> FrameFit:
    """Fit every frame, starting with the one that shows the most markers, and from there both ways.

    A frame that ends far from its markers is begun anew, from nowhere. Where all coordinates to start from are given,
    each frame starts from its own instead.

    Args:
        skeleton: tree of n joints, whose first are those of the pelvis in G.
        attachments: of K markers.
        markers_G: (T, K, 3) m; NaN where not seen.
        weights: (K,) of the squared distances; one if omitted.
        left_out: (T, K) markers that do not count from the beginning.
        start: (T, n) coordinates to start from.
        reference: (n,) coordinates to which the joints are held lightly; zero if omitted.
        regularisation: (n,) factors of the stiffness that holds them; one if omitted. The global joints are free.
        stiffness: m^2/rad^2.
        outlier: m; a marker farther off is left out of its frame, which is then fitted again.

    Raises:
        DynamicsError: no frame shows enough markers.
    """
    count, n = len(attachments.names), len(skeleton)
    seen = np.isfinite(markers_G).all(axis=2)
    weight = np.where(seen, np.ones(count) if weights is None else weights, 0.0)
    if left_out is not None:
        weight[left_out] = 0.0
    enough = (weight > 0).sum(axis=1) >= FEWEST
    if not enough.any():
        raise DynamicsError(
            f"no frame shows {FEWEST} of the skeleton's markers",
            where="inverse kinematics",
            remedy="Check the labels against the file of marker attachments",
        )
    hold = stiffness * (np.ones(n) if regularisation is None else regularisation)
    hold[skeleton.global_joints] = 0.0
    target = np.zeros(n) if reference is None else np.asarray(reference, dtype=float)
    solver = _Solver(skeleton, attachments, np.ascontiguousarray(markers_G, dtype=float), weight, target, hold)

    fitted = np.flatnonzero(enough)
    if start is None:
        first = int(np.argmax(np.where(enough, (weight > 0).sum(axis=1), -1)))
        solver.cold_start(first)
        solver.spread(first, fitted)
    else:
        solver.q[fitted] = start[fitted]
        solver.solve(fitted, fitted)
    distance = solver.distance()
    lost = enough & (_cost(distance, solver.weight) > marker_costs(LOST) * solver.weight.sum(axis=1))
    for run in runs_of(lost):
        solver.begin_anew(np.arange(*run))
    solver.try_neighbours(np.flatnonzero(enough & ((distance > outlier) & (solver.weight > 0.0)).any(axis=1)), fitted)
    distance = solver.distance()
    out = np.isfinite(distance) & (distance > outlier)
    if left_out is not None:
        out |= seen & left_out
    again = np.flatnonzero((out & (solver.weight > 0.0)).any(axis=1) & enough)
    if len(again):
        solver.weight[out] = 0.0
        solver.solve(again, again)
        distance = solver.distance()
    solver.q[~enough] = np.nan
    distance[~enough] = np.nan
    return FrameFit(solver.q, distance, out, enough & (solver.done < _ROUNDS))


def marker_costs(distance: np.ndarray | float) -> np.ndarray:
    """Huber's cost (m^2) of markers at some distances (m), of any shape; zero where NaN."""
    cost = np.where(distance > HUBER, HUBER * (distance - 0.5 * HUBER), 0.5 * distance**2)
    return np.where(np.isfinite(cost), cost, 0.0)


def _cost(distance: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Cost (T,) of frames, both (T, K)."""
    return (weight * marker_costs(distance)).sum(axis=1)


def model_marker_positions(skeleton: Skeleton, attachments: ModelMarkers, q: np.ndarray) -> np.ndarray:
    """Where the markers of a skeleton are at coordinates q (T, n): (T, K, 3) m in G."""
    places = np.empty((len(q), len(attachments.names), 3))
    for frames in blocks(len(q)):
        R, r = link_poses(skeleton, q[frames])
        places[frames] = r[:, attachments.joint]
        places[frames] += np.einsum("tkij,kj->tki", R[:, attachments.joint], attachments.point)
    return places


def marker_distances(skeleton: Skeleton, attachments: ModelMarkers, q: np.ndarray, markers_G: np.ndarray) -> np.ndarray:
    """Distances (T, K) m of markers (T, K, 3) from their places at coordinates q (T, n); NaN where not seen."""
    distance = np.empty(markers_G.shape[:2])
    for frames in blocks(len(q)):
        places = model_marker_positions(skeleton, attachments, q[frames])
        distance[frames] = np.linalg.norm(places - markers_G[frames], axis=2)
    return distance


class _Solver:
    """The kernel's arguments, and the coordinates found so far."""

    def __init__(
        self,
        skeleton: Skeleton,
        attachments: ModelMarkers,
        markers: np.ndarray,
        weight: np.ndarray,
        reference: np.ndarray,
        hold: np.ndarray,
    ) -> None:
        self.skeleton, self.attachments, self.markers, self.weight = skeleton, attachments, markers, weight
        self.reference, self.hold = reference, hold
        self.q = np.tile(np.clip(reference, skeleton.q_lower, skeleton.q_upper), (len(markers), 1))
        self.done = np.full(len(markers), _ROUNDS)

    def solve(self, order: np.ndarray, start: np.ndarray, hold: np.ndarray | None = None, huber: float = HUBER) -> None:
        """Fit the frames of ``order``, each from the coordinates of the frame in ``start``."""
        from pipeline.inverse_kinematics.kernels import fit_frames_kernel

        fit_frames_kernel(
            self.skeleton.arrays,
            self.attachments.joint,
            self.attachments.point,
            self.markers,
            self.weight,
            huber,
            np.asarray(order, dtype=np.int64),
            np.asarray(start, dtype=np.int64),
            self.reference,
            self.hold if hold is None else hold,
            self.skeleton.q_lower,
            self.skeleton.q_upper,
            _ROUNDS,
            _SMALL,
            self.q,
            self.done,
        )

    def cold_start(self, frame: int) -> None:
        """Fit one frame from nowhere: from four directions that the body may face, the best one."""
        revolute = [j for j in self.skeleton.global_joints if self.skeleton.kind[j] == "R"]
        found = []
        for heading in np.arange(4) * 0.5 * np.pi if revolute else [0.0]:
            self.q[frame] = self.reference
            if revolute:
                self.q[frame, revolute[0]] += heading
            for factor in _COLD:
                self.solve(np.array([frame]), np.array([frame]), np.maximum(factor * self.hold, 0.0), huber=np.inf)
            self.solve(np.array([frame]), np.array([frame]))
            found.append((float(np.nansum(self.weight[frame] * self.distance(frame) ** 2)), self.q[frame].copy()))
        self.q[frame] = min(found, key=lambda pair: pair[0])[1]
        self.q[frame, revolute] = (self.q[frame, revolute] + np.pi) % (2.0 * np.pi) - np.pi

    def spread(self, first: int, frames: np.ndarray) -> None:
        """Fit frames in ascending order, from one that is fitted on to both ends."""
        for way in (frames[frames > first], frames[frames < first][::-1]):
            self.solve(way, np.concatenate([[first], way])[:-1])

    def begin_anew(self, frames: np.ndarray) -> None:
        """Fit consecutive frames from nowhere, and keep what came out better."""
        first = int(frames[len(frames) // 2])

        def attempt() -> None:
            self.cold_start(first)
            self.spread(first, frames)

        self._keep_better(frames, attempt)

    def try_neighbours(self, frames: np.ndarray, fitted: np.ndarray) -> None:
        """Fit frames again from the one before and the one after, and keep what came out better."""
        for step in (-1, 1):
            some = frames[np.isin(frames + step, fitted)]
            self._keep_better(some, partial(self.solve, some, some + step))

    def _keep_better(self, frames: np.ndarray, attempt: Callable[[], None]) -> None:
        if not len(frames):
            return
        q, done, cost = self.q[frames], self.done[frames], _cost(self.distance()[frames], self.weight[frames])
        attempt()
        worse = _cost(self.distance()[frames], self.weight[frames]) >= cost
        self.q[frames[worse]], self.done[frames[worse]] = q[worse], done[worse]

    def distance(self, frame: int | None = None) -> np.ndarray:
        """Distances (T, K) m of the markers from their places, or (K,) of one frame."""
        rows = slice(None) if frame is None else slice(frame, frame + 1)
        apart = marker_distances(self.skeleton, self.attachments, self.q[rows], self.markers[rows])
        return apart if frame is None else apart[0]
