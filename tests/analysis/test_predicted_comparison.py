"""A predicted walk compared with a measured one: curves, percents of the cycle, parameters and grades."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis import (
    CYCLE_VARIABLES,
    JOINT_FORCES,
    JOINTS,
    PERCENT,
    compare,
    graded,
    predicted_cycle,
    predicted_side,
    whole_stride,
)
from pipeline.results.tables import comparison_tables, sample_tables, write_tables
from pipeline.results.tables.predicted import MEASURES
from pipeline.trial import CurveAgreement, CycleCurves, GaitCycles, PredictedStudy, PredictedWalk, Violation
from tests.analysis.predicted_walks import TASK, hand_made_walk, random_walk

NOTHING = PredictedStudy(PERCENT, (), ())


def measured(walk: PredictedWalk, *sides: str) -> GaitCycles:
    """The predicted cycles as if they had been measured."""
    return GaitCycles("w", "s", "distal", tuple(predicted_cycle(walk, side) for side in sides), ())


def changed(cycle: CycleCurves, name: str, change: object) -> CycleCurves:
    """The cycle with one of its quantities changed by a function of the values."""
    values = getattr(cycle, name)
    new = {k: change(v) for k, v in values.items()} if isinstance(values, dict) else change(values)  # type: ignore[operator]
    return replace(cycle, **{name: new})


def test_a_walk_agrees_with_itself_in_every_curve_of_both_sides() -> None:
    walk = hand_made_walk()
    both = compare(replace(walk, task=replace(TASK, walk="w")), measured(walk, "left", "right"))
    assert (both.walk, both.asked, both.side_names) == ("w", True, ("left", "right"))
    # Of the foot's angles in the frontal plane there is no variable.
    assert len(both.agreement) == 2 * len(CYCLE_VARIABLES)
    for row in both.agreement:
        assert (row.rmse, row.offset, row.timing) == (0.0, 0.0, 0.0)
        assert row.peak_predicted == row.peak_measured
    for p in both.parameters:
        assert p.predicted == pytest.approx(p.measured), p.name
    assert compare(walk, measured(walk, "left")).asked is False, "it is the nearest walk, not that of the task"


def test_a_change_of_one_quantity_changes_its_own_curves_only() -> None:
    walk = hand_made_walk()
    other = measured(walk, "right")
    other = replace(other, cycles=(changed(other.cycles[0], "moments", lambda values: values - 0.25),))
    for row in compare(walk, other).agreement:
        own = 0.25 if CYCLE_VARIABLES[row.variable].quantity == "moments" else 0.0
        assert row.offset == pytest.approx(own, abs=1e-12), row.variable
        assert row.rmse_shape == pytest.approx(0.0, abs=1e-7), row.variable


def test_the_ground_reaction_is_compared_over_the_longer_stance_alone() -> None:
    walk = hand_made_walk()
    other = measured(walk, "right")
    cycle = replace(other.cycles[0].cycle, foot_off=0.7)  # 70 % of the cycle; the predicted foot leaves at 60 %

    def in_swing(ground: np.ndarray) -> np.ndarray:
        return np.where(PERCENT[:, None] > 70.0, 1e3, ground)

    other = replace(other, cycles=(replace(changed(other.cycles[0], "ground", in_swing), cycle=cycle),))
    rows = [row for row in compare(walk, other).agreement if row.variable.startswith("ground")]
    assert [row.count for row in rows] == [71, 71, 71]
    assert all(row.rmse == 0.0 for row in rows)


def test_what_was_not_measured_is_left_out_and_noted() -> None:
    walk = hand_made_walk()
    bare = changed(
        changed(predicted_cycle(walk, "left"), "moments", lambda v: v * np.nan), "powers", lambda v: v * np.nan
    )
    bare = replace(changed(bare, "ground", lambda v: v * np.nan), cycle=replace(bare.cycle, plate=0))
    both = compare(walk, GaitCycles("w", "s", "distal", (bare,), ()))
    assert {CYCLE_VARIABLES[row.variable].quantity for row in both.agreement} == {"angles"}
    values = {note.subject: note.text for note in both.notes}
    assert "no gait cycle of it" in values["right side"]
    assert "no measured moments" in values["left side"]
    nothing = compare(walk, None)
    assert (nothing.walk, nothing.agreement, nothing.parameters) == ("", (), ())
    assert nothing.predicted.shape == (0, len(CYCLE_VARIABLES), 101)


def true_force(joint: str, side: str, percent: np.ndarray) -> np.ndarray:
    """Body weights over the gait cycle of a side, different for each joint and side."""
    seed = 3 * JOINTS.index(joint) + len(side)
    return 0.7 + 0.3 * np.sin(2.0 * np.pi * percent / 100.0 + seed)


def with_forces(walk: PredictedWalk) -> PredictedWalk:
    """A walk in the form ``stride`` whose net joint forces are the true ones of each side's own cycle."""
    weight, direction = walk.task.mass * 9.81, np.array([0.36, 0.48, -0.8])
    # The left foot's initial contact is half a stride after the right one's.
    percent = {"right": 100.0 * walk.time / (2.0 * walk.task.step_time)}
    percent["left"] = percent["right"] - 50.0
    joints = {
        f"{side}_{joint}": replace(
            walk.joints[f"{side}_{joint}"],
            force_G=weight * true_force(joint, side, percent[side])[:, None] * direction,
        )
        for side in ("left", "right")
        for joint in JOINTS
    }
    return replace(walk, joints=joints)


