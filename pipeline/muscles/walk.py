"""Muscle and joint contact forces of a walk, by static optimisation from the joint moments of the skeleton.

In gait2392 the two legs and the trunk share no muscle, so each is solved by itself in the frames in which its moments
are known. The moments are those of the kinematic motion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from pipeline.conventions import BAND_95, SIDES
from pipeline.errors import DynamicsError
from pipeline.muscles.distribution import History, muscle_forces
from pipeline.muscles.elastic import ELASTIC, NotConvergedError
from pipeline.muscles.emg_assisted import EmgCriterion, RecordedMuscle
from pipeline.muscles.joint_contacts import CONTACTS, compartment_forces, contact_forces
from pipeline.muscles.knee_parts import COMPARTMENTS, PARTS
from pipeline.muscles.loaded_walk import LoadedWalk
from pipeline.muscles.model_file import load_muscle_model
from pipeline.muscles.on_skeleton import SUBTALAR, muscles_on_skeleton
from pipeline.muscles.paths import MuscleModel
from pipeline.muscles.static_optimisation import Criterion
from pipeline.muscles.subtalar import SubtalarMoment, subtalar_moments
from pipeline.skeleton import PASSIVE_JOINTS, Skeleton, leg_length, passive_moments, passive_scale, skeleton_of
from pipeline.trial import MuscleLoads, Note, WholeBody

TRUNK = "spine1"
RESERVE = 1.0
"""Nm, for joints with a known moment: so small that it is used only where muscles are too weak."""

MAX_RESERVE = 0.05
"""Fraction of the peak joint moment: larger reserves are reported (Hicks et al. 2015, J Biomech Eng 137:020905)."""


@dataclass(frozen=True)
class MuscleMethod:
    """How joint moments are distributed to muscles.

    Attributes:
        tendons: "rigid", or "elastic" for those of soleus and gastrocnemii; if no distribution is found with these, a
            leg gets rigid ones and a note.
        dynamic: whether activations change no faster than excitations allow; with rigid tendons only.
        weights: weights of squared activations, by actuator, of one side ("soleus_l") or of both ("soleus"); 1 if left
            out.
        passive_joints: whether hip, knee and ankle have passive moments (`passive_moments`) besides the muscles'.
        emg_weight: weight of squared differences from recorded EMG, besides ``weights``; 0 ignores the EMG.
    """

    tendons: str = "elastic"
    dynamic: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)
    passive_joints: bool = False
    emg_weight: float = 0.0


PLAIN = MuscleMethod()
"""Elastic tendons, equal weights, no passive moments and no EMG."""


def walk_muscles(
    body: WholeBody,
    method: MuscleMethod = PLAIN,
    strength: Mapping[str, float] | None = None,
    muscles: MuscleModel | None = None,
    recorded: Sequence[RecordedMuscle] = (),
) -> MuscleLoads:
    """Muscle forces, reserves and contact forces of a measured walk.

    Args:
        body: the walk on the skeleton.
        method: of the distribution.
        strength: factors of the maximum isometric force by actuator, named as in the method's weights.
        muscles: those of the walk's skeleton (`muscles_of`), if already computed.
        recorded: EMG channels, at the walk's frames, that activations follow.

    Raises:
        DynamicsError: the skeleton lacks a joint, no distribution is found, or a strength or weight is not positive or
            names no muscle.
    """
    model = _with_strength(muscles or muscles_of(body), strength or {})
    return muscle_loads(body, skeleton_of(body), model, method, recorded)


def muscle_loads(
    body: LoadedWalk,
    skeleton: Skeleton,
    model: MuscleModel,
    method: MuscleMethod = PLAIN,
    recorded: Sequence[RecordedMuscle] = (),
    borne: Collection[str] = (),
    without_passive: Collection[str] = (),
) -> MuscleLoads:
    """The same for any walk on a skeleton with its muscles.

    Args:
        borne: joints with a moment that a brace or bone carries, whatever the muscles exert.
        without_passive: joints with no passive moment besides the muscles'.

    Raises:
        DynamicsError: no distribution is found.
    """
    frames, names = len(body.time), [muscle.name for muscle in model.muscles]
    activation, force = np.full((2, frames, len(names)), np.nan)
    reserve = np.full((frames, len(model.coordinates)), np.nan)
    contact = np.full((frames, len(SIDES) * len(CONTACTS), 3), np.nan)
    compartments = np.full((frames, len(COMPARTMENTS)), np.nan)
    peak, unknown = np.full(len(model.coordinates), np.nan), np.zeros(len(model.coordinates))
    contact_joints = tuple(f"{side}_{joint}" for side in SIDES for joint in CONTACTS)
    notes: list[Note] = []
    scales: dict[str, float] = {}
    elastic = ELASTIC if method.tendons == "elastic" else ()
    weight = _factors(model, method.weights, "weight")
    unbalanced = {*SUBTALAR, *borne}
    for part in (*SIDES, TRUNK):
        own = part_of(model, part)
        known = _known(body, skeleton, own, part)
        notes += _frame_notes(part, known)
        if not known.any():
            continue
        q, qd, moment = (_of(values[known], own, skeleton) for values in _motion(body))
        subtalar = subtalar_moments(body, skeleton, own, q, known)
        moment |= {hinge: found.value for hinge, found in subtalar.items()}
        own_names = [muscle.name for muscle in own.muscles]
        columns = [names.index(name) for name in own_names]
        base = Criterion(weight=weight[columns], reserve=_reserves(own, subtalar, unbalanced))
        followed = EmgCriterion.of(base, method.emg_weight, recorded if method.emg_weight else (), own_names, known)
        begins = np.diff(np.flatnonzero(known), prepend=-2) > 1
        history = History(body.time[known], begins, elastic=elastic, dynamic=method.dynamic)
        passive = None
        if method.passive_joints and part in SIDES:
            of_leg = _passive_of(q, part, passive_scale(body.mass, leg_length(skeleton, part)))
            passive = {name: moment for name, moment in of_leg.items() if name not in without_passive}
        distribute = partial(
            muscle_forces, own, q, qd, moment, followed,
            passive_moment=passive, unbalanced=unbalanced,
        )  # fmt: skip
        try:
            found = distribute(history=history)
        except NotConvergedError as error:
            text = f"rigid tendons in the {part} leg: with elastic ones {error.problem} ({error.where})"
            notes.append(Note("warning", "muscles", text))
            found = distribute()
        scales |= dict(zip(followed.names, found.emg_scale, strict=True))
        rows = [model.coordinates.index(name) for name in own.coordinates]
        at = np.flatnonzero(known)[:, None]
        activation[at, columns], force[at, columns], reserve[at, rows] = found.activation, found.force, found.reserve
        # Within the 95 % band of a subtalar moment, a reserve does not indicate weak muscles.
        unknown[rows] = [BAND_95 * subtalar[n].sd.max() if n in subtalar else 0.0 for n in own.coordinates]
        peak[rows] = [np.nan if name in unbalanced else np.abs(moment[name]).max() for name in own.coordinates]
        if part in SIDES:
            for joint, values in contact_forces(body, skeleton, own, part, found, known):
                contact[known, contact_joints.index(joint)] = values
            places = [COMPARTMENTS.index(f"{part}_knee_{name}") for name in PARTS]
            compartments[at, places] = compartment_forces(body, skeleton, own, part, q, found, known)
    return MuscleLoads(
        name=body.name,
        subject=body.subject,
        mass=body.mass,
        model=model.credit,
        tendons=method.tendons,
        time=body.time,
        muscle_names=tuple(names),
        contact_joints=contact_joints,
        coordinates=model.coordinates,
        maximum_force=np.array([muscle.maximum_force for muscle in model.muscles]),
        activation=_in_steps(activation, 2.0**-14),
        force=_in_steps(force, 2.0**-6),
        contact_force=_in_steps(contact, 2.0**-14),
        compartments=COMPARTMENTS,
        compartment_force=_in_steps(compartments, 2.0**-14),
        reserve=_in_steps(reserve, 2.0**-10),
        peak_moment=peak,
        notes=(
            *_method_notes(method),
            *_emg_notes(method.emg_weight, scales),
            *notes,
            *_reserve_notes(model.coordinates, reserve, peak, unknown),
        ),
    )


def muscles_of(body: WholeBody) -> MuscleModel:
    """The muscles of gait2392 on a walk's skeleton. Raises DynamicsError if it lacks a joint."""
    return muscles_on_skeleton(load_muscle_model(), skeleton_of(body))


