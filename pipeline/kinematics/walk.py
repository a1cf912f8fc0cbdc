"""Kinematics of a walk from its recording and the static trial that calibrates it.

The steps, in order: frozen markers, jumps and swaps, calibration of the body, gap filling, low-pass filter, segment
motion and joint angles, plate loads, stances, gait events, cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pipeline.anatomy import MASS_INDEX, BodyMotion, BodyPose, MarkerSet, WalkingMass, body_motion, calibrate
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, GivenSteps, Subject
from pipeline.conventions import GRAVITY
from pipeline.errors import SignalError
from pipeline.kinematics.mass_from_steps import ACCURACY, mass_from_steps
from pipeline.kinematics.notes import absent_markers, cutoff_notes, gaps_together, static_trial_notes, unknown_plates
from pipeline.signals import (
    EVENT_CUTOFF,
    MAX_OF_RATE,
    MIN_RUN_S,
    Foot,
    correct_jumps_and_swaps,
    cutoff_evidence,
    events_against_plates,
    fill_gaps,
    find_cycles,
    find_events,
    find_stances,
    given_events,
    given_steps_notes,
    low_pass,
    marker_event_errors,
    marker_events,
    plate_events,
    plate_load,
    plausible_events,
    remove_frozen,
    without_rejected,
)
from pipeline.trial import Calibration, CutoffEvidence, Event, Kinematics, LowPass, Note, PlateLoad, RawTrial, Stance

NOTHING_GIVEN = GivenSteps()


def kinematics(
    walk: RawTrial,
    static: RawTrial,
    marker_set: MarkerSet,
    subject: Subject,
    anatomy: AnatomySettings,
    filter: FilterSettings,
    events: EventSettings,
    steps: GivenSteps = NOTHING_GIVEN,
) -> Kinematics:
    """Calibrate the body on the static trial and track it through the walk.

    If the body mass is not given and nobody stands on plates, it is estimated from the walk's own steps; for a walk
    from video, which has no plates, it is assumed from stature.

    Args:
        walk, static: recordings; the same one if there is no static trial.
        marker_set: definitions of the labels.
        subject: the study's own values.
        anatomy, filter, events: sections of the configuration.
        steps: what the study decides about feet on plates, events and steps.

    Raises:
        AnatomyError: static trial and subject's values do not determine a body.
        SignalError: the walk shows no segment, or lacks an event or contact that the study names.
    """
    prepared = prepare(walk, filter)
    standing, static_notes = (prepared.walk, ()) if static.name == walk.name else without_jumps(static)
    calibrated = partial(
        calibrate,
        standing,
        marker_set,
        subject,
        other_parameters=walk.parameters,
        hip_method=anatomy.hip_centre,
        inertia_table=anatomy.inertia,
        walking=static.name == walk.name,
    )
    calibration = calibrated()
    # Tracking does not depend on the body mass; of the steps, only the force thresholds do.
    tracked = _track(prepared, marker_set, calibration, filter)
    stepped = partial(_with_steps, prepared, tracked, standing, static_notes, marker_set, subject, events, steps)
    found = stepped(calibration)
    if calibration.values["mass"] > 0.0:
        return found
    mass, sides = mass_from_steps(found)
    if sides:
        return stepped(calibrated(walking_mass=WalkingMass(mass, ACCURACY[sides])))
    if marker_set.estimated and not walk.plates and np.isfinite(calibration.values.get("height", np.nan)):
        mass = MASS_INDEX * calibration.values["height"] ** 2
        return stepped(calibrated(walking_mass=WalkingMass(mass, np.nan)))
    return found


@dataclass(frozen=True)
class PreparedWalk:
    """A recording before any filter.

    Attributes:
        walk: without jumps and swaps.
        filled_G: (T, K, 3) m, its markers with short gaps filled.
        filled: (T, K) whether a gap was filled.
        jump_notes, gap_notes: on both.
    """

    walk: RawTrial
    filled_G: np.ndarray
    filled: np.ndarray
    jump_notes: tuple[Note, ...]
    gap_notes: tuple[Note, ...]


def prepare(walk: RawTrial, filter: FilterSettings) -> PreparedWalk:
    """Correct frozen markers, jumps and swaps, then fill gaps: the steps before any filter."""
    walk, jump_notes = without_jumps(walk)
    filled_G, filled, gap_notes = fill_gaps(walk.markers_G, walk.marker_names, walk.rate, filter.max_gap)
    return PreparedWalk(walk, filled_G, filled, jump_notes, gap_notes)


@dataclass(frozen=True)
class _TrackedBody:
    """Motion of a calibrated body, with filtered markers (T, K, 3) m and the events found from markers."""

    cutoff: CutoffEvidence
    low_pass: LowPass
    markers_G: np.ndarray
    motion: BodyMotion
    marker_events: list[Event]


def _track(
    prepared: PreparedWalk, marker_set: MarkerSet, calibration: Calibration, filter: FilterSettings
) -> _TrackedBody:
    walk, filled_G = prepared.walk, prepared.filled_G
    cutoff = _cutoff(walk, filled_G, marker_set, filter)
    chosen = filter.low_pass(cutoff.value)
    markers_G = low_pass(filled_G, walk.rate, chosen.markers, chosen.order)
    motion = _segment_motion(walk, markers_G, marker_set, calibration)
    from_markers = _marker_events(walk, filled_G, marker_set, calibration, chosen.order)
    return _TrackedBody(cutoff, chosen, markers_G, motion, from_markers)


def _with_steps(
    prepared: PreparedWalk,
    tracked: _TrackedBody,
    static: RawTrial,
    static_notes: tuple[Note, ...],
    marker_set: MarkerSet,
    subject: Subject,
    events: EventSettings,
    steps: GivenSteps,
    calibration: Calibration,
) -> Kinematics:
    """The kinematics with plates, events and cycles; force thresholds follow from the calibration's body mass."""
    walk, motion, chosen = prepared.walk, tracked.motion, tracked.low_pass
    weight = calibration.values["mass"] * GRAVITY
    events = events.for_weight(weight)
    plates, contacts = plate_loads(walk, chosen, events)
    feet: dict[str, Foot] = {
        side: Foot(motion.points[foot.heel], motion.points[foot.toe]) for side, foot in marker_set.feet.items()
    }
    pelvis = motion.points[next(iter(marker_set.feet.values())).pelvis]
    stances = find_stances(plates, contacts, feet, walk.time, weight, events, steps.feet)
    plates, _ = plate_loads(walk, chosen, events, stances) if any(s.second_plate for s in stances) else (plates, ())
    given = given_events(steps.events, walk.time, f"trial {walk.name}")
    stances = without_rejected(stances, steps.rejected, f"trial {walk.name}")
    of_plates = plate_events(stances, len(walk.time))
    checked, clock_notes = events_against_plates(walk.events, of_plates)
    stored, event_notes = plausible_events(checked, feet, pelvis, walk.time)
    found = find_events(stances, stored, tracked.marker_events, len(walk.time), events, given)
    cycles = find_cycles(found, stances, events)
    return Kinematics(
        name=walk.name,
        subject=subject.subject,
        recordings=_digests(walk, static),
        rate=walk.rate,
        time=walk.time,
        marker_names=walk.marker_names,
        markers_G=tracked.markers_G,
        filled=prepared.filled,
        points=motion.points,
        segments=motion.segments,
        joints=motion.joints,
        angles=motion.angles,
        plates=plates,
        events=found,
        stances=stances,
        cycles=cycles,
        calibration=calibration,
        cutoff=tracked.cutoff,
        low_pass=chosen,
        notes=(
            *walk.notes,
            *calibration.notes,
            *prepared.jump_notes,
            *gaps_together(prepared.gap_notes, marker_set),
            *cutoff_notes(tracked.cutoff),
            *motion.notes,
            *absent_markers(motion),
            *static_trial_notes(static, static_notes, walk),
            *unknown_plates(walk, steps.feet),
            *given_steps_notes(steps, of_plates),
            *clock_notes,
            *event_notes,
            *marker_event_errors(tracked.marker_events, of_plates, events.same_event),
        ),
    )


