"""Distances within a segment, given by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.plausibility.rigid import _changes, _coincident, _spreads, segment_distances
from tests.recordings import with_marker

ABC = (("A", "B"), ("A", "C"), ("B", "C"))


def distances(*values):
    """Of three pairs in two frames, mm, each 1 mm to either side."""
    return {pair: np.array([value - 1.0, value + 1.0]) for pair, value in zip(ABC, values, strict=True)}


@pytest.mark.parametrize(
    ("segment", "limit"), [("pelvis", 6.0), ("left_thigh", 14.0), ("right_shank", 7.0), ("foot", 14.0), ("arm", 10.0)]
)
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_each_segment_has_its_limit(segment, limit, sign):
    still = distances(100.0, 200.0, 150.0)
    assert not list(_changes(segment, distances(100.0, 200.0 + sign * (limit - 0.1), 150.0), still, "s"))
    for change, grade in ((limit + 0.1, "warning"), (39.9, "warning"), (40.1, "refusal")):
        walk = distances(100.0, 200.0 + sign * change, 150.0)
        ((finding, pair, found),) = _changes(segment, walk, still, "s")
        assert (finding.value, finding.limit, finding.grade) == (pytest.approx(change), limit, grade)
        assert found == pytest.approx(sign * change)
        assert ("longer" in finding.text) == (sign > 0.0)
        assert set(pair) == {"A", "C"}


def test_a_distance_that_one_trial_lacks_is_not_compared():
    none = {("A", "B"): np.zeros(0)}
    walk, still = distances(130.0, 230.0, 150.0), distances(100.0, 200.0, 150.0)
    for own, other in ((walk | none, still), (walk, still | none), (walk | none, still | none)):
        ((_, pair, _),) = _changes("foot", own, other, "s")
        assert set(pair) == {"A", "C"}
    assert not list(_changes("foot", none, none, "s"))


@pytest.mark.parametrize(
    ("changes", "culprits", "pair"),
    [
        ((20.0, -18.0, 2.0), "A was", ("A", "B")),
        ((20.0, 2.0, 18.0), "B was", ("B", "A")),
        ((2.0, -18.0, 20.0), "C was", ("C", "B")),
        ((20.0, 18.0, -19.0), "A or B was", ("A", "B")),
    ],
)
def test_the_point_of_all_distances_beyond_the_limit_is_named(changes, culprits, pair):
    """Or, if all three are, those of the worst."""
    still = distances(100.0, 200.0, 150.0)
    walk = distances(*(length + change for length, change in zip((100.0, 200.0, 150.0), changes, strict=True)))
    ((finding, found, _),) = _changes("foot", walk, still, "s")
    assert f"because {culprits} moved" in finding.cause
    assert found == pair


@pytest.mark.parametrize(
    ("deviation", "grade"), [(17.9, None), (18.1, "warning"), (39.9, "warning"), (40.1, "refusal")]
)
def test_the_spread_of_a_distance_is_its_standard_deviation(deviation, grade):
    walk = {("A", "B"): np.array([100.0 - deviation, 100.0 + deviation]), ("A", "C"): np.array([50.0, 60.0])}
    found = list(_spreads("left_foot", walk | {("B", "C"): np.zeros(0)}))
    assert [finding.grade for finding in found] == ([grade] if grade else [])
    for finding in found:
        assert (finding.value, finding.limit) == (pytest.approx(deviation), 18.0)
        assert "A to B" in finding.text
    assert not list(_spreads("left_foot", {("B", "C"): np.zeros(0)}))


@pytest.mark.parametrize(("apart", "count"), [(7.9, 1), (8.1, 0)])
def test_two_labels_within_a_marker_s_width_are_one_marker(apart, count):
    walk = {("A", "B"): np.array([apart, apart, 50.0]), ("A", "C"): np.zeros(0)}
    assert [finding.value for finding in _coincident("foot", walk)] == [apart] * count


@pytest.mark.parametrize(
    ("label", "along"), [("LASI", (0.012, 0.0, 0.0)), ("LKNE", (0.0, -0.03, 0.0)), ("RTOE", (0.02, 0.0, 0.0))]
)
def test_without_the_suspected_shift_the_distance_is_that_of_the_static_trial(clean, plug_in_gait, label, along):
    moved = with_marker(clean.kinematics, label, lambda place: place + np.array(along))
    found = list(segment_distances(moved, clean.static, plug_in_gait))
    assert found
    for finding in found:
        ((name, shift_G),) = finding.error.shifts_G.items()
        assert name == label
        ends = finding.text.removeprefix("the distance from ").partition(" is ")[0].split(" to ")
        (other,) = set(ends) - {label}
        place = moved.markers_G[:, moved.marker_names.index(name)] - shift_G
        if other in moved.marker_names:
            walking = place - moved.markers_G[:, moved.marker_names.index(other)]
            standing = clean.static.marker(name) - clean.static.marker(other)
            mean = [np.nanmean(np.linalg.norm(apart, axis=1)) for apart in (walking, standing)]
            assert mean[0] == pytest.approx(mean[1], abs=1e-9)
