"""A walk on the 55-joint skeleton, from markers and plates to joint loads; `WholeBody` holds the results.

Stages: static calibration, marker fit, ground loads, inverse dynamics of the kinematic motion, residual reduction,
inverse dynamics of the residual-reduced motion, and the forward check of the free body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.config import FilterSettings, WholeBodySettings
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics import MAX_CUTOFF, calibrate_static, fit_markers, observability, static_positions
from pipeline.skeleton import Skeleton
from pipeline.trial import (
    BodyModel,
    JointMoments,
    LinkSegment,
    LowPass,
    MarkersAndPlates,
    MotionAndPlates,
    Note,
    WholeBody,
)
from pipeline.whole_body.comparison import moment_comparisons
from pipeline.whole_body.dynamics import body_dynamics
from pipeline.whole_body.force_scale import force_scale_notes
from pipeline.whole_body.forward_check import forward_check
from pipeline.whole_body.ground import filtered_ground_reactions, ground_moments, reactions_about_cop
from pipeline.whole_body.notes import convergence_notes, limit_notes, observability_notes
from pipeline.whole_body.residual_reduction import reduce_residuals


def whole_body_dynamics(
    walk: MarkersAndPlates,
    static: MarkersAndPlates,
    kinematics: MotionAndPlates,
    loads: JointMoments,
    marker_set: MarkerSet,
    skeleton: Skeleton,
    filter: FilterSettings,
    settings: WholeBodySettings,
    assumed: Sequence[Note] = (),
) -> WholeBody:
    """Calibrate a skeleton to a subject, fit it to a walk, and compute its dynamics.

    Args:
        walk, static: recordings.
        kinematics, loads: of the same walk in matrix form.
        marker_set: of the kinematics; gives the static trial's joint centres and the attachments to the skeleton.
        skeleton: of the subject's stature, mass and sex.
        filter: section of the configuration, for its longest gap; cut-offs are those of the kinematics.
        settings: of this stage.
        assumed: notes on the skeleton to pass on.

    Raises:
        DynamicsError: the marker set is not attached to the skeleton, or the static trial or the walk has too few of
            its markers.
    """
    definition = marker_set.skeleton
    if definition is None:
        raise DynamicsError(
            f"marker set {marker_set.name} has no section 'skeleton'",
            where=f"trial {walk.name}",
            remedy="Add it after the pattern of config/marker_sets/plug_in_gait.yaml, or set whole_body: "
            "{enabled: false} in config.yaml",
        )
    height = kinematics.calibration.values["height"]
    low_pass, filter_notes = _within_cutoff_limit(kinematics.low_pass, walk.rate)
    positions, pose_notes = static_positions(static, marker_set, definition, kinematics)
    static_model = calibrate_static(skeleton, definition, positions, height, symmetric=settings.symmetric)
    fit = fit_markers(
        walk,
        kinematics,
        definition,
        static_model,
        low_pass.markers,
        filter.max_gap,
        settings.centre_weight,
        settings.refined,
    )
    ground = filtered_ground_reactions(walk, kinematics, low_pass, fit.valid)
    motion = fit.smooth()
    kinematic = body_dynamics(fit.skeleton, motion, ground, fit, kinematics)
    reduced = reduce_residuals(fit, motion, ground, kinematics, settings)
    simulated, forward_notes = forward_check(fit.skeleton, walk.time, motion, ground)

    model, joint_names = fit.model, fit.skeleton.joint_names
    count = len(fit.marker_names)
    frames = np.flatnonzero(fit.valid)
    sample = frames[:: max(1, len(frames) // 10)]
    observed = observability(fit.skeleton, fit.model_markers, fit.used[sample], motion.q[sample])
    at_limit = _at_limit(fit.skeleton, motion.q[fit.valid])
    return WholeBody(
        name=walk.name,
        subject=kinematics.subject,
        mass=float(fit.skeleton.mass.sum()),
        height=height,
        time=walk.time,
        joint_names=joint_names,
        fitted_markers=fit.marker_names,
        model=_model(fit.skeleton),
        scale_factors=model.scale_factors,
        joint_offsets=model.joint_offsets,
        joint_centre_errors=model.joint_centre_errors,
        marker_segments=fit.model_markers.segments[:count],
        marker_joints=tuple(joint_names[j] for j in fit.model_markers.joint[:count]),
        model_marker_positions=fit.model_markers.point[:count],
        static_pose=model.static_pose,
        mass_tracked=fit.mass_tracked,
        rank=observed.rank,
        unobservable=tuple(" + ".join(group) for group in observed.unobservable),
        uncertainty=observed.uncertainty,
        at_limit=at_limit,
        ground=reactions_about_cop(ground, kinematics),
        ground_moments=ground_moments(ground),
        loads_known=ground.all_known,
        kinematic=kinematic,
        residual_reduced=reduced.motion,
        trunk_com_shift=reduced.trunk_com_shift,
        mass_factors=reduced.mass_factors,
        held_out=reduced.held_out,
        held_out_residual_force=reduced.held_out_residual_force,
        held_out_residual_moment=reduced.held_out_residual_moment,
        forward_check=simulated,
        moment_comparisons=moment_comparisons(kinematic, loads, kinematics),
        notes=(
            *assumed,
            *pose_notes,
            *filter_notes,
            *model.notes,
            *fit.notes,
            *convergence_notes(motion, "kinematic"),
            *force_scale_notes(kinematic, ground, float(fit.skeleton.mass.sum()), fit.mass_tracked, walk.rate),
            *reduced.notes,
            *forward_notes,
            *observability_notes(joint_names, observed),
            *limit_notes(fit.skeleton, at_limit, observed),
        ),
    )


def _model(skeleton: Skeleton) -> BodyModel:
    """The skeleton's parameters in the form in which they are stored."""
    values = {name: getattr(skeleton, name) for name in BodyModel.__dataclass_fields__}
    segments = {name: LinkSegment(segment.joint, segment.pose) for name, segment in skeleton.segments.items()}
    return BodyModel(**values | {"segments": segments})


def _within_cutoff_limit(low_pass: LowPass, rate: float) -> tuple[LowPass, list[Note]]:
    """The filter with cut-offs limited to what the frame rate allows the smooth motion; a note if that lowers them."""
    limit = MAX_CUTOFF * rate
    if low_pass.markers <= limit:
        return low_pass, []
    text = (
        f"{limit:g} Hz, the maximum at {rate:g} frames per second, is used on the skeleton instead of "
        f"{low_pass.markers:g} Hz"
    )
    lowered = replace(low_pass, markers=limit, forces=min(low_pass.forces, limit))
    return lowered, [Note("assumed", "cut-off", text)]


def _at_limit(skeleton: Skeleton, q: np.ndarray) -> np.ndarray:
    """Fraction (n,) of the frames (F, n) in which a coordinate is at its limit."""
    return ((q <= skeleton.q_lower + 1e-3) | (q >= skeleton.q_upper - 1e-3)).mean(axis=0)
