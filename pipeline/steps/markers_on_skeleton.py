"""A walk's markers on a person's skeleton, for the step that puts a walk on the whole body."""

from __future__ import annotations

import numpy as np

from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.pose import BodyPose
from pipeline.config import FilterSettings
from pipeline.errors import DynamicsError
from pipeline.signals.runs import runs_of
from pipeline.skeleton.fit import FrameFit, fit_frames
from pipeline.skeleton.fit_markers import MarkerAttachments
from pipeline.skeleton.fit_spline import Residual, SplineFit, fit_spline
from pipeline.skeleton.fit_standing import PersonalSkeleton
from pipeline.trial import Kinematics, Note, RawTrial

STILL = 0.05
"""m; a static trial in which the median marker travels farther than this is a walk, and one frame of it must do."""


class MarkedMotion:
    """A walk's markers on a person's skeleton, and the fits to them.

    Args:
        walk: recording; its unfiltered markers are fitted.
        kinematics: of the same walk, with the joint centres.
        definition: where markers and centres sit on the skeleton.
        person: the skeleton.
        filter: cut-off, and the longest gap that is bridged.
        centre_weight: of the joint centres beside the markers; zero leaves them out.

    Attributes:
        labels: of the markers that are fitted. attachments: theirs, and then the joint centres'.
        frames: the fit frame by frame. seen: (T, K) markers and centres that count.
        whole: (T,) frames that show enough markers, or lie in a gap that is bridged.
        notes: markers that were left out.
    """

    def __init__(
        self,
        walk: RawTrial,
        kinematics: Kinematics,
        definition: MarkerAttachments,
        person: PersonalSkeleton,
        filter: FilterSettings,
        centre_weight: float,
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
        self.attachments = person.attachments.only(names)
        self.skeleton, self.markers, self.weights = person.skeleton, markers, weights
        self.rate, self.cutoff = walk.rate, filter.markers
        self.reference = person.standing.copy()
        self.reference[self.skeleton.global_joints] = 0.0
        self.firmness = definition.firmness(self.skeleton.joint_names)
        self.frames: FrameFit = fit_frames(
            self.skeleton,
            self.attachments,
            markers,
            weights=weights,
            reference=self.reference,
            firmness=self.firmness,
        )
        self.seen = np.isfinite(markers).all(axis=2) & ~self.frames.left_out
        unseen = ~np.isfinite(self.frames.q).all(axis=1)
        self.whole = ~unseen
        for first, last in runs_of(unseen):
            inner = first > 0 and last < len(unseen)
            self.whole[first:last] = inner and last - first <= round(filter.max_gap * self.rate)
        self.notes = self._notes()

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
            firmness=self.firmness,
            residual=residual,
        )

    def _notes(self) -> list[Note]:
        notes = []
        for k, name in enumerate(self.labels):
            count = int(self.frames.left_out[:, k].sum())
            if count:
                far = float(np.nanmax(self.frames.distance[:, k]))
                text = f"left out of the fit in {count} frames, up to {1000 * far:.0f} mm from its place"
                notes.append(Note("left out", f"marker {name}", text))
        return notes


def standing_places(
    static: RawTrial, marker_set: MarkerSet, definition: MarkerAttachments, kinematics: Kinematics
) -> tuple[dict[str, np.ndarray], list[Note]]:
    """Markers and joint centres (3,) of the static trial: their medians, or one frame of a trial that moves."""
    calibration = kinematics.calibration
    markers = {name: static.marker(name) for name in static.marker_names}
    pose = BodyPose(marker_set, markers, calibration.values, calibration.hip_method)
    points = {name: pose.point(name) for name in definition.centres} | markers
    seen = {name: track[np.isfinite(track).all(axis=1)] for name, track in points.items()}
    travel = np.median([np.ptp(seen[name], axis=0) for name in markers if len(seen[name])], axis=0)
    if np.linalg.norm(travel) <= STILL:
        return {name: np.median(track, axis=0) for name, track in seen.items() if len(track)}, []
    frame = int(np.argmax(np.isfinite(static.markers_G).all(axis=2).sum(axis=1)))
    text = f"moves by {np.linalg.norm(travel):.2f} m: the posture of frame {frame + 1} stands for standing"
    return {name: track[frame] for name, track in points.items()}, [Note("assumed", static.name, text)]
