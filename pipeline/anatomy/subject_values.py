"""Values of the subject (lengths, masses, offsets) from the study's table, the C3D files, markers and plates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.anatomy.alignment_device import rotation_by_device
from pipeline.anatomy.marker_set import MarkerSet, SubjectValue
from pipeline.anatomy.pose import BodyPose
from pipeline.config import Subject
from pipeline.conventions import GRAVITY, Y
from pipeline.errors import AnatomyError
from pipeline.trial import Note, RawTrial

TO_SI = {"m": 1.0, "cm": 0.01, "mm": 0.001, "rad": 1.0, "deg": np.pi / 180.0, "kg": 1.0}

_SHOWN = {"m": ("mm", 1000.0), "rad": ("degrees", 180.0 / np.pi), "kg": ("kg", 1.0)}
"""Unit on pages of each SI unit, and how many make it."""

_SI = {"kg": "kg", "rad": "rad", "deg": "rad"}
"""SI unit of a file's unit; metres otherwise."""

NOT_ENTERED = 1e-6
"""SI; a smaller value in a file means that nothing was entered, or is the rounding of a zero."""

MAX_DIFFERENCE = 0.1
"""mm, degrees or kg; files that differ by less hold the same value, computed from markers of two trials."""


MASS_INDEX = 22.0
"""kg/m^2; middle of what the World Health Organization (2000, Technical Report 894) calls normal, 18.5 to 25."""


@dataclass(frozen=True)
class MassOfSteps:
    """Body mass (kg) by a walk's steps on plates, and the part that it may be wrong by; NaN where it is assumed."""

    mass: float
    accuracy: float


def given_values(
    marker_set: MarkerSet, subject: Subject, files: Mapping[str, Mapping[str, float]], unused: set[str], where: str
) -> tuple[dict[str, float], dict[str, str], list[Note]]:
    """Values from the study's table, else from the first file that has one, their sources, and notes.

    A zero in a file means that nothing was entered, unless no file has another value and zero is possible. Upper and
    lower case of the files' names do not count: some programs write all in capitals.

    Args:
        marker_set: what is asked of the subject.
        subject: the study's row.
        files: parameters of each file by what it is called as a source; the first counts most.
        unused: names of values that are not wanted.
        where: what the trial is called in messages.

    Raises:
        AnatomyError: a value is outside its range.
    """
    values: dict[str, float] = {}
    sources: dict[str, str] = {}
    differing, zeros = [], []
    given = subject.values_si()
    lowered = {source: {key.lower(): value for key, value in stored.items()} for source, stored in files.items()}
    for name, definition in marker_set.subject_values.items():
        if name in unused:
            continue
        key = (definition.parameter or "").lower()
        stored = {
            source: entries[key] * TO_SI[definition.unit] for source, entries in lowered.items() if key in entries
        }
        entered = {source: value for source, value in stored.items() if not abs(value) < NOT_ENTERED}
        if name in given:
            sources[name], values[name] = "subjects.tsv", given[name]
        elif entered:
            sources[name], values[name] = next(iter(entered.items()))
            used, first = sources[name], next(iter(stored))
            if definition.minimum <= 0.0 and used != first:
                zeros.append(f"{name} {_shown(values[name], definition)}")
            others = [value for value in entered.values() if _differs(value, values[name], definition)]
            differing += [
                f"{name} {_shown(values[name], definition)} and {_shown(value, definition)}" for value in others
            ]
        elif stored and definition.minimum <= 0.0:
            sources[name], values[name] = next(iter(stored)), 0.0
        else:
            continue
        _check_range(name, values[name], definition, f"subject {subject.subject} ({sources[name]}, {where})")
    notes = []
    if differing:
        text = (
            f"the static trial's file and the walk's hold different values ({'; '.join(differing)}, in this order; "
            f"limit {MAX_DIFFERENCE:g}): the static trial's are used, as it shows the body that they calibrate; give "
            "the right ones in subjects.tsv"
        )
        notes.append(Note("warning", "subject values", text))
    if zeros:
        text = (
            f"zero in the static trial's file, which counts as not entered, so the walk's file is used: "
            f"{'; '.join(zeros)}; give the right values in subjects.tsv where the zeros are meant"
        )
        notes.append(Note("info", "subject values", text))
    return values, sources, notes


def _shown(value: float, definition: SubjectValue) -> str:
    unit, count = _SHOWN[_SI.get(definition.unit, "m")]
    return f"{count * value:.1f} {unit}"


def _differs(a: float, b: float, definition: SubjectValue) -> bool:
    return abs(a - b) * _SHOWN[_SI.get(definition.unit, "m")][1] > MAX_DIFFERENCE


def _check_range(name: str, value: float, definition: SubjectValue, where: str) -> None:
    if not definition.minimum <= value <= definition.maximum:
        unit = _SI.get(definition.unit, "m")
        raise AnatomyError(
            f"{name} = {value:g} {unit} is outside {definition.minimum:g} to {definition.maximum:g} {unit}"
            f"{_meant(value, definition)}",
            where=where,
            remedy="Correct the value, its unit, or give it in subjects.tsv",
        )


OTHER_UNITS = {"kg": {"pounds": 0.45359237}, "m": {"m": 1.0, "cm": 0.01, "inches": 0.0254, "mm": 0.001}}
"""Units that values are entered in by mistake, in SI, by SI unit."""


