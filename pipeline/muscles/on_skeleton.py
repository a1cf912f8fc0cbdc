"""The muscles of gait2392 on the 55-joint skeleton: path points scaled with its segments, moved by its joint axes.

In the neutral poses of both models (standing, all frames parallel, x forward, y up, z to the right) each body's points
are scaled about its proximal joint by the ratio of the skeleton's segment length to the body's, and turned in the
sagittal plane by the angle between the two. The pelvis scales with the distance between the hip joints.

The foot scales with the shank. The moment arms of the calf muscles depend on how far the heel bone reaches behind the
ankle, which no marker shows: the distance from heel to toe marker is 0.18 to 0.29 m, depending on where the laboratory
puts the toe marker. Scaling by it moved the Achilles tendon's arm from 33 to 51 mm. In front of the ankle the foot is
stretched so that its toe joint coincides with the skeleton's.

Differences from the source: the knee is the skeleton's hinge, and the source's translation of the tibia is added to its
points as a function of flexion. The foot moves about the skeleton's two axes through the ankle's centre. The muscles
must nevertheless balance its moment about the source's subtalar axis, which is oblique and lower; this axis is a hinge
that stays at zero, about which the moment is taken. The trunk's muscles act on the lowest joint of the spine, and
everything above it follows. The toe joint's axis is not oblique. `python -m pipeline.muscles arms` prints the effect.

Strength follows Correa and Pandy (2011), J Biomech 44:2782-2789: muscle volume is proportional to body mass, so force
is proportional to mass over fibre length. Fibres and tendons scale with the muscle's length in the neutral pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.math3d import rotation_about
from pipeline.muscles.linkage import Axis, Joint, body_poses
from pipeline.muscles.paths import Muscle, MuscleModel, PathPoint, path_geometry
from pipeline.muscles.splines import Spline
from pipeline.skeleton import Skeleton, joint_axes

SOURCE_MASS = 75.16
"""Body mass of gait2392, kg."""

_SIDES = {"r": "right", "l": "left"}
_LEG = {"hip_flexion": "hip_flexion", "hip_adduction": "hip_adduction", "hip_rotation": "hip_rotation",
        "knee_angle": "knee_flexion", "ankle_angle": "ankle_flexion", "subtalar_angle": "ankle_inversion",
        "mtp_angle": "toe_extension"}  # fmt: skip
_TRUNK = {
    "lumbar_extension": "spine1_flexion",
    "lumbar_bending": "spine1_bending",
    "lumbar_rotation": "spine1_rotation",
}
_CARRIED_BY = {"femur": "hip_rotation", "tibia": "knee_flexion", "talus": "ankle_flexion", "calcn": "subtalar",
               "toes": "toe_extension"}  # fmt: skip
_CENTRES = {"femur": ("hip_flexion", "knee_flexion"), "tibia": ("knee_flexion", "ankle_flexion")}
"""Joints of the skeleton at the two ends of the length by which a body is scaled."""

_FOOT = ("talus", "calcn", "toes")


SUBTALAR = {f"{word}_ankle_inversion": f"{word}_subtalar" for word in _SIDES.values()}
"""The hinge of the subtalar axis, by the skeleton's joint on whose link it is."""


def counterparts() -> dict[str, tuple[str, float]]:
    """The skeleton's joint and its sign, by coordinate of gait2392; flexion is positive on the skeleton."""
    out = {
        f"{theirs}_{side}": (f"{word}_{ours}", -1.0 if theirs == "knee_angle" else 1.0)
        for side, word in _SIDES.items()
        for theirs, ours in _LEG.items()
    }
    return out | {name: (ours, -1.0 if name == "lumbar_extension" else 1.0) for name, ours in _TRUNK.items()}


@dataclass(frozen=True)
class _Placement:
    """How a body of the source is mapped to the skeleton: p becomes origin + scale R (p - centre), in neutral frames.

    Points in front of the centre are mapped by ``ahead`` (3, 3), if given, instead of scale R.
    """

    body: str
    centre: np.ndarray
    scale: float
    R: np.ndarray
    origin: np.ndarray
    ahead: np.ndarray | None = None

    def point(self, place: np.ndarray) -> np.ndarray:
        from_centre = place - self.centre
        if self.ahead is not None and from_centre[0] > 0.0:
            return self.origin + self.ahead @ from_centre
        return self.origin + self.scale * self.R @ from_centre


