"""Bodies of the 3-D view: legs and markers of a measured walk, and motions of the whole-body skeleton."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.conventions import GRAVITY, SIDES, X, Y, Z
from pipeline.math3d import Wrench
from pipeline.reporting.figures.plate_map import stance_times
from pipeline.reporting.figures.stick_figures import HAND_LENGTH, HEAD_RADIUS, LEAST_FORCE
from pipeline.reporting.viewer.scene import Bone, Figure, GroundForce, Sole
from pipeline.signals import load_of
from pipeline.trial import Kinematics, PredictedWalk, SegmentPose, WholeBody

HALF_SOLE = 0.024
"""Half the width of the foot as a share of height, only for drawing; it is not measured."""

DEFAULT_HEIGHT = 1.75
"""Height used for the thickness of the drawn segments if the height is not known, m."""

TOUCHING = 0.01
"""Maximum height at which points of the skeleton's sole count as on the ground, m."""

LIFTED = 0.03
"""Maximum height above its minimum at which a foot marker counts as on the ground in stance, m."""

HIPS = ("left_hip", "right_hip")

TRUNK = (
    ("pelvis", "lower_thorax", 0.066),
    ("upper_abdomen", "neck", 0.082),
    ("neck", "head", 0.028),
    ("head", "crown", 0.046),
    ("left_upper_arm", "right_upper_arm", 0.028),
)
"""End points of the drawn segments of the trunk, and their radius as a share of height."""

LIMB = (
    ("thigh", "shank", 0.04),
    ("shank", "foot", 0.028),
    ("foot", "heel", 0.017),
    ("foot", "toes", 0.017),
    ("toes", "toe", 0.012),
    ("heel", "toes", 0.012),
    ("upper_arm", "forearm", 0.024),
    ("forearm", "hand", 0.018),
    ("hand", "fingers", 0.015),
)
"""The same for the limbs of a side."""

MEASURED_LIMB = (
    ("hip", "knee", 0.04),
    ("knee", "ankle", 0.028),
    ("ankle", "heel", 0.017),
    ("ankle", "toe", 0.017),
    ("heel", "toe", 0.012),
)
"""The same for a leg of the lower-body kinematics."""


def skeleton_figure(
    name: str,
    segments: Mapping[str, SegmentPose],
    height: float,
    *,
    points: Mapping[str, np.ndarray],
    forces: Sequence[GroundForce] = (),
    soles: Sequence[Sole] = (),
    markers: Mapping[str, np.ndarray] | None = None,
) -> Figure:
    """A motion of the whole-body skeleton.

    Args:
        name: label of the body.
        segments: poses by the names in the skeleton's file.
        height: m.
        points: further points (T, 3) m in G, such as the soles' "left_heel" and "left_toe".
        forces, soles, markers: as in `Figure`.
    """
    points_G = {segment: pose.origin_G for segment, pose in segments.items()} | dict(points)

    def beyond(segment: str, up: float) -> np.ndarray:
        return segments[segment].origin_G + segments[segment].R_GS[:, :, Y] * up * height

    points_G["crown"] = beyond("head", 2.0 * HEAD_RADIUS)
    for side in SIDES:
        points_G[f"{side}_fingers"] = beyond(f"{side}_hand", -HAND_LENGTH)
    bones = [Bone("left_thigh", "right_thigh", 0.05 * height)]
    bones += [Bone(start, end, radius * height) for start, end, radius in TRUNK]
    bones += _limbs(LIMB, height)
    return _figure(name, points_G, bones, markers or {}, forces, soles)


def predicted_figure(walk: PredictedWalk) -> Figure:
    """The step of a predicted walk, over `walk.time`."""
    weight = walk.task.mass * GRAVITY
    soles = []
    for side in SIDES:
        names = tuple(f"{side}_{point}" for point in ("heel", "ball_medial", "toe", "ball_lateral"))
        loaded = np.linalg.norm(walk.ground[side].force_G, axis=1) > LEAST_FORCE * weight
        low = np.stack([walk.points[name][:, Y] < TOUCHING for name in names], axis=1)
        soles.append(Sole(names, low & loaded[:, None]))
    return skeleton_figure(
        "Predicted",
        walk.segments,
        walk.task.height,
        points={name: walk.points[name] for sole in soles for name in sole.points},
        forces=[ground_force(side, walk.ground[side], weight) for side in SIDES],
        soles=soles,
    )


