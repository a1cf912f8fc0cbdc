"""An OpenSim model (version 2 file) as a tree of this package, and OpenSim's way of filtering coordinates.

Every axis of a CustomJoint becomes a joint: translations along the axes in the parent's joint frame, then rotations,
then the inverse of the child's joint frame. An axis that is a function of another's coordinate (the knee's
translations) is a joint of its own, driven by that coordinate; what it takes is credited to it by the chain rule.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline, make_interp_spline
from scipy.signal import butter, filtfilt

from pipeline.math3d import Wrench, rotation_about
from pipeline.skeleton import Segment, Skeleton


@dataclass(frozen=True)
class DrivenAxis:
    """A joint's coordinate as a function of a coordinate of the model: value, first and second derivative."""

    coordinate: str
    function: object

    def __call__(self, q, order=0):
        return self.function(q, order)


class OpenSimModel:
    """Bodies and joints of a file; ``skeleton`` is the tree, ``drives`` the coordinate of each of its joints."""

    def __init__(self, path: Path):
        self.rows, self.drives = [], []
        self.bodies = {"ground": (-1, np.eye(4))}  # joint that carries a body, and the body's frame in its link
        model = ET.parse(path).getroot().find("Model")
        self.gravity = _numbers(model, "gravity")
        for body in model.find("BodySet").find("objects"):
            if body.attrib["name"] != "ground":
                self._add(body)
        self.skeleton = self._tree()

    def motion(self, coordinates):
        """Joint coordinates and rates (T, n) from those of the model by name: (value, velocity, acceleration)."""
        out = np.empty((3, len(next(iter(coordinates.values()))[0]), len(self.rows)))
        for j, drive in enumerate(self.drives):
            q, qd, qdd = coordinates[drive.coordinate]
            slope, bend = drive(q, 1), drive(q, 2)
            out[:, :, j] = drive(q), slope * qd, slope * qdd + bend * qd**2
        return out

    def generalised(self, tau, coordinates):
        """Generalised forces (T,) by coordinate of the model, from joint torques (T, n)."""
        out = {}
        for j, drive in enumerate(self.drives):
            part = tau[:, j] * drive(coordinates[drive.coordinate][0], 1)
            out[drive.coordinate] = out.get(drive.coordinate, 0.0) + part
        return out

    def _add(self, body):
        (joint,) = body.find("Joint")
        assert joint.tag == "CustomJoint"
        carrier, pending = self.bodies[joint.findtext("parent_body").strip()]
        pending = pending @ _frame(joint, "location_in_parent", "orientation_in_parent")
        axes = {axis.attrib["name"]: axis for axis in joint.find("SpatialTransform")}
        names = [f"translation{k}" for k in (1, 2, 3)] + [f"rotation{k}" for k in (1, 2, 3)]
        for name in names:
            axis, kind = axes[name], "P" if name.startswith("translation") else "R"
            direction, function = _numbers(axis, "axis"), _function(axis.find("function")[0])
            coordinate = (axis.findtext("coordinates") or "").strip()
            if not coordinate:
                pending = pending @ _moved(kind, direction, function(0.0, 0))
                continue
            turn = _z_onto(direction)
            self.rows.append([f"{body.attrib['name']}_{name}", carrier, kind, pending @ turn, 0.0, np.eye(4), None])
            self.drives.append(DrivenAxis(coordinate, function))
            carrier, pending = len(self.rows) - 1, np.linalg.inv(turn)
        frame = pending @ np.linalg.inv(_frame(joint, "location", "orientation"))
        xx, yy, zz, xy, xz, yz = (float(body.findtext(f"inertia_{a}")) for a in ("xx", "yy", "zz", "xy", "xz", "yz"))
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        R = frame[:3, :3]
        self.rows[carrier][4:] = [
            float(body.findtext("mass")),
            frame @ np.append(_numbers(body, "mass_center"), 1.0),
            R @ inertia @ R.T,
        ]
        self.bodies[body.attrib["name"]] = (carrier, frame)

    def _tree(self):
        n = len(self.rows)
        names, parents, kinds, origins, masses, coms, inertias = zip(*self.rows, strict=True)
        return Skeleton(
            joint_names=names,
            parent=np.array(parents),
            kind=kinds,
            theta=np.zeros(n),
            d=np.zeros(n),
            a=np.zeros(n),
            alpha=np.zeros(n),
            origin=np.array(origins),
            mass=np.array(masses),
            com=np.array([c[:3] if c.ndim == 1 else np.zeros(3) for c in coms]),
            inertia=np.array([np.zeros((3, 3)) if i is None else i for i in inertias]),
            q_lower=np.full(n, -np.inf),
            q_upper=np.full(n, np.inf),
            tau_limit=np.full(n, np.inf),
            frozen=np.zeros(n, dtype=bool),
            segments={name: Segment(j, frame) for name, (j, frame) in self.bodies.items() if j >= 0},
        )


