"""Write C3D files from markers and from the loads that act on the subject.

The force-platform channels are computed by inverting the plate equations of the C3D specification (C3D.org user
guide, FORCE_PLATFORM), so that readers obtain the given loads.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.acquisition.parameter_section import BLOCK
from pipeline.errors import AcquisitionError
from pipeline.math3d import Wrench, unit
from pipeline.trial import Event

_METRES_PER_UNIT = {"m": 1.0, "mm": 1e-3}
_EVENT_LABELS = {"initial contact": ("Foot Strike", 1), "foot off": ("Foot Off", 2)}
PROCESSING = "PROCESSING"
"""Group of the subject's parameters, as written by Vicon Nexus."""

_CHANNELS = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")


@dataclass(frozen=True)
class PlateSetup:
    """A force plate of type 2 (six components) or 4 (the same through a calibration matrix).

    Attributes:
        corners_L: (4, 3) m, in laboratory axes, in the quadrants (+x, +y), (-x, +y), (-x, -y), (+x, -y) of the plate.
            They define the plate's axes: x from corner 2 to 1, y from corner 4 to 1 and z = x cross y, which points
            into the floor on commercial plates.
        origin: (3,) m, in plate axes, from the transducer's origin to the centre of the working surface; its z is
            negative, because the surface lies above the transducer.
        type: 2 or 4.
        calibration: (6, 6), used by type 4 only: force and moment (N and N times the file's length unit) are
            calibration @ channels.
    """

    corners_L: np.ndarray
    origin: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, -0.04]))
    type: int = 2
    calibration: np.ndarray = field(default_factory=lambda: np.eye(6))

    def __post_init__(self) -> None:
        if self.type not in (2, 4):
            raise AcquisitionError(f"force plates of type {self.type} cannot be written", remedy="Use type 2 or 4")
        for name, shape in (("corners_L", (4, 3)), ("origin", (3,)), ("calibration", (6, 6))):
            value = np.asarray(getattr(self, name), dtype=float)
            if value.shape != shape:
                raise AcquisitionError(f"{name} has shape {value.shape}, expected {shape}", where="PlateSetup")
            object.__setattr__(self, name, value)

    @property
    def centre_L(self) -> np.ndarray:
        """Centre (3,) of the working surface, m."""
        return self.corners_L.mean(axis=0)

    @property
    def R_LP(self) -> np.ndarray:
        """Rotation (3, 3) from plate to laboratory axes."""
        x = unit(self.corners_L[0] - self.corners_L[1])
        z = unit(np.cross(x, self.corners_L[0] - self.corners_L[3]))
        return np.column_stack([x, np.cross(z, x), z])

    def channels(self, load_L: Wrench, metres_per_unit: float) -> np.ndarray:
        """Raw channels (Ta, 6) whose plate equations return ``load_L``, the load on the subject in laboratory axes.

        Args:
            load_L: (Ta, 3) N and Nm about any point, all in laboratory axes.
            metres_per_unit: size of the file's unit of length, which is also that of its moments (N times length).
        """
        transducer_L = self.centre_L - self.R_LP @ self.origin
        load_P = load_L.about(transducer_L).rotated(self.R_LP.T)
        six = np.hstack([load_P.force_G, load_P.moment_G / metres_per_unit])
        return np.linalg.solve(self.calibration, six.T).T if self.type == 4 else six


@dataclass(frozen=True)
class OutputGroup:
    """Model outputs stored among the points, as one group of POINT:TYPE_GROUPS.

    Attributes:
        kind: such as "ANGLE"; its plural names the parameter with the group's labels, POINT:ANGLE_UNITS its unit.
        unit: of the values.
        values: (T, 3) by label, in that unit; NaN where missing.
    """

    kind: str
    unit: str
    values: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class AnalogData:
    """Data at the analog rate: force plates, whose channels come first, and further channels.

    Attributes:
        rate: Hz, an integer multiple of the frame rate; 0 if there is no analog data.
        plates: force plates; the six channels of each are stored consecutively.
        plate_loads_L: load that each plate exerts on the subject, (Ta, 3), in laboratory axes, SI units,
            Ta = T * rate / frame rate.
        names, units: of the further channels.
        values: (Ta, C) further channels.
    """

    rate: float = 0.0
    plates: Sequence[PlateSetup] = ()
    plate_loads_L: Sequence[Wrench] = ()
    names: Sequence[str] = ()
    units: Sequence[str] = ()
    values: np.ndarray | None = None


