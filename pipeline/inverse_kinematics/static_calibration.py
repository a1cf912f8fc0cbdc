"""A skeleton made to fit one person: sized, posed and marked by a standing posture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.inverse_kinematics.frame_fit import fit_frames, model_marker_positions
from pipeline.inverse_kinematics.model_markers import MarkerAttachments, ModelMarkers, Place, Site, Turn
from pipeline.math3d import rotation_about
from pipeline.skeleton.points import link_poses
from pipeline.skeleton.scaling import stretch, turn_joint
from pipeline.skeleton.tree import Skeleton
from pipeline.trial import Note

CENTRE_WEIGHT = 10.0
"""Weight of a joint centre in the standing posture beside that of a bony landmark."""

STANDING_FIRMNESS = 100.0
"""All joints are held more firmly in the standing posture, whose markers are where a file says, not where they are."""

UNUSUAL = 0.4
"""Logarithm of a size by the stature's average, 0.67 to 1.5, beyond which its markers are doubted."""

_SETTLED = 1e-3
"""rad, and part of a size. Sizes and turns show in the standing posture, which depends on them: they are found when it
shows none of them to be off by more."""

_ROUNDS = 60
_REMEMBERED = 4
"""Rounds from whose differences the next is extrapolated."""

_LARGEST = 0.3
"""rad, and part of a size, by which a round changes one."""


@dataclass(frozen=True)
class PersonalSkeleton:
    """A skeleton of one person.

    Attributes:
        skeleton: sized, with the constant turns of its joints.
        attachments: measured places of the markers, and the joint centres.
        standing: (n,) coordinates of the standing posture.
        factors: by which each size differs from the stature's average.
        turns: rad, by name.
        centre_error: m, distance of the joints from the centres in the standing posture, by centre.
        places: (3,) m in G of the markers and centres that are known in the standing posture, by name.
        notes: sizes that no marker shows, that do not settle, or that are unusual.
    """

    skeleton: Skeleton
    attachments: ModelMarkers
    standing: np.ndarray
    factors: dict[str, float]
    turns: dict[str, float]
    centre_error: dict[str, float]
    places: dict[str, np.ndarray]
    notes: tuple[Note, ...]


