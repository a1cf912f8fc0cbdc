"""Loads of a C3D file's force plates (types 1 to 4) on the subject, from their channels, in the laboratory's axes.

Plate axes, signs and channel orders after the C3D file format user guide, "FORCE_PLATFORM". The stored values are the
forces on the subject (reactions), in plate axes with z down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.baseline import remove_baseline
from pipeline.acquisition.c3d_file import C3DFile
from pipeline.acquisition.integer_range import unwrap_counts
from pipeline.acquisition.plate_channels import channel_notes
from pipeline.acquisition.units import metres, newton_metres, newtons
from pipeline.conventions import GRAVITY_G
from pipeline.errors import AcquisitionError
from pipeline.math3d import rotation_from_axes
from pipeline.trial import Note

_CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6}
_MIN_SIDE = 0.05
_MAX_PULL = 100.0
_LOADED = 50.0
_GRAVITY = float(np.linalg.norm(GRAVITY_G))
_MIN_MASS, _MAX_MASS = 3.0, 400.0
_MIN_WEIGHTS, _MAX_WEIGHTS = 0.5, 4.0
_REMEDY = "Correct the force plate settings in the recording software and export again"


@dataclass(frozen=True)
class LabPlate:
    """A plate and the load that it exerts on the subject, in the laboratory's axes.

    Attributes:
        number: 1-based, as in the file.
        type: C3D type, 1 to 4.
        corners_L: (4, 3) m.
        force_L: (Ta, 3) N.
        moment_L: (Ta, 3) Nm, about the centre of the surface.
        origin_reversed: whether ORIGIN was read as pointing from the surface to the sensors.
    """

    number: int
    type: int
    corners_L: np.ndarray
    force_L: np.ndarray
    moment_L: np.ndarray
    origin_reversed: bool

    @property
    def up_L(self) -> np.ndarray:
        """Unit normal of the surface, out of the floor."""
        return -_plate_axes(self.corners_L)[:, 2]


@dataclass(frozen=True)
class _Declaration:
    """Declaration of one plate in FORCE_PLATFORM; lengths in m."""

    number: int
    type: int
    corners_L: np.ndarray
    origin: np.ndarray
    channels: np.ndarray
    calibration: np.ndarray


def read_plates(file: C3DFile) -> tuple[tuple[LabPlate, ...], list[Note]]:
    """All plates whose load can be computed, with notes on the others and on every correction.

    Raises:
        AcquisitionError: a plate's declaration contradicts its type or the analog data.
    """
    plates: list[LabPlate] = []
    notes: list[Note] = []
    count = file.integer("FORCE_PLATFORM", "USED")
    if count > 0 and not len(file.analog):
        return (), [Note("left out", "plates", f"the file declares {count} but holds no analog data")]
    if count > (types := file.numbers("FORCE_PLATFORM", "TYPE").size):
        raise AcquisitionError(
            f"FORCE_PLATFORM:USED is {count}, but TYPE describes {types} plates", where=file.name, remedy=_REMEDY
        )
    for index in range(count):
        declaration, reason = _declaration(file, index)
        if declaration is None:
            notes.append(Note("left out", f"plate {index + 1}", reason))
            continue
        plate, remarks = _load(file, declaration)
        plates.append(plate)
        notes += remarks
    reversed_ = [str(plate.number) for plate in plates if plate.origin_reversed]
    if reversed_:
        text = (
            f"ORIGIN of {', '.join(reversed_)} has a positive z, which would put the sensors above the surface, so it "
            "is read as the vector from the surface to the sensors"
        )
        notes.append(Note("assumed", "plates", text))
    return tuple(plates), notes


def weight_notes(plates: tuple[LabPlate, ...], mass: float) -> list[Note]:
    """Whether the plates' largest load together is one that a subject of this mass (kg) can exert; 0 is unknown."""
    if not plates or not _MIN_MASS <= mass <= _MAX_MASS:
        return []
    weight = _GRAVITY * mass
    peak = float(np.percentile(sum(plate.force_L @ plate.up_L for plate in plates), 99.5))
    if peak < _LOADED or _MIN_WEIGHTS * weight < peak < _MAX_WEIGHTS * weight:
        return []
    text = (
        f"the largest load of all plates together is {peak:.0f} N, {peak / weight:.1f} times the weight of {mass:g} kg "
        f"(expected {_MIN_WEIGHTS:g} to {_MAX_WEIGHTS:g} times): check the plates' scale and the body mass"
    )
    return [Note("warning", "plates", text)]


