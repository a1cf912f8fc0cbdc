"""Markers of published sets on the synthetic subject's bones: where a person would palpate and place them.

Written from the anatomy outwards: joint centres and axes are the skeleton's, a lateral and a medial marker lie on
either side of a joint on its axis, and the pelvis has the width and depth at which the set's hip regression is exact.
Nothing here uses the marker sets' files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import ezc3d
import numpy as np

from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.synthetic import DemoSubject, DemoTruth, standing, walk

Markers = dict[str, tuple[str, np.ndarray]]
"""Segment of the skeleton and position (3,) m in its axes, by label."""

Side = Callable[[str], str]

_EZ = np.array([0.0, 0.0, 1.0])
_ASIS_WIDTH = 0.246
"""m; with Harrington's regression, whose depth then follows."""


@cache
def demo_trials() -> tuple[DemoTruth, DemoTruth]:
    """The demo's static trial and walk, computed once for all sets that are put on their subject."""
    return standing(), walk()


def pelvis_of(rule: str, half_hips: float, leg: float) -> tuple[float, float, np.ndarray]:
    """Width between the ASIS, depth to the PSIS (m), and midpoint of the hip centres (3,) m in the pelvis' axes.

    Args:
        rule: "bell", "harrington" or "hara", as published in mm, solved for the pelvis whose hips are where they are.
        half_hips: m, half the distance of the hip centres.
        leg: m, leg length that the file states.
    """
    half, length = 1000.0 * half_hips, 1000.0 * leg
    if rule == "bell":  # hips at 36 % of the width beside, 30 % below and 19 % behind the ASIS
        width, depth = half / 0.36, 150.0
        middle = [-0.19 * width, -0.30 * width, 0.0]
    elif rule == "harrington":
        width = 1000.0 * _ASIS_WIDTH
        depth = (half - 0.16 * width - 7.9) / 0.28
        middle = [-0.24 * depth - 9.9, -0.16 * width - 0.04 * length - 7.1, 0.0]
    else:  # Hara
        width, depth = 240.0, 155.0
        middle = [11.0 - 0.063 * length, -9.0 - 0.078 * length, 0.0]
    return width / 1000.0, depth / 1000.0, np.array(middle) / 1000.0


def hara_leg(half_hips: float) -> float:
    """Leg length (m) for which Hara's regression has these hips: 8 mm + 0.086 leg beside the middle."""
    return (half_hips - 0.008) / 0.086


def wearing(subject: DemoSubject, name: str) -> DemoSubject:
    """The subject with the markers of a set: "cgm2", "helen_hayes", "gait2392", "isb_ior" or "davis_bts"."""
    subject = replace(subject, level_hips=name != "davis_bts")
    return replace(subject, other_markers=_SETS[name](subject), other_parameters=_parameters(subject, name))


def _parameters(subject: DemoSubject, name: str) -> dict[str, float]:
    """Subject parameters that the set's files state, mm and kg; the rest is measured from markers."""
    values = {"Bodymass": subject.mass, "Height": 1e3 * subject.height}
    for side in SIDES:
        leg = hara_leg(_half_hips(subject)) if name == "cgm2" else subject.leg_length[side]
        values[f"{side[0].upper()}LegLength"] = 1e3 * leg
        if name == "davis_bts":
            values[f"{side[0].upper()}KneeWidth"] = 1e3 * subject.knee_width[side]
            values[f"{side[0].upper()}AnkleWidth"] = 1e3 * subject.ankle_width[side]
    return values


def _half_hips(subject: DemoSubject) -> float:
    return 0.5 * float(np.linalg.norm(subject.davis_hip_centre("right") - subject.davis_hip_centre("left")))


