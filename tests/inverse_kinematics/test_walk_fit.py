"""Frames that a walk's fit covers, by gaps of known length, and the mass that its markers track."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.inverse_kinematics import CalibratedSkeleton, model_marker_positions
from pipeline.inverse_kinematics.walk_fit import MarkerFit, fit_markers

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


@pytest.mark.parametrize("shown", [("LTOE",), ("LTOE", "RKNE"), ("LASI",)])
def test_markers_track_the_mass_of_the_links_from_the_root_to_their_own(human, marks, shown):
    """Of a foot: its leg and the pelvis, since the foot's place follows from theirs; not the trunk or the other leg."""
    tracked = set()
    for joint in marks.only(shown).joint.tolist():
        while joint >= 0:
            tracked.add(joint)
            joint = int(human.parent[joint])
    found = MarkerFit.mass_tracked.fget(SimpleNamespace(skeleton=human, model_markers=marks.only(shown)))
    assert found == pytest.approx(human.mass[list(tracked)].sum() / 70.0)
    assert 0.05 < found < 0.5
