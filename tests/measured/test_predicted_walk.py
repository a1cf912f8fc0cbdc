"""A measured walk predicted on its own skeleton: its task, and its agreement with the measured one."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.analysis import compare
from pipeline.prediction import predict_gait, predicted_walk, task_of
from tests.benchmarks.prediction_agreement import measured_walk
from tests.walks import MEASURED

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def both():
    if not MEASURED.is_dir():
        pytest.skip(f"no measured trials: {MEASURED} is absent")
    row, body, measured = measured_walk("HC038A")
    task, notes = task_of(row, body.skeleton, measured)
    walk = predicted_walk(row, body, "", predict_gait(body.skeleton, task), notes)
    return compare(walk, measured)


def test_the_predicted_walk_has_the_requested_speed_and_lengths(both) -> None:
    shared = {p.name: (p.predicted, p.measured) for p in both.parameters}
    for name in ("speed", "stride_length", "double_support"):
        predicted, measured = shared[name]
        assert predicted == pytest.approx(measured, rel=1e-12), name
    # Speed, stride and cadence are means of cycles: their relation holds to the spread of the cycles.
    assert shared["cadence"][0] == pytest.approx(shared["cadence"][1], rel=0.01)
    # Contact points have tolerances of a few millimetres, and heels are points of the sole, not markers.
    assert shared["step_width"][0] == pytest.approx(shared["step_width"][1], abs=0.01)
    assert shared["toe_out"][0] == pytest.approx(shared["toe_out"][1], abs=2.0)


def test_its_sagittal_curves_and_forces_have_the_shape_of_the_measured_ones(both) -> None:
    assert both.asked
    minimum = {
        "hip_flexion": 0.9,
        "knee_flexion": 0.85,
        "hip_extensor_moment": 0.85,
        "ankle_plantarflexor_moment": 0.9,
        "ground_vertical": 0.9,
        "ground_fore_aft": 0.9,
    }
    for name, r in minimum.items():
        found = [one.r for one in both.agreement if one.variable == name]
        assert len(found) == 2, "both feet stepped on a plate"
        assert min(found) > r, name
    hip = [one.rmse for one in both.agreement if one.variable == "hip_flexion"]
    # Offset included: the pelvis in standing and the length of the legs are the subject's own.
    assert np.max(hip) < 9.0
