"""Frames and markers that a walk's fit takes, by gaps of known length and by the rate of the recording."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from pipeline.inverse_kinematics import CalibratedSkeleton, model_marker_positions
from pipeline.inverse_kinematics.walk_fit import fit_markers
from pipeline.signals import off_trajectory

RATE = 100.0
"""Hz, that of the walk of `conftest.py`."""


def fitted(human, definition, marks, markers, rate):
    """The fit to markers (T, K, 3) recorded at a rate in Hz, with gaps of 0.06 s bridged."""
    recorded = SimpleNamespace(
        name="walk",
        marker_names=marks.names,
        rate=rate,
        marker=lambda name: markers[:, marks.names.index(name)],
    )
    model = CalibratedSkeleton(human, marks, np.zeros(len(human)), {}, {}, {}, {}, ())
    shown = SimpleNamespace(points={})
    return fit_markers(recorded, shown, definition, model, 6.0, max_gap=0.06, centre_weight=0.0, calibrate=False)


def test_gaps_are_bridged_up_to_the_longest_gap_in_seconds(human, definition, marks, walk):
    """At 100 Hz, 0.06 s are 6 frames: a gap of as many is bridged, and one of 7 frames is not."""
    markers = model_marker_positions(human, marks, walk[:40])
    markers[8:14] = np.nan
    markers[22:29] = np.nan
    fit = fitted(human, definition, marks, markers, RATE)
    assert list(np.flatnonzero(~fit.valid)) == list(range(22, 29))


def test_fast_motion_at_a_low_rate_is_no_jump(human, definition, marks, walk):
    """The walk of 100 Hz with a fifth of its frames: steps of some markers differ by more than 40 mm."""
    markers = model_marker_positions(human, marks, walk[::5])
    assert off_trajectory(markers).any()
    assert fitted(human, definition, marks, markers, RATE / 5.0).used.all()