def measured_figure(kinematics: Kinematics) -> Figure:
    """Legs and markers of a recording with the plates' forces, over `kinematics.time`."""
    values = kinematics.calibration.values
    height, weight = values.get("height", DEFAULT_HEIGHT), values["mass"] * GRAVITY
    points_G = {name: pose.centre_G for name, pose in kinematics.joints.items()}
    points_G |= {f"{side}_{part}": kinematics.points[f"{side}_{part}"] for side in SIDES for part in ("heel", "toe")}
    soles = []
    for side in SIDES:
        sole, around = _measured_sole(kinematics, side, HALF_SOLE * height)
        points_G |= around
        soles.append(sole)
    forces, frames = [], np.arange(len(kinematics.time))
    for stance in kinematics.stances:
        plate = load_of(stance, kinematics.plates)
        inside = (frames >= stance.start) & (frames < stance.stop)
        point = np.where(inside[:, None], plate.cop_G, np.nan)
        forces.append(ground_force(stance.side, Wrench(plate.wrench.force_G, plate.wrench.moment_G, point), weight))
    bones = [Bone(*HIPS, 0.05 * height), *_limbs(MEASURED_LIMB, height)]
    markers = dict(zip(kinematics.marker_names, kinematics.markers_G.swapaxes(0, 1), strict=True))
    return _figure("Measured", points_G, bones, markers, forces, soles)


def fitted_figure(kinematics: Kinematics, body: WholeBody) -> Figure:
    """A measured walk on the skeleton that was fitted to its markers, with these and the plates' forces."""
    legs = measured_figure(kinematics)
    ends = {f"{side}_{part}" for side in SIDES for part in ("heel", "toe")} | {p for s in legs.soles for p in s.points}
    points = {name: point for name, point in legs.points.items() if name in ends}
    segments, forces, soles, markers = body.kinematic.segments, legs.forces, legs.soles, legs.markers
    return skeleton_figure(
        "Measured", segments, body.height, points=points, forces=forces, soles=soles, markers=markers
    )


def ground_force(side: str, wrench: Wrench, weight: float) -> GroundForce:
    """A load at its point of application; NaN where it is too small to be drawn.

    Args:
        side: of the foot.
        wrench: load of the ground on the foot, at the centre of pressure.
        weight: of the body, N.
    """
    force = wrench.force_G / weight
    point = np.broadcast_to(wrench.point_G, force.shape)
    there = ((np.linalg.norm(force, axis=1) > LEAST_FORCE) & np.isfinite(point).all(axis=1))[:, None]
    return GroundForce(side, np.where(there, point, np.nan), np.where(there, force, np.nan))


def _limbs(limbs: Sequence[tuple[str, str, float]], height: float) -> list[Bone]:
    return [
        Bone(f"{side}_{start}", f"{side}_{end}", radius * height, side)
        for side in SIDES
        for start, end, radius in limbs
    ]


def _figure(
    name: str,
    points_G: Mapping[str, np.ndarray],
    bones: Sequence[Bone],
    markers: Mapping[str, np.ndarray],
    forces: Sequence[GroundForce],
    soles: Sequence[Sole],
) -> Figure:
    """A figure with only the points needed for its bones and soles."""
    drawn = [bone for bone in bones if bone.start in points_G and bone.end in points_G]
    needed = {end for bone in drawn for end in (bone.start, bone.end)} | {p for sole in soles for p in sole.points}
    return Figure(name, {p: point for p, point in points_G.items() if p in needed}, drawn, markers, forces, soles)


def _measured_sole(kinematics: Kinematics, side: str, half: float) -> tuple[Sole, dict[str, np.ndarray]]:
    """The sole, with points medial and lateral of heel and toe; they are in contact in stance while they are low."""
    time = kinematics.time
    own = [(start, end) for start, end, of in stance_times(kinematics) if of == side]
    stance_phase = np.any([np.zeros(len(time)), *((time >= start) & (time < end) for start, end in own)], axis=0)
    ends = [kinematics.points[f"{side}_{part}"] for part in ("heel", "toe")]
    along = ends[1] - ends[0]
    lateral = np.stack([-along[:, Z], np.zeros(len(time)), along[:, X]], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        lateral *= half / np.linalg.norm(lateral, axis=1, keepdims=True)
    around, contact = {}, []
    for part, point in zip(("heel", "toe"), ends, strict=True):
        height = point[:, Y]
        low = stance_phase & (height < height[np.isfinite(height)].min(initial=np.inf) + LIFTED)
        for sign, name in ((-1.0, "inner"), (1.0, "outer")):
            around[f"{side}_{part}_{name}"] = point + sign * lateral
            contact.append(low)
    return Sole(tuple(around), np.stack(contact, axis=1)), around
