"""What is true of a synthetic trial, and how it becomes a C3D file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.conventions import GRAVITY_G, SIDES
from pipeline.math3d import Wrench, cardan_angles
from pipeline.synthetic.c3d_writer import PlateSetup, write_c3d
from pipeline.synthetic.loads import SegmentInertia, joint_loads
from pipeline.synthetic.rigid_motion import SegmentMotion
from pipeline.synthetic.subject import DemoSubject
from pipeline.trial import Event

RATE, ANALOG_RATE = 100.0, 1000.0
CHAIN = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
"""Distal segment of each joint, from proximal to distal; it carries the joint's centre as its origin."""


@dataclass(frozen=True)
class DemoTruth:
    """One trial without noise and gaps, in G (axes along this trial's progression, origin that of the laboratory).

    Attributes:
        name: of the trial and of its file.
        subject: sizes and subject parameters.
        time, analog_time: (T,), (Ta,) s from the first frame.
        R_LG: (3, 3) rotation from G to laboratory axes.
        segments: motion by name: "pelvis", "left_thigh", "left_shank", "left_foot", "right_thigh" and so on.
        markers_G: (T, 3) m by marker name.
        plates: force plates, in laboratory axes.
        plate_loads_G: for each plate the load on the subject, (Ta, 3), at the centre of pressure.
        plate_sides: for each plate the side of the foot on it, "" for none or both.
        ground: by side the load on that foot (T, 3) at its centre of pressure, from the plates or beside them.
        on_plates: by side (T,) whether the plates saw all that acted on that foot: stance on a plate, or swing.
        events: strikes and offs within the trial, on plates or beside them.
    """

    name: str
    subject: DemoSubject
    time: np.ndarray
    analog_time: np.ndarray
    R_LG: np.ndarray
    segments: dict[str, SegmentMotion]
    markers_G: dict[str, np.ndarray]
    plates: tuple[PlateSetup, ...]
    plate_loads_G: tuple[Wrench, ...]
    plate_sides: tuple[str, ...]
    ground: dict[str, Wrench]
    on_plates: dict[str, np.ndarray]
    events: tuple[Event, ...]

    @property
    def joint_centres_G(self) -> dict[str, np.ndarray]:
        """Joint centres (T, 3), m, in G: "left_hip", "left_knee", "left_ankle" and the right ones."""
        return {f"{s}_{joint}": self.segments[f"{s}_{part}"].origin_G for s in SIDES for joint, part in CHAIN.items()}

    @property
    def joint_angles(self) -> dict[str, np.ndarray]:
        """Cardan angles z-x-y (T, 3) in rad of the distal in the proximal segment (Grood and Suntay 1983).

        As the rotation matrices give them: the second and third have opposite anatomical meaning left and right.
        """
        angles = {}
        for side in SIDES:
            proximal = "pelvis"
            for joint, part in CHAIN.items():
                distal = f"{side}_{part}"
                R = np.swapaxes(self.segments[proximal].R_GS, -1, -2) @ self.segments[distal].R_GS
                angles[f"{side}_{joint}"] = cardan_angles(R, "zxy")
                proximal = distal
        return angles

    def true_loads(
        self, inertias: Mapping[str, SegmentInertia], gravity_G: tuple[float, float, float] = GRAVITY_G
    ) -> dict[str, Wrench]:
        """Loads of the proximal on the distal segment at each joint centre, in G, by joint as in `joint_centres_G`.

        The feet carry the whole ground reaction; compare with a pipeline that knows the plates only where
        ``on_plates`` is true.

        Args:
            inertias: for "left_thigh", "left_shank", "left_foot" and the right ones.
            gravity_G: gravitational acceleration, m/s^2.
        """
        loads: dict[str, Wrench] = {}
        for side in SIDES:
            chain = [f"{side}_{part}" for part in CHAIN.values()]
            of_side = joint_loads(chain, self.segments, inertias, {chain[-1]: self.ground[side]}, gravity_G)
            loads |= {f"{side}_{joint}": of_side[f"{side}_{part}"] for joint, part in CHAIN.items()}
        return loads

    def write(self, path: Path | str, *, gaps: Mapping[str, tuple[int, int]] | None = None, noise: float = 0.0) -> None:
        """Write the trial as C3D.

        Args:
            path: file to write.
            gaps: first and last frame (from 0) of a gap, by marker.
            noise: standard deviation per axis of white noise on the markers, m; always the same noise.
        """
        names = list(self.markers_G)
        markers_L = np.stack([self.markers_G[name] for name in names], axis=1) @ self.R_LG.T
        markers_L = markers_L + noise * np.random.default_rng(0).standard_normal(markers_L.shape)
        for name, (first, last) in (gaps or {}).items():
            markers_L[first : last + 1, names.index(name)] = np.nan
        write_c3d(
            path,
            marker_names=names,
            markers_L=markers_L,
            rate=RATE,
            plates=self.plates,
            plate_loads_L=[load.rotated(self.R_LG) for load in self.plate_loads_G],
            analog_rate=ANALOG_RATE,
            events=self.events,
            parameters=self.subject.parameters(),
            subject=self.subject.name,
            screen_axes=("+Y", "+Z"),
        )
