"""Declaration of a force plate in the FORCE_PLATFORM group of a C3D file: type, corners, origin, channels, calibration.

After the C3D file format user guide, "FORCE_PLATFORM". Channels and matrices of types 5 to 7 are from HAS-Motion's
Visual3D documentation, "FP_Type" (wiki.has-motion.com); the documentation of the Biomechanical ToolKit
(btkForcePlatform) agrees with it on the number of channels and on the matrices of types 5 and 6:

    5   C, D, A, B (z), YAC, XDC, XAB, YBD      6 x 8 to Fx, Fy, Fz, Mx, My, Mz
    6   x, y, z of sensors 1, 2, 3 and 4        12 x 12
    7   x12, x34, y14, y23, z1, z2, z3, z4      8 x 8
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile
from pipeline.acquisition.ground_reaction import surface_directions
from pipeline.errors import AcquisitionError
from pipeline.math3d import rotation_from_axes
from pipeline.trial import Note

CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6, 5: 8, 6: 12, 7: 8}
"""Number of analog channels of each type."""
OF_SENSORS = (3, 6, 7)
"""Types whose channels are forces at four sensors; x and y of their ORIGIN are half the distances of the sensors."""
_CALIBRATED = {4: 6, 5: 6, 6: 12, 7: 8}
"""Number of rows of the calibration matrix of each type that has one; it has a column for each channel."""

_MIN_SIDE, _MAX_SHORT_SIDE = 0.05, 3.0
"""m: limits of a plate's shorter side. Belts and walkways are longer, but less than 3 m wide; beyond these limits the
corners are in another unit than the markers."""
_MAX_CORNER_ERROR = 0.01
"""m: in published trials, corners measured with markers deviate from a rectangle by up to 2 mm. A centre of pressure
near a wrong corner is wrong by as much; beyond 10 mm this changes joint moments by more than their repeatability."""
_NO_RECTANGLE = 0.25
_DEPTHS = (0.008, 0.25)
"""m: depth of the sensors' origin below the surface of plates on the market; 0 if the file already accounts for it."""
_NO_DEPTH = 1e-5
_SENSOR_SHARES = (0.15, 0.55)
"""Distance of the sensors from a plate's axis, as a fraction of its side; about 0.3 on plates with four sensors."""


@dataclass(frozen=True)
class PlateDeclaration:
    """Declaration of one plate; lengths in m.

    Attributes:
        number: 1-based, as in the file.
        type: C3D type, 1 to 7.
        corners_L: (4, 3) in laboratory axes.
        origin: (3,) from the sensors' origin to the surface's centre, in plate axes, z negative; for types with four
            sensors, x and y are half the distances of the sensors instead.
        origin_reversed: whether ORIGIN in the file has the opposite sign.
        channels: indices of its analog channels, from 0.
        calibration: (rows, channels) matrix from channels to loads; for types 6 and 7, to calibrated channels.
    """

    number: int
    type: int
    corners_L: np.ndarray
    origin: np.ndarray
    origin_reversed: bool
    channels: np.ndarray
    calibration: np.ndarray


def declared_plates(file: C3DFile) -> tuple[int, list[Note]]:
    """Number of plates to read: FORCE_PLATFORM:USED, but no more than are described; with notes if the two differ."""
    used = max(file.parameters.integer("FORCE_PLATFORM", "USED", 0), 0)
    described = file.numbers("FORCE_PLATFORM", "TYPE").size
    if used > described:
        text = f"FORCE_PLATFORM:USED is {used}, but TYPE describes {described} plates, and only these are read"
        return described, [Note("warning", "plates", f"{text}: correct USED in the recording software")]
    unused = [index + 1 for index in range(used, described) if _is_complete(file, index)]
    if not unused or not len(file.analog):
        return used, []
    text = (
        f"FORCE_PLATFORM:USED is {used}, so {', '.join(map(str, unused))} is not read although the file describes its "
        "type, corners, origin and channels: correct USED in the recording software if it was stepped on"
    )
    return used, [Note("warning", "plates", text)]


def _is_complete(file: C3DFile, index: int) -> bool:
    try:
        read_declaration(file, index)
    except AcquisitionError:
        return False
    return True


