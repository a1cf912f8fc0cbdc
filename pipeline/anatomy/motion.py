"""Segment motion (poses and derivatives), joint poses and joint angles of a calibrated body from filtered markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.pose import BodyPose
from pipeline.conventions import clinical_signs
from pipeline.math3d import cardan_angles
from pipeline.signals import angular_derivatives, derivatives
from pipeline.trial import Calibration, JointPose, Note, SegmentMotion

MAX_CLUSTER_RESIDUAL = 0.010
"""m; skin deforms clusters of thigh and shank by some millimetres (Leardini et al. 2005, Gait Posture 21, 212-225)."""


@dataclass(frozen=True)
class BodyMotion:
    """Motion of the body from a walk's markers; see the fields of the same names in `pipeline.trial.Kinematics`."""

    points: dict[str, np.ndarray]
    segments: dict[str, SegmentMotion]
    joints: dict[str, JointPose]
    angles: dict[str, np.ndarray]
    absent: tuple[str, ...]
    notes: tuple[Note, ...]


def body_motion(
    markers: Mapping[str, np.ndarray],
    rate: float,
    marker_set: MarkerSet,
    calibration: Calibration,
    *,
    where: str = "walk",
) -> BodyMotion:
    """Evaluate a calibrated body on filtered markers.

    Args:
        markers: (T, 3) m in G by label, filtered; NaN where missing.
        rate: Hz.
        marker_set: the set used for the calibration.
        calibration: the subject's body.
        where: name of the walk in messages.

    Returns:
        Quantities that lack a marker in a frame are NaN there; labels that the recording lacks are in ``absent``.

    Raises:
        AnatomyError: a joint centre fits the markers in no frame.
    """
    pose = BodyPose.calibrated(marker_set, markers, calibration, where)
    points = {name: pose.point(name) for name in marker_set.points}
    of_segments = {inertia.frame for inertia in calibration.segments.values()}
    of_joints = {name for joint in marker_set.joints.values() for name in (joint.proximal, joint.distal)}
    rates = {name: angular_derivatives(pose.frame(name), rate) for name in sorted(of_segments | of_joints)}
    segments = {}
    for name, inertia in calibration.segments.items():
        R_GS = pose.frame(inertia.frame)
        com = pose.origin(inertia.frame) + R_GS @ inertia.com_S
        segments[name] = SegmentMotion(R_GS, com, *derivatives(com, rate), *rates[inertia.frame])
    joints = {
        name: JointPose(
            pose.point(joint.centre),
            pose.frame(joint.proximal),
            pose.frame(joint.distal),
            rates[joint.distal][0] - rates[joint.proximal][0],
        )
        for name, joint in marker_set.joints.items()
    }
    angles = {name: joint_angles(name, joints[name], joint.sequence) for name, joint in marker_set.joints.items()}
    angles["pelvis"] = pelvis_angles(pose.frame("pelvis"))
    replaced = (note for note in pose.replacement_notes() if note not in calibration.notes)
    in_walk = (replace(note, text=f"{note.text} in the walk, unlike in the static trial") for note in replaced)
    notes = (*in_walk, *pose.notes, *_cluster_notes(pose))
    return BodyMotion(points, segments, joints, angles, tuple(sorted(pose.absent)), notes)


def _cluster_notes(pose: BodyPose) -> Iterator[Note]:
    """How much the markers of each cluster move relative to each other, and a warning if that is too much."""
    sizes = {
        name: float(np.sqrt(np.mean(np.square(seen))))
        for name, residual in pose.cluster_residuals.items()
        if len(seen := residual[np.isfinite(residual)])
    }
    if sizes:
        each = ", ".join(f"{name.replace('_', ' ')} {1000.0 * size:.1f} mm" for name, size in sizes.items())
        yield Note("info", "clusters", f"markers move relative to each other by (root mean square): {each}")
    for name, size in sizes.items():
        if size > MAX_CLUSTER_RESIDUAL:
            labels = ", ".join(pose.marker_set.frames[name].cluster or ())
            text = (
                f"{labels} move relative to each other by {1000.0 * size:.0f} mm (root mean square; limit "
                f"{1000.0 * MAX_CLUSTER_RESIDUAL:g} mm); one was probably moved or labelled differently since the "
                "static trial: compare both trials"
            )
            yield Note("warning", name.replace("_", " "), text)


def joint_angles(name: str, joint: JointPose, sequence: str = "zxy") -> np.ndarray:
    """Clinical angles (T, 3) rad of a joint: flexion (z), adduction (x), internal rotation (y) positive.

    Cardan angles of the distal in the proximal frame; "zxy" is the joint coordinate system of Grood and Suntay (1983).
    Hip flexion and ankle dorsiflexion turn the distal segment forwards, knee flexion backwards. At the ankle, the
    second angle is inversion.
    """
    angles = cardan_angles(np.swapaxes(joint.R_GP, 1, 2) @ joint.R_GD, sequence)
    zxy = angles[:, [sequence.index(axis) for axis in "zxy"]]
    return zxy * clinical_signs(name)


def pelvis_angles(R_GP: np.ndarray) -> np.ndarray:
    """Pelvis angles (T, 3) rad in G (z-x-y): anterior tilt, right side up, turned to the left positive."""
    return cardan_angles(R_GP, "zxy") * np.array([-1.0, -1.0, 1.0])