def on_skeleton(cycles: GaitCycles, joint_errors: dict[int, float]) -> Any:
    """A body with the true forces in each of the cycles and a known error, in body weights, in some: by their number.

    The first is from 0 to 1 s, the second from 2 to 3 s.
    """
    count, mass = len(cycles.cycles), 81.0
    time = np.linspace(0.0, 2.0 * count, 2000 * count + 1)
    names = [f"{side}_{joint}_flexion" for side in ("left", "right") for joint in JOINTS]
    force_G = np.full((len(time), len(names), 3), np.nan)
    for number, cycle in enumerate(cycles.cycles):
        own = (time >= 2 * number) & (time <= 2 * number + 1)
        for joint in JOINTS:
            at = names.index(f"{cycle.cycle.side}_{joint}_flexion")
            size = true_force(joint, cycle.cycle.side, 100.0 * (time[own] - 2 * number)) + joint_errors.get(number, 0.0)
            force_G[own, at] = mass * 9.81 * size[:, None] * np.array([0.0, -0.6, 0.8])
    body = {"mass": mass, "time": time, "joint_names": tuple(names), "uncertainty": np.full(len(names), 0.01)}
    return SimpleNamespace(**body, kinematic=SimpleNamespace(force_G=force_G))


CYCLE_TIMES = np.array([0.0, 0.6, 1.0])


def one_second_each(walk: PredictedWalk, *sides: str, off_plates: tuple[int, ...] = ()) -> GaitCycles:
    """Predicted cycles as if measured in one second of two each; those with some numbers on no plate."""
    cycles = []
    for number, side in enumerate(sides):
        own = predicted_cycle(walk, side)
        times = dict(
            zip(("initial_contact", "foot_off", "next_initial_contact"), 2.0 * number + CYCLE_TIMES, strict=True)
        )
        plate = 0 if number in off_plates else 1
        cycles.append(replace(own, cycle=replace(own.cycle, **times, plate=plate)))
    return GaitCycles("w", "s", "distal", tuple(cycles), ())


def stride_of(step: PredictedWalk) -> PredictedWalk:
    """A stride with the task of a step."""
    walk = whole_stride(step)
    return replace(walk, task=replace(walk.task, form="stride"))


def test_net_joint_forces_are_compared_with_the_mean_of_the_measured_cycles_on_the_skeleton() -> None:
    """Measured ones are the true ones plus 0.15 and 0.05 body weights on the right, 0.2 less on the left."""
    walk = with_forces(stride_of(hand_made_walk()))
    cycles = one_second_each(walk, "right", "right", "left", "left", off_plates=(3,))
    both = compare(walk, cycles, on_skeleton(cycles, {0: 0.15, 1: 0.05, 2: -0.2, 3: 9.0}))
    forces = {(row.variable, row.side): row for row in both.agreement if row.variable in JOINT_FORCES}
    assert set(forces) == {(f"{joint}_force", side) for joint in JOINTS for side in ("left", "right")}
    for joint in JOINTS:
        row = both.variable_names.index(f"{joint}_force")
        for k, (side, error) in enumerate({"left": -0.2, "right": 0.1}.items()):
            found = forces[f"{joint}_force", side]
            truth = true_force(joint, side, PERCENT)
            # Linear between 80 frames of the stride: within (2 pi / 80)^2 / 8 of the sine's height of 0.3.
            np.testing.assert_allclose(both.predicted[k, row], truth, atol=2.4e-4)
            np.testing.assert_allclose(both.measured[k, row], truth + error, atol=1e-5)
            assert (found.unit, found.count) == ("BW", 101)
            assert found.offset == pytest.approx(-error, abs=2.4e-4)
            assert found.rmse == pytest.approx(abs(error), abs=2.4e-4)
            assert found.r == pytest.approx(1.0, abs=1e-6)
        # Of 0.15 and 0.05; a single cycle has no spread.
        np.testing.assert_allclose(both.measured_sd[1, row], 0.1 / np.sqrt(2.0), atol=1e-6)
        assert np.isnan(both.measured_sd[0, row]).all()
    kinds = comparison_tables(both, walk.solver)["predicted_curves"]
    ours = kinds[(kinds.variable == "knee_force") & (kinds.side == "right")]
    row = both.variable_names.index("knee_force")
    for kind, values in (("measured mean", both.measured), ("measured sd", both.measured_sd)):
        np.testing.assert_array_equal(ours[ours.kind == kind].value, values[1, row])
    assert set(kinds[kinds.kind == "measured mean"].variable) == set(JOINT_FORCES), "others are in the study's table"


