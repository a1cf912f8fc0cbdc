"""Step: a walk on the 55-joint skeleton, sized by the static trial, fitted to the markers, driven by the plates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.anatomy.marker_set import MarkerSet, load_marker_set
from pipeline.comparison.body_measures import LEAST_FOLLOWED, WEAK
from pipeline.config import FilterSettings, FullBodySettings, Subject
from pipeline.errors import DynamicsError
from pipeline.provenance import Provenance
from pipeline.results import write_fields
from pipeline.skeleton import Skeleton, load_skeleton
from pipeline.skeleton.fit_markers import Attachments, MarkerAttachments, load_attachments
from pipeline.skeleton.fit_observability import observability
from pipeline.skeleton.fit_spline import FASTEST
from pipeline.skeleton.fit_standing import fit_standing
from pipeline.steps.body_dynamics import body_dynamics, ground_reactions, moment_comparison, reproduction, residuals
from pipeline.steps.consistency import make_consistent
from pipeline.steps.markers_on_skeleton import MarkedMotion, standing_places
from pipeline.steps.smooth_ground import smooth_ground
from pipeline.trial import (
    BodyModel,
    FullBody,
    JointMoments,
    MarkersAndPlates,
    Note,
    WalkOnPlates,
)

SEX = {"m": "male", "f": "female"}

PINNED = 0.5
"""Part of the frames at a limit from which on it is worth a warning."""


def run(
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    kinematics: WalkOnPlates,
    inverse_dynamics: JointMoments,
    marker_set: Path,
    skeleton: Path,
    subject: Subject,
    filter: FilterSettings,
    full_body: FullBodySettings,
    output: Path,
    provenance: Provenance,
    attachments: Path | None = None,
) -> None:
    """Load the marker set, the attachments and the skeleton, analyse the walk, and write what is found as it is found.

    Raises:
        DynamicsError: nothing says where the marker set's markers sit on the skeleton, or too few of them are seen.
    """
    if attachments is None:
        raise DynamicsError(
            f"nothing says where the markers of set {marker_set.stem} sit on the skeleton",
            where=f"trial {walk.name}",
            remedy=f"Add config/marker_attachments/{marker_set.name}, or set full_body: {{enabled: false}}",
        )
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
    fields = full_body_dynamics(
        walk, static, kinematics, inverse_dynamics, load_marker_set(marker_set), found, body, filter, full_body, notes
    )
    write_fields(output, FullBody, fields, provenance)


def full_body_dynamics(
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    kinematics: WalkOnPlates,
    loads: JointMoments,
    marker_set: MarkerSet,
    definition: MarkerAttachments,
    skeleton: Skeleton,
    filter: FilterSettings,
    settings: FullBodySettings,
    assumed: Sequence[Note] = (),
) -> Iterator[tuple[str, Any]]:
    """Fit a skeleton scaled to stature and mass to a walk, and compute its dynamics.

    Args:
        walk, static: recordings.
        kinematics, loads: of the same walk in matrix form.
        marker_set: what the kinematics was made with; builds the static trial's joint centres.
        definition: where markers and centres sit on the skeleton.
        skeleton: of the person's stature, mass and sex.
        filter: cut-off of markers and forces, and the longest gap that is bridged.
        settings: choices.
        assumed: before, about the skeleton.

    Yields:
        Names and values of the fields of `FullBody`. By far the largest are the loads of the two motions: the second's
        are made when the first's have been taken.

    Raises:
        DynamicsError: too few markers of the skeleton are in the static trial or in the walk.
    """
    height = kinematics.calibration.values["height"]
    filter, slowed = _slow_enough(filter, walk.rate)
    places, posed = standing_places(static, marker_set, definition, kinematics)
    person = fit_standing(skeleton, definition, places, height, symmetric=settings.symmetric)
    motion = MarkedMotion(walk, kinematics, definition, person, filter, settings.centre_weight, settings.refined)
    person = motion.person
    notes = [*assumed, *posed, *slowed, *person.notes, *motion.notes]
    ground, known = smooth_ground(walk, kinematics, filter)
    balanced = known["left"] & known["right"] & motion.whole
    untouched = motion.fit()
    followed = _mass_followed(person.skeleton, motion.attachments)
    sample = np.flatnonzero(motion.whole)[:: max(1, int(motion.whole.sum()) // 10)]
    shown = observability(person.skeleton, motion.attachments, motion.seen[sample], untouched.q[sample])
    at_limit = _at_limit(person.skeleton, untouched.q[motion.whole])
    marker_count = len(motion.labels)
    yield from {
        "name": walk.name,
        "subject": kinematics.subject,
        "mass": float(person.skeleton.mass.sum()),
        "height": height,
        "time": walk.time,
        "joint_names": person.skeleton.joint_names,
        "fitted_markers": motion.labels,
        "model": BodyModel(**{name: getattr(person.skeleton, name) for name in BodyModel.__dataclass_fields__}),
        "sizes": person.factors,
        "turns": person.turns,
        "centre_errors": person.centre_error,
        "marker_segments": motion.attachments.segments[:marker_count],
        "marker_joints": tuple(person.skeleton.joint_names[j] for j in motion.attachments.joint[:marker_count]),
        "marker_points": motion.attachments.point[:marker_count],
        "standing": person.standing,
        "followed": followed,
        "rank": shown.rank,
        "unseen": tuple(" + ".join(group) for group in shown.unseen),
        "uncertainty": shown.uncertainty,
        "at_limit": at_limit,
        "ground": ground_reactions(ground, known, kinematics),
        "balanced": balanced,
    }.items()

    made, elsewhere = None, np.full((2, 3), np.nan)
    try:
        if settings.consistency:
            _check_balance_shows(followed, balanced)
            found = make_consistent(motion, untouched, ground, balanced, height, settings.balance_weight)
            left_over = residuals(found.elsewhere, untouched, ground, height, found.held_out)
            made, elsewhere = found, np.sqrt(np.mean(left_over**2, axis=1))
            notes += found.notes
    except DynamicsError as error:
        notes.append(Note("left out", "consistency", str(error)))
    plain = body_dynamics(person.skeleton, untouched, ground, known, motion, kinematics, height)
    yield "comparison", moment_comparison(plain, loads, kinematics)
    again = None
    try:
        again = reproduction(person.skeleton, walk.time, untouched, plain.tau, ground)
    except DynamicsError as error:
        notes.append(Note("left out", "forward dynamics", str(error)))
    yield "reproduction", again
    yield "untouched", plain
    del plain, untouched
    bent = made and body_dynamics(made.skeleton, made.fit, ground, known, motion, kinematics, height)
    yield "consistent", bent
    notes += _observability_notes(person.skeleton, shown.unseen, shown.uncertainty)
    notes += _limit_notes(person.skeleton, at_limit, shown.unseen)
    yield from {
        "trunk_shift": made.trunk_shift if made else np.full(2, np.nan),
        "mass_factors": made.mass_factors if made else {},
        "held_out": made.held_out if made else np.zeros(len(walk.time), dtype=bool),
        "held_out_force": elsewhere[0],
        "held_out_moment": elsewhere[1],
        "notes": tuple(notes),
    }.items()


def _at_limit(skeleton: Skeleton, q: np.ndarray) -> np.ndarray:
    """Part (n,) of the frames (F, n) in which a coordinate is at its limit."""
    return ((q <= skeleton.q_lower + 1e-3) | (q >= skeleton.q_upper - 1e-3)).mean(axis=0)


def _limit_notes(skeleton: Skeleton, at_limit: np.ndarray, unseen: tuple[tuple[str, ...], ...]) -> list[Note]:
    """Coordinates at their limits for long, but for those that no marker shows: these are held there."""
    return [
        Note("warning", f"coordinate {skeleton.joint_names[j]}", f"at its limit in {100 * at_limit[j]:.0f} %")
        for j in np.flatnonzero(at_limit > PINNED)
        if (skeleton.joint_names[j],) not in unseen
    ]


def _check_balance_shows(followed: float, balanced: np.ndarray) -> None:
    """Raises DynamicsError if the body's balance shows nothing."""
    if followed < LEAST_FOLLOWED:
        raise DynamicsError(f"markers follow only {100 * followed:.0f} % of the body's mass; its balance shows nothing")
    if not balanced.any():
        raise DynamicsError("the loads of both feet are known in no frame")


