"""Values of the subject (lengths, masses, offsets) from the study's table, the recordings, markers and plates."""

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
"""Unit shown on pages for each SI unit, and the factor from SI to it."""

NOT_ENTERED = 1e-6
"""SI; a smaller value in a file means that nothing was entered, or is a zero with rounding error."""

MAX_DIFFERENCE = 0.1
"""mm, degrees or kg; values in two files that differ by less are the same, each computed from its trial's markers."""

MIN_STANDING = 5.0
"""kg; a smaller load of a static trial may be an offset of empty plates."""

MASS_INDEX = 22.0
"""kg/m^2; middle of the normal range of the World Health Organization (2000, Technical Report 894), 18.5 to 25."""


@dataclass(frozen=True)
class WalkingMass:
    """Body mass (kg) from a walk's steps on plates and its relative error, or an assumed mass and NaN."""

    mass: float
    accuracy: float


def given_values(
    marker_set: MarkerSet, subject: Subject, files: Mapping[str, Mapping[str, float]], unused: set[str], where: str
) -> tuple[dict[str, float], dict[str, str], list[Note]]:
    """Values from the study's table or otherwise from the first file that has one; their sources; and notes.

    A zero in a file means that nothing was entered, unless no file has another value and zero is possible. The case of
    parameter names in files is ignored: some programs write all in capitals.

    Args:
        marker_set: which values are needed.
        subject: the study's row.
        files: parameters of each file, by the file's name as a source; earlier files take precedence.
        unused: names of values that are not needed.
        where: name of the trial in messages.

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
            f"the files of static trial and walk hold different values ({'; '.join(differing)}, in this order; limit "
            f"{MAX_DIFFERENCE:g}): those of the static trial are used, since it shows the body that they calibrate; "
            "give the right ones in subjects.tsv"
        )
        notes.append(Note("warning", "subject values", text))
    if zeros:
        text = (
            f"zero in the static trial's file, which counts as not entered, so the walk's file is used: "
            f"{'; '.join(zeros)}; if zero is right, give it in subjects.tsv"
        )
        notes.append(Note("info", "subject values", text))
    return values, sources, notes


def _shown(value: float, definition: SubjectValue) -> str:
    unit, count = _SHOWN[definition.si_unit]
    return f"{count * value:.1f} {unit}"


def _differs(a: float, b: float, definition: SubjectValue) -> bool:
    return abs(a - b) * _SHOWN[definition.si_unit][1] > MAX_DIFFERENCE


def _check_range(name: str, value: float, definition: SubjectValue, where: str) -> None:
    if not definition.minimum - NOT_ENTERED <= value <= definition.maximum + NOT_ENTERED:  # pi in single precision
        unit = definition.si_unit
        raise AnatomyError(
            f"{name} = {value:g} {unit} is outside {definition.minimum:g} to {definition.maximum:g} {unit}"
            f"{_meant(value, definition)}",
            where=where,
            remedy="Correct the value, its unit, or give it in subjects.tsv",
        )


OTHER_UNITS = {"kg": {"pounds": 0.45359237}, "m": {"m": 1.0, "cm": 0.01, "inches": 0.0254, "mm": 0.001}}
"""SI values of units in which values are entered by mistake, by SI unit."""


def _meant(value: float, definition: SubjectValue) -> str:
    """Text that names other units in which an entered value would be within its range; empty for none."""
    unit = definition.si_unit
    entered = {value / TO_SI[definition.unit], value}  # the number in the file's unit, and in the table's
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
    walking_mass: WalkingMass | None = None,
    hip_method: str = "davis",
    unused: Collection[str] = (),
) -> None:
    """Fill in, in the marker set's order, the values that were not given.

    A zero counts as not given if an alignment device shows the value. Values in ``unused`` are not needed. If neither
    standing nor steps on plates give the mass, it is NaN: then there are angles, but no joint loads.

    Raises:
        AnatomyError: a value is missing or outside its range.
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
                    f"{1000 * value:.0f} mm between markers {' and '.join(points)} in {static.name}, since none is "
                    "given"
                )
                notes.append(Note("estimated", name, text))
        elif rule.linear and rule.linear.of in values:
            value, source = rule.linear.offset + rule.linear.slope * values[rule.linear.of], f"from {rule.linear.of}"
            if rule.linear.estimated:
                notes.append(
                    Note("estimated", name, f"{_shown(value, definition)} from {rule.linear.of}, since none is given")
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


def _mass_by_plates(static: RawTrial, steps: WalkingMass | None) -> tuple[float, str, Note]:
    """Mass (kg), source and note: from standing on plates, otherwise from the walk's steps, otherwise unknown."""
    standing = standing_mass(static)
    if standing is not None:
        text = f"{standing:.1f} kg from the vertical force in {static.name}, since no mass is given"
        return standing, "static: vertical force", Note("estimated", "mass", text)
    if steps is not None and np.isnan(steps.accuracy):
        text = (
            f"{steps.mass:.0f} kg from a body mass index of {MASS_INDEX:g} kg/m^2, since none is given and no plate "
            "measures it: loads per body mass hardly depend on it, forces in newtons do; give mass_kg in subjects.tsv"
        )
        return steps.mass, "assumed", Note("assumed", "mass", text)
    if steps is not None:
        text = (
            f"{steps.mass:.1f} kg from the vertical impulse of the steps on plates, accurate to "
            f"{100 * steps.accuracy:.0f} %, since no mass is given: give mass_kg in subjects.tsv"
        )
        return steps.mass, "walk: vertical impulse", Note("estimated", "mass", text)
    text = (
        "not given, and no standing or steps on plates from which to estimate it, so there are angles, but no moments "
        "and powers: give mass_kg in subjects.tsv"
    )
    return np.nan, "not known", Note("left out", "mass", text)


def _mean_length(pose: BodyPose, points: Sequence[str]) -> float:
    """Length (m) of the path over points, averaged over the frames that show all of them; NaN if none does."""
    steps = np.diff([pose.point(point) for point in points], axis=0)
    lengths = np.linalg.norm(steps, axis=2).sum(axis=0)
    seen = lengths[np.isfinite(lengths)]
    return float(seen.mean()) if len(seen) else np.nan


def standing_mass(static: RawTrial) -> float | None:
    """Body mass, kg, from the plates, or None without steady standing on them."""
    if not static.plates:
        return None
    vertical = np.sum([plate.wrench.force_G[:, Y] for plate in static.plates], axis=0)
    mass = float(np.median(vertical)) / GRAVITY
    steady = np.std(vertical) < 0.05 * abs(np.median(vertical))
    return mass if steady and mass > MIN_STANDING else None


def listed(names: Iterable[str]) -> str:
    """Names in alphabetical order, separated by commas."""
    return ", ".join(sorted(names))