def muscles_on_skeleton(source: MuscleModel, skeleton: Skeleton) -> MuscleModel:
    """The muscle model of a scaled skeleton, with coordinates and bodies named like its joints and as in `SUBTALAR`.

    Raises:
        DynamicsError: the skeleton lacks a joint.
    """
    axes, centres = (values[0] for values in joint_axes(skeleton, np.zeros((1, len(skeleton)))))
    placements = _placements(source, skeleton, centres)
    shifts = {f"{word}_knee_flexion": _knee(source, placements, side) for side, word in _SIDES.items()}
    joints, at = [], {"pelvis": np.zeros(3)}
    for name in [ours for ours, _ in counterparts().values()]:
        j = skeleton.index(name)
        parent = skeleton.joint_names[skeleton.parent[j]]
        parent = SUBTALAR.get(parent, parent if parent in at else "pelvis")
        joints.append(_hinge(parent, name, axes[j], centres[j] - at[parent], shifts.get(name, ())))
        at[name] = centres[j]
        if name in SUBTALAR:
            axis, place = _subtalar(source, placements, name)
            joints.append(_hinge(name, SUBTALAR[name], axis, place))
            at[SUBTALAR[name]] = centres[j] + place
    muscles = tuple(
        replace(muscle, points=tuple(_point(point, placements[point.body]) for point in muscle.points))
        for muscle in source.muscles
    )
    mapped = MuscleModel("pelvis", tuple(joints), tuple(joint.child for joint in joints), muscles, source.credit)
    return _scaled(source, mapped, float(skeleton.mass.sum()))


def _hinge(parent: str, name: str, axis: np.ndarray, place: np.ndarray, shifts: tuple[Axis, ...] = ()) -> Joint:
    before = np.eye(4)
    before[:3, 3] = place
    return Joint(parent, name, (*shifts, Axis(name, "R", axis, Spline.line(1.0))), before)


def _subtalar(source: MuscleModel, placements: Mapping[str, _Placement], name: str) -> tuple[np.ndarray, np.ndarray]:
    """Direction of the source's subtalar axis on the skeleton's foot, and its position from the ankle's centre."""
    side = next(side for side, word in _SIDES.items() if name.startswith(word))
    (joint,) = (joint for joint in source.joints if joint.child == f"calcn_{side}")
    talus = placements[f"talus_{side}"]
    (axis,) = (axis for axis in joint.axes if axis.kind == "R")
    return talus.R @ joint.before[:3, :3] @ axis.direction, talus.point(joint.before[:3, 3])


def _placements(source: MuscleModel, skeleton: Skeleton, centres: np.ndarray) -> dict[str, _Placement]:
    neutral = body_poses(source.root, source.joints, {name: np.zeros(1) for name in source.coordinates})
    place = {name: pose.r[0] for name, pose in neutral.items()}
    hips = (place["femur_r"] + place["femur_l"]) / 2
    ours = {
        name: centres[skeleton.index(name)] for name in (f"{w}_{j}" for w in _SIDES.values() for j in _LEG.values())
    }
    width = np.linalg.norm(ours["right_hip_flexion"] - ours["left_hip_flexion"])
    scale = float(width / np.linalg.norm(place["femur_r"] - place["femur_l"]))
    out = {"pelvis": _Placement("pelvis", hips, scale, np.eye(3), np.zeros(3))}
    spine = centres[skeleton.index("spine1_flexion")]
    height = float(spine[1] / (place["torso"] - hips)[1])
    out["torso"] = _Placement("spine1_rotation", np.zeros(3), height, np.eye(3), np.zeros(3))
    for side, word in _SIDES.items():
        for (body, (near, far)), end in zip(_CENTRES.items(), ("tibia", "talus"), strict=True):
            theirs = place[f"{end}_{side}"] - place[f"{body}_{side}"]
            own = ours[f"{word}_{far}"] - ours[f"{word}_{near}"]
            out[f"{body}_{side}"] = _Placement(
                f"{word}_{_CARRIED_BY[body]}",
                np.zeros(3),
                float(np.linalg.norm(own[:2]) / np.linalg.norm(theirs[:2])),
                _turn(np.arctan2(own[1], own[0]) - np.arctan2(theirs[1], theirs[0])),
                ours[f"{word}_{near}"] - ours[f"{word}_{_CARRIED_BY[body]}"],
            )
        own = ours[f"{word}_toe_extension"] - ours[f"{word}_ankle_flexion"]
        out |= _foot(side, word, {body: place[f"{body}_{side}"] for body in _FOOT}, own, out[f"tibia_{side}"].scale)
    return out


