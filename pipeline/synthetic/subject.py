"""The synthetic subject: a scaled 55-joint skeleton with full-body Plug-in Gait markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from pipeline.config import HOME
from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.math3d import rotation_about, rotation_from_axes
from pipeline.skeleton import Skeleton, load_skeleton, rotate_joint, scale_segments
from pipeline.synthetic.feet import Sole

SKELETON = HOME / "config/skeleton.yaml"

MARKER_RADIUS = 0.007
"""m; marker radius in Plug-in Gait's chord and hip formulas."""

_EX, _EY, _EZ = np.eye(3)


@dataclass(frozen=True)
class Pair:
    """A value for each side."""

    left: float
    right: float

    def __getitem__(self, side: str) -> float:
        return {"left": self.left, "right": self.right}[side]


Sites = Mapping[str, tuple[str, tuple[float, float, float]]]

_MIDDLE: Sites = MappingProxyType(
    {
        "T10": ("lower_thorax", (-0.053, 0.065, 0.0)),
        "STRN": ("lower_thorax", (0.123, 0.055, 0.0)),
        "C7": ("upper_thorax", (-0.044, 0.122, 0.0)),
        "CLAV": ("upper_thorax", (0.098, 0.040, 0.0)),
        "RBAK": ("upper_thorax", (-0.078, -0.009, 0.080)),
    }
)
"""Midline markers and RBAK: segment, and position in its axes, m."""

_SIDED: Sites = MappingProxyType(
    {
        "FHD": ("head", (0.090, 0.060, 0.070)),
        "BHD": ("head", (-0.096, 0.054, 0.062)),
        "SHO": ("{side}_clavicle", (0.0, 0.048, 0.162)),
        "ELB": ("{side}_upper_arm", (0.0, -0.285, 0.042)),
        "WRA": ("{side}_forearm", (0.014, -0.271, 0.038)),
        "WRB": ("{side}_forearm", (-0.014, -0.271, -0.038)),
        "FIN": ("{side}_hand", (-0.024, -0.084, 0.009)),
        "HEE": ("{side}_foot", (-0.074, -0.0385, 0.0)),
        "TOE": ("{side}_foot", (0.118, -0.030, 0.0)),
    }
)
"""Right side's markers for limbs of average size at this stature; mirrored on the left."""

