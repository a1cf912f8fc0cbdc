"""Loads of force plates (types 1 to 7) on the subject, from the channels of a C3D file, in the laboratory's axes.

Plate axes, signs and channel orders follow the C3D file format user guide, "FORCE_PLATFORM"; for types 5 to 7,
HAS-Motion's Visual3D documentation, "FP_Type" (wiki.has-motion.com). The stored values are the forces on the subject
(reactions), in plate axes with z down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.baseline import remove_baseline
from pipeline.acquisition.c3d_file import C3DFile
from pipeline.acquisition.integer_range import unwrap_counts
from pipeline.acquisition.plate_channels import LOADED, channel_notes
from pipeline.acquisition.plate_declaration import (
    OF_SENSORS,
    PlateDeclaration,
    declared_plates,
    plate_axes,
    read_declaration,
)
from pipeline.acquisition.plate_occupancy import Occupancy, occupancy
from pipeline.acquisition.units import known_metres, newton_metres, newtons
from pipeline.errors import AcquisitionError
from pipeline.trial import Note

_MAX_PULL = 100.0
_MAX_LOAD = 1e5
"""N, the weight of ten tonnes: beyond the range of any plate."""
_MAX_VALUE = 1e12


@dataclass(frozen=True)
class LabPlate:
    """A plate and the load that it exerts on the subject, in the laboratory's axes.

    Attributes:
        number: 1-based, as in the file.
        type: C3D type, 1 to 7.
        corners_L: (4, 3) m.
        force_L: (Ta, 3) N.
        moment_L: (Ta, 3) Nm, about the centre of the surface.
    """

    number: int
    type: int
    corners_L: np.ndarray
    force_L: np.ndarray
    moment_L: np.ndarray

    @property
    def up_L(self) -> np.ndarray:
        """Unit normal of the surface, out of the floor."""
        return -plate_axes(self.corners_L)[:, 2]


def read_plates(file: C3DFile, positions_L: np.ndarray) -> tuple[tuple[LabPlate, ...], list[Note]]:
    """All plates whose load can be computed, with notes on the others and on every correction.

    Args:
        file: the content of the file.
        positions_L: (T, K, 3) m, markers in the laboratory's axes; they show when a plate is empty.
    """
    count, notes = declared_plates(file)
    if count > 0 and not len(file.analog):
        return (), [*notes, Note("left out", "plates", f"the file declares {count} but holds no analog data")]
    plates: list[LabPlate] = []
    reversed_: list[str] = []
    owners: dict[int, int] = {}
    for index in range(count):
        try:
            declaration, remarks = read_declaration(file, index)
            _check_channels_unshared(declaration, owners)
            plate, more = _load(file, declaration, occupancy(declaration.corners_L, positions_L))
        except AcquisitionError as error:
            remedy = error.remedy or "correct the force plate settings in the recording software and export again"
            notes.append(Note("left out", f"plate {index + 1}", f"{error.problem}: {remedy[:1].lower()}{remedy[1:]}"))
            continue
        plates.append(plate)
        owners |= dict.fromkeys(declaration.channels.tolist(), declaration.number)
        notes += [*remarks, *more]
        reversed_ += [str(plate.number)] * declaration.origin_reversed
    if reversed_:
        text = (
            f"ORIGIN of {', '.join(reversed_)} has a positive z, which would put the sensors above the surface, so it "
            "is read as the vector from the surface to the sensors"
        )
        notes.append(Note("assumed", "plates", text))
    return tuple(plates), notes


def _check_channels_unshared(plate: PlateDeclaration, owners: dict[int, int]) -> None:
    """Raise AcquisitionError if another plate uses a channel of this one, which would count its load twice."""
    for channel in plate.channels.tolist():
        if channel in owners:
            problem = f"its channel {channel + 1} also belongs to plate {owners[channel]}, whose load it would repeat"
            raise AcquisitionError(problem)


def _load(file: C3DFile, plate: PlateDeclaration, markers: Occupancy | None) -> tuple[LabPlate, list[Note]]:
    subject = f"plate {plate.number}"
    if not np.isfinite(file.analog[:, plate.channels]).all():
        raise AcquisitionError("its analog data hold values that are not numbers")
    signals, notes = unwrap_counts(file, plate.channels, subject)
    to_newtons, to_newton_metres, remarks = _units(file, plate, subject)
    notes += remarks
    with np.errstate(over="ignore", invalid="ignore"):
        loads = _sensor_loads(plate, signals)
        force, moment = loads[:, :3] * to_newtons, loads[:, 3:]
    largest = float(np.abs(force).max(initial=0.0))
    if not largest < _MAX_LOAD or not np.abs(moment).max(initial=0.0) < _MAX_VALUE:
        problem = (
            f"its channels hold loads of up to {largest:.3g} N (limit {_MAX_LOAD:g} N) or moments beyond all limits"
        )
        raise AcquisitionError(problem)
    if plate.type == 1:
        # Channels 4 and 5 are the centre of pressure on the surface, 6 the free moment about the plate's z axis.
        declared = known_metres(file.texts_of("ANALOG", "UNITS", file.layout.channels)[plate.channels[3]])
        lever = np.column_stack([moment[:, :2] * (declared or file.metres), 0.0 * moment[:, 2]])
        moment = np.cross(lever, force) + moment[:, 2:] * to_newton_metres * np.array([0.0, 0.0, 1.0])
    else:
        origin = plate.origin
        if plate.type in OF_SENSORS:
            moment, origin = moment * to_newtons, origin * np.array([0.0, 0.0, 1.0])
        else:
            half_diagonal = float(np.linalg.norm(plate.corners_L[0] - plate.corners_L[2])) / 2.0
            scale, remarks = _plausible_moment_unit(file, force, moment, to_newton_metres, half_diagonal, subject)
            moment, notes = moment * scale, notes + remarks
        # The origin is the vector from the sensors' origin to the surface's centre: M_centre = M_sensor - origin x F.
        moment = moment - np.cross(origin, force)
        rate, zero = file.analog_rate, file.numbers("FORCE_PLATFORM", "ZERO").ravel()
        force, moment, remarks = remove_baseline(force, moment, rate, zero, subject, markers)
        notes += remarks
    axes = plate_axes(plate.corners_L)
    upward = -force[:, 2]
    names = file.channel_names(plate.channels)
    notes += channel_notes(signals, upward > LOADED, file.analog_rate, names, subject)
    if upward.min() < -_MAX_PULL:
        text = (
            f"its vertical load falls to {upward.min():.0f} N (limit {-_MAX_PULL:.0f} N), that is, it pulls the "
            f"subject down, in {100.0 * np.mean(upward < -_MAX_PULL):.0f} % of the samples, so its settings or signals "
            "are wrong: correct them"
        )
        notes.append(Note("warning", subject, text))
    return LabPlate(plate.number, plate.type, plate.corners_L, force @ axes.T, moment @ axes.T), notes


def _sensor_loads(plate: PlateDeclaration, signals: np.ndarray) -> np.ndarray:
    """Forces and moments (Ta, 6) in plate axes about the sensors' origin, in the channels' calibrated units.

    Types 1, 2 and 4 store force and moment as channels; type 5 has eight channels of four sensors, which its matrix
    turns into force and moment. Types 3 and 7 have x and y for pairs of sensors and z for each; type 6 has x, y and z
    for each. The sensors are at (a, b), (-a, b), (-a, -b) and (a, -b), with a and b from ORIGIN. Moments of types 3, 6
    and 7 are in the unit of force times metres.
    """
    channels = signals @ plate.calibration.T
    if plate.type not in OF_SENSORS:
        return channels
    a, b = np.abs(plate.origin[:2])
    if plate.type == 6:
        x, y, z = np.moveaxis(channels.reshape(-1, 4, 3), -1, 0)
        x12, x34, y14, y23 = x[:, 0] + x[:, 1], x[:, 2] + x[:, 3], y[:, 0] + y[:, 3], y[:, 1] + y[:, 2]
    else:
        (x12, x34, y14, y23), z = channels.T[:4], channels[:, 4:]
    z1, z2, z3, z4 = z.T
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


def _units(file: C3DFile, plate: PlateDeclaration, subject: str) -> tuple[float, float, list[Note]]:
    """Newtons and newton metres in a unit of the plate's loads; N and N times POINT:UNITS if not declared."""
    units = file.texts_of("ANALOG", "UNITS", file.layout.channels)
    of_force, of_moment = units[plate.channels[0]], units[plate.channels[-1]]
    to_newtons, to_newton_metres = newtons(of_force), newton_metres(of_moment)
    notes, unit = [], file.text("POINT", "UNITS")
    if to_newtons is None:
        found = f"the force channels' unit is {of_force!r}" if of_force else "the force channels have no unit"
        text = f"{found}; after scaling they are taken as N and N{unit}: correct ANALOG:UNITS if they are not"
        notes.append(Note("assumed", subject, text))
    elif to_newton_metres is None and of_moment and plate.type in (1, 2, 4):
        text = f"the moment channels' unit is {of_moment!r}; they are taken as {of_force}{unit}: correct ANALOG:UNITS"
        notes.append(Note("assumed", subject, text))
    force_unit = to_newtons or 1.0
    return force_unit, to_newton_metres or force_unit * file.metres, notes


def _plausible_moment_unit(
    file: C3DFile, force: np.ndarray, moment: np.ndarray, declared: float, half_diagonal: float, subject: str
) -> tuple[float, list[Note]]:
    """Newton metres in the moments' unit, chosen so that the load acts on the plate.

    A wrong unit scales the centre of pressure by a factor of a thousand, which shows as soon as there is a load.
    """
    pressing = np.abs(force[:, 2])
    loaded = pressing > max(100.0, 0.5 * pressing.max(initial=0.0))
    if not loaded.any():
        return declared, []
    lever = float(np.median(np.linalg.norm(moment[loaded, :2], axis=-1) / pressing[loaded]))
    units = (declared, file.metres, 1.0, 0.001)
    scale = next((unit for unit in units if 0.001 * half_diagonal < lever * unit < 2.0 * half_diagonal), declared)
    if scale == declared:
        return declared, []
    text = (
        f"its moments are declared in units of {declared:g} Nm, which puts the load {lever * declared:.3g} m from the "
        f"centre, so they are read in units of {scale:g} Nm, which puts it on the plate ({lever * scale:.3g} m): "
        "correct ANALOG:UNITS"
    )
    return scale, [Note("warning", subject, text)]
