"""Motion of a walk: gaps, filter, calibrated body, plate loads, contacts, events and cycles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pipeline.anatomy.calibration import Subject, calibrate
from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.motion import BodyMotion, body_motion
from pipeline.conventions import GRAVITY_G, Y
from pipeline.errors import SignalError
from pipeline.signals.contact import ContactSettings, Foot, find_stances
from pipeline.signals.events import EventSettings, find_cycles, find_events
from pipeline.signals.filters import low_pass
from pipeline.signals.gaps import fill_gaps
from pipeline.signals.ground import load_of_plate
from pipeline.trial import Kinematics, Note, RawTrial


@dataclass(frozen=True)
class KinematicsSettings:
    """What the study decides about a walk's kinematics."""

    marker_cutoff: float = 6.0
    force_cutoff: float = 6.0
    longest_gap: float = 0.2
    hip_method: str = "davis"
    inertia_table: str = "de_leva"
    contact: ContactSettings = field(default_factory=ContactSettings)
    events: EventSettings = field(default_factory=EventSettings)
    assigned_plates: Mapping[int, str] = field(default_factory=dict)


def kinematics(
    walk: RawTrial, static: RawTrial, marker_set: MarkerSet, subject: Subject, settings: KinematicsSettings
) -> Kinematics:
    """Compute the kinematics of a walk from its recording and the subject's static trial."""
    calibration = calibrate(
        static,
        marker_set,
        subject,
        other_parameters=walk.parameters,
        hip_method=settings.hip_method,
        inertia_table=settings.inertia_table,
    )
    filled, mask, gap_notes = fill_gaps(walk.markers_G, walk.marker_names, walk.rate, settings.longest_gap)
    markers_G = low_pass(filled, walk.rate, settings.marker_cutoff)
    by_name = {name: markers_G[:, k] for k, name in enumerate(walk.marker_names)}
    motion = body_motion(by_name, walk.rate, marker_set, calibration)
    if not any(np.isfinite(segment.com_G).any() for segment in motion.segments.values()):
        raise SignalError(
            f"no segment can be followed; lacking labels: {', '.join(motion.absent) or 'none'}",
            where=f"trial {walk.name}",
            remedy=f"check that the file uses the labels of marker set {marker_set.name}",
        )

    loaded = [
        load_of_plate(plate, walk.analog_rate, walk.time, settings.force_cutoff, settings.contact)
        for plate in walk.plates
    ]
    plates, contacts = [load for load, _ in loaded], [times for _, times in loaded]
    feet: dict[str, Foot] = {
        side: Foot(motion.points[foot.heel], motion.points[foot.toe]) for side, foot in marker_set.feet.items()
    }
    weight = calibration.values["mass"] * -GRAVITY_G[Y]
    stances = find_stances(plates, contacts, feet, walk.time, weight, settings.contact, settings.assigned_plates)
    pelvis = motion.points[next(iter(marker_set.feet.values())).pelvis]
    events = find_events(stances, walk.events, feet, pelvis, walk.time, settings.events)
    cycles = find_cycles(events, stances, settings.events)
    return Kinematics(
        name=walk.name,
        subject=subject.name,
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
        events=events,
        stances=stances,
        cycles=cycles,
        calibration=calibration,
        notes=(*walk.notes, *calibration.notes, *gap_notes, *_absent(motion)),
    )


def _absent(motion: BodyMotion) -> tuple[Note, ...]:
    if not motion.absent:
        return ()
    return (Note("warning", "walk", f"has no marker {', '.join(motion.absent)}: their segments are missing"),)
