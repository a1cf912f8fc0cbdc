"""Constraints and objectives that the preset `human` adds to the thesis, each with its justification."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pipeline.conventions import GRAVITY, SIDES, X, Y
from pipeline.optimisation import (
    NodeConstraint,
    NodeValues,
    Objective,
    Quantity,
    SquaredIntegral,
    SquaredRate,
    coordinates,
    difference,
)
from pipeline.prediction.gait.constraints import Setting, position_of
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.walker import largest_flexion
from pipeline.skeleton import ADULT_LEG, ADULT_MASS

PELVIS_RANGE, WIDE_PELVIS_RANGE, MAX_ANTERIOR_TILT = np.radians(8.0), np.radians(20.0), np.radians(5.0)
MIN_KNEE_FLEXION_IN_PRESWING = np.radians(12.0)
FREE_DORSIFLEXION, FREE_PLANTARFLEXION = np.radians(11.5), np.radians(15.0)
TOE_CLEARANCE = 0.012
COMMON_STRENGTH = 2.05
"""Nm/kg; each joint's torque is weighted by the geometric mean of its own limit and this common one."""

TWO_JOINT = {"hip_flexion": 0.39, "ankle_flexion": 0.085}
"""Knee extensor torque per hip flexor torque, and per ankle dorsiflexor torque, at the minimum sum of squared
activations: ``C[knee, others] C[others, others]^-1`` with ``C = R F^2 R'`` from the moment arms R and maximum forces F
of gait2392 (Delp et al. 1990). Over the poses of a gait cycle they are 0.38 to 0.41 and 0.07 to 0.09."""

SPINE_POSTURE, NECK_POSTURE, ELBOW_POSTURE, REFERENCE_ELBOW_FLEXION = 0.2, 2.0, 0.05, np.radians(25.0)
"""Weights relative to effort, 1/rad^2, of spine angles, of neck angles and of elbow flexion from the reference angle,
rad. Without them these directions are nearly undetermined, and the solver ends anywhere in them; with 0.2 for the neck
too, heads nod by 15 degrees at fast and by 20 at very fast speed."""

RUNNING_ELBOW_FLEXION, FREE_RUNNING_ELBOW = np.radians((90.0, 20.0))
"""rad; elbows are bent at about right angles in running, and by how much they move freely about that."""

HIP_ROTATION, TOE_EXTENSION = 0.7, 0.03
"""Weights relative to effort, 1/rad^2, of squared angles on which effort hardly depends."""

PELVIS_POSTURE, THORAX_POSTURE = 2.0, 1.5
"""Weights relative to effort, 1/rad^2, of the squared rotation and obliquity of the pelvis, and of the thorax with its
tilt."""

PELVIS_ACCELERATION = 1e-4
"""Weight relative to effort, s^4/rad^2, of squared angular accelerations of the pelvis."""

VERTICAL_MOMENT = 1000.0
"""Weight relative to effort of the squared vertical moment of the ground over body weight and leg length."""

GENERATION_EFFICIENCY, ABSORPTION_EFFICIENCY = 0.25, 1.2
"""Mechanical work over metabolic energy of muscles that shorten and of muscles that are stretched (Margaria 1968)."""

SMOOTHED_POWER = 0.1
"""W/kg; width of the smooth transition between the energy rates of shortening and stretching."""

ACHILLES_STIFFNESS = 470.0 / (ADULT_MASS * ADULT_LEG)
"""Nm/rad over body mass and leg length: stiffness of the Achilles tendon about the ankle, from 188 N/mm (Lichtwark and
Wilson 2005) at a moment arm of 50 mm (Rugg et al. 1990)."""

ARM_POSTURE, ARM_SWING, ARM_ROTATION, ARM_EXCESS = 0.3, 0.12, 0.3, 20.0
"""Weights relative to effort, 1/rad^2: of shoulder adduction; of shoulder flexion from the reference angle; of shoulder
rotation, and of forearm pronation from the reference angle; of shoulder and elbow angles beyond their free ranges."""

