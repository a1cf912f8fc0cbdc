"""A subject of known joint centres and angles with Plug-in Gait markers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from pipeline.config import Subject
from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import ForcePlate, RawTrial
from tests.recordings import recording_of

LATERAL = {"left": -1.0, "right": 1.0}
RADIUS = 0.007


def recording(markers: Mapping[str, np.ndarray], parameters=None, vertical=None, name="static") -> RawTrial:
    """A recording of these markers, and of a plate where a vertical force (Ta,) N is given."""
    plates = ()
    if vertical is not None:
        force = np.zeros((len(vertical), 3))
        force[:, 1] = vertical
        corners = np.array([[0.6, 0, 0], [0.6, 0, 0.5], [0, 0, 0.5], [0, 0, 0]])
        plates = (ForcePlate(1, 2, corners, Wrench(force, np.zeros(3), corners.mean(axis=0))),)
    return recording_of(markers, name, analog_rate=1000.0, plates=plates, parameters=dict(parameters or {}))


class Person:
    """Builds markers outwards from the pelvis, by the anatomy that the marker set must recover.

    Different on both sides on purpose, and in no pose aligned with G unless requested.
    """

    def __init__(self) -> None:
        self.values = {"mass": 70.0, "height": 1.75, "inter_asis": 0.24, "pelvis_depth": 0.16}
        widths = {
            "leg_length": (0.90, 0.91),
            "knee_width": (0.10, 0.11),
            "ankle_width": (0.07, 0.072),
            "asis_trochanter": (0.065, 0.07),
            "thigh_rotation": (0.0, 0.0),
            "shank_rotation": (0.0, 0.0),
            "tibial_torsion": (0.0, 0.0),
        }
        for name, (left, right) in widths.items():
            self.values[f"{name}_left"], self.values[f"{name}_right"] = left, right
        self.thigh = {"left": 0.40, "right": 0.41}
        self.shank = {"left": 0.39, "right": 0.38}

    @property
    def subject(self) -> Subject:
        """The study's row that gives every value."""
        return Subject.from_si("person", "m", self.values)

    def hip_in_pelvis(self, side: str) -> np.ndarray:
        """Davis's regression, from the paper's figures."""
        leg = 0.5 * (self.values["leg_length_left"] + self.values["leg_length_right"])
        c, back = 0.115 * leg - 0.0153, self.values[f"asis_trochanter_{side}"] + RADIUS
        x = -back * np.cos(0.314) + c * np.cos(0.5) * np.sin(0.314)
        y = -back * np.sin(0.314) - c * np.cos(0.5) * np.cos(0.314)
        return np.array([x, y, LATERAL[side] * (0.5 * self.values["inter_asis"] - c * np.sin(0.5))])

    def pose(self, angles: Mapping[str, np.ndarray], R_pelvis=None, origin=(0.0, 1.0, 0.0)):
        """Points, frames and markers in T poses.

        Args:
            angles: (T, 3) rad clinical angles by joint: flexion, adduction, internal rotation; those not given are 0.
                Of the ankle only dorsiflexion can be set.
            R_pelvis: (T, 3, 3); upright if not given.
            origin: (T, 3) m, midway between the ASIS.
        """
        frames = len(next(iter(angles.values()))) if angles else 5
        zero = np.zeros((frames, 3))
        R_pelvis = np.broadcast_to(np.eye(3) if R_pelvis is None else R_pelvis, (frames, 3, 3))
        origin = np.broadcast_to(np.asarray(origin, dtype=float), (frames, 3))
        z_half = 0.5 * self.values["inter_asis"]
        markers = {
            "LASI": origin + R_pelvis @ [0, 0, -z_half],
            "RASI": origin + R_pelvis @ [0, 0, z_half],
            "LPSI": origin + R_pelvis @ [-self.values["pelvis_depth"], 0, -0.05],
            "RPSI": origin + R_pelvis @ [-self.values["pelvis_depth"], 0, 0.05],
        }
        points, R = {}, {"pelvis": R_pelvis}
        for side, S in (("left", "L"), ("right", "R")):
            lateral = LATERAL[side]

            def turned(R_GP, joint, flexion_sign, side=side, lateral=lateral):
                f, a, r = angles.get(f"{side}_{joint}", zero).T
                return (
                    R_GP
                    @ rotation_about([0, 0, 1], flexion_sign * f)
                    @ rotation_about([1, 0, 0], lateral * a)
                    @ rotation_about([0, 1, 0], lateral * r)
                )

            R_thigh = turned(R_pelvis, "hip", 1.0)
            R_tibia = turned(R_thigh, "knee", -1.0)
            R_shank = R_tibia @ rotation_about([0, 1, 0], lateral * self.values[f"tibial_torsion_{side}"])
            R_foot = turned(R_tibia, "ankle", 1.0)
            hip = origin + R_pelvis @ self.hip_in_pelvis(side)
            knee = hip + R_thigh @ [0, -self.thigh[side], 0]
            ankle = knee + R_shank @ [0, -self.shank[side], 0]
            out_knee = lateral * (0.5 * self.values[f"knee_width_{side}"] + RADIUS)
            out_ankle = lateral * (0.5 * self.values[f"ankle_width_{side}"] + RADIUS)
            # A rotation offset is the angle of the wand's marker from the frontal plane, about the downward axis.
            thigh_wand = rotation_about([0, -1, 0], lateral * self.values[f"thigh_rotation_{side}"])
            shank_wand = rotation_about([0, -1, 0], lateral * self.values[f"shank_rotation_{side}"])
            markers |= {
                f"{S}KNE": knee + R_thigh @ [0, 0, out_knee],
                f"{S}THI": hip + R_thigh @ thigh_wand @ [0, -0.6 * self.thigh[side], lateral * 0.15],
                f"{S}ANK": ankle + R_shank @ [0, 0, out_ankle],
                f"{S}TIB": knee + R_shank @ shank_wand @ [0, -0.6 * self.shank[side], lateral * 0.12],
                f"{S}TOE": ankle + R_foot @ [0.13, -0.05, 0],
                f"{S}HEE": ankle + R_foot @ [-0.05, -0.05, 0],
            }
            points |= {f"{side}_hip": hip, f"{side}_knee": knee, f"{side}_ankle": ankle}
            R |= {f"{side}_thigh": R_thigh, f"{side}_shank": R_shank, f"{side}_foot": R_foot}
            R[f"{side}_tibia_proximal"] = R_tibia
        return markers, points, R


@pytest.fixture
def person():
    return Person()


@pytest.fixture
def record():
    """``record(markers, parameters=None, vertical=None, name="static")``: a recording."""
    return recording


@pytest.fixture
def pose_angles(rng):
    """General angles of all joints over 30 frames; ankles with dorsiflexion alone."""
    t = np.linspace(0, 1, 30)[:, None]
    angles = {}
    for side in ("left", "right"):
        for joint in ("hip", "knee", "ankle"):
            wave = 0.2 * rng.normal(size=3) + 0.25 * np.sin(2 * np.pi * t + rng.uniform(0, 6, 3))
            angles[f"{side}_{joint}"] = wave * ([1.0, 0.0, 0.0] if joint == "ankle" else [1.0, 1.0, 1.0])
    return angles
