"""Estimated loads of all contacts of a walk; steps on plates are also estimated without them, to give the error."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from pipeline.analysis import MIN_MASS_TRACKED
from pipeline.conventions import BAND_95, GRAVITY, SIDES, X, Y, Z
from pipeline.errors import DynamicsError
from pipeline.ground_from_motion.contacts import FootFrame
from pipeline.ground_from_motion.estimate import (
    LEG_JOINTS,
    WalkingBody,
    estimate,
    measured_path,
    measured_steps,
    walking_body,
)
from pipeline.ground_from_motion.learned import LearnedSplit
from pipeline.ground_from_motion.noise import usable
from pipeline.ground_from_motion.plate_check import contradictions
from pipeline.ground_from_motion.split import SplitLoads
from pipeline.math3d import Wrench
from pipeline.trial import EstimatedStep, GroundFromMotion, MotionAndPlates, Note, Stance, WholeBody

MIN_FORCE = 0.05
"""Fraction of body weight above which a plate's centre of pressure is compared."""

PRIOR_STEPS = 1.5
"""Number of steps as which the learned path of the centre of pressure counts, besides those measured by the plates."""

FOLDS = 10
"""Number of groups in which a walk's plate steps are estimated as if they had no plate: one by one up to ten steps,
every tenth one of a longer recording, to bound the time."""

NO_ERROR = dict.fromkeys(
    ("fore_aft", "vertical", "lateral", "cop_along", "cop_across", *LEG_JOINTS, "force_coverage", "moment_coverage"),
    float("nan"),
)


def ground_from_motion(
    body: WholeBody,
    kinematics: MotionAndPlates,
    feet: Mapping[str, tuple[np.ndarray, np.ndarray]],
    learned: LearnedSplit,
    doubtful: Collection[Stance] = (),
) -> GroundFromMotion:
    """Estimate the loads of every contact.

    Each plate step is estimated with the learned path and that of the walk's other plate steps, never its own; with
    more than ten steps, the others of its group are left out too. The times of its events are those of the plate.

    On a treadmill, the frame on the ground of each foot moves with the belt under this foot, on which it is at rest
    while flat.

    Args:
        body: the walk on the skeleton.
        kinematics: of the same walk.
        feet: heel and toe (T, 3) m in G by side.
        learned: the learned numbers.
        doubtful: steps on plates whose loads are wrong: their plates are compared with the estimate, but the path is
            not fitted to them, and they count as not measured.

    Raises:
        DynamicsError: the markers do not cover the whole body, no contact is complete, or the motion needs a floor that
            pulls.
    """
    if body.mass_tracked < MIN_MASS_TRACKED:
        raise DynamicsError(
            f"markers cover {100 * body.mass_tracked:.0f} % of the body's mass; {100 * MIN_MASS_TRACKED:.0f} % are "
            "needed to estimate ground reactions from motion",
            where=f"trial {body.name}",
            remedy="Put markers on trunk, head and arms, or measure on plates",
        )
    walk = walking_body(body, kinematics, feet, kinematics.events, learned)
    learned, noise = usable(walk, learned, feet)
    on_plates = measured_steps(walk, kinematics.stances)
    measured = {number: stance for number, stance in on_plates.items() if stance not in doubtful}
    own = _own_paths(walk, measured, body, learned)
    split, moments, powers = estimate(walk, learned, personal_correction([*own.values()]))
    errors: dict[int, dict[str, float]] = {}
    contradicted: dict[int, list[Note]] = {}
    for fold in range(min(FOLDS, len(on_plates))):
        numbers = [*on_plates][fold::FOLDS]
        others = [path for number, path in own.items() if number not in numbers]
        held_out, held_out_moments, _ = estimate(walk, learned, personal_correction(others))
        for number in numbers:
            stance = on_plates[number]
            if number in measured:
                errors[number] = step_errors(walk, number, stance, body, held_out, held_out_moments, learned)
            needed = np.where(walk.known[:, None], held_out.ground[stance.side].force_G, np.nan)
            contradicted[number] = [*contradictions(stance, body.ground[stance.side].force_G, needed)]
    steps = tuple(
        EstimatedStep(
            contact.side,
            contact.start,
            contact.stop,
            measured[number].plate if number in measured else 0,
            **errors.get(number, NO_ERROR),
        )
        for number, contact in enumerate(walk.contacts)
        if _inside(walk, number)
    )
    known = walk.known[:, None]
    return GroundFromMotion(
        name=body.name,
        subject=body.subject,
        source=learned.source,
        personal=len(own),
        mass=body.mass,
        time=body.time,
        contact_percent=100.0 * learned.phases,
        leg_joints=LEG_JOINTS,
        steps=steps,
        ground={side: _where(known, split.ground[side]) for side in SIDES},
        joint_moments=moments,
        joint_powers=powers,
        force_sd=learned.force_sd,
        moment_sd=learned.moment_sd,
        zmp_offset=split.zmp_offset_G,
        force_correction=np.where(known, split.correction_G, np.nan),
        unbalanced_moment=np.where(known, split.unbalanced_moment_G, np.nan),
        notes=(*noise, *_notes(steps, walk, kinematics), *chain.from_iterable(contradicted[n] for n in on_plates)),
    )


