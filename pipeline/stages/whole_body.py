"""Stage: kinematics and dynamics of a walk on the 55-joint skeleton."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import FilterSettings, Subject, WholeBodySettings
from pipeline.errors import DynamicsError
from pipeline.results import Failure, moments_or_missing
from pipeline.skeleton import load_skeleton
from pipeline.trial import JointMoments, MarkersAndPlates, MotionAndPlates, Note, WholeBody
from pipeline.whole_body import whole_body_dynamics

MAY_HAVE_DEFECT = ("inverse_dynamics",)
"""Without it the skeleton's moments are not compared with those of the legs' inverse dynamics."""

SEX = {"m": "male", "f": "female"}


def run(
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    kinematics: MotionAndPlates,
    inverse_dynamics: JointMoments | Failure,
    marker_set: Path,
    skeleton: Path,
    subject: Subject,
    filter: FilterSettings,
    whole_body: WholeBodySettings,
) -> WholeBody:
    """Load the marker set and the skeleton, and analyse the walk.

    Raises:
        DynamicsError: the body mass is not known, the marker set is not attached to the skeleton, or the trials have
            too few of its markers.
    """
    require_mass(kinematics)
    values, notes = kinematics.calibration.values, []
    if subject.sex is None:
        text = "sex not given: proportions and inertia are those of a man; give the sex in subjects.tsv"
        notes.append(Note("assumed", "skeleton", text))
    body = load_skeleton(
        skeleton,
        mass=values["mass"],
        height=values["height"],
        sex=SEX[subject.sex or "m"],  # type: ignore[arg-type]
    )
    return whole_body_dynamics(
        walk,
        static,
        kinematics,
        moments_or_missing(inverse_dynamics, kinematics),
        load_marker_set(marker_set),
        body,
        filter,
        whole_body,
        notes,
    )


def require_mass(kinematics: MotionAndPlates) -> None:
    """Raise DynamicsError if the body mass of a walk is not known."""
    if not kinematics.calibration.values["mass"] > 0.0:
        raise DynamicsError(
            "the body mass is not known, without which the skeleton has no inertia",
            where=f"trial {kinematics.name}",
            remedy="Give mass_kg in subjects.tsv",
        )
