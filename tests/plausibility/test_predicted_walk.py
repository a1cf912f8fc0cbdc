"""What people do not show of a predicted walk: slip, work of the ground, powers and angles beyond walkers'."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import compare, predicted_cycle, whole_stride
from pipeline.math3d import rotation_about
from pipeline.plausibility import predicted_walk_findings
from pipeline.results.tables import comparison_tables
from pipeline.trial import GaitCycles, PredictedWalk, SegmentPose, WhatIfReport
from tests.analysis.predicted_walks import FRAMES, TASK, hand_made_walk


def found(walk: PredictedWalk) -> dict[str, tuple[float, float]]:
    """Value and limit by subject."""
    return {one.subject: (one.value, one.limit) for one in predicted_walk_findings(walk)}


def solved(**values: float) -> PredictedWalk:
    walk = hand_made_walk()
    return replace(walk, solver=replace(walk.solver, **values))


def working(watts_per_kg: float) -> PredictedWalk:
    """The hand-made walk with right ankles whose largest power is given: the rate is along the moment."""
    walk = hand_made_walk()
    joint = walk.joints["right_ankle"]
    size = np.linalg.norm(joint.moment_G, axis=1, keepdims=True)
    rate = np.zeros((FRAMES, 3))
    rate[20] = watts_per_kg * TASK.mass * joint.moment_G[20] / size[20] ** 2
    return replace(walk, joints=walk.joints | {"right_ankle": replace(joint, omega_G=rate)})


def turned(degrees: float) -> PredictedWalk:
    """The hand-made walk with both feet plantarflexed further."""
    walk = hand_made_walk()
    turn = rotation_about(np.array([[0.0, 0.0, 1.0]]), np.array([-np.radians(degrees)]))
    feet = {
        name: SegmentPose(walk.segments[name].R_GS @ turn, np.zeros((FRAMES, 3)))
        for name in ("left_foot", "right_foot")
    }
    return replace(walk, segments=walk.segments | feet)


def test_a_walk_within_what_people_show_has_no_finding() -> None:
    assert found(hand_made_walk()) == {}


@pytest.mark.parametrize(
    ("value", "beyond", "subject", "shown"),
    [
        ({"slip": 0.049}, {"slip": 0.177}, "contact of the feet", (17.7, 5.0)),
        ({"ground_work": -0.069}, {"ground_work": -0.2}, "work of the ground, net", (0.2, 0.07)),
        (
            {"ground_work_absolute": 0.119},
            {"ground_work_absolute": 0.139},
            "work of the ground, absolute",
            (0.139, 0.12),
        ),
    ],
)
def test_contact_is_judged_by_slip_and_work(value, beyond, subject, shown) -> None:
    assert found(solved(**value)) == {}
    assert found(solved(**beyond)) == {subject: pytest.approx(shown)}


def test_work_of_the_ground_is_judged_by_the_ankle_s_work_in_running() -> None:
    walk = solved(ground_work=-0.2, ground_work_absolute=0.4)
    (finding,) = predicted_walk_findings(replace(walk, task=replace(walk.task, double_support=0.0, flight=0.3)))
    assert (finding.subject, finding.value, finding.limit) == ("work of the ground, absolute", 0.4, pytest.approx(0.36))
    assert "in running" in finding.source


def test_power_is_judged_at_the_walk_s_speed() -> None:
    # 1.2 m/s over the root of 9.81 * 0.53 * 1.7 m is 0.4036, where the ankle's mean plus deviation is, by hand,
    # 2.73 + (0.4036 - 0.29) / (0.429 - 0.29) * (4.07 - 2.73) = 3.825 W/kg; one and a half times and 1 W/kg more.
    limit = 1.5 * 3.825 + 1.0
    assert found(working(0.98 * limit)) == {}
    assert found(working(1.1 * limit)) == {"ankle power": pytest.approx((1.1 * limit, limit), rel=0.01)}
    assert found(working(-0.98 * limit)) == {}
    assert list(found(working(-1.1 * limit))) == ["ankle power"], "absorbed"
    slower = replace(working(0.98 * limit), task=replace(TASK, speed=0.7, step_length=0.35))
    assert list(found(slower)) == ["ankle power"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_each_side_of_a_stride_is_judged(side: str) -> None:
    walk = whole_stride(hand_made_walk())
    joint = walk.joints[f"{side}_ankle"]
    rate = np.zeros(joint.moment_G.shape)
    rate[20] = 12.0 * TASK.mass * joint.moment_G[20] / np.linalg.norm(joint.moment_G[20]) ** 2
    fast = replace(walk, joints=walk.joints | {f"{side}_ankle": replace(joint, omega_G=rate)})
    assert found(walk) == {}
    assert found(fast)["ankle power"][0] == pytest.approx(12.0)


def test_angles_are_judged_by_the_range_of_walkers() -> None:
    assert found(turned(25.0)) == {}
    (value, limit) = found(turned(40.0))["ankle dorsiflexion"]
    # 11.5 degrees of flexion either way about zero, 40 further: -51.
    assert value == pytest.approx(-51.5, abs=1.0)
    assert limit == -40.0
    # Three degrees beyond a range are allowed, at either end.
    assert found(turned(value + 82.9)) == {}
    assert list(found(turned(value + 83.1))) == ["ankle dorsiflexion"]
    (value, limit) = found(turned(-40.0))["ankle dorsiflexion"]
    assert value == pytest.approx(51.5, abs=1.0)
    assert limit == 23.0
    assert found(turned(value - 40.0 - 25.9)) == {}


def test_a_changed_body_is_judged_by_its_contact_alone() -> None:
    none = np.zeros((1, 1, 1))
    case = WhatIfReport("case", "", (), ("left",), ("a",), np.zeros(1), ("deg",), none, none, 1.0, 1.0)
    walk = replace(turned(40.0), what_if=case)
    assert found(walk) == {}
    assert list(found(replace(walk, solver=replace(walk.solver, slip=0.06)))) == ["contact of the feet"]


def test_the_study_s_table_has_a_row_for_each() -> None:
    walk = solved(slip=0.177)
    walk = replace(walk, findings=tuple(predicted_walk_findings(walk)))
    cycles = GaitCycles("w", "s", "distal", (predicted_cycle(walk, "left"),), ())
    table = comparison_tables(compare(walk, cycles), walk)["predicted_vs_measured"]
    (row,) = table[table.variable == "warning"].to_dict("records")
    assert (row["measure"], row["value"], row["unit"]) == ("contact of the feet", pytest.approx(17.7), "cm/s")
