"""The study's tables hold one value a row, the same in Parquet, in CSV and in the stages."""

from __future__ import annotations

import gzip
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pipeline.comparison.body_measures import body_measures, marker_errors
from pipeline.comparison.body_variables import BODY_VARIABLES
from pipeline.comparison.cycles import PARAMETERS, PERCENT, gait_cycles
from pipeline.comparison.summary import pooled, summarise
from pipeline.comparison.tidy import OnSkeleton, curve_table, scalar_table, write_tables
from pipeline.comparison.tidy_times import time_table
from pipeline.comparison.two_answers import stance_moments
from pipeline.comparison.variables import VARIABLES
from pipeline.trial import Cluster, Cycle, CycleCurves, GaitCycles, GaitSummary, StatisticalMap


def cycle(side: str, rng: np.random.Generator, kinetics: bool) -> CycleCurves:
    def curve(*columns: int) -> np.ndarray:
        return rng.normal(size=(101, *columns))

    joints = ("hip", "knee", "ankle")
    angles = {joint: curve(3) for joint in ("pelvis", *joints, "foot")}
    angles["knee"][7, 0] = np.nan
    return CycleCurves(
        Cycle(side, 0.0, 0.6, 1.0, 0.1, 0.5, "", int(kinetics)),
        PERCENT,
        angles,
        {joint: curve(3) for joint in joints} if kinetics else {},
        {joint: curve() for joint in joints} if kinetics else {},
        curve(3) if kinetics else np.full((101, 3), np.nan),
        {name: float(rng.normal()) for name in PARAMETERS} | {"step_width": math.nan},
    )


def pooled_summary(walks) -> GaitSummary:
    """Of all walks, with their sides compared."""
    test = StatisticalMap(np.linspace(-1.0, 4.0, 101), 3.2, 6.0, 4, 4, (Cluster(84.0, 100.0, 0.0123),))
    summary = summarise(pooled("S1", [cycles for cycles, *_ in walks]), 0.9, None)
    return replace(summary, sides_compared={"knee_flexion": test})


@pytest.fixture
def tables(tmp_path, rng, norm):
    """Two walks, and their tables as read from both kinds of file."""
    walks = []
    for name in ("walk1", 'a "quoted", ü'):
        made = (cycle("left", rng, True), cycle("right", rng, False), cycle("left", rng, True))
        cycles = GaitCycles(name, "S1", "distal", made, ())
        walks.append((cycles, summarise(cycles, 0.9, norm), None))
    endings = {"parquet": "parquet", "csv": "csv.gz"}
    paths = {(what, kind): tmp_path / f"{what}.{endings[kind]}" for what in ("curves", "scalars") for kind in endings}
    files = {what: [path for (of, _), path in paths.items() if of == what] for what in ("curves", "scalars")}
    write_tables(files, walks, [pooled_summary(walks)])
    read = {"parquet": pd.read_parquet, "csv": lambda path: pd.read_csv(path, keep_default_na=False, na_values=[""])}
    return walks, {key: read[key[1]](path) for key, path in paths.items()}


def test_plain_text_and_compressed_text_are_the_same_and_the_bytes_do_not_depend_on_the_time(tmp_path, rng, norm):
    made = GaitCycles("walk", "S1", "distal", (cycle("left", rng, True),), ())
    walks = [(made, summarise(made, 0.9, norm), None)]
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_tables({"curves": [tmp_path / folder / "c.csv", tmp_path / folder / "c.csv.gz"]}, walks)
    plain, packed = (tmp_path / "a" / name for name in ("c.csv", "c.csv.gz"))
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    # Random digits do not shrink, names do.
    assert packed.stat().st_size < 0.25 * plain.stat().st_size
    assert packed.read_bytes()[4:8] == bytes(4), "the time in a gzip's header"
    assert packed.read_bytes() == (tmp_path / "b/c.csv.gz").read_bytes()


@pytest.mark.parametrize("what", ["curves", "scalars"])
def test_parquet_and_csv_hold_the_same(tables, what):
    parquet, csv = (tables[1][what, kind] for kind in ("parquet", "csv"))
    assert list(parquet.columns) == list(csv.columns)
    assert len(parquet) == len(csv) > 100
    for column in parquet.columns:
        if column in ("value", "percent", "cycle"):
            np.testing.assert_array_equal(parquet[column], csv[column])
        else:
            assert parquet[column].astype(str).tolist() == csv[column].fillna("").astype(str).tolist()


def test_every_curve_is_there_with_its_values_units_and_percents(tables):
    walks, read = tables
    table = read["curves", "parquet"]
    for cycles, summary, _ in walks:
        own = table[table.trial == cycles.name]
        for number, curves in enumerate(cycles.cycles, start=1):
            for name, variable in VARIABLES.items():
                rows = own[(own.kind == "cycle") & (own.cycle == number) & (own.variable == name)]
                values = variable.of(curves)
                assert len(rows) == (101 if np.isfinite(values).any() else 0)
                if len(rows):
                    np.testing.assert_array_equal(rows.value, values)
                    np.testing.assert_array_equal(rows.percent, PERCENT)
                    assert set(rows.unit) == {variable.units}
                    assert set(rows.side) == {curves.cycle.side}
        for kind, stored in (("norm mean", summary.norm_mean), ("norm sd", summary.norm_sd)):
            row = summary.variable_names.index("knee_flexion")
            rows = own[(own.kind == kind) & (own.variable == "knee_flexion")]
            np.testing.assert_array_equal(rows.value, stored[row])
    assert table[(table.variable == "knee_flexion") & (table.kind == "cycle")].value.isna().sum() == 6


