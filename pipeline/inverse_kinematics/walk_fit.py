"""A walk's markers on a person's skeleton, for the step that puts a walk on the whole body."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from pipeline.anatomy import BodyPose, MarkerSet
from pipeline.config import FilterSettings
from pipeline.conventions import SIDES
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.frame_fit import FrameFit, fit_frames
from pipeline.inverse_kinematics.marker_swaps import Exchange, order_labels, reordered
from pipeline.inverse_kinematics.model_markers import MarkerAttachments
from pipeline.inverse_kinematics.observability import observability
from pipeline.inverse_kinematics.spline_fit import Residual, SplineFit, fit_spline
from pipeline.inverse_kinematics.static_calibration import PersonalSkeleton
from pipeline.inverse_kinematics.walk_calibration import refine_person
from pipeline.signals import frame_ranges, off_trajectory, runs_of
from pipeline.trial import MarkersAndPlates, Note, WalkOnPlates

STILL = 0.05
"""m; a static trial in which the median marker travels farther than this is a walk, and one frame of it must do."""

REFINED_OUTLIER = 0.04
"""m; on a skeleton that the walk itself refined, soft tissue explains less."""

NOT_SEEN = np.radians(15.0)
"""A coordinate that markers off by 5 mm leave as uncertain as this is not seen."""


class MarkedMotion:
    """A walk's markers on a person's skeleton, and the fits to them.

    Args:
        walk: recording; its unfiltered markers are fitted.
        kinematics: of the same walk, with the joint centres.
        definition: where markers and centres sit on the skeleton.
        person: the skeleton.
        filter: cut-off, and the longest gap that is bridged.
        centre_weight: of the joint centres beside the markers; zero leaves them out.
        refined: let the walk refine the skeleton's joints and the markers' places on it.

    Attributes:
        person: whom the skeleton is of, refined where asked for.
        labels: of the markers that are fitted. attachments: theirs, and then the joint centres'.
        frames: the fit frame by frame. seen: (T, K) markers and centres that count.
        exchanges: labels that lie on each other's markers; `markers` has them put right.
        whole: (T,) frames that show enough markers, or lie in a gap that is bridged.
        notes: markers that were exchanged, left out, or missing for long.
    """

    def __init__(
        self,
        walk: MarkersAndPlates,
        kinematics: WalkOnPlates,
        definition: MarkerAttachments,
        person: PersonalSkeleton,
        filter: FilterSettings,
        centre_weight: float,
        refined: bool = True,
    ) -> None:
        self.labels = tuple(name for name in definition.markers if name in walk.marker_names)
        if not self.labels:
            raise DynamicsError(
                "it has none of the skeleton's markers",
                where=f"trial {walk.name}",
                remedy=f"check the labels against marker attachments {definition.name}",
            )
        markers = np.stack([walk.marker(name) for name in self.labels], axis=1)
        names, weights = self.labels, np.ones(len(self.labels))
        if centre_weight:
            centres = tuple(name for name in definition.centres if name in kinematics.points)
            markers = np.concatenate([markers, np.stack([kinematics.points[c] for c in centres], axis=1)], axis=1)
            names, weights = names + centres, np.append(weights, np.full(len(centres), centre_weight))
        self.markers, self.weights = markers, weights
        self.rate, self.cutoff, self.longest = walk.rate, filter.markers, round(filter.max_gap * walk.rate)
        self._wear(person, definition, names)
        self.frames, self.exchanges, away = self._fit_frames()
        if refined:
            counts = np.where(np.isfinite(self.markers).all(axis=2) & ~self.frames.left_out, weights, 0.0)
            person = refine_person(person, definition, self.attachments, self.markers, counts, self.reference)
            self._wear(person, definition, names)
            self.frames = self._fit(
                self.attachments, self.markers, weights=weights, left_out=away, outlier=REFINED_OUTLIER
            )
        self.seen = np.isfinite(self.markers).all(axis=2) & ~self.frames.left_out
        unseen = ~np.isfinite(self.frames.q).all(axis=1)
        self.whole = ~unseen
        for first, last in runs_of(unseen):
            inner = first > 0 and last < len(unseen)
            self.whole[first:last] = inner and last - first <= self.longest
        self.notes = [*self._exchange_notes(), *self._outlier_notes(), *self._gap_notes()]

    def _wear(self, person: PersonalSkeleton, definition: MarkerAttachments, names: tuple[str, ...]) -> None:
        """Take over a skeleton."""
        self.person, self.skeleton, self.attachments = person, person.skeleton, person.attachments.only(names)
        self.reference = person.standing.copy()
        self.reference[self.skeleton.global_joints] = 0.0
        self.regularisation = definition.regularisation(self.skeleton.joint_names)
        self._fit = partial(fit_frames, self.skeleton, reference=self.reference, regularisation=self.regularisation)

    def _fit_frames(self) -> tuple[FrameFit, tuple[Exchange, ...], np.ndarray]:
        """Fit frame by frame, the labels put right (in the markers too) and what is off its path (T, K) left out."""
        found = self._fit(self.attachments, self.markers, weights=self.weights)
        count = len(self.labels)
        marks, markers = self.attachments.only(self.labels), self.markers[:, :count]
        order, exchanges = order_labels(
            self.skeleton,
            marks,
            markers,
            replace(found, distance=found.distance[:, :count], left_out=found.left_out[:, :count]),
            lambda some: self._fit(marks, some),
        )
        away = np.zeros(self.markers.shape[:2], dtype=bool)
        if exchanges:
            self.markers = np.concatenate([reordered(markers, order), self.markers[:, count:]], axis=1)
            for exchange in exchanges:
                away[exchange.frames, count:] = True  # centres were built from the labels as they were
        away[:, :count] = off_trajectory(self.markers[:, :count])
        if exchanges or away.any():
            found = self._fit(self.attachments, self.markers, weights=self.weights, left_out=away)
        return found, exchanges, away

    def fit(self, residual: Residual | None = None) -> SplineFit:
        """A smooth motion, with a further residual where given."""
        return fit_spline(
            self.skeleton,
            self.attachments,
            self.markers,
            self.rate,
            self.cutoff,
            self.frames.q,
            weights=self.weights,
            left_out=self.frames.left_out,
            reference=self.reference,
            regularisation=self.regularisation,
            residual=residual,
        )

    def _exchange_notes(self) -> list[Note]:
        return [
            Note(
                "warning",
                f"markers {', '.join(f'{a} and {b}' for a, b in found.pairs)}",
                f"lie on each other in frames {frame_ranges(runs_of(found.frames))}: fitted exchanged, which brings "
                f"them from {1000 * found.named:.0f} to {1000 * found.exchanged:.0f} mm from their places; the matrix "
                "form puts right only those that leap from frame to frame",
            )
            for found in self.exchanges
        ]

    def _outlier_notes(self) -> list[Note]:
        notes = []
        for k, name in enumerate(self.labels):
            out = self.frames.left_out[:, k]
            if out.any():
                far = np.nanmax(self.frames.distance[out, k], initial=0.0)
                text = f"left out of the fit in frames {frame_ranges(runs_of(out))}: "
                notes.append(Note("left out", f"marker {name}", f"{text}up to {1000 * far:.0f} mm from its place"))
        return notes

    def _gap_notes(self) -> list[Note]:
        """What rests on a smooth motion alone where markers are missing for longer than gaps are filled."""
        count, notes = len(self.labels), []
        missing = np.zeros((len(self.seen), count), dtype=bool)
        for k in range(count):
            for first, last in runs_of(~self.seen[:, k]):
                missing[first:last, k] = last - first > self.longest
        missing &= np.isfinite(self.frames.q).all(axis=1)[:, None]
        for pattern in np.unique(missing[missing.any(axis=1)], axis=0):
            frames = (missing == pattern).all(axis=1)
            posture = self.frames.q[frames][[frames.sum() // 2]]
            seen = np.append(~pattern, np.ones(len(self.weights) - count, dtype=bool))[None] & self.seen[frames][:1]
            uncertain = [
                observability(self.skeleton, self.attachments, mask, posture).uncertainty > NOT_SEEN
                for mask in (np.ones_like(seen), seen)
            ]
            lost = np.flatnonzero(uncertain[1] & ~uncertain[0])
            bridged = ", ".join(self.skeleton.joint_names[j] for j in lost)
            names = ", ".join(np.array(self.labels)[pattern])
            text = f"missing in frames {frame_ranges(runs_of(frames))}: " + (
                f"{bridged} follow no marker there but a smooth motion" if bridged else "others stand in"
            )
            subject = f"marker{'s' if pattern.sum() > 1 else ''} {names}"
            notes.append(Note("warning" if bridged else "info", subject, text))
        return notes


def standing_places(
    static: MarkersAndPlates, marker_set: MarkerSet, definition: MarkerAttachments, kinematics: WalkOnPlates
) -> tuple[dict[str, np.ndarray], list[Note]]:
    """Markers and joint centres (3,) of the static trial: their medians, or those of one frame of a trial that moves.

    That is the frame of the straightest legs among those that show the most markers.
    """
    calibration = kinematics.calibration
    markers = {name: static.marker(name) for name in static.marker_names}
    pose = BodyPose(marker_set, markers, calibration.values, calibration.hip_method)
    points = {name: pose.point(name) for name in definition.centres} | markers
    seen = {name: track[np.isfinite(track).all(axis=1)] for name, track in points.items()}
    travel = np.median([np.ptp(seen[name], axis=0) for name in markers if len(seen[name])], axis=0)
    if np.linalg.norm(travel) <= STILL:
        return {name: np.median(track, axis=0) for name, track in seen.items() if len(track)}, []
    count = np.isfinite(np.stack(list(points.values()), axis=1)).all(axis=2).sum(axis=1)
    legs = [np.linalg.norm(points[f"{side}_hip"] - points[f"{side}_ankle"], axis=1) for side in SIDES]
    frame = int(np.argmax(np.where(count == count.max(), np.nan_to_num(legs).sum(axis=0), -1.0)))
    text = (
        f"moves by {np.linalg.norm(travel):.2f} m: the posture of frame {frame + 1}, of the straightest legs, stands "
        "for standing, and angles are off throughout as it is: on published walks by up to 5 degrees for pelvis and "
        "legs, by up to 10 for inversion of the ankle and 15 for the arms"
    )
    return {name: track[frame] for name, track in points.items()}, [Note("assumed", static.name, text)]
