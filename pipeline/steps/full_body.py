"""Step: a walk on the 55-joint skeleton, sized by the static trial, fitted to the markers, driven by the plates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.anatomy.marker_set import MarkerSet, load_marker_set
from pipeline.config import FilterSettings, Subject
from pipeline.conventions import GRAVITY_G, SIDES, Y
from pipeline.dynamics import rnea
from pipeline.dynamics.reproduction import reproduce
from pipeline.math3d import Wrench
from pipeline.signals.runs import runs_of
from pipeline.skeleton import Skeleton, active_joints, load_skeleton, merge_frozen
from pipeline.skeleton.fit_markers import Attachments, MarkerAttachments, load_attachments
from pipeline.skeleton.fit_observability import observability
from pipeline.skeleton.fit_spline import SplineFit
from pipeline.skeleton.fit_standing import fit_standing
from pipeline.steps.consistency import make_consistent
from pipeline.steps.markers_on_skeleton import MarkedMotion, standing_places
from pipeline.steps.smooth_ground import smooth_ground
from pipeline.trial import (
    BodyDynamics,
    BodyModel,
    FullBody,
    InverseDynamics,
    Kinematics,
    MomentComparison,
    Note,
    RawTrial,
    Reproduction,
)

SEX = {"m": "male", "f": "female"}

LEAST_FOLLOWED = 0.9
"""Least part of the body's mass that markers must follow for its balance to be imposed."""

WINDOW = 0.1
"""s; an open-loop body stays near its motion for about as long."""

PINNED = 0.5
"""Part of the frames at a limit from which on it is worth a warning."""


@dataclass(frozen=True)
class FullBodySettings:
    """Choices of the step.

    Attributes:
        symmetric: give both sides the same sizes; what the walk refines may differ still.
        centre_weight: weight of the matrix form's joint centres beside the markers'; zero leaves them out. They keep
            the knees where the anatomical model sees them while soft tissue carries the markers about.
        refined: let the walk correct joints and markers' places that the standing posture got wrong.
        consistency: also change masses a little, and bend the motion, towards the balance with the plates.
        balance_weight: m per body weight, see `pipeline.dynamics.balance.BalanceResidual`.
    """

    symmetric: bool = False
    centre_weight: float = 0.7
    refined: bool = True
    consistency: bool = True
    balance_weight: float = 1.0


def run(
    walk: RawTrial,
    static: RawTrial,
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    marker_set: Path,
    attachments: Path,
    skeleton: Path,
    subject: Subject,
    filter: FilterSettings,
    full_body: FullBodySettings = FullBodySettings(),
) -> FullBody:
    """Load the marker set, the attachments and the skeleton, and analyse the walk."""
    values, notes = kinematics.calibration.values, []
    if subject.sex is None:
        notes.append(Note("assumed", "skeleton", "sex not given: proportions and inertia of a man"))
    body = load_skeleton(
        skeleton,
        mass=values["mass"],
        height=values["height"],
        sex=SEX[subject.sex or "m"],  # type: ignore[arg-type]
    )
    found = load_attachments(attachments)
    result = full_body_dynamics(
        walk, static, kinematics, inverse_dynamics, load_marker_set(marker_set), found, body, filter, full_body
    )
    return replace(result, notes=(*notes, *result.notes))


