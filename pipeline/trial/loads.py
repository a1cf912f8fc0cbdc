"""Joint forces, moments and powers of a walk, and the block system of equations that they solve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.declarations import Axis, ByJoint, BySide, Note, Quantity

_PeakMoment = Annotated[
    np.ndarray, Quantity("peak extensor moment over clean stances", "Nm/kg", ("cutoff",), "distal segment")
]


@dataclass(frozen=True)
class JointLoad:
    """Load at a joint: what the proximal segment exerts on the distal one, at the joint's centre.

    Attributes:
        contributions: parts of ``moment_G`` due to "inertia", "velocity", "gravity" and "ground"; they add up to it.
    """

    force_G: Annotated[np.ndarray, Quantity("joint force", "N", ("time", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "G")]
    moment_distal: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "distal segment")]
    moment_proximal: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "proximal segment")]
    moment_joint: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "joint coordinate system")]
    power: Annotated[np.ndarray, Quantity("joint power, generation positive", "W", ("time",))]
    contributions: Annotated[
        dict[str, Annotated[np.ndarray, Quantity("part of the joint moment", "Nm", ("time", "xyz"), "G")]],
        Axis("cause", "cause of the part of the moment"),
    ]


@dataclass(frozen=True)
class LegEquations:
    """The block system M a = C + G + A F + E of one leg, rows from the foot upwards; see `pipeline.newton_euler`."""

    row_names: Annotated[tuple[str, ...], Axis("row", "equation")]
    unknown_names: Annotated[tuple[str, ...], Axis("unknown", "unknown")]
    M: Annotated[np.ndarray, Quantity("inertia matrix", "kg, kg m^2", ("row", "column"), "G, segment")]
    a: Annotated[np.ndarray, Quantity("accelerations", "m/s^2, rad/s^2", ("time", "row"), "G, segment")]
    C: Annotated[np.ndarray, Quantity("velocity-dependent terms", "N, Nm", ("time", "row"), "G, segment")]
    G: Annotated[np.ndarray, Quantity("gravity", "N, Nm", ("time", "row"), "G, segment")]
    A: Annotated[np.ndarray, Quantity("coefficients of the unknowns", "1, m", ("time", "row", "unknown"), "G, segment")]
    E: Annotated[np.ndarray, Quantity("ground reaction", "N, Nm", ("time", "row"), "G, segment")]
    F: Annotated[np.ndarray, Quantity("joint forces and moments", "N, Nm", ("time", "unknown"), "G, segment")]


@dataclass(frozen=True)
class InverseDynamics:
    """Joint loads of a walk in matrix form, by joint and by leg; missing where the ground reaction is not known."""

    name: str
    subject: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    ground: BySide[Annotated[Wrench, Quantity("ground reaction on the foot", "N, Nm, m", ("time", "xyz"), "G")]]
    joints: ByJoint[JointLoad]
    equations: dict[str, LegEquations]
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class CutoffPeaks:
    """Peak joint moments at several cut-off frequencies of markers and forces.

    Attributes:
        moments: by joint; the joints of a side without a clean step on a plate are left out.
    """

    used: Annotated[float, Quantity("cut-off frequency of the walk's results", "Hz")]
    cutoffs: Annotated[np.ndarray, Axis("cutoff", "cut-off frequency of markers and forces", "Hz")]
    moments: ByJoint[_PeakMoment]


@dataclass(frozen=True)
class JointMoment:
    """The part of a `JointLoad` with the moment in the distal segment's axes."""

    moment_distal: Annotated[np.ndarray, Quantity("joint moment", "Nm", ("time", "xyz"), "distal segment")]


@dataclass(frozen=True)
class JointMoments:
    """The part of `InverseDynamics` used to compare moments with another method's; it can be read alone."""

    mass: Annotated[float, Quantity("body mass", "kg")]
    joints: ByJoint[JointMoment]


@dataclass(frozen=True)
class BodyMass:
    """The part of `InverseDynamics` with the body mass; it can be read alone."""

    mass: Annotated[float, Quantity("body mass", "kg")]
