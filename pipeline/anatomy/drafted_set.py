"""Text of a marker set drafted from guessed landmarks: knees and ankles midway between medial and lateral markers.

A draft contains the labels of the landmarks' points and of the clusters, each with its evidence, for a person to
correct. Everything else refers to the landmarks, mostly as in the shipped sets
(`config/marker_sets/shared/medial_markers.yaml`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pipeline.anatomy.cluster import MIN_MARKERS
from pipeline.anatomy.landmark_guesses import NAME, Guess
from pipeline.conventions import SIDES

POSITIONS: dict[str, tuple[tuple[float, float, float], float]] = {
    "asis": ((0.030, 0.040, 0.070), 0.3),
    "psis": ((-0.068, 0.052, 0.027), 0.3),
    "sacrum": ((-0.070, 0.052, 0.0), 0.3),
    "lateral_knee": ((0.0, -0.2425, 0.038), 1.0),
    "medial_knee": ((0.0, -0.2425, -0.038), 1.0),
    "lateral_ankle": ((-0.005, -0.253, 0.024), 0.1),
    "medial_ankle": ((0.005, -0.253, -0.024), 0.1),
    "seventh_cervical": ((-0.025, 0.066, 0.0), 0.3),
    "acromion": ((0.0, 0.027, 0.092), 0.3),
    "heel": ((-0.042, -0.022, 0.0), 0.02),
    "toe": ((0.067, -0.017, 0.0), 0.02),
}
"""Assumed position in fractions of stature (right side) and its weight, as in the shipped sets."""

SIDED = ("clavicle", "thigh", "shank", "foot")
"""Segments that both sides have."""

LANDMARKS_NEEDED = ("asis", "lateral_knee", "medial_knee", "lateral_ankle", "medial_ankle", "heel", "toe")
WANDS = ("thigh", "trochanter", "shank", "fibula", "tuberosity")
"""Landmarks of thigh and shank that determine the plane of a joint's axis if there is no medial marker."""
FIXED = {"knee": "thigh", "ankle": "shank"}
UNCONFIRMED, CONFIRMED = "confirmed: false", "confirmed: true"
"""Lines of a set's file, before and after a person has checked its labels."""
TODO = "TO_BE_NAMED"
"""Prefix of the placeholder for a label that could not be guessed."""


def drafted_set(name: str, guesses: Iterable[Guess], in_walk: Iterable[str], unknown: Iterable[str]) -> str:
    """A marker set as YAML.

    Args:
        name: of the set.
        guesses: landmarks guessed for the markers.
        in_walk: labels seen in the walk.
        unknown: labels without a guess.
    """
    guesses, walking = list(guesses), set(in_walk)
    return "\n".join(
        [
            *_head(name, unknown, guesses),
            *_points(guesses),
            *_frames(guesses, walking),
            *_FEET.splitlines(),
            *_skeleton(guesses),
            "",
        ]
    )


def _head(name: str, unknown: Iterable[str], guesses: list[Guess]) -> Iterator[str]:
    yield "# Draft of a marker set: labels marked as guesses, with their evidence. Compare them with the laboratory's"
    yield "# protocol and correct them; then `gait confirm STUDY` records that, and pages no longer call the set"
    yield "# unconfirmed. plug_in_gait.yaml explains the format."
    if unknown := sorted(unknown):
        yield f"# Not used, since nothing shows what they are: {', '.join(unknown)}"
    yield from [
        "",
        f"name: {name}",
        "extends: shared/medial_markers",
        "title: Drafted set",
        UNCONFIRMED,
        "sides: {left: L, right: R}",
        "marker_radius: 0.007",
    ]
    yield "hip_centre: harrington"
    medial = all(_known(guesses, side, f"medial_{joint}") for side in SIDES for joint in FIXED)
    knee, ankle = ("medial_knee", "medial_ankle") if medial else ("lateral_knee", "lateral_ankle")
    yield from _VALUES.replace("KNEE_OF_PATH", knee).replace("ANKLE_OF_PATH", ankle).splitlines()
    for joint in FIXED:
        if all(_known(guesses, side, f"medial_{joint}") for side in SIDES):
            yield f"  {joint}_width_{{side}}:  # not needed: the medial marker gives it"


def _quoted(label: str) -> str:
    """A label as YAML, in double quotes like JSON; quotes and backslashes in it are escaped."""
    return json.dumps(label, ensure_ascii=False)


def _of(guesses: list[Guess], side: str, landmark: str) -> Guess:
    evidence = "no marker found: name it, or what needs it is missing"
    missing = Guess(f"{TODO}_{side}_{landmark}", side, landmark, evidence)
    return next((guess for guess in guesses if (guess.side, guess.landmark) == (side, landmark)), missing)


def _known(guesses: list[Guess], side: str, landmark: str) -> bool:
    return any((guess.side, guess.landmark) == (side, landmark) for guess in guesses)