def read_declaration(file: C3DFile, index: int) -> tuple[PlateDeclaration, list[Note]]:
    """Declaration of plate number ``index`` + 1, with notes on implausible values.

    Raises:
        AcquisitionError: the plate was never set up, is of an unknown type, or contradicts its type or the analog data.
    """
    subject = f"plate {index + 1}"
    kind = file.numbers("FORCE_PLATFORM", "TYPE").ravel(order="F")[index]
    if kind not in CHANNELS:
        raise AcquisitionError(f"its type is {kind:g}; known are 1 to 7")
    corners = _slice(file, "CORNERS", index, (3, 4)).T * file.metres
    notes = _corner_notes(corners, subject)
    origin, reversed_, remarks = _origin(int(kind), _slice(file, "ORIGIN", index, (3,)) * file.metres, subject)
    notes += remarks
    if kind in OF_SENSORS:
        notes += _sensor_notes(corners, origin, subject)
    calibration = _calibration(file, int(kind), index)
    channels = _channels(file, int(kind), index)
    return PlateDeclaration(index + 1, int(kind), corners, origin, reversed_, channels, calibration), notes


def plate_axes(corners: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) whose columns are the plate's axes: x towards corners 1 and 4, y towards 1 and 2, z down."""
    return rotation_from_axes(*surface_directions(corners), "xy")


def _slice(file: C3DFile, name: str, index: int, shape: tuple[int, ...]) -> np.ndarray:
    """The part of a FORCE_PLATFORM parameter that belongs to one plate, (*shape).

    Some programs store the same values as a list without dimensions, or with the corners as the first dimension.
    """
    values = file.numbers("FORCE_PLATFORM", name)
    if values.ndim <= len(shape) and values.size % np.prod(shape) == 0:
        values = values.reshape((*shape, -1), order="F")
    elif values.ndim == len(shape) + 1 and values.shape[:-1] == shape[::-1]:
        values = values.swapaxes(0, len(shape) - 1)
    if values.ndim != len(shape) + 1 or values.shape[:-1] != shape or values.shape[-1] <= index:
        raise AcquisitionError(
            f"FORCE_PLATFORM:{name} has the shape {values.shape}, which does not give this plate {shape}"
        )
    if not np.isfinite(values[..., index]).all():
        raise AcquisitionError(f"FORCE_PLATFORM:{name} holds values that are not numbers")
    return values[..., index]


def _corner_notes(corners: np.ndarray, subject: str) -> list[Note]:
    """Check that the corners form a rectangle; a warning if they deviate.

    Raises:
        AcquisitionError: they are in another unit or order, span no surface, or are too far from a rectangle.
    """
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=-1)
    if not _MIN_SIDE <= sides.min() <= _MAX_SHORT_SIDE:
        raise AcquisitionError(
            f"its corners span no plate: the shortest side is {sides.min():.3g} m (expected {_MIN_SIDE:g} to "
            f"{_MAX_SHORT_SIDE:g} m), as if they were never set, or in another unit than the markers",
        )
    if not np.isfinite(plate_axes(corners)).all():
        raise AcquisitionError(
            "its corners span no surface in their order, as if two were swapped or all were on a line"
        )
    local = (corners - corners.mean(axis=0)) @ plate_axes(corners)
    quadrants = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
    error = float(np.linalg.norm(local - quadrants * np.abs(local).mean(axis=0), axis=-1).max())
    if error > _NO_RECTANGLE * sides.min():
        raise AcquisitionError(
            f"its corners are not a rectangle: {1000.0 * error:.0f} mm from the nearest one, as if two were swapped",
        )
    if error <= _MAX_CORNER_ERROR:
        return []
    text = (
        f"its corners are {1000.0 * error:.0f} mm from the nearest rectangle "
        f"(limit {1000.0 * _MAX_CORNER_ERROR:.0f} mm), and its centre of pressure may be wrong by as much: measure the "
        "corners again"
    )
    return [Note("warning", subject, text)]


