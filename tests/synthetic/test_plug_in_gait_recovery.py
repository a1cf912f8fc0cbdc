"""The demo's markers lead back to its joints by Plug-in Gait's construction, written out here once more."""

from __future__ import annotations

import ezc3d
import numpy as np
import pytest

from pipeline.math3d import rotation_about, rotation_from_axes, unit
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


def _turned_wand(
    proximal: np.ndarray, marker: np.ndarray, wand: np.ndarray, distance: float, turn: float
) -> np.ndarray:
    """Joint centre by the chord, the wand turned by ``turn`` about the line from the proximal joint to that centre.

    Vicon's offsets; found by repetition, since the line depends on the centre.
    """
    centre = _chord(proximal, marker, wand, distance)
    for _ in range(30):
        R = rotation_about(centre - proximal, np.full(len(centre), turn))
        centre = _chord(proximal, marker, proximal + np.einsum("tij,tj->ti", R, wand - proximal), distance)
    return centre


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
    wide, narrow = (1e-3 * (values[f"{c}{joint}Width"] + 14) / 2 for joint in ("Knee", "Ankle"))
    knee = _turned_wand(hip, markers[c + "KNE"], markers[c + "THI"], wide, -s * values[f"{c}ThighRotation"])
    ankle = _turned_wand(knee, markers[c + "ANK"], markers[c + "TIB"], narrow, -s * values[f"{c}ShankRotation"])
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
    """All from the stored markers and PROCESSING values, the wands' and the malleoli's offsets among them."""
    stored = ezc3d.c3d(str(folder / "walk.c3d"))["parameters"]["PROCESSING"]
    values = {name: stored[name]["value"][0] for name in stored if name != "__METADATA__"}
    found = _plug_in_gait(_markers(folder / "walk.c3d", truth.R_LG), side, values)
    for joint in ("hip", "knee", "ankle"):
        # float32 millimetres resolve 0.1 um at 1 m; the chord multiplies it by the ratio of its sides, about 10.
        np.testing.assert_allclose(found[joint], truth.joint_centres_G[f"{side}_{joint}"], atol=5e-6)
    for name, segment in (("pelvis", "pelvis"), ("thigh", f"{side}_thigh"), ("shank", f"{side}_shank")):
        np.testing.assert_allclose(found[f"{name}_R"], truth.segments[segment].R_GS, atol=5e-5)

    # The tibia with its torsion taken out has the knee's axes.
    torsion = -OUTWARD[side] * values[f"{side[0].upper()}TibialTorsion"]
    tibia = found["shank_R"] @ rotation_about(np.array([0.0, 1.0, 0.0]), torsion)
    np.testing.assert_allclose(tibia, truth.segments[f"{side}_tibia"].R_GS, atol=5e-5)


@pytest.mark.parametrize("side", SIDES)
def test_plug_in_gaits_foot_is_the_true_one_except_for_inversion(folder, truth, side):
    """Its x axis is parallel to the true foot's, exactly when the sole is flat; the shank determines the rotation about
    it.

    An ankle that inverts while its foot stays level turns Plug-in Gait's foot about its long axis, by some 8 degrees.
    """
    neutral = standing()
    values = truth.subject.parameters()
    static, walk = _markers(folder / "static.c3d", neutral.R_LG), _markers(folder / "walk.c3d", truth.R_LG)
    still, found = _plug_in_gait(static, side, values), _plug_in_gait(walk, side, values)
    c = side[0].upper()
    flat = (static[c + "TOE"] - static[c + "HEE"]) * [1.0, 0.0, 1.0]
    foot_R = rotation_from_axes(flat, still["uncorrected_foot_R"][..., 2], "xz")
    offset = (np.swapaxes(still["uncorrected_foot_R"], -1, -2) @ foot_R).mean(axis=0)
    foot = found["uncorrected_foot_R"] @ offset
    np.testing.assert_allclose(foot_R[0, :, 0], neutral.segments[f"{side}_foot"].R_GS[0, :, 0], atol=1e-5)
    along = np.sum(foot[..., 0] * truth.segments[f"{side}_foot"].R_GS[..., 0], axis=-1)
    assert np.degrees(np.arccos(np.clip(along, -1, 1))).max() < 2.5
    across = np.sum(foot[..., 2] * truth.segments[f"{side}_foot"].R_GS[..., 2], axis=-1)
    assert np.degrees(np.arccos(across)).max() < 9.0


def test_a_marker_moved_by_two_millimetres_moves_the_joint_centre(folder, truth):
    """The recovery above can fail: its tolerance is far below the error of a wrong marker."""
    markers = _markers(folder / "walk.c3d", truth.R_LG)
    markers["LTHI"] = markers["LTHI"] + [0.002, 0.0, 0.0]
    found = _plug_in_gait(markers, "left", truth.subject.parameters())
    assert np.linalg.norm(found["knee"] - truth.joint_centres_G["left_knee"], axis=-1).max() > 5e-4
