"""True motion, loads and events of a synthetic trial, and its C3D file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.dynamics import JointLoads, rnea
from pipeline.math3d import Wrench, rotation_about
from pipeline.results.c3d_writer import PROCESSING, AnalogData, PlateSetup, write_c3d
from pipeline.skeleton import point_motion
from pipeline.synthetic.rigid_motion import SegmentMotion
from pipeline.synthetic.soft_tissue import SoftTissue
from pipeline.synthetic.subject import DemoSubject
from pipeline.trial import Event

RATE, ANALOG_RATE = 100.0, 1000.0
CHAIN = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
"""Distal segment of each joint, from proximal to distal; its origin is the joint's centre."""


@dataclass(frozen=True)
class DemoTruth:
    """One trial without noise and gaps, in G (axes along this trial's progression, with the laboratory's origin).

    Attributes:
        name: of the trial and of its file.
        subject: skeleton, markers and subject parameters.
        time, analog_time: (T,), (Ta,) s from the first frame.
        R_LG: (3, 3) rotation from G to laboratory axes.
        q, qd, qdd: (T, 55) coordinates of the skeleton and their exact derivatives, rad and m.
        plates: force plates, in laboratory axes.
        plate_loads_G: for each plate, the load on the subject, (Ta, 3), at the centre of pressure.
        plate_sides: for each plate, the side of the foot on it; "" for none or both.
        ground: by side, the load on that foot (T, 3) at its centre of pressure, on plates or not.
        on_plates: by side, (T,) whether the plates measured the whole load on that foot: stance on a plate, or swing.
        events: initial contacts and foot offs within the trial, on plates or not.
    """

    name: str
    subject: DemoSubject
    time: np.ndarray
    analog_time: np.ndarray
    R_LG: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    plates: tuple[PlateSetup, ...]
    plate_loads_G: tuple[Wrench, ...]
    plate_sides: tuple[str, ...]
    ground: dict[str, Wrench]
    on_plates: dict[str, np.ndarray]
    events: tuple[Event, ...]

    @cached_property
    def markers_G(self) -> dict[str, np.ndarray]:
        """Markers (T, 3), m, in G, by name."""
        markers = self.subject.markers
        positions = np.array([position for _, position in markers.values()])
        motion = point_motion(self.subject.skeleton, [segment for segment, _ in markers.values()], positions, self.q)
        return {name: motion.position_G[:, k] for k, name in enumerate(markers)}

    @cached_property
    def loads(self) -> JointLoads:
        """Recursive inverse dynamics of the skeleton: joint torques (T, 55), and the internal loads of the joints.

        The torques of the first six coordinates are zero: the ground reactions balance the body.
        """
        feet = {f"{side}_foot": load for side, load in self.ground.items()}
        return rnea(self.subject.skeleton, self.q, self.qd, self.qdd, wrenches=feet)

    @cached_property
    def segments(self) -> dict[str, SegmentMotion]:
        """Motion of Plug-in Gait's segments: "pelvis", "left_thigh", "left_tibia", "left_shank", "left_foot" and so on.

        The shank's z axis joins the malleoli; the tibia is the same bone with the z axis of the knee.
        """
        body, subject = self.subject.skeleton, self.subject
        asis = 0.5 * (subject.plug_in_gait_markers["LASI"][1] + subject.plug_in_gait_markers["RASI"][1])
        frames: dict[str, tuple[str, np.ndarray, np.ndarray]] = {"pelvis": ("pelvis", subject.R_SP, asis)}
        for side in SIDES:
            behind = LATERAL_SIGN[side] * np.radians(subject.malleolus[side])
            frames |= {f"{side}_{part}": (f"{side}_{part}", np.eye(3), np.zeros(3)) for part in ("thigh", "foot")}
            frames[f"{side}_tibia"] = (f"{side}_shank", np.eye(3), np.zeros(3))
            turned = rotation_about(np.array([0.0, 1.0, 0.0]), -behind)
            frames[f"{side}_shank"] = (f"{side}_shank", turned, np.zeros(3))
        return {
            name: SegmentMotion.of_skeleton(body, segment, self.q, self.qd, self.qdd, R_SA=R, origin_S=at)
            for name, (segment, R, at) in frames.items()
        }

    @property
    def joint_centres_G(self) -> dict[str, np.ndarray]:
        """Joint centres (T, 3), m, in G: "left_hip", "left_knee", "left_ankle" and the right ones."""
        return {f"{s}_{joint}": self.segments[f"{s}_{part}"].origin_G for s in SIDES for joint, part in CHAIN.items()}

    def write(
        self,
        path: Path | str,
        *,
        gaps: Mapping[str, tuple[int, int]] | None = None,
        noise: float = 0.0,
        soft_tissue: SoftTissue | None = None,
    ) -> None:
        """Write the trial as C3D.

        Args:
            path: file to write.
            gaps: first and last frame (from 0) of a gap, by marker.
            noise: standard deviation per axis of white noise on the markers, m; the same noise in every call.
            soft_tissue: motion of the skin relative to the bones.
        """
        names = list(self.markers_G)
        markers_L = np.stack([self.markers_G[name] for name in names], axis=1) @ self.R_LG.T
        if soft_tissue is not None:
            markers_L = markers_L + soft_tissue.waves(names, self.time)
        markers_L = markers_L + noise * np.random.default_rng(0).standard_normal(markers_L.shape)
        for name, (first, last) in (gaps or {}).items():
            markers_L[first : last + 1, names.index(name)] = np.nan
        write_c3d(
            path,
            marker_names=names,
            markers_L=markers_L,
            rate=RATE,
            analog=AnalogData(ANALOG_RATE, self.plates, [load.rotated(self.R_LG) for load in self.plate_loads_G]),
            events=self.events,
            parameters={PROCESSING: self.subject.parameters()},
            subject=self.subject.name,
            screen_axes=("+Y", "+Z"),
        )
