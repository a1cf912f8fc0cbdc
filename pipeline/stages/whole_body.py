"""Stage: a walk on the 55-joint skeleton."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import FilterSettings, Subject, WholeBodySettings
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.model_markers import load_attachments
from pipeline.provenance import Provenance
from pipeline.results import write_fields
from pipeline.skeleton import load_skeleton
from pipeline.trial import JointMoments, MarkersAndPlates, Note, WalkOnPlates, WholeBody
from pipeline.whole_body.walk import whole_body_dynamics

SEX = {"m": "male", "f": "female"}


def run(
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    kinematics: WalkOnPlates,
    inverse_dynamics: JointMoments,
    marker_set: Path,
    skeleton: Path,
    subject: Subject,
    filter: FilterSettings,
    whole_body: WholeBodySettings,
    output: Path,
    provenance: Provenance,
    attachments: Path | None = None,
) -> None:
    """Load the marker set, the attachments and the skeleton, analyse the walk, and write what is found as it is found.

    Raises:
        DynamicsError: nothing says where the marker set's markers sit on the skeleton, or too few of them are seen.
    """
    if attachments is None:
        raise DynamicsError(
            f"nothing says where the markers of set {marker_set.stem} sit on the skeleton",
            where=f"trial {walk.name}",
            remedy=f"Add config/marker_attachments/{marker_set.name}, or set whole_body: {{enabled: false}}",
        )
    values, notes = kinematics.calibration.values, []
    if subject.sex is None:
        notes.append(Note("assumed", "skeleton", "sex not given: proportions and inertia of a man"))
    body = load_skeleton(
        skeleton,
        mass=values["mass"],
        height=values["height"],
        sex=SEX[subject.sex or "m"],  # type: ignore[arg-type]
    )
    found = load_attachments(attachments)
    fields = whole_body_dynamics(
        walk, static, kinematics, inverse_dynamics, load_marker_set(marker_set), found, body, filter, whole_body, notes
    )
    write_fields(output, WholeBody, fields, provenance)