REFERENCE_SHOULDER_FLEXION = np.radians(8.0)
"""Middle of the swing in the two published walks with arms; the weights were chosen on these walks too."""

REFERENCE_PRONATION = np.radians(80.0)
"""Palms facing the thighs, thumbs forward; supination and pronation reach 80 degrees each from there (AAOS 1965)."""

FREE_SHOULDER_FLEXION, FREE_SHOULDER_ADDUCTION, FREE_SHOULDER_ROTATION = np.radians((24.0, 10.0, 15.0))
"""Either way; flexion from the reference angle."""

FREE_ELBOW_FLEXION = np.radians(35.0)
"""Elbow flexion reaches at most 34 and 31 degrees in the two published walks with arms."""


def pelvis_orientation(at: Setting) -> list[NodeConstraint]:
    """Pelvic rotation and obliquity within 8 degrees, and tilt from that of standing to 5 degrees forward of it.

    If the sides differ, rotation and obliquity may reach 20 degrees; on a slope the pelvis may also tilt forward by the
    slope.
    """
    widest, slope = WIDE_PELVIS_RANGE if at.walker.differences else PELVIS_RANGE, at.task.slope
    high = np.array([widest, widest, -slope])
    low = -np.array([widest, widest, MAX_ANTERIOR_TILT + slope + abs(slope)])
    labels = ("rotation", "obliquity", "tilt")
    return [NodeConstraint("pelvis orientation", coordinates([3, 4, 5]), low, high, 1e-4, "rad", at.inside, labels)]


def least_knee_flexion(at: Setting, side: str, contact: float, least: float, when: str) -> NodeConstraint:
    """At least some flexion of a knee, rad, at an initial contact, in steps, if the knee's limit allows."""
    flexion, knee = at.walker.flexion, at.walker.knees[side]
    low, high = sorted((flexion * min(least, float(largest_flexion(at.walker, knee))), flexion * np.inf))
    name = f"{side} knee flexion {when}"
    return NodeConstraint(name, coordinates([knee]), low, high, 1e-4, "rad", np.isclose(at.u, contact))


def knee_flexion_in_preswing(at: Setting) -> list[NodeConstraint]:
    """At least 12 degrees of flexion of the trailing knee at contralateral initial contact, if its limit allows."""
    return [
        least_knee_flexion(at, trailing, contact, MIN_KNEE_FLEXION_IN_PRESWING, "in preswing")
        for _, trailing, contact in at.task.initial_contacts
    ]


def toe_clearance(at: Setting) -> list[NodeConstraint]:
    """Minimum height of the swinging toe in the middle half of swing."""
    out = []
    for side, u in at.swings():
        applies = (u > at.task.swing_time(0.25)) & (u < at.task.swing_time(0.75))
        name, height = f"{side} toe clearance", position_of(f"{side}_toe", [Y])
        out.append(NodeConstraint(name, height, TOE_CLEARANCE, np.inf, 1e-4, "m", applies, scale=10.0))
    return out


def active_torques(joints: np.ndarray, limits: np.ndarray) -> Quantity:
    """Torques of some joints' muscles over their limits (r,), excluding those of springs and passive tissue."""
    return lambda motion: motion.active_tau.rows(joints).scaled(1.0 / limits)


def uncoupled_torques(at: Setting, joints: np.ndarray, limits: np.ndarray) -> Quantity:
    """(K, r) muscle torques of some joints over limits (r,); at the knees without the share of two-joint muscles.

    Hamstrings flex the knee with the torque that they give the hip, the rectus femoris extends it, and the
    gastrocnemii flex it with that of the ankle. The minimum sum of squared activations for torques tau is
    ``tau' C^-1 tau`` (`TWO_JOINT`); its knee term is the square of the torque beyond its regression on those of hip and
    ankle.
    """
    names = [at.walker.skeleton.joint_names[joint] for joint in joints]
    matrix = np.eye(len(joints))
    for side, knee in at.walker.knees.items():
        for kind, torque in TWO_JOINT.items():
            if knee in joints and (other := f"{side}_{kind}") in names:
                matrix[list(joints).index(knee), names.index(other)] = at.walker.flexion * torque
    torques = active_torques(joints, np.ones(len(joints)))
    return lambda motion: torques(motion).transformed(matrix / limits[:, None])


