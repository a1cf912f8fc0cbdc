"""Static calibration: scale the skeleton to a static pose, find that pose, and place the model markers.

Scale factors and joint offsets change the pose that fits the markers, and the pose changes the factors and offsets that
the markers imply. Both are found together by a fixed-point iteration with Anderson mixing (Walker and Ni 2011, SIAM J
Numer Anal 49:1715-1735).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.anatomy import Attachments, JointOffset, Landmark
from pipeline.inverse_kinematics.attachment_names import check_attachments
from pipeline.inverse_kinematics.frame_fit import fit_frames, model_marker_positions
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.math3d import rotation_about
from pipeline.sides import other_side
from pipeline.skeleton import Skeleton, link_poses, rotate_joint, scale_segments
from pipeline.trial import Note

CENTRE_WEIGHT = 10.0
"""Weight of a joint centre in the static pose relative to that of a bony landmark."""

STATIC_REGULARISATION = 100.0
"""Factor of the regularisation in the static pose, where model marker positions are assumed and not yet measured."""

UNUSUAL = 0.4
"""Logarithm of a scale factor, 0.67 to 1.5, beyond which a note asks to check the markers."""

_TOLERANCE = 1e-3
"""Largest error of a scale factor (relative) or joint offset (rad) at which the iteration ends."""

_MAX_ITERATIONS = 60
_HISTORY = 4
"""Number of iterations that Anderson mixing extrapolates from."""

_STEP_LIMIT = 0.3
"""Largest change of a scale factor (relative) or joint offset (rad) per iteration."""


@dataclass(frozen=True)
class CalibratedSkeleton:
    """A subject's skeleton with its model markers.

    Attributes:
        skeleton: scaled, with constant joint offsets.
        markers: model markers at their measured positions, and the joint centres.
        static_pose: (n,) coordinates of the static trial.
        scale_factors: segment dimensions over those of an average subject of the same stature, by name.
        joint_offsets: rad, by name.
        joint_centre_errors: m, distance of the joints from the static trial's joint centres, by name.
        static_positions: (3,) m in G, measured positions of markers and centres in the static pose, by name.
        notes: scale factors that could not be measured, are unusual or did not converge.
    """

    skeleton: Skeleton
    markers: ModelMarkers
    static_pose: np.ndarray
    scale_factors: dict[str, float]
    joint_offsets: dict[str, float]
    joint_centre_errors: dict[str, float]
    static_positions: dict[str, np.ndarray]
    notes: tuple[Note, ...]


def calibrate_static(
    skeleton: Skeleton,
    definition: Attachments,
    positions: Mapping[str, np.ndarray],
    stature: float,
    *,
    symmetric: bool = False,
) -> CalibratedSkeleton:
    """Scale a skeleton to a static pose, find that pose, and place the model markers at the measured positions.

    Args:
        skeleton: of the subject's stature, mass and sex.
        definition: the model markers, and the distances that scale segments.
        positions: (3,) m in G of markers and joint centres; absent or NaN if unknown.
        stature: m.
        symmetric: give both sides the mean of their scale factors.

    Raises:
        AnatomyError: the definition names a segment or a joint that the skeleton does not have.
        DynamicsError: too few markers are known.
    """
    check_attachments(definition, skeleton)
    known = {
        n: np.asarray(positions[n]) for n in definition.sites if n in positions and np.isfinite(positions[n]).all()
    }
    problem = _StaticProblem(skeleton, definition, known, stature, symmetric)
    start = np.zeros(len(definition.scale_factors) + len(definition.joint_offsets))
    value, error = _fixed_point(problem.errors, start)
    scale_factors, joint_offsets = problem.named(value)
    body, markers, q = problem.fit_pose(value)
    distance = np.linalg.norm(
        model_marker_positions(body, markers.only(tuple(known)), q)[0] - np.array(list(known.values())), axis=1
    )
    errors = dict(zip(known, distance.tolist(), strict=True))
    return CalibratedSkeleton(
        skeleton=body,
        markers=_at_measured_positions(body, markers, {n: known[n] for n in known if n in definition.markers}, q),
        static_pose=q[0],
        scale_factors=scale_factors,
        joint_offsets=joint_offsets,
        joint_centre_errors={name: errors[name] for name in known if name in definition.centres},
        static_positions=known,
        notes=tuple(_notes(skeleton, definition, known, scale_factors, error)),
    )


@dataclass(frozen=True)
class _StaticProblem:
    """The unknowns as a vector: logarithms of the scale factors, then joint offsets."""

    skeleton: Skeleton
    definition: Attachments
    known: dict[str, np.ndarray]
    stature: float
    symmetric: bool

    def named(self, value: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
        """Scale factors, and joint offsets (rad), by name."""
        count = len(self.definition.scale_factors)
        factors = dict(zip(self.definition.scale_factors, np.exp(value[:count]).tolist(), strict=True))
        return factors, dict(zip(self.definition.joint_offsets, value[count:].tolist(), strict=True))

    def fit_pose(self, value: np.ndarray) -> tuple[Skeleton, ModelMarkers, np.ndarray]:
        """The scaled skeleton, all model markers at their assumed positions, and the pose (1, n) that fits them."""
        definition = self.definition
        names = tuple(name for name in self.known if definition.sites[name].at is not None)
        factors, offsets = self.named(value)
        body = _scaled(self.skeleton, definition, factors, offsets)
        markers = _assumed_markers(body, definition, factors, self.stature, self.known)
        weights = [CENTRE_WEIGHT if n in definition.centres else definition.markers[n].weight for n in names]
        fit = fit_frames(
            body,
            markers.only(names),
            np.array([self.known[name] for name in names]).reshape(1, -1, 3),
            weights=np.array(weights),
            regularisation=STATIC_REGULARISATION * definition.regularisation(body.joint_names, static=True),
            outlier=np.inf,
        )
        return body, markers, fit.q

    def errors(self, value: np.ndarray) -> np.ndarray:
        """Measured minus fitted values in the best-fitting pose; zero if there is no measurement."""
        definition, known = self.definition, self.known
        body, markers, q = self.fit_pose(value)
        fitted = dict(zip(markers.names, model_marker_positions(body, markers, q)[0], strict=True))
        factors = {
            name: float(np.log(distance_between(scale.distance, known) / distance_between(scale.distance, fitted)))
            if all_known(scale.distance, known)
            else 0.0
            for name, scale in definition.scale_factors.items()
        }
        if self.symmetric:
            _average_sides(factors)
        offsets = [
            _offset_error(body, markers, offset, known, q) if all_known(offset.direction, known) else 0.0
            for offset in definition.joint_offsets.values()
        ]
        return np.array([*factors.values(), *offsets])


def _fixed_point(errors: Callable[[np.ndarray], np.ndarray], value: np.ndarray) -> tuple[np.ndarray, float]:
    """The value with the smallest errors, by fixed-point iteration with Anderson mixing, and its largest error."""
    values, residuals = [value], [errors(value)]
    while np.abs(residuals[-1]).max(initial=0.0) > _TOLERANCE and len(values) < _MAX_ITERATIONS:
        step = residuals[-1]
        if len(values) > 1:
            d_value, d_residual = (np.diff(np.array(past[-_HISTORY:]), axis=0).T for past in (values, residuals))
            step = step - (d_value + d_residual) @ np.linalg.lstsq(d_residual, step, rcond=1e-3)[0]
        values.append(values[-1] + np.clip(step, -_STEP_LIMIT, _STEP_LIMIT))
        residuals.append(errors(values[-1]))
    best = int(np.argmin([np.abs(residual).max(initial=0.0) for residual in residuals]))
    return values[best], float(np.abs(residuals[best]).max(initial=0.0))


def all_known(ends: tuple[Landmark, Landmark], known: Mapping[str, np.ndarray]) -> bool:
    """Whether both ends of a distance or a direction are known."""
    return all(part in known for end in ends for part in ([end] if isinstance(end, str) else end))


def _position(landmark: Landmark, known: Mapping[str, np.ndarray]) -> np.ndarray:
    """Position (3,) of a landmark."""
    return np.mean([known[part] for part in ([landmark] if isinstance(landmark, str) else landmark)], axis=0)


def distance_between(ends: tuple[Landmark, Landmark], known: Mapping[str, np.ndarray]) -> float:
    """Distance of two landmarks, m."""
    return float(np.linalg.norm(_position(ends[1], known) - _position(ends[0], known)))


def _average_sides(values: dict[str, float]) -> None:
    """Set both sides to their mean."""
    for name in values:
        other = other_side(name)
        if name < other and other in values:
            values[name] = values[other] = 0.5 * (values[name] + values[other])


def axis_factors(definition: Attachments, factors: Mapping[str, float], segment: str) -> np.ndarray:
    """Scale factors (3,) along the axes of a segment, from the named factors."""
    scales = [(name, s) for name, s in definition.scale_factors.items() if segment in s.segments]
    return np.prod(
        [np.ones(3)] + [np.where([axis in s.axes for axis in "xyz"], factors[name], 1.0) for name, s in scales],
        axis=0,
    )


def scaled_segments(definition: Attachments) -> list[str]:
    """Segments that have a scale factor, in alphabetical order."""
    return sorted({segment for scale in definition.scale_factors.values() for segment in scale.segments})


def _scaled(
    skeleton: Skeleton, definition: Attachments, factors: Mapping[str, float], offsets: Mapping[str, float]
) -> Skeleton:
    """The skeleton with scale factors and joint offsets applied."""
    body = scale_segments(
        skeleton, {name: axis_factors(definition, factors, name) for name in scaled_segments(definition)}
    )
    for name, offset in definition.joint_offsets.items():
        axis = np.eye(3)["xyz".index(offset.axis)]
        body = rotate_joint(body, offset.joint, offset.segment, rotation_about(axis, offsets[name]))
    return body


def _assumed_markers(
    skeleton: Skeleton,
    definition: Attachments,
    factors: Mapping[str, float],
    stature: float,
    known: Mapping[str, np.ndarray],
) -> ModelMarkers:
    """All sites at the positions that the definition assumes, scaled with their segments.

    A site without an assumed position is at its segment's origin until it is placed at its measured position; it is
    left out if it was not measured.
    """
    sites = {name: site for name, site in definition.sites.items() if site.at is not None or name in known}
    segments = [skeleton.segment(site.segment) for site in sites.values()]
    at = [
        stature * np.array(site.at or np.zeros(3)) * axis_factors(definition, factors, site.segment)
        for site in sites.values()
    ]
    return ModelMarkers(
        names=tuple(sites),
        joint=np.array([segment.joint for segment in segments], dtype=np.int64),
        point=np.array([s.pose[:3, :3] @ p + s.pose[:3, 3] for s, p in zip(segments, at, strict=True)]),
        segments=tuple(site.segment for site in sites.values()),
    )


def _at_measured_positions(
    skeleton: Skeleton, markers: ModelMarkers, measured: Mapping[str, np.ndarray], q: np.ndarray
) -> ModelMarkers:
    """Model markers moved to their measured positions (3,) in G in the pose q (1, n)."""
    R, r = link_poses(skeleton, q)
    point = markers.point.copy()
    for row, name in enumerate(markers.names):
        if name in measured:
            j = markers.joint[row]
            point[row] = R[0, j].T @ (measured[name] - r[0, j])
    return replace(markers, point=point)


def _offset_error(
    skeleton: Skeleton, markers: ModelMarkers, offset: JointOffset, known: Mapping[str, np.ndarray], q: np.ndarray
) -> float:
    """Angle (rad) of a joint offset's measured direction in pose q (1, n) from that on the skeleton at q = 0."""
    neutral = dict(zip(markers.names, model_marker_positions(skeleton, markers, np.zeros_like(q))[0], strict=True))
    segment = skeleton.segment(offset.segment)
    k, angles = "xyz".index(offset.axis), []
    for positions, pose in ((neutral, np.zeros_like(q)), (known, q)):
        R_GS = link_poses(skeleton, pose)[0][0, segment.joint] @ segment.pose[:3, :3]
        direction = R_GS.T @ (_position(offset.direction[1], positions) - _position(offset.direction[0], positions))
        angles.append(np.arctan2(direction[(k + 2) % 3], direction[(k + 1) % 3]))
    return float((angles[1] - angles[0] + np.pi) % (2.0 * np.pi) - np.pi)