def _with_strength(model: MuscleModel, strength: Mapping[str, float]) -> MuscleModel:
    """The model with some maximum isometric forces multiplied by factors."""
    factors = _factors(model, strength, "strength")
    muscles = (replace(m, maximum_force=m.maximum_force * f) for m, f in zip(model.muscles, factors, strict=True))
    return replace(model, muscles=tuple(muscles))


def _factors(model: MuscleModel, given: Mapping[str, float], what: str) -> np.ndarray:
    """Factors (m,) of all actuators, from values by actuator with or without its side; 1 if none is given."""
    names = {name for muscle in model.muscles for name in (muscle.name, muscle.name.rpartition("_")[0])}
    for name, factor in given.items():
        where = f"{what} of muscles"
        if name not in names:
            remedy = f"Known names, with or without their side: {', '.join(sorted(n for n in names if n[-2] != '_'))}"
            raise DynamicsError(f"no muscle is called {name!r}", where=where, remedy=remedy)
        if not (np.isfinite(factor) and factor > 0.0):
            raise DynamicsError(f"the {what} of {name} is {factor:g}", where=where, remedy="Give a positive number")
    both = ((muscle.name, muscle.name.rpartition("_")[0]) for muscle in model.muscles)
    return np.array([given.get(name, 1.0) * given.get(without_side, 1.0) for name, without_side in both])


