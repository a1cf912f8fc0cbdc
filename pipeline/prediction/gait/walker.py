"""The walking model of a skeleton: mirrored coordinates, legs, soles, and body points used in constraints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.conventions import GRAVITY_G, LATERAL_SIGN, SIDES, X, Y, Z
from pipeline.prediction.errors import PredictionError
from pipeline.sides import other_side
from pipeline.skeleton import Skeleton, ankle_height, joint_axes, leg_length, mirror_map, segment_pose

FOREFOOT_SHARE = 0.487
"""Forward distance from ankle to toe joint over foot length (Delp et al. 1990)."""

PIVOT_LENGTH, HEEL_FRONT = 0.04, 0.27
"""Reach of the support area over foot length while the foot turns about heel or tip: about its contact point, and
forwards for the heel's load. The heel pad yields and the midfoot comes down, so people's centre of pressure nears the
ankle before foot flat; off the axis of the turning foot it does work, as soft tissue takes up energy there (Zelik and
Kuo 2010)."""

HEEL, BALL_MEDIAL, BALL_LATERAL, TOE = "heel", "ball_medial", "ball_lateral", "toe"
CONTACT_POINTS = (HEEL, BALL_MEDIAL, BALL_LATERAL, TOE)

# Sole points as shares of foot length: forward of the ankle (heel) or toe joint (others), and to the lateral side.
_SOLE = {HEEL: (-0.19, 0.0), BALL_MEDIAL: (0.0, -0.16), BALL_LATERAL: (-0.03, 0.17), TOE: (0.24, -0.03)}
KNUCKLES_SHARE = 0.32
"""Distance from wrist to third metacarpal head over that from elbow to wrist (de Leva 1996)."""

_WRIST_RADIUS, _HIP_RADIUS, _LEG_OF_RADII = 0.05, 0.13, 0.9
"""m: radii of the spheres of self-avoidance, half a wrist's breadth and hip joint to lateral thigh, and the leg length
that they are for."""

_JOINT_CENTRES = {
    "shoulder": "upper_arm",
    "elbow": "forearm",
    "wrist": "hand",
    "hip": "thigh",
    "knee": "shank",
    "ankle": "foot",
    "toe_joint": "toes",
}
"""Body points at the proximal end of a segment."""


@dataclass(frozen=True)
class BodyPoint:
    """A point fixed to a link: joint index and position in the link frame (3,), m."""

    link: int
    position: np.ndarray


def body_point(skeleton: Skeleton, segment: str, position_G: np.ndarray) -> BodyPoint:
    """A point given in G in the neutral pose, expressed in its link's frame."""
    R, r = segment_pose(skeleton, segment, np.zeros((1, len(skeleton))))
    found = skeleton.segment(segment)
    in_segment = R[0].T @ (position_G - r[0])
    return BodyPoint(found.joint, found.pose[:3, :3] @ in_segment + found.pose[:3, 3])


@dataclass(frozen=True)
class Spring:
    """A passive torque -stiffness (q - rest) on a joint: an orthosis, or the ankle of a prosthetic foot.

    Attributes:
        joint: name of the joint.
        stiffness, rest: Nm/rad and rad.
    """

    joint: str
    stiffness: float
    rest: float = 0.0


@dataclass(frozen=True)
class JointForce:
    """A bound or penalty on the net force of a clinical joint.

    Attributes:
        joint: ``left_hip``, ``right_knee``, ``left_ankle`` and so on.
        limit: upper bound of its magnitude, body weights.
        weight: of its squared magnitude in body weights, relative to effort.
    """

    joint: str
    limit: float = np.inf
    weight: float = 0.0


CLINICAL_JOINTS = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
"""Joints whose net force may be bounded, with the segment below each."""


