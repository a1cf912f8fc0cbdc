"""Loads of a walking body from its motion: the total load by Newton and Euler, its split, and the joint loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from pipeline.conventions import SIDES, Y
from pipeline.dynamics import rnea
from pipeline.ground_from_motion.contacts import (
    Contact,
    FootFrame,
    StepOnGround,
    belts_under,
    contacts_of,
    foot_frame,
)
from pipeline.ground_from_motion.learned import LearnedSplit
from pipeline.ground_from_motion.split import FootOnGround, Sharing, SplitLoads, split_between_feet
from pipeline.math3d import Wrench
from pipeline.signals import MAX_OF_RATE, Foot, low_pass
from pipeline.skeleton import Skeleton, skeleton_of
from pipeline.trial import Event, JointPose, MotionAndPlates, Stance, WholeBody

LEG_JOINTS = ("hip", "knee", "ankle")

LONG_SWING = 1.4
"""In median contact times; swings last 0.6 to 1.1 of them, a swing with a missed contact in it 2 or more."""

SAME_CONTACT = 0.1
"""s within which an event of the markers belongs to the same contact as that of a plate."""


@dataclass(frozen=True)
class WalkingBody:
    """What is known of a walk without its plates, over T frames.

    Attributes:
        name: of the trial.
        time: (T,) s.
        skeleton, q, qd, qdd: the fitted motion, (T, n) each; zero in frames that are not valid.
        valid: (T,) whether the motion is known.
        centre_G: (T, 3) m, the body's centre of mass; NaN in frames that are not valid.
        force_G, moment_G: (T, 3) N and Nm about G's origin: load of the ground that the motion needs.
        contacts, frames: contacts by time, and the frame in which each foot stands; None if it is not seen.
        joints: poses of the legs' joints.
        floor: m, height of the floor in G.
        mass, height: kg, m.
    """

    name: str
    time: np.ndarray
    skeleton: Skeleton
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    valid: np.ndarray
    centre_G: np.ndarray
    force_G: np.ndarray
    moment_G: np.ndarray
    contacts: tuple[Contact, ...]
    frames: tuple[FootFrame | None, ...]
    joints: Mapping[str, JointPose]
    floor: float
    mass: float
    height: float

    def step(self, number: int) -> StepOnGround | None:
        """A contact by its number; None if its foot is not seen."""
        frame = self.frames[number]
        return (
            None if frame is None else StepOnGround(self.contacts[number], frame, self.time, self.centre_G, self.height)
        )

    def low_passed(self, values: np.ndarray, cutoff: float) -> np.ndarray:
        """Values (T, ...) of the walk low-passed at a cut-off in Hz."""
        rate = (len(self.time) - 1) / (self.time[-1] - self.time[0])
        return low_pass(values, rate, min(cutoff, MAX_OF_RATE * rate))

    @cached_property
    def known(self) -> np.ndarray:
        """Frames (T,) in which it is known which feet are on the ground and at least one is.

        A foot is known from its first contact to its last one, except during a contact in which it is not seen, and
        during a swing that is much longer than the walk's median contact, in which a contact was missed.
        """
        typical = float(np.median([c.stop - c.start for c in self.contacts]))
        known, loaded = self.valid.copy(), np.zeros(len(self.time), dtype=bool)
        for side in SIDES:
            own = [c for c in self.contacts if c.side == side]
            if not own:
                return np.zeros(len(self.time), dtype=bool)
            known &= (self.time >= own[0].start) & (self.time <= own[-1].stop)
            for before, after in pairwise(own):
                if after.start - before.stop > LONG_SWING * typical:
                    known &= (self.time <= before.stop) | (self.time >= after.start)
        for contact, frame in zip(self.contacts, self.frames, strict=True):
            during = (self.time >= contact.start) & (self.time <= contact.stop)
            loaded |= during
            if frame is None:
                known &= ~during
        return known & loaded


def walking_body(
    body: WholeBody,
    kinematics: MotionAndPlates,
    feet: Mapping[str, tuple[np.ndarray, np.ndarray]],
    events: Sequence[Event],
    learned: LearnedSplit,
) -> WalkingBody:
    """The load that a fitted motion needs, and the contacts of the feet.

    Args:
        body: the walk on the skeleton.
        kinematics: of the same walk.
        feet: heel and toe (T, 3) m in G by side.
        events: initial contacts and foot offs.
        learned: for the height of the floor, if no plate shows it.

    Raises:
        DynamicsError: no contact is complete.
    """
    motion, skeleton = body.kinematic, skeleton_of(body)
    valid = np.isfinite(motion.q).all(axis=1)
    q, qd, qdd = (np.where(valid[:, None], part, 0.0) for part in (motion.q, motion.qd, motion.qdd))
    loads = rnea(skeleton, q, qd, qdd)
    contacts = contacts_of(events, f"trial {body.name}")
    belts = belts_under(contacts, {side: Foot(*parts) for side, parts in feet.items()}, body.time)
    frames = tuple(foot_frame(c, *feet[c.side], body.time, belts[c.side]) for c in contacts)
    heels = [frame.heel_G[Y] - learned.heel_height * frame.length for frame in frames if frame]
    plates = [float(plate.corners_G[:, Y].mean()) for plate in kinematics.plates]
    floor = float(np.median(plates or heels or [0.0]))
    return WalkingBody(
        name=body.name,
        time=body.time,
        skeleton=skeleton,
        q=q,
        qd=qd,
        qdd=qdd,
        valid=valid,
        centre_G=np.where(valid[:, None], motion.com_G, np.nan),
        force_G=loads.force_G[:, 0],  # the first joint is at G's origin
        moment_G=loads.moment_G[:, 0],
        contacts=tuple(contacts),
        frames=frames,
        joints=kinematics.joints,
        floor=floor,
        mass=body.mass,
        height=body.height,
    )


def estimate(
    walk: WalkingBody, learned: LearnedSplit, correction: np.ndarray | float = 0.0
) -> tuple[SplitLoads, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Split the load between the feet, and compute the moments (T, 3) Nm and powers (T,) W of the legs' joints.

    Args:
        walk: the motion and its contacts.
        learned: the learned numbers.
        correction: (P, 2), or a number, added to each path of the centre of pressure, in foot lengths.
    """
    if learned.vertical_cutoff:
        return _without_shared_noise(walk, learned, correction)
    split = _split(walk, learned, correction)
    return split, *joint_loads(walk, split.ground)


