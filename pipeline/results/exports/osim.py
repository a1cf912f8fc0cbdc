"""Export the subject's skeleton as an OpenSim 4 model: bodies, joints with limits, and markers; no muscles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from pipeline.conventions import GRAVITY_G
from pipeline.math3d import cardan_angles
from pipeline.results.opensim import (
    Body,
    CustomJoint,
    bodies_and_joints,
    component_names,
    motion_of,
    numbered_names,
    stored_results,
)
from pipeline.skeleton import Skeleton, skeleton_of
from pipeline.trial import RawTrial, WholeBody
from pipeline.whole_body import reduced_skeleton
from pipeline.whole_files import write_text

_FREE = {"R": 2.0 * np.pi, "P": 100.0}
"""Limits of coordinates without limits, rad or m."""


def write(session: Path, trial: str, path: Path) -> list[str]:
    """Write the model with which the trial's kinematic motion was computed; return notes on the names of its markers.

    Markers have the names that they have in the exported TRC file.

    With a name that ends in ``_residual_reduced.osim``, the model of the residual-reduced motion is written, with its
    masses.

    Raises:
        ResultsError: there is no such trial, it was not computed on the skeleton, or has no such motion.
    """
    whole = stored_results(session, trial, WholeBody)
    names = component_names(stored_results(session, trial, RawTrial).marker_names)
    motion = motion_of(whole, path)
    skeleton = skeleton_of(whole) if motion is whole.kinematic else reduced_skeleton(whole)
    write_text(path, model_text(whole, skeleton, names))
    return numbered_names(names)


def model_text(whole: WholeBody, skeleton: Skeleton, names: Mapping[str, str]) -> str:
    """The model's file as text; ``names`` are those of the markers by their labels."""
    bodies, joints = bodies_and_joints(skeleton)
    by_joint = {skeleton.joint_names[body.joint]: body for body in bodies}
    markers = [
        _marker(names[label], by_joint[joint], position)
        for label, joint, position in zip(
            whole.fitted_markers, whole.marker_joints, whole.model_marker_positions, strict=True
        )
    ]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<OpenSimDocument Version="40000">',
            f"<Model name={quoteattr(whole.subject)}>",
            "<credits>gait-pipeline: 55-joint skeleton, scaled to the subject; masses of de Leva (1996)</credits>",
            f"<gravity>{_numbers(GRAVITY_G)}</gravity>",
            "<length_units>meters</length_units><force_units>N</force_units>",
            *_set("Body", [_body(body) for body in bodies]),
            *_set("Joint", [_joint(joint, skeleton) for joint in joints]),
            *_set("Marker", markers),
            "</Model>",
            "</OpenSimDocument>",
            "",
        ]
    )


def _set(kind: str, members: list[str]) -> list[str]:
    name = f"{kind}Set"
    return [f'<{name} name="{name.lower()}"><objects>', *members, f"</objects><groups/></{name}>"]


def _numbers(values: object) -> str:
    return " ".join(f"{value:.17g}" for value in np.ravel(np.asarray(values)))


def _body(body: Body) -> str:
    inertia = body.inertia_B[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return (
        f"<Body name={quoteattr(body.name)}><mass>{body.mass:.17g}</mass>"
        f"<mass_center>{_numbers(body.com_B)}</mass_center><inertia>{_numbers(inertia)}</inertia></Body>"
    )


def _joint(joint: CustomJoint, skeleton: Skeleton) -> str:
    frames = (
        (f"{joint.parent}_offset", joint.parent, joint.centre_P, np.zeros(3)),
        (f"{joint.child}_offset", joint.child, joint.centre_C, cardan_angles(joint.R_CJ, "xyz")),
    )
    offsets = "".join(
        f"<PhysicalOffsetFrame name={quoteattr(name)}><socket_parent>{_path(body)}</socket_parent>"
        f"<translation>{_numbers(place)}</translation><orientation>{_numbers(turn)}</orientation></PhysicalOffsetFrame>"
        for name, body, place, turn in frames
    )
    moving = [j for j, _ in (*joint.translations, *joint.rotations)]
    coordinates = "".join(_coordinate(j, skeleton) for j in moving)
    axes = "".join(
        _axes(kind, given, skeleton)
        for kind, given in (("rotation", joint.rotations), ("translation", joint.translations))
    )
    return (
        f"<CustomJoint name={quoteattr(joint.name)}>"
        f"<socket_parent_frame>{escape(frames[0][0])}</socket_parent_frame>"
        f"<socket_child_frame>{escape(frames[1][0])}</socket_child_frame>"
        f"<coordinates>{coordinates}</coordinates><frames>{offsets}</frames>"
        f"<SpatialTransform>{axes}</SpatialTransform></CustomJoint>"
    )


def _path(body: str) -> str:
    return "/ground" if body == "ground" else f"/bodyset/{escape(body)}"


def _coordinate(j: int, skeleton: Skeleton) -> str:
    free = _FREE[skeleton.kind[j]]
    limits = np.clip([skeleton.q_lower[j], skeleton.q_upper[j]], -free, free)
    return (
        f"<Coordinate name={quoteattr(skeleton.joint_names[j])}><default_value>0</default_value>"
        f"<range>{_numbers(limits)}</range><clamped>false</clamped><locked>false</locked></Coordinate>"
    )


def _axes(kind: str, given: tuple[tuple[int, np.ndarray], ...], skeleton: Skeleton) -> str:
    """Three axes: the given ones, then fixed ones that complete the basis."""
    axes = [axis for _, axis in given]
    axes += list(np.linalg.svd(np.array(axes))[2][len(axes) :]) if axes else list(np.eye(3))
    texts = []
    for k, axis in enumerate(axes):
        coordinate = escape(skeleton.joint_names[given[k][0]]) if k < len(given) else ""
        function = (
            '<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction>'
            if coordinate
            else '<Constant name="function"><value>0</value></Constant>'
        )
        texts.append(
            f'<TransformAxis name="{kind}{k + 1}"><coordinates>{coordinate}</coordinates>'
            f"<axis>{_numbers(axis)}</axis>{function}</TransformAxis>"
        )
    return "".join(texts)


def _marker(name: str, body: Body, position_L: np.ndarray) -> str:
    return (
        f"<Marker name={quoteattr(name)}><socket_parent_frame>{_path(body.name)}</socket_parent_frame>"
        f"<location>{_numbers(body.from_link(position_L))}</location><fixed>true</fixed></Marker>"
    )
