"""Notes on the fit of a walk on the skeleton: its convergence, and degrees of freedom that are unobservable, uncertain,
or at their limits."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import WEAK_UNCERTAINTY
from pipeline.inverse_kinematics import Observability, SplineFit
from pipeline.skeleton import Skeleton
from pipeline.trial import Note

AT_LIMIT = 0.5
"""Fraction of the frames at a limit above which there is a note."""


def convergence_notes(motion: SplineFit, name: str) -> list[Note]:
    """A warning if a motion that was fitted to the markers is not the one of minimum cost."""
    if motion.converged:
        return []
    text = (
        f"the fit of the {name} motion has not converged after {motion.iterations} iterations: compare its angles with "
        "those of the segments before you use it"
    )
    return [Note("warning", "skeleton", text)]


def observability_notes(joint_names: tuple[str, ...], found: Observability) -> list[Note]:
    """Notes on coordinates that the markers do not determine, or only with a large uncertainty."""
    notes = []
    if found.unobservable:
        groups = "; ".join(" + ".join(group) for group in found.unobservable)
        text = f"not determined by the markers, so kept at the static pose: {groups}"
        notes.append(Note("assumed", "coordinates", text))
    weak = np.flatnonzero(np.isfinite(found.uncertainty) & (found.uncertainty > np.radians(WEAK_UNCERTAINTY)))
    if len(weak):
        listed = ", ".join(
            f"{joint_names[j]} ({min(np.degrees(found.uncertainty[j]), 180.0):.0f} degrees)" for j in weak
        )
        text = (
            f"uncertain by more than {WEAK_UNCERTAINTY:g} degrees in a pose of the walk if markers are off by 5 mm, so "
            f"read with care or add markers: {listed}"
        )
        notes.append(Note("assumed", "coordinates", text))
    return notes


def limit_notes(skeleton: Skeleton, at_limit: np.ndarray, found: Observability) -> list[Note]:
    """Notes on observable coordinates at their limits in many frames.

    They are warnings for pelvis and legs; the others do not change the loads of these.
    """
    joint_names = skeleton.joint_names
    return [
        Note(
            "warning" if skeleton.moves_feet[j] else "info",
            f"coordinate {joint_names[j]}",
            f"at the limit of its range in {100 * at_limit[j]:.0f} % of the frames: check the markers of both segments",
        )
        for j in np.flatnonzero(at_limit > AT_LIMIT)
        if (joint_names[j],) not in found.unobservable
    ]