def _slow_enough(filter: FilterSettings, rate: float) -> tuple[FilterSettings, list[Note]]:
    """The filter with cut-offs that a smooth motion of so many frames a second can have, and a note if it differs."""
    fastest = FASTEST * rate
    if filter.markers <= fastest:
        return filter, []
    slower = {"markers": fastest, "forces": min(filter.forces_cutoff, fastest)}
    text = f"{fastest:g} Hz, the fastest of a smooth motion at {rate:g} Hz, in place of {filter.markers:g} Hz"
    return filter.model_copy(update=slower), [Note("assumed", "cut-off", text)]


def _mass_followed(skeleton: Skeleton, attachments: Attachments) -> float:
    """Part of the body's mass on links that carry a marker, or from which one hangs."""
    carries = np.isin(np.arange(len(skeleton)), attachments.joint)
    followed = (skeleton.is_ancestor & carries[None, :]).any(axis=1)
    return float(skeleton.mass[followed].sum() / skeleton.mass.sum())


def _observability_notes(
    skeleton: Skeleton, unseen: tuple[tuple[str, ...], ...], uncertainty: np.ndarray
) -> list[Note]:
    groups = "; ".join(" + ".join(group) for group in unseen)
    text = f"no marker shows these combinations, which are held to the standing posture: {groups}"
    notes = [Note("assumed", "coordinates", text)] if unseen else []
    weak = np.flatnonzero(np.isfinite(uncertainty) & (uncertainty > np.radians(WEAK)))
    if len(weak):
        off = [min(np.degrees(uncertainty[j]), 180.0) for j in weak]
        listed = ", ".join(f"{skeleton.joint_names[j]} ({value:.0f})" for j, value in zip(weak, off, strict=True))
        notes.append(Note("warning", "coordinates", f"weakly seen, degrees for markers off by 5 mm: {listed}"))
    return notes