def test_without_the_skeleton_there_are_no_net_joint_forces_and_a_note_says_so() -> None:
    walk = hand_made_walk()
    both = compare(walk, measured(walk, "left", "right"))
    assert not set(JOINT_FORCES) & set(both.variable_names)
    (note,) = (note for note in both.notes if note.subject == "net joint forces")
    assert (note.kind, note.text) == (
        "left out",
        "not compared: the measured walk was not fitted to the whole skeleton",
    )
    cycles = one_second_each(walk, "left", "right")
    assert "net joint forces" not in {note.subject for note in compare(walk, cycles, on_skeleton(cycles, {})).notes}


def test_a_joint_that_no_marker_shows_has_no_measured_force() -> None:
    walk = with_forces(stride_of(hand_made_walk()))
    cycles = one_second_each(walk, "left", "right")
    body = on_skeleton(cycles, {})
    body.uncertainty[body.joint_names.index("left_ankle_flexion")] = np.inf
    found = {(row.variable, row.side) for row in compare(walk, cycles, body).agreement if row.variable in JOINT_FORCES}
    assert len(found) == 5
    assert ("ankle_force", "left") not in found


def test_a_stride_whose_second_step_mirrors_the_first_is_the_step_for_both_sides() -> None:
    step = hand_made_walk()
    flip = np.diag([1.0, 1.0, -1.0])
    swap = {"left": "right", "right": "left"}

    def other(name: str) -> str:
        side, _, rest = name.partition("_")
        return f"{swap[side]}_{rest}" if side in swap else name

    def both_steps(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return np.concatenate([first, second[1:]])

    task = replace(step.task, form="stride")
    stride = replace(
        step,
        task=task,
        time=both_steps(step.time, step.time + step.time[-1]),
        segments={
            name: replace(
                s,
                R_GS=both_steps(s.R_GS, flip @ step.segments[other(name)].R_GS @ flip),
                origin_G=both_steps(s.origin_G, step.segments[other(name)].origin_G @ flip),
            )
            for name, s in step.segments.items()
        },
        joints={
            name: replace(
                j,
                force_G=both_steps(j.force_G, step.joints[other(name)].force_G @ flip),
                moment_G=both_steps(j.moment_G, -step.joints[other(name)].moment_G @ flip),
                omega_G=both_steps(j.omega_G, -step.joints[other(name)].omega_G @ flip),
            )
            for name, j in step.joints.items()
        },
        ground={
            side: replace(
                w,
                force_G=both_steps(w.force_G, step.ground[swap[side]].force_G @ flip),
                moment_G=both_steps(w.moment_G, w.moment_G),
                point_G=both_steps(w.point_G, w.point_G),
            )
            for side, w in step.ground.items()
        },
        points={name: both_steps(position, position) for name, position in step.points.items()},
    )
    for side in ("left", "right"):
        expected, found = predicted_cycle(step, side), predicted_cycle(stride, side)
        for name, variable in CYCLE_VARIABLES.items():
            np.testing.assert_allclose(variable.of(found), variable.of(expected), atol=1e-9, err_msg=f"{side} {name}")


def row(variable: str, side: str, rmse: float, shape: float, nrmse: float, r: float) -> CurveAgreement:
    return CurveAgreement(variable, side, "deg", 101, rmse, 1.0, shape, nrmse, r, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("shape", "nrmse", "r", "grade"),
    [
        (4.0, 0.10, 0.95, "close"),
        # 20 % of the range in all, of which 4 / 8 is shape: 10 %.
        (4.0, 0.20, 0.95, "offset"),
        (7.9, 0.20, 0.95, "similar shape"),
        (4.0, 0.10, 0.85, "similar shape"),
        (4.0, 0.10, 0.5, "different shape"),
        (4.0, 0.10, float("nan"), "different shape"),
    ],
)
def test_grades_follow_their_limits(shape: float, nrmse: float, r: float, grade: str) -> None:
    rows = [row("knee_flexion", side, 8.0, shape, nrmse, r) for side in ("left", "right")]
    (found,) = graded(rows)
    assert (found.variable, found.grade, found.rmse) == ("knee_flexion", grade, 8.0)


def test_the_tables_are_written_as_parquet_and_as_csv_with_the_same_values(tmp_path: Path) -> None:
    walk = random_walk(4)
    both = compare(walk, measured(random_walk(5), "left", "right"))
    names = ("predicted_vs_measured", "predicted_curves")
    files = [tmp_path / f"{name}.{kind}" for name in names for kind in ("parquet", "csv")]
    pieces = [comparison_tables(one, walk.solver) for one in (both, replace(both, name="q"))]
    write_tables(files, [*pieces, sample_tables(NOTHING)])
    for one, other in (files[:2], files[2:]):
        as_parquet = pd.read_parquet(one).astype({"side": str, "variable": str})
        as_text = pd.read_csv(other, keep_default_na=False, na_values={"value": [""]})
        assert len(as_parquet) == len(as_text)
        np.testing.assert_allclose(as_parquet.value, as_text.value, rtol=6e-9)  # digits that each keeps
        assert set(as_text.prediction) == {"p", "q"}
    own = as_text[(as_text.prediction == "p") & (as_text.side == "right") & (as_text.variable == "knee_flexion")]
    motion = own[own.kind == "predicted motion"]
    own = own[own.kind == "predicted"]
    at = both.side_names.index("right"), both.variable_names.index("knee_flexion")
    np.testing.assert_allclose(own.value, both.predicted[at], rtol=6e-9)
    at = both.motion.side_names.index("right"), both.motion.variable_names.index("knee_flexion")
    np.testing.assert_allclose(motion.value, both.motion.values[at], rtol=6e-9)
    # Nine curves of each side over the step, and the ground reaction's three of both feet.
    assert len(pieces[0]["predicted_curves"]) == (2 * len(CYCLE_VARIABLES) + 2 * 9 + 3) * 101
    assert set(pd.read_parquet(files[0]).asked) == {False}, "the measured walk is the nearest"


def test_the_tidy_table_has_every_known_measure_once() -> None:
    walk = random_walk(4)
    both = compare(walk, measured(random_walk(5), "left", "right"))
    violations = (Violation("minimum knee flexion", "rad", 1e-4, 0.0, 1.2e-3),)
    table = comparison_tables(both, replace(walk.solver, violations=violations))["predicted_vs_measured"]
    known = sum(np.isfinite(getattr(one, name)) for one in both.agreement for name in MEASURES)
    assert known > 400
    solver = 11 + 1 + 2  # the solver's own figures, its one objective, and one constraint at the nodes and beyond
    assert len(table) == known + 2 * sum(np.isfinite(p.predicted) for p in both.parameters) + solver
    values = {(row["variable"], row["measure"]): (row["value"], row["unit"]) for row in table.to_dict("records")}
    assert values["solver", "iterations"] == (9.0, "1")
    assert values["solver", "slip"] == (0.01, "m/s")
    assert values["objective", "effort"] == (1.0, "1")
    assert values["constraint", "minimum knee flexion"] == (0.0, "rad")
    assert values["constraint", "minimum knee flexion, denser grid"] == (1.2e-3, "rad")
    one = both.agreement[3]
    selected = (table.variable == one.variable) & (table.side == one.side) & (table.measure == "rmse")
    (found,) = table[selected].to_dict("records")
    assert (found["value"], found["unit"], found["trial"], found["prediction"]) == (one.rmse, one.unit, "w", "p")


@pytest.mark.parametrize("form", ["step", "stride"])
def test_a_motion_s_own_curves_are_its_frames_in_reported_units_and_both_feet_are_their_sum(form: str) -> None:
    walk = hand_made_walk()
    walk = replace(walk, task=replace(walk.task, form=form))
    motion = compare(walk, None).motion
    assert motion.side_names == ("left", "right", "both")
    values = dict(zip(motion.variable_names, np.moveaxis(motion.values, 1, 0), strict=True))
    own, other = predicted_side(walk, "right"), predicted_side(walk, "left")
    weight = walk.task.mass * 9.81
    for name, frames, after in (
        ("knee_flexion", *(np.degrees(side.angles["knee"][:, 0]) for side in (own, other))),
        ("hip_force", *(side.force["hip"] for side in (own, other))),
        ("ground_vertical", *(100.0 * walk.ground[side].force_G[:, 1] / weight for side in ("right", "left"))),
    ):
        if form == "step":  # the left side's frames follow, those of the mirrored step
            frames = np.concatenate([frames, after[1:]])
        at = np.linspace(0.0, 100.0, len(frames))  # frames are among the percents where a frame is a whole percent
        np.testing.assert_allclose(values[name][1], np.interp(motion.percent, at, frames), atol=1e-9)
    for name in ("ground_lateral", "ground_vertical", "ground_forward"):
        np.testing.assert_allclose(values[name][2], values[name][0] + values[name][1], atol=1e-9)
    # Each foot's is half a cycle after the other's.
    double = 100.0 * walk.task.double_support
    np.testing.assert_allclose(motion.foot_off, [double / 2.0, 50.0 + double / 2.0, np.nan])
