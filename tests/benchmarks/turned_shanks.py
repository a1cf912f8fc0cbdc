"""A shank's rotation offset that is off by 15 degrees, to either side, on every reference walk: new findings.

    python -m tests.benchmarks.turned_shanks [--degrees 15]

Limits come from the walks of other laboratories or people. Walks whose marker set has no offset of the shank are left
out, since nothing can be planted there.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from pipeline.conventions import SIDES
from pipeline.errors import PipelineError
from tests.benchmarks.random_faults import is_found, seen_in
from tests.benchmarks.reference_walks import compute, recordings, reference_walks
from tests.benchmarks.residuals import limits_of, measured_walks, without


def main() -> None:
    """Plant the faults, check the walks, and print the new findings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--degrees", type=float, default=15.0, help="change of the rotation offset")
    degrees = parser.parse_args().degrees
    measured = measured_walks()
    own = {walk.walk.name: walk for walk in measured}
    planted, found = 0, 0
    for walk in (walk for walk in reference_walks() if walk.name in own):
        given = recordings(walk)
        computed = compute(walk, given)
        clean, limits = seen_in(computed, given), limits_of(without(measured, own[walk.name]), 0.05)
        for side in SIDES:
            name = f"shank_rotation_{side}"
            for turn in (degrees, -degrees) if name in computed.motion.calibration.values else ():
                value = computed.motion.calibration.values[name] + np.radians(turn)
                off = replace(given, values=given.values | {name: value})
                try:
                    named = is_found(seen_in(compute(walk, off), off), clean, limits)
                except PipelineError:
                    named = True
                planted, found = planted + 1, found + named
                if not named:
                    print(f"{walk.name}: an offset of {turn:+.0f} degrees of the {side} shank stays silent")
    print(f"{found} of {planted} shanks with a rotation offset that is off by {degrees:g} degrees are named")


if __name__ == "__main__":
    main()