def _passive_of(q: Mapping[str, np.ndarray], side: str, scale: float) -> dict[str, np.ndarray]:
    """Passive moments (F,) of a leg, Nm, by coordinate, for a body of that scale."""
    names = [f"{side}_{joint}" for joint in PASSIVE_JOINTS]
    moment, _ = passive_moments(np.stack([q[name] for name in names], axis=1))
    return dict(zip(names, scale * moment.T, strict=True))


def _reserves(own: MuscleModel, subtalar: Mapping[str, SubtalarMoment], unbalanced: Collection[str]) -> np.ndarray:
    """Reserves (F, J) or (J,) of the balanced coordinates that cost as much as one fully active muscle, Nm: `RESERVE`,
    or about a subtalar axis the standard deviation of its moment if that is larger."""
    balanced = [name for name in own.coordinates if name not in unbalanced]
    of_each = [subtalar[name].sd if name in subtalar else 0.0 for name in balanced]
    return np.maximum(RESERVE, np.stack(np.broadcast_arrays(*of_each), axis=-1))


def _in_steps(values: np.ndarray, step: float) -> np.ndarray:
    """Single precision rounded to whole steps, which are far below the error of any estimate; digits take space."""
    return (np.round(values / step) * step).astype(np.float32)


def part_of(model: MuscleModel, part: str) -> MuscleModel:
    """The joints of a side or of the trunk with the muscles that attach to them."""
    joints = tuple(joint for joint in model.joints if joint.child.startswith(f"{part}_"))
    carried = {joint.child for joint in joints}
    muscles = tuple(m for m in model.muscles if any(point.body in carried for point in m.points))
    return replace(model, joints=joints, coordinates=tuple(joint.child for joint in joints), muscles=muscles)


def _motion(body: LoadedWalk) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angles, velocities and moments (T, n)."""
    return body.kinematic.q, body.kinematic.qd, body.kinematic.tau


def _of(values: np.ndarray, model: MuscleModel, skeleton: Skeleton) -> dict[str, np.ndarray]:
    """Columns by coordinate; the subtalar hinges stay at zero."""
    of_joints = {name: values[:, skeleton.index(name)] for name in model.coordinates if name in skeleton.joint_names}
    return of_joints | {name: np.zeros(len(values)) for name in SUBTALAR.values() if name in model.coordinates}


def _known(body: LoadedWalk, skeleton: Skeleton, own: MuscleModel, part: str) -> np.ndarray:
    """Frames (T,) in which all angles and moments of a part are known."""
    columns = [skeleton.index(name) for name in own.coordinates if name in skeleton.joint_names]
    known = np.all([np.isfinite(values[:, columns]).all(axis=1) for values in _motion(body)], axis=0)
    if part == TRUNK:
        carried = skeleton.is_ancestor[columns[-1]]
        tracked = any(carried[skeleton.index(joint)] for joint in body.marker_joints)
        known &= tracked
    return known


def _emg_notes(weight: float, scales: Mapping[str, float]) -> Iterator[Note]:
    if scales:
        text = (
            f"activations follow the shape of recorded EMG with weight {weight:g} of squared differences; their size "
            "follows from the moments; at the largest EMG, % of full activation: "
            + ", ".join(f"{name} {100 * scale:.0f}" for name, scale in scales.items())
        )
        yield Note("info", "muscles", text)


def _method_notes(method: MuscleMethod) -> Iterator[Note]:
    if method.weights:
        text = ", ".join(f"{name} {weight:g}" for name, weight in sorted(method.weights.items()))
        yield Note("info", "muscles", f"weights of squared activations other than 1: {text}")
    if method.passive_joints:
        text = "ligaments and capsules of hip, knee and ankle give passive moments (Riener and Edrich 1999)"
        yield Note("info", "muscles", f"{text}; their pressure on the joints is not in the contact forces")


def _frame_notes(part: str, known: np.ndarray) -> Iterator[Note]:
    name = "the trunk" if part == TRUNK else f"the {part} leg"
    if not known.any():
        why = "it has no markers" if part == TRUNK else "the ground reaction on its foot is unknown in all frames"
        yield Note("left out", "muscles", f"no muscle forces of {name}, because {why}")


def _reserve_notes(
    coordinates: tuple[str, ...], reserve: np.ndarray, peak: np.ndarray, unknown: np.ndarray
) -> Iterator[Note]:
    """A note on the joints with muscles that are too weak: the reserve exceeds both `MAX_RESERVE` and the moment's
    uncertainty. The toes, which leave part of their small moments to the reserve, are not reported."""
    lacking = []
    for name, values, moment, uncertain in zip(coordinates, reserve.T, peak, unknown, strict=True):
        largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0.0
        if largest > max(MAX_RESERVE * moment, uncertain) and not name.endswith("toe_extension"):
            lacking.append(f"{name.replace('_', ' ')} {largest:.1f} of {moment:.1f} Nm")
    if lacking:
        text = (
            f"the muscles cannot produce the whole joint moment at {', '.join(lacking)} (limit "
            f"{100 * MAX_RESERVE:.0f} %), so their forces there are at the limit: interpret them with care"
        )
        yield Note("warning", "muscles", text)
