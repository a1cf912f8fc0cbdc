"""A walk on the 55-joint skeleton: scaled by the static trial, fitted to the markers, driven by the plates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pipeline.analysis.whole_body.measures import MIN_MASS_TRACKED, WEAK_UNCERTAINTY
from pipeline.anatomy import MarkerSet
from pipeline.config import FilterSettings, WholeBodySettings
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.model_markers import MarkerAttachments, ModelMarkers
from pipeline.inverse_kinematics.observability import observability
from pipeline.inverse_kinematics.spline_fit import FASTEST
from pipeline.inverse_kinematics.static_calibration import fit_standing
from pipeline.inverse_kinematics.walk_fit import MarkedMotion, standing_places
from pipeline.skeleton import Skeleton
from pipeline.trial import (
    BodyModel,
    JointMoments,
    MarkersAndPlates,
    Note,
    WalkOnPlates,
)
from pipeline.whole_body.dynamics import body_dynamics, forward_check, ground_reactions, moment_comparison, residuals
from pipeline.whole_body.ground import smooth_ground
from pipeline.whole_body.residual_reduction import reduce_residuals

PINNED = 0.5
"""Part of the frames at a limit from which on it is worth a warning."""


def whole_body_dynamics(
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    kinematics: WalkOnPlates,
    loads: JointMoments,
    marker_set: MarkerSet,
    definition: MarkerAttachments,
    skeleton: Skeleton,
    filter: FilterSettings,
    settings: WholeBodySettings,
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
        Names and values of the fields of `WholeBody`. By far the largest are the loads of the two motions: the second's
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
        "scale_factors": person.factors,
        "joint_offsets": person.turns,
        "joint_centre_errors": person.centre_error,
        "marker_segments": motion.attachments.segments[:marker_count],
        "marker_joints": tuple(person.skeleton.joint_names[j] for j in motion.attachments.joint[:marker_count]),
        "model_marker_positions": motion.attachments.point[:marker_count],
        "static_pose": person.standing,
        "mass_tracked": followed,
        "rank": shown.rank,
        "unobservable": tuple(" + ".join(group) for group in shown.unseen),
        "uncertainty": shown.uncertainty,
        "at_limit": at_limit,
        "ground": ground_reactions(ground, known, kinematics),
        "loads_known": balanced,
    }.items()

    made, elsewhere = None, np.full((2, 3), np.nan)
    try:
        if settings.residual_reduction:
            _check_balance_shows(followed, balanced)
            found = reduce_residuals(motion, untouched, ground, balanced, height, settings.balance_weight)
            left_over = residuals(found.elsewhere, untouched, ground, height, found.held_out)
            made, elsewhere = found, np.sqrt(np.mean(left_over**2, axis=1))
            notes += found.notes
    except DynamicsError as error:
        notes.append(Note("left out", "consistency", str(error)))
    plain = body_dynamics(person.skeleton, untouched, ground, known, motion, kinematics, height)
    yield "moment_comparisons", moment_comparison(plain, loads, kinematics)
    again = None
    try:
        again = forward_check(person.skeleton, walk.time, untouched, plain.tau, ground)
    except DynamicsError as error:
        notes.append(Note("left out", "forward dynamics", str(error)))
    yield "forward_check", again
    yield "kinematic", plain
    del plain, untouched
    bent = made and body_dynamics(made.skeleton, made.fit, ground, known, motion, kinematics, height)
    yield "residual_reduced", bent
    notes += _observability_notes(person.skeleton, shown.unseen, shown.uncertainty)
    notes += _limit_notes(person.skeleton, at_limit, shown.unseen)
    yield from {
        "trunk_com_shift": made.trunk_shift if made else np.full(2, np.nan),
        "mass_factors": made.mass_factors if made else {},
        "held_out": made.held_out if made else np.zeros(len(walk.time), dtype=bool),
        "held_out_residual_force": elsewhere[0],
        "held_out_residual_moment": elsewhere[1],
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
    if followed < MIN_MASS_TRACKED:
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


def _mass_followed(skeleton: Skeleton, attachments: ModelMarkers) -> float:
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
    weak = np.flatnonzero(np.isfinite(uncertainty) & (uncertainty > np.radians(WEAK_UNCERTAINTY)))
    if len(weak):
        off = [min(np.degrees(uncertainty[j]), 180.0) for j in weak]
        listed = ", ".join(f"{skeleton.joint_names[j]} ({value:.0f})" for j, value in zip(weak, off, strict=True))
        notes.append(Note("warning", "coordinates", f"weakly seen, degrees for markers off by 5 mm: {listed}"))
    return notes