def muscle_powers(at: Setting, joints: np.ndarray) -> Quantity:
    """(K, r) muscle powers of some joints over body mass, W/kg."""
    torque, velocity = active_torques(joints, np.full(len(joints), at.walker.body_mass)), coordinates(joints, "qd")
    return lambda motion: torque(motion).times(velocity(motion))


def strengths(at: Setting, joints: np.ndarray) -> np.ndarray:
    """(r,) strength of some joints, Nm: the geometric mean of each one's torque limit and a common one."""
    return np.sqrt(at.walker.skeleton.tau_limit[joints] * COMMON_STRENGTH * at.walker.body_mass)


def driving_joints(at: Setting) -> np.ndarray:
    """(8,) flexion and adduction of the hips, flexion of knees and ankles: their muscles do the work of walking."""
    names = ("hip_flexion", "hip_adduction", "knee_flexion", "ankle_flexion")
    return np.array([at.walker.skeleton.index(f"{side}_{name}") for side in SIDES for name in names])


def effort(at: Setting) -> list[SquaredIntegral]:
    """Squared muscle torques (`uncoupled_torques`) over strengths; factors for flexion of hip, knee, ankle and toes."""
    walker, joints = at.walker, at.walker.actuated
    hips = [walker.skeleton.index(f"{side}_hip_flexion") for side in SIDES]
    factors = np.ones(len(walker.skeleton))
    for own, factor in (
        (hips, at.weights.hip),
        (walker.knees.values(), at.weights.knee),
        (walker.ankles.values(), at.weights.ankle),
        (walker.toes.values(), at.weights.toes),
    ):
        factors[list(own)] = factor
    return [SquaredIntegral("effort", uncoupled_torques(at, joints, strengths(at, joints) / np.sqrt(factors[joints])))]


def torque_rates(at: Setting) -> list[SquaredRate]:
    """Squared rates of muscle torques at hip, knee and ankle, relative to strengths, with a weight for the hips.

    Passive moments are not produced by muscles and are left out.
    """
    joints = driving_joints(at)
    hips = ["_hip_" in at.walker.skeleton.joint_names[joint] for joint in joints]
    factors = np.where(hips, at.weights.hip_rate, 1.0)
    torques = uncoupled_torques(at, joints, strengths(at, joints) / np.sqrt(factors))
    return [SquaredRate("rates of torques", torques, at.weights.torque_rate)]


def tendon_energy(at: Setting, joints: np.ndarray, stiffness: float = ACHILLES_STIFFNESS) -> Quantity:
    """(K, r) energy of the Achilles tendons over body mass, J/kg: squared plantarflexor torque over twice stiffness.

    Args:
        joints: only the ankles among them have a tendon.
        stiffness: about the ankle, Nm/rad, over body mass, kg, and leg length, m.
    """
    walker, ankles = at.walker, np.isin(joints, list(at.walker.ankles.values()))
    torques = active_torques(joints, np.full(len(joints), walker.body_mass))

    def energy(motion: WalkingMotion) -> NodeValues:
        plantarflexor = torques(motion)
        compliance = np.where(ankles, np.minimum(plantarflexor.value, 0.0), 0.0) / (stiffness * walker.leg_length)
        return replace(plantarflexor.scaled(compliance), value=0.5 * plantarflexor.value * compliance)

    return energy


