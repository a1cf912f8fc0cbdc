"""What plates and feet show of each step against the walk's others: time, forces, centre of pressure under the foot.

A walker's steps are alike, left and right as mirror images; a plate that is late, displaced, turned, or adds a force
differs from the others. Differences are those from the median of the walk's other steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY_G, LATERAL_SIGN, X, Y, Z
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.synchronisation import delay_of_stance
from pipeline.signals import load_of
from pipeline.trial import Finding, Kinematics, Stance

_MIDDLE = (0.2, 0.8)
"""Parts of the stance over which the centre of pressure is under a foot that is on the ground."""

PER_METRE = -GRAVITY_G[Y]
"""Nm/kg of moment about the ankle for a metre by which the force of a body's weight acts elsewhere."""


@dataclass(frozen=True)
class Feature:
    """A value of a step.

    Attributes:
        name: residual, before ", one step against the others".
        words: what differs, for the finding's text.
        units: of the value.
        cause, remedy: of the finding.
        moment: Nm/kg by which the moment of the hip or ankle changes for one unit; NaN where that is not simple.
    """

    name: str
    words: str
    units: str
    cause: str
    remedy: str
    moment: float = np.nan


_DISPLACED, _CHANNEL = "as the plate is displaced or its moments wrong", "as its channel has an offset or a wrong scale"
_CALIBRATE = "check the plate's calibration and offsets"
_MEASURE = "measure the plate's corners again"
_HIP = 0.9
"""m, of the hip above the ground in an adult, for what a horizontal force does to the hip's moment."""

FEATURES = (
    Feature("delay of the load", "later", "ms", "as that plate does not start with the others", _CALIBRATE),
    Feature(
        *("centre of pressure along the foot", "farther ahead", "mm", _DISPLACED),
        *(_MEASURE, PER_METRE / 1000.0),
    ),
    Feature(
        *(
            "centre of pressure across the foot",
            "farther outside",
            "mm",
            _DISPLACED,
        ),
        *(_MEASURE, PER_METRE / 1000.0),
    ),
    Feature("path of the centre of pressure", "turned farther outwards", "degrees", "as the plate is turned", _MEASURE),
    Feature(
        *(
            "mean fore-aft force",
            "farther forward",
            "% of body weight",
            _CHANNEL,
        ),
        *(_CALIBRATE, _HIP * PER_METRE / 100.0),
    ),
    Feature(
        *("mean vertical force", "larger", "% of body weight", _CHANNEL),
        _CALIBRATE,
    ),
    Feature(
        *(
            "mean sideways force",
            "farther inwards",
            "% of body weight",
            _CHANNEL,
        ),
        *(_CALIBRATE, _HIP * PER_METRE / 100.0),
    ),
)


def step_features(kinematics: Kinematics, limits: Limits) -> Iterator[Finding]:
    """Steps that differ from the walk's others; of a walk with two, the first is named."""
    clean = [s for s in kinematics.stances if not s.rejected and not s.second_plate]
    if len(clean) < 2:
        return
    values = np.array([features_of(stance, kinematics) for stance in clean])
    for feature, column in zip(FEATURES, values.T, strict=True):
        name = f"{feature.name}, one step against the others"
        for n, stance in enumerate(clean):
            others = np.delete(column, n)
            known = others[np.isfinite(others)]
            value = float(column[n] - np.median(known)) if len(known) else np.nan
            limit = limits.crossed(name, value)
            if limit is not None and not (len(clean) == 2 and n == 1):
                yield _finding(stance, feature, name, value, limit, limits.source(name))


def features_of(stance: Stance, kinematics: Kinematics) -> tuple[float, ...]:
    """Values of `FEATURES` of a step; NaN where not known."""
    frames = slice(stance.start, stance.stop)
    plate, outwards = load_of(stance, kinematics.plates), LATERAL_SIGN[stance.side]
    heel, toe = (kinematics.points[f"{stance.side}_{part}"][frames] for part in ("heel", "toe"))
    along = (toe - heel) * np.array([1.0, 0.0, 1.0])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    aside = outwards * np.cross(along, [0.0, 1.0, 0.0])
    phase = (kinematics.time[frames] - stance.onset) / (stance.end - stance.onset)
    middle = (phase > _MIDDLE[0]) & (phase < _MIDDLE[1])
    cop = plate.cop_G[frames] - heel
    ahead, across = (_mean(np.sum(cop * axis, axis=1)[middle]) for axis in (along, aside))
    weight = kinematics.calibration.values["mass"] * -GRAVITY_G[Y]
    force = [100.0 * _mean(plate.wrench.force_G[frames, axis]) / weight for axis in (X, Y, Z)]
    return (
        1000.0 * delay_of_stance(kinematics, stance),
        1000.0 * ahead,
        1000.0 * across,
        _direction(plate.cop_G[frames][middle], along[middle], aside[middle]),
        force[0],
        force[1],
        -outwards * force[2],
    )


def _direction(cop: np.ndarray, along: np.ndarray, aside: np.ndarray) -> float:
    """Degrees by which the path (N, 3) m of the centre of pressure is turned outwards from the foot's line."""
    seen = np.flatnonzero(np.isfinite(cop).all(axis=1) & np.isfinite(along).all(axis=1))
    if len(seen) < 2:
        return np.nan
    way, foot, out = cop[seen[-1]] - cop[seen[0]], along[seen].mean(axis=0), aside[seen].mean(axis=0)
    return float(np.degrees(np.arctan2(way @ out, way @ foot)))


def _mean(values: np.ndarray) -> float:
    seen = values[np.isfinite(values)]
    return float(seen.mean()) if len(seen) else np.nan


def _finding(stance: Stance, feature: Feature, name: str, value: float, limit: float, source: str) -> Finding:
    return Finding(
        grade="warning",
        subject=stance.on,
        text=f"{feature.name} of the {stance.side} foot's step is {value:+.1f} {feature.units} {feature.words} than of "
        "the walk's other steps",
        value=value,
        limit=limit,
        units=feature.units,
        source=source,
        cause=f"{feature.cause}, or the subject limps",
        remedy=feature.remedy,
        moment_error=abs(value) * feature.moment,
        residual=name,
    )
