"""Effect of a suspected error on a walk's results: the largest changes of a joint's angle and of its moment.

An error of a plate's load acts linearly, through the block matrix of each leg. For an error of markers or of a body
size, the walk is computed again without the error. Only frames within gait cycles count for angles, and only frames of
clean steps on plates count for moments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import SIDES, Y
from pipeline.errors import PipelineError
from pipeline.kinematics import displaced
from pipeline.newton_euler import ground_change, inverse_dynamics, load_changes
from pipeline.plausibility.angles import frames_of_cycles
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError, PlateError, with_effect
from pipeline.signals import load_of, step_frames
from pipeline.trial import Finding, InverseDynamics, Kinematics

NO_MOMENT, NO_ANGLE = 0.05, 2.0
"""Nm/kg and degrees; a finding whose effects are smaller is a note. They are half of what counts as right in
docs/faults.md; errors below 2 degrees are likely to be considered acceptable (McGinley et al. 2009, Gait Posture 29,
360-369)."""

DECIDED_MOMENT, DECIDED_ANGLE = 0.2, 5.0
"""Nm/kg and degrees on which a clinician decides. Smaller differences of moments cannot be told from those between two
laboratories: the minimum detectable difference is 0.08 to 0.14 in the frontal plane of the knee (2.77 times a standard
error of 0.03 to 0.05, "Knee-specific gait biomechanics are reliable when collected in multiple laboratories by
independent raters", two laboratories, twelve people). Angles that are off by more than 5 degrees may mislead (McGinley
et al.)."""

MOST = 3
"""Number of body errors for which a walk is computed again, at 30 ms each; the effects of further ones stay unknown."""

PLANES = ("flexion", "angle in the frontal plane", "rotation")
OF_PELVIS = ("tilt", "obliquity", "rotation")

Effect = tuple[float, str]
"""Size, and the quantity it refers to."""

NONE: Effect = (0.0, "")


def with_effects(
    findings: Iterable[Finding],
    kinematics: Kinematics,
    loads: InverseDynamics,
    marker_set: MarkerSet,
    most: int | None = MOST,
) -> list[Finding]:
    """The findings, with the effects of suspected errors; at most `most` errors of the body, warnings first."""
    found = list(findings)
    suspected = [(f, f.error) for f in found if isinstance(f, FindingWithError)]
    of_plates = [(finding, error) for finding, error in suspected if isinstance(error, PlateError)]
    of_body = [(finding, error) for finding, error in suspected if isinstance(error, BodyError)]
    moments = plate_effects([error for _, error in of_plates], kinematics, loads)
    effects = {id(finding): (moment, NONE) for (finding, _), moment in zip(of_plates, moments, strict=True)}
    for finding, error in sorted(of_body, key=lambda own: own[0].grade == "note")[:most]:
        if own := body_effects(error, kinematics, loads, marker_set):
            effects[id(finding)] = own
    return [with_effect(f, *effects[id(f)]) if id(f) in effects else f for f in found]


def plate_effects(errors: Sequence[PlateError], kinematics: Kinematics, loads: InverseDynamics) -> list[Effect]:
    """Largest change of a moment, Nm/kg, for each error; all errors are solved together."""
    right = {}
    for side in SIDES if errors else ():
        foot = kinematics.segments.get(f"{side}_foot")
        if foot is not None and side in loads.equations:
            changes = [_load_change(error, side, kinematics) for error in errors]
            right[side] = np.stack([ground_change(foot, force, moment) for force, moment in changes], axis=2)
    if not right or not loads.mass > 0.0:
        return [(np.nan, "")] * len(errors)
    return [largest_moment(changed, kinematics) for changed in load_changes(kinematics, loads, right)]


def body_effects(
    error: BodyError, kinematics: Kinematics, loads: InverseDynamics, marker_set: MarkerSet
) -> tuple[Effect, Effect] | None:
    """Largest changes of a moment (Nm/kg) and an angle (degrees); None if the walk without the error cannot be
    computed."""
    changes = body_changes(error, kinematics, loads, marker_set)
    if changes is None:
        return None
    angle = NONE
    for joint, apart in changes.angles.items():
        plane = int(np.argmax(apart))
        planes = OF_PELVIS if joint == "pelvis" else PLANES
        angle = max(angle, (float(apart[plane]), f"{joint.replace('_', ' ')} {planes[plane]}"))
    moment = max(
        ((float(apart.max()), f"{joint.replace('_', ' ')}'s moment") for joint, apart in changes.moments.items()),
        default=NONE,
    )
    return moment, angle


@dataclass(frozen=True)
class BodyChanges:
    """Largest changes (3,) for each joint: angles by plane, degrees; moments about the distal axes, Nm/kg."""

    angles: dict[str, np.ndarray]
    moments: dict[str, np.ndarray]


def body_changes(
    error: BodyError, kinematics: Kinematics, loads: InverseDynamics, marker_set: MarkerSet
) -> BodyChanges | None:
    """Changes of the results when an error of the body is removed; None if the walk without it cannot be computed."""
    calibration, markers_G = kinematics.calibration, kinematics.markers_G.copy()
    for label, shift_G in error.shifts_G.items():
        markers_G[:, kinematics.marker_names.index(label)] -= shift_G
    values = {name: calibration.values[name] - change for name, change in error.values.items()}
    try:
        motion = displaced(kinematics, marker_set, replace(calibration, values=calibration.values | values), markers_G)
        corrected = inverse_dynamics(motion) if any(not s.rejected for s in kinematics.stances) else loads
    except PipelineError:
        return None
    frames = frames_of_cycles(kinematics)
    turned = {name: _turned(np.degrees(motion.angles[name] - own))[frames] for name, own in kinematics.angles.items()}
    changed = {
        name: (corrected.joints[name].moment_distal - load.moment_distal)[_frames_of_steps(kinematics, name)]
        for name, load in loads.joints.items()
    }
    return BodyChanges(
        {name: _largest(apart) for name, apart in turned.items()},
        {name: _largest(apart) / loads.mass for name, apart in changed.items()},
    )


def _largest(values: np.ndarray) -> np.ndarray:
    """Largest magnitude of each column (N, 3); zero if nothing is known."""
    return np.max(np.where(np.isfinite(values), np.abs(values), 0.0), axis=0, initial=0.0)


def _frames_of_steps(kinematics: Kinematics, joint: str) -> np.ndarray:
    """Frames (T,) of the clean steps on plates of the joint's side."""
    return step_frames(joint.partition("_")[0], kinematics.stances, kinematics.time)


