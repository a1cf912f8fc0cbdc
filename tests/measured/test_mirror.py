"""A mirrored measured walk gives the same clinical results with the sides swapped."""

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.analysis import gait_cycles
from pipeline.math3d import Wrench
from pipeline.sides import other_label, other_side

pytestmark = pytest.mark.long

MIRROR = np.array([1.0, 1.0, -1.0])


def mirrored(trial):
    """z reversed, labels and parameters of left and right swapped. A moment, as an axial vector, is reversed in x, y.

    Corners are taken in the opposite order, which keeps the plate's normal up.
    """
    plates = tuple(
        replace(
            plate,
            corners_G=(plate.corners_G * MIRROR)[[1, 0, 3, 2]],
            wrench=Wrench(
                plate.wrench.force_G * MIRROR, -plate.wrench.moment_G * MIRROR, plate.wrench.point_G[0] * MIRROR
            ),
        )
        for plate in trial.plates
    )
    events = tuple(replace(e, side=other_side(e.side)) for e in trial.events)
    return replace(
        trial,
        marker_names=tuple(other_label(name) for name in trial.marker_names),
        markers_G=trial.markers_G * MIRROR,
        plates=plates,
        events=events,
        parameters={other_label(name): value for name, value in trial.parameters.items()},
    )


@pytest.mark.parametrize("inertia_table", ["dempster", "de_leva"])
def test_left_and_right_are_treated_alike_from_markers_and_plates_to_curves(inertia_table, trials, analyse):
    """1e-9 of angles in rad, moments in Nm/kg and powers in W/kg: rounding through filter, splines and solve."""
    folder = trials / "zoo_HC032A"
    static, walk = read_trial(folder / "HC032A01.c3d"), read_trial(folder / "HC032A03.c3d")
    one = analyse(walk, static, anatomy={"inertia": inertia_table})
    other = analyse(mirrored(walk), mirrored(static), anatomy={"inertia": inertia_table})
    one, other = (gait_cycles(result.kinematics, result.loads).cycles for result in (one, other))
    assert len(one) == len(other) > 0
    assert any(curves.moments for curves in one)
    for curves in one:
        (twin,) = [
            t
            for t in other
            if t.cycle.side != curves.cycle.side and abs(t.cycle.initial_contact - curves.cycle.initial_contact) < 1e-9
        ]
        for kind in ("angles", "moments", "powers"):
            mine, its = getattr(curves, kind), getattr(twin, kind)
            assert set(mine) == set(its)
            for joint, value in mine.items():
                np.testing.assert_allclose(its[joint], value, atol=1e-9, err_msg=f"{kind} {joint}")
        np.testing.assert_allclose(twin.ground, curves.ground, atol=1e-9)
        for name, value in curves.parameters.items():
            assert twin.parameters[name] == pytest.approx(value, abs=1e-9, nan_ok=True), name
