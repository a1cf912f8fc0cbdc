r"""Hip joint centres from a trial in which the hips are moved, by least squares (Ehrig et al. 2006, J Biomech 39).

The centres :math:`c_1` in the pelvis and :math:`c_2` in the thigh's cluster are those that stay closest together:
:math:`\min \sum_t |R_1 c_1 + o_1 - R_2 c_2 - o_2|^2`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.pose import BodyPose
from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.errors import AnatomyError
from pipeline.signals import low_pass
from pipeline.trial import RawTrial

CUTOFF = 6.0
"""Hz; low-pass filter of the markers: their noise rotates the clusters, which biases the centre."""

MIN_FLEXION, MIN_ABDUCTION = 30.0, 20.0
"""Degrees; range of the thigh's direction below which the centre is not determined: walking has too little abduction.
Camomilla et al. (2006, J Biomech 39, 1096-1106) recommend a star of flexions and abductions and an arc."""

MAX_RESIDUAL = 0.006
"""m, root mean square. On synthetic trials with skin movement, the centre was off by 8 mm if the residual was below
this, like a regression (Hara et al. 2016), and by up to 25 mm if above."""


@dataclass(frozen=True)
class FunctionalHip:
    """A hip centre (3,) m in the pelvis frame, and the evidence for it.

    Attributes:
        residual: m, root mean square distance between the centres in pelvis and thigh.
        flexion, abduction: range of the thigh's direction in the pelvis, degrees.
    """

    centre: np.ndarray
    residual: float
    flexion: float
    abduction: float


def common_centre(
    R_G1: np.ndarray, o_1: np.ndarray, R_G2: np.ndarray, o_2: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """The point that two moving bodies share best: (3,) m in the axes of each body, and the residual (m).

    Args:
        R_G1, R_G2: (T, 3, 3) orientations; finite.
        o_1, o_2: (T, 3) m, origins in G.
    """
    A = np.concatenate([R_G1, -R_G2], axis=2).reshape(-1, 6)
    b = (o_2 - o_1).reshape(-1)
    solution, *_ = np.linalg.lstsq(A, b, rcond=None)
    residual = float(np.sqrt(np.mean(np.sum((A @ solution - b).reshape(-1, 3) ** 2, axis=1))))
    return solution[:3], solution[3:], residual


def functional_hips(trial: RawTrial, marker_set: MarkerSet) -> dict[str, FunctionalHip]:
    """Hip centres by side from a trial in which both hips are moved.

    Args:
        trial: star or arc movement of each hip.
        marker_set: with a cluster of markers on each thigh.

    Raises:
        AnatomyError: there is no such cluster, no frame shows both bodies, a hip moves too little, or the bodies share
            no point.
    """
    smooth_G = low_pass(trial.markers_G, trial.rate, CUTOFF, 4)
    markers = {name: smooth_G[:, k] for k, name in enumerate(trial.marker_names)}
    pose = BodyPose(marker_set, markers, {}, where=trial.name)
    return {side: _hip(pose, side) for side in SIDES}


def _hip(pose: BodyPose, side: str) -> FunctionalHip:
    where = f"trial {pose.where}, {side} hip"
    clusters = [n for n, f in pose.marker_set.frames.items() if f.cluster and n.startswith(f"{side}_thigh")]
    if not clusters:
        raise AnatomyError(
            f"marker set {pose.marker_set.name} has no cluster of three markers on the thigh",
            where=where,
            remedy="Use a regression (anatomy.hip_centre)",
        )
    bodies = [(pose.frame(name), pose.origin(name)) for name in ("pelvis", clusters[0])]
    seen = np.all([np.isfinite(R).all(axis=(1, 2)) & np.isfinite(o).all(axis=1) for R, o in bodies], axis=0)
    if not seen.any():
        raise AnatomyError(
            "no frame shows pelvis and thigh", where=where, remedy="Check the labels against the marker set"
        )
    (R_1, o_1), (R_2, o_2) = ((R[seen], o[seen]) for R, o in bodies)
    centre, _, residual = common_centre(R_1, o_1, R_2, o_2)
    thigh = np.einsum("tji,tj->ti", R_1, o_2 - o_1) - centre
    flexion = float(np.ptp(np.degrees(np.arctan2(thigh[:, 0], -thigh[:, 1]))))
    abduction = float(np.ptp(np.degrees(np.arctan2(LATERAL_SIGN[side] * thigh[:, 2], -thigh[:, 1]))))
    if flexion < MIN_FLEXION or abduction < MIN_ABDUCTION:
        raise AnatomyError(
            f"it moves by {flexion:.0f} degrees in flexion and {abduction:.0f} in abduction (limits {MIN_FLEXION:g} "
            f"and {MIN_ABDUCTION:g}), which does not determine its centre",
            where=where,
            remedy="Record flexion, extension and abduction of each hip, or use a regression (anatomy.hip_centre)",
        )
    if residual > MAX_RESIDUAL:
        raise AnatomyError(
            f"pelvis and thigh share no point within {1000 * residual:.1f} mm (limit {1000 * MAX_RESIDUAL:.1f} mm); "
            "skin moved the markers, or a label is wrong",
            where=where,
            remedy="Check the labels in this trial, or use a regression (anatomy.hip_centre)",
        )
    return FunctionalHip(centre, residual, flexion, abduction)