def _pelvis(subject: DemoSubject, rule: str, leg: float) -> dict[str, np.ndarray]:
    """ASIS, PSIS and sacrum in the axes of the skeleton's pelvis, whose origin is midway between the hips."""
    width, depth, middle = pelvis_of(rule, _half_hips(subject), leg)
    points = {"sacrum": np.array([-depth, 0.0, 0.0])}
    for side in SIDES:
        points[f"{side}_asis"] = np.array([0.0, 0.0, 0.5 * LATERAL_SIGN[side] * width])
        points[f"{side}_psis"] = np.array([-depth, 0.0, 0.048 * LATERAL_SIGN[side]])
    return {name: subject.R_SP @ (at - middle) for name, at in points.items()}


def _leg(subject: DemoSubject, side: str, radius: float) -> dict[str, tuple[str, np.ndarray]]:
    """Landmarks of one leg, and points on the skin of thigh and shank, by name."""
    thigh, shank, foot = f"{side}_thigh", f"{side}_shank", f"{side}_foot"
    knee, ankle = subject.knee_width[side] / 2 + radius, subject.ankle_width[side] / 2 + radius
    behind, size = np.radians(subject.malleolus[side]), subject.foot_scale[side]
    malleolus = ankle * np.array([-np.sin(behind), 0.0, np.cos(behind)])
    knee_level, ankle_level = (
        np.array([0.0, -length[side], 0.0]) for length in (subject.thigh_length, subject.shank_length)
    )
    placed = {
        "lateral_knee": (thigh, knee_level + knee * _EZ),
        "medial_knee": (thigh, knee_level - knee * _EZ),
        "lateral_ankle": (shank, ankle_level + malleolus),
        "medial_ankle": (shank, ankle_level - malleolus),
        "trochanter": (thigh, np.array([0.01, 0.005, 0.085])),
        "thigh_side": (thigh, np.array([0.017, -0.235, 0.086])),
        "thigh_front": (thigh, np.array([0.075, -0.200, 0.030])),
        "thigh_low": (thigh, np.array([0.060, -0.330, 0.035])),
        "thigh_rear": (thigh, np.array([-0.035, -0.300, 0.065])),
        "thigh_bar": (thigh, np.array([0.0, -0.250, 0.150])),
        "fibula": (shank, np.array([-0.020, -0.045, 0.055])),
        "tuberosity": (shank, np.array([0.045, -0.060, 0.010])),
        "shank_side": (shank, np.array([0.012, -0.210, 0.061])),
        "shank_front": (shank, np.array([0.050, -0.150, 0.015])),
        "shank_low": (shank, np.array([0.040, -0.290, 0.010])),
        "shank_rear": (shank, np.array([-0.030, -0.180, 0.050])),
        "shank_bar": (shank, np.array([-0.130 * np.sin(behind), -0.230, 0.130 * np.cos(behind)])),
        "heel": (foot, size * np.array([-0.074, -0.0385, 0.0])),
        "toe": (foot, size * np.array([0.118, -0.030, 0.0])),
        "first_metatarsal": (foot, size * np.array([0.112, -0.034, -0.040])),
        "fifth_metatarsal": (foot, size * np.array([0.112, -0.034, 0.045])),
        "instep": (foot, size * np.array([0.060, 0.005, -0.010])),
        "outer_midfoot": (foot, size * np.array([0.050, -0.030, 0.040])),
    }
    mirror = np.array([1.0, 1.0, LATERAL_SIGN[side]])
    return {name: (segment, mirror * at) for name, (segment, at) in placed.items()}


def _built(
    subject: DemoSubject, rule: str, radius: float, pelvis: Mapping[str, str], leg: Mapping[str, str], letters: Side
) -> Markers:
    """A set from the labels of landmarks: ``pelvis`` by label, ``leg`` by label without its side."""
    stated = hara_leg(_half_hips(subject)) if rule == "hara" else np.mean([subject.leg_length[s] for s in SIDES])
    bones = _pelvis(subject, rule, float(stated))
    markers = {label: ("pelvis", bones[landmark]) for label, landmark in pelvis.items()}
    for side in SIDES:
        landmarks = _leg(subject, side, radius)
        markers |= {letters(side) + label: landmarks[landmark] for label, landmark in leg.items()}
    return markers