def fit_standing(
    skeleton: Skeleton,
    definition: MarkerAttachments,
    places: Mapping[str, np.ndarray],
    stature: float,
    *,
    symmetric: bool = False,
) -> PersonalSkeleton:
    """Size a skeleton by the distances of a standing posture, find that posture, and measure the markers' places.

    Args:
        skeleton: scaled to the person's stature, mass and sex.
        definition: where markers and centres sit, and what shows which size.
        places: (3,) m in G of markers and joint centres; absent or NaN where not known.
        stature: m.
        symmetric: give both sides the mean of their sizes.

    Raises:
        DynamicsError: too few markers are known.
    """
    sites = {**definition.centres, **definition.markers}
    known = {name: np.asarray(places[name]) for name in sites if name in places and np.isfinite(places[name]).all()}
    search = _Search(skeleton, definition, known, stature, symmetric)
    value, off = _settle(search.lacking, np.zeros(len(definition.sizes) + len(definition.turns)))
    notes = [
        Note("assumed", f"skeleton: {name}", "its size is that of the stature: no marker shows it")
        for name, size in definition.sizes.items()
        if not all_known(size.distance, known)
    ]
    notes += [
        Note("assumed", f"skeleton: {name}", "not turned: no marker shows it")
        for name, turn in definition.turns.items()
        if not all_known(turn.direction, known)
    ]
    if off > _SETTLED:
        text = f"its sizes and turns do not settle: the posture still shows one off by {off:.1g} (of one, or rad)"
        notes.append(Note("warning", "skeleton", text))
    factors, turns = search.parts(value)
    notes += [
        Note("warning", f"skeleton: {name}", f"{factor:.2f} times as large as the stature says: check its markers")
        for name, factor in factors.items()
        if abs(np.log(factor)) > UNUSUAL
    ]
    skeleton, marks, q = search.posture(value)

    R, r = link_poses(skeleton, q)
    apart = model_marker_positions(skeleton, marks.only(tuple(known)), q)[0] - np.array(list(known.values()))
    point = marks.point.copy()
    for row, name in enumerate(marks.names):
        if name in known and name in definition.markers:
            j = marks.joint[row]
            point[row] = R[0, j].T @ (known[name] - r[0, j])
    error = dict(zip(known, np.linalg.norm(apart, axis=1).tolist(), strict=True))
    return PersonalSkeleton(
        skeleton=skeleton,
        attachments=ModelMarkers(marks.names, marks.joint, point, marks.segments),
        standing=q[0],
        factors=factors,
        turns=turns,
        centre_error={name: error[name] for name in known if name in definition.centres},
        places=known,
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class _Search:
    """Sizes and turns as a vector: logarithms of the factors, and then angles."""

    skeleton: Skeleton
    definition: MarkerAttachments
    known: dict[str, np.ndarray]
    stature: float
    symmetric: bool

    def parts(self, value: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
        """Factors of the sizes, and turns in rad, by name."""
        count = len(self.definition.sizes)
        factors = dict(zip(self.definition.sizes, np.exp(value[:count]).tolist(), strict=True))
        return factors, dict(zip(self.definition.turns, value[count:].tolist(), strict=True))

    def posture(self, value: np.ndarray) -> tuple[Skeleton, ModelMarkers, np.ndarray]:
        """The sized skeleton, the assumed places of all sites on it, and the posture (1, n) that fits what is known."""
        definition, names = self.definition, tuple(self.known)
        factors, turns = self.parts(value)
        body = _sized(self.skeleton, definition, factors, turns)
        sites = {**definition.centres, **definition.markers}
        marks = _attach(body, sites, _stretched_sites(definition, factors, self.stature))
        fit = fit_frames(
            body,
            marks.only(names),
            np.array([self.known[name] for name in names]).reshape(1, -1, 3),
            weights=np.array([CENTRE_WEIGHT if name in definition.centres else sites[name].landmark for name in names]),
            regularisation=STANDING_FIRMNESS * definition.regularisation(body.joint_names, standing=True),
            outlier=np.inf,
        )
        return body, marks, fit.q

    def lacking(self, value: np.ndarray) -> np.ndarray:
        """By how much the posture shows each to be off; zero where it does not show it."""
        definition, known = self.definition, self.known
        body, marks, q = self.posture(value)
        posed = dict(zip(marks.names, model_marker_positions(body, marks, q)[0], strict=True))
        sizes = {
            name: float(np.log(distance_between(size.distance, known) / distance_between(size.distance, posed)))
            if all_known(size.distance, known)
            else 0.0
            for name, size in definition.sizes.items()
        }
        if self.symmetric:
            _make_symmetric(sizes)
        turns = [
            _lacking_turn(body, marks, turn, known, q) if all_known(turn.direction, known) else 0.0
            for turn in definition.turns.values()
        ]
        return np.array([*sizes.values(), *turns])


def _settle(lacking: Callable[[np.ndarray], np.ndarray], value: np.ndarray) -> tuple[np.ndarray, float]:
    """Where nothing is lacking any more, and the largest lack there.

    Adding what is lacking comes there, but slowly where a posture hides most of it; so rounds are extrapolated
    (Anderson's mixing; Walker and Ni 2011, SIAM J Numer Anal 49:1715-1735).
    """
    values, lacks = [value], [lacking(value)]
    while np.abs(lacks[-1]).max(initial=0.0) > _SETTLED and len(values) < _ROUNDS:
        step = lacks[-1]
        if len(values) > 1:
            by_value, by_lack = (np.diff(np.array(past[-_REMEMBERED:]), axis=0).T for past in (values, lacks))
            step = step - (by_value + by_lack) @ np.linalg.lstsq(by_lack, step, rcond=1e-3)[0]
        values.append(values[-1] + np.clip(step, -_LARGEST, _LARGEST))
        lacks.append(lacking(values[-1]))
    best = int(np.argmin([np.abs(lack).max(initial=0.0) for lack in lacks]))
    return values[best], float(np.abs(lacks[best]).max(initial=0.0))


def all_known(ends: tuple[Place, Place], known: Mapping[str, np.ndarray]) -> bool:
    """Whether both ends of a size or a direction are known."""
    return all(part in known for place in ends for part in ([place] if isinstance(place, str) else place))


def _position(place: Place, known: Mapping[str, np.ndarray]) -> np.ndarray:
    """Position (3,) of a place."""
    return np.mean([known[part] for part in ([place] if isinstance(place, str) else place)], axis=0)


def distance_between(ends: tuple[Place, Place], known: Mapping[str, np.ndarray]) -> float:
    """Distance of both ends, m."""
    return float(np.linalg.norm(_position(ends[1], known) - _position(ends[0], known)))


def _make_symmetric(values: dict[str, float]) -> None:
    """Give both sides their mean."""
    for name in values:
        other = name.replace("left_", "right_")
        if other != name and other in values:
            values[name] = values[other] = 0.5 * (values[name] + values[other])


def stretch_of(definition: MarkerAttachments, factors: Mapping[str, float], segment: str) -> np.ndarray:
    """Factors (3,) along the axes of a segment."""
    sizes = [(name, size) for name, size in definition.sizes.items() if segment in size.segments]
    return np.prod(
        [np.ones(3)] + [np.where([axis in size.axes for axis in "xyz"], factors[name], 1.0) for name, size in sizes],
        axis=0,
    )


def _stretched_sites(
    definition: MarkerAttachments, factors: Mapping[str, float], stature: float
) -> dict[str, np.ndarray]:
    """Assumed places (3,) m of all sites in the axes of their segments."""
    sites = {**definition.centres, **definition.markers}
    return {name: stature * np.array(s.at) * stretch_of(definition, factors, s.segment) for name, s in sites.items()}


def _sized(
    skeleton: Skeleton, definition: MarkerAttachments, factors: Mapping[str, float], turns: Mapping[str, float]
) -> Skeleton:
    """The skeleton with its sizes and turns."""
    segments = {segment for size in definition.sizes.values() for segment in size.segments}
    body = stretch(skeleton, {segment: stretch_of(definition, factors, segment) for segment in sorted(segments)})
    for name, turn in definition.turns.items():
        axis = np.eye(3)["xyz".index(turn.axis)]
        body = turn_joint(body, turn.joint, turn.segment, rotation_about(axis, turns[name]))
    return body


def _attach(skeleton: Skeleton, sites: Mapping[str, Site], places: Mapping[str, np.ndarray]) -> ModelMarkers:
    """ModelMarkers from places (3,) in the axes of the sites' segments."""
    carriers = {name: skeleton.segment(site.segment) for name, site in sites.items()}
    return ModelMarkers(
        names=tuple(sites),
        joint=np.array([carrier.joint for carrier in carriers.values()], dtype=np.int64),
        point=np.array([c.pose[:3, :3] @ places[name] + c.pose[:3, 3] for name, c in carriers.items()]),
        segments=tuple(site.segment for site in sites.values()),
    )


def _lacking_turn(
    skeleton: Skeleton, marks: ModelMarkers, turn: Turn, known: Mapping[str, np.ndarray], q: np.ndarray
) -> float:
    """Angle (rad) by which a turn falls short of the direction that the posture q (1, n) shows."""
    at_rest = dict(zip(marks.names, model_marker_positions(skeleton, marks, np.zeros_like(q))[0], strict=True))
    directions = []
    for places, coordinates in ((at_rest, np.zeros_like(q)), (known, q)):
        segment = skeleton.segment(turn.segment)
        R_GS = link_poses(skeleton, coordinates)[0][0, segment.joint] @ segment.pose[:3, :3]
        directions.append(R_GS.T @ (_position(turn.direction[1], places) - _position(turn.direction[0], places)))
    k = "xyz".index(turn.axis)
    angles = [np.arctan2(direction[(k + 2) % 3], direction[(k + 1) % 3]) for direction in directions]
    return float((angles[1] - angles[0] + np.pi) % (2.0 * np.pi) - np.pi)
