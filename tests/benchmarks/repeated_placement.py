"""What the bands assume of markers that are placed again: ``python -m tests.benchmarks.repeated_placement``.

Standard deviations of angles, averaged over gait cycle and both sides, of the thigh's length and of the knee's width
by the errors `placement`, `width` and `offset` alone, on reference walks, beside those that were measured on people.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np

from pipeline.config import Subject, UncertaintySettings
from pipeline.conventions import SIDES
from pipeline.trial import Kinematics
from pipeline.uncertainty import RecordedWalk
from pipeline.uncertainty.body_errors import body_errors
from pipeline.uncertainty.recorded_walk import VARIABLES
from tests.benchmarks.reference_walks import ReferenceWalk, compute, recordings, reference_walks
from tests.walks import DEFAULTS

WALKS = ("HC032A", "HC038A", "func", "kadmed2", "pig4", "NP1004a05", "NP1023a03")
"""Of six laboratories."""

MEASURED = {
    "hip_flexion": 2.6,
    "hip_rotation": 2.6,
    "knee_rotation": 3.1,
    "thigh length": 3.9,
    "knee width": 2.7,
}
"""Medians of the within-person standard deviation in standing, degrees and mm: 24 people, 59 static trials (Geneva)."""

SHOWN = ("pelvic_tilt", "hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "knee_adduction")
SHOWN += ("knee_rotation", "ankle_dorsiflexion", "foot_progression")


def spreads(walk: ReferenceWalk) -> dict[str, float]:
    """Standard deviations by name, degrees and mm."""
    given = recordings(walk)
    computed = compute(walk, given)
    subject = Subject.from_si("subject", None, given.values)
    measured = given.walk, given.static, computed.motion, computed.loads
    recorded = RecordedWalk(*measured, walk.marker_set, subject, *DEFAULTS)
    settings = UncertaintySettings(hip_centre=0.0)
    values = computed.motion.calibration.values
    errors = list(body_errors(walk.marker_set, recorded.attached_to, values, settings))
    moved = [recorded.with_body_error(error) for error in errors]
    changes = np.array([recorded.curves(motion) for motion in moved]) - recorded.mean_curves
    sd = np.sqrt(np.sum(changes**2, axis=0))
    names = list(VARIABLES)
    found = {name: float(np.nanmean(sd[:, names.index(name)])) for name in SHOWN}
    longer = np.array([_thighs(motion) for motion in moved]) - _thighs(computed.motion)
    wider = np.array([[error.values.get(f"knee_width_{side}", 0.0) for side in SIDES] for error in errors])
    for name, change in (("thigh length", longer), ("knee width", wider)):
        found[name] = 1000.0 * float(np.sqrt(np.sum(change**2, axis=0)).mean())
    return found


def _thighs(motion: Kinematics) -> np.ndarray:
    return np.array([motion.calibration.segments[f"{side}_thigh"].length for side in SIDES])


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)  # means of curves that a walk lacks
    found = [spreads(walk) for walk in reference_walks() if walk.name in WALKS]
    print(f"{len(found)} walks\n| | assumed: median | range | measured |\n|---|---|---|---|")
    for name in found[0]:
        values = [row[name] for row in found]
        unit = "mm" if name in ("thigh length", "knee width") else "degrees"
        measured = f"{MEASURED[name]:.1f}" if name in MEASURED else "-"
        extremes = f"{min(values):.1f} to {max(values):.1f}"
        print(f"| {name.replace('_', ' ')}, {unit} | {np.median(values):.1f} | {extremes} | {measured} |")


if __name__ == "__main__":
    main()
