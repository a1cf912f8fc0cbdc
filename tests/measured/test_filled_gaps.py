"""Gaps cut into the markers of published walks and filled, against what was measured there."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.signals import fill_gaps
from pipeline.signals.gaps import SPLINE_ERROR

WALKS = "zoo_HC032A/HC032A03.c3d", "calibration/basel/NP1009a20.c3d", "calibration/basel/NP1022a05.c3d"
LABELS = [f"{side}{name}" for side in "LR" for name in ("ASI", "THI", "KNE", "TIB", "ANK", "HEE", "TOE")]
AROUND = 15
"""Frames that are seen on both sides of a gap."""


@pytest.fixture(scope="module")
def walks(trials):
    return [read_trial(trials / file) for file in WALKS]


@pytest.mark.parametrize("duration", [0.1, 0.2])
def test_the_stated_error_holds_in_about_95_percent_of_gaps(walks, duration):
    within = []
    for walk in walks:
        length = round(duration * walk.rate)
        limit = SPLINE_ERROR * (length / walk.rate) ** 2
        for start in range(AROUND, len(walk.time) - AROUND - length, 2 * AROUND):
            names = [n for n in LABELS if np.isfinite(walk.marker(n)[start - AROUND : start + length + AROUND]).all()]
            tracks = np.stack([walk.marker(name) for name in names], axis=1)
            cut = tracks.copy()
            cut[start : start + length] = np.nan
            filled, mask, _ = fill_gaps(cut, names, walk.rate, duration)
            assert mask[start : start + length].all()
            error = np.linalg.norm(filled - tracks, axis=2)[start : start + length].max(axis=0)
            within += (error < limit).tolist()
    assert len(within) > 100
    assert 0.9 < np.mean(within) < 0.99