def _turned(degrees: np.ndarray) -> np.ndarray:
    """Differences of angles wrapped to half a turn."""
    return (degrees + 180.0) % 360.0 - 180.0


def largest_moment(loads: InverseDynamics, kinematics: Kinematics) -> Effect:
    """Largest moment of any joint over its clean steps on plates, Nm/kg, and the joint's name."""
    largest: Effect = NONE
    for name, load in loads.joints.items():
        size = float(_largest(load.moment_distal[_frames_of_steps(kinematics, name)]).max()) / loads.mass
        largest = max(largest, (size, f"{name.replace('_', ' ')}'s moment"))
    return largest


def _load_change(error: PlateError, side: str, kinematics: Kinematics) -> tuple[np.ndarray, np.ndarray]:
    """Error of the force and of the moment about the origin of G (T, 3) on a foot."""
    force, moment = np.zeros((len(kinematics.time), 3)), np.zeros((len(kinematics.time), 3))
    for stance in error.stances or kinematics.stances:
        if stance.side != side or stance.rejected:
            continue
        load, frames = load_of(stance, kinematics.plates).wrench, slice(stance.start, stance.stop)
        own = np.nan_to_num(load.force_G[frames])
        total = np.nan_to_num(load.about(np.zeros(3)).moment_G)
        added = np.asarray(error.force_G) + np.asarray(error.scale_G) * own
        origin = np.broadcast_to(load.point_G, load.force_G.shape)[frames]
        spun = error.turn * np.cross(np.eye(3)[Y], own)
        centre = np.nan_to_num(load_of(stance, kinematics.plates).cop_G[frames])
        force[frames] = added + spun
        moment[frames] = np.cross(origin, added) + np.cross(centre, spun) + np.cross(np.asarray(error.shift_G), own)
        if error.delay:
            for part, change in ((np.nan_to_num(load.force_G), force), (total, moment)):
                change[frames] -= error.delay * kinematics.rate * np.gradient(part, axis=0)[frames]
    return force, moment


def weight(finding: Finding) -> float:
    """Largest effect of a finding, in units of the limit below which it is a note; 1 if the effect is unknown."""
    known = [
        error / least
        for error, least in ((finding.moment_error, NO_MOMENT), (finding.angle_error, NO_ANGLE))
        if np.isfinite(error)
    ]
    return max(known, default=1.0)
