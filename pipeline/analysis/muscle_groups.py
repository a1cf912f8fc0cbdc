"""Estimated muscle and joint contact forces of a walk by muscle over the gait cycle, and published contact peaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.analysis.resampling import mean_where_known, resample
from pipeline.config import MuscleSettings
from pipeline.conventions import GRAVITY
from pipeline.muscles import MuscleMethod, RecordedMuscle
from pipeline.trial import Cycle, MuscleActivity, MuscleLoads

GROUPS: dict[str, tuple[str, ...]] = {
    "tibialis_anterior": ("tib_ant",),
    "soleus": ("soleus",),
    "gastrocnemius_medialis": ("med_gas",),
    "peroneus_longus": ("per_long",),
    "rectus_femoris": ("rect_fem",),
    "vastus_medialis": ("vas_med",),
    "biceps_femoris": ("bifemlh",),
    "gluteus_maximus": ("glut_max1", "glut_max2", "glut_max3"),
    "gluteus_medius": ("glut_med1", "glut_med2", "glut_med3"),
    "vastus_lateralis": ("vas_lat",),
    "semitendinosus": ("semiten",),
    "iliopsoas": ("iliacus", "psoas"),
    "gastrocnemius_lateralis": ("lat_gas",),
    "semimembranosus": ("semimem",),
    "vastus_intermedius": ("vas_int",),
    "tibialis_posterior": ("tib_post",),
    "adductor_longus": ("add_long",),
    "tensor_fasciae_latae": ("tfl",),
    "erector_spinae": ("ercspn",),
}
"""Actuators of the muscle model, without their side, by muscle; names as in `muscles.MUSCLES`."""


SHOWN = GROUPS | {
    "gastrocnemius": ("med_gas", "lat_gas"),
    "hamstrings": ("bifemlh", "semiten", "semimem"),
    "hamstrings_medial": ("semiten", "semimem"),
}
"""Actuators that an EMG channel represents, by the muscle or group that its label names."""

ELECTROMECHANICAL_DELAY = 0.05
"""s from EMG to force: 10 to 100 ms (Buchanan et al. 2004, J Appl Biomech 20:367-395), 50 in the elbow's extensors
(Cavanagh and Komi 1979, Eur J Appl Physiol 42:159-163)."""


def recorded_muscles(activity: MuscleActivity, time: np.ndarray) -> list[RecordedMuscle]:
    """EMG channels of muscles that have actuators, delayed and scaled from 0 at their minimum to 1 at their maximum.

    Channels without a reference amplitude, which vary no more than noise, are left out.

    Args:
        activity: of a walk.
        time: (T,) s, at which envelopes are wanted.
    """
    found = []
    for channel, envelope in zip(activity.channels, activity.envelope, strict=True):
        row, column = activity.side_names.index(channel.side), activity.muscle_names.index(channel.muscle)
        if channel.muscle in SHOWN and np.isfinite(activity.reference[row, column]):
            values = np.interp(time - ELECTROMECHANICAL_DELAY, activity.time, envelope - envelope.min())
            actuators = tuple(f"{name}_{channel.side[0]}" for name in SHOWN[channel.muscle])
            name = f"{channel.side} {channel.muscle.replace('_', ' ')}"
            found.append(RecordedMuscle(name, actuators, values / values.max()))
    return found


def muscle_method(settings: MuscleSettings) -> MuscleMethod:
    """The method by which a study's settings distribute moments to muscles."""
    return MuscleMethod(
        tendons=settings.tendons,
        dynamic=settings.dynamic,
        weights=by_actuator(settings.weights),
        passive_joints=settings.passive_moments,
        emg_weight=settings.emg_weight,
    )


def by_actuator(values: Mapping[Any, float]) -> dict[str, float]:
    """Values given for muscles, names as in `GROUPS`, for each of their actuators."""
    return {actuator: value for name, value in values.items() for actuator in GROUPS[name]}


@dataclass(frozen=True)
class PublishedPeak:
    """A peak contact force of level walking, body weights, and its source."""

    value: float
    source: str


PUBLISHED: dict[str, tuple[PublishedPeak, ...]] = {
    "hip": (
        PublishedPeak(2.38, "implants at 4 km/h, mean of four subjects, Bergmann et al. 2001, J Biomech 34:859"),
        PublishedPeak(4.8, "implant at 5 km/h, one subject, Bergmann et al. 1993, J Biomech 26:969"),
    ),
    "knee": (PublishedPeak(2.61, "implants, mean of five subjects, Kutzner et al. 2010, J Biomech 43:2164"),),
    "ankle": (PublishedPeak(3.9, "a model, mean of seven subjects, Procter and Paul 1982, J Biomech 15:627"),),
}
"""By joint. Hip and knee were measured in patients with instrumented implants; the ankle never has been."""


DECIMALS = 4
"""Decimals of curves in units of full activation and of body weight: estimates have no more, and tables are smaller."""


def group_activation(loads: MuscleLoads, side: str, group: str) -> np.ndarray:
    """Activation (T,) of a muscle: the mean of its actuators, weighted by their strength."""
    columns = _columns(loads, side, group)
    return loads.activation[:, columns] @ loads.maximum_force[columns] / loads.maximum_force[columns].sum()


