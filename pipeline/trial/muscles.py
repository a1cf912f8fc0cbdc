"""Muscle forces of a walk estimated from its joint moments, and the resulting joint contact forces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity


@dataclass(frozen=True)
class MuscleFatigue:
    """How the capacity of muscles declines while a walk is repeated, by the three-compartment model.

    Attributes:
        cases: the walk as measured, and the same motion solved again with a load or with weak muscles.
        case_words: description of each case: which load, how weak.
        muscles: each represents a joint.
        capacity: available force relative to the rested muscle's; NaN if the activation is not known.
        peak_load: peak activation over the gait cycle, which the muscle has to sustain.
        held: endurance time: walking time after which the capacity is below the peak load; the last of ``minutes`` if
            it never is, zero if the muscle is at its limit from the start.
    """

    cases: Annotated[tuple[str, ...], Axis("fatigue_case", "walk, load or weakness")]
    case_words: tuple[str, ...]
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    muscles: Annotated[tuple[str, ...], Axis("muscle", "muscle")]
    minutes: Annotated[np.ndarray, Axis("minutes", "time of walking", "min")]
    capacity: Annotated[
        np.ndarray,
        Quantity("capacity relative to the rested muscle", "1", ("fatigue_case", "side", "muscle", "minutes")),
    ]
    peak_load: Annotated[np.ndarray, Quantity("peak activation", "1", ("fatigue_case", "side", "muscle"))]
    held: Annotated[
        np.ndarray, Quantity("endurance time of the peak activation", "min", ("fatigue_case", "side", "muscle"))
    ]


@dataclass(frozen=True)
class MuscleLoads:
    """Estimated muscle and joint contact forces of a walk on the 55-joint skeleton.

    A leg's values are NaN where the ground reaction on its foot is unknown, the trunk's where no marker tracks it.

    Attributes:
        model: authors and licence of the muscle model.
        tendons: "rigid", or "elastic" if those of soleus and gastrocnemii are.
        muscle_names: actuators of the model, with the side as a suffix.
        contact_joints: such as "left_knee".
        coordinates: joints of the skeleton that the muscles act on, and hinges of the subtalar axes. The muscles
            balance the moments about these, but not about ankle inversion; its reserve is NaN.
        maximum_force: isometric, scaled to the subject.
        activation: between 0 and 1.
        force: along the tendon, active and passive.
        contact_force: of the proximal on the distal segment, in the axes of the distal one (thigh, shank, foot).
        compartments: medial and lateral side of each knee.
        compartment_force: share of the contact force along the shank, from the frontal moment that its surfaces
            transmit.
        reserve: part of the joint moment that no muscle provides.
        peak_moment: largest magnitude of the joint moment in the same frames.
        fatigue: over an hour of this walk; None for a walk without a gait cycle.
        loads_estimated: frames in which the loads of a leg are estimated from motion because no plate measured them;
            empty if all are measured.
    """

    name: str
    subject: str
    mass: Annotated[float, Quantity("body mass", "kg")]
    model: str
    tendons: str
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    muscle_names: Annotated[tuple[str, ...], Axis("actuator", "muscle of the model")]
    contact_joints: Annotated[tuple[str, ...], Axis("contact_joint", "joint")]
    coordinates: Annotated[tuple[str, ...], Axis("coordinate", "joint of the skeleton")]
    maximum_force: Annotated[np.ndarray, Quantity("maximum isometric force", "N", ("actuator",))]
    activation: Annotated[np.ndarray, Quantity("estimated activation", "1", ("time", "actuator"))]
    force: Annotated[np.ndarray, Quantity("estimated muscle force", "N", ("time", "actuator"))]
    contact_force: Annotated[
        np.ndarray,
        Quantity("estimated contact force", "body weight", ("time", "contact_joint", "xyz"), "distal segment"),
    ]
    compartments: Annotated[tuple[str, ...], Axis("compartment", "side of a knee")]
    compartment_force: Annotated[
        np.ndarray, Quantity("estimated share of the knee's contact force", "body weight", ("time", "compartment"))
    ]
    reserve: Annotated[np.ndarray, Quantity("moment not provided by muscles", "Nm", ("time", "coordinate"))]
    peak_moment: Annotated[np.ndarray, Quantity("peak joint moment", "Nm", ("coordinate",))]
    notes: tuple[Note, ...]
    fatigue: MuscleFatigue | None = None
    loads_estimated: Annotated[
        dict[str, Annotated[np.ndarray, Quantity("whether the leg's loads are estimated from motion", "1", ("time",))]],
        Axis("leg", "leg, by its side; none if all loads are measured"),
    ] = field(default_factory=dict)