def step_errors(
    walk: WalkingBody,
    number: int,
    stance: Stance,
    body: WholeBody,
    split: SplitLoads,
    moments: Mapping[str, np.ndarray],
    learned: LearnedSplit,
) -> dict[str, float]:
    """Root mean square errors of one estimated step against its plate, by the names of `EstimatedStep`."""
    contact, frame = walk.contacts[number], walk.frames[number]
    assert frame is not None  # measured_steps contains only steps with a frame
    frames = np.arange(stance.start, stance.stop)
    frames = frames[walk.known[frames]]
    curves = error_curves(walk, contact.side, frames, body, split, moments)
    force, joints = curves[:, :3], curves[:, 3:]
    phase = contact.phase(walk.time[frames])
    sd = np.hstack([learned.force_sd, learned.moment_sd])
    bands = BAND_95 * np.stack([np.interp(phase, learned.phases, sd[:, k]) for k in range(6)], axis=1)
    cop = cop_errors(walk, contact.side, frame, frames, body, split)
    return {
        "fore_aft": _rms(force[:, X]),
        "vertical": _rms(force[:, Y]),
        "lateral": _rms(force[:, Z]),
        "cop_along": _rms(cop[:, 0]),
        "cop_across": _rms(cop[:, 1]),
        **{joint: _rms(joints[:, k]) for k, joint in enumerate(LEG_JOINTS)},
        "force_coverage": _within(force, bands[:, :3]),
        "moment_coverage": _within(joints, bands[:, 3:]),
    }


def error_curves(
    walk: WalkingBody,
    side: str,
    frames: np.ndarray,
    body: WholeBody,
    split: SplitLoads,
    moments: Mapping[str, np.ndarray],
) -> np.ndarray:
    """Estimated minus measured (F, 6): force in body weights along X, Y, Z; sagittal hip, knee, ankle moment, Nm/kg."""
    force = (split.ground[side].force_G - body.ground[side].force_G)[frames] / (walk.mass * GRAVITY)
    measured = body.kinematic.joint_moments
    none = np.full((len(walk.time), 3), np.nan)
    joints = [
        (moments.get(name, none) - measured.get(name, none))[frames, Z] / walk.mass
        for name in (f"{side}_{joint}" for joint in LEG_JOINTS)
    ]
    return np.column_stack([force, *joints])


def cop_errors(
    walk: WalkingBody, side: str, frame: FootFrame, frames: np.ndarray, body: WholeBody, split: SplitLoads
) -> np.ndarray:
    """Estimated minus measured centre of pressure (F, 2), m, along and across the foot, where the foot bears load."""
    bears = body.ground[side].force_G[frames, Y] > MIN_FORCE * walk.mass * GRAVITY
    points = (ground[side].point_G[frames[bears]] for ground in (split.ground, body.ground))
    estimated, measured = (frame.on_foot(point, walk.time[frames[bears]]) for point in points)
    return (estimated - measured) * frame.length


def _own_paths(
    walk: WalkingBody, measured: Mapping[int, Stance], body: WholeBody, learned: LearnedSplit
) -> dict[int, np.ndarray]:
    """Differences of the plate steps' paths from the learned one, by the number of their contact."""
    found = {}
    for number, stance in measured.items():
        step = walk.step(number)
        assert step is not None  # measured_steps contains only steps with a frame
        least = MIN_FORCE * walk.mass * GRAVITY
        path = measured_path(step, stance, body.ground[stance.side], learned.phases, least)
        if path is not None:
            found[number] = path - learned.path_of(step)
    return found


def personal_correction(paths: Sequence[np.ndarray]) -> np.ndarray | float:
    """Correction of the learned path from the differences (P, 2) of a walk's own paths from it; zero without any."""
    return np.sum(paths, axis=0) / (len(paths) + PRIOR_STEPS)


def _inside(walk: WalkingBody, number: int) -> bool:
    """Whether a contact is complete and its loads are known throughout."""
    contact = walk.contacts[number]
    during = (walk.time >= contact.start) & (walk.time <= contact.stop)
    seen = contact.whole and walk.frames[number] is not None
    return seen and bool(during.any()) and bool(walk.known[during].all())


def _notes(steps: tuple[EstimatedStep, ...], walk: WalkingBody, kinematics: MotionAndPlates) -> tuple[Note, ...]:
    """How many steps are estimated, and their error on this walk."""
    measured = [step for step in steps if step.plate]
    text = f"loads of {len(steps)} contacts are estimated from the motion of the whole body"
    notes = [Note("estimated", "ground reactions", text)] if steps else []
    if measured:
        weight = (100.0 * _rms(np.array([getattr(s, name) for s in measured])) for name in ("vertical", "fore_aft"))
        ankle = _rms(np.array([step.ankle for step in measured]))
        vertical, fore_aft = weight
        text = (
            f"over the {len(measured)} that plates measured, the estimate without that plate is off by {vertical:.1f} "
            f"% of body weight vertically and {fore_aft:.1f} % fore-aft, and by {ankle:.2f} Nm/kg at the ankle (RMS)"
        )
        notes.append(Note("info", "estimated loads", text))
    if not kinematics.plates:
        text = f"no plate shows the floor: taken at {1000.0 * walk.floor:.0f} mm, from the heels of flat feet"
        notes.append(Note("assumed", "floor", text))
    return tuple(notes)


def _where(known: np.ndarray, wrench: Wrench) -> Wrench:
    """The known loads."""
    force, moment = (np.where(known, part, np.nan) for part in (wrench.force_G, wrench.moment_G))
    return Wrench(force, moment, wrench.point_G)


def _rms(values: np.ndarray) -> float:
    values = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(values**2))) if len(values) else float("nan")


def _within(errors: np.ndarray, bands: np.ndarray) -> float:
    seen = np.isfinite(errors)
    return float(np.mean(np.abs(errors[seen]) <= bands[seen])) if seen.any() else float("nan")