def _turn(angle: float) -> np.ndarray:
    return rotation_about(np.array([0.0, 0.0, 1.0]), angle)


def _foot(
    side: str, word: str, place: Mapping[str, np.ndarray], own: np.ndarray, scale: float
) -> dict[str, _Placement]:
    """Placements of the foot's bodies; the soles are level in both neutral poses.

    Args:
        side, word: "r" and "right", or "l" and "left".
        place: (3,) m of the source's bodies.
        own: (3,) m from ankle to toe joint on the skeleton.
        scale: of the shank.
    """
    theirs = place["toes"] - place["talus"]
    ahead = scale * np.eye(3)
    ahead[:2, 0] = (own - scale * np.array([0.0, theirs[1], 0.0]))[:2] / theirs[0]
    subtalar = scale * (place["calcn"] - place["talus"])  # behind the ankle
    toe = np.append(own[:2], scale * theirs[2])
    origins = {"talus": np.zeros(3), "calcn": -subtalar, "toes": toe - own}
    return {
        f"{body}_{side}": _Placement(
            f"{word}_{_CARRIED_BY[body]}",
            np.zeros(3) if body == "toes" else place["talus"] - place[body],
            scale,
            np.eye(3),
            origins[body],
            None if body == "toes" else ahead,
        )
        for body in _FOOT
    }


def _knee(source: MuscleModel, placements: Mapping[str, _Placement], side: str) -> tuple[Axis, ...]:
    """Translations of the tibia relative to the skeleton's hinge, zero at full extension, in the thigh's frame."""
    femur = placements[f"femur_{side}"]
    (joint,) = (joint for joint in source.joints if joint.child == f"tibia_{side}")
    return tuple(
        Axis(
            f"{_SIDES[side]}_knee_flexion",
            "P",
            femur.R @ axis.direction,
            _mirrored(Spline(axis.function.x, femur.scale * (axis.function.y - axis.function(np.zeros(()))))),
        )
        for axis in joint.axes
        if axis.kind == "P"
    )


def _mirrored(function: Spline) -> Spline:
    """f(-x)."""
    return Spline(-function.x[::-1], function.y[::-1])


def _point(point: PathPoint, placement: _Placement) -> PathPoint:
    ours = counterparts()
    condition = None
    if point.condition:
        (name, sign), ends = ours[point.condition[0]], point.condition[1:]
        condition = (name, min(sign * end for end in ends), max(sign * end for end in ends))
    if not point.mover:
        return PathPoint(placement.body, placement.point(point.place), condition=condition)
    name, sign = ours[point.mover]
    x = np.unique(np.concatenate([function.x for function in point.functions]))
    places = np.array([placement.point(p) for p in np.stack([f(x) for f in point.functions], axis=1)])
    functions = (Spline(x, y) for y in places.T)
    return PathPoint(placement.body, functions=tuple(map(_mirrored, functions) if sign < 0 else functions), mover=name)


def _scaled(source: MuscleModel, mapped: MuscleModel, mass: float) -> MuscleModel:
    """Fibres, tendons and strength scaled by the lengths in the neutral pose and the body's mass."""
    before, after = (
        path_geometry(m, {name: np.zeros(1) for name in m.coordinates}).length[0] for m in (source, mapped)
    )
    return replace(mapped, muscles=tuple(map(_resized, mapped.muscles, after / before, [mass] * len(before))))


def _resized(muscle: Muscle, ratio: float, mass: float) -> Muscle:
    return replace(
        muscle,
        fibre_length=muscle.fibre_length * ratio,
        tendon_length=muscle.tendon_length * ratio,
        maximum_force=muscle.maximum_force * mass / SOURCE_MASS / ratio,
    )