def _without_shared_noise(
    walk: WalkingBody, learned: LearnedSplit, correction: np.ndarray | float
) -> tuple[SplitLoads, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The estimate if the smoothed-out acceleration of the body is noise common to all markers, which the limbs lack
    too."""
    raised = np.zeros((len(walk.time), 3))
    raised[:, Y] = vertical_smoothing(walk, learned.vertical_cutoff)
    walk = _with_force(walk, raised)
    split = _split(walk, learned, correction)
    walk = _with_force(walk, split.correction_G)
    return replace(split, correction_G=split.correction_G + raised), *joint_loads(walk, split.ground)


def vertical_smoothing(walk: WalkingBody, cutoff: float) -> np.ndarray:
    """Vertical force (T,) N to add to the motion's to get the one low-passed at a cut-off in Hz."""
    force = np.where(walk.valid, walk.force_G[:, Y], np.nan)
    return np.nan_to_num(walk.low_passed(force, cutoff) - force)


def _with_force(walk: WalkingBody, force_G: np.ndarray) -> WalkingBody:
    """The walk with the additional acceleration of the whole body due to a force (T, 3) N at its centre of mass."""
    force_G = np.where(walk.valid[:, None], force_G, 0.0)
    qdd = walk.qdd.copy()
    qdd[:, :3] += force_G / walk.mass  # the first three joints are translations along the axes of G
    moment_G = walk.moment_G + np.cross(np.nan_to_num(walk.centre_G), force_G)
    return replace(walk, qdd=qdd, force_G=walk.force_G + force_G, moment_G=moment_G)


def _split(walk: WalkingBody, learned: LearnedSplit, correction: np.ndarray | float) -> SplitLoads:
    """The loads of both feet."""
    gain = np.zeros((len(walk.time), 3, 3))
    feet = {side: _foot(walk, side, learned, correction, gain) for side in SIDES}
    return split_between_feet(
        walk.force_G,
        walk.moment_G,
        feet,
        walk.time,
        walk.floor,
        gain,
        Sharing(
            learned.pivot_height * walk.height,
            learned.share_gain,
            learned.widening,
            learned.balance_gain,
            learned.centre_height * walk.height,
        ),
    )


def joint_loads(walk: WalkingBody, ground: Mapping[str, Wrench]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Moments (T, 3) Nm, in the distal axes, and powers (T,) W of the legs' joints under loads by side."""
    wrenches = {f"{side}_foot": _finite(ground[side]) for side in SIDES}
    loads = rnea(walk.skeleton, walk.q, walk.qd, walk.qdd, wrenches=wrenches)
    moments, powers = {}, {}
    for name in (f"{side}_{joint}" for side in SIDES for joint in LEG_JOINTS):
        if name not in walk.joints or f"{name}_flexion" not in walk.skeleton.joint_names:
            continue
        pose, moment_G = walk.joints[name], loads.moment_G[:, walk.skeleton.index(f"{name}_flexion")]
        moment_G = np.where(walk.known[:, None], moment_G, np.nan)
        moments[name] = np.einsum("tji,tj->ti", pose.R_GD, moment_G)
        powers[name] = np.einsum("ti,ti->t", moment_G, pose.omega_G)
    return moments, powers


def measured_steps(walk: WalkingBody, stances: Sequence[Stance]) -> dict[int, Stance]:
    """Clean steps on plates, by the number of their contact."""
    return {
        number: stance
        for number, contact in enumerate(walk.contacts)
        for stance in stances
        if stance.side == contact.side
        and not stance.rejected
        and max(abs(stance.onset - contact.start), abs(stance.end - contact.stop)) < SAME_CONTACT
        and walk.frames[number] is not None
    }


def measured_path(
    step: StepOnGround, stance: Stance, ground: Wrench, phases: np.ndarray, least: float
) -> np.ndarray | None:
    """Path of the centre of pressure (P, 2) measured by a plate, in foot lengths; None if it is too short.

    Args:
        step: the contact.
        stance: on the plate.
        ground: load at the centre of pressure.
        phases: (P,) fractions of the contact at which it is taken.
        least: N, smallest vertical force at which it is used.
    """
    frames = np.arange(stance.start, stance.stop)
    used = frames[(ground.force_G[frames, Y] > least) & np.isfinite(ground.point_G[frames, 0])]
    if len(used) < 5:
        return None
    points, phase = step.frame.on_foot(ground.point_G[used], step.time[used]), step.contact.phase(step.time[used])
    return np.stack([np.interp(phases, phase, points[:, k]) for k in range(2)], axis=1)


def _foot(
    walk: WalkingBody, side: str, learned: LearnedSplit, correction: np.ndarray | float, gain: np.ndarray
) -> FootOnGround:
    """A foot's path; fills ``gain`` with the direction in which the path follows the zero-moment point."""
    count, time = len(walk.time), walk.time
    start, stop = np.full(count, np.nan), np.full(count, np.nan)
    path = np.full((count, 3), np.nan)
    on, inside, other = np.zeros((3, count), dtype=bool)
    for number, contact in enumerate(walk.contacts):
        step = walk.step(number)
        within = (time >= contact.start) & (time <= contact.stop)
        if contact.side != side:
            other |= within
        elif step is not None:
            frames = (time >= contact.start - learned.widening) & (time <= contact.stop + learned.widening)
            corrected = learned.path_of(step) + correction
            phase = np.clip(contact.phase(time[frames]), 0.0, 1.0)
            along, across = (np.interp(phase, learned.phases, corrected[:, k]) for k in range(2))
            path[frames] = step.frame.to_ground(along, across, walk.floor, time[frames])
            start[frames], stop[frames] = contact.start, contact.stop
            on |= frames
            inside |= within
            gain[within] = learned.zmp_gain * np.outer(step.frame.along_G, step.frame.along_G)
    return FootOnGround(on & walk.known, start, stop, path, inside & ~other & walk.known)


def _finite(wrench: Wrench) -> Wrench:
    return Wrench(*(np.nan_to_num(part) for part in (wrench.force_G, wrench.moment_G, wrench.point_G)))
