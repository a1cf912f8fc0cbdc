"""Contributions of ground reaction, gravity and inertia to the sagittal moments of ankle and knee in stance, from the
matrix form's terms."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.clinical import clinical_moments
from pipeline.analysis.resampling import PERCENT, resample
from pipeline.conventions import SIDES
from pipeline.newton_euler import in_axes
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics

CONTRIBUTIONS = ("total", "ground", "gravity", "inertia")
"""The moment, and the contributions that add up to it; inertia includes the velocity-dependent terms."""

MOMENTS = {"ankle_plantarflexor_moment": "ankle", "knee_extensor_moment": "knee"}
"""Joint, by the name of the moment of which contributions are computed."""


def stance_contributions(kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles) -> dict[str, np.ndarray]:
    """Moment and contributions (side, contribution, 101) over each side's first clean stance, by the moment's name.

    A stance of a whole cycle is preferred. In Nm/kg about the ``moment_axes`` of the cycles, like the cycles' moments.
    NaN for a side without such a stance, or for a joint without markers.
    """
    return {
        name: np.array([_of_side(side, joint, kinematics, loads, cycles) for side in SIDES])
        for name, joint in MOMENTS.items()
    }


def _of_side(side: str, joint: str, kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles) -> np.ndarray:
    of_cycles = [
        (c.cycle.initial_contact, c.cycle.foot_off)
        for c in cycles.cycles
        if c.cycle.side == side and c.cycle.plate and not c.set_aside
    ]
    alone = [(s.stance.onset, s.stance.end) for s in cycles.stances if s.stance.side == side and not s.set_aside]
    stance = next(iter((*of_cycles, *alone)), None)
    name = f"{side}_{joint}"
    if stance is None or name not in loads.joints:
        return np.full((len(CONTRIBUTIONS), len(PERCENT)), np.nan)
    pose, load = kinematics.joints[name], loads.joints[name]

    def sagittal(moment_G: np.ndarray) -> np.ndarray:
        moment = in_axes(moment_G, cycles.moment_axes, pose.R_GP, pose.R_GD)
        over_stance = resample(clinical_moments(name, moment)[:, 0], loads.time, *stance)
        return over_stance / loads.mass

    terms = load.contributions
    moments_G = (load.moment_G, terms["ground"], terms["gravity"], terms["inertia"] + terms["velocity"])
    return np.array([sagittal(moment_G) for moment_G in moments_G])