def _digests(walk: RawTrial, static: RawTrial) -> dict[str, str]:
    """SHA-256 of both recordings by file name; that of a static file with the walk's name is told apart."""
    is_same_name = static.sha256 != walk.sha256 and static.file_name == walk.file_name
    static_name = f"{static.file_name} (static trial)" if is_same_name else static.file_name
    return {walk.file_name: walk.sha256, static_name: static.sha256}


def _marker_events(
    walk: RawTrial, filled_G: np.ndarray, marker_set: MarkerSet, calibration: Calibration, order: int
) -> list[Event]:
    """Events of both feet from markers (T, K, 3) filtered for this purpose alone, whatever the walk's own cut-off."""
    markers_G = low_pass(filled_G, walk.rate, min(EVENT_CUTOFF, MAX_OF_RATE * walk.rate), order)
    markers = {name: markers_G[:, k] for k, name in enumerate(walk.marker_names)}
    pose = BodyPose.calibrated(marker_set, markers, calibration)
    return [
        event
        for side, foot in marker_set.feet.items()
        for event in marker_events(
            side,
            Foot(pose.point(foot.heel), pose.point(foot.toe)),
            pose.point(foot.pelvis),
            walk.time,
            impact=not marker_set.estimated,
        )
    ]


def without_jumps(trial: RawTrial) -> tuple[RawTrial, tuple[Note, ...]]:
    """The recording with frozen markers and jumps removed and swapped labels restored, and notes on them."""
    measured, frozen = remove_frozen(trial.markers_G, trial.marker_names, trial.rate)
    markers_G, notes = correct_jumps_and_swaps(measured, trial.marker_names, trial.rate)
    return replace(trial, markers_G=markers_G), (*frozen, *notes)


