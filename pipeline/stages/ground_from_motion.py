"""Stage: loads of every contact of a walk, estimated from the motion of the whole body."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.anatomy import load_marker_set
from pipeline.ground_from_motion import ground_from_motion, load_learned
from pipeline.trial import GroundFromMotion, MotionAndPlates, WholeBody


def run(whole_body: WholeBody, kinematics: MotionAndPlates, marker_set: Path, learned: Path) -> GroundFromMotion:
    """Load the learned parameters, and estimate the loads.

    Raises:
        DynamicsError: the markers do not suffice for the whole body, or no contact is complete.
    """
    feet: dict[str, tuple[np.ndarray, np.ndarray]] = {
        side: (kinematics.points[foot.heel], kinematics.points[foot.toe])
        for side, foot in load_marker_set(marker_set).feet.items()
    }
    return ground_from_motion(whole_body, kinematics, feet, load_learned(learned))
