"""Joint centres, points and segment frames of a recording, built from its markers as a marker set defines them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from pipeline.anatomy.chord import chord, triangle, unsolved
from pipeline.anatomy.cluster import ClusterPose, cluster_pose, cluster_shape
from pipeline.anatomy.hip_centre import given_hip, hip_centre_in_pelvis, hip_values
from pipeline.anatomy.marker_set import Chord, Direction, MarkerSet
from pipeline.conventions import LATERAL_SIGN, Y
from pipeline.errors import AnatomyError
from pipeline.math3d import rotation_about, rotation_from_axes
from pipeline.signals import frame_ranges, runs_of
from pipeline.trial import Calibration, Note


class BodyPose:
    """All points and frames of one recording, each computed at first use.

    Args:
        marker_set: definitions of points and frames.
        markers: by label, (T, 3) m in G; NaN where not seen.
        values: subject values in SI.
        hip_method: as in `hip_centre_in_pelvis`.
        turns: constant turns of frames found in the static trial; None while evaluating the static trial itself.
        offsets: constant positions of points in the frames to which they are fixed; None in the static trial.
        where: name of the recording in messages.

    Raises:
        AnatomyError: there is no marker; `point` and `frame` raise it for circular definitions and for a joint centre
            that fits the markers in no frame.
    """

    def __init__(
        self,
        marker_set: MarkerSet,
        markers: Mapping[str, np.ndarray],
        values: Mapping[str, float],
        hip_method: str = "davis",
        *,
        turns: Mapping[str, np.ndarray] | None = None,
        offsets: Mapping[str, np.ndarray] | None = None,
        where: str = "recording",
    ) -> None:
        self.marker_set, self.values, self.hip_method = marker_set, values, hip_method
        self.turns, self.offsets, self.where = turns, offsets, where
        self.absent: set[str] = set()
        """Labels that definitions need and that the recording does not have."""
        self.replaced: dict[str, str] = {}
        """Points built from their `otherwise` because a label is absent."""
        self.cluster_residuals: dict[str, np.ndarray] = {}
        """Root mean square distance (T,) m of a cluster's markers from the rigid cluster, by name of the frame."""
        self.notes: list[Note] = []
        """Warnings on joint centres that have no solution in some frames."""
        if not markers:
            raise AnatomyError("the recording has no marker", remedy="Check that the file holds labelled trajectories")
        self.frames = len(next(iter(markers.values())))
        """Number T of frames."""
        self._given = set(markers)
        self.markers = {name: track for name, track in markers.items() if np.isfinite(track).any()}
        self._cache: dict[tuple[str, str], np.ndarray] = {}
        self._clusters: dict[str, ClusterPose] = {}
        self._open: list[tuple[str, str]] = []

    @classmethod
    def calibrated(
        cls,
        marker_set: MarkerSet,
        markers: Mapping[str, np.ndarray],
        calibration: Calibration,
        where: str = "recording",
    ) -> BodyPose:
        """Points and frames of any recording of a calibrated subject."""
        return cls(
            marker_set,
            markers,
            calibration.values,
            calibration.hip_method,
            turns=calibration.frame_turns,
            offsets=calibration.point_offsets,
            where=where,
        )

    def point(self, name: str) -> np.ndarray:
        """Position (T, 3) m in G of a built point or a marker; NaN where it cannot be built."""
        return self._once("point", name, self._build_point)

    def frame(self, name: str) -> np.ndarray:
        """Anatomical rotation R_GS (T, 3, 3) of a frame."""
        return self._once("frame", name, self._build_frame)

    def tracked_frame(self, name: str) -> np.ndarray:
        """Rotation of a frame from its tracked directions alone, without the static trial's turn."""
        return self._once("tracked", name, self._build_tracked)

    def origin(self, name: str) -> np.ndarray:
        """Origin (T, 3) m in G of a frame."""
        definition = self.marker_set.frames[name]
        if definition.cluster:
            return self._cluster(name).origin
        return self.origin(definition.turned.frame) if definition.turned else self.point(str(definition.origin))

    def _cluster(self, name: str) -> ClusterPose:
        """Pose of a cluster, using its shape in the static trial."""
        if name not in self._clusters:
            labels = self.marker_set.frames[name].cluster or ()
            tracks = np.stack([self.point(label) for label in labels], axis=1)
            shape = cluster_shape(tracks) if self.offsets is None else np.array([self.offsets[n] for n in labels])
            self._clusters[name] = cluster_pose(shape, tracks)
            self.cluster_residuals[name] = self._clusters[name].residual
        return self._clusters[name]

    def _once(self, kind: str, name: str, build: Callable[[str], np.ndarray]) -> np.ndarray:
        key = (kind, name)
        if key in self._open:
            chain = " -> ".join(entry for _, entry in [*self._open, key])
            raise AnatomyError(f"circular definitions: {chain}", where=f"marker set {self.marker_set.name}")
        if key not in self._cache:
            self._open.append(key)
            try:
                self._cache[key] = build(name)
            finally:
                self._open.pop()
        return self._cache[key]

    def replacement_notes(self) -> list[Note]:
        """What each point that lacks its own label is taken from, if that is seen; also of points not used so far."""
        for name, point in self.marker_set.points.items():
            if point.otherwise:
                self.point(name)
        return [
            Note("assumed" if other in self.marker_set.points else "info", name, f"taken from {other}")
            for name, other in self.replaced.items()
            if np.isfinite(self.point(other)).any()
        ]

    def _missing(self) -> np.ndarray:
        return np.full((self.frames, 3), np.nan)

    def _build_point(self, name: str) -> np.ndarray:
        definition = self.marker_set.points.get(name)
        if definition is None:
            if name not in self.markers:
                if name not in self._given:
                    self.absent.add(name)
                return self._missing()
            return self.markers[name]
        if definition.fixed_in and self.offsets is not None:
            R_GS = self.frame(definition.fixed_in)
            return self.origin(definition.fixed_in) + R_GS @ self.offsets[name]
        if definition.mean:
            lacking = [
                part for part in definition.mean if part not in self.marker_set.points and part not in self.markers
            ]
            if lacking and definition.otherwise in {*self.marker_set.points, *self.markers}:
                self.replaced[name] = definition.otherwise
                return self.point(definition.otherwise)
            return np.mean([self.point(part) for part in definition.mean], axis=0)
        side = side_of(name)
        if definition.chord:
            return self._chord(name, side, definition.chord)
        pelvis = str(definition.hip_regression)
        values = {name: self.values.get(name, np.nan) for name in (*hip_values(side), *given_hip(side))}
        values["marker_radius"] = self.marker_radius
        return self.origin(pelvis) + self.frame(pelvis) @ hip_centre_in_pelvis(self.hip_method, side, values)

    def _chord(self, name: str, side: str, c: Chord) -> np.ndarray:
        if c.width not in self.values:  # the markers that this construction would replace are present
            return self._missing()
        distance = 0.5 * self.values[c.width] + self.marker_radius
        rotation = -LATERAL_SIGN[side] * self.values[c.rotation] if c.rotation else 0.0
        abduction = self.values.get(c.abduction, 0.0) if c.abduction else 0.0
        points = self.point(c.proximal), self.point(c.marker), self.point(c.wand)
        centre = chord(*points, distance, rotation, abduction)
        frames, what, value, limit = unsolved(triangle(*points, distance, rotation, abduction), centre, distance)
        if not frames.any():
            return centre
        if what == "marker":
            found = (
                f"marker {c.marker} is {1000 * value:.0f} mm from {c.proximal} (limit: above {1000 * limit:.0f} mm, "
                f"half of {c.width} and the marker's radius)"
            )
        else:
            found = (
                f"marker {c.wand} is {1000 * value:.1f} mm from the line from {c.proximal} to {c.marker} (limit: "
                f"above {1000 * limit:.1f} mm for an offset of {np.degrees(abs(rotation)):.0f} degrees)"
            )
        remedy = f"check these labels and {c.width if what == 'marker' else c.rotation or 'the wand'}"
        where = f"frames {frame_ranges(runs_of(frames))}"
        if not np.isfinite(centre).all(axis=1).any():
            raise AnatomyError(
                f"no centre fits the markers in {where}: {found}",
                where=f"{self.where}, {name}",
                remedy=remedy.capitalize(),
            )
        self.notes.append(
            Note("warning", f"{self.where}, {name}", f"no centre fits the markers in {where} because {found}: {remedy}")
        )
        return centre

    @property
    def marker_radius(self) -> float:
        """Radius, m: the subject's if given, otherwise the marker set's."""
        diameter = self.values.get("marker_diameter")
        return self.marker_set.marker_radius if diameter is None else 0.5 * diameter

    def static_turn(self, name: str) -> np.ndarray:
        """Constant turn (3, 3) of a frame from its `offsets` among the subject's values."""
        turn = np.eye(3)
        for axis, value in (self.marker_set.frames[name].offsets or {}).items():
            sign = 1.0 if axis == "z" else LATERAL_SIGN[side_of(name)]
            turn = turn @ rotation_about(np.eye(3)["xyz".index(axis)], sign * self.values.get(value, 0.0))
        return turn

    def _build_frame(self, name: str) -> np.ndarray:
        definition = self.marker_set.frames[name]
        tracked = self.tracked_frame(name)
        if not definition.static:
            return tracked
        if self.turns is not None:
            return tracked @ self.turns[name]
        # Static trial: the exact axis is given, the second one is still that of the tracked frame.
        ((exact, direction),) = definition.static.items()
        second = next(axis for axis in reversed(list(definition.axes or ())) if axis != exact)
        return rotation_from_axes(
            self._direction(name, exact, direction), tracked[..., "xyz".index(second)], exact + second
        )

    def _build_tracked(self, name: str) -> np.ndarray:
        definition = self.marker_set.frames[name]
        if definition.cluster:
            return self._cluster(name).R_GS
        if definition.turned:
            R_GS = self.frame(definition.turned.frame)
            angle = -LATERAL_SIGN[side_of(name)] * self.values[definition.turned.by]
            return R_GS @ rotation_about(np.eye(3)["xyz".index(definition.turned.about)], angle)
        (first, primary), (second, secondary) = (definition.axes or {}).items()
        return rotation_from_axes(
            self._direction(name, first, primary), self._direction(name, second, secondary), first + second
        )

    def _direction(self, frame: str, axis: str, definition: Direction) -> np.ndarray:
        if definition.axis:
            return self.frame(definition.axis)[..., "xyz".index(axis)]
        direction = self.point(str(definition.end)) - self.point(str(definition.start))
        if definition.lateral:
            direction = LATERAL_SIGN[side_of(frame)] * direction
        if definition.horizontal:
            direction = direction.copy()
            direction[:, Y] = 0.0
        return direction


def side_of(name: str) -> str:
    """Side with which the name of a point, frame or joint begins.

    Raises:
        AnatomyError: the name begins with neither left_ nor right_.
    """
    side = name.split("_", 1)[0]
    if side not in LATERAL_SIGN:
        raise AnatomyError(f"{name!r} needs a side: its name must begin with left_ or right_", where="marker set")
    return side