def test_every_scalar_that_is_known_is_there(tables):
    walks, read = tables
    table = read["scalars", "parquet"]
    cycles, summary, _ = walks[0]
    own = table[table.trial == cycles.name]
    column = summary.parameter_names.index("stance")

    def value(side: str, kind: str, parameter: str) -> float:
        (found,) = own[(own.side == side) & (own.kind == kind) & (own.parameter == parameter)].value
        return found

    assert value("left", "mean", "stance") == summary.parameter_mean[0, column]
    assert value("left", "sd", "stance") == summary.parameter_sd[0, column]
    assert value("", "symmetry", "stance") == summary.symmetry[column]
    row = summary.variable_names.index("hip_flexion")
    assert value("right", "profile", "hip_flexion") == summary.profile[1, row]
    assert value("", "trial", "dimensionless_speed") == summary.speed
    assert not (own.parameter == "step_width").any(), "it is not known"
    assert own.value.notna().all()


def test_a_subject_s_rows_have_no_trial(tables):
    walks, read = tables
    summary = pooled_summary(walks)
    curves, scalars = (read[what, "parquet"] for what in ("curves", "scalars"))
    own = curves[(curves.trial == "") & (curves.variable == "knee_flexion")]
    np.testing.assert_array_equal(
        own[(own.kind == "mean") & (own.side == "left")].value,
        summary.mean[0, summary.variable_names.index("knee_flexion")],
    )
    test = summary.sides_compared["knee_flexion"]
    np.testing.assert_array_equal(own[own.kind == "left against right t"].value, test.t)
    told = scalars[(scalars.trial == "") & (scalars.kind == "left against right")].set_index("parameter").value
    assert told["knee_flexion t threshold"] == 3.2
    assert told["knee_flexion cluster 1 start"] == 84.0
    speed = scalars[(scalars.trial == "") & (scalars.parameter == "walking_speed")]
    assert speed.value.tolist() == [summary.walking_speed]


def test_what_the_skeleton_does_over_time_is_in_a_table_of_its_own(demo_walk):
    body = demo_walk.body
    table = time_table(body).to_pandas().astype({"kind": str, "variable": str})
    own = table[(table.kind == "untouched") & (table.variable == "residual_force_vertical")]
    known = body.balanced & np.isfinite(body.untouched.residual_force[:, 1])
    assert known.sum() > 50
    np.testing.assert_array_equal(own.value, 100.0 * body.untouched.residual_force[known, 1])
    np.testing.assert_array_equal(own.time, body.time[known])
    errors = table[(table.kind == "untouched") & (table.variable == "marker_distance_rms")]
    np.testing.assert_allclose(errors.value, 1000.0 * marker_errors(body.untouched).frame_rms)
    fitted = table[(table.kind == "as fitted") & (table.variable == "left_knee_flexion")]
    column = body.joint_names.index("left_knee_flexion")
    np.testing.assert_array_equal(fitted.value, np.degrees(body.reproduction.measured[:, column]))


def test_a_walk_on_the_whole_skeleton_adds_its_curves_and_measures(demo_walk, norm):
    cycles = gait_cycles(demo_walk.kinematics, demo_walk.loads)
    summary = summarise(cycles, 0.9, norm)
    whole = OnSkeleton(demo_walk.body, demo_walk.kinematics, demo_walk.loads)
    curves, scalars = (
        make(cycles, summary, whole).to_pandas().astype({"kind": str, "side": str})
        for make in (curve_table, scalar_table)
    )
    own = curves[curves.kind == "full body"]
    first = cycles.cycles[0].cycle
    for name in ("trunk_flexion", "knee_extensor_moment", "lumbar_force"):
        rows = own[(own.variable == name) & (own.cycle == 1)]
        values = BODY_VARIABLES[name].over(demo_walk.body, demo_walk.body.untouched, first)
        np.testing.assert_array_equal(rows.value, values)
        assert set(rows.side) == {first.side}
        assert set(rows.unit) == {BODY_VARIABLES[name].units}
    two_ways = stance_moments(demo_walk.body, demo_walk.kinematics, demo_walk.loads)
    for way, values in two_ways["left", "hip"].items():
        rows = curves[(curves.kind == f"stance {way}") & (curves.side == "left")]
        np.testing.assert_array_equal(rows[rows.variable == "hip_extensor_moment"].value, values)
    assert {"matrix form", "skeleton"} <= set(two_ways["left", "hip"])
    measures = [measure for measure in body_measures(demo_walk.body) if np.isfinite(measure.value)]
    rows = scalars[scalars.kind.str.startswith("full body")]
    assert rows.value.tolist() == [measure.value for measure in measures]
    assert rows.parameter.tolist() == [measure.name for measure in measures]
    without = scalar_table(cycles, summary).num_rows
    assert scalar_table(cycles, summary, whole).num_rows == without + len(measures)