def _meant(value: float, definition: SubjectValue) -> str:
    """In which other unit an entered value would be within its range."""
    unit = _SI.get(definition.unit, "m")
    entered = {value / TO_SI[definition.unit], value}  # in the file's unit, and in the table's
    fitting = {
        f"{number:g} {name} would be in it" if name == unit else f"{number:g} {name} are {number * size:.3g} {unit}"
        for name, size in OTHER_UNITS.get(unit, {}).items()
        for number in entered
        if definition.minimum <= number * size <= definition.maximum and not np.isclose(number * size, value)
    }
    return f" ({' or '.join(sorted(fitting))})" if fitting else ""


def complete_values(
    values: dict[str, float],
    sources: dict[str, str],
    marker_set: MarkerSet,
    static: RawTrial,
    markers: Mapping[str, np.ndarray],
    notes: list[Note],
    where: str,
    walking_mass: MassOfSteps | None = None,
    hip_method: str = "davis",
    unused: Collection[str] = (),
) -> None:
    """Fill in, in the marker set's order, the values that were not given; a zero is none where a device shows it.

    Values in ``unused`` are not wanted.

    A mass that neither standing nor steps on plates show is NaN: then there are angles, but no joint loads.
    """
    pose = BodyPose(marker_set, markers, values, hip_method)
    lacking = []
    for name, definition in marker_set.subject_values.items():
        rule = definition.otherwise
        turn = rotation_by_device(pose, rule.alignment) if rule and rule.alignment and not values.get(name) else None
        if (name in values and turn is None) or (rule is None and not definition.required) or name in unused:
            continue
        if rule is None:
            lacking.append(f"{name} (parameter {definition.parameter})")
            continue
        points = rule.distance or rule.width or rule.path
        if points:
            value, source = _mean_length(pose, points), f"static: {' to '.join(points)}"
            value -= 2.0 * pose.marker_radius if rule.width else 0.0
            if np.isnan(value) and rule.distance:
                text = f"no frame of {static.name} shows both {' and '.join(points)}, so what needs it is missing"
                notes.append(Note("warning", name, text + ": check the labels, or give it in subjects.tsv"))
                continue
            if np.isnan(value):
                lacking.append(f"{name} (parameter {definition.parameter}, or markers {', '.join(points)})")
                continue
            if not rule.distance:
                text = (
                    f"{1000 * value:.0f} mm between markers {' and '.join(points)} of {static.name}, as none is given"
                )
                notes.append(Note("estimated", name, text))
        elif rule.linear and rule.linear.of in values:
            value, source = rule.linear.offset + rule.linear.slope * values[rule.linear.of], f"from {rule.linear.of}"
            if rule.linear.estimated:
                notes.append(
                    Note("estimated", name, f"{_shown(value, definition)} from {rule.linear.of}, as none is given")
                )
        elif rule.alignment:
            value, source = (0.0, "default") if turn is None else (turn, "static: alignment device")
        elif rule.value is not None:
            value, source = rule.value, "default"
        elif rule.standing_force:
            values[name], sources[name], note = _mass_by_plates(static, walking_mass)
            notes.append(note)
            continue
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


def _mass_by_plates(static: RawTrial, steps: MassOfSteps | None) -> tuple[float, str, Note]:
    """Mass (kg), source and note: by standing on plates, else by the steps of the walk, else not known."""
    standing = standing_mass(static)
    if standing is not None:
        text = f"{standing:.1f} kg by the vertical force in {static.name}, as no mass is given"
        return standing, "static: vertical force", Note("estimated", "mass", text)
    if steps is not None and np.isnan(steps.accuracy):
        text = (
            f"{steps.mass:.0f} kg by a body mass index of {MASS_INDEX:g} kg/m^2, as none is given and no plate shows "
            "it: loads per body mass hardly depend on it, forces in newtons do; give mass_kg in subjects.tsv"
        )
        return steps.mass, "assumed", Note("assumed", "mass", text)
    if steps is not None:
        text = (
            f"{steps.mass:.1f} kg by the vertical impulse of the steps on plates, known to {100 * steps.accuracy:.0f} "
            "%, as no mass is given: give mass_kg in subjects.tsv"
        )
        return steps.mass, "walk: vertical impulse", Note("estimated", "mass", text)
    text = (
        "not given, and nobody stands or walks on plates that would show it, so there are angles, but no moments and "
        "powers: give mass_kg in subjects.tsv"
    )
    return np.nan, "not known", Note("left out", "mass", text)


def _mean_length(pose: BodyPose, points: Sequence[str]) -> float:
    """Mean length (m) of the path over points, over the frames that show all; NaN where none does."""
    steps = np.diff([pose.point(point) for point in points], axis=0)
    lengths = np.linalg.norm(steps, axis=2).sum(axis=0)
    seen = lengths[np.isfinite(lengths)]
    return float(seen.mean()) if len(seen) else np.nan


def standing_mass(static: RawTrial) -> float | None:
    """Body mass from the plates, or None without steady standing on them."""
    if not static.plates:
        return None
    vertical = np.sum([plate.wrench.force_G[:, Y] for plate in static.plates], axis=0)
    mass = float(np.median(vertical)) / GRAVITY
    steady = np.std(vertical) < 0.05 * abs(np.median(vertical))
    return mass if steady and mass > 5.0 else None


def listed(names: Iterable[str]) -> str:
    """Names in alphabetical order, separated by commas."""
    return ", ".join(sorted(names))