@dataclass(frozen=True)
class Walker:
    """A skeleton with the indices, points and dimensions that constraints of a walk refer to.

    Attributes:
        skeleton: the active tree, n joints, the first six global.
        partner, sign: (n,) the contralateral coordinate, and the factor between mirrored coordinates.
        progression: index of the coordinate along X.
        legs: by side, joints from hip to rear foot, whose torques depend on the foot's load.
        knees, flexion: knee joint of each side, and the sign of flexion.
        ankles: flexion joint of each ankle.
        feet, toes: link of each rear foot, and of each foot's toes, whose joint is the toe joint.
        points: by name, ``right_heel``, ``left_wrist`` and so on; ``chest`` is above the hip at shoulder height.
        sole: outline of the right foot on the ground from the ankle's ground point, x forward and z lateral, m:
            areas ``heel``, ``full``, ``forefoot`` and ``tip``, each (p, 2).
        contacts: contact points likewise, (2,) each.
        mass, leg_length: kg, m.
        body_mass: without what is carried, kg; strength, tendons and passive moments are those of this mass.
        standing_height: of the skeleton's origin above the ground in the neutral pose, m.
        springs: passive springs on joints.
        joint_forces: bounds and penalties on net forces of joints.
        gravity_G: (3,) m/s^2, in G.
    """

    skeleton: Skeleton
    partner: np.ndarray
    sign: np.ndarray
    progression: int
    legs: dict[str, np.ndarray]
    knees: dict[str, int]
    flexion: float
    ankles: dict[str, int]
    feet: dict[str, int]
    toes: dict[str, int]
    points: dict[str, BodyPoint]
    sole: dict[str, np.ndarray]
    contacts: dict[str, np.ndarray]
    mass: float
    body_mass: float
    leg_length: float
    standing_height: float
    springs: tuple[Spring, ...] = ()
    joint_forces: tuple[JointForce, ...] = ()
    gravity_G: tuple[float, float, float] = GRAVITY_G

    @cached_property
    def revolute(self) -> np.ndarray:
        """(n,) whether a joint is revolute."""
        return np.array([kind == "R" for kind in self.skeleton.kind])

    @cached_property
    def precedes(self) -> np.ndarray:
        """(n, n) whether joint m (column) is a proper ancestor of joint j (row)."""
        return self.skeleton.is_ancestor.T & ~np.eye(len(self.skeleton), dtype=bool)

    @cached_property
    def locked(self) -> np.ndarray:
        """(n,) whether a joint has no range of motion; a brace or bone carries its torque."""
        return self.skeleton.q_lower == self.skeleton.q_upper

    @property
    def locked_joints(self) -> tuple[str, ...]:
        """Names of the locked joints."""
        return tuple(self.skeleton.joint_names[j] for j in np.flatnonzero(self.locked))

    @cached_property
    def differences(self) -> tuple[str, ...]:
        """Names of joints and links in which left and right differ."""
        s, out = self.skeleton, []
        for name in ("q_lower", "q_upper", "tau_limit", "mass", "theta", "a"):
            values = getattr(s, name)
            out += [s.joint_names[j] for j in np.flatnonzero(~np.isclose(values, values[self.partner], atol=1e-9))]
        for lengths in (np.abs(s.d), np.abs(s.alpha), np.linalg.norm(s.com, axis=1), np.trace(s.inertia, 0, 1, 2)):
            out += [s.joint_names[j] for j in np.flatnonzero(~np.isclose(lengths, lengths[self.partner], atol=1e-9))]
        loads = {(spring.joint, spring.stiffness, spring.rest) for spring in self.springs}
        loads |= {(force.joint, force.limit, force.weight) for force in self.joint_forces}
        out += [joint for joint, *values in loads if (other_side(joint), *values) not in loads]
        return tuple(dict.fromkeys(name for name in out if other_side(name) != name))

    def joint_of(self, clinical: str) -> str:
        """The coordinate of a clinical joint nearest to the foot, which carries its load.

        Raises:
            PredictionError: there is no such joint.
        """
        side, _, joint = clinical.partition("_")
        if side not in SIDES or joint not in CLINICAL_JOINTS:
            known = ", ".join(f"{one}_{name}" for one in SIDES for name in CLINICAL_JOINTS)
            raise PredictionError(f"there is no joint '{clinical}'", where="net joint force", remedy=f"Known: {known}")
        return self.skeleton.joint_names[self.skeleton.segment(f"{side}_{CLINICAL_JOINTS[joint]}").joint]

    @property
    def internal(self) -> np.ndarray:
        """Joints other than the six global ones."""
        return np.arange(6, len(self.skeleton))

    @property
    def actuated(self) -> np.ndarray:
        """Internal joints with a torque limit."""
        return self.internal[np.isfinite(self.skeleton.tau_limit[self.internal])]

    @property
    def clearance(self) -> float:
        """Minimum distance of a wrist from the ipsilateral hip, m."""
        return (_WRIST_RADIUS + _HIP_RADIUS) * self.leg_length / _LEG_OF_RADII


def largest_flexion(walker: Walker, knees: int | list[int]) -> np.ndarray:
    """Largest flexion, rad, that the limits of some knee joints allow."""
    return (walker.skeleton.q_upper if walker.flexion > 0 else -walker.skeleton.q_lower)[knees]


