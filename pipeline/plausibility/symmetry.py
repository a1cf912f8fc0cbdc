"""Symmetry: sagittal ranges of hip and knee over the gait cycle, left against right; and whether the pelvis is level.

If one side moves far less than the other, the gait is one-sided or a marker does not follow its leg. A pelvis that is
oblique on average stands on legs of unequal length, or one of its markers is too high.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.plausibility.limits import Limits
from pipeline.trial import Finding, GaitSummary

OBLIQUITY = "mean obliquity of the pelvis"

MIN_RATIO = 0.5
"""Range of the side that moves less over that of the other: 0.81 and more on seven walks, one with a stiff knee."""


def symmetry(summary: GaitSummary) -> Iterator[Finding]:
    """Joints that move far less on one side than on the other: a note, since one-sided gait does this as well."""
    for name in ("hip_flexion", "knee_flexion"):
        ranges = {side: float(np.ptp(own[name])) for side, own in summary.mean.items()}
        if not np.isfinite(list(ranges.values())).all():
            continue
        less, more = sorted(ranges, key=lambda side: ranges[side])
        ratio = ranges[less] / ranges[more]
        if ratio < MIN_RATIO:
            yield Finding(
                grade="note",
                subject=f"{less} {name.partition('_')[0]}",
                text=f"flexes over {ranges[less]:.0f} degrees, the {more} one over {ranges[more]:.0f}",
                value=ratio,
                limit=MIN_RATIO,
                units="1",
                source="seven walks, one with a stiff knee",
                cause="from a one-sided gait, or a marker that does not follow its leg",
                remedy=f"compare the markers of the {less} leg with the video if the gait does not explain it",
            )


def level_pelvis(summary: GaitSummary, limits: Limits) -> Iterator[Finding]:
    """A pelvis with one side higher over the whole gait cycle."""
    higher = {side: float(np.mean(own["pelvic_obliquity"])) for side, own in summary.mean.items()}
    value = 0.5 * (higher["left"] - higher["right"])
    if beyond := limits.beyond(OBLIQUITY, value):
        yield Finding(
            subject="pelvis",
            text=f"its {'left' if value > 0.0 else 'right'} side is {abs(value):.1f} degrees higher on average",
            **beyond,
            units="degrees",
            cause="because a marker of the pelvis is too high or too low, unless the legs differ in length",
            remedy="compare the positions of both sides' markers: hip angles and joint centres depend on them",
            angle_error=abs(value - limits.typical(OBLIQUITY)),
            angle_of="pelvis obliquity",
        )
