"""Moments of both methods compared over clean stances, worked by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.whole_body.comparison import moment_comparisons


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_correlation_difference_and_peaks_are_of_the_clean_stance(sign):
    """60 kg; frames 2 to 5 are a clean stance of the left foot, but for frame 5 without a moment of the skeleton.

    There the matrix form has 6, 12, 60 Nm and the skeleton 12, 18, 54: differences of 0.1 Nm/kg, peaks of 1.0 and 0.9.
    Deviations from the means of 26 and 28 Nm are -20, -14, 34 and -16, -10, 26.
    """
    matrix_form, skeleton = np.full((8, 3), 777.0), np.full((8, 3), -555.0)
    matrix_form[2:6, 2], skeleton[2:6, 2] = sign * np.array([6.0, 12.0, 60.0, 90.0]), [12.0, 18.0, 54.0, np.nan]
    skeleton[2:6, 2] *= sign
    body = SimpleNamespace(joint_moments={"left_knee": skeleton, "right_knee": skeleton})
    loads = SimpleNamespace(
        mass=60.0, joints=dict.fromkeys(body.joint_moments, SimpleNamespace(moment_distal=matrix_form))
    )
    stances = [
        SimpleNamespace(side="left", rejected=False, start=2, stop=6),
        SimpleNamespace(side="left", rejected=True, start=0, stop=2),
        SimpleNamespace(side="right", rejected=False, start=4, stop=6),
    ]
    (found,) = moment_comparisons(body, loads, SimpleNamespace(stances=stances, time=np.arange(8) / 100.0))
    assert found.joint == "left_knee"
    assert found.rms_difference == pytest.approx(0.1)
    assert found.matrix_form_peak == pytest.approx(sign * 1.0)
    assert found.skeleton_peak == pytest.approx(sign * 0.9)
    covariance = 20.0 * 16.0 + 14.0 * 10.0 + 34.0 * 26.0
    size = np.sqrt((20.0**2 + 14.0**2 + 34.0**2) * (16.0**2 + 10.0**2 + 26.0**2))
    assert found.correlation == pytest.approx(covariance / size)