def group_force(loads: MuscleLoads, side: str, group: str) -> np.ndarray:
    """Force (T,) of a muscle over body weight: the sum of its actuators."""
    weight = loads.mass * GRAVITY
    return loads.force[:, _columns(loads, side, group)].sum(axis=1) / weight


def contact_size(loads: MuscleLoads, side: str, joint: str) -> np.ndarray:
    """Magnitude (T,) of a joint's contact force over body weight."""
    return np.linalg.norm(loads.contact_force[:, loads.contact_joints.index(f"{side}_{joint}")], axis=1)


KNEE_PARTS = ("medial", "lateral")

MUSCLE_CURVES = (
    *(f"{group}_{what}" for group in GROUPS for what in ("activation", "force")),
    *(f"{joint}_contact_force" for joint in PUBLISHED),
    *(f"knee_{part}_contact_force" for part in KNEE_PARTS),
)
"""Names of `muscle_curves`."""


def muscle_curves(loads: MuscleLoads, cycle: Cycle) -> Mapping[str, tuple[np.ndarray, str]]:
    """Curves (101,) of a cycle's side by name, each with its unit; NaN where the moments are unknown."""
    side, over = cycle.side, {}
    for group in GROUPS:
        over[f"{group}_activation"] = group_activation(loads, side, group), "1"
        over[f"{group}_force"] = group_force(loads, side, group), "BW"
    for joint in PUBLISHED:
        over[f"{joint}_contact_force"] = contact_size(loads, side, joint), "BW"
    for part in KNEE_PARTS:
        values = loads.compartment_force[:, loads.compartments.index(f"{side}_knee_{part}")]
        over[f"knee_{part}_contact_force"] = values, "BW"
    ends = cycle.initial_contact, cycle.next_initial_contact
    # None of them is negative, but what is extrapolated to the ends of the cycle may be.
    return {
        name: (np.maximum(resample(values, loads.time, *ends), 0.0).round(DECIMALS), unit)
        for name, (values, unit) in over.items()
    }


def from_estimated_loads(loads: MuscleLoads, cycle: Cycle) -> bool:
    """Whether the loads of a cycle's side are estimated from motion in part of the cycle."""
    estimated = loads.loads_estimated.get(cycle.side)
    if estimated is None:
        return False
    within = (loads.time >= cycle.initial_contact) & (loads.time <= cycle.next_initial_contact)
    return bool(estimated[within].any())


def sides_from_estimated_loads(loads: MuscleLoads, cycles: Sequence[Cycle]) -> set[str]:
    """Sides with such a cycle, and with it what is computed from all cycles of a side."""
    return {cycle.side for cycle in cycles if from_estimated_loads(loads, cycle)}


def mean_curves(loads: MuscleLoads, cycles: tuple[Cycle, ...], side: str) -> dict[str, np.ndarray]:
    """Means of `muscle_curves` over the cycles of a side that have values; empty without such a cycle."""
    return {name: mean_where_known(values)[0] for name, values in _all_curves([(loads, cycles)], side).items()}


@dataclass(frozen=True)
class MuscleAverages:
    """Curves of a side over all cycles of several walks, by name; curves without a value are missing.

    Attributes:
        mean, sd: (101,); the standard deviation is NaN where only one cycle has a value.
        peaks: (n,) maxima of the n cycles that are known in stance; missing if there is none.
    """

    mean: dict[str, np.ndarray]
    sd: dict[str, np.ndarray]
    peaks: dict[str, np.ndarray]


def muscle_averages(walks: Sequence[tuple[MuscleLoads, tuple[Cycle, ...]]], side: str) -> MuscleAverages:
    """Mean and spread of `muscle_curves` over the cycles of a side of several walks, each counted once."""
    found = _all_curves(walks, side)
    both = {name: mean_where_known(values) for name, values in found.items()}
    return MuscleAverages(
        {name: mean for name, (mean, _) in both.items()},
        {name: sd for name, (_, sd) in both.items()},
        {name: peaks for name, values in found.items() if (peaks := _peaks(values)).size},
    )


def known_in_stance(curve: np.ndarray) -> bool:
    """Whether 90 % of the first half of a cycle (101,), which in walking is stance, are known.

    Without the load on the foot only swing has values, and their maximum is no peak of the cycle.
    """
    return bool(np.isfinite(curve[: len(curve) // 2]).mean() >= 0.9)


def _peaks(values: np.ndarray) -> np.ndarray:
    """Maxima of those curves (n, 101) that are known in stance."""
    return np.array([np.nanmax(curve) for curve in values if known_in_stance(curve)])


def _all_curves(walks: Sequence[tuple[MuscleLoads, tuple[Cycle, ...]]], side: str) -> dict[str, np.ndarray]:
    """`muscle_curves` (n, 101) of the cycles of a side that have values, of several walks."""
    own = [muscle_curves(loads, cycle) for loads, cycles in walks for cycle in cycles if cycle.side == side]
    found = {}
    for name in own[0] if own else ():
        known = [curves[name][0] for curves in own if np.isfinite(curves[name][0]).any()]
        if known:
            found[name] = np.array(known)
    return found


def _columns(loads: MuscleLoads, side: str, group: str) -> list[int]:
    return [loads.muscle_names.index(f"{name}_{side[0]}") for name in GROUPS[group]]