_ORDER = (
    *("LFHD", "RFHD", "LBHD", "RBHD", "C7", "T10", "CLAV", "STRN", "RBAK"),
    *(s + name for s in "LR" for name in ("SHO", "ELB", "WRA", "WRB", "FIN")),
    *("LASI", "RASI", "LPSI", "RPSI"),
    *(s + name for s in "LR" for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")),
)


@dataclass(frozen=True)
class DemoSubject:
    """Sizes in m, kg and degrees. Left and right differ, so that a swap of sides is detected.

    Attributes:
        mass, height: kg, m.
        leg_length: ASIS to medial malleolus.
        knee_width, ankle_width: across the condyles, across the malleoli.
        thigh_length, shank_length: between joint centres.
        foot_scale, arm_scale: size relative to the average at this stature.
        trunk_scale: the same, along the spine.
        asis_width: between the ASIS markers.
        pelvis_depth: from the middle of the PSIS markers to that of the ASIS markers.
        pelvis_tilt: anterior tilt of the plane of these four markers when the skeleton's pelvis is upright.
        knee_valgus: of the shank relative to the thigh, outwards.
        foot_out: outward turn of the foot's long axis from the plane of knee flexion.
        wand: degrees by which the wands of thigh and shank are in front of the knee's axis.
        malleolus: degrees by which the lateral malleolus is behind the knee's axis.
        sole: fore-aft positions of the heel contact and of the tip of the toes, from the ankle centre.
        sole_half_width: m.
        level_hips: whether the hips are level in the axes of the pelvis markers, as with regressions other than
            Davis's.
        other_markers, other_parameters: those of another set, if the set is not Plug-in Gait.
    """

    name: str = "Demo"
    mass: float = 72.0
    height: float = 1.76
    leg_length: Pair = Pair(0.905, 0.910)
    knee_width: Pair = Pair(0.118, 0.119)
    ankle_width: Pair = Pair(0.072, 0.073)
    thigh_length: Pair = Pair(0.420, 0.422)
    shank_length: Pair = Pair(0.410, 0.408)
    foot_scale: Pair = Pair(1.0, 1.01)
    arm_scale: Pair = Pair(0.99, 1.0)
    trunk_scale: float = 1.05
    asis_width: float = 0.246
    pelvis_depth: float = 0.172
    pelvis_tilt: float = 2.5
    knee_valgus: Pair = Pair(0.4, 0.2)
    foot_out: Pair = Pair(7.0, 6.0)
    wand: Pair = Pair(11.0, 11.5)
    malleolus: Pair = Pair(12.0, 11.6)
    sole: tuple[float, float] = (-0.052, 0.190)
    sole_half_width: float = 0.045
    level_hips: bool = False
    other_markers: dict[str, tuple[str, np.ndarray]] | None = None
    other_parameters: dict[str, float] | None = None

    def davis_hip_centre(self, side: str) -> np.ndarray:
        """Hip joint centre (3,), m, in Plug-in Gait's pelvis frame: Davis et al. (1991) as Plug-in Gait applies it."""
        # On purpose not `hip_centre_in_pelvis`: the tests compare it with this truth.
        theta, beta = 0.5, 0.314
        c = 0.115 * np.mean([self.leg_length[s] for s in SIDES]) - 0.0153
        asis_to_trochanter = 0.1288 * self.leg_length[side] - 0.04856
        depth = asis_to_trochanter + MARKER_RADIUS
        forward = c * np.cos(theta) * np.sin(beta) - depth * np.cos(beta)
        up = -c * np.cos(theta) * np.cos(beta) - depth * np.sin(beta)
        lateral = self.asis_width / 2 - c * np.sin(theta)
        return np.array([forward, up, LATERAL_SIGN[side] * lateral])

    @cached_property
    def skeleton(self) -> Skeleton:
        """The 55-joint skeleton of a man of this stature, with the subject's dimensions and constant joint offsets."""
        body = load_skeleton(SKELETON, mass=self.mass, height=self.height, sex="male")
        hips = np.linalg.norm(self.davis_hip_centre("right") - self.davis_hip_centre("left"))
        right_hip = body.origin[body.index("right_hip_flexion"), :3, 3] @ _link_axis(body, "pelvis", _EZ)
        factors = {"pelvis": np.array([1.0, 1.0, 0.5 * hips / right_hip])}
        spine = ("lower_abdomen", "upper_abdomen", "lower_thorax", "upper_thorax")
        factors |= {part: np.array([1.0, self.trunk_scale, 1.0]) for part in spine}
        for side in SIDES:
            for part, length in (("thigh", self.thigh_length), ("shank", self.shank_length)):
                factors[f"{side}_{part}"] = np.full(3, length[side] / _length(body, f"{side}_{part}"))
            factors |= {name: np.full(3, factor) for name, factor in self._scales(side).items()}
        body = scale_segments(body, factors)
        for side in SIDES:
            s = LATERAL_SIGN[side]
            valgus = rotation_about(_EX, -s * np.radians(self.knee_valgus[side]))
            out = rotation_about(_EY, -s * np.radians(self.foot_out[side]))
            body = rotate_joint(body, f"{side}_knee_flexion", f"{side}_thigh", valgus)
            body = rotate_joint(body, f"{side}_ankle_flexion", f"{side}_shank", out)
        return body

    def _scales(self, side: str) -> dict[str, float]:
        """Size of the segments of one side relative to the average at this stature."""
        foot, arm = self.foot_scale[side], self.arm_scale[side]
        parts = {"foot": foot, "toes": foot, "upper_arm": arm, "forearm": arm}
        return {f"{side}_{part}": factor for part, factor in parts.items()}

    @cached_property
    def R_SP(self) -> np.ndarray:
        """Rotation (3, 3) from the markers' pelvis axes to those of the skeleton's pelvis, whose z joins the hips.

        With Davis's regression, the hips of legs of different length are not level in the markers' axes.
        """
        if self.level_hips:
            return rotation_about(_EZ, -np.radians(self.pelvis_tilt))
        hips = self.davis_hip_centre("right") - self.davis_hip_centre("left")
        forward = rotation_about(_EZ, np.radians(self.pelvis_tilt))[:, 0]
        return rotation_from_axes(hips, forward, "zx").T

    @property
    def markers(self) -> dict[str, tuple[str, np.ndarray]]:
        """Markers of the subject's set: name -> (segment of the skeleton, position (3,) m in its axes)."""
        return self.plug_in_gait_markers if self.other_markers is None else self.other_markers

    @cached_property
    def plug_in_gait_markers(self) -> dict[str, tuple[str, np.ndarray]]:
        """Markers of the full-body Plug-in Gait set: name -> (segment of the skeleton, position (3,) m in its axes).

        Knee and ankle markers lie lateral to the joint centre by (width / 2 + marker radius) and level with it, the
        knee marker on the thigh's z axis; `parameters` holds the angles by which the other markers are turned from it.
        """
        positions = {name: (segment, np.array(at)) for name, (segment, at) in _MIDDLE.items()}
        hips = np.mean([self.davis_hip_centre(side) for side in SIDES], axis=0)
        for side in SIDES:
            letter, mirror = side[0].upper(), np.array([1.0, 1.0, LATERAL_SIGN[side]])
            thigh, shank = self.thigh_length[side], self.shank_length[side]
            knee = self.knee_width[side] / 2 + MARKER_RADIUS
            ankle = self.ankle_width[side] / 2 + MARKER_RADIUS
            before, behind = np.radians(self.wand[side]), np.radians(self.malleolus[side])
            scales = self._scales(side)
            on_average = {name: (segment.format(side=side), np.array(at)) for name, (segment, at) in _SIDED.items()}
            of_side = {name: (segment, scales.get(segment, 1.0) * at) for name, (segment, at) in on_average.items()} | {
                "THI": (f"{side}_thigh", np.array([0.088 * np.sin(before), -0.235, 0.088 * np.cos(before)])),
                "KNE": (f"{side}_thigh", np.array([0.0, -thigh, knee])),
                "TIB": (f"{side}_shank", np.array([0.062 * np.sin(before), -0.210, 0.062 * np.cos(before)])),
                "ANK": (f"{side}_shank", np.array([-ankle * np.sin(behind), -shank, ankle * np.cos(behind)])),
            }
            positions |= {letter + name: (segment, mirror * at) for name, (segment, at) in of_side.items()}
            for name, at in (
                ("ASI", np.array([0.0, 0.0, 0.5 * self.asis_width])),
                ("PSI", np.array([-self.pelvis_depth, 0.0, 0.048])),
            ):
                positions[letter + name] = ("pelvis", self.R_SP @ (mirror * at - hips))
        return {name: positions[name] for name in _ORDER}

    @property
    def ankle_height(self) -> float:
        """Height of the ankle centre above the flat sole, m (Drillis and Contini 1966, as in the skeleton's file)."""
        return 0.039 * self.height

    def sole_of(self, side: str) -> Sole:
        """Geometry of a foot's sole."""
        return Sole.of(self.skeleton, side, self.sole[0], self.ankle_height)

    def parameters(self) -> dict[str, float]:
        """Subject parameters as the set's files store them: kg, mm, rad; 0 means "compute" or "no offset"."""
        if self.other_parameters is not None:
            return self.other_parameters
        values = {"Bodymass": self.mass, "Height": 1e3 * self.height, "InterAsisDistance": 0.0}
        for side in SIDES:
            letter = side[0].upper()
            values |= {
                f"{letter}LegLength": 1e3 * self.leg_length[side],
                f"{letter}KneeWidth": 1e3 * self.knee_width[side],
                f"{letter}AnkleWidth": 1e3 * self.ankle_width[side],
                f"{letter}AsisTrocanterDistance": 0.0,
                f"{letter}ThighRotation": -np.radians(self.wand[side]),
                f"{letter}ShankRotation": -np.radians(self.wand[side] + self.malleolus[side]),
                f"{letter}TibialTorsion": -np.radians(self.malleolus[side]),
                f"{letter}SoleDelta": 0.0,
            }
        return values


def _link_axis(skeleton: Skeleton, segment: str, axis_S: np.ndarray) -> np.ndarray:
    """A direction (3,) given in a segment's axes, in its link's axes."""
    return skeleton.segment(segment).pose[:3, :3] @ axis_S


def _length(skeleton: Skeleton, segment: str) -> float:
    """Distance between the two ends of a segment's link, m."""
    return float(np.linalg.norm(skeleton.segment(segment).pose[:3, 3]))
