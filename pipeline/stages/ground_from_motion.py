"""Stage: loads of every contact of a walk, estimated from the motion of the whole body."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np

from pipeline.anatomy import load_marker_set
from pipeline.config import GivenSteps
from pipeline.ground_from_motion import ground_from_motion, load_learned
from pipeline.plausibility import contradicted_steps, load_limits, not_kept
from pipeline.results import Failure
from pipeline.trial import GroundFromMotion, InverseDynamics, Kinematics, MarkersAndPlates, Stance, WholeBody

MAY_HAVE_DEFECT = ("inverse_dynamics",)
"""Without it, steps on plates cannot be checked, and all are taken as measured."""


def run(
    whole_body: WholeBody,
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics | Failure,
    walk: MarkersAndPlates,
    marker_set: Path,
    limits: Path,
    learned: Path,
    steps: GivenSteps,
) -> GroundFromMotion:
    """Estimate the loads; steps on plates that are in no average, since they are contradicted, count as unmeasured.

    Raises:
        DynamicsError: the markers do not suffice for the whole body, or no contact is complete.
        SignalError: the study keeps a step that does not exist.
    """
    own = load_marker_set(marker_set)
    doubtful: Collection[Stance] = ()
    if not isinstance(inverse_dynamics, Failure):
        contradicted = contradicted_steps(kinematics, inverse_dynamics, walk, own, load_limits(limits))
        doubtful = not_kept(contradicted, kinematics, steps.kept)
    feet: dict[str, tuple[np.ndarray, np.ndarray]] = {
        side: (kinematics.points[foot.heel], kinematics.points[foot.toe]) for side, foot in own.feet.items()
    }
    return ground_from_motion(whole_body, kinematics, feet, load_learned(learned), doubtful)