def read_storage(path: Path) -> dict[str, np.ndarray]:
    """Columns of a .sto or .mot file by name."""
    lines = path.read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.strip() == "endheader") + 1
    while not lines[start].strip():
        start += 1
    names = lines[start].split()
    values = np.array([[float(x) for x in line.split()] for line in lines[start + 1 :] if line.strip()])
    return dict(zip(names, values.T, strict=True))


def smooth_coordinates(time, values, cutoff, at):
    """Value, velocity and acceleration at times, as OpenSim makes them: padded, low-passed by a third-order Butterworth
    filter run twice without correction of the cut-off, then a quintic spline."""
    rate = (len(time) - 1) / (time[-1] - time[0])
    b, a = butter(3, cutoff, fs=rate)
    smooth = filtfilt(b, a, values, padtype="odd", padlen=len(values) // 2)
    spline = make_interp_spline(time, smooth, k=5)
    return spline(at), spline(at, 1), spline(at, 2)


def coordinates_at(motion, at):
    """Value, velocity and acceleration (T,) at times of each coordinate of a .mot file, filtered at 6 Hz."""
    return {
        name: smooth_coordinates(motion["time"], values if name[:-1].endswith("_t") else np.radians(values), 6.0, at)
        for name, values in motion.items()
        if name != "time"
    }


def foot_wrenches(ground, at):
    """Loads of both feet at times, by body, of a file of ground reactions."""
    wrenches = {}
    for body, first in (("calcn_r", ""), ("calcn_l", "l_")):
        force, point, moment = (
            np.stack([np.interp(at, ground["time"], ground[f"{first}ground_{name}{axis}"]) for axis in "xyz"], axis=1)
            for name in ("force_v", "force_p", "torque_")
        )
        wrenches[body] = Wrench(force, moment, point)
    return wrenches


def _numbers(element, name):
    return np.array([float(x) for x in element.findtext(name).split()])


def _function(element):
    if element.tag == "Constant":
        value = float(element.findtext("value"))
        return lambda q, order: np.full(np.shape(q), value if order == 0 else 0.0)
    if element.tag == "LinearFunction":
        slope, offset = _numbers(element, "coefficients")
        return lambda q, order: (slope * q + offset, np.full(np.shape(q), slope), np.zeros(np.shape(q)))[order]
    assert element.tag == "NaturalCubicSpline"
    spline = CubicSpline(_numbers(element, "x"), _numbers(element, "y"), bc_type="natural")
    return lambda q, order: spline(q, order)


def _frame(joint, location, orientation):
    """Transform of a location and body-fixed X-Y-Z angles."""
    out = np.eye(4)
    out[:3, 3] = _numbers(joint, location)
    for axis, angle in zip(np.eye(3), _numbers(joint, orientation), strict=True):
        out[:3, :3] = out[:3, :3] @ _moved("R", axis, angle)[:3, :3]
    return out


def _moved(kind, direction, value):
    out = np.eye(4)
    if kind == "P":
        out[:3, 3] = float(value) * direction
    else:
        out[:3, :3] = rotation_about(direction, float(value))
    return out


def _z_onto(direction):
    """A rotation whose z axis has the given direction."""
    z = direction / np.linalg.norm(direction)
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    out = np.eye(4)
    out[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    return out