def write_c3d(
    path: Path | str,
    *,
    marker_names: Sequence[str],
    markers_L: np.ndarray,
    rate: float,
    analog: AnalogData | None = None,
    events: Sequence[Event] = (),
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    subject: str = "Subject",
    units: str = "mm",
    first_frame: int = 1,
    screen_axes: tuple[str, str] = ("+X", "+Z"),
    outputs: Sequence[OutputGroup] = (),
) -> None:
    """Write a C3D file (little-endian, 32-bit floats) with ezc3d; the same input gives the same bytes.

    Args:
        path: file to write; it must end in ".c3d".
        marker_names: K unique labels.
        markers_L: (T, K, 3) m, in laboratory axes; NaN where a marker is missing.
        rate: frames per second.
        analog: force plates and further channels, if there are any.
        events: with times in s from the first frame.
        parameters: numbers or texts by group and name; subject parameters in the group `PROCESSING`, in the units of
            Plug-in Gait (mm, kg, rad).
        subject: name of the subject.
        units: "mm" or "m", for the points and, multiplied by N, for the plates' moments.
        first_frame: number of the first frame, counted from 1.
        screen_axes: POINT:X_SCREEN and Y_SCREEN, the laboratory axes to the right and up on a screen.
        outputs: model outputs, stored after the markers.

    Raises:
        AcquisitionError: sizes or rates do not fit together, or the unit is unknown.
        OSError: the file cannot be written whole.
    """
    import ezc3d

    where = Path(path).name
    if units not in _METRES_PER_UNIT:
        raise AcquisitionError(f"unit of length {units!r} is not one of m, mm", where=where)
    metres_per_unit = _METRES_PER_UNIT[units]
    markers_L = np.asarray(markers_L, dtype=float)
    n_frames = len(markers_L)
    if markers_L.shape != (n_frames, len(marker_names), 3) or len(set(marker_names)) != len(marker_names):
        problem = f"markers of shape {markers_L.shape} do not fit {len(marker_names)} unique labels"
        raise AcquisitionError(problem, where=where)
    analog = analog or AnalogData()
    samples_per_frame = round(analog.rate / rate)
    if not np.isclose(samples_per_frame * rate, analog.rate):
        raise AcquisitionError(f"analog rate {analog.rate} Hz is not a multiple of {rate} Hz", where=where)
    names, channel_units, channels = _channels(analog, metres_per_unit, units, where)
    samples = np.hstack(channels) if channels else np.zeros((n_frames * samples_per_frame, 0))
    if samples.shape != (n_frames * samples_per_frame, len(names)) or len(channel_units) != len(names):
        problem = f"analog data of shape {samples.shape}, expected {(n_frames * samples_per_frame, len(names))}"
        raise AcquisitionError(problem, where=where, remedy="Give one name and unit per channel at the analog rate")

    c3d = ezc3d.c3d()
    group = c3d["parameters"]
    group["POINT"]["RATE"]["value"] = np.array([rate], dtype=float)
    group["POINT"]["LABELS"]["value"] = [*marker_names, *(label for output in outputs for label in output.values)]
    group["POINT"]["UNITS"]["value"] = [units]
    c3d.add_parameter("POINT", "X_SCREEN", [screen_axes[0]])
    c3d.add_parameter("POINT", "Y_SCREEN", [screen_axes[1]])
    c3d["header"]["points"]["first_frame"] = first_frame - 1
    if first_frame + n_frames - 1 > 0xFFFF:  # more than a word of the header holds
        for name, frame in (("START", first_frame), ("END", first_frame + n_frames - 1)):
            words = np.array([frame & 0xFFFF, frame >> 16], "<u2").view("<i2")  # the lower one first
            c3d.add_parameter("TRIAL", f"ACTUAL_{name}_FIELD", words.tolist())
    modelled = [array[:, None] for output in outputs for array in output.values.values()]
    points = np.concatenate([markers_L / metres_per_unit, *modelled], axis=1)
    c3d["data"]["points"] = points.transpose(2, 1, 0)
    missing = np.isnan(points).any(axis=-1).T
    c3d["data"]["meta_points"]["residuals"] = np.where(missing, -1.0, 0.0)[None]
    group["ANALOG"]["RATE"]["value"] = np.array([analog.rate], dtype=float)
    group["ANALOG"]["LABELS"]["value"] = names
    group["ANALOG"]["UNITS"]["value"] = channel_units
    c3d["data"]["analogs"] = samples.T[None]
    if analog.plates:
        _declare_plates(group["FORCE_PLATFORM"], analog.plates, metres_per_unit)
        if any(plate.type == 4 for plate in analog.plates):
            calibrations = np.stack([plate.calibration for plate in analog.plates], axis=-1)
            c3d.add_parameter("FORCE_PLATFORM", "CAL_MATRIX", calibrations)
    c3d.add_parameter("SUBJECTS", "USED", 1)
    c3d.add_parameter("SUBJECTS", "NAMES", [subject])
    for output in outputs:
        c3d.add_parameter("POINT", f"{output.kind}S", list(output.values))
        c3d.add_parameter("POINT", f"{output.kind}_UNITS", [output.unit])
    if outputs:
        kinds = [text for output in outputs for text in (f"{output.kind}S", output.kind)]
        c3d.add_parameter("POINT", "TYPE_GROUPS", kinds)
    for group_name, values in (parameters or {}).items():
        for name, value in values.items():
            c3d.add_parameter(group_name, name, value)
    start = (first_frame - 1) / rate
    for event in sorted(events, key=lambda event: event.time):
        label, icon = _EVENT_LABELS[event.kind]
        minutes, seconds = divmod(start + event.time, 60.0)
        c3d.add_event([minutes, seconds], event.side.capitalize(), label, subject=subject, icon_id=icon)
    with open(path, "wb"):  # ezc3d does not tell that a file cannot be created
        pass
    c3d.write(str(path))
    _check_written(Path(path), 4 * (4 * c3d["data"]["points"][0].size + samples.size))


