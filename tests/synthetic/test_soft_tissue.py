"""Made-up motion of soft tissue: two harmonics of the stride with given shares of the amplitude."""

from __future__ import annotations

import numpy as np

from pipeline.synthetic.soft_tissue import SoftTissue


def test_a_marker_goes_round_a_loop_of_the_stride_and_one_of_half_of_it_by_their_shares_of_the_amplitude() -> None:
    """0.7 and 0.3 of it, along any direction; together never more than all of it."""
    time = np.arange(1000) / 1000.0 * 1.2
    found = SoftTissue(0.012, 1.2).waves(["a", "b", "c"], time)
    assert found.shape == (1000, 3, 3)
    harmonics = np.linalg.norm(2.0 / 1000.0 * np.abs(np.fft.rfft(found, axis=0)), axis=2)
    np.testing.assert_allclose(harmonics[1], 0.7 * 0.012, rtol=1e-9)
    np.testing.assert_allclose(harmonics[2], 0.3 * 0.012, rtol=1e-9)
    np.testing.assert_allclose(np.delete(harmonics, [1, 2], axis=0), 0.0, atol=1e-12)
    assert np.linalg.norm(found, axis=2).max() <= 0.012