def _upper(subject: DemoSubject, middle: Mapping[str, str], sided: Mapping[str, str], letters: Side) -> Markers:
    """Markers of trunk, head and arms at places of Plug-in Gait's, whose labels are the values."""
    own = subject.plug_in_gait_markers
    markers = {label: own[name] for label, name in middle.items()}
    for side in SIDES:
        markers |= {letters(side) + label: own[side[0].upper() + name] for label, name in sided.items()}
    return markers


def _capital(side: str) -> str:
    return side[0].upper()


def _cgm2(subject: DemoSubject) -> Markers:
    pelvis = {"LASI": "left_asis", "RASI": "right_asis", "LPSI": "left_psis", "RPSI": "right_psis"}
    leg = {"THI": "thigh_side", "THAP": "thigh_front", "THAD": "thigh_low", "KNE": "lateral_knee", "KNM": "medial_knee"}
    leg |= {"TIB": "shank_side", "TIAP": "shank_front", "TIAD": "shank_low", "ANK": "lateral_ankle"}
    leg |= {"MED": "medial_ankle", "HEE": "heel", "TOE": "toe"}
    middle = {name: name for name in ("C7", "T10", "CLAV", "STRN", "RBAK")}
    sided = {name: name for name in ("FHD", "BHD", "SHO", "ELB", "WRA", "WRB", "FIN")}
    upper = _upper(subject, middle, sided, _capital)
    return _built(subject, "hara", 0.007, pelvis, leg, _capital) | upper


def _helen_hayes(subject: DemoSubject) -> Markers:
    pelvis = {"L.ASIS": "left_asis", "R.ASIS": "right_asis", "V.Sacral": "sacrum"}
    leg = {".Thigh": "thigh_side", ".Knee": "lateral_knee", ".Knee.Medial": "medial_knee", ".Shank": "shank_side"}
    leg |= {".Ankle": "lateral_ankle", ".Ankle.Medial": "medial_ankle", ".Heel": "heel", ".Toe": "toe"}
    upper = _upper(subject, {"R.Offset": "RBAK"}, {".Shoulder": "SHO", ".Elbow": "ELB", ".Wrist": "WRA"}, _capital)
    return _built(subject, "harrington", 0.0125, pelvis, leg, _capital) | upper


def _gait2392(subject: DemoSubject) -> Markers:
    pelvis = {"L.ASIS": "left_asis", "R.ASIS": "right_asis", "V.Sacral": "sacrum"}
    leg = {".Thigh.Upper": "thigh_side", ".Thigh.Front": "thigh_front", ".Thigh.Rear": "thigh_rear"}
    leg |= {".Knee.Lat": "lateral_knee", ".Knee.Med": "medial_knee", ".Shank.Upper": "shank_side"}
    leg |= {".Shank.Front": "shank_front", ".Shank.Rear": "shank_rear", ".Ankle.Lat": "lateral_ankle"}
    leg |= {".Ankle.Med": "medial_ankle", ".Heel": "heel", ".Midfoot.Sup": "instep", ".Midfoot.Lat": "outer_midfoot"}
    leg |= {".Toe.Tip": "toe", ".Toe.Lat": "fifth_metatarsal", ".Toe.Med": "first_metatarsal"}
    sided = {".Temple": "FHD", ".Acromium": "SHO", ".Elbow": "ELB", ".Wrist.Lat": "WRA", ".Wrist.Med": "WRB"}
    upper = _upper(subject, {"Sternum": "CLAV"}, sided, _capital)
    return _built(subject, "harrington", 0.007, pelvis, leg, _capital) | upper


