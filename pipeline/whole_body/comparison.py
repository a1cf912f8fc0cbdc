"""Sagittal joint moments of the skeleton compared with those of the matrix form, over clean stances."""

from __future__ import annotations

import numpy as np

from pipeline.signals import step_frames
from pipeline.trial import BodyDynamics, JointMoments, MomentComparison, MotionAndPlates


def moment_comparisons(
    body: BodyDynamics, loads: JointMoments, kinematics: MotionAndPlates
) -> tuple[MomentComparison, ...]:
    """Correlation, difference and peaks of each leg joint's moment; no entry if either method has no values."""
    found = []
    for name, moment in body.joint_moments.items():
        side, _, _ = name.partition("_")
        stance = step_frames(side, kinematics.stances, kinematics.time)
        skeleton, matrix_form = moment[:, 2] / loads.mass, loads.joints[name].moment_distal[:, 2] / loads.mass
        both = stance & np.isfinite(skeleton) & np.isfinite(matrix_form)
        if both.sum() <= 2:
            continue
        skeleton, matrix_form = skeleton[both], matrix_form[both]
        peak = float(matrix_form[np.argmax(np.abs(matrix_form))])
        found.append(
            MomentComparison(
                joint=name,
                correlation=float(np.corrcoef(skeleton, matrix_form)[0, 1]),
                rms_difference=float(np.sqrt(np.mean((skeleton - matrix_form) ** 2))),
                matrix_form_peak=peak,
                skeleton_peak=float(np.sign(peak) * np.max(np.sign(peak) * skeleton)),
            )
        )
    return tuple(found)
