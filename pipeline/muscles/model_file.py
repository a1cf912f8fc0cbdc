"""The muscle model as a JSON file of numbers: joints, path points and parameters, with the credit of its source."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pipeline.config import HOME, read_json
from pipeline.errors import DynamicsError
from pipeline.muscles.linkage import Axis, Joint
from pipeline.muscles.paths import Muscle, MuscleModel, PathPoint
from pipeline.muscles.splines import Spline

GAIT2392 = HOME / "config" / "muscles" / "gait2392.json"
"""The 92 actuators of gait2392, included with the pipeline."""


def load_muscle_model(path: Path = GAIT2392) -> MuscleModel:
    """The model of a file.

    Raises:
        DynamicsError: the file is missing, or is no muscle model.
    """
    try:
        content = read_json(path)
        joints = tuple(_joint(row) for row in content["joints"])
        return MuscleModel(
            content["root"],
            joints,
            tuple(dict.fromkeys(axis.coordinate for joint in joints for axis in joint.axes)),
            tuple(_muscle(*row) for row in content["muscles"]),
            content["credit"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        remedy = "Make it with `python -m pipeline.muscles model`"
        raise DynamicsError(f"is not a muscle model ({error})", where=str(path), remedy=remedy) from None


def save_muscle_model(model: MuscleModel, path: Path) -> None:
    """Write a model, with one joint or muscle a line."""
    joints = [
        {
            "parent": joint.parent,
            "child": joint.child,
            "before": joint.before[:3].tolist(),
            "after": joint.after[:3].tolist(),
            "axes": [[a.coordinate, a.kind, a.direction.tolist(), _function_row(a.function)] for a in joint.axes],
        }
        for joint in model.joints
    ]
    muscles = [
        [m.name, m.maximum_force, m.fibre_length, m.tendon_length, m.pennation, *map(_point_row, m.points)]
        for m in model.muscles
    ]
    head = json.dumps({"credit": model.credit, "root": model.root}, indent=1)[:-2]
    lines = [",\n ".join(json.dumps(row) for row in rows) for rows in (joints, muscles)]
    path.write_text(f'{head},\n "joints": [\n {lines[0]}],\n "muscles": [\n {lines[1]}]\n}}\n')


def _joint(row: dict) -> Joint:
    axes = tuple(Axis(name, kind, np.array(direction), Spline(*f)) for name, kind, direction, f in row["axes"])
    return Joint(
        row["parent"], row["child"], axes, *(np.vstack([row[key], [0, 0, 0, 1]]) for key in ("before", "after"))
    )


def _muscle(name: str, force: float, fibre: float, tendon: float, pennation: float, *points: dict) -> Muscle:
    return Muscle(name, force, fibre, tendon, pennation, tuple(_point(point) for point in points))


def _point(row: dict) -> PathPoint:
    if "mover" in row:
        return PathPoint(row["body"], functions=tuple(Spline(*f) for f in row["place"]), mover=row["mover"])
    condition = row.get("condition")
    return PathPoint(row["body"], np.array(row["place"]), condition=condition and tuple(condition))


def _point_row(point: PathPoint) -> dict:
    if point.mover:
        return {"body": point.body, "mover": point.mover, "place": [_function_row(f) for f in point.functions]}
    row = {"body": point.body, "place": point.place.tolist()}
    return row | ({"condition": list(point.condition)} if point.condition else {})


def _function_row(function: Spline) -> list[list[float]]:
    return [function.x.tolist(), function.y.tolist()]