def _isb_ior(subject: DemoSubject) -> Markers:
    pelvis = {"LIAS": "left_asis", "RIAS": "right_asis", "LIPS": "left_psis", "RIPS": "right_psis"}
    leg = {"FTC": "trochanter", "FLE": "lateral_knee", "FME": "medial_knee", "FAX": "fibula", "TTC": "tuberosity"}
    leg |= {"FAL": "lateral_ankle", "TAM": "medial_ankle", "FCC": "heel", "FM1": "first_metatarsal"}
    leg |= {"FM2": "toe", "FM5": "fifth_metatarsal"}
    sided = {"HEAD": "FHD", "CAJ": "SHO", "HLE": "ELB", "RSP": "WRA", "USP": "WRB", "HM2": "FIN"}
    upper = _upper(subject, {"CV7": "C7", "TV7": "T10", "SJN": "CLAV", "SXS": "STRN"}, sided, _capital)
    return _built(subject, "bell", 0.0075, pelvis, leg, _capital) | upper


def isb_ior_without_second_metatarsal(subject: DemoSubject) -> Markers:
    """As laboratories place the set that mark the first and the fifth metatarsal only."""
    return {label: site for label, site in _isb_ior(subject).items() if not label.endswith("FM2")}


def _opencap(subject: DemoSubject) -> Markers:
    """The labels of OpenCap's estimate; its hips are joint centres."""
    pelvis = {
        f"{letter}.{label}_study": f"{side}_{landmark}"
        for side, letter in (("left", "L"), ("right", "r"))
        for label, landmark in (("ASIS", "asis"), ("PSIS", "psis"))
    }
    leg = {"_knee": "lateral_knee", "_mknee": "medial_knee", "_ankle": "lateral_ankle", "_mankle": "medial_ankle"}
    leg |= {"_calc": "heel", "_toe": "toe", "_5meta": "fifth_metatarsal", "_thigh1": "thigh_side"}
    leg |= {"_thigh2": "thigh_front", "_thigh3": "thigh_low", "_sh1": "shank_side", "_sh2": "shank_front"}
    leg |= {"_sh3": "shank_low"}
    labels = {f"{label}_study": landmark for label, landmark in leg.items()}
    hips = {f"{s[0].upper()}HJC_study": (f"{s}_thigh", np.zeros(3)) for s in SIDES}
    letter = {"left": "L", "right": "r"}.__getitem__
    upper = _upper(subject, {"C7_study": "C7"}, {"_shoulder_study": "SHO"}, letter)
    return _built(subject, "harrington", 0.0, pelvis, labels, letter) | hips | upper


def _video_keypoints(subject: DemoSubject) -> Markers:
    """Joint centres, the neck midway between the shoulders, and three points of each foot."""
    shoulders = [subject.plug_in_gait_markers[label] for label in ("LSHO", "RSHO")]
    markers: Markers = {"Neck": subject.plug_in_gait_markers["C7"]}
    for side, shoulder in zip(SIDES, shoulders, strict=True):
        letter, landmarks = side[0].upper(), _leg(subject, side, 0.0)
        markers |= {f"{letter}Shoulder": shoulder, f"{letter}Hip": (f"{side}_thigh", np.zeros(3))}
        markers |= {f"{letter}Knee": (f"{side}_shank", np.zeros(3)), f"{letter}Ankle": (f"{side}_foot", np.zeros(3))}
        markers |= {f"{letter}Heel": landmarks["heel"], f"{letter}BigToe": landmarks["first_metatarsal"]}
        markers |= {f"{letter}SmallToe": landmarks["fifth_metatarsal"]}
    return markers


