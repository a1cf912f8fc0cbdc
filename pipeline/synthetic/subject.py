"""The invented person: body sizes, Plug-in Gait subject parameters and markers on ideal rigid segments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import LATERAL_SIGN, SIDES

MARKER_RADIUS = 0.007
"""m; the radius behind Plug-in Gait's chord and hip formulas."""

SIDE_MARKERS = ("ASI", "PSI", "THI", "KNE", "TIB", "ANK", "HEE", "TOE")


@dataclass(frozen=True)
class Pair:
    """A size on either side."""

    left: float
    right: float

    def __getitem__(self, side: str) -> float:
        return {"left": self.left, "right": self.right}[side]


@dataclass(frozen=True)
class DemoSubject:
    """Sizes in m and kg. Left and right differ, so that a swap of sides shows.

    Attributes:
        mass, height: kg, m.
        leg_length: ASIS to medial malleolus.
        knee_width, ankle_width: across the condyles, across the malleoli.
        thigh_length, shank_length: between joint centres.
        asis_width: between the ASIS markers.
        ankle_height: joint centre above the sole.
        heel, toe: HEE and TOE markers in the foot's axes from the ankle centre; the same height and, with the ankle
            centre, in one sagittal plane, so that the foot's long axis does not depend on how it is defined.
        sole: (3, 2) fore-aft, of the sole's heel contact, ball and tip of the toes from the ankle centre.
    """

    name: str = "Demo"
    mass: float = 72.0
    height: float = 1.76
    leg_length: Pair = Pair(0.905, 0.910)
    knee_width: Pair = Pair(0.104, 0.102)
    ankle_width: Pair = Pair(0.070, 0.072)
    thigh_length: Pair = Pair(0.420, 0.422)
    shank_length: Pair = Pair(0.410, 0.408)
    asis_width: float = 0.240
    ankle_height: float = 0.085
    heel: tuple[float, float, float] = (-0.055, -0.045, 0.0)
    toe: tuple[float, float, float] = (0.135, -0.045, 0.0)
    sole: tuple[float, float, float] = (-0.052, 0.130, 0.190)
    sole_half_width: float = 0.045

    def hip_centre(self, side: str) -> np.ndarray:
        """Hip joint centre (3,) in the pelvis frame, m, by Davis et al. (1991) as Plug-in Gait applies it."""
        theta, beta = 0.5, 0.314
        c = 0.115 * np.mean([self.leg_length[s] for s in SIDES]) - 0.0153
        asis_to_trochanter = 0.1288 * self.leg_length[side] - 0.04856
        depth = asis_to_trochanter + MARKER_RADIUS
        forward = c * np.cos(theta) * np.sin(beta) - depth * np.cos(beta)
        up = -c * np.cos(theta) * np.cos(beta) - depth * np.sin(beta)
        lateral = self.asis_width / 2 - c * np.sin(theta)
        return np.array([forward, up, LATERAL_SIGN[side] * lateral])

    def attachments(self) -> dict[str, tuple[str, np.ndarray]]:
        """Markers of the lower-body Plug-in Gait set: name -> (segment, position (3,) m in its axes).

        Segments are "pelvis" and, for each side, "left_thigh", "left_shank", "left_foot" and so on. Knee and ankle
        markers lie on the flexion axis at (width / 2 + marker radius) from the joint centre, and the wand markers in
        the plane of that axis and the long axis: rotation offsets of 0.
        """
        markers: dict[str, tuple[str, np.ndarray]] = {}
        for side in SIDES:
            s, letter = LATERAL_SIGN[side], side[0].upper()
            knee = s * (self.knee_width[side] / 2 + MARKER_RADIUS)
            ankle = s * (self.ankle_width[side] / 2 + MARKER_RADIUS)
            for marker, segment, position in (
                ("ASI", "pelvis", (0.0, 0.0, s * self.asis_width / 2)),
                ("PSI", "pelvis", (-0.155, s * 0.003, s * 0.048)),
                ("THI", f"{side}_thigh", (0.0, -0.24 - 0.02 * s, s * 0.095)),
                ("KNE", f"{side}_thigh", (0.0, -self.thigh_length[side], knee)),
                ("TIB", f"{side}_shank", (0.0, -0.20 - 0.02 * s, s * 0.065)),
                ("ANK", f"{side}_shank", (0.0, -self.shank_length[side], ankle)),
                ("HEE", f"{side}_foot", self.heel),
                ("TOE", f"{side}_foot", self.toe),
            ):
                markers[letter + marker] = (segment, np.array(position))
        order = [letter + name for name in SIDE_MARKERS[:2] for letter in "LR"]
        order += [letter + name for letter in "LR" for name in SIDE_MARKERS[2:]]
        return {name: markers[name] for name in order}

    def parameters(self) -> dict[str, float]:
        """Subject parameters as Plug-in Gait stores them: kg, mm, degrees; 0 means "compute" or "no offset"."""
        values = {"Bodymass": self.mass, "Height": 1e3 * self.height, "InterAsisDistance": 0.0}
        for side in SIDES:
            letter = side[0].upper()
            values[f"{letter}LegLength"] = 1e3 * self.leg_length[side]
            values[f"{letter}KneeWidth"] = 1e3 * self.knee_width[side]
            values[f"{letter}AnkleWidth"] = 1e3 * self.ankle_width[side]
            for offset in ("AsisTrocanterDistance", "ThighRotation", "ShankRotation", "TibialTorsion", "SoleDelta"):
                values[letter + offset] = 0.0
        return values
