"""Frames that a walk's fit covers, by gaps of known length."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from pipeline.inverse_kinematics import CalibratedSkeleton, model_marker_positions
from pipeline.inverse_kinematics.walk_fit import fit_markers

RATE = 100.0
"""Hz, that of the walk of `conftest.py`."""


def test_gaps_are_bridged_up_to_the_longest_gap_in_seconds(human, definition, marks, walk):
    """At 100 Hz, 0.06 s are 6 frames: a gap of as many is bridged, and one of 7 frames is not."""
    markers = model_marker_positions(human, marks, walk[:40])
    markers[8:14] = np.nan
    markers[22:29] = np.nan
    recorded = SimpleNamespace(
        name="walk",
        marker_names=marks.names,
        rate=RATE,
        marker=lambda name: markers[:, marks.names.index(name)],
    )
    model = CalibratedSkeleton(human, marks, np.zeros(len(human)), {}, {}, {}, {}, ())
    shown = SimpleNamespace(points={})
    fit = fit_markers(recorded, shown, definition, model, 6.0, max_gap=0.06, centre_weight=0.0, calibrate=False)
    assert list(np.flatnonzero(~fit.valid)) == list(range(22, 29))
