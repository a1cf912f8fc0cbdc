"""Static calibration: the subject's segments, centres and axes from a static trial (or the walk) and subject values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.anatomy.inertia import FOOT_LENGTH_OF_HEIGHT, inertia_about_com, table_row
from pipeline.anatomy.marker_set import Direction, MarkerSet, Segment, SubjectValue
from pipeline.anatomy.pose import BodyPose
from pipeline.config import Subject
from pipeline.conventions import GRAVITY_G, Y
from pipeline.errors import AnatomyError
from pipeline.math3d import nearest_rotation
from pipeline.trial import Calibration, Note, RawTrial, SegmentInertia

STATIONARY_SPEED = 0.1
"""m/s; a foot whose heel and toe are slower is flat on the ground, in standing and in walking."""

_SPEED_INTERVAL = 0.05
"""s; interval over which that speed is taken."""

MAX_WEIGHT_RATIO = 1.05
"""A standing subject cannot weigh more than this times its mass; less is possible with a foot off the plate."""

TO_SI = {"m": 1.0, "cm": 0.01, "mm": 0.001, "rad": 1.0, "deg": np.pi / 180.0, "kg": 1.0}


def calibrate(
    static: RawTrial,
    marker_set: MarkerSet,
    subject: Subject,
    *,
    other_parameters: Mapping[str, float] | None = None,
    hip_method: str = "davis",
    inertia_table: str = "de_leva",
    role: str = "static trial",
) -> Calibration:
    """Build the subject's body.

    Lengths are means over the trial, so that a walk serves as well; directions that are level by definition, such as
    the sole's, are taken while their points are stationary.

    Args:
        static: standing trial, or a walk in place of one.
        marker_set: definitions of points, frames and segments.
        subject: the study's own values.
        other_parameters: parameters of the walk's file, used where neither the table nor the static file has a value.
        hip_method: "davis", "harrington" or "bell".
        inertia_table: "de_leva" or "dempster".
        role: what the trial is called in messages.

    Raises:
        AnatomyError: a value is missing or outside its range, or no frame of the static trial shows a whole segment.
    """
    where = f"{role} {static.name}"
    lacking = marker_set.labels - set(static.marker_names)
    if len(lacking) > 0.5 * len(marker_set.labels):
        raise AnatomyError(
            f"lacks most markers of marker set {marker_set.name}: {_listed(lacking)}; "
            f"it has {', '.join(static.marker_names) or 'none'}",
            where=where,
            remedy="Name the marker set of these labels in config.yaml or trials.tsv, or write one",
        )
    notes: list[Note] = []
    files = [("static file", static.parameters), ("trial file", other_parameters or {})]
    values, sources = _given_values(marker_set, subject, files, where)
    markers = {name: static.marker(name) for name in static.marker_names}
    _complete_values(values, sources, marker_set, static, markers, notes, where)

    pose = BodyPose(marker_set, markers, values, hip_method, where=where)
    turns = {
        name: _mean_rotation(
            (np.swapaxes(pose.tracked_frame(name), 1, 2) @ pose.frame(name))[
                _stationary(pose, [d for d in frame.static.values() if d.horizontal], static.rate)
            ]
        )
        for name, frame in marker_set.frames.items()
        if frame.static
    }
    offsets = {
        name: _mean(_in_frame(pose, point.fixed_in, pose.point(name)))
        for name, point in marker_set.points.items()
        if point.fixed_in
    }
    segments = {
        name: _segment_inertia(pose, name, segment, values, subject.sex, inertia_table, notes)
        for name, segment in marker_set.segments.items()
    }
    if not any(np.isfinite(segment.length) for segment in segments.values()):
        raise AnatomyError(
            f"no frame shows all markers of any segment; lacking labels: {_listed(pose.absent) or 'none'}",
            where=where,
            remedy=f"Check that the file uses the labels of marker set {marker_set.name}",
        )
    if pose.absent:
        text = f"has no marker {_listed(pose.absent)}, so their segments are missing: check the labels"
        notes.append(Note("warning", role, text))
    notes += [Note("info", name, f"taken from {other}") for name, other in pose.replaced.items()]
    notes += pose.notes
    standing = _standing_mass(static)
    if standing is not None and standing > MAX_WEIGHT_RATIO * values["mass"]:
        text = (
            f"{values['mass']:.1f} kg ({sources['mass']}), but {standing:.1f} kg are on the plates in {static.name} "
            f"(limit {100 * (MAX_WEIGHT_RATIO - 1):.0f} % more): correct mass_kg in subjects.tsv or the plates' "
            "settings"
        )
        notes.append(Note("warning", "body mass", text))
    if subject.sex is None and inertia_table == "de_leva":
        text = "sex not given, so the mean of de Leva's female and male values is used: give it in subjects.tsv"
        notes.append(Note("assumed", "inertia", text))
    return Calibration(
        subject=subject.subject,
        static=static.name,
        marker_set=marker_set.name,
        hip_method=hip_method,
        inertia_table=inertia_table,
        values=values,
        sources=sources,
        frame_turns=turns,
        point_offsets=offsets,
        segments=segments,
        notes=tuple(notes),
    )


def _given_values(
    marker_set: MarkerSet, subject: Subject, files: Sequence[tuple[str, Mapping[str, float]]], where: str
) -> tuple[dict[str, float], dict[str, str]]:
    """Values from the study's table, else from the files; a zero in a file means that nothing was entered.

    Upper and lower case of the files' names do not count: some programs write all in capitals.
    """
    values: dict[str, float] = {}
    sources: dict[str, str] = {}
    given = subject.values_si()
    lowered = [(source, {key.lower(): value for key, value in stored.items()}) for source, stored in files]
    for name, definition in marker_set.subject_values.items():
        found = [("subjects.tsv", given[name])] if name in given else []
        key = (definition.parameter or "").lower()
        for source, parameters in lowered:
            stored = parameters.get(key, 0.0) * TO_SI[definition.unit]
            if stored != 0.0 or (key in parameters and definition.minimum <= 0.0):
                found.append((source, stored))
        if found:
            sources[name], values[name] = found[0]
            _check_range(name, values[name], definition, f"subject {subject.subject} ({sources[name]}, {where})")
    return values, sources


def _check_range(name: str, value: float, definition: SubjectValue, where: str) -> None:
    if not definition.minimum <= value <= definition.maximum:
        unit = {"kg": "kg", "rad": "rad", "deg": "rad"}.get(definition.unit, "m")
        raise AnatomyError(
            f"{name} = {value:g} {unit} is outside {definition.minimum:g} to {definition.maximum:g} {unit}",
            where=where,
            remedy="Correct the value, its unit, or give it in subjects.tsv",
        )


def _complete_values(
    values: dict[str, float],
    sources: dict[str, str],
    marker_set: MarkerSet,
    static: RawTrial,
    markers: Mapping[str, np.ndarray],
    notes: list[Note],
    where: str,
) -> None:
    """Fill in, in the marker set's order, the values that were not given."""
    pose = BodyPose(marker_set, markers, values)
    lacking = []
    for name, definition in marker_set.subject_values.items():
        if name in values:
            continue
        rule = definition.otherwise
        if rule is None:
            lacking.append(f"{name} (parameter {definition.parameter})")
            continue
        if rule.distance:
            start, end = (pose.point(point) for point in rule.distance)
            value, source = float(_mean(np.linalg.norm(end - start, axis=1))), f"static: {' to '.join(rule.distance)}"
        elif rule.linear and rule.linear.of in values:
            value, source = rule.linear.offset + rule.linear.slope * values[rule.linear.of], f"from {rule.linear.of}"
        elif rule.value is not None:
            value, source = rule.value, "default"
        elif rule.standing_force and (standing := _standing_mass(static)) is not None:
            value, source = standing, "static: vertical force"
            text = f"{value:.1f} kg by the vertical force in {static.name}, as no mass is given"
            notes.append(Note("estimated", "mass", text))
        else:
            lacking.append(name)
            continue
        values[name], sources[name] = value, source
        _check_range(name, value, definition, f"{where} ({source})")
    if lacking:
        raise AnatomyError(
            f"no value for {', '.join(lacking)}",
            where=where,
            remedy="Give it in subjects.tsv or enter it in the capture software",
        )


