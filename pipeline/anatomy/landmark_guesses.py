"""Anatomical landmarks of markers with unknown labels, guessed from names, standing positions and rigidity in a walk.

A name is accepted if the marker is about as high as that landmark. Another marker is assigned to the segment whose
named markers stay at constant distances from it in the walk. Medial markers that only the static trial has are
recognised by their position next to a lateral marker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.anatomy.labels import plain
from pipeline.conventions import LATERAL_SIGN, SIDES, Y
from pipeline.signals import finite_median
from pipeline.trial import RawTrial

NAMES: dict[str, str] = {
    "asis": r"s?i?asis?|asi|[se]?ias|fwt",
    "psis": r"s?i?psis?|psi|[se]?ips|bwt",
    "sacrum": r"v?sac\w*|s[12]|sacr\w*",
    "iliac_crest": r"il(iac|ic|c)\w*|crest\w*|icr?",
    "seventh_cervical": r"c7|cv7|c7\w*",
    "acromion": r"acr\w*|caj|sho(ulder)?",
    "trochanter": r"(greater|g?r?)tro?\w*|gr?tr?|ftc|gt",
    "medial_knee": r"kne?e?(m|med\w*)|m(ed(ial)?)?(fc|fep?|kne?e?|ek|(fem)?epi\w*)|fme|me|medkne\w*|"
    r"(med)?epi(con\w*)?m(ed\w*)?",
    "lateral_knee": r"kne?e?(l|lat\w*)?|l(at(eral)?)?(fc|fep?|kne?e?|ek|(fem)?epi\w*)|fle|le|latkne\w*|knee1|"
    r"epi(con\w*?)?(l(at\w*)?)?",
    "fibula": r"hf|fax|fib\w*|knee2",
    "tuberosity": r"tt[bcu]?\w{0,2}|tub\w*",
    "medial_ankle": r"(ank(le)?|malleolus)(m|med\w*)|m(ed(ial)?)?(ma|mall?|ank(le)?|m)|med|tam|med(ial)?mal\w*",
    "lateral_ankle": r"(ank(le)?|malleolus)(l|lat\w*)?|l(at(eral)?)?(ma|mall?|ank(le)?|m)|fal|mall?|lat(eral)?mal\w*",
    "heel": r"hee?l?\w?|calc?\w*|fcc|ca",
    "toe": r"toe(tip|2)?|mt2|fm2|sm|met2?|2(nd)?me?t\w*|d2m",
    "first_metatarsal": r"m?t?mt?h?1|fm1|fmh|toemed|fm|met1|1(st)?me?t\w*|d1m",
    "fifth_metatarsal": r"m?t?mt?h?5|fm5|vmh?|toelat|met5|5(th)?me?t\w*|d5m",
    "thigh": r"th(i|igh|a)?\w*|fem\w*|bar1",
    "shank": r"(sh|ti|sk)\w*|bar2",
    "foot": r"foot\w*|mid\w*",
}
"""Patterns of labels without their side; the first match counts."""

SEGMENT: dict[str, str] = {
    **dict.fromkeys(("asis", "psis", "sacrum", "iliac_crest"), "pelvis"),
    "seventh_cervical": "upper_thorax",
    "acromion": "clavicle",
    **dict.fromkeys(("trochanter", "medial_knee", "lateral_knee", "thigh"), "thigh"),
    **dict.fromkeys(("fibula", "tuberosity", "medial_ankle", "lateral_ankle", "shank"), "shank"),
    **dict.fromkeys(("heel", "toe", "first_metatarsal", "fifth_metatarsal", "foot"), "foot"),
}

LEG = ("thigh", "shank", "foot")
"""Segments on which a marker may be at any position."""

LEVEL: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("asis", "psis", "sacrum"), (0.85, 1.20)),
    "iliac_crest": (0.95, 1.30),
    **dict.fromkeys(("seventh_cervical", "acromion"), (1.30, 1.75)),
    "trochanter": (0.75, 1.00),
    "thigh": (0.45, 0.95),
    **dict.fromkeys(("medial_knee", "lateral_knee"), (0.40, 0.62)),
    **dict.fromkeys(("fibula", "tuberosity"), (0.33, 0.58)),
    "shank": (0.08, 0.55),
    **dict.fromkeys(("medial_ankle", "lateral_ankle"), (0.03, 0.17)),
    **dict.fromkeys(("heel", "toe", "first_metatarsal", "fifth_metatarsal", "foot"), (-0.02, 0.13)),
}
"""Range of height in standing, as a fraction of the height of the pelvis markers above the lowest marker."""

MIDDLE = ("sacrum", "seventh_cervical")
"""Landmarks on the midline."""

NAME = "name and height"
"""Evidence for a label that matches a landmark's name, on a marker that is about as high."""

MAX_SPREAD = 0.006
"""m, largest standard deviation over a walk of the distance between two markers on one segment."""

MEDIAL_RANGE = ((0.05, 0.18), 0.05)
"""m: range of the distance of a medial marker from the lateral one, and largest difference of their heights."""


@dataclass(frozen=True)
class Guess:
    """The landmark guessed for a marker.

    Attributes:
        side: "left", "right", or "" for the midline.
        landmark: key of `SEGMENT`; "thigh", "shank" and "foot" are markers anywhere on the segment.
        evidence: in words.
    """

    label: str
    side: str
    landmark: str
    evidence: str

    @property
    def segment(self) -> str:
        """Segment without its side."""
        return SEGMENT[self.landmark]


