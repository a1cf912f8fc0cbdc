"""First-order changes of joint loads against systems solved anew."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.math3d import Wrench, unit
from pipeline.newton_euler import (
    assemble,
    ground_change,
    inertia_changes,
    solve,
    solve_right_sides,
)

GRAVITY = np.array([0.0, -9.81, 0.0])


def test_any_change_of_the_load_on_the_foot_is_exact(leg, time, ground, rng):
    """Another force, moment and place at once, as the difference of two systems solved whole."""
    states = leg.states(time)
    other = Wrench(ground.force_G + rng.normal(size=3), ground.moment_G + rng.normal(size=3), ground.point_G + 0.02)
    before, after = (solve(assemble(states, load, GRAVITY)).total for load in (ground, other))
    origin = np.zeros(3)
    right = ground_change(
        SimpleNamespace(R_GS=states[0].R_GS, com_G=states[0].com_G),
        other.force_G - ground.force_G,
        other.about(origin).moment_G - ground.about(origin).moment_G,
    )
    changed = solve_right_sides(assemble(states, ground, GRAVITY).A, right[:, :, None])[:, :, 0]
    np.testing.assert_allclose(changed, after - before, atol=1e-9)


@pytest.mark.parametrize("segment", [0, 1, 2])
@pytest.mark.parametrize("error", ["mass", "gyration", "com"])
def test_changes_with_inertia_are_the_derivatives_of_the_systems_solution(leg, time, ground, segment, error):
    """Central differences with h = 1e-3: exact for mass; the square of the radii and of the arm leave at most h^2 of
    the change, and rounding 1e-13 / h, so 1e-5 of its largest value."""

    def states(step: float):
        k = 2 - segment  # the fixture counts from the thigh
        mass, com, inertia = leg.mass[k], leg.com[k], leg.inertia[k]
        if error == "mass":
            leg.mass[k], leg.inertia[k] = mass * (1 + step), inertia * (1 + step)
        elif error == "gyration":
            leg.inertia[k] = inertia * (1 + step) ** 2
        else:
            leg.com[k] = com + step * unit(com)
        try:
            return leg.states(time)
        finally:
            leg.mass[k], leg.com[k], leg.inertia[k] = mass, com, inertia

    h = 1e-3
    above, below = (solve(assemble(states(step), ground, GRAVITY)).total for step in (h, -h))
    expected = (above - below) / (2 * h)
    system = assemble(states(0.0), ground, GRAVITY)
    state = states(0.0)[segment]
    changes = inertia_changes(
        SimpleNamespace(M=system.M[0], a=system.a, C=system.C, G=system.G),
        segment,
        SimpleNamespace(mass=state.mass, com_S=leg.com[2 - segment]),
        state,
    )
    right = changes[["mass", "gyration", "com"].index(error)]
    changed = solve_right_sides(system.A, right[:, :, None])[:, :, 0]
    assert np.abs(expected).max() > 0.01, "there is nothing to compare"
    np.testing.assert_allclose(changed, expected, atol=1e-5 * np.abs(expected).max())