def _origin(kind: int, stored: np.ndarray, subject: str) -> tuple[np.ndarray, bool, list[Note]]:
    """ORIGIN as the vector (3,) from the sensors to the surface, and whether its sign in the file is opposite; notes.

    Its z is negative because the plate's z points down; a positive z means the vector from the surface to the sensors.
    For types with four sensors only z belongs to that vector; x and y are the distances a and b of the sensors from
    the axes, whatever their signs.
    """
    if kind == 1:
        return stored, False, []
    reversed_ = bool(stored[2] > 0.0)
    origin = -stored if reversed_ else stored
    depth, (low, high) = -float(origin[2]), _DEPTHS
    if depth < _NO_DEPTH or low <= depth <= high:
        return origin, reversed_, []
    found = (
        f"ORIGIN puts its sensors {1000.0 * depth:.3g} mm below the surface (expected {1000.0 * low:.0f} to "
        f"{1000.0 * high:.0f} mm, or 0)"
    )
    for factor in (1000.0, 0.001):  # metres in a file of millimetres, and the reverse
        if low <= depth * factor <= high:
            text = f"{found}, so it is multiplied by {factor:g}: correct its unit"
            return origin * factor, reversed_, [Note("warning", subject, text)]
    shift = "moves its centre of pressure by about a tenth of that error: check ORIGIN and its unit"
    return origin, reversed_, [Note("warning", subject, f"{found}, which {shift}")]


def _sensor_notes(corners: np.ndarray, origin: np.ndarray, subject: str) -> list[Note]:
    """Check that the distances of the four sensors from the plate's axes fit its size."""
    sides = np.linalg.norm([corners[0] - corners[1], corners[0] - corners[3]], axis=-1)
    distances, (low, high) = np.abs(origin[:2]), _SENSOR_SHARES
    if ((low * sides <= distances) & (distances <= high * sides)).all():
        return []
    text = (
        f"ORIGIN puts its sensors {1000.0 * distances[0]:.4g} and {1000.0 * distances[1]:.4g} mm from the axes of a "
        f"surface of {1000.0 * sides[0]:.0f} by {1000.0 * sides[1]:.0f} mm "
        f"(expected {low:g} to {high:g} of each side), which scales its centre of pressure: check ORIGIN and its unit"
    )
    return [Note("warning", subject, text)]


def _calibration(file: C3DFile, kind: int, index: int) -> np.ndarray:
    """CAL_MATRIX of a plate: the first rows and columns of the stored matrix, which is larger for mixed plate types."""
    if kind not in _CALIBRATED:
        return np.eye(CHANNELS[kind])
    rows, columns = _CALIBRATED[kind], CHANNELS[kind]
    stored = file.numbers("FORCE_PLATFORM", "CAL_MATRIX")
    stored = stored[..., None] if stored.ndim == 2 else stored
    if stored.ndim == 3 and stored.shape[:2] == (columns, rows) and rows != columns:
        stored = stored.transpose(1, 0, 2)
    if stored.ndim != 3 or stored.shape[0] < rows or stored.shape[1] < columns or stored.shape[2] <= index:
        raise AcquisitionError(
            f"type {kind} needs a matrix of {rows} x {columns}, but FORCE_PLATFORM:CAL_MATRIX has the shape "
            f"{stored.shape}",
        )
    matrix = stored[:rows, :columns, index]
    if not np.isfinite(matrix).all() or np.linalg.matrix_rank(matrix) < rows:
        raise AcquisitionError("its CAL_MATRIX is singular or not numeric")
    return matrix


def channel_table(file: C3DFile) -> np.ndarray:
    """FORCE_PLATFORM:CHANNEL, (channels, plates), also if it is stored as a list without dimensions."""
    table = file.numbers("FORCE_PLATFORM", "CHANNEL")
    plates = file.numbers("FORCE_PLATFORM", "TYPE").size
    return table.reshape((-1, plates), order="F") if table.ndim == 1 and plates and table.size % plates == 0 else table


def _channels(file: C3DFile, kind: int, index: int) -> np.ndarray:
    needed, table = CHANNELS[kind], channel_table(file)
    if table.ndim != 2 or table.shape[0] < needed or table.shape[1] <= index:
        raise AcquisitionError(
            f"type {kind} has {needed} channels, but FORCE_PLATFORM:CHANNEL has the shape {table.shape}"
        )
    numbers = np.nan_to_num(table[:needed, index], nan=-1.0, posinf=-1.0, neginf=-1.0)
    if numbers.min() < 1 or numbers.max() > file.layout.channels or len(set(numbers)) < needed:
        raise AcquisitionError(
            f"its channels {numbers.astype(int).tolist()} are not {needed} different ones of {file.layout.channels}",
        )
    return numbers.astype(int) - 1