def _cutoff(walk: RawTrial, filled_G: np.ndarray, marker_set: MarkerSet, filter: FilterSettings) -> CutoffEvidence:
    """Cut-off of the markers from which the body is built, by the method of the settings."""
    used = [k for k, name in enumerate(walk.marker_names) if name in marker_set.labels]
    return cutoff_evidence(filled_G[:, used], walk.rate, filter.order, filter.markers)


def _segment_motion(
    walk: RawTrial, markers_G: np.ndarray, marker_set: MarkerSet, calibration: Calibration
) -> BodyMotion:
    """Motion of the calibrated body from filtered markers (T, K, 3).

    Raises:
        SignalError: no segment can be tracked.
    """
    markers = {name: markers_G[:, k] for k, name in enumerate(walk.marker_names)}
    where = f"trial {walk.name}"
    motion = body_motion(markers, walk.rate, marker_set, calibration, where=where)
    if any(np.isfinite(segment.com_G).any() for segment in motion.segments.values()):
        return motion
    ever = np.isfinite(walk.markers_G).any(axis=(0, 2))
    seen = {name: markers[name] for name, of in zip(walk.marker_names, ever, strict=True) if of}
    absent = body_motion(seen, walk.rate, marker_set, calibration, where=where).absent if seen else ()
    if not absent:
        raise SignalError(
            f"no segment is seen for {MIN_RUN_S:g} s without a gap, which filtering needs "
            f"(frames: {len(walk.time)} at {walk.rate:g} Hz)",
            where=where,
            remedy="Label or fill the trial, or remove it from the study",
        )
    not_used = [f"; {note.text}" for note in walk.notes if (note.kind, note.subject) == ("left out", "markers")]
    raise SignalError(
        f"no segment can be tracked; labels that are missing or in no frame: {', '.join(absent)}{''.join(not_used)}",
        where=where,
        remedy=f"Check that the file uses the labels of marker set {marker_set.name}, and label or fill its markers",
    )


def plate_loads(
    walk: RawTrial, filter: LowPass, events: EventSettings, stances: Sequence[Stance] = ()
) -> tuple[tuple[PlateLoad, ...], list[np.ndarray]]:
    """Filtered load of each plate at the marker frames, and the times (N, 2) s of its contacts.

    If stances are given, contacts of a foot across two plates count as contacts of both.
    """
    across = [stance for stance in stances if stance.second_plate]
    both = [
        plate_load(plate, walk.analog_rate, walk.time, filter.forces, filter.order, events, across)
        for plate in walk.plates
    ]
    return tuple(load for load, _ in both), [contacts for _, contacts in both]
