"""All checks of a walk's results, sorted with refusals first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pipeline.anatomy import MarkerSet
from pipeline.plausibility.angles import gait_scores, joint_ranges
from pipeline.plausibility.balance import whole_body_balance
from pipeline.plausibility.body_sizes import body_sizes, joint_widths, leg_lengths
from pipeline.plausibility.centre_of_pressure import heel_contact, push_off
from pipeline.plausibility.crosstalk import crosstalk
from pipeline.plausibility.effects import weight, with_effects
from pipeline.plausibility.event_times import event_times
from pipeline.plausibility.foot_height import foot_heights
from pipeline.plausibility.force_motion import force_motion
from pipeline.plausibility.grouping import grouped
from pipeline.plausibility.joint_loads import joint_loads
from pipeline.plausibility.knees import knee_clearance, knee_markers
from pipeline.plausibility.limits import OPEN, Limits, load_limits
from pipeline.plausibility.marker_motion import marker_motion
from pipeline.plausibility.orientation import faces_away, orientation
from pipeline.plausibility.plate_position import plate_position
from pipeline.plausibility.plates import plates
from pipeline.plausibility.plates_by_motion import plates_by_motion
from pipeline.plausibility.plates_compared import plates_compared
from pipeline.plausibility.rigid import segment_distances
from pipeline.plausibility.shank_axis import shank_axes
from pipeline.plausibility.sides_compared import level_pelvis, sides_compared, symmetry
from pipeline.plausibility.standing import knee_rotations, pelvic_tilt, standing_angles
from pipeline.plausibility.static_trial import static_labels
from pipeline.plausibility.steps_compared import steps_compared
from pipeline.plausibility.steps_without_kinetics import light_steps, loads_without_foot
from pipeline.plausibility.suspected_errors import without_suspected_error
from pipeline.plausibility.synchronisation import synchronisation
from pipeline.trial import Finding, Findings, GaitSummary, InverseDynamics, Kinematics, MarkersAndPlates

GRADES = ("refusal", "warning", "note")


def plausibility(
    kinematics: Kinematics,
    loads: InverseDynamics | None,
    summary: GaitSummary | None,
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    marker_set: MarkerSet,
    limits: Limits | None = None,
) -> Findings:
    """Check the results of a walk.

    Args:
        kinematics, loads, summary: the walk's stages; None leaves out the checks of loads or of averages. Without
            loads the effects of findings are unknown.
        walk, static: recordings; the same one if there is no static trial.
        marker_set: definitions of the labels.
        limits: limits of the residuals; the built-in ones if omitted.
    """
    limits = load_limits() if limits is None else limits
    corrected = replace(walk, markers_G=kinematics.markers_G)
    found = [
        *orientation(kinematics),
        *(() if marker_set.estimated else segment_distances(kinematics, static, marker_set)),
        *(() if static.name == walk.name else _against_static(kinematics, static, corrected, marker_set)),
        *joint_ranges(kinematics),
        # Scores of a walk backwards or sideways are large because of pelvic rotation, which `orientation` reports.
        *(gait_scores(summary) if summary and not faces_away(kinematics) else ()),
        *((*symmetry(summary), *level_pelvis(summary, limits)) if summary else ()),
        *knee_markers(kinematics, marker_set),
        *knee_clearance(kinematics, marker_set),
        *crosstalk(kinematics, marker_set),
        *shank_axes(kinematics, limits),
        *marker_motion(kinematics, walk, marker_set, limits),
        *body_sizes(kinematics, static, marker_set, limits),
        *sides_compared(kinematics, marker_set, limits),
        *event_times(kinematics, marker_set),
        *light_steps(kinematics),
        *loads_without_foot(kinematics),
        *plates(kinematics, walk, limits),
        *(_of_steps(kinematics, loads, walk, limits) if loads else ()),
        *plates_compared(kinematics, limits),
        *(_of_loads(kinematics, loads, static, marker_set, limits) if loads else ()),
    ]
    if limits is OPEN:
        return Findings(kinematics.name, kinematics.subject, tuple(found))
    known = with_effects(found, kinematics, loads, marker_set) if loads else found
    each = grouped(without_suspected_error(graded(finding, limits)) for finding in known)
    ordered = sorted(each, key=lambda finding: (GRADES.index(finding.grade), -weight(finding)))
    return Findings(kinematics.name, kinematics.subject, tuple(ordered))


def graded(finding: Finding, limits: Limits) -> Finding:
    """The finding; a warning becomes a note if its effect on the results is known and small, or its residual is within
    its limit."""
    within = bool(finding.residual) and not limits.warns(finding.residual, finding.value)
    small = weight(finding) < 1.0
    return replace(finding, grade="note") if finding.grade == "warning" and (small or within) else finding


def _of_steps(
    kinematics: Kinematics, loads: InverseDynamics, walk: MarkersAndPlates, limits: Limits
) -> Iterator[Finding]:
    yield from force_motion(kinematics, loads, walk, limits)
    yield from heel_contact(kinematics, loads, walk, limits)
    yield from push_off(kinematics, loads, limits)


def _of_loads(
    kinematics: Kinematics, loads: InverseDynamics, static: MarkersAndPlates, marker_set: MarkerSet, limits: Limits
) -> Iterator[Finding]:
    yield from steps_compared(kinematics, loads, limits)
    yield from plates_by_motion(kinematics, loads, marker_set, limits)
    yield from synchronisation(kinematics, loads)
    yield from plate_position(kinematics, loads, static, marker_set)
    yield from whole_body_balance(kinematics, loads)
    yield from joint_loads(kinematics, loads)


def _against_static(
    kinematics: Kinematics, static: MarkersAndPlates, walk: MarkersAndPlates, marker_set: MarkerSet
) -> Iterator[Finding]:
    standing = standing_angles(kinematics.calibration, static, marker_set)
    yield from leg_lengths(kinematics, static, marker_set)
    yield from joint_widths(kinematics, static, marker_set)
    yield from foot_heights(kinematics, static, marker_set)
    yield from knee_rotations(kinematics, standing)
    yield from pelvic_tilt(kinematics, standing)
    yield from static_labels(static, walk)
