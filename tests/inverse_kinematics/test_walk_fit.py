"""Frames and markers that a walk's fit takes, and the mass that its markers track."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.inverse_kinematics import CalibratedSkeleton, model_marker_positions
from pipeline.inverse_kinematics.walk_fit import MarkerFit, _measured, fit_markers
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


@pytest.mark.parametrize("weight", [0.0, 0.3])
def test_joint_centres_are_fitted_after_the_markers_with_their_own_weight(definition, weight):
    names = ("LASI", "RKNE", "no marker of the skeleton")
    walk = SimpleNamespace(name="w", marker_names=names, marker=lambda name: np.full((4, 3), float(names.index(name))))
    shown = SimpleNamespace(points={name: np.full((4, 3), 7.0) for name in (*[*definition.centres][:2], "else")})
    model = SimpleNamespace(markers=SimpleNamespace(names=(*definition.markers, *definition.centres)))
    markers, both, tracks, weights = _measured(walk, shown, definition, model, weight)
    assert set(markers) == {"LASI", "RKNE"}
    centres = tuple([*definition.centres][:2]) if weight else ()
    assert both == markers + centres
    np.testing.assert_array_equal(tracks[0, :, 0], [*(names.index(name) for name in markers), *(7.0 for _ in centres)])
    np.testing.assert_array_equal(weights, [1.0, 1.0, *(weight for _ in centres)])
