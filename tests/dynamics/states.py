"""Random loads, and the agreement asked of two ways to the same numbers."""

import numpy as np

from pipeline.dynamics import Wrench

AGREEMENT = 1e-9
"""Relative to the largest entry. Sixteen digits less what 55 joints in series and moment arms of metres may cost."""


def assert_close(ours, reference, tolerance=AGREEMENT):
    assert np.abs(reference).max() > 1e-3, "nothing to compare"
    assert np.abs(ours - reference).max() <= tolerance * np.abs(reference).max()


def random_wrench(rng, frames):
    return Wrench(100 * rng.normal(size=(frames, 3)), 10 * rng.normal(size=(frames, 3)), rng.normal(size=(frames, 3)))
