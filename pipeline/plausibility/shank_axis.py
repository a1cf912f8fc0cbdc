"""Axis of the shank between those of thigh and foot, in stance: a turned shank turns knee and ankle in opposite ways.

The loaded foot and the nearly straight knee hold the shank between them. A wand or marker of the shank that is placed
wrongly turns its axis against both: rotations of knee and ankle change by the same amount in opposite directions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.conventions import SIDES
from pipeline.plausibility.angles import loaded_frames
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.signals import finite_median
from pipeline.trial import Finding, Kinematics

ONE, BOTH = "turn of a shank's axis", "turn of one shank's axis against the other's"


def shank_axes(kinematics: Kinematics, limits: Limits) -> Iterator[Finding]:
    """Shanks with an axis that is turned against thigh and foot."""
    turns = {side: turn for side in SIDES if np.isfinite(turn := shank_turn(kinematics, side))}
    found = [(ONE, f"{side} shank", turn, "thigh and foot") for side, turn in turns.items()]
    if len(turns) == len(SIDES):
        apart = turns["left"] - turns["right"]
        found.append(
            (BOTH, "shanks", apart, "each other, left inwards" if apart > 0.0 else "each other, left outwards")
        )
    for name, subject, turn, against in found:
        if beyond := limits.beyond(name, turn):
            off = turn - limits.typical(name)
            side = subject.partition(" ")[0] if name == ONE else max(turns, key=lambda s: abs(turns[s]))
            wand = f"shank_rotation_{side}"
            given = wand in kinematics.calibration.values
            yield FindingWithError(
                subject=subject,
                text=f"flexion axis turned by {abs(turn):.0f} degrees relative to {against}",
                **beyond,
                units="degrees",
                cause="because the wand or marker of a shank is placed wrongly, its rotation offset is wrong, or the "
                "tibia is twisted",
                remedy="check the shank's wand and rotation offset: rotations of knee and ankle, and their frontal "
                "moments, depend on them",
                angle_error=np.nan if given else abs(off),
                angle_of="" if given else f"{side} knee rotation",
                error=BodyError(values={wand: float(np.radians(off))}) if given else None,
            )


def shank_turn(kinematics: Kinematics, side: str) -> float:
    """Degrees by which the shank's axis is turned inwards from midway between thigh and foot; NaN if unknown."""
    frames = loaded_frames(kinematics, side)
    if not frames.any() or not {f"{side}_knee", f"{side}_ankle"} <= set(kinematics.angles):
        return np.nan
    knee, ankle = (np.degrees(kinematics.angles[f"{side}_{joint}"][frames, 2]) for joint in ("knee", "ankle"))
    return float(finite_median(0.5 * (knee - ankle)))