def _declaration(file: C3DFile, index: int) -> tuple[_Declaration | None, str]:
    """The declaration of a plate; None with a reason where the plate was never set up or is of an unsupported type."""
    where = f"{file.name}, plate {index + 1}"
    kind = int(file.numbers("FORCE_PLATFORM", "TYPE").ravel()[index])
    if kind not in _CHANNELS:
        return None, f"its type is {kind}; known are 1 to 4"
    to_metres = metres(file.text("POINT", "UNITS"), where=file.name)
    corners = _slice(file, "CORNERS", index, (3, 4), where).T * to_metres
    origin = _slice(file, "ORIGIN", index, (3,), where) * to_metres
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=-1)
    if not np.isfinite(_plate_axes(corners)).all() or sides.min() < _MIN_SIDE:
        return None, f"its corners span no surface (shortest side {1000.0 * np.nan_to_num(sides.min()):.0f} mm)"
    needed = _CHANNELS[kind]
    table = file.numbers("FORCE_PLATFORM", "CHANNEL")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or table.shape[0] < needed or table.shape[1] <= index:
        raise AcquisitionError(
            f"type {kind} has {needed} channels, but FORCE_PLATFORM:CHANNEL has the shape {table.shape}",
            where=where,
            remedy=_REMEDY,
        )
    channels = table[:needed, index].astype(int) - 1
    if channels.min() < 0 or channels.max() >= file.layout.channels or len(set(channels)) < needed:
        raise AcquisitionError(
            f"its channels {(channels + 1).tolist()} are not {needed} different ones of {file.layout.channels}",
            where=where,
            remedy=_REMEDY,
        )
    calibration = _slice(file, "CAL_MATRIX", index, (6, 6), where) if kind == 4 else np.eye(6)
    return _Declaration(index + 1, kind, corners, origin, channels, calibration), ""


def _slice(file: C3DFile, name: str, index: int, shape: tuple[int, ...], where: str) -> np.ndarray:
    """The part of a FORCE_PLATFORM parameter that belongs to one plate, (*shape)."""
    values = file.numbers("FORCE_PLATFORM", name)
    values = values[..., None] if values.ndim == len(shape) else values  # a file of one plate may drop the last index
    if values.ndim != len(shape) + 1 or values.shape[:-1] != shape or values.shape[-1] <= index:
        raise AcquisitionError(
            f"FORCE_PLATFORM:{name} has the shape {values.shape}, which does not give this plate {shape}",
            where=where,
            remedy=_REMEDY,
        )
    return values[..., index]


def _load(file: C3DFile, plate: _Declaration) -> tuple[LabPlate, list[Note]]:
    subject = f"plate {plate.number}"
    if not np.isfinite(file.analog[:, plate.channels]).all():
        raise AcquisitionError(
            "its analog data hold values that are no numbers", where=f"{file.name}, {subject}", remedy=_REMEDY
        )
    signals, notes = unwrap_counts(file, plate.channels, subject)
    to_newtons, to_newton_metres, remarks = _units(file, plate, subject)
    notes += remarks
    origin, is_reversed = _origin(plate)
    loads = _sensor_loads(plate, signals, origin)
    force, moment = loads[:, :3] * to_newtons, loads[:, 3:]
    if plate.type == 1:
        # Channels 4 and 5 are the centre of pressure on the surface, 6 the free moment about the plate's z axis.
        lever = np.column_stack(
            [moment[:, :2] * metres(file.text("POINT", "UNITS"), where=file.name), 0.0 * moment[:, 2]]
        )
        moment = np.cross(lever, force) + moment[:, 2:] * to_newton_metres * np.array([0.0, 0.0, 1.0])
    else:
        if plate.type == 3:
            moment = moment * to_newtons
        else:
            half_diagonal = float(np.linalg.norm(plate.corners_L[0] - plate.corners_L[2])) / 2.0
            scale, remarks = _plausible_moment_unit(file, force, moment, to_newton_metres, half_diagonal, subject)
            moment, notes = moment * scale, notes + remarks
        # The origin leads from the sensors' origin to the centre of the surface: M_centre = M_sensor - origin x F.
        moment = moment - np.cross(origin if plate.type != 3 else origin * np.array([0.0, 0.0, 1.0]), force)
        rate, zero = file.analog_rate, file.numbers("FORCE_PLATFORM", "ZERO").ravel()
        force, moment, remarks = remove_baseline(force, moment, rate, zero, subject)
        notes += remarks
    axes = _plate_axes(plate.corners_L)
    upward = -force[:, 2]
    names = file.channel_names(plate.channels)
    notes += channel_notes(signals, upward > _LOADED, file.analog_rate, names, subject)
    if upward.min() < -_MAX_PULL:
        text = (
            f"its vertical load falls to {upward.min():.0f} N (limit {-_MAX_PULL:.0f} N), that is, it pulls the "
            f"subject down, in {100.0 * np.mean(upward < -_MAX_PULL):.0f} % of the samples, because its settings or "
            "signals are wrong: correct them"
        )
        notes.append(Note("warning", subject, text))
    return LabPlate(plate.number, plate.type, plate.corners_L, force @ axes.T, moment @ axes.T, is_reversed), notes