def make_walker(skeleton: Skeleton) -> Walker:
    """The walking model of a skeleton without frozen joints.

    Raises:
        PredictionError: joints are frozen, or the first six are not those of a free-floating base.
    """
    _check(skeleton)
    z, _ = joint_axes(skeleton, np.zeros((1, len(skeleton))))
    partner, sign = mirror_map(skeleton)
    toes = _in_foot(skeleton, "right", "toes")
    foot_length, height = float(toes[X]) / FOREFOOT_SHARE, ankle_height(skeleton)
    legs, knees, ankles, feet, toe_links, points = {}, {}, {}, {}, {}, {}
    contacts: dict[str, np.ndarray] = {}
    for side in SIDES:
        feet[side], toe_links[side] = (skeleton.segment(f"{side}_{name}").joint for name in ("foot", "toes"))
        legs[side] = np.array([j for j in np.flatnonzero(skeleton.is_ancestor[:, feet[side]]) if j >= 6])
        knees[side] = skeleton.segment(f"{side}_shank").joint
        ankles[side] = legs[side][list(legs[side]).index(knees[side]) + 1]
        R, r = segment_pose(skeleton, f"{side}_foot", np.zeros((1, len(skeleton))))
        for name, (forward, lateral) in _SOLE.items():
            base = 0.0 if name == HEEL else toes[X]
            sideways = LATERAL_SIGN[side] * lateral * foot_length
            in_foot = np.array([base + forward * foot_length, -height, sideways])
            segment = f"{side}_foot" if name == HEEL else f"{side}_toes"
            points[f"{side}_{name}"] = body_point(skeleton, segment, r[0] + R[0] @ in_foot)
            if side == "right":
                contacts[name] = in_foot[[X, Z]]
        for name, segment in _JOINT_CENTRES.items():
            points[f"{side}_{name}"] = body_point(skeleton, f"{side}_{segment}", _origin(skeleton, f"{side}_{segment}"))
        elbow, wrist, hip = (_origin(skeleton, f"{side}_{segment}") for segment in ("forearm", "hand", "thigh"))
        points[f"{side}_knuckles"] = body_point(skeleton, f"{side}_hand", wrist + KNUCKLES_SHARE * (wrist - elbow))
        shoulder = _origin(skeleton, f"{side}_upper_arm")
        points[f"{side}_chest"] = body_point(skeleton, _thorax(skeleton), np.array([*shoulder[:2], hip[Z]]))
    knee, mass = knees["right"], float(skeleton.mass.sum())
    ground = float(_origin(skeleton, "right_foot")[Y]) - height
    return Walker(
        skeleton,
        partner,
        sign,
        int(np.argmax(np.abs(z[0, :3, X]))),
        legs,
        knees,
        _flexion_sign(skeleton, knee),
        ankles,
        feet,
        toe_links,
        points,
        _areas(contacts, foot_length),
        contacts,
        mass,
        mass,
        leg_length(skeleton),
        -ground,
    )


def _areas(contacts: dict[str, np.ndarray], foot_length: float) -> dict[str, np.ndarray]:
    """Support polygons (p, 2) of the sole while it stands on the heel, the full sole, the forefoot or the tip."""
    heel, medial, lateral, toe = (contacts[name] for name in CONTACT_POINTS)
    w = 0.11 * foot_length
    r, pad = PIVOT_LENGTH * foot_length, HEEL_FRONT * foot_length
    back = [[heel[0] - 0.05 * foot_length, -w], [heel[0] - 0.05 * foot_length, w]]
    tip = [[toe[0], toe[1] - 0.1 * foot_length], [toe[0] - 0.06 * foot_length, toe[1] + 0.16 * foot_length]]
    return {
        "heel": heel + np.array([[-r, -w], [-r, w], [pad, -w], [pad, w]]),
        "full": np.array([*back, medial, lateral, *tip]),
        "forefoot": np.array([medial, lateral, *tip]),
        "tip": toe + np.array([[-r, -w], [-r, w], [r, -w], [r, w]]),
    }


def _check(skeleton: Skeleton) -> None:
    if np.any(skeleton.frozen):
        raise PredictionError("the skeleton still has frozen joints", where="walker", remedy="Merge them first")
    kinds = "".join(skeleton.kind[:6])
    if kinds != "PPPRRR" or not np.array_equal(skeleton.parent[:6], np.arange(-1, 5)):
        raise PredictionError(
            f"the first six joints are {kinds}, expected three prismatic then three revolute in a chain",
            where="walker",
        )


def _origin(skeleton: Skeleton, segment: str) -> np.ndarray:
    _, r = segment_pose(skeleton, segment, np.zeros((1, len(skeleton))))
    return r[0]


def _thorax(skeleton: Skeleton) -> str:
    """The last segment from which both arms branch."""
    left, right = (skeleton.is_ancestor[:, skeleton.segment(f"{side}_upper_arm").joint] for side in SIDES)
    carriers = [name for name in skeleton.segments if (left & right)[skeleton.segment(name).joint]]
    return max(carriers, key=lambda name: skeleton.segment(name).joint)


def _in_foot(skeleton: Skeleton, side: str, segment: str) -> np.ndarray:
    """Origin (3,) of a segment of the foot, in the rear foot's axes, m."""
    R, r = segment_pose(skeleton, f"{side}_foot", np.zeros((1, len(skeleton))))
    return R[0].T @ (_origin(skeleton, f"{side}_{segment}") - r[0])


def _flexion_sign(skeleton: Skeleton, knee: int) -> float:
    """Sign of the right knee's coordinate for which the ankle moves backwards, whatever the joint's limits."""
    q = np.zeros((2, len(skeleton)))
    q[1, knee] = 0.1
    _, ankle = segment_pose(skeleton, "right_foot", q)
    return 1.0 if ankle[1, X] < ankle[0, X] else -1.0
