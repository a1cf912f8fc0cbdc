"""Position of the plates along the progression, from the balance of moments about the hips.

Over a whole step, the body's angular momentum nearly returns to its initial value. The mean moment of both feet's loads
about the hips is therefore body weight times the distance of the centre of mass ahead of the hips. A subject standing
on plates shows the same distance. Plates that are shifted in the laboratory change it in walking, and in the opposite
direction in standing if the subject faces the other way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pipeline.analysis import mean_leg_length
from pipeline.anatomy import BodyPose, MarkerSet
from pipeline.conventions import GRAVITY, SIDES, X, Y, Z
from pipeline.plausibility.known_loads import pelvis_centre, windows
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import finite_mean
from pipeline.trial import Finding, InverseDynamics, Kinematics, MarkersAndPlates

MAX_CHANGE = 0.026
"""Leg lengths between standing and walking: at most 0.002 on three measured walks, 0.014 on a fourth, and 0.019 on the
synthetic one, which stands leaning. It is 22 mm for a leg of 0.85 m; in similar bodies this distance, like all
distances, goes with the leg."""

BEHIND, AHEAD = -0.088, 0.053
"""Leg lengths of the centre of mass ahead of the hips, also if it is the same in standing: -0.048 to 0.010 on 25 walks
of 18 people, with legs of 0.59 to 0.95 m."""

TYPICAL_LEG = 0.85
"""m, for a body whose leg length is not known."""

MIN_LOAD = 20.0
"""N, smallest mean load of a plate that is used in standing."""


def plate_position(
    kinematics: Kinematics, loads: InverseDynamics, static: MarkersAndPlates, marker_set: MarkerSet
) -> Iterator[Finding]:
    """Plates that put the centre of mass elsewhere than the static trial does."""
    walking = mass_ahead_in_walking(kinematics, loads)
    if not np.isfinite(walking):
        return
    standing = np.nan if static.name == kinematics.name else mass_ahead_in_standing(kinematics, static, marker_set)
    change = walking - standing if np.isfinite(standing) else 0.0
    leg = mean_leg_length(kinematics.calibration)
    unit = 1000.0 * (leg if np.isfinite(leg) else TYPICAL_LEG)
    source = "balance of moments on 25 walks of 18 people"
    if abs(change) > MAX_CHANGE * unit:
        source = "balance of moments on four measured walks and the synthetic one"
        text, value, limit = (
            f"by the plates, the centre of mass is {abs(change):.0f} mm farther "
            f"{'ahead of' if change > 0.0 else 'behind'} the hips than in {static.name}",
            change,
            math.copysign(MAX_CHANGE * unit, change),
        )
    elif not BEHIND * unit <= walking <= AHEAD * unit:
        text, value = f"by the plates, the centre of mass is {walking:.0f} mm ahead of the hips", walking
        limit = unit * (AHEAD if walking > 0.0 else BEHIND)
    else:
        return
    yield FindingWithError(
        subject="plates",
        text=text,
        value=value,
        limit=limit,
        units="mm",
        source=source,
        cause="because the plates' corners or origins are shifted along the walkway, or the trunk leans",
        remedy="measure the plates' corners again",
        error=PlateError(shift_G=along(X, 0.001 * value)),
    )


def mass_ahead_in_walking(kinematics: Kinematics, loads: InverseDynamics) -> float:
    """Mean distance, mm, of the centre of mass ahead of the hips over whole steps with known loads; NaN without one."""
    centre, spans = pelvis_centre(kinematics), windows(kinematics, loads)
    contacts = sorted(event.time for event in kinematics.events if event.kind == "initial contact")
    if centre is None or not spans or len(contacts) < 2:
        return np.nan
    about = [ground.about(centre) for ground in loads.ground.values()]
    moment = np.sum([wrench.moment_G[:, Z] for wrench in about], axis=0)
    force = np.sum([wrench.force_G[:, Y] for wrench in about], axis=0)
    step = round(float(np.median(np.diff(contacts))) * kinematics.rate)
    start, stop = max(spans, key=lambda span: span[1] - span[0])
    if step < 1 or stop - start < step:
        return np.nan
    means = [moment[k : k + step].mean() / force[k : k + step].mean() for k in range(start, stop - step + 1)]
    return 1000.0 * float(np.median(means))


def mass_ahead_in_standing(kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet) -> float:
    """The same distance, mm, along the standing subject's heading; NaN unless the whole weight is on plates."""
    calibration = kinematics.calibration
    markers = {name: static.marker(name) for name in static.marker_names}
    pose = BodyPose.calibrated(marker_set, markers, calibration)
    if not {f"{side}_hip" for side in SIDES} <= set(marker_set.points):
        return np.nan
    hips = finite_mean(np.mean([pose.point(f"{side}_hip") for side in SIDES], axis=0))
    heading = finite_mean(pose.frame("pelvis")[:, :, X]) * np.array([1.0, 0.0, 1.0])
    heading /= np.linalg.norm(heading)
    used = [plate.wrench.about(hips) for plate in static.plates if finite_mean(plate.wrench.force_G)[Y] > MIN_LOAD]
    if not used:
        return np.nan
    force = np.sum([finite_mean(wrench.force_G) for wrench in used], axis=0)
    moment = np.sum([finite_mean(wrench.moment_G) for wrench in used], axis=0)
    weight = calibration.values["mass"] * GRAVITY
    if not 0.95 < force[Y] / weight < 1.05:
        return np.nan
    return 1000.0 * float(np.array([moment[Z], 0.0, -moment[X]]) @ heading / force[Y])