def _notes(
    skeleton: Skeleton,
    definition: Attachments,
    known: Mapping[str, np.ndarray],
    factors: Mapping[str, float],
    error: float,
) -> list[Note]:
    notes = [
        Note("assumed", f"skeleton: {name}", "its size is that of an average subject of this stature: markers missing")
        for name, scale in definition.scale_factors.items()
        if not all_known(scale.distance, known)
    ]
    notes += [
        Note("assumed", f"skeleton: {name}", "its axis is that of an average subject: markers missing")
        for name, offset in definition.joint_offsets.items()
        if not all_known(offset.direction, known)
    ]
    if error > _TOLERANCE:
        text = (
            f"scaling to the static pose did not converge (error {error:.1g}, limit {_TOLERANCE:g}): check the static "
            "trial's markers"
        )
        notes.append(Note("warning", "skeleton", text))

    def bears(name: str) -> bool:
        joints = [skeleton.segment(segment).joint for segment in definition.scale_factors[name].segments]
        return bool(skeleton.moves_feet[joints].any())

    notes += [
        Note(
            "warning" if bears(name) else "info",
            f"skeleton: {name}",
            f"{factor:.2f} times the size of an average subject of this stature (usually {np.exp(-UNUSUAL):.2f} to "
            f"{np.exp(UNUSUAL):.2f}): check its markers and the stature",
        )
        for name, factor in factors.items()
        if abs(np.log(factor)) > UNUSUAL
    ]
    return notes