def _points(guesses: list[Guess]) -> Iterator[str]:
    yield from ["", "points:", "  # the landmarks"]
    for side in SIDES:
        for landmark in LANDMARKS_NEEDED:
            guess = _of(guesses, side, landmark)
            joint = landmark.rpartition("_")[2]
            if landmark.startswith("medial") and not _known(guesses, side, landmark):
                continue
            carrier = f", fixed_in: {side}_{FIXED[joint]}_technical" if joint in FIXED else ""
            yield f"  {side}_{landmark}: {{mean: [{_quoted(guess.label)}]{carrier}}}  # guess: {guess.evidence}"
    psis = [_of(guesses, side, "psis") for side in SIDES]
    if any(guess.label.startswith(TODO) for guess in psis):
        psis = [_of(guesses, "", "sacrum")]
    labels = ", ".join(_quoted(guess.label) for guess in psis)
    yield f"  pelvis_back: {{mean: [{labels}]}}  # guess: {psis[0].evidence}"
    yield "  # what is built from them"
    yield "  mid_asis: {mean: [left_asis, right_asis]}"
    for side in SIDES:
        for joint, segment in FIXED.items():
            yield _centre(guesses, side, joint, segment)


def _centre(guesses: list[Guess], side: str, joint: str, segment: str) -> str:
    """A joint's centre, midway between its markers or, without a medial marker, by the chord construction."""
    if _known(guesses, side, f"medial_{joint}"):
        return f"  {side}_{joint}: {{mean: [{side}_lateral_{joint}, {side}_medial_{joint}]}}"
    lateral = _quoted(_of(guesses, side, f"lateral_{joint}").label)
    wands = [g.label for g in guesses if (g.side, g.segment) == (side, segment) and g.landmark in WANDS]
    wand = wands[0] if wands else f"{TODO}_{side}_{segment}"
    above = f"{side}_{'hip' if joint == 'knee' else 'knee'}"
    return (
        f"  {side}_{joint}: {{chord: {{proximal: {above}, marker: {lateral}, wand: {_quoted(wand)}, width: "
        f"{joint}_width_{side}}}, fixed_in: {side}_{segment}_technical}}"
        f"  # guess: no medial marker, {wand} determines the plane"
    )


def _frames(guesses: list[Guess], walking: set[str]) -> Iterator[str]:
    yield from ["", "frames:", "  # markers also seen in the walk carry the points that only the static trial has"]
    for side in SIDES:
        for joint, segment in FIXED.items():
            members = [
                guess for guess in guesses if (guess.side, guess.segment) == (side, segment) and guess.label in walking
            ]
            yield _technical(side, joint, segment, members, _of(guesses, side, f"lateral_{joint}"))
    yield from _PELVIS.splitlines()


def _technical(side: str, joint: str, segment: str, members: list[Guess], lateral: Guess) -> str:
    """Frame of a segment from its markers in the walk: a cluster, or with fewer markers these and the joint above."""
    name, labels = f"{side}_{segment}_technical", ", ".join(_quoted(guess.label) for guess in members)
    if len(members) >= MIN_MARKERS:
        found = "; ".join(dict.fromkeys(guess.evidence for guess in members))
        return f"  {name}: {{cluster: [{labels}]}}  # guess: {found}"
    others = [guess.label for guess in members if guess.label != lateral.label]
    above = f"{side}_{'hip' if joint == 'knee' else 'knee'}"
    plane, origin = others[0] if others else f"{TODO}_{side}_{segment}", _quoted(lateral.label)
    return (
        f"  {name}: {{origin: {origin}, axes: {{y: {{from: {origin}, to: {above}}}, "
        f"z: {{from: {origin}, to: {_quoted(plane)}}}}}}}  # guess: the line to the joint above, and {plane}"
    )


def _skeleton(guesses: list[Guess]) -> Iterator[str]:
    yield from ["", "skeleton:", "  markers:"]
    for guess in guesses:
        owner = f"{guess.side}_{guess.segment}" if guess.segment in SIDED else guess.segment
        entry = f"    {_quoted(guess.label)}: {{segment: {owner}"
        if guess.landmark in POSITIONS:
            (x, y, z), weight = POSITIONS[guess.landmark]
            z = -z if guess.side == "left" else z
            entry += f", at: [{x:g}, {y:g}, {z:g}], weight: {weight:g}"
        yield entry + ("}" if guess.evidence == NAME else f"}}  # guess: {guess.evidence}")
    yield "  scale_factors:"
    for side in SIDES:
        heel, toe = (_of(guesses, side, landmark) for landmark in ("heel", "toe"))
        if heel.label.startswith(TODO) or toe.label.startswith(TODO):
            continue
        ends = f"[{_quoted(heel.label)}, {_quoted(toe.label)}]"
        yield f"    {side}_foot: {{segments: [{side}_foot, {side}_toes], axes: xyz, distance: {ends}}}"


_VALUES = """
subject_values:
  leg_length_{side}:
    parameter: "{S}LegLength"
    unit: mm
    otherwise: {path: ["{side}_asis", "{side}_KNEE_OF_PATH", "{side}_ANKLE_OF_PATH"]}
  inter_asis: {unit: mm, otherwise: {distance: [left_asis, right_asis]}}
  pelvis_depth: {unit: mm, otherwise: {distance: [pelvis_back, mid_asis]}}"""

_PELVIS = """
  pelvis:
    origin: mid_asis
    axes: {z: {from: left_asis, to: right_asis}, x: {from: pelvis_back, to: mid_asis}}"""

_FEET = """
feet:
  "{side}": {heel: "{side}_heel", toe: "{side}_toe", pelvis: pelvis_back}"""
