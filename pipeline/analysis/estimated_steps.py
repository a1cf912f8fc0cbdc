"""Curves of the loads estimated from motion over each step, in the registry's names, units and signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.cycles import kinetics_over
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.variables import CYCLE_VARIABLES
from pipeline.math3d import Wrench
from pipeline.trial import EstimatedStep, GroundFromMotion, WholeBody

STEP_ERRORS = {
    "vertical": ("body weight", "vertical force"),
    "fore_aft": ("body weight", "fore-aft force"),
    "lateral": ("body weight", "lateral force"),
    "cop_along": ("m", "centre of pressure along the foot"),
    "cop_across": ("m", "centre of pressure across the foot"),
    "hip": ("Nm/kg", "sagittal hip moment"),
    "knee": ("Nm/kg", "sagittal knee moment"),
    "ankle": ("Nm/kg", "sagittal ankle moment"),
}
"""Unit and meaning of the errors of `pipeline.trial.EstimatedStep`."""


@dataclass(frozen=True)
class StepLoads:
    """Loads of one step over 0 to 100 % from initial contact to foot off, as in `pipeline.trial.StanceCurves`.

    Attributes:
        moments, powers, ground: by joint, and of this foot.
        error_sd: standard deviation (101,) of the estimate's error for the ground reaction and the sagittal moments, by
            variable and in its units.
    """

    step: EstimatedStep
    percent: np.ndarray
    moments: dict[str, np.ndarray]
    powers: dict[str, np.ndarray]
    ground: np.ndarray
    error_sd: dict[str, np.ndarray]

    def curves(self) -> Iterator[tuple[str, str, np.ndarray]]:
        """Name, unit and values (101,) of each variable that is known."""
        for name, variable in CYCLE_VARIABLES.items():
            if variable.is_kinetic and np.isfinite(values := variable.of(self)).any():
                yield name, variable.units, values


def estimated_steps(found: GroundFromMotion) -> list[StepLoads]:
    """Estimated loads of each step of a walk, by time."""
    return [_loads(found, step, found.ground, found.joint_moments, found.joint_powers) for step in found.steps]


def measured_steps(found: GroundFromMotion, body: WholeBody) -> list[StepLoads]:
    """Loads of the same skeleton under the plates' ground reaction, for the steps measured by plates."""
    return [_loads(found, s, body.ground, body.kinematic.joint_moments, {}) for s in found.steps if s.plate]


def _loads(
    found: GroundFromMotion,
    step: EstimatedStep,
    ground: Mapping[str, Wrench],
    joint_moments: Mapping[str, np.ndarray],
    joint_powers: Mapping[str, np.ndarray],
) -> StepLoads:
    force_G, over = ground[step.side].force_G, (step.start, step.stop)
    kinetics = kinetics_over(step.side, found.time, found.mass, joint_moments, joint_powers, force_G, *over)
    return StepLoads(step, PERCENT, *kinetics, _error_sd(found))


def _error_sd(found: GroundFromMotion) -> dict[str, np.ndarray]:
    """Standard deviations by variable; the sign convention of a side does not change them."""

    def over(sd: np.ndarray) -> np.ndarray:
        return np.interp(PERCENT, found.contact_percent, sd)

    sds = {}
    for name, variable in CYCLE_VARIABLES.items():
        column = variable.cycle
        if column and column.field == "ground" and column.index is not None:
            sds[name] = column.factor * over(found.force_sd[:, column.index])
        elif column and column.field == "moments" and column.index == 0 and column.joint in found.leg_joints:
            sds[name] = over(found.moment_sd[:, found.leg_joints.index(column.joint)])
    return sds