def _standing_mass(static: RawTrial) -> float | None:
    """Body mass from the plates, or None without steady standing on them."""
    if not static.plates:
        return None
    vertical = np.sum([plate.wrench.force_G[:, Y] for plate in static.plates], axis=0)
    mass = float(np.median(vertical)) / -GRAVITY_G[Y]
    steady = np.std(vertical) < 0.05 * abs(np.median(vertical))
    return mass if steady and mass > 5.0 else None


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
    length = float(_mean(np.linalg.norm(end - start, axis=1)))
    if segment.table == "foot" and table == "de_leva":
        # De Leva's foot runs from heel to toe tip, which no marker shows.
        start = pose.point(segment.heel or segment.proximal)
        foot_length = values.get("foot_length", FOOT_LENGTH_OF_HEIGHT * values["height"])
        if "foot_length" not in values:
            text = (
                f"foot length {1000 * foot_length:.0f} mm by height ({FOOT_LENGTH_OF_HEIGHT:g} of it), as none is given"
            )
            notes.append(Note("estimated", name, text))
        direction = _mean(_in_frame(pose, segment.frame, end) - _in_frame(pose, segment.frame, start))
        com = _mean(_in_frame(pose, segment.frame, start)) + row.com * foot_length * direction / np.linalg.norm(
            direction
        )
        length = foot_length if np.isfinite(length) else length
    else:
        com = _mean(_in_frame(pose, segment.frame, start + row.com * (end - start)))
    mass, inertia = inertia_about_com(row, values["mass"], length, "xyz".index(segment.long_axis))
    return SegmentInertia(frame=segment.frame, mass=mass, length=length, com_S=com, inertia_S=inertia)


def _in_frame(pose: BodyPose, frame: str, point: np.ndarray) -> np.ndarray:
    """Coordinates (T, 3) of a point in a frame."""
    return np.einsum("tji,tj->ti", pose.frame(frame), point - pose.origin(frame))


def _stationary(pose: BodyPose, directions: Sequence[Direction], rate: float) -> np.ndarray:
    """Frames (T,) in which no end of a direction is seen to move, from the frame a little before or to that after."""
    frames = np.arange(len(next(iter(pose.markers.values()))))
    apart = max(1, round(_SPEED_INTERVAL * rate))
    moves = np.zeros(len(frames), dtype=bool)
    for end in (str(end) for direction in directions for end in (direction.start, direction.end)):
        way = np.linalg.norm(pose.point(end)[apart:] - pose.point(end)[:-apart], axis=1)
        fast = np.flatnonzero(way * rate > STATIONARY_SPEED * apart)
        moves[fast] = moves[fast + apart] = True
    return ~moves


def _mean(values: np.ndarray) -> np.ndarray:
    """Mean over the frames that have all components; NaN where there is none."""
    complete = values[np.isfinite(values).all(axis=tuple(range(1, values.ndim)))]
    return complete.mean(axis=0) if len(complete) else np.full(values.shape[1:], np.nan)[()]


def _mean_rotation(R: np.ndarray) -> np.ndarray:
    """Chordal mean (3, 3) of rotations; NaN where there is none."""
    mean = _mean(R)
    return nearest_rotation(mean) if np.isfinite(mean).all() else mean


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))
