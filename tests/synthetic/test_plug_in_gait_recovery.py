"""The demo's markers lead back to its joints by Plug-in Gait's construction, written out here once more."""

from __future__ import annotations

import ezc3d
import numpy as np
import pytest

from pipeline.math3d import rotation_from_axes, unit
from pipeline.synthetic import standing

SIDES = ("left", "right")
OUTWARD = {"left": -1.0, "right": 1.0}


def _markers(path, R_LG: np.ndarray) -> dict[str, np.ndarray]:
    """Markers (T, 3), m, in G as ezc3d reads them from millimetres."""
    c3d = ezc3d.c3d(str(path))
    points = 1e-3 * np.moveaxis(c3d["data"]["points"][:3], (0, 1, 2), (2, 1, 0)) @ R_LG
    return dict(zip(c3d["parameters"]["POINT"]["LABELS"]["value"], np.moveaxis(points, 1, 0), strict=True))


def _chord(proximal: np.ndarray, marker: np.ndarray, wand: np.ndarray, distance: float) -> np.ndarray:
    """Joint centre at ``distance`` from the marker, with a right angle at it, in the wand's plane, away from the wand.

    In the right triangle the angle at the marker has the cosine distance / |proximal - marker|.
    """
    to_proximal = proximal - marker
    cosine = (distance / np.linalg.norm(to_proximal, axis=-1))[:, None]
    along = unit(to_proximal)
    off_line = wand - marker
    away = -unit(off_line - np.sum(off_line * along, axis=-1, keepdims=True) * along)
    return marker + distance * (cosine * along + np.sqrt(1 - cosine**2) * away)


def _plug_in_gait(markers: dict[str, np.ndarray], side: str, values: dict[str, float]) -> dict[str, np.ndarray]:
    """Joint centres and frames of one side by Plug-in Gait's published construction, from stored values in mm."""
    s, c = OUTWARD[side], side[0].upper()
    left, right = markers["LASI"], markers["RASI"]
    middle, sacrum = 0.5 * (left + right), 0.5 * (markers["LPSI"] + markers["RPSI"])
    R_pelvis = rotation_from_axes(right - left, middle - sacrum, "zx")
    leg = values[f"{c}LegLength"]
    C = 0.115 * 0.5 * (values["LLegLength"] + values["RLegLength"]) - 15.3
    back = 0.1288 * leg - 48.56 + 7.0
    inter_asis = 1e3 * np.mean(np.linalg.norm(right - left, axis=-1))
    x = C * np.cos(0.5) * np.sin(0.314) - back * np.cos(0.314)
    y_left = s * (C * np.sin(0.5) - inter_asis / 2)  # the published Y axis points to the left
    z = -C * np.cos(0.5) * np.cos(0.314) - back * np.sin(0.314)
    hip = middle + R_pelvis @ (1e-3 * np.array([x, z, -y_left]))
    knee = _chord(hip, markers[c + "KNE"], markers[c + "THI"], 1e-3 * (values[f"{c}KneeWidth"] + 14) / 2)
    ankle = _chord(knee, markers[c + "ANK"], markers[c + "TIB"], 1e-3 * (values[f"{c}AnkleWidth"] + 14) / 2)
    R_shank = rotation_from_axes(knee - ankle, s * (markers[c + "ANK"] - ankle), "yz")
    return {
        "hip": hip,
        "knee": knee,
        "ankle": ankle,
        "pelvis_R": R_pelvis,
        "thigh_R": rotation_from_axes(hip - knee, s * (markers[c + "KNE"] - knee), "yz"),
        "shank_R": R_shank,
        "uncorrected_foot_R": rotation_from_axes(markers[c + "TOE"] - ankle, R_shank[..., 2], "xz"),
    }


@pytest.mark.parametrize("side", SIDES)
def test_plug_in_gait_from_the_files_finds_the_true_joint_centres_and_frames(folder, truth, side):
    """All from the stored markers and PROCESSING values; the foot's offset comes from the static file."""
    stored = ezc3d.c3d(str(folder / "walk.c3d"))["parameters"]["PROCESSING"]
    values = {name: stored[name]["value"][0] for name in stored if name != "__METADATA__"}
    found = _plug_in_gait(_markers(folder / "walk.c3d", truth.R_LG), side, values)
    neutral = standing()
    static = _markers(folder / "static.c3d", neutral.R_LG)
    still = _plug_in_gait(static, side, values)

    for joint in ("hip", "knee", "ankle"):
        # float32 millimetres resolve 0.1 um at 1 m; the chord multiplies it by the ratio of its sides, about 10.
        np.testing.assert_allclose(found[joint], truth.joint_centres_G[f"{side}_{joint}"], atol=5e-6)
    for name, segment in (("pelvis", "pelvis"), ("thigh", f"{side}_thigh"), ("shank", f"{side}_shank")):
        np.testing.assert_allclose(found[f"{name}_R"], truth.segments[segment].R_GS, atol=5e-5)

    c = side[0].upper()
    heel, toe = static[c + "HEE"], static[c + "TOE"]
    np.testing.assert_allclose(heel[:, 1], toe[:, 1], atol=1e-6)
    flat = rotation_from_axes(toe - heel, still["shank_R"][..., 2], "xz")
    offset = np.swapaxes(still["uncorrected_foot_R"], -1, -2) @ flat
    foot = found["uncorrected_foot_R"] @ offset.mean(axis=0)
    np.testing.assert_allclose(foot, truth.segments[f"{side}_foot"].R_GS, atol=1e-4)


def test_a_marker_moved_by_two_millimetres_moves_the_joint_centre(folder, truth):
    """The recovery above can fail: its tolerance is far below what a wrong marker costs."""
    markers = _markers(folder / "walk.c3d", truth.R_LG)
    markers["LTHI"] = markers["LTHI"] + [0.002, 0.0, 0.0]
    found = _plug_in_gait(markers, "left", truth.subject.parameters())
    assert np.linalg.norm(found["knee"] - truth.joint_centres_G["left_knee"], axis=-1).max() > 5e-4
