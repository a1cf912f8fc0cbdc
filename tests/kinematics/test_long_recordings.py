"""Five minutes of treadmill walking take seconds: no step of the kinematics grows faster than the recording."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.math3d import Wrench
from pipeline.synthetic import Gait
from pipeline.trial import RawTrial
from tests.benchmarks.treadmill import treadmill
from tests.conftest import ROOT

pytestmark = pytest.mark.long

RATE, CYCLES, REPEATED = 200.0, 10, 28


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


def test_five_minutes_at_200_frames_a_second_take_less_than_15_seconds(analyse, record_property):
    """Processor time of kinematics and inverse dynamics together; 10 s with a profiler when the limit was set."""
    static = read_trial(ROOT / "data/demo/static.c3d")
    one = treadmill(CYCLES * Gait().cycle, RATE)
    analyse(repeated(one, 2), static, sex="f")  # imports
    walk = repeated(one, REPEATED)
    assert walk.time[-1] > 300.0
    began = time.process_time()
    found = analyse(walk, static, sex="f").kinematics
    seconds = time.process_time() - began
    record_property("table", f"{len(walk.time)} frames, {len(found.cycles)} cycles: {seconds:.1f} s")
    assert len(found.cycles) > 500
    assert seconds < 15.0
