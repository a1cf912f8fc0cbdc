"""Calibration of the skeleton's joints and model markers jointly from the static trial and a walk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.anatomy import Attachments
from pipeline.inverse_kinematics.frame_fit import MIN_MARKERS, model_marker_positions
from pipeline.inverse_kinematics.model_calibration import CalibrationFrames, calibrate_model
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.inverse_kinematics.static_calibration import (
    CENTRE_WEIGHT,
    CalibratedSkeleton,
    all_known,
    axis_factors,
    distance_between,
    scaled_segments,
)
from pipeline.skeleton import Skeleton, scale_mass
from pipeline.trial import Note

FRAMES = 60
"""Frames of the walk that are used, evenly spread: more frames hardly change the result."""

STATIC_WEIGHT = 0.1
"""Weight of a marker in the static pose relative to that in the mean walking frame. The static frame only has to
determine the pose, since the marker positions measured in it are already the prior of the calibration."""

_REPORTED_SHIFT = 0.01
"""m; a model marker that moves farther is reported."""


def calibrate_from_walk(
    model: CalibratedSkeleton,
    definition: Attachments,
    markers: ModelMarkers,
    markers_G: np.ndarray,
    weights: np.ndarray,
    reference: np.ndarray,
) -> CalibratedSkeleton:
    """Calibrate joints and model marker positions from static trial and walk together (`model_calibration`).

    Args:
        model: calibrated from the static trial.
        definition: the joints to calibrate.
        markers: the K model markers and joint centres of the walk.
        markers_G: (T, K, 3) m.
        weights: (T, K); zero leaves a marker out. Frames with too few markers are not used.
        reference: (n,) coordinates towards which the walk's poses are regularised.

    Raises:
        DynamicsError: a joint or segment of the definition is unknown.
    """
    names, joint_names = markers.names, model.skeleton.joint_names
    usable = np.flatnonzero((weights > 0.0).sum(axis=1) >= MIN_MARKERS)
    if not len(usable):
        return model
    rows = usable[:: -(-len(usable) // FRAMES)]
    walking = CalibrationFrames(markers_G[rows], weights[rows], reference, definition.regularisation(joint_names))
    static = _static_frame(model, definition, names)
    centres = tuple(definition.centres)
    found = calibrate_model(model.skeleton, markers, definition.calibrated_joints, walking, static, fixed=centres)

    point = model.markers.point.copy()
    point[[model.markers.names.index(name) for name in names]] = found.markers.point
    distance = np.linalg.norm(
        model_marker_positions(found.skeleton, found.markers, found.static_pose[None])[0] - static.markers[0], axis=1
    )
    shift = np.linalg.norm(found.markers.point - markers.point, axis=1)
    return replace(
        model,
        skeleton=_with_scaled_mass(found.skeleton, model, definition),
        markers=replace(model.markers, point=point),
        static_pose=found.static_pose,
        joint_centre_errors={n: float(distance[names.index(n)]) for n in model.joint_centre_errors if n in names},
        notes=(*model.notes, *_notes(found.changes, names, shift)),
    )


def _static_frame(model: CalibratedSkeleton, definition: Attachments, names: tuple[str, ...]) -> CalibrationFrames:
    """The static pose as a frame for the calibration."""
    markers = np.array([model.static_positions.get(name, np.full(3, np.nan)) for name in names])[None]
    weights = np.where(np.isin(names, list(definition.centres)), CENTRE_WEIGHT, STATIC_WEIGHT)[None]
    weights = np.where(np.isfinite(markers).all(axis=2), weights, 0.0)
    joint_names = model.skeleton.joint_names
    regularisation = definition.regularisation(joint_names, static=True)
    return CalibrationFrames(markers, weights, np.zeros(len(joint_names)), regularisation)


def _with_scaled_mass(skeleton: Skeleton, before: CalibratedSkeleton, definition: Attachments) -> Skeleton:
    """The calibrated skeleton, with centres of mass and inertias scaled with the distances between joint centres.

    Tables give centres of mass and radii of gyration as fractions of these distances (de Leva 1996, table 4). The
    position of the hips in the depth and height of the pelvis is not such a distance, so the pelvis' centre of mass is
    unchanged.
    """
    centres = before.markers.only(tuple(definition.centres))
    neutral = np.zeros((1, len(skeleton)))
    old, new = (
        dict(zip(centres.names, model_marker_positions(body, centres, neutral)[0], strict=True))
        for body in (before.skeleton, skeleton)
    )
    factors = {
        name: distance_between(scale.distance, new) / distance_between(scale.distance, old)
        if all_known(scale.distance, old)
        else 1.0
        for name, scale in definition.scale_factors.items()
    }
    return scale_mass(skeleton, {name: axis_factors(definition, factors, name) for name in scaled_segments(definition)})


def _notes(changes: dict[str, np.ndarray], names: tuple[str, ...], shift: np.ndarray) -> list[Note]:
    """Notes on changes of the joints (m, rad), and on model markers that moved by more than `_REPORTED_SHIFT`."""
    joints = ", ".join(
        f"{name} {1000 * np.linalg.norm(change[:3]):.0f} mm, {np.degrees(np.linalg.norm(change[3:])):.1f} degrees"
        for name, change in changes.items()
    )
    notes = [Note("estimated", "skeleton", f"joint centres and axes were calibrated from the walk: {joints}")]
    far = ", ".join(f"{names[k]} {1000 * shift[k]:.0f} mm" for k in np.flatnonzero(shift > _REPORTED_SHIFT))
    if far:
        text = (
            f"not where they were in the static trial ({far}): they or soft tissue moved; the walk's positions are used"
        )
        notes.append(Note("estimated", "markers", text))
    return notes if changes else notes[1:]
