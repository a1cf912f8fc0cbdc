"""Processor time per frame of kinematics and inverse dynamics, for treadmill walks of half a minute and of five.

    python -m tests.benchmarks.long_recordings

A ratio above one shows a step whose cost grows faster than the recording.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set
from pipeline.config import Subject
from pipeline.math3d import Wrench
from pipeline.stages import inverse_dynamics
from pipeline.synthetic import Gait
from pipeline.trial import RawTrial
from tests.benchmarks.prediction_agreement import MARKERS
from tests.benchmarks.treadmill import treadmill
from tests.walks import ROOT, kinematics_of

RATE, CYCLES, LENGTHS = 200.0, 10, (3, 28)
"""Frames per second, cycles of the recording that is repeated, and how often."""


def repeated(trial: RawTrial, count: int) -> RawTrial:
    """A recording of whole cycles in place, several times over, with noise of 10 micrometres so that none repeats."""

    def again(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values] * count)

    markers = again(trial.markers_G)
    plates = [
        replace(plate, wrench=Wrench(again(plate.wrench.force_G), again(plate.wrench.moment_G), np.zeros(3)))
        for plate in trial.plates
    ]
    return replace(
        trial,
        time=np.arange(len(markers)) / trial.rate,
        analog_time=np.arange(len(plates[0].wrench)) / trial.analog_rate,
        markers_G=markers + 1e-5 * np.random.default_rng(1).standard_normal(markers.shape),
        analog=again(trial.analog),
        plates=tuple(plates),
    )


def milliseconds_a_frame(walk: RawTrial, static: RawTrial) -> float:
    """Processor time in s."""
    began = time.process_time()
    inverse_dynamics.run(kinematics_of(walk, static, load_marker_set(MARKERS), Subject(subject="s", sex="f")))
    return 1000.0 * (time.process_time() - began) / len(walk.time)


def main() -> None:
    """Print both and their ratio."""
    static, one = read_trial(ROOT / "data/demo/static.c3d"), treadmill(CYCLES * Gait().cycle, RATE)
    milliseconds_a_frame(repeated(one, 2), static)  # imports
    short, long = (milliseconds_a_frame(repeated(one, count), static) for count in LENGTHS)
    seconds = [count * len(one.time) / RATE for count in LENGTHS]
    for length, each in zip(seconds, (short, long), strict=True):
        total = length * RATE * each / 1000.0
        print(f"{length:.0f} s at {RATE:.0f} frames a second: {each:.3f} ms a frame, {total:.1f} s in all")
    print(f"ratio {long / short:.2f}")


if __name__ == "__main__":
    main()
