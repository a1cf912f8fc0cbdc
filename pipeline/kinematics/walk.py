"""Kinematics of a walk from its recording and the static trial that calibrates it: markers, plates, events, angles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from pipeline.anatomy import BodyMotion, MarkerSet, body_motion, calibrate, static_trial_checks
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.conventions import GRAVITY_G, Y
from pipeline.errors import SignalError
from pipeline.signals import (
    SHORTEST_RUN_S,
    Foot,
    body_mass_check,
    correct_jumps_and_swaps,
    fill_gaps,
    find_cycles,
    find_events,
    find_stances,
    low_pass,
    plate_checks,
    plate_load,
    plausible_events,
)
from pipeline.trial import Kinematics, Note, RawTrial

NO_STATIC = Note(
    "estimated",
    "calibration",
    "no static trial: the walk itself calibrates the body. Lengths are means over the walk; a foot is taken as flat "
    "while its heel and toe stand still, which leaves the ankle's angles off by up to 2 degrees; labels that are "
    "exchanged throughout are not noticed",
)
"""What a reader must know of a walk that calibrates itself; on three measured walks ankles were off by 1.4 degrees."""


def kinematics(
    walk: RawTrial,
    static: RawTrial,
    marker_set: MarkerSet,
    subject: Subject,
    anatomy: AnatomySettings,
    filter: FilterSettings,
    events: EventSettings,
    assigned_feet: Mapping[int, str] | None = None,
) -> Kinematics:
    """Calibrate the body on the static trial and follow it through the walk.

    Args:
        walk, static: recordings; the same one where there is no static trial.
        marker_set: what the labels mean.
        subject: the study's own values.
        anatomy, filter, events: sections of the configuration.
        assigned_feet: "left", "right" or "none" by plate number, where the study decides it.

    Raises:
        AnatomyError: the static trial or the subject's values do not make a body.
        SignalError: the walk shows no segment.
    """
    alone = static.name == walk.name
    walk, leap_notes = _on_paths(walk)
    static, static_leap_notes = (walk, ()) if alone else _on_paths(static)
    calibration = calibrate(
        static,
        marker_set,
        subject,
        other_parameters=walk.parameters,
        hip_method=anatomy.hip_centre,
        inertia_table=anatomy.inertia,
        role="walk" if alone else "static trial",
    )
    filled, mask, gap_notes = fill_gaps(walk.markers_G, walk.marker_names, walk.rate, filter.max_gap)
    markers_G = low_pass(filled, walk.rate, filter.markers, filter.order)
    by_name = {name: markers_G[:, k] for k, name in enumerate(walk.marker_names)}
    motion = body_motion(by_name, walk.rate, marker_set, calibration)
    if not any(np.isfinite(segment.com_G).any() for segment in motion.segments.values()):
        raise _nothing_to_follow(walk, motion, marker_set)

    loaded = [
        plate_load(plate, walk.analog_rate, walk.time, filter.forces_cutoff, filter.order, events)
        for plate in walk.plates
    ]
    plates, contacts = [load for load, _ in loaded], [times for _, times in loaded]
    feet: dict[str, Foot] = {
        side: Foot(motion.points[foot.heel], motion.points[foot.toe]) for side, foot in marker_set.feet.items()
    }
    weight = calibration.values["mass"] * -GRAVITY_G[Y]
    stances = find_stances(plates, contacts, feet, walk.time, weight, events, assigned_feet)
    pelvis = motion.points[next(iter(marker_set.feet.values())).pelvis]
    stored, event_notes = plausible_events(walk.events, feet, pelvis, walk.time)
    found = find_events(stances, stored, feet, pelvis, walk.time, events)
    cycles = find_cycles(found, stances, events)
    return Kinematics(
        name=walk.name,
        subject=subject.subject,
        recordings={trial.file_name: trial.sha256 for trial in (walk, static)},
        rate=walk.rate,
        time=walk.time,
        marker_names=walk.marker_names,
        markers_G=markers_G,
        filled=mask,
        points=motion.points,
        segments=motion.segments,
        joints=motion.joints,
        angles=motion.angles,
        plates=tuple(plates),
        events=found,
        stances=stances,
        cycles=cycles,
        calibration=calibration,
        notes=(
            *walk.notes,
            *calibration.notes,
            *leap_notes,
            *gap_notes,
            *static_trial_checks(static, walk),
            *motion.notes,
            *(Note("warning", "walk", f"has no marker {name}: what needs it is missing") for name in motion.absent),
            *([NO_STATIC] if alone else _of_static(static, static_leap_notes, walk)),
            *_no_such_plate(walk, assigned_feet or {}),
            *event_notes,
            *plate_checks(stances, plates, feet, pelvis, walk.time),
            *body_mass_check(calibration.values["mass"], cycles, plates, walk.time),
        ),
    )


def _on_paths(trial: RawTrial) -> tuple[RawTrial, tuple[Note, ...]]:
    """The recording without leaps of its markers, and notes on them."""
    markers_G, notes = correct_jumps_and_swaps(trial.markers_G, trial.marker_names, trial.rate)
    return replace(trial, markers_G=markers_G), notes


def _nothing_to_follow(walk: RawTrial, motion: BodyMotion, marker_set: MarkerSet) -> SignalError:
    where = f"trial {walk.name}"
    if not motion.absent:
        return SignalError(
            f"no segment is seen for {SHORTEST_RUN_S:g} s without a gap, which filtering needs "
            f"(frames: {len(walk.time)} at {walk.rate:g} Hz)",
            where=where,
            remedy="Label or fill the trial, or leave it out of the study",
        )
    left_out = [f"; {note.text}" for note in walk.notes if (note.kind, note.subject) == ("left out", "markers")]
    return SignalError(
        f"no segment can be followed; lacking labels: {', '.join(motion.absent)}{''.join(left_out)}",
        where=where,
        remedy=f"Check that the file uses the labels of marker set {marker_set.name}",
    )


def _of_static(static: RawTrial, leap_notes: tuple[Note, ...], walk: RawTrial) -> Iterator[Note]:
    """What is wrong with the static trial, which has no page of its own, and whether its up is the walk's."""
    for note in (*static.notes, *leap_notes):
        if note.kind in ("warning", "left out") and note not in walk.notes:
            yield replace(note, subject=f"{static.name}, {note.subject}")
    turned = np.degrees(np.arccos(np.clip(walk.R_GL[Y] @ static.R_GL[Y], -1.0, 1.0)))
    if turned > 1.0:
        text = (
            f"up differs by {turned:.0f} degrees between {static.name} and {walk.name} in the laboratory's axes, which "
            "turns the feet: give 'up' in config.yaml (axes) or trials.tsv"
        )
        yield Note("warning", "lab axes", text)


def _no_such_plate(walk: RawTrial, assigned: Mapping[int, str]) -> Iterator[Note]:
    """Plates that trials.tsv gives to a foot, and that the recording does not have."""
    known = [plate.number for plate in walk.plates]
    for number, foot in assigned.items():
        if number not in known and foot != "none":
            usable = ", ".join(map(str, known)) or "none"
            text = f"trials.tsv gives it to the {foot} foot, but the plates that can be used are {usable}"
            yield Note("warning", f"plate {number}", text)
