"""Left, right and forward: order of the labels of pelvis and legs, and heading of the pelvis in the progression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import belts_of
from pipeline.conventions import SIDES, X, Y, Z
from pipeline.math3d import unit
from pipeline.plausibility.known_loads import pelvis_centre
from pipeline.signals import finite_median
from pipeline.trial import Finding, Kinematics, Part

MIN_APART = 0.0
"""mm by which the right knee and ankle are right of the left ones on average: 80 and more on measured walks; feet may
cross, whole legs do not."""

MAX_HEADING = 45.0
"""Degrees; maximum angle between pelvis and progression in forward walking."""

MIN_FACING = float(np.cos(np.radians(30.0)))
"""Fraction of its median component along the progression above which the pelvis faces the direction of walking: the
cosine of 30 degrees, twice the angle by which it turns to either side in a stride."""

MAX_BEND = 10.0
"""Degrees between the directions that the pelvis faces on average in two gait cycles: at most 6 in 29 walks along a
walkway."""

MIN_PASS = 1.0
"""m walked one way, and back facing the other way, beyond which a recording holds two walks: two or three steps."""


def orientation(kinematics: Kinematics) -> Iterator[Finding]:
    """A pelvis that is upside down, does not face the progression or turns, and legs on the other side of the body."""
    R_GP = _pelvis(kinematics)
    if R_GP is None or not np.isfinite(R_GP).any():
        return
    turns = turns_round(kinematics)
    if turns:
        farthest = max(turn.back for turn in turns)
        times = " and ".join(f"between {turn.begin:.2f} and {turn.end:.2f} s" for turn in turns)
        yield Finding(
            grade="refusal",
            subject="pelvis",
            text=f"turns round {times}, and the subject walks {farthest:.1f} m back",
            value=farthest,
            limit=MIN_PASS,
            units="m",
            source="a walk in one direction, on which angles, sides and events depend",
            cause="because the recording contains a walk there and back",
            remedy="make each direction a trial of its own: rows of trials.tsv with the same file and "
            f"{_parts(turns)} in the column 'part'",
        )
    seen = R_GP[np.isfinite(R_GP).all(axis=(1, 2))]
    if np.median(seen[:, Y, Y]) < 0.0:
        yield _exchanged("pelvis", "its markers put it upside down", np.nan, np.nan)
    turned = heading(kinematics)
    if turned > MAX_HEADING:
        yield Finding(
            subject="pelvis",
            text=f"faces {turned:.0f} degrees away from the progression, on which pelvis and foot angles, step "
            "lengths and marker events depend",
            value=turned,
            limit=MAX_HEADING,
            units="degrees",
            source="forward walking",
            cause="because the subject walks backwards or sideways, or 'progression' in trials.tsv is wrong",
            remedy="correct 'progression', or leave the trial out",
        )
    bent = float("nan") if turns else bend(kinematics)
    if bent > MAX_BEND:
        yield Finding(
            subject="pelvis",
            text=f"faces directions that differ by {bent:.0f} degrees between gait cycles, while angles of pelvis and "
            "feet, step lengths and speed refer to one direction",
            value=bent,
            limit=MAX_BEND,
            units="degrees",
            source="29 walks along a walkway",
            cause="because the subject walks along a curve, or begins to turn",
            remedy="cut off the turn (column 'part' of trials.tsv)",
            angle_error=0.5 * bent,
            angle_of="pelvic rotation and foot progression",
        )
    apart = _legs_apart(kinematics, R_GP)
    if apart < MIN_APART:
        text = f"the right knee and ankle are {-apart:.0f} mm left of the left ones on average"
        yield _exchanged("legs", text, apart, MIN_APART)


def heading(kinematics: Kinematics) -> float:
    """Median angle between the direction in which the pelvis faces and the progression, degrees; NaN without pelvis."""
    R_GP = _pelvis(kinematics)
    facing = np.nan if R_GP is None else finite_median(R_GP)[X, X]
    return float(np.degrees(np.arccos(np.clip(facing, -1.0, 1.0))))


def bend(kinematics: Kinematics) -> float:
    """Largest angle between the directions that the pelvis faces on average in two gait cycles, degrees.

    NaN if fewer than two cycles show the pelvis throughout, and on a treadmill, where nobody walks along a curve.
    """
    R_GP = _pelvis(kinematics)
    if R_GP is None or any(belts_of(kinematics).values()):
        return float("nan")
    means = []
    for cycle in kinematics.cycles:
        within = (kinematics.time >= cycle.initial_contact) & (kinematics.time < cycle.next_initial_contact)
        means.append(R_GP[within, :, X].mean(axis=0))
    facing = np.array([unit(mean) for mean in means if np.isfinite(mean).all()])
    if len(facing) < 2:
        return float("nan")
    middle = facing.mean(axis=0)
    sideways = facing @ np.cross(middle, np.eye(3)[Y])
    return float(np.degrees(np.ptp(np.arctan2(sideways, facing @ middle))))


def faces_away(kinematics: Kinematics) -> bool:
    """Whether the pelvis does not face the progression, as in a walk backwards or sideways, which `orientation`
    reports."""
    return heading(kinematics) > MAX_HEADING


@dataclass(frozen=True)
class Turn:
    """A turn after which the subject walks back.

    Attributes:
        begin, end: s, when the pelvis leaves the direction of the way there, and when it reaches that of the way back.
        back: m walked back.
    """

    begin: float
    end: float
    back: float


def turns_round(kinematics: Kinematics) -> list[Turn]:
    """Turns after which the subject walks back, facing that way, in order of time."""
    R_GP, centre = _pelvis(kinematics), pelvis_centre(kinematics)
    if R_GP is None or centre is None:
        return []
    seen = np.flatnonzero(np.isfinite(centre).all(axis=1) & np.isfinite(R_GP).all(axis=(1, 2)))
    along, facing, time = centre[seen, X], R_GP[seen, X, X], kinematics.time[seen]
    ends = [0, *_reversals(along), len(seen) - 1]
    found = []
    for begin, turn, end in zip(ends, ends[1:], ends[2:], strict=False):
        there, back = facing[begin : turn + 1], facing[turn + 1 : end + 1]
        typical, after = np.median(there), np.median(back)
        if typical * after < 0.0:
            left = begin + np.flatnonzero(there / typical > MIN_FACING)[-1]
            reached = turn + 1 + np.flatnonzero(back / after > MIN_FACING)[0]
            found.append(Turn(float(time[left]), float(time[reached]), float(abs(along[end] - along[turn]))))
    return found


def _parts(turns: Sequence[Turn]) -> str:
    """The passes between turns as cells of trials.tsv."""
    begins, ends = [0.0, *(turn.end for turn in turns)], [*(turn.begin for turn in turns), None]
    parts = [Part(round(begin, 2), end and round(end, 2)) for begin, end in zip(begins, ends, strict=True)]
    return " and ".join(str(part) for part in parts)


def _reversals(along: np.ndarray) -> list[int]:
    """Indices of the ends of passes longer than `MIN_PASS` that are followed by one in the other direction."""
    found: list[int] = []
    low = high = way = 0
    for k, place in enumerate(along):
        low, high = (k if place < along[low] else low), (k if place > along[high] else high)
        if way >= 0 and along[high] - place > MIN_PASS:
            found += [high] if way else []
            low, way = k, -1
        elif way <= 0 and place - along[low] > MIN_PASS:
            found += [low] if way else []
            high, way = k, 1
    return found


def _pelvis(kinematics: Kinematics) -> np.ndarray | None:
    """Axes (T, 3, 3) of the pelvis in G; None if there is no hip."""
    return next((joint.R_GP for name, joint in kinematics.joints.items() if name.endswith("_hip")), None)


def _legs_apart(kinematics: Kinematics, R_GP: np.ndarray) -> float:
    """Mean distance, mm, of the right from the left knee and ankle towards the body's right; NaN if one is not seen.

    The body's right is that of an upright pelvis, even if the pelvis's own labels are exchanged.
    """
    right = np.where(R_GP[:, Y, 1:2] < 0.0, -1.0, 1.0) * R_GP[:, :, Z]
    found = []
    for joint in ("knee", "ankle"):
        centres = [kinematics.points.get(f"{side}_{joint}", np.full((1, 3), np.nan)) for side in SIDES]
        found.append(finite_median(np.sum((centres[1] - centres[0]) * right, axis=1)))
    return 1000.0 * float(np.mean(found))


def _exchanged(subject: str, text: str, value: float, limit: float) -> Finding:
    return Finding(
        grade="refusal",
        subject=subject,
        text=text,
        value=value,
        limit=limit,
        units="mm",
        source="anatomy",
        cause="because left and right labels are exchanged over the whole walk, or one axis of the laboratory is "
        "reversed, which makes a mirror image",
        remedy="correct the labelling or the axes in the recording software",
    )
