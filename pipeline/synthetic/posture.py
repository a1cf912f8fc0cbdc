"""Coordinates of the 55-joint skeleton of the synthetic subject in quiet standing."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.math3d import rotation_about
from pipeline.skeleton import segment_pose
from pipeline.synthetic.reach import reach
from pipeline.synthetic.subject import DemoSubject

KNEE = 3.0
"""Degrees; approximate flexion of the knees."""

_EY = np.array([0.0, 1.0, 0.0])
_ARMS = {"shoulder_adduction": -8.0, "elbow_flexion": 10.0, "elbow_pronation": 20.0}


def standing_posture(subject: DemoSubject, heading: float, tilt: float) -> np.ndarray:
    """Coordinates (55,) with flat feet below the hips, toed out by the subject's ``foot_out``, and no ankle inversion.

    The midpoint of the hips is above G's origin. Hips and ankles are thus at the zero that a standing posture defines.

    Args:
        subject: owner of the skeleton.
        heading: degrees by which the body is turned to the left of G's X axis.
        tilt: anterior tilt of the pelvis, degrees.
    """
    from scipy.optimize import brentq

    body = subject.skeleton
    yaw = rotation_about(_EY, np.radians(heading))
    q = np.zeros((1, len(body)))
    q[0, body.index("pelvis_rotation")] = np.radians(heading)
    q[0, body.index("pelvis_tilt")] = -np.radians(tilt)
    legs = min(subject.thigh_length[side] + subject.shank_length[side] * np.cos(np.radians(KNEE)) for side in SIDES)
    q[0, 1] = subject.ankle_height + legs
    for side in SIDES:
        q[0, body.index(f"{side}_knee_flexion")] = np.radians(KNEE)
        for name, angle in _ARMS.items():
            q[0, body.index(f"{side}_{name}")] = np.radians(angle)

    def placed(side: str, lateral: float) -> np.ndarray:
        _, hip = segment_pose(body, f"{side}_thigh", q)
        ankle = hip + lateral * yaw[:, 2]
        ankle[:, 1] = subject.ankle_height
        out = rotation_about(_EY, -LATERAL_SIGN[side] * np.radians(subject.foot_out[side]))
        return reach(body, side, q, (yaw @ out)[None], ankle)

    for side in SIDES:
        inversion = body.index(f"{side}_ankle_inversion")
        lateral = brentq(lambda z, s=side, j=inversion: placed(s, z)[0, j], -0.022, 0.022, xtol=1e-12)
        q = placed(side, lateral)
    return q[0]
