"""The legs' sagittal moments over a clean stance by two independent methods: matrix form, and recursive dynamics of the
whole skeleton."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.clinical import clinical_moments
from pipeline.analysis.cycles import JOINTS
from pipeline.analysis.resampling import resample
from pipeline.analysis.variables import CYCLE_VARIABLES
from pipeline.analysis.whole_body.measures import KINEMATIC, RESIDUAL_REDUCED, motions
from pipeline.conventions import SIDES
from pipeline.trial import InverseDynamics, MotionAndPlates, WholeBody

MATRIX_FORM = "matrix form"
WHOLE_BODY, WHOLE_BODY_REDUCED = f"whole body {KINEMATIC}", f"whole body {RESIDUAL_REDUCED}"
"""Methods: the equations of a leg's segments; recursive dynamics of the skeleton, for each of its motions."""

SAGITTAL_MOMENTS = {
    variable.cycle.joint: name
    for name, variable in CYCLE_VARIABLES.items()
    if variable.cycle and variable.quantity == "moments" and variable.plane == "sagittal"
}
"""Names of the sagittal moments by joint."""


def stance_moments(
    body: WholeBody, walk: MotionAndPlates, loads: InverseDynamics
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """Curves (101,) in Nm/kg over percents of the first clean stance of each side, by method.

    Returns:
        Curves by side and joint; empty for a side without a clean stance.
    """
    found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for side in SIDES:
        stance = next((s for s in walk.stances if s.side == side and not s.rejected), None)
        for joint in JOINTS:
            name = f"{side}_{joint}"
            moments = {MATRIX_FORM: loads.joints[name].moment_distal} if name in loads.joints else {}
            moments |= {f"whole body {label}": motion.joint_moments[name] for label, motion in motions(body).items()}
            found[side, joint] = {
                method: resample(clinical_moments(name, moment)[:, 0] / body.mass, body.time, stance.onset, stance.end)
                for method, moment in moments.items()
                if stance is not None
            }
    return found