def energy_rate_root(power: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Square root of the muscles' energy rate, W/kg, at given powers, W/kg, and its derivative."""
    smooth = np.hypot(power, SMOOTHED_POWER)
    rate = 0.5 * (smooth + power) / GENERATION_EFFICIENCY + 0.5 * (smooth - power) / ABSORPTION_EFFICIENCY
    slope = 0.5 * (power / smooth + 1.0) / GENERATION_EFFICIENCY + 0.5 * (power / smooth - 1.0) / ABSORPTION_EFFICIENCY
    root = np.sqrt(rate)
    return root, slope / (2.0 * root)


def muscle_work(at: Setting, stiffness: float = ACHILLES_STIFFNESS) -> list[SquaredRate]:
    """Energy of the muscles of hip, knee and ankle, J/kg: powers over efficiencies.

    The calf's power is the ankle's plus the rate at which its tendon stores energy.

    Args:
        stiffness: of the Achilles tendons, as for `tendon_energy`.
    """
    joints = driving_joints(at)
    stored, powers = tendon_energy(at, joints, stiffness), muscle_powers(at, joints)
    return [SquaredRate("work of muscles", stored, at.weights.work, plus=powers, function=energy_rate_root)]


def relative_passive_moments(at: Setting, joints: np.ndarray) -> Quantity:
    """(K, r) passive moments of some joints over their strengths."""
    strength = strengths(at, joints)
    return lambda motion: motion.passive_tau.rows(joints).scaled(1.0 / strength)


def passive_knee(at: Setting) -> list[SquaredIntegral]:
    """Squared passive moments of the knees, relative to strengths."""
    relative = relative_passive_moments(at, np.array(list(at.walker.knees.values())))
    return [SquaredIntegral("passive moments of the knees", relative, at.weights.passive_knee)]


def joint_accelerations(at: Setting) -> list[SquaredIntegral]:
    """Squared joint accelerations."""
    return [SquaredIntegral("joint accelerations", coordinates(at.walker.internal, "qdd"), at.weights.accelerations)]


def unloaded_ankle(at: Setting) -> list[SquaredIntegral]:
    """Squared flexion and inversion of the swinging ankle, and of the leading ankle in double support.

    The weight in swing is the square of a sine that rises from foot off, when the foot is plantarflexed, to initial
    contact; in double support it is the square of a cosine that falls from there to contralateral foot off.
    """
    names, foot_off = at.walker.skeleton.joint_names, at.task.swing_time(0.0)
    windows = {side: np.zeros(len(at.u)) for side in SIDES}
    for side, u in at.swings():
        swing = np.nan_to_num((u - foot_off) / (1.0 - foot_off))
        windows[side] += np.sin(0.5 * np.pi * np.clip(swing, 0.0, 1.0)) ** 2
    for side, _, contact in at.task.initial_contacts if foot_off > 0.0 else ():
        share = (at.u - contact) / foot_off
        windows[side] += np.where((share >= 0.0) & (share <= 1.0), np.cos(0.5 * np.pi * share) ** 2, 0.0)
    out = []
    for side, window in windows.items():
        ankle = coordinates([j for j, name in enumerate(names) if name.startswith(f"{side}_ankle")])
        title = f"{side} ankle angles with little load"
        out.append(SquaredIntegral(title, ankle.scaled(window[:, None]), at.weights.swing_ankle))
    return out


def excess_dorsiflexion(at: Setting) -> list[SquaredIntegral]:
    """Squared dorsiflexion beyond 11.5 degrees: an objective rather than a limit, since long steps need more."""
    ankles = coordinates([at.walker.ankles[side] for side in SIDES])
    excess = outside(ankles, -np.inf, FREE_DORSIFLEXION)
    return [SquaredIntegral("excess ankle dorsiflexion", excess, at.weights.dorsiflexion)]


def excess_plantarflexion(at: Setting) -> list[SquaredIntegral]:
    """Squared plantarflexion beyond 15 degrees."""
    ankles = coordinates([at.walker.ankles[side] for side in SIDES])
    excess = outside(ankles, -FREE_PLANTARFLEXION, np.inf)
    return [SquaredIntegral("excess ankle plantarflexion", excess, at.weights.plantarflexion)]


def hip_rotation(at: Setting) -> list[SquaredIntegral]:
    """Squared rotation of the hips."""
    names = at.walker.skeleton.joint_names
    hips = [j for j, name in enumerate(names) if name.endswith("hip_rotation")]
    return [SquaredIntegral("hip rotation", coordinates(hips), HIP_ROTATION)] if hips else []


def pelvis_posture(at: Setting) -> list[SquaredIntegral]:
    """Squared rotation and obliquity of the pelvis."""
    return [SquaredIntegral("pelvic rotation and obliquity", coordinates([3, 4]), PELVIS_POSTURE)]


def thorax_posture(at: Setting) -> list[SquaredIntegral]:
    """Squared rotation, obliquity and tilt of the thorax.

    They are the forward and the vertical component of the direction of the line that joins the shoulders, and the
    forward component of that from mid-hip to mid-shoulder. Forward is horizontal, also on a slope.
    """
    up = -np.array(at.walker.gravity_G) / GRAVITY
    level = np.array([[up[Y], -up[X], 0.0], up])

    def shoulder_line(motion: WalkingMotion) -> NodeValues:
        line = motion.position("right_shoulder") - motion.position("left_shoulder")
        return line.direction.transformed(level)

    def trunk_line(motion: WalkingMotion) -> NodeValues:
        left, right = (motion.position(f"{side}_shoulder") - motion.position(f"{side}_hip") for side in SIDES)
        return (left + right).direction.transformed(level[:1])

    return [
        SquaredIntegral("rotation and obliquity of the thorax", shoulder_line, THORAX_POSTURE),
        SquaredIntegral("tilt of the thorax", trunk_line, THORAX_POSTURE),
    ]


def pelvis_accelerations(at: Setting) -> list[SquaredIntegral]:
    """Squared angular accelerations of the pelvis."""
    return [SquaredIntegral("accelerations of the pelvis", coordinates([3, 4, 5], "qdd"), PELVIS_ACCELERATION)]


def vertical_moment(at: Setting) -> list[SquaredIntegral]:
    """Squared vertical moment of the ground about the zero-moment point, over body weight and leg length.

    With force f and moment n about the origin it is n . f / f_y; body weight replaces the vertical force f_y.
    """
    weight = at.walker.mass * GRAVITY

    def moment(motion: WalkingMotion) -> NodeValues:
        wrench = motion.ground_reaction
        return wrench.rows([0, 1, 2]).dot(wrench.rows([3, 4, 5])).scaled(1.0 / (weight**2 * at.walker.leg_length))

    return [SquaredIntegral("vertical moment of the ground", moment, VERTICAL_MOMENT)]


def toe_extension(at: Setting) -> list[SquaredIntegral]:
    """Squared extension of the toes."""
    return [SquaredIntegral("toe extension", coordinates(list(at.walker.toes.values())), TOE_EXTENSION)]


def arm_posture(at: Setting) -> list[SquaredIntegral]:
    """Squared angles of the arms from their reference values, and squared angles beyond their free ranges.

    From reference values: shoulder adduction and rotation from 0, shoulder flexion from 8 and forearm pronation from 80
    degrees. Beyond free ranges: shoulder flexion more than 24 degrees from its reference value, adduction beyond 10,
    rotation beyond 15 and elbow flexion beyond 35 degrees, in running outside 70 to 110.
    """
    names = at.walker.skeleton.joint_names

    def joints(*kinds: str) -> list[int]:
        """Indices of these joints on both sides; frozen ones are not in the skeleton."""
        chosen = {f"{side}_{kind}" for side in SIDES for kind in kinds}
        return [j for j, name in enumerate(names) if name in chosen]

    flexion, adduction = joints("shoulder_flexion"), joints("shoulder_adduction")
    rotation, pronation = joints("shoulder_rotation"), joints("elbow_pronation")
    elbows, swing = joints("elbow_flexion"), deviation_from(flexion, REFERENCE_SHOULDER_FLEXION)
    far, wide = FREE_SHOULDER_FLEXION, FREE_SHOULDER_ADDUCTION
    turned, flexed = FREE_SHOULDER_ROTATION, outside(coordinates(elbows), -np.inf, FREE_ELBOW_FLEXION)
    if at.task.flight:
        bent = deviation_from(elbows, RUNNING_ELBOW_FLEXION)
        flexed = outside(bent, -FREE_RUNNING_ELBOW, FREE_RUNNING_ELBOW)
    terms = (
        ("shoulder adduction", adduction, coordinates(adduction), ARM_POSTURE),
        ("shoulder flexion", flexion, swing, ARM_SWING),
        ("shoulder rotation", rotation, coordinates(rotation), ARM_ROTATION),
        ("forearm pronation", pronation, deviation_from(pronation, REFERENCE_PRONATION), ARM_ROTATION),
        ("excess shoulder flexion", flexion, outside(swing, -far, far), ARM_EXCESS),
        ("excess shoulder adduction", adduction, outside(coordinates(adduction), -wide, wide), ARM_EXCESS),
        ("excess shoulder rotation", rotation, outside(coordinates(rotation), -turned, turned), ARM_EXCESS),
        ("excess elbow flexion", elbows, flexed, ARM_EXCESS),
    )
    return [SquaredIntegral(name, quantity, weight) for name, own, quantity, weight in terms if own]


def trunk_posture(at: Setting) -> list[SquaredIntegral]:
    """Squared angles of spine and neck, and of the elbows about 25 degrees of flexion, in running about 90."""
    names = at.walker.skeleton.joint_names
    spine = [j for j, name in enumerate(names) if name.startswith("spine")]
    neck = [j for j, name in enumerate(names) if name.startswith(("upper_neck", "lower_neck"))]
    elbows = [j for j, name in enumerate(names) if name.endswith("elbow_flexion")]
    flexion = deviation_from(elbows, RUNNING_ELBOW_FLEXION if at.task.flight else REFERENCE_ELBOW_FLEXION)
    terms = (
        ("spine angles", spine, coordinates(spine), SPINE_POSTURE),
        ("neck angles", neck, coordinates(neck), NECK_POSTURE),
        ("elbow flexion", elbows, flexion, ELBOW_POSTURE),
    )
    return [SquaredIntegral(name, quantity, weight) for name, joints, quantity, weight in terms if joints]


def deviation_from(joints: list[int], angle: float) -> Quantity:
    """Coordinates of some joints minus one angle, rad."""
    return difference(lambda time: np.full((len(time), len(joints)), angle), joints)


def outside(quantity: Quantity, lower: float, upper: float) -> Quantity:
    """By how much a quantity is outside a range; the square of this is continuously differentiable."""

    def outside(motion: WalkingMotion) -> NodeValues:
        values = quantity(motion)
        beyond = values.value - np.clip(values.value, lower, upper)
        partials = (part if part is None else part * (beyond != 0.0)[:, :, None] for part in values.partials)
        return NodeValues(beyond, *partials)

    return outside


CONSTRAINTS = {
    pelvis_orientation: "pelvic rotation and obliquity within 8 degrees (20 if the sides differ), since people reach 4 "
    "to 8 (Schwartz et al. 2008), and tilt up to 5 degrees, plus that of the ground, forward of standing",
    knee_flexion_in_preswing: "a bound taken from the norm, not a result: at least 12 degrees at contralateral "
    "initial contact, where people have 12 to 20 (Schwartz et al. 2008); effort alone keeps the knee straight until "
    "then",
    toe_clearance: "at least 1.2 cm in the middle half of swing, where people have 1 to 2 cm (Winter 1992)",
}
"""Bound of each constraint, and its justification."""

OBJECTIVES: dict[Callable[[Setting], Sequence[Objective]], str] = {
    arm_posture: "arms are kept near the trunk: minimum effort alone swings them by 90 degrees and more, people by 30 "
    "to 50 (Murray et al. 1967)",
    trunk_posture: "spine and neck are kept near upright and elbows near 25 degrees of flexion: effort hardly "
    "determines them, and in people ligaments do (Murray et al. 1967; White and Panjabi 1990); the neck has ten times "
    "the weight of the spine, since people keep the head still (Pozzo et al. 1990)",
    excess_dorsiflexion: "ankle dorsiflexion beyond 11.5 degrees is penalised: people reach 12 in walking (Schwartz "
    "et al. 2008), where the gastrocnemius limits it",
    excess_plantarflexion: "ankle plantarflexion beyond 15 degrees is penalised: people reach 20 (Schwartz et al. "
    "2008), where the calf's fibres are short and weak",
    hip_rotation: "the hips are kept near neutral rotation: effort hardly determines it (walks of similar effort "
    "differed by 12 degrees in it), and in people ligaments of the capsule resist it both ways (Martin et al. 2008)",
    pelvis_posture: "the pelvis is kept near level and square to the direction of walking: effort hardly determines "
    "it, and people keep it so for head and trunk above it (Pozzo et al. 1990)",
    thorax_posture: "the thorax is kept near upright and square to the direction of walking: people turn and lean it "
    "by 3 to 5 degrees, which keeps the head still (Pozzo et al. 1990)",
    pelvis_accelerations: "the pelvis turns smoothly: people keep accelerations of the trunk, and with them of the "
    "head, small (Menz et al. 2003), whereas torques alone hike and drop it within a tenth of a second",
    vertical_moment: "the ground's vertical moment, which the rotators of the standing leg have to bear, is kept "
    "small: people do so by swinging their arms (Collins et al. 2009)",
    toe_extension: "toes are kept near straight: effort hardly determines them in swing, and in people tendons and "
    "the plantar fascia draw them back (Hicks 1954)",
    effort: "torques of muscles: those of the joints without passive moments of hip, knee and ankle (Riener and "
    "Edrich 1999), and the knee's without what two-joint muscles give it along with hip and ankle (Delp et al. 1990); "
    "they are weighted partly by a common strength, since the knee's high limit alone lets it flex too much under "
    "load; factors of hip, knee, ankle and toes are fitted to people's walks, since limits do not tell what a "
    "muscle's work costs",
    torque_rates: "torques that change fast are penalised, since a muscle that is activated for a short time uses "
    "energy beyond its work and force, more so the shorter that time, and most in swinging the leg (Doke and Kuo "
    "2007; Rebula and Kuo 2015); those of the hips have a factor chosen on people's walks",
    passive_knee: "moments of the knee's ligaments and capsule (Riener and Edrich 1999) are penalised, since people "
    "walk on knees that are not fully extended (Perry and Burnfield 2010), which without muscles would rest on these; "
    "as in Falisse et al. (2019), but not at hip and ankle, whose passive moments return energy in walking",
    muscle_work: "the energy of muscles of hip, knee and ankle is penalised, with work at efficiencies of 0.25 where "
    "they shorten and 1.2 where they are stretched (Margaria 1968), since people walk with little energy; the "
    "Achilles tendon stores energy in stance and returns it at push-off without the calf's work (Lichtwark and Wilson "
    "2005)",
    joint_accelerations: "rapid joint movements are penalised, since people move smoothly (Falisse et al. 2019)",
    unloaded_ankle: "the ankle is kept near neutral from mid-swing until contralateral foot off, where people's "
    "dorsiflexors hold it (Perry and Burnfield 2010): its flexion and inversion are almost free of effort there",
}
"""Quantity that each objective minimises, and its justification; the order determines the rounding of their sum."""
