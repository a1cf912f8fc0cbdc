"""A person's skeleton, sized by standing, refined by a walk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.inverse_kinematics.frame_fit import FEWEST, model_marker_positions
from pipeline.inverse_kinematics.model_calibration import Postures, refine
from pipeline.inverse_kinematics.model_markers import MarkerAttachments, ModelMarkers
from pipeline.inverse_kinematics.static_calibration import (
    CENTRE_WEIGHT,
    PersonalSkeleton,
    all_known,
    distance_between,
    stretch_of,
)
from pipeline.skeleton.scaling import stretch_mass
from pipeline.skeleton.tree import Skeleton
from pipeline.trial import Note

FRAMES = 60
"""Frames of the walk that are used, evenly spread: more hardly change the result."""

STANDING_WEIGHT = 0.1
"""Weight of a marker in the standing frame beside that in the mean walking frame. It only has to show the posture: what
standing says about the marker's place on its segment is the place that the refinement holds it to."""

_WORTH_SAYING = 0.01
"""m; a marker that is placed farther from where it was in the standing posture is named."""


def refine_person(
    person: PersonalSkeleton,
    definition: MarkerAttachments,
    attachments: ModelMarkers,
    markers_G: np.ndarray,
    weights: np.ndarray,
    reference: np.ndarray,
) -> PersonalSkeleton:
    """Refine joints and model marker positions by static trial and walk together (`model_calibration`).

    Args:
        person: sized by the standing posture.
        definition: what may change.
        attachments: of the K markers and joint centres of the walk.
        markers_G: (T, K, 3) m.
        weights: (T, K); zero leaves out. Frames that show too few markers are not used.
        reference: (n,) coordinates to which the walk's joints are held.

    Raises:
        DynamicsError: a freedom's joint or segment is unknown.
    """
    names, joint_names = attachments.names, person.skeleton.joint_names
    usable = np.flatnonzero((weights > 0.0).sum(axis=1) >= FEWEST)
    if not len(usable):
        return person
    rows = usable[:: -(-len(usable) // FRAMES)]
    walking = Postures(markers_G[rows], weights[rows], reference, definition.regularisation(joint_names))
    still = np.array([person.places.get(name, np.full(3, np.nan)) for name in names])[None]
    weight = np.where(np.isin(names, list(definition.centres)), CENTRE_WEIGHT, STANDING_WEIGHT)[None]
    weight = np.where(np.isfinite(still).all(axis=2), weight, 0.0)
    regularisation = definition.regularisation(joint_names, standing=True)
    standing = Postures(still, weight, np.zeros(len(joint_names)), regularisation)
    found = refine(person.skeleton, attachments, definition.refine, walking, standing, fixed=tuple(definition.centres))

    point = person.attachments.point.copy()
    point[[person.attachments.names.index(name) for name in names]] = found.attachments.point
    apart = np.linalg.norm(
        model_marker_positions(found.skeleton, found.attachments, found.standing[None])[0] - still[0], axis=1
    )
    shift = np.linalg.norm(found.attachments.point - attachments.point, axis=1)
    return replace(
        person,
        skeleton=_with_its_mass(found.skeleton, person, definition),
        attachments=replace(person.attachments, point=point),
        standing=found.standing,
        centre_error={name: float(apart[names.index(name)]) for name in person.centre_error if name in names},
        notes=(*person.notes, *_notes(found.changes, names, shift)),
    )


def _with_its_mass(refined: Skeleton, person: PersonalSkeleton, definition: MarkerAttachments) -> Skeleton:
    """The refined skeleton, its segments' mass stretched with the distances between joint centres that size them.

    Tables give centres of mass and radii of gyration as shares of the length between joint centres (de Leva 1996, table
    4). Where the hips lie in the depth and height of the pelvis is no length: its centre of mass stays.
    """
    centres = person.attachments.only(tuple(definition.centres))
    rest = np.zeros((1, len(refined)))
    before, after = (
        dict(zip(centres.names, model_marker_positions(body, centres, rest)[0], strict=True))
        for body in (person.skeleton, refined)
    )
    factors = {
        name: distance_between(size.distance, after) / distance_between(size.distance, before)
        if all_known(size.distance, before)
        else 1.0
        for name, size in definition.sizes.items()
    }
    segments = {segment for size in definition.sizes.values() for segment in size.segments}
    return stretch_mass(refined, {segment: stretch_of(definition, factors, segment) for segment in sorted(segments)})


def _notes(changes: dict[str, np.ndarray], names: tuple[str, ...], shift: np.ndarray) -> list[Note]:
    """How far joints were moved (mm) and turned (degrees), and markers that are elsewhere than while standing."""
    joints = ", ".join(
        f"{name} {1000 * np.linalg.norm(change[:3]):.0f} mm, {np.degrees(np.linalg.norm(change[3:])):.1f} degrees"
        for name, change in changes.items()
    )
    notes = [Note("estimated", "skeleton", f"refined by the walk: {joints}")] if changes else []
    far = ", ".join(f"{names[k]} {1000 * shift[k]:.0f} mm" for k in np.flatnonzero(shift > _WORTH_SAYING))
    if far:
        notes.append(Note("estimated", "markers", f"on the walk not where they were in the standing posture: {far}"))
    return notes
