"""The optimal motion of a task: of an arm, or a lift or walk of the skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity
from pipeline.trial.prediction import Violation


@dataclass(frozen=True)
class RepeatedTask:
    """A lift repeated while strength falls with fatigue, estimated joint by joint.

    Attributes:
        number: of the lifts that were solved, from 1.
        q, tau: of the solved lifts.
        strength: before every lift, as a fraction of the rested strength.
        lifts: total number of lifts done.
        able: whether all requested lifts can be done.
        ended: why it ended, as a sentence.
        every: time from lift to lift.
        weight_limit: recommended by the NIOSH equation at this rate, the lower of the values for start and end
            position; NaN beyond the 8 h that the equation covers.
    """

    number: Annotated[np.ndarray, Axis("lift", "number of the lift")]
    strength: Annotated[np.ndarray, Quantity("strength left", "1", ("repetition", "joint"))]
    q: Annotated[np.ndarray, Quantity("joint coordinates", "rad, m", ("lift", "time", "joint"))]
    tau: Annotated[np.ndarray, Quantity("joint torques", "Nm, N", ("lift", "time", "joint"))]
    lifts: int
    able: bool
    ended: str
    every: Annotated[float, Quantity("time from lift to lift", "s")]
    load: Annotated[float, Quantity("mass of the box", "kg")]
    weight_limit: Annotated[float, Quantity("recommended weight limit", "kg")]


@dataclass(frozen=True)
class TaskMotion:
    """An optimal motion with its torques, internal loads and sensitivities.

    Attributes:
        task: "arm", "lift" or "walk".
        ended: status, as the solver reports it.
        objectives: weighted terms, whose sum is the objective.
        joint_names, coordinate_names: the same names, for rows and columns of the sensitivities.
        joint_kinds: R or P for each joint.
        parents: index of each joint's parent; -1 for the root.
        tau: generalised force of each joint's actuator.
        force_G, moment_G: internal load that the parent link exerts on the joint's link, at the joint's origin.
        origin_G: origins of the links' frames.
        violations: of the constraints, on a refined grid.
        repeated: the same task repeated; None if not requested.
    """

    task: str
    title: str
    source: str
    ended: str
    iterations: int
    duration: Annotated[float, Quantity("total time", "s")]
    objectives: dict[str, float]
    joint_names: Annotated[tuple[str, ...], Axis("joint", "joint")]
    coordinate_names: Annotated[tuple[str, ...], Axis("coordinate", "coordinate")]
    joint_kinds: tuple[str, ...]
    parents: Annotated[np.ndarray, Quantity("index of the parent joint", "1", ("joint",))]
    tau_limit: Annotated[np.ndarray, Quantity("largest torque or force", "Nm, N", ("joint",))]
    time: Annotated[np.ndarray, Axis("time", "time", "s")]
    q: Annotated[np.ndarray, Quantity("joint coordinates", "rad, m", ("time", "joint"))]
    qd: Annotated[np.ndarray, Quantity("joint velocities", "rad/s, m/s", ("time", "joint"))]
    qdd: Annotated[np.ndarray, Quantity("joint accelerations", "rad/s^2, m/s^2", ("time", "joint"))]
    tau: Annotated[np.ndarray, Quantity("joint torques", "Nm, N", ("time", "joint"))]
    force_G: Annotated[np.ndarray, Quantity("internal force", "N", ("time", "joint", "xyz"), "G")]
    moment_G: Annotated[np.ndarray, Quantity("internal moment", "Nm", ("time", "joint", "xyz"), "G")]
    origin_G: Annotated[np.ndarray, Quantity("origin of the link's frame", "m", ("time", "joint", "xyz"), "G")]
    dtau_dq: Annotated[
        np.ndarray, Quantity("derivative of torque by coordinate", "Nm/rad, N/m", ("time", "joint", "coordinate"))
    ]
    dtau_dqd: Annotated[
        np.ndarray, Quantity("derivative of torque by velocity", "Nm s/rad, N s/m", ("time", "joint", "coordinate"))
    ]
    dtau_dqdd: Annotated[np.ndarray, Quantity("mass matrix", "kg m^2, kg m, kg", ("time", "joint", "coordinate"))]
    violations: tuple[Violation, ...]
    notes: tuple[Note, ...]
    repeated: RepeatedTask | None = None
