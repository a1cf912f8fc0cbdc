"""Static calibration: the subject's segments, centres and axes from a static trial (or a walk) and subject values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from pipeline.anatomy.hip_centre import GIVEN, given_hip
from pipeline.anatomy.inertia import FOOT_LENGTH_OF_HEIGHT, inertia_about_com, table_row
from pipeline.anatomy.marker_set import Direction, MarkerSet, Segment
from pipeline.anatomy.pose import BodyPose
from pipeline.anatomy.subject_values import WalkingMass, complete_values, given_values, listed, standing_mass
from pipeline.config import Subject
from pipeline.conventions import SIDES
from pipeline.errors import AnatomyError
from pipeline.math3d import nearest_rotation
from pipeline.signals import finite_mean
from pipeline.trial import Calibration, Note, RawTrial, SegmentInertia

STATIONARY_SPEED = 0.1
"""m/s; a foot is flat on the ground, in standing and in walking, if its heel and toe are slower."""

_SPEED_INTERVAL = 0.05
"""s; interval over which that speed is computed."""

MAX_WEIGHT_RATIO = 1.05
"""Largest plausible ratio of the mass on the plates to the body mass in standing; it is lower with a foot off the
plate."""

NO_STATIC = (
    "no static trial, so the walk itself calibrates the body, with {foot}: labels swapped throughout are not detected; "
    "record a static trial if that matters"
)
FLAT_WHILE_STILL = (
    "the foot taken as flat while heel and toe are stationary, so ankle angles may be off by up to 2 degrees"
)
"""In three measured walks, ankle angles were off by 1.4 degrees."""


def calibrate(
    static: RawTrial,
    marker_set: MarkerSet,
    subject: Subject,
    *,
    other_parameters: Mapping[str, float] | None = None,
    hip_method: str | None = None,
    inertia_table: str = "de_leva",
    walking: bool = False,
    walking_mass: WalkingMass | None = None,
) -> Calibration:
    """Build the subject's body.

    Lengths are means over the trial, so a walk can replace the static trial. Directions that are level by definition,
    such as the sole's, are averaged while their points are stationary.

    Args:
        static: standing trial, or a walk instead of one.
        marker_set: definitions of points, frames and segments.
        subject: the study's own values.
        other_parameters: parameters of the walk's file, used if neither the table nor the static file has a value.
        hip_method: as in `hip_centre_in_pelvis`; the marker set's if omitted.
        inertia_table: "de_leva" or "dempster".
        walking: whether the trial is a walk that calibrates itself. Frames then take the constant turns from the
            subject's values, if given.
        walking_mass: body mass from the walk's steps, used if it is neither given nor measured by standing on plates.

    Raises:
        AnatomyError: the recording lacks most labels of the set, a value is missing or outside its range, or no frame
            shows a whole segment.
    """
    role = "walk" if walking else "static trial"
    where = f"{role} {static.name}"
    lacking = marker_set.labels - set(static.marker_names)
    if len(lacking) > 0.5 * len(marker_set.labels):
        raise AnatomyError(
            f"lacks most labels of marker set {marker_set.name}: {listed(lacking)}; "
            f"it has {', '.join(static.marker_names) or 'none'}",
            where=where,
            remedy="Name the marker set with these labels in config.yaml or trials.tsv, or draft one with gait new",
        )
    files = {"static file": static.parameters, "trial file": other_parameters or {}}
    offsets_of_frames = {value for frame in marker_set.frames.values() for value in (frame.offsets or {}).values()}
    markers = {name: static.marker(name) for name in static.marker_names}
    seen = {name for name, track in markers.items() if np.isfinite(track).any()}
    unused = _widths_without_use(marker_set, seen) | (set() if walking else offsets_of_frames)
    values, sources, notes = given_values(marker_set, subject, files, unused, where)
    hip_method = _given_hips(values, where) or hip_method or marker_set.hip_centre
    complete_values(values, sources, marker_set, static, markers, notes, where, walking_mass, hip_method, unused)
    pose = BodyPose(marker_set, markers, values, hip_method, where=where)
    by_values = {
        name: pose.static_turn(name)
        for name, frame in marker_set.frames.items()
        if walking and frame.offsets and any(values.get(value) for value in frame.offsets.values())
    }
    turns = by_values | {
        name: _mean_rotation(
            (np.swapaxes(pose.tracked_frame(name), 1, 2) @ pose.frame(name))[
                _stationary(pose, [d for d in frame.static.values() if d.horizontal], static.rate)
            ]
        )
        for name, frame in marker_set.frames.items()
        if frame.static and name not in by_values
    }
    offsets = {
        name: finite_mean(_in_frame(pose, point.fixed_in, pose.point(name)))
        for name, point in marker_set.points.items()
        if point.fixed_in
    } | {
        label: finite_mean(_in_frame(pose, name, pose.point(label)))
        for name, frame in marker_set.frames.items()
        for label in frame.cluster or ()
    }
    segments = {
        name: _segment_inertia(pose, name, segment, values, subject.sex, inertia_table, notes)
        for name, segment in marker_set.segments.items()
    }
    if not any(np.isfinite(segment.length) for segment in segments.values()):
        raise AnatomyError(
            f"no frame shows all markers of any segment; missing labels: {listed(pose.absent) or 'none'}",
            where=where,
            remedy=f"Check that the file uses the labels of marker set {marker_set.name}",
        )
    if pose.absent:
        text = f"has no marker {listed(pose.absent)}, so their segments are missing: check the labels"
        notes.append(Note("warning", role, text))
    notes += [*pose.replacement_notes(), *pose.notes]
    if walking:
        given = f"the static offsets given for {listed(by_values)}" if by_values else FLAT_WHILE_STILL
        notes.append(Note("estimated", "calibration", NO_STATIC.format(foot=given)))
    standing = standing_mass(static)
    if standing is not None and standing > MAX_WEIGHT_RATIO * values["mass"]:
        text = (
            f"{values['mass']:.1f} kg ({sources['mass']}), but the plates bear {standing:.1f} kg in {static.name} "
            f"(limit {100 * (MAX_WEIGHT_RATIO - 1):.0f} % more): correct mass_kg in subjects.tsv or the plates' "
            "settings"
        )
        notes.append(Note("warning", "body mass", text))
    if subject.sex is None and inertia_table == "de_leva":
        text = "sex not given: inertia is the mean of de Leva's female and male values; give the sex in subjects.tsv"
        notes.append(Note("assumed", "inertia", text))
    return Calibration(
        subject=subject.subject,
        static=static.name,
        marker_set=marker_set.name,
        hip_method=hip_method,
        inertia_table=inertia_table,
        values=values,
        units={name: marker_set.subject_values[name].si_unit for name in values},
        sources=sources,
        frame_turns=turns,
        point_offsets=offsets,
        segments=segments,
        centre_rules={
            joint.centre: marker_set.points[joint.centre].rule
            for joint in marker_set.joints.values()
            if joint.centre in marker_set.points
        },
        notes=tuple(notes),
    )


def _widths_without_use(marker_set: MarkerSet, seen: Collection[str]) -> set[str]:
    """Widths used only by chord constructions that stand in for points of which all markers are seen."""
    points = marker_set.points
    needed = {joint.centre for joint in marker_set.joints.values()}
    needed |= {str(p.otherwise) for p in points.values() if not set(p.mean or ()) <= {*seen, *points}}
    stand_ins = {str(p.otherwise) for p in points.values()} - needed
    chords = [points[name].chord for name in stand_ins if name in points]
    return {chord.width for chord in chords if chord}


def _given_hips(values: Mapping[str, float], where: str) -> str | None:
    """The method `GIVEN` if the subject's hip centres were measured; otherwise None.

    Raises:
        AnatomyError: only some of the six coordinates are given.
    """
    names = [name for side in SIDES for name in given_hip(side)]
    lacking = [name for name in names if name not in values]
    if not lacking:
        return GIVEN
    if len(lacking) == len(names):
        return None
    raise AnatomyError(
        f"measured hip centres lack {listed(lacking)}", where=where, remedy="Give all six in subjects.tsv, or none"
    )


def _segment_inertia(
    pose: BodyPose,
    name: str,
    segment: Segment,
    values: Mapping[str, float],
    sex: str | None,
    table: str,
    notes: list[Note],
) -> SegmentInertia:
    row = table_row(table, segment.table, sex)
    start, end = pose.point(segment.proximal), pose.point(segment.distal)
    length = float(finite_mean(np.linalg.norm(end - start, axis=1)))
    if segment.table == "foot" and table == "de_leva":
        # De Leva's foot extends from the heel to the toe tip, which has no marker.
        start = pose.point(segment.heel or segment.proximal)
        foot_length = values.get("foot_length", FOOT_LENGTH_OF_HEIGHT * values["height"])
        if "foot_length" not in values:
            text = (
                f"foot length {1000 * foot_length:.0f} mm from height ({FOOT_LENGTH_OF_HEIGHT:g} of it), since none is "
                "given"
            )
            notes.append(Note("estimated", name, text))
        direction = finite_mean(_in_frame(pose, segment.frame, end) - _in_frame(pose, segment.frame, start))
        com = finite_mean(_in_frame(pose, segment.frame, start)) + row.com * foot_length * direction / np.linalg.norm(
            direction
        )
        length = foot_length if np.isfinite(length) else length
    else:
        com = finite_mean(_in_frame(pose, segment.frame, start + row.com * (end - start)))
    mass, inertia = inertia_about_com(row, values["mass"], length, "xyz".index(segment.long_axis))
    return SegmentInertia(frame=segment.frame, mass=mass, length=length, com_S=com, inertia_S=inertia)


def _in_frame(pose: BodyPose, frame: str, point: np.ndarray) -> np.ndarray:
    """Coordinates (T, 3) of a point in a frame."""
    return np.einsum("tji,tj->ti", pose.frame(frame), point - pose.origin(frame))


def _stationary(pose: BodyPose, directions: Sequence[Direction], rate: float) -> np.ndarray:
    """Mask (T,) of frames in which no end of a direction moves, compared with `_SPEED_INTERVAL` before and after."""
    frames = np.arange(pose.frames)
    apart = max(1, round(_SPEED_INTERVAL * rate))
    moves = np.zeros(len(frames), dtype=bool)
    for end in (str(end) for direction in directions for end in (direction.start, direction.end)):
        way = np.linalg.norm(pose.point(end)[apart:] - pose.point(end)[:-apart], axis=1)
        fast = np.flatnonzero(way * rate > STATIONARY_SPEED * apart)
        moves[fast] = moves[fast + apart] = True
    return ~moves


def _mean_rotation(R: np.ndarray) -> np.ndarray:
    """Chordal mean (3, 3) of rotations; NaN if there are none."""
    mean = finite_mean(R)
    return nearest_rotation(mean) if np.isfinite(mean).all() else mean
