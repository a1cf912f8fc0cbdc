"""Left, right and forward of the body: pelvis and legs by their labels, and the pelvis in the progression."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.conventions import SIDES, X, Y, Z
from pipeline.trial import Finding, Kinematics

MIN_APART = 0.0
"""mm by which the right knee and ankle are right of the left ones on average: 80 and more on measured walks; feet may
cross, whole legs do not."""

MAX_HEADING = 45.0
"""Degrees; maximum angle between pelvis and progression in forward walking."""


def orientation(kinematics: Kinematics) -> Iterator[Finding]:
    """A pelvis that is upside down or does not face the progression, and legs on the other side of the body."""
    R_GP = next((joint.R_GP for name, joint in kinematics.joints.items() if name.endswith("_hip")), None)
    if R_GP is None or not np.isfinite(R_GP).any():
        return
    seen = R_GP[np.isfinite(R_GP).all(axis=(1, 2))]
    if np.median(seen[:, Y, Y]) < 0.0:
        yield _exchanged("pelvis", "its markers put it upside down", np.nan, np.nan)
    turned = float(np.degrees(np.arccos(np.clip(np.median(seen[:, X, X]), -1.0, 1.0))))
    if turned > MAX_HEADING:
        yield Finding(
            grade="warning",
            subject="pelvis",
            text=f"faces {turned:.0f} degrees away from the progression, which pelvis and foot angles, step lengths "
            "and marker events depend on",
            value=turned,
            limit=MAX_HEADING,
            units="degrees",
            source="forward walking",
            cause="as the subject walks backwards or sideways, or 'progression' in trials.tsv is wrong",
            remedy="correct 'progression', or leave the trial out",
        )
    apart = _legs_apart(kinematics, R_GP)
    if apart < MIN_APART:
        text = f"the right knee and ankle are {-apart:.0f} mm left of the left ones on average"
        yield _exchanged("legs", text, apart, MIN_APART)


def _legs_apart(kinematics: Kinematics, R_GP: np.ndarray) -> float:
    """Mean distance, mm, of right from left knees and ankles towards the body's right; NaN where one is not seen.

    The body's right is where an upright pelvis has it, also if its own labels are exchanged.
    """
    right = np.where(R_GP[:, Y, 1:2] < 0.0, -1.0, 1.0) * R_GP[:, :, Z]
    found = []
    for joint in ("knee", "ankle"):
        centres = [kinematics.points.get(f"{side}_{joint}", np.full((1, 3), np.nan)) for side in SIDES]
        apart = np.sum((centres[1] - centres[0]) * right, axis=1)
        seen = apart[np.isfinite(apart)]
        found.append(np.median(seen) if len(seen) else np.nan)
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
        cause="as labels of left and right are exchanged over the whole walk",
        remedy="correct the labelling in the recording software",
    )
