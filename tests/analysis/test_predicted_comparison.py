"""A predicted walk compared with a measured one: curves, percents of the cycle, parameters and grades."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, compare, graded, predicted_cycle, whole_stride
from pipeline.analysis.norm import Norm, NormCurves
from pipeline.analysis.predicted.cycle import predicted_side
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


def level(*values: float) -> NormCurves:
    """Curves of one value over the cycle, at each speed of a norm."""
    knots = np.r_[[0.0] * 4, [100.0] * 4]
    rows = np.repeat(np.array(values)[:, None], 4, axis=1)
    return NormCurves(knots, rows, rows, 0.0)


def test_the_norm_s_own_difference_is_that_of_its_mean_curve_at_the_measured_speed() -> None:
    walk = hand_made_walk()
    walk = replace(walk, task=replace(walk.task, leg_length=0.9))
    cycles = measured(walk, "left", "right")
    (speed,) = {round(p.measured, 12) for p in compare(walk, cycles).parameters if p.name == "speed"}
    own = speed / np.sqrt(9.81 * 0.9)
    variables = {"knee_flexion": level(10.0, 30.0), "hip_flexion": level(4.0, 4.0)}
    norm = Norm("n", "", "", np.array([own - 0.1, own + 0.3]), own, variables, other_zeros=("hip_flexion",))
    both = compare(walk, cycles, norm=norm)
    assert (both.norm, {one.variable for one in both.norm_agreement}) == ("n", set(variables))
    for one in both.norm_agreement:
        curve = both.measured[both.side_names.index(one.side), both.variable_names.index(one.variable)]
        spread = np.sqrt(np.mean((curve - curve.mean()) ** 2))
        assert one.rmse_shape == pytest.approx(spread)
        if one.variable == "knee_flexion":
            assert one.rmse == pytest.approx(np.sqrt(np.mean((curve - 15.0) ** 2)))
            assert one.offset == pytest.approx(15.0 - curve.mean())
        else:
            assert np.isnan([one.rmse, one.offset, one.nrmse]).all(), "the zeros are not the same"
    table = comparison_tables(both, walk)["predicted_vs_measured"]
    rows = table[(table.variable == "knee_flexion") & (table.side == "left")].set_index("measure")
    (first,) = [one for one in both.norm_agreement if (one.variable, one.side) == ("knee_flexion", "left")]
    assert rows.value["norm_rmse"] == first.rmse
    assert rows.unit["norm_rmse"] == "deg"
    assert compare(walk, None, norm=norm).norm == "", "there is nothing to compare it with"
    assert compare(replace(walk, task=TASK), cycles, norm=norm).norm_agreement == (), "no leg length, no speed"


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


def test_peaks_are_those_of_the_curves_on_either_side() -> None:
    """A walk whose measured loads are half of the predicted ones has half of their peaks."""
    walk = hand_made_walk()
    other = measured(walk, "right")
    cycle = changed(changed(other.cycles[0], "ground", lambda v: 0.5 * v), "moments", lambda v: 0.5 * v)
    rows = {row.variable: row for row in compare(walk, replace(other, cycles=(cycle,))).agreement}
    loads = {name for name in rows if CYCLE_VARIABLES[name].quantity in ("ground", "moments")}
    assert len(loads) > 5
    for name, row in rows.items():
        assert row.peak_predicted == pytest.approx((2.0 if name in loads else 1.0) * row.peak_measured, rel=1e-9), name
    assert rows["ground_vertical"].peak_measured == pytest.approx(100.0 * cycle.ground[:, 1].max())


def test_what_was_not_measured_is_left_out_and_noted() -> None:
    walk = hand_made_walk()
    bare = changed(
        changed(predicted_cycle(walk, "left"), "moments", lambda v: v * np.nan), "powers", lambda v: v * np.nan
    )
    bare = replace(changed(bare, "ground", lambda v: v * np.nan), cycle=replace(bare.cycle, plate=0))
    both = compare(walk, GaitCycles("w", "s", "distal", (bare,), ()))
    kinematic = {variable.quantity for variable in CYCLE_VARIABLES.values() if not variable.is_kinetic}
    assert {CYCLE_VARIABLES[row.variable].quantity for row in both.agreement} == kinematic
    values = {note.subject: note.text for note in both.notes}
    assert "no gait cycle of the side" in values["right side"]
    assert "no measured moments" in values["left side"]
    nothing = compare(walk, None)
    assert (nothing.walk, nothing.agreement, nothing.parameters) == ("", (), ())
    assert nothing.predicted.shape == (0, len(CYCLE_VARIABLES), 101)


def test_measured_loads_that_are_estimated_are_named() -> None:
    walk = hand_made_walk()
    cycle = predicted_cycle(walk, "left")
    estimated = replace(cycle, cycle=replace(cycle.cycle, plate=0), estimated=True)
    notes = compare(walk, GaitCycles("w", "s", "distal", (estimated,), ())).notes
    (text,) = [note.text for note in notes if note.subject == "left side"]
    assert text.startswith("loads of 1 of its 1 cycles with loads are estimated")


def test_a_stride_whose_second_step_mirrors_the_first_is_the_step_for_both_sides() -> None:
    step = hand_made_walk()
    stride = whole_stride(step)
    for side in ("left", "right"):
        expected, found = predicted_cycle(step, side), predicted_cycle(stride, side)
        for name, variable in CYCLE_VARIABLES.items():
            if not variable.points:  # the hand-made heels stand still, and the step's start ahead again
                np.testing.assert_allclose(
                    variable.of(found), variable.of(expected), atol=1e-9, err_msg=f"{side} {name}"
                )


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
    pieces = [comparison_tables(one, walk) for one in (both, replace(both, name="q"))]
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
    walk = replace(walk, solver=replace(walk.solver, violations=violations))
    table = comparison_tables(both, walk)["predicted_vs_measured"]
    known = sum(np.isfinite(getattr(one, name)) for one in both.agreement for name in MEASURES)
    assert known > 400
    solver = 15 + 1 + 2  # the solver's own figures, its one objective, and one constraint at the nodes and beyond
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