def _check_written(path: Path, size: int) -> None:
    """Raise OSError if a file lacks some of its data (``size`` bytes): ezc3d does not tell that the disk is full."""
    with path.open("rb") as file:
        start = BLOCK * (int.from_bytes(file.read(BLOCK)[16:18], "little") - 1)
    if start < BLOCK or path.stat().st_size < start + size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _channels(
    analog: AnalogData, metres_per_unit: float, units: str, where: str
) -> tuple[list[str], list[str], list[np.ndarray]]:
    """Names, units and samples of the plates' channels and of the further ones."""
    plates, loads_L = analog.plates, analog.plate_loads_L
    if len(plates) != len(loads_L):
        raise AcquisitionError(f"{len(loads_L)} loads for {len(plates)} force plates", where=where)
    channels = [plate.channels(load, metres_per_unit) for plate, load in zip(plates, loads_L, strict=True)]
    if analog.values is not None:
        channels.append(np.asarray(analog.values, dtype=float))
    names = [f"{name}{number}" for number in range(1, len(plates) + 1) for name in _CHANNELS]
    own_units = (["N"] * 3 + [f"N{units}"] * 3) * len(plates)
    return [*names, *analog.names], [*own_units, *analog.units], channels


def _declare_plates(group, plates: Sequence[PlateSetup], metres_per_unit: float) -> None:
    """Fill the FORCE_PLATFORM group: ezc3d's arrays have the plate as their last dimension."""
    n = len(plates)
    values = {
        "USED": np.array([n]),
        "TYPE": np.array([plate.type for plate in plates]),
        "ZERO": np.array([1, 0]),  # frames over which a baseline may be taken: none
        "CORNERS": np.stack([plate.corners_L.T for plate in plates], axis=-1) / metres_per_unit,
        "ORIGIN": np.stack([plate.origin for plate in plates], axis=-1) / metres_per_unit,
        "CHANNEL": np.arange(1, 6 * n + 1).reshape(n, 6).T,
    }
    for name, value in values.items():
        group[name]["value"] = value
