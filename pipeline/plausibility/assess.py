"""All checks of a walk's results, refusals first."""

from __future__ import annotations

from dataclasses import replace

from pipeline.anatomy import MarkerSet
from pipeline.plausibility.angles import gait_scores, joint_ranges
from pipeline.plausibility.balance import whole_body_balance
from pipeline.plausibility.crosstalk import crosstalk
from pipeline.plausibility.joint_loads import joint_loads
from pipeline.plausibility.orientation import orientation
from pipeline.plausibility.plates import plates
from pipeline.plausibility.rigid import segment_distances
from pipeline.plausibility.static_trial import static_labels
from pipeline.plausibility.synchronisation import synchronisation
from pipeline.trial import Findings, GaitSummary, InverseDynamics, Kinematics, MarkersAndPlates

GRADES = ("refusal", "warning", "note")


def plausibility(
    kinematics: Kinematics,
    loads: InverseDynamics,
    summary: GaitSummary,
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    marker_set: MarkerSet,
) -> Findings:
    """Look at the outcome of a walk.

    Args:
        kinematics, loads, summary: the walk's stages.
        walk, static: recordings; the same one where there is no static trial.
        marker_set: definitions of the labels.
    """
    corrected = replace(walk, markers_G=kinematics.markers_G)
    found = [
        *orientation(kinematics),
        *segment_distances(kinematics, static, marker_set),
        *(static_labels(static, corrected) if static.name != walk.name else ()),
        *joint_ranges(kinematics),
        *gait_scores(summary),
        *crosstalk(kinematics, marker_set),
        *plates(kinematics, walk),
        *synchronisation(kinematics, loads),
        *whole_body_balance(kinematics, loads),
        *joint_loads(kinematics, loads),
    ]
    ordered = sorted(found, key=lambda finding: GRADES.index(finding.grade))
    return Findings(kinematics.name, kinematics.subject, tuple(ordered))
