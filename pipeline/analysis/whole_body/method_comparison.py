"""The legs' sagittal moments over a clean stance by two independent ways: matrix form, and the whole skeleton."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.cycles import JOINTS, clinical_moments, resample
from pipeline.analysis.variables import CYCLE_VARIABLES
from pipeline.conventions import SIDES
from pipeline.trial import InverseDynamics, WalkOnPlates, WholeBody

MATRIX_FORM, SKELETON, CONSISTENT = "matrix form", "skeleton", "skeleton consistent"
"""Ways: the equations of a leg's segments; recursive dynamics of the untouched motion, and of the consistent one."""

SAGITTAL_MOMENTS = {
    variable.cycle.joint: name
    for name, variable in CYCLE_VARIABLES.items()
    if variable.cycle and variable.quantity == "moments" and variable.plane == "sagittal"
}
"""Names of the sagittal moments by joint."""


def stance_moments(
    body: WholeBody, walk: WalkOnPlates, loads: InverseDynamics
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """Curves (101,) in Nm/kg over percents of the first clean stance of each side, by way.

    Returns:
        by side and joint; empty for a side without a clean stance.
    """
    found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for side in SIDES:
        stance = next((s for s in walk.stances if s.side == side and not s.rejected), None)
        for joint in JOINTS:
            name = f"{side}_{joint}"
            ways = {
                MATRIX_FORM: loads.joints[name].moment_distal if name in loads.joints else None,
                SKELETON: body.kinematic.joint_moments[name],
                CONSISTENT: body.residual_reduced.joint_moments[name] if body.residual_reduced else None,
            }
            found[side, joint] = {
                way: resample(clinical_moments(name, moment)[:, 0] / body.mass, body.time, stance.onset, stance.end)
                for way, moment in ways.items()
                if stance is not None and moment is not None
            }
    return found