def sides_of(labels: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Side of each label and its plain name without it; a label has a side if the other side's counterpart exists."""
    labels = list(labels)
    known = {plain(label) for label in labels}
    out = {}
    for label in labels:
        name = plain(label)
        out[label] = ("", name)
        for left, right in (("left", "right"), ("l", "r"), ("g", "d")):
            for mine, other, side in ((left, right, "left"), (right, left, "right")):
                for start in (True, False):
                    stem = name.removeprefix(mine) if start else name.removesuffix(mine)
                    swapped = other + stem if start else stem + other
                    if stem not in ("", name) and swapped in known and not out[label][0]:
                        out[label] = (side, stem)
    return out


def guess_landmarks(static: RawTrial, walk: RawTrial) -> list[Guess]:
    """Landmarks of the labels of a static trial and a walk; labels without a guess are left out."""
    standing = {name: finite_median(static.marker(name)) for name in static.marker_names}
    standing = {name: at for name, at in standing.items() if np.isfinite(at).all()}
    sided = sides_of(standing)
    heights = _relative_heights(standing)
    guesses = [
        Guess(label, side, landmark, NAME)
        for label, (side, stem) in sided.items()
        if (landmark := _named(stem, side, heights[label])) is not None
    ]
    guesses = _without_repeats(guesses)
    walking = {name: walk.marker(name) for name in walk.marker_names if np.isfinite(walk.marker(name)).any()}
    for label, (side, _) in sided.items():
        if any(guess.label == label for guess in guesses):
            continue
        found = _rigid(label, side, guesses, walking) if label in walking else _medial(label, guesses, standing)
        guesses += [found] if found else []
    return guesses


def _relative_heights(standing: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Heights above the lowest marker, relative to that of the pelvis: of its markers by name, or 0.62 of the highest.

    NaN if the pelvis is no higher than the lowest marker, as with a single marker; then no name is accepted.
    """
    lowest = min((at[Y] for at in standing.values()), default=0.0)
    sided = sides_of(standing)
    pelvis = [at[Y] for label, at in standing.items() if re.fullmatch(NAMES["asis"], sided[label][1])]
    top = (
        float(np.mean(pelvis))
        if pelvis
        else lowest + 0.62 * (max((at[Y] for at in standing.values()), default=lowest) - lowest)
    )
    height = top - lowest if top > lowest else np.nan
    return {label: float((at[Y] - lowest) / height) for label, at in standing.items()}


def _named(stem: str, side: str, height: float) -> str | None:
    for landmark, pattern in NAMES.items():
        low, high = LEVEL[landmark]
        if re.fullmatch(pattern, stem) and low <= height <= high and (landmark in MIDDLE) == (side == ""):
            return landmark
    return None


def _without_repeats(guesses: list[Guess]) -> list[Guess]:
    """One marker for each landmark and side; further ones become markers anywhere on its segment."""
    taken: set[tuple[str, str]] = set()
    out = []
    for guess in guesses:
        key = (guess.side, guess.landmark)
        if key in taken and guess.landmark not in LEG and guess.segment in LEG:
            evidence = f"{NAME}, but another {guess.landmark.replace('_', ' ')} is known"
            guess = replace(guess, landmark=guess.segment, evidence=evidence)
        taken.add(key)
        out.append(guess)
    return out


def _rigid(label: str, side: str, guesses: list[Guess], walking: Mapping[str, np.ndarray]) -> Guess | None:
    """The guess that a marker is on the segment to whose named markers its distances vary least over the walk."""
    spreads: dict[tuple[str, str], list[float]] = {}
    for other in guesses:
        if other.evidence.startswith(NAME) and other.label in walking and side in ("", other.side):
            apart = np.linalg.norm(walking[label] - walking[other.label], axis=1)
            if np.isfinite(apart).any():
                spreads.setdefault((other.side, other.segment), []).append(float(np.nanstd(apart)))
    mean = {key: float(np.mean(values)) for key, values in spreads.items()}
    if not mean:
        return None
    (owner, segment), spread = min(mean.items(), key=lambda item: item[1])
    if spread > MAX_SPREAD or segment not in LEG:
        return None
    evidence = f"moves with the {owner} {segment} in the walk (distances vary by {1000.0 * spread:.0f} mm)"
    return Guess(label, owner, segment, evidence)


def _medial(label: str, guesses: list[Guess], standing: Mapping[str, np.ndarray]) -> Guess | None:
    """The guess that a marker only in the static trial is a medial one, from its position next to a lateral one."""
    lateral_axis = _to_the_right(guesses, standing)
    if lateral_axis is None:
        return None
    for other in guesses:
        if other.landmark not in ("lateral_knee", "lateral_ankle") or other.evidence != NAME:
            continue
        landmark = other.landmark.replace("lateral", "medial")
        apart = standing[label] - standing[other.label]
        (near, far), level = MEDIAL_RANGE
        inside = -LATERAL_SIGN[other.side] * float(apart @ lateral_axis) > 0.0
        taken = any((guess.side, guess.landmark) == (other.side, landmark) for guess in guesses)
        if near <= np.linalg.norm(apart) <= far and abs(apart[Y]) <= level and inside and not taken:
            return Guess(label, other.side, landmark, f"position next to {other.label} in the static trial")
    return None


def _to_the_right(guesses: list[Guess], standing: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Horizontal unit vector (3,) from the left side's markers to the right side's; None if it cannot be determined."""
    sides = [[standing[guess.label] for guess in guesses if guess.side == side] for side in SIDES]
    if not all(sides):
        return None
    left, right = (np.mean(markers, axis=0) for markers in sides)
    across = (right - left) * [1.0, 0.0, 1.0]
    width = float(np.linalg.norm(across))
    return across / width if width > 0.0 else None
