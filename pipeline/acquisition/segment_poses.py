"""Points that represent the segment poses stored in a C3D file (group ROTATION): each origin and a point on each axis.

Programs that estimate poses from video or inertial sensors write no markers but a homogeneous matrix for each segment
and frame (data type by C-Motion, 2019; labels such as "pelvis_4X4" are Theia's). The origin and the points on the axes
determine the pose, so marker sets, filters and fits need nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile
from pipeline.trial import Note

ARM = 0.1
"""m from a segment's origin to the points on its axes."""

_AXES = ("x", "y", "z")
_ORTHONORMAL = 1e-3
"""Largest deviation of the axes from unit length and right angles; rounding to single precision or printed decimals
stays below it."""
_LANDMARKS = {"LHEEL": "l_foot_4X4", "RHEEL": "r_foot_4X4"}
"""Segment of each point that Theia stores in segment axes, as THEIA3D:LHEEL_POS and so on."""
_ONE_METRE = 1.0
"""m: no landmark is farther from its segment's origin, so a longer vector is stored in the file's unit."""


def points_of_poses(file: C3DFile) -> tuple[list[str], np.ndarray, list[Note]]:
    """Points that represent the segments' poses.

    Args:
        file: content of the C3D file.

    Returns:
        K labels (the segment's own for its origin; with ``_x``, ``_y``, ``_z`` for the points on its axes); positions
        (T, K, 3) m in the file's axes, NaN where the matrix is not a rotation; and notes.

    Raises:
        AcquisitionError: unknown length unit.
    """
    count = file.poses.shape[1]
    if not count:
        return [], np.zeros((len(file.poses), 0, 3)), []
    stored = file.texts_of("ROTATION", "LABELS", count)
    segments = [label or f"segment{number}_4X4" for number, label in enumerate(stored, start=1)]
    turned, origins = file.poses[..., :3, :3], file.metres * file.poses[..., :3, 3]
    valid, absent = _are_rotations(turned), ~np.isfinite(file.poses).all(axis=(-2, -1)) | ~turned.any(axis=(-2, -1))
    corners = origins[:, :, None] + ARM * turned.swapaxes(-1, -2)
    points = np.where(valid[..., None, None], np.concatenate([origins[:, :, None], corners], axis=2), np.nan)
    labels = [name for segment in segments for name in (segment, *(f"{segment}_{axis}" for axis in _AXES))]
    positions = points.reshape(len(points), -1, 3)
    notes = list(_notes(segments, valid, absent))
    for name, segment in _LANDMARKS.items():
        local = file.numbers("THEIA3D", f"{name}_POS").ravel()
        if segment in segments and len(local) == 3 and np.isfinite(local).all() and local.any():
            own = points[:, segments.index(segment)]
            scale = file.metres if np.linalg.norm(local) > _ONE_METRE else 1.0
            landmark = own[:, 0] + scale * (local @ (own[:, 1:] - own[:, :1]) / ARM)
            labels, positions = [*labels, name], np.concatenate([positions, landmark[:, None]], axis=1)
            notes.append(Note("info", name, f"placed at THEIA3D:{name}_POS in the axes of {segment}"))
    return labels, positions, notes


def _are_rotations(turned: np.ndarray) -> np.ndarray:
    """Whether matrices (..., 3, 3) are rotations."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(turned.swapaxes(-1, -2) @ turned - np.eye(3)).max(axis=(-2, -1))
        return (apart <= _ORTHONORMAL) & (np.linalg.det(turned) > 0.0)


def _notes(segments: list[str], valid: np.ndarray, absent: np.ndarray) -> Iterator[Note]:
    text = (
        f"the file stores poses of {len(segments)} segments instead of markers: the origin of each and points on its "
        f"axes, {ARM:g} m away, are taken as markers"
    )
    yield Note("assumed", "segment poses", text)
    for index, segment in enumerate(segments):
        wrong = np.flatnonzero(~valid[:, index] & ~absent[:, index])
        if len(wrong):
            text = (
                f"its matrix is not a rotation in {len(wrong)} of {len(valid)} frames, first in {wrong[0] + 1}; these "
                "are taken as gaps: export the file again"
            )
            yield Note("left out", segment, text)
