"""Muscle paths and joints of an OpenSim model, read from its file (.osim, version 4).

Only bodies, custom joints, and muscles with points (fixed, moving, conditional) are read. A path that wraps over a
surface is refused.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.math3d import rotation_about, unit
from pipeline.muscles.linkage import Axis, Joint
from pipeline.muscles.paths import Muscle, MuscleModel, PathPoint
from pipeline.muscles.splines import Spline


def read_osim(path: Path, root: str = "pelvis") -> MuscleModel:
    """The muscle model of a file; joints between the ground and the body ``root`` are left out.

    Raises:
        DynamicsError: the file is no such model, or has a joint, function or path of another kind.
    """
    try:
        model = ET.parse(path).getroot().find("Model")
    except (ET.ParseError, OSError) as error:
        raise DynamicsError(f"cannot be read ({error})", where=str(path)) from None
    if model is None or model.find("JointSet/objects") is None:
        remedy = "Open and save it with OpenSim 4"
        raise DynamicsError("is no OpenSim model of version 4", where=str(path), remedy=remedy)
    joints = tuple(_joint(element) for element in model.iterfind("JointSet/objects/*"))
    joints = tuple(joint for joint in joints if joint.child != root)
    muscles = tuple(
        _muscle(e) for e in model.iterfind("ForceSet/objects/*") if e.find("max_isometric_force") is not None
    )
    coordinates = tuple(dict.fromkeys(axis.coordinate for joint in joints for axis in joint.axes))
    return MuscleModel(root, joints, coordinates, muscles, (model.findtext("credits") or "").strip())


def _joint(element: ET.Element) -> Joint:
    name = element.attrib["name"]
    if element.tag != "CustomJoint":
        raise DynamicsError(f"is a {element.tag}", where=f"joint {name}", remedy="Only CustomJoint is read")
    frames = {frame.attrib["name"]: frame for frame in element.iterfind("frames/*")}
    parent, child = (frames[_text(element, f"socket_{side}_frame")] for side in ("parent", "child"))
    axes = {axis.attrib["name"]: axis for axis in element.iterfind("SpatialTransform/TransformAxis")}
    names = [f"translation{k}" for k in (1, 2, 3)] + [f"rotation{k}" for k in (1, 2, 3)]
    return Joint(
        _last(_text(parent, "socket_parent")),
        _last(_text(child, "socket_parent")),
        tuple(
            Axis(coordinate, "P" if key[0] == "t" else "R", unit(_numbers(axes[key], "axis")), _function(axes[key]))
            for key in names
            if key in axes and (coordinate := _text(axes[key], "coordinates"))
        ),
        _pose(parent),
        np.linalg.inv(_pose(child)),
    )


def _muscle(element: ET.Element) -> Muscle:
    name = element.attrib["name"]
    if element.find("GeometryPath/PathWrapSet/objects/*") is not None:
        raise DynamicsError("wraps over a surface", where=f"muscle {name}", remedy="Only paths through points are read")
    return Muscle(
        name,
        float(_text(element, "max_isometric_force")),
        float(_text(element, "optimal_fiber_length")),
        float(_text(element, "tendon_slack_length")),
        float(_text(element, "pennation_angle_at_optimal")),
        tuple(_point(point) for point in element.iterfind("GeometryPath/PathPointSet/objects/*")),
    )


def _point(element: ET.Element) -> PathPoint:
    body = _last(_text(element, "socket_parent_frame"))
    if element.tag == "MovingPathPoint":
        movers = {_last(_text(element, f"socket_{axis}_coordinate")) for axis in "xyz"}
        if len(movers) != 1:
            raise DynamicsError("moves by several coordinates", where=f"path point {element.attrib['name']}")
        functions = tuple(_function(element.find(f"{axis}_location")) for axis in "xyz")
        return PathPoint(body, functions=functions, mover=movers.pop())
    place = _numbers(element, "location")
    if element.tag == "ConditionalPathPoint":
        low, high = _numbers(element, "range")
        return PathPoint(body, place, condition=(_last(_text(element, "socket_coordinate")), low, high))
    return PathPoint(body, place)


def _function(element: ET.Element | None) -> Spline:
    """The first function below an element, times the factors around it."""
    factor = 1.0
    for part in element.iter() if element is not None else ():
        if part.tag == "MultiplierFunction":
            factor *= float(_text(part, "scale"))
        elif part.tag == "Constant":
            return Spline([0.0], [factor * float(_text(part, "value"))])
        elif part.tag == "LinearFunction":
            slope, offset = factor * _numbers(part, "coefficients")
            return Spline.line(slope, offset)
        elif part.tag in ("SimmSpline", "NaturalCubicSpline"):
            return Spline(_numbers(part, "x"), factor * _numbers(part, "y"))
    name = "" if element is None else element.attrib.get("name", element.tag)
    raise DynamicsError("has no function that is read here", where=f"axis or path point {name}")


def _pose(frame: ET.Element) -> np.ndarray:
    """Pose from a location and body-fixed X-Y-Z angles."""
    pose = np.eye(4)
    pose[:3, 3] = _numbers(frame, "translation")
    for axis, angle in zip(np.eye(3), _numbers(frame, "orientation"), strict=True):
        pose[:3, :3] = pose[:3, :3] @ rotation_about(axis, float(angle))
    return pose


def _text(element: ET.Element, key: str) -> str:
    return (element.findtext(key) or "").strip()


def _numbers(element: ET.Element, key: str) -> np.ndarray:
    return np.array([float(word) for word in _text(element, key).split()])


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1]