def full_body_dynamics(
    walk: RawTrial,
    static: RawTrial,
    kinematics: Kinematics,
    loads: InverseDynamics,
    marker_set: MarkerSet,
    definition: MarkerAttachments,
    skeleton: Skeleton,
    filter: FilterSettings,
    settings: FullBodySettings,
) -> FullBody:
    """Fit a skeleton scaled to stature and mass to a walk, and compute its dynamics.

    Args:
        walk, static: recordings.
        kinematics, loads: of the same walk in matrix form.
        marker_set: what the kinematics was made with; builds the static trial's joint centres.
        definition: where markers and centres sit on the skeleton.
        skeleton: of the person's stature, mass and sex.
        filter: cut-off of markers and forces, and the longest gap that is bridged.
        settings: choices.

    Raises:
        DynamicsError: too few markers of the skeleton are in the static trial or in the walk.
    """
    height = kinematics.calibration.values["height"]
    places, notes = standing_places(static, marker_set, definition, kinematics)
    person = fit_standing(skeleton, definition, places, height, symmetric=settings.symmetric)
    motion = MarkedMotion(walk, kinematics, definition, person, filter, settings.centre_weight, settings.refined)
    person = motion.person
    notes += [*person.notes, *motion.notes]
    ground, known = smooth_ground(walk, kinematics, filter)
    balanced = known["left"] & known["right"] & motion.whole
    untouched = motion.fit()
    bent, found, elsewhere = None, None, np.full((2, 3), np.nan)

    def dynamics(fit: SplineFit, body: Skeleton = person.skeleton) -> BodyDynamics:
        return _dynamics(body, fit, ground, known, motion, kinematics, height)

    followed = _mass_followed(person.skeleton, motion.attachments)
    if settings.consistency and followed < LEAST_FOLLOWED:
        text = f"markers follow only {100 * followed:.0f} % of the body's mass; its balance shows nothing"
        notes.append(Note("left out", "consistency", text))
    elif settings.consistency and balanced.any():
        found = make_consistent(motion, untouched, ground, balanced, height, settings.balance_weight)
        bent, there = dynamics(found.fit, found.skeleton), dynamics(untouched, found.elsewhere)
        left_over = np.stack([there.residual_force, there.residual_moment])[:, found.held_out]
        elsewhere = np.sqrt(np.mean(left_over**2, axis=1))
    elif settings.consistency:
        notes.append(Note("left out", "consistency", "the loads of both feet are known in no frame"))
    plain = dynamics(untouched)
    sample = np.flatnonzero(motion.whole)[:: max(1, int(motion.whole.sum()) // 10)]
    shown = observability(person.skeleton, motion.attachments, motion.seen[sample], untouched.q[sample])
    notes += _observability_notes(person.skeleton, shown.unseen, shown.uncertainty)
    lower, upper = person.skeleton.q_lower + 1e-3, person.skeleton.q_upper - 1e-3
    at_limit = ((untouched.q <= lower) | (untouched.q >= upper))[motion.whole].mean(axis=0)
    notes += [
        Note("warning", f"coordinate {person.skeleton.joint_names[j]}", f"at its limit in {100 * at_limit[j]:.0f} %")
        for j in np.flatnonzero(at_limit > PINNED)
    ]
    marker_count = len(motion.labels)
    return FullBody(
        name=walk.name,
        subject=kinematics.subject,
        mass=float(person.skeleton.mass.sum()),
        height=height,
        time=walk.time,
        joint_names=person.skeleton.joint_names,
        fitted_markers=motion.labels,
        model=BodyModel(**{name: getattr(person.skeleton, name) for name in BodyModel.__dataclass_fields__}),
        sizes=person.factors,
        turns=person.turns,
        centre_errors=person.centre_error,
        marker_joints=tuple(person.skeleton.joint_names[j] for j in motion.attachments.joint[:marker_count]),
        marker_points=motion.attachments.point[:marker_count],
        standing=person.standing,
        rank=shown.rank,
        unseen=tuple(" + ".join(group) for group in shown.unseen),
        uncertainty=shown.uncertainty,
        at_limit=at_limit,
        balanced=balanced,
        untouched=plain,
        consistent=bent,
        trunk_shift=found.trunk_shift if found else np.full(2, np.nan),
        mass_factors=found.mass_factors if found else {},
        held_out=found.held_out if found else np.zeros(len(walk.time), dtype=bool),
        held_out_force=elsewhere[0],
        held_out_moment=elsewhere[1],
        reproduction=_reproduction(person.skeleton, walk.time, untouched, plain.tau, ground),
        comparison=_comparison(plain, loads, kinematics),
        notes=tuple(notes),
    )


def _dynamics(
    skeleton: Skeleton,
    fit: SplineFit,
    ground: dict[str, Wrench],
    known: dict[str, np.ndarray],
    motion: MarkedMotion,
    kinematics: Kinematics,
    height: float,
) -> BodyDynamics:
    """Recursive inverse dynamics; a joint's load is missing where that of a foot beyond it is not known."""
    loads = rnea(skeleton, fit.q, fit.qd, fit.qdd, wrenches=ground)
    missing = np.tile(~motion.whole[:, None], (1, len(skeleton)))
    for side in SIDES:
        carries = skeleton.is_ancestor[:, skeleton.segment(f"{side}_foot").joint]
        missing |= ~known[side][:, None] & carries
    tau = np.where(missing, np.nan, loads.tau)
    force_G, moment_G = (np.where(missing[..., None], np.nan, part) for part in (loads.force_G, loads.moment_G))
    weight = float(skeleton.mass.sum()) * -GRAVITY_G[Y]
    joints = {}
    for name, pose in kinematics.joints.items():
        j = skeleton.index(f"{name}_flexion")
        joints[name] = np.einsum("tji,tj->ti", pose.R_GD, moment_G[:, j])
    blank = ~motion.whole[:, None]
    return BodyDynamics(
        q=np.where(blank, np.nan, fit.q),
        qd=np.where(blank, np.nan, fit.qd),
        qdd=np.where(blank, np.nan, fit.qdd),
        tau=tau,
        power=tau * fit.qd,
        force_G=force_G,
        moment_G=moment_G,
        residual_force=tau[:, :3] / weight,
        residual_moment=tau[:, 3:6] / (weight * height),
        marker_distance=fit.distance[:, : len(motion.labels)],
        joints=joints,
    )


def _reproduction(
    skeleton: Skeleton, time: np.ndarray, fit: SplineFit, tau: np.ndarray, ground: dict[str, Wrench]
) -> Reproduction | None:
    """The middle of the longest run of frames in which all loads are known, left to forward dynamics.

    The joints that hardly move in walking are held: two axes of the neck nearly coincide, and together they whip.
    """
    runs = runs_of(np.isfinite(tau).all(axis=1))
    length = max(8, round(WINDOW / (time[1] - time[0])))
    first, last = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
    if last - first < length:
        return None
    start = (first + last - length) // 2
    frames = slice(start, start + length)
    loads = {n: Wrench(w.force_G[frames], w.moment_G[frames], w.point_G[frames]) for n, w in ground.items()}
    active = active_joints(skeleton)
    body = merge_frozen(skeleton, fit.q[frames].mean(axis=0))
    simulated = np.full((length, len(skeleton)), np.nan)
    simulated[:, active] = reproduce(body, lambda t, order: fit.spline(t, nu=order)[:, active], time[frames], loads)
    return Reproduction(window=time[frames], measured=fit.q[frames], simulated=simulated)


def _mass_followed(skeleton: Skeleton, attachments: Attachments) -> float:
    """Part of the body's mass on links that carry a marker, or from which one hangs."""
    carries = np.isin(np.arange(len(skeleton)), attachments.joint)
    followed = (skeleton.is_ancestor & carries[None, :]).any(axis=1)
    return float(skeleton.mass[followed].sum() / skeleton.mass.sum())


def _comparison(body: BodyDynamics, loads: InverseDynamics, kinematics: Kinematics) -> tuple[MomentComparison, ...]:
    """Sagittal moments over clean stances in both forms."""
    found = []
    for name, moment in body.joints.items():
        side, _, _ = name.partition("_")
        stance = np.zeros(len(kinematics.time), dtype=bool)
        for s in kinematics.stances:
            if s.side == side and not s.rejected:
                stance[s.start : s.stop] = True
        ours, other = moment[:, 2] / loads.mass, loads.joints[name].moment_distal[:, 2] / loads.mass
        both = stance & np.isfinite(ours) & np.isfinite(other)
        if both.sum() > 2:
            ours, other = ours[both], other[both]
            found.append(
                MomentComparison(
                    joint=name,
                    correlation=float(np.corrcoef(ours, other)[0, 1]),
                    rms=float(np.sqrt(np.mean((ours - other) ** 2))),
                    matrix_form=float(other[np.argmax(np.abs(other))]),
                    skeleton=float(ours[np.argmax(np.abs(ours))]),
                )
            )
    return tuple(found)


def _observability_notes(
    skeleton: Skeleton, unseen: tuple[tuple[str, ...], ...], uncertainty: np.ndarray
) -> list[Note]:
    groups = "; ".join(" + ".join(group) for group in unseen)
    text = f"no marker shows these combinations, which are held to the standing posture: {groups}"
    notes = [Note("assumed", "coordinates", text)] if unseen else []
    weak = np.flatnonzero(np.isfinite(uncertainty) & (uncertainty > np.radians(10.0)))
    if len(weak):
        listed = ", ".join(f"{skeleton.joint_names[j]} ({np.degrees(uncertainty[j]):.0f})" for j in weak)
        notes.append(Note("warning", "coordinates", f"weakly seen, degrees for markers off by 5 mm: {listed}"))
    return notes
