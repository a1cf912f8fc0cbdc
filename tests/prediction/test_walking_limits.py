"""Limits that the presets give the joints of the leg, and limits that a walk reaches, by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.optimisation import LinearRelations, NodeConstraint, Problem, Spline, Transcription, coordinates
from pipeline.prediction import GaitTask
from pipeline.prediction.gait.active_limits import active_limits
from pipeline.prediction.gait.human_terms import knee_flexion_in_preswing, pelvis_orientation
from pipeline.prediction.gait.walking_ranges import (
    ankle_in_swing,
    ankle_in_terminal_stance,
    ankle_range,
    minimum_knee_flexion,
)

NODES = np.array([0.0, 0.5, 1.0, 1.5, 2.0])


def setting(flexion: float = 1.0, lower: float = 0.0, upper: float = 120.0, leg: float = 0.9, **of_task: float):
    """Two joints, left and right, as knees and ankles; degrees of flexion, the right one 2 degrees at most."""
    limits = np.radians([[lower, lower], [upper, 2.0]]) * flexion
    skeleton = SimpleNamespace(q_lower=limits.min(axis=0), q_upper=limits.max(axis=0), joint_names=("left", "right"))
    joints, locked = {"left": 0, "right": 1}, np.zeros(2, dtype=bool)
    walker = SimpleNamespace(
        skeleton=skeleton, flexion=flexion, knees=joints, ankles=joints, locked=locked, leg_length=leg
    )
    task = GaitTask(form="stride", left_heel_off=0.7, right_heel_off=0.7, **of_task)
    return SimpleNamespace(walker=walker, task=task, u=NODES, inside=NODES < 2.0)


def test_knees_flex_by_three_degrees_or_by_what_their_limit_allows() -> None:
    (found,) = minimum_knee_flexion(setting())
    np.testing.assert_allclose(found.lower, np.radians([3.0, 2.0]))
    assert np.all(found.upper == np.inf)


@pytest.mark.parametrize("lower", [-10.0, 0.0, 8.0])
@pytest.mark.parametrize("limits_of", [minimum_knee_flexion, knee_flexion_in_preswing])
def test_limits_of_knees_that_flex_the_other_way_are_mirrored(limits_of, lower: float) -> None:
    upright, mirrored = (limits_of(setting(flexion, lower)) for flexion in (1.0, -1.0))
    assert len(upright) == len(mirrored) > 0
    for one, other in zip(upright, mirrored, strict=True):
        np.testing.assert_allclose(other.lower, -np.asarray(one.upper))
        np.testing.assert_allclose(other.upper, -np.asarray(one.lower))


@pytest.mark.parametrize(("slope", "tilts"), [(0.0, (-5.0, 0.0)), (6.0, (-17.0, -6.0)), (-6.0, (-5.0, 6.0))])
def test_the_pelvis_tilts_forward_by_five_degrees_and_by_the_slope_from_that_of_standing(slope: float, tilts) -> None:
    """Forward is negative. The axes go with the ground: who stands upright on an ascent of 6 degrees is at -6 degrees,
    and leans into it by another 6; on a descent of 6 at 6, and leans by as much to be at right angles to it."""
    walker, task = SimpleNamespace(differences=()), SimpleNamespace(slope=np.radians(slope))
    (limit,) = pelvis_orientation(SimpleNamespace(walker=walker, task=task, inside=NODES < 2.0))  # type: ignore[arg-type]
    np.testing.assert_allclose(np.degrees([limit.lower, limit.upper]).T, [[-8.0, 8.0], [-8.0, 8.0], tilts], atol=1e-9)


@pytest.mark.parametrize(
    ("leg", "dimensionless", "slope", "degrees"),
    # Schwartz et al. (2008): 9.7 and 4.9 degrees at 0.290 and 0.429, 7.3 halfway; a slope takes its own angle from it.
    [(0.9, 0.429, 0.0, 4.9), (0.5, 0.3595, 0.0, 7.3), (0.9, 0.172, -5.0, 4.0)],
)
def test_terminal_dorsiflexion_is_that_of_walkers_at_the_same_dimensionless_speed(
    leg: float, dimensionless: float, slope: float, degrees: float
) -> None:
    speed = dimensionless * np.sqrt(9.81 * leg)
    found = ankle_in_terminal_stance(setting(upper=30.0, leg=leg, speed=speed, slope=np.radians(slope)))
    assert [(part.labels, NODES[part.applies].tolist()) for part in found] == [(("left",), [0.0]), (("right",), [1.0])]
    assert found[0].lower == pytest.approx(np.radians(degrees))
    assert found[1].lower == pytest.approx(np.radians(2.0)), "the joint's own range ends there"


def test_ankles_in_swing_are_within_six_degrees_in_its_second_half() -> None:
    """Swing from 0.2 to 1 of a step, its ends excluded; the right ankle dorsiflexes by 2 degrees at most anyway."""
    at = setting(lower=-40.0, upper=30.0, double_support=0.2, flight=0.0)
    u = np.array([0.1, 0.2, 0.21, 0.59, 0.61, 0.99, 1.0])
    at.swings = lambda: [("left", u), ("right", u)]
    found = {part.name: part for part in ankle_in_swing(at)}
    assert set(found) == {f"{side} ankle in {when}swing" for side in ("left", "right") for when in ("", "late ")}
    for name, part in found.items():
        late = "late" in name
        assert u[part.applies].tolist() == ([0.61, 0.99] if late else [0.21, 0.59, 0.61, 0.99])
        assert part.labels == (name.split()[0],)
        lower, upper = (np.degrees(limit[0]) for limit in (part.lower, part.upper))
        assert (lower, upper) == (pytest.approx(-6.0) if late else -np.inf, np.inf if late else pytest.approx(6.0))


def test_ankles_flex_from_minus_25_to_17_degrees_and_turn_in_by_12_or_by_what_their_limits_allow() -> None:
    at = setting(lower=-40.0, upper=30.0)
    names = ("left", "right", "left_ankle_inversion", "right_ankle_inversion")
    lower, upper = np.radians([[-40.0, 20.0, -30.0, -30.0], [30.0, 30.0, -20.0, 30.0]])
    at.walker.skeleton = SimpleNamespace(joint_names=names, q_lower=lower, q_upper=upper)
    at.walker.locked = np.array([False, False, False, True])
    (found,) = ankle_range(at)
    assert found.labels == ("left", "right", "left_ankle_inversion")
    # Where a joint's own range is outside, its nearest limit counts.
    np.testing.assert_allclose(np.degrees(found.lower), [-25.0, -25.0, -20.0])
    np.testing.assert_allclose(np.degrees(found.upper), [17.0, 20.0, 12.0])
    at.walker.locked[:] = True
    assert ankle_range(at) == []


def test_a_limit_is_reached_at_the_nodes_at_its_bound_alone() -> None:
    """Two coordinates at rest at -1 and 0.3 first and at 0.5 and 0.2 at last, of eleven nodes."""
    spline = Spline.uniform(3, 4)
    form = Transcription(
        spline, LinearRelations(spline, 2).rest(0, -1.0, 0.5).rest(1, 0.3, 0.2).build(), NODES / 2, 1.0
    )
    names, inside = ("knee", "hip"), NODES < 2.0
    both = coordinates([0, 1])
    parts = [
        NodeConstraint("range", both, [-1.0, -0.2], [1.0, 0.2], unit="rad", labels=names, scale=10.0),
        NodeConstraint("start", coordinates([0]), -np.inf, 0.5, applies=inside),
        NodeConstraint("heel position", both, [-1.0, -1.0], [1.0, 1.0]),
        NodeConstraint("no ground reaction in flight", both, [-1.0, -1.0], [1.0, 1.0]),
    ]
    problem = Problem(form, [], parts, lambda states: SimpleNamespace(states=states))
    found = active_limits(problem, np.zeros(problem.n_variables))
    assert [(one.constraint, one.component, one.bound, one.value, one.nodes, one.of) for one in found] == [
        ("range", "knee", "lower", -1.0, 1, 5),
        ("range", "hip", "upper", 0.2, 1, 5),
    ]