def _theia(subject: DemoSubject) -> Markers:
    """Origins of the segments at their proximal joints, and points 0.1 m away on axes to the right, forward and up."""
    arms = {"": np.zeros(3), "_x": _EZ, "_y": np.array([1.0, 0.0, 0.0]), "_z": np.array([0.0, 1.0, 0.0])}
    middle = {"pelvis": "pelvis", "torso": "upper_thorax", "head": "head"}
    limbs = {"thigh": "thigh", "shank": "shank", "foot": "foot", "toes": "toes"}
    limbs |= {"uarm": "upper_arm", "larm": "forearm", "hand": "hand"}
    segments = middle | {f"{s[0]}_{name}": f"{s}_{segment}" for s in SIDES for name, segment in limbs.items()}
    axes = {
        f"{name}_4X4{end}": (segment, 0.1 * axis) for name, segment in segments.items() for end, axis in arms.items()
    }
    return axes | {f"{side[0].upper()}HEEL": _leg(subject, side, 0.0)["heel"] for side in SIDES}


def as_segment_poses(path: Path) -> None:
    """In place of markers, the poses of the segments on which they lie (group ROTATION), as Theia3D writes them."""
    file = ezc3d.c3d(str(path))
    labels = [label.replace("_4x4", "_4X4") for label in file["parameters"]["POINT"]["LABELS"]["value"]]
    points = {label: file["data"]["points"][:3, k] for k, label in enumerate(labels)}
    segments = [label for label in labels if label.endswith("_4X4")]
    poses = np.zeros((4, 4, len(segments), file["data"]["points"].shape[2]))
    poses[3, 3] = 1.0
    for k, segment in enumerate(segments):
        poses[:3, 3, k] = points[segment]
        for column, axis in enumerate("xyz"):
            poses[:3, column, k] = (points[f"{segment}_{axis}"] - points[segment]) / 100.0
    for letter in "lr":
        turned, origin = poses[:3, :3, segments.index(f"{letter}_foot_4X4"), 0], points[f"{letter}_foot_4X4"][:, 0]
        local = turned.T @ (points[f"{letter.upper()}HEEL"][:, 0] - origin)
        file.add_parameter("THEIA3D", f"{letter.upper()}HEEL_POS", [float(x) for x in local])
    file["parameters"]["POINT"]["LABELS"]["value"] = []
    file["parameters"]["POINT"]["DESCRIPTIONS"]["value"] = []
    file["data"]["points"] = np.zeros((4, 0, poses.shape[-1]))
    del file["data"]["meta_points"]
    file["data"]["rotations"] = poses
    file.add_parameter("ROTATION", "LABELS", segments)
    file.add_parameter("ROTATION", "RATE", [file["parameters"]["POINT"]["RATE"]["value"][0]])
    file.write(str(path))


def _davis_bts(subject: DemoSubject) -> Markers:
    """Hips after Davis, as on the subject's own pelvis; bars in the planes of the joints' axes."""
    own = subject.plug_in_gait_markers
    posterior = [own[label][1] for label in ("LPSI", "RPSI")]
    markers = _upper(subject, {"c7": "C7"}, {"should": "SHO"}, lambda side: f"{side[0]} ")
    markers |= {"l asis": own["LASI"], "r asis": own["RASI"], "sacrum": ("pelvis", np.mean(posterior, axis=0))}
    leg = {"thigh": "trochanter", "bar 1": "thigh_bar", "knee 1": "lateral_knee", "knee 2": "fibula"}
    leg |= {"bar 2": "shank_bar", "mall": "lateral_ankle", "heel": "heel", "met": "toe"}
    for side in SIDES:
        landmarks = _leg(subject, side, 0.007)  # as behind the hips
        markers |= {f"{side[0]} {label}": landmarks[landmark] for label, landmark in leg.items()}
    return markers


_SETS: dict[str, Callable[[DemoSubject], Markers]] = {
    "cgm2": _cgm2,
    "helen_hayes": _helen_hayes,
    "gait2392": _gait2392,
    "isb_ior": _isb_ior,
    "isb_ior, no second metatarsal": isb_ior_without_second_metatarsal,
    "opencap": _opencap,
    "video_keypoints": _video_keypoints,
    "theia": _theia,
    "davis_bts": _davis_bts,
}
