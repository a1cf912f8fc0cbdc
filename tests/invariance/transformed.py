"""The same walk recorded otherwise: laboratory turned, shifted, other axes, orders and names, plates turned, mirrored.

Transformations act on recordings in double precision, and on what is written to C3D files in single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.acquisition import AxisOverrides, surface_normal
from pipeline.acquisition.lab_axes import lab_to_global
from pipeline.math3d import Wrench, rotation_about
from pipeline.sides import other_label, other_side
from pipeline.synthetic import PROCESSING, AnalogData, PlateSetup, write_c3d
from pipeline.trial import ForcePlate, RawTrial

MIRROR = np.array([1.0, 1.0, -1.0])
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Laboratory:
    """Axes of a laboratory: rotation R_LG (3, 3) from G, its origin (3,) m in G, and the file's screen axes."""

    R_LG: np.ndarray
    origin_G: np.ndarray
    screen: tuple[str, str]


def laboratory(R_LG: np.ndarray, origin_G: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Laboratory:
    """A laboratory whose screen shows the walk from the left, as far as its axes allow it."""
    names = [f"{sign}{axis}" for axis in "XYZ" for sign in "+-"]
    axes = np.concatenate([[e, -e] for e in np.eye(3)])
    right, up = (names[int(np.argmax(axes @ R_LG[:, k]))] for k in (0, 1))
    return Laboratory(R_LG, np.array(origin_G), (right, up))


def turned_about_the_vertical(degrees: float) -> Laboratory:
    """A laboratory with Z up in which the subject walks at an angle to X."""
    z_up = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    return laboratory(z_up @ rotation_about(UP, np.radians(degrees)))


def axis_permutations() -> list[np.ndarray]:
    """The 24 right-handed choices of laboratory axes along those of G."""
    found = []
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        for signs in np.array(np.meshgrid(*3 * [[1.0, -1.0]])).T.reshape(-1, 3):
            R = signs[:, None] * np.eye(3)[list(order)]
            if np.linalg.det(R) > 0.0:
                found.append(R)
    return found


def recorded_in(trial: RawTrial, lab: Laboratory) -> RawTrial:
    """The recording as the reader makes it of the laboratory's coordinates."""
    positions_L = (trial.markers_G - lab.origin_G) @ lab.R_LG.T
    centres_L = [(plate.corners_G.mean(axis=0) - lab.origin_G) @ lab.R_LG.T for plate in trial.plates]
    R_GL, notes = lab_to_global(
        positions_L,
        {plate.number: lab.R_LG @ surface_normal(plate.corners_G) for plate in trial.plates},
        np.median(centres_L, axis=0) if centres_L else -lab.R_LG @ lab.origin_G,
        lab.screen,
        AxisOverrides(),
        rate=trial.rate,
        where=trial.name,
    )
    assert not [note for note in notes if note.kind == "warning"]
    R = R_GL @ lab.R_LG

    def plate_in(plate: ForcePlate) -> ForcePlate:
        wrench = plate.wrench
        at = (wrench.point_G - lab.origin_G) @ R.T
        wrench = Wrench(wrench.force_G @ R.T, wrench.moment_G @ R.T, at)
        return replace(plate, corners_G=(plate.corners_G - lab.origin_G) @ R.T, wrench=wrench)

    return replace(
        trial, markers_G=positions_L @ R_GL.T, plates=tuple(map(plate_in, trial.plates)), R_GL=R_GL, notes=trial.notes
    )


def reordered(trial: RawTrial, rng: np.random.Generator) -> RawTrial:
    """Markers, plates and events in another order; a plate's number is its place."""
    order = rng.permutation(len(trial.marker_names))
    plates = [trial.plates[k] for k in rng.permutation(len(trial.plates))]
    return replace(
        trial,
        marker_names=tuple(trial.marker_names[k] for k in order),
        markers_G=trial.markers_G[:, order],
        plates=tuple(replace(plate, number=number) for number, plate in enumerate(plates, start=1)),
        events=trial.events[::-1],
    )


def with_turned_plates(trial: RawTrial, quarters: int) -> RawTrial:
    """Each plate built in with its axes, and so its corners and channels, turned by quarters of a turn."""
    plates = tuple(replace(plate, corners_G=np.roll(plate.corners_G, quarters, axis=0)) for plate in trial.plates)
    return replace(trial, plates=plates)


def mirrored(trial: RawTrial) -> RawTrial:
    """z reversed, labels and parameters of left and right swapped. A moment, as an axial vector, is reversed in x, y.

    Corners are taken in the opposite order, which keeps the plate's normal up.
    """
    plates = tuple(
        replace(
            plate,
            corners_G=(plate.corners_G * MIRROR)[[1, 0, 3, 2]],
            wrench=Wrench(
                plate.wrench.force_G * MIRROR, -plate.wrench.moment_G * MIRROR, plate.wrench.point_G[0] * MIRROR
            ),
        )
        for plate in trial.plates
    )
    return replace(
        trial,
        marker_names=tuple(other_label(name) for name in trial.marker_names),
        markers_G=trial.markers_G * MIRROR,
        plates=plates,
        events=tuple(replace(event, side=other_side(event.side)) for event in trial.events),
        parameters={other_label(name): value for name, value in trial.parameters.items()},
    )


def write(path: Path, trial: RawTrial, lab: Laboratory, units: str = "mm", rename: Callable[[str], str] = str) -> None:
    """Write a recording as a C3D file of a laboratory, in single precision, its plates as type 2."""

    def in_lab(points_G: np.ndarray) -> np.ndarray:
        return (points_G - lab.origin_G) @ lab.R_LG.T

    loads = [replace(plate.wrench, point_G=plate.wrench.point_G - lab.origin_G) for plate in trial.plates]
    write_c3d(
        path,
        marker_names=[rename(name) for name in trial.marker_names],
        markers_L=in_lab(trial.markers_G),
        rate=trial.rate,
        analog=AnalogData(
            trial.analog_rate if trial.plates else 0.0,
            [PlateSetup(in_lab(plate.corners_G)) for plate in trial.plates],
            [load.rotated(lab.R_LG) for load in loads],
        ),
        events=trial.events,
        parameters={PROCESSING: trial.parameters},
        units=units,
        screen_axes=lab.screen,
    )