def _sensor_loads(plate: _Declaration, signals: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Forces and moments (Ta, 6) in plate axes about the sensors' origin, in the channels' units."""
    if plate.type != 3:
        return signals @ plate.calibration.T
    x12, x34, y14, y23, z1, z2, z3, z4 = signals.T
    a, b = abs(origin[0]), abs(origin[1])
    return np.column_stack(
        [
            x12 + x34,
            y14 + y23,
            z1 + z2 + z3 + z4,
            b * (z1 + z2 - z3 - z4),
            a * (-z1 + z2 + z3 - z4),
            b * (x34 - x12) + a * (y14 - y23),
        ]
    )


def _origin(plate: _Declaration) -> tuple[np.ndarray, bool]:
    """ORIGIN as the vector (3,) from the sensors to the surface, and whether the file has it the other way round.

    Its z is negative because the plate's z points down: a positive one is the vector from the surface to the sensors.
    In type 3 only z is part of that vector; x and y are the distances a and b of the sensors from the axes.
    """
    if plate.type == 1 or plate.origin[2] <= 0.0:
        return plate.origin, False
    return plate.origin * (np.array([1.0, 1.0, -1.0]) if plate.type == 3 else -1.0), True


def _units(file: C3DFile, plate: _Declaration, subject: str) -> tuple[float, float, list[Note]]:
    """Newtons and newton metres in a unit of the plate's loads; N and N times POINT:UNITS where not declared."""
    declared = file.texts("ANALOG", "UNITS")
    names = [declared[channel] if channel < len(declared) else "" for channel in plate.channels]
    length = metres(file.text("POINT", "UNITS"), where=file.name)
    to_newtons, to_newton_metres = newtons(names[0]), newton_metres(names[-1])
    notes = []
    if to_newtons is None:
        unit = file.text("POINT", "UNITS")
        text = f"the force channels' unit is {names[0]!r}; after scaling they are taken as N and N{unit}"
        notes.append(Note("assumed", subject, text))
    force_unit = to_newtons if to_newtons is not None else 1.0
    return force_unit, to_newton_metres if to_newton_metres is not None else force_unit * length, notes


def _plausible_moment_unit(
    file: C3DFile, force: np.ndarray, moment: np.ndarray, declared: float, half_diagonal: float, subject: str
) -> tuple[float, list[Note]]:
    """Newton metres in the moments' unit, by whether the load then acts on the plate.

    A wrong unit moves the centre of pressure by a factor of a thousand, which shows wherever there is a load.
    """
    length = metres(file.text("POINT", "UNITS"), where=file.name)
    pressing = np.abs(force[:, 2])
    loaded = pressing > max(100.0, 0.5 * pressing.max(initial=0.0))
    if not loaded.any():
        return declared, []
    lever = float(np.median(np.linalg.norm(moment[loaded, :2], axis=-1) / pressing[loaded]))
    for scale in dict.fromkeys((declared, length, 1.0, 0.001)):
        if 0.001 * half_diagonal < lever * scale < 2.0 * half_diagonal:
            break
    else:
        return declared, []
    if scale == declared:
        return declared, []
    text = (
        f"its moments are declared in units of {declared:g} Nm, which puts the load {lever * declared:.3g} m from the "
        f"centre, so they are read in units of {scale:g} Nm, which puts it on the plate ({lever * scale:.3g} m): "
        "correct ANALOG:UNITS"
    )
    return scale, [Note("warning", subject, text)]


def _plate_axes(corners: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) whose columns are the plate's axes: x towards corners 1 and 4, y towards 1 and 2, z down."""
    x = corners[0] + corners[3] - corners[1] - corners[2]
    y = corners[0] + corners[1] - corners[2] - corners[3]
    return rotation_from_axes(x, y, "xy")
