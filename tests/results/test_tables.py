"""The study's tables hold one value a row, the same in Parquet, in CSV and in the stages."""

from __future__ import annotations

import gzip
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis import (
    CYCLE_VARIABLES,
    PARAMETERS,
    PERCENT,
    SKELETON_VARIABLES,
    Group,
    Norm,
    body_measures,
    compare_groups,
    compare_sides,
    gait_cycles,
    margins_of_stability,
    marker_errors,
    pooled,
    stance_moments,
    summarise,
)
from pipeline.analysis.muscle_fatigue import FATIGUE_CASES
from pipeline.errors import ResultsError
from pipeline.results import load_norm
from pipeline.results.tables import (
    WalkResults,
    dictionary_table,
    group_tables,
    open_study,
    subject_tables,
    walk_tables,
    write_tables,
)
from pipeline.results.tables.estimated import fatigue_scalars, fatigue_times
from pipeline.trial import (
    Calibration,
    Cluster,
    CurveUncertainty,
    CutoffEvidence,
    Cycle,
    CycleCurves,
    Event,
    Findings,
    GaitCycles,
    GaitSummary,
    LowPass,
    MotionAndPlates,
    MuscleFatigue,
    SegmentInertia,
    Stance,
    StanceCurves,
    StatisticalMap,
)
from tests.reporting.test_muscle_loads import made_loads


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


def on_plates(name: str) -> MotionAndPlates:
    """A foot's clean step on the first plate, and a contact of none on the second."""
    foot = SegmentInertia("foot", 1.2, 0.24, np.zeros(3), np.eye(3))
    values = {"mass": 70.0, "leg_length_left": 0.9, "tibial_torsion_left": math.radians(-15)}
    units = {"mass": "kg", "leg_length_left": "m", "tibial_torsion_left": "rad"}
    return MotionAndPlates(
        name=name,
        subject="S1",
        time=np.arange(3.0),
        points={},
        joints={},
        plates=(),
        events=(Event(0.25, "left", "initial contact", "plate 1"), Event(0.5, "right", "foot off", "file")),
        stances=(Stance(1, "left", 0, 2, 0.25, 0.85, 0.01, ""), Stance(2, "", 1, 2, 0.5, 0.6, math.nan, "no foot")),
        calibration=Calibration(
            "S1", "static", "set", "davis", "de_leva", values, units, {}, {}, {}, {"left_foot": foot}, {}, ()
        ),
        cutoff=CutoffEvidence(6.0, "given", np.array([6.0]), np.array([0.001]), np.array([np.nan])),
        low_pass=LowPass(6.0, 6.0, 4),
    )


NOTHING_FOUND = Findings("w", "S1", ())


def tidy(*made: CycleCurves, name: str = "w", norm: Norm | None = None, steps=()) -> WalkResults:
    cycles = GaitCycles(name, "S1", "distal", made, (), steps)
    return WalkResults(on_plates(name), cycles, summarise(cycles, 0.9, norm), NOTHING_FOUND)


def pooled_summary(walks) -> GaitSummary:
    """Of all walks, with their sides compared."""
    test = StatisticalMap(np.linspace(-1.0, 4.0, 101), 3.2, 6.0, 4, 4, (Cluster(84.0, 100.0, 0.0123),))
    summary = summarise(pooled("S1", [walk.cycles for walk in walks]), 0.9, None)
    return replace(summary, sides_compared={"knee_flexion": test})


@pytest.fixture
def norm() -> Norm:
    return load_norm(Path(__file__).resolve().parents[2] / "config/norms/schwartz2008.json")


DIGITS = 6e-9
"""Relative: nine digits in text (5e-9), 36 binary digits in Parquet (7e-12)."""


def read_csv(path):
    """The name of a session may look like a number, and that of a condition may be blank throughout."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], dtype={"session": str, "condition": str})


@pytest.fixture
def tables(tmp_path, rng, norm):
    """Two walks, and their tables as read from both kinds of file."""
    walks = []
    for name in ("walk1", 'a "quoted", ü'):
        made = (cycle("left", rng, True), cycle("right", rng, False), cycle("left", rng, True))
        walks.append(tidy(*made, name=name, norm=norm))
    endings = {"parquet": "parquet", "csv": "csv.gz"}
    names = ("curves", "scalars")
    paths = {(what, kind): tmp_path / f"study_{what}.{endings[kind]}" for what in names for kind in endings}
    write_tables(list(paths.values()), [*map(walk_tables, walks), subject_tables(pooled_summary(walks))])
    read = {"parquet": pd.read_parquet, "csv": read_csv}
    return walks, {key: read[key[1]](path) for key, path in paths.items()}


def test_plain_text_and_compressed_text_are_the_same_and_the_bytes_do_not_depend_on_the_time(tmp_path, rng, norm):
    walk = tidy(cycle("left", rng, True), norm=norm)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        files = [tmp_path / folder / f"study_curves.{kind}" for kind in ("csv", "csv.gz", "parquet")]
        write_tables(files, [walk_tables(walk)])
    plain, packed, columns = (tmp_path / "a" / path.name for path in files)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    # Random digits do not shrink, names do.
    assert packed.stat().st_size < 0.25 * plain.stat().st_size
    assert packed.read_bytes()[4:8] == bytes(4), "the time in a gzip's header"
    assert packed.read_bytes() == (tmp_path / "b" / packed.name).read_bytes()
    assert columns.read_bytes() == (tmp_path / "b" / columns.name).read_bytes()


def test_tables_joined_from_those_of_sessions_are_those_written_at_once(tmp_path, rng, norm):
    """A session without a file has no rows; text is the same to the byte."""
    walks = [tidy(cycle("left", rng, True), name=name, norm=norm) for name in ("a", "b", "c")]
    names = ["study_curves.csv", "study_curves.csv.gz", "study_curves.parquet", "study_dictionary.csv"]
    for folder in ("one", "two", "none", "whole", "joined"):
        (tmp_path / folder).mkdir()
    for folder, own in (("one", walks[:2]), ("two", walks[2:])):
        write_tables([tmp_path / folder / name for name in names[:3]], map(walk_tables, own), header=False)
    folders = [tmp_path / name for name in ("one", "none", "two")]
    write_tables([tmp_path / "joined" / name for name in names], [dictionary_table()], folders)
    write_tables([tmp_path / "whole" / name for name in names], [dictionary_table(), *map(walk_tables, walks)])
    for name in ("study_curves.csv", "study_dictionary.csv"):
        assert (tmp_path / "joined" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    text = gzip.decompress((tmp_path / "joined/study_curves.csv.gz").read_bytes())
    assert text == (tmp_path / "joined/study_curves.csv").read_bytes()
    joined, whole = (open_study(tmp_path / folder)["curves"] for folder in ("joined", "whole"))
    assert len(joined) > 100
    pd.testing.assert_frame_equal(joined, whole, check_categorical=False)


@pytest.mark.parametrize("what", ["curves", "scalars"])
def test_parquet_and_csv_hold_the_same(tables, what):
    parquet, csv = (tables[1][what, kind] for kind in ("parquet", "csv"))
    assert list(parquet.columns) == list(csv.columns)
    assert len(parquet) == len(csv) > 100
    for column in parquet.columns:
        if column in ("value", "percent", "cycle"):
            np.testing.assert_allclose(csv[column], parquet[column], rtol=DIGITS)
        else:
            assert parquet[column].astype(str).tolist() == csv[column].fillna("").astype(str).tolist()


def test_every_curve_is_there_with_its_values_units_and_percents(tables):
    walks, read = tables
    table = read["curves", "parquet"]
    for walk in walks:
        cycles, summary = walk.cycles, walk.summary
        own = table[table.trial == cycles.name]
        for number, curves in enumerate(cycles.cycles, start=1):
            for name, variable in CYCLE_VARIABLES.items():
                rows = own[(own.kind == "cycle") & (own.cycle == number) & (own.variable == name)]
                values = variable.of(curves)
                assert len(rows) == (101 if np.isfinite(values).any() else 0)
                if len(rows):
                    np.testing.assert_allclose(rows.value, values, rtol=DIGITS)
                    np.testing.assert_array_equal(rows.percent, PERCENT)
                    assert set(rows.unit) == {variable.units}
                    assert set(rows.side) == {curves.cycle.side}
        for kind, stored in (("norm mean", summary.norm_mean), ("norm sd", summary.norm_sd)):
            rows = own[(own.kind == kind) & (own.variable == "knee_flexion")]
            np.testing.assert_allclose(rows.value, stored["knee_flexion"], rtol=DIGITS)
    assert table[(table.variable == "knee_flexion") & (table.kind == "cycle")].value.isna().sum() == 6


def test_every_scalar_that_is_known_is_there(tables):
    walks, read = tables
    table = read["scalars", "parquet"]
    cycles, summary = walks[0].cycles, walks[0].summary
    own = table[table.trial == cycles.name]

    def value(side: str, kind: str, parameter: str) -> float:
        (found,) = own[(own.side == side) & (own.kind == kind) & (own.parameter == parameter)].value
        return found

    assert value("left", "mean", "stance") == summary.parameter_mean["left"]["stance"]
    assert value("left", "sd", "stance") == summary.parameter_sd["left"]["stance"]
    assert value("", "symmetry", "stance") == summary.symmetry["stance"]
    assert value("right", "profile", "hip_flexion") == summary.profile["right"]["hip_flexion"]
    assert value("", "trial", "dimensionless_speed") == summary.speed
    assert value("", "norm profile", "hip_flexion") == summary.norm_profile["hip_flexion"]
    assert value("", "subject", "mass") == 70.0
    assert value("", "subject", "tibial_torsion_left") == pytest.approx(-15.0)
    assert value("", "segment mass", "left_foot") == 1.2
    rows = own[(own.kind == "cycle") & (own.cycle == 1)].set_index("parameter").value
    times = ("initial_contact", "foot_off", "next_initial_contact", "plate")
    assert tuple(rows[name] for name in times) == (0.0, 0.6, 1.0, 1.0)
    assert "plate" not in set(own[(own.kind == "cycle") & (own.cycle == 2)].parameter)
    assert not (own.parameter == "step_width").any(), "it is not known"
    assert own.value.notna().all()


def test_events_and_contacts_with_plates_are_in_a_table_of_their_own():
    table = walk_tables(tidy())["study_events"].astype(object)
    rows = table.where(table.notna(), None).to_dict("records")
    who = {"subject": "S1", "session": "1", "condition": "", "trial": "w", "plate": None, "left_out": ""}
    assert rows[:2] == [
        {**who, "side": "left", "event": "initial contact", "time": 0.25, "source": "plate 1"},
        {**who, "side": "right", "event": "foot off", "time": 0.5, "source": "file"},
    ]
    values = [(row["event"], row["side"], row["time"], row["plate"], row["left_out"]) for row in rows[2:]]
    assert values == [
        ("contact begin", "left", 0.25, 1, ""),
        ("contact end", "left", 0.85, 1, ""),
        ("contact begin", "", 0.5, 2, "no foot"),
        ("contact end", "", 0.6, 2, "no foot"),
    ]


def test_a_subject_s_rows_have_no_trial(tables):
    walks, read = tables
    summary = pooled_summary(walks)
    curves, scalars = (read[what, "parquet"] for what in ("curves", "scalars"))
    own = curves[(curves.trial == "") & (curves.variable == "knee_flexion")]
    of_left = own[(own.kind == "mean") & (own.side == "left")].value
    np.testing.assert_allclose(of_left, summary.mean["left"]["knee_flexion"], rtol=DIGITS)
    test = summary.sides_compared["knee_flexion"]
    np.testing.assert_allclose(own[own.kind == "left against right t"].value, test.t, rtol=DIGITS)
    values = scalars[(scalars.trial == "") & (scalars.kind == "left against right")].set_index("parameter").value
    assert values["knee_flexion t threshold"] == 3.2
    assert values["knee_flexion cluster 1 start"] == 84.0
    speed = scalars[(scalars.trial == "") & (scalars.parameter == "walking_speed")]
    assert speed.value.tolist() == [summary.walking_speed]


@pytest.fixture(scope="module")
def of_skeleton(demo_walk):
    """The demo's cycles, and its tables with those of the skeleton."""
    cycles = gait_cycles(demo_walk.kinematics, demo_walk.loads)
    summary = summarise(cycles, 0.9, None)
    walk = WalkResults(demo_walk.kinematics, cycles, summary, NOTHING_FOUND, demo_walk.body, demo_walk.loads)
    return cycles, walk_tables(walk)


def test_the_skeletons_curves_over_time_are_in_a_table_of_their_own(demo_walk, of_skeleton):
    body, table = demo_walk.body, of_skeleton[1]["study_times"]
    own = table[(table.kind == "kinematic") & (table.variable == "residual_force_vertical")]
    known = body.loads_known & np.isfinite(body.kinematic.residual_force[:, 1])
    assert known.sum() > 50
    np.testing.assert_array_equal(own.value, 100.0 * body.kinematic.residual_force[known, 1])
    np.testing.assert_array_equal(own.time, body.time[known])
    errors = table[(table.kind == "kinematic") & (table.variable == "marker_error_rms")]
    np.testing.assert_allclose(errors.value, 1000.0 * marker_errors(body.kinematic).frame_rms)
    fitted = table[(table.kind == "inverse kinematics") & (table.variable == "pelvis_tilt")]
    column = body.forward_check.pelvis_names.index("pelvis_tilt")
    np.testing.assert_array_equal(fitted.value, np.degrees(body.forward_check.fitted[:, column]))


def test_a_walk_on_the_whole_skeleton_adds_its_curves_and_measures(demo_walk, of_skeleton):
    cycles, tables = of_skeleton
    curves, scalars = (tables[name].astype({"kind": str, "side": str}) for name in ("study_curves", "study_scalars"))
    own = curves[curves.kind == "whole body kinematic"]
    first = cycles.cycles[0].cycle
    for name in ("trunk_flexion", "knee_extensor_moment", "lumbar_force"):
        rows = own[(own.variable == name) & (own.cycle == 1)]
        (values,) = SKELETON_VARIABLES[name].over_cycles(demo_walk.body, demo_walk.body.kinematic, [first])
        np.testing.assert_array_equal(rows.value, values)
        assert set(rows.side) == {first.side}
        assert set(rows.unit) == {SKELETON_VARIABLES[name].units}
    two_ways = stance_moments(demo_walk.body, demo_walk.kinematics, demo_walk.loads)
    for way, values in two_ways["left", "hip"].items():
        rows = curves[(curves.kind == f"stance {way}") & (curves.side == "left")]
        np.testing.assert_array_equal(rows[rows.variable == "hip_extensor_moment"].value, values)
    assert {"matrix form", "whole body kinematic"} <= set(two_ways["left", "hip"])
    measures = [*body_measures(demo_walk.body), *margins_of_stability(demo_walk.body, cycles)]
    measures = [measure for measure in measures if np.isfinite(measure.value)]
    rows = scalars[scalars.kind.str.startswith("whole body")]
    assert rows.value.tolist() == [measure.value for measure in measures]
    assert rows.parameter.tolist() == [measure.name for measure in measures]


def test_markers_segments_joints_and_coordinates_of_the_skeleton_have_a_row_each(demo_walk, of_skeleton):
    body, table = demo_walk.body, of_skeleton[1]["study_scalars"].astype({"kind": str, "parameter": str})
    values = table.set_index(["kind", "parameter"]).value
    distance = 1000.0 * body.kinematic.marker_error[:, body.fitted_markers.index("LTHI")]
    assert values["marker error rms kinematic", "LTHI"] == pytest.approx(np.sqrt(np.nanmean(distance**2)))
    assert values["marker error maximum kinematic", "LTHI"] == np.nanmax(distance)
    assert values["segment scale factor", "left_thigh"] == 100.0 * body.scale_factors["left_thigh"]
    assert values["joint offset", "left_knee"] == np.degrees(body.joint_offsets["left_knee"])
    assert values["joint centre error", "left_hip"] == 1000.0 * body.joint_centre_errors["left_hip"]
    column = body.joint_names.index("left_knee_flexion")
    assert values["coordinate uncertainty", "left_knee_flexion"] == np.degrees(body.uncertainty[column])
    assert values["coordinate at limit", "left_knee_flexion"] == 100.0 * body.at_limit[column]
    least = dict.fromkeys(["marker error rms kinematic", "marker error rms residual-reduced"], len(body.fitted_markers))
    least |= {"segment scale factor": len(body.scale_factors), "mass factor": len(body.mass_factors), "subject": 4}
    for kind, count in least.items():
        assert (table.kind == kind).sum() >= count > 0, kind


@pytest.mark.long
def test_a_study_s_tables_are_opened_when_asked_for_from_either_kind_of_file(tmp_path, rng, norm):
    pieces = [dictionary_table(), walk_tables(tidy(cycle("left", rng, True), norm=norm))]
    for folder, kind in (("a", "parquet"), ("b", "csv.gz")):
        results = tmp_path / folder / "data" / "results"
        results.mkdir(parents=True)
        write_tables([results / f"study_{name}.{kind}" for name in ("curves", "events", "dictionary")], pieces)
    one, other = (open_study(tmp_path / folder) for folder in "ab")
    assert set(one) == set(other) == {"study_curves", "study_events", "study_dictionary"}
    for name, written in (("curves", pieces[1]), ("study_events", pieces[1]), ("dictionary", pieces[0])):
        expected = written[f"study_{name.removeprefix('study_')}"]
        for study in (one, other):
            pd.testing.assert_frame_equal(study[name], expected, check_categorical=False)
            assert study[name] is study[name], "it is read once"
    with pytest.raises(KeyError):
        one["times"]
    with pytest.raises(ResultsError, match="no tables"):
        open_study(tmp_path)


def test_a_table_appears_whole_or_not_at_all(tmp_path):
    def pieces():
        yield dictionary_table()
        raise ValueError("deliberate")

    with pytest.raises(ValueError, match="deliberate"):
        write_tables([tmp_path / "study_dictionary.csv"], pieces())
    assert not list(tmp_path.iterdir())


def test_steps_without_a_whole_cycle_are_numbered_over_stance(rng, norm):
    curves = cycle("left", rng, True)
    stance = Stance(2, "left", 10, 70, 0.105, 0.705, 0.01, "", second_plate=3)
    step = StanceCurves(stance, PERCENT, curves.angles, curves.moments, curves.powers, curves.ground)
    tables = walk_tables(tidy(curves, cycle("right", rng, False), norm=norm, steps=(step,)))
    own = tables["study_curves"].query("kind == 'stance' and variable == 'hip_power'")
    assert set(own.cycle) == {1}
    np.testing.assert_array_equal(own.value, curves.powers["hip"])
    scalars = tables["study_scalars"].query("kind == 'stance'")[["parameter", "value"]].values.tolist()
    assert scalars == [["initial_contact", 0.105], ["foot_off", 0.705], ["plate", 2.0], ["plate", 3.0]]


def test_the_mean_over_the_cycles_of_a_table_is_the_page_s(rng, norm):
    """Loads of one of three cycles are set aside, and the hip angle of another is doubtful."""
    made = [cycle("left", rng, True) for _ in range(3)]
    made = (replace(made[0], set_aside="too fast"), replace(made[1], doubtful={"hip_flexion": "jumps"}), made[2])
    step = StanceCurves(
        *(Stance(1, "left", 10, 70, 0.105, 0.705, 0.01, ""), PERCENT, made[0].angles, made[0].moments),
        *(made[0].powers, made[0].ground, "too fast"),
    )
    found = walk_tables(tidy(*made, norm=norm, steps=(step,)))
    for table, value in (("study_curves", "percent"), ("study_features", "phase")):
        rows = found[table].astype({"kind": str, "variable": str})
        for variable, numbers in {"hip_flexion": {1, 3}, "hip_power": {2, 3}, "ankle_dorsiflexion": {1, 2, 3}}.items():
            own = rows[rows.variable == variable]
            cycles = own[own.kind == "cycle"]
            assert set(cycles.cycle) == numbers
            assert set(own[own.kind == "cycle, set aside"].cycle) == {1, 2, 3} - numbers
            what = "value" if table == "study_curves" else "mean"
            mean = own[own.kind == "mean"].set_index(value)[what]
            of_cycles = cycles.groupby(value, observed=True)[what].mean()
            np.testing.assert_allclose(of_cycles, mean[of_cycles.index], rtol=1e-12)
        told = dictionary_table()["study_dictionary"]
        assert set(rows.kind) <= set(told[told.table == table].name.astype(str))
    steps = found["study_curves"].query("kind == 'stance, set aside'")
    assert set(steps.variable) == {name for name in CYCLE_VARIABLES if CYCLE_VARIABLES[name].is_kinetic}


def test_uncertainty_is_in_the_tables_by_curve_and_by_source():
    """Standard deviations of 3 and 4 degrees over the cycle: 5 in the curve, 3 and 4 among the scalars, and the ends of
    the band."""
    by_source = np.array([3.0, 4.0])[:, None, None, None] * np.ones((1, 2, 1, 101))
    by_source[:, 1] = np.nan
    of_walk = ("w", "S1", ("hip centre", "soft tissue"), ("left", "right"), ("knee_flexion",))
    below, above = 1.9 * by_source.sum(axis=0), 2.0 * by_source.sum(axis=0)
    bands = CurveUncertainty(*of_walk, np.linspace(0.0, 100.0, 101), ("deg",), by_source, below, above, ())
    tables = walk_tables(replace(tidy(), uncertainty=bands))
    curves, scalars = (tables[name].astype({"kind": str, "side": str}) for name in ("study_curves", "study_scalars"))
    for kind, value in {"uncertainty": 5.0, "uncertainty band below": 13.3, "uncertainty band above": 14.0}.items():
        rows = curves[curves.kind == kind]
        assert set(rows.side) == {"left"}, "what is missing has no row"
        np.testing.assert_allclose(rows.value, value)
    rows = scalars[scalars.kind.str.startswith("uncertainty due to")].set_index("kind").value
    assert rows.to_dict() == {"uncertainty due to hip centre": 3.0, "uncertainty due to soft tissue": 4.0}


def test_fatigue_is_in_the_tables_by_case_and_side():
    """Capacities that end at 0.8 and 0.7 on the left with and without a load; the right side is not known."""
    minutes = np.linspace(0.0, 60.0, 61)
    capacity = np.full((2, 2, 1, 61), np.nan)
    capacity[:, 0, 0] = np.linspace(1.0, [0.8, 0.7], 61).T
    peak, held = np.array([[0.5], [np.nan]]) * [[[1.0]], [[1.5]]], np.array([[60.0], [np.nan]]) * [[[1.0]], [[0.8]]]
    cases = FATIGUE_CASES[:2], ("as walked", "carrying 20 kg"), ("left", "right"), ("soleus",)
    loads = replace(made_loads(), fatigue=MuscleFatigue(*cases, minutes, capacity, peak, held))
    tables = walk_tables(replace(tidy(), muscles=loads))
    scalars = tables["study_scalars"].astype({"kind": str, "side": str, "parameter": str})
    rows = scalars[scalars.kind.str.startswith("fatigue")]
    assert set(rows.side) == {"left"}, "what is missing has no row"
    assert rows.set_index(["kind", "parameter"]).value.to_dict() == pytest.approx(
        {
            ("fatigue as walked", "soleus_capacity"): 0.8,
            ("fatigue as walked", "soleus_peak_load"): 0.5,
            ("fatigue as walked", "soleus_held"): 60.0,
            ("fatigue with load", "soleus_capacity"): 0.7,
            ("fatigue with load", "soleus_peak_load"): 0.75,
            ("fatigue with load", "soleus_held"): 48.0,
        }
    )
    own = Cycle("left", loads.time[0], 0.6, loads.time[-1], 0.1, 0.5, "", 0)
    curves = replace(cycle("left", np.random.default_rng(1), False), cycle=own)
    of_one = tidy(curves).cycles
    of_motion = replace(loads, loads_estimated={"left": np.ones(len(loads.time), dtype=bool)})
    mixed = [*fatigue_scalars(of_one, of_motion), *fatigue_times(of_one, of_motion)]
    assert {row["kind"] for row in mixed if row.get("side") != "right"} == {
        f"fatigue {case}, estimated steps included" for case in FATIGUE_CASES[:2]
    }
    rows = pd.concat([rows, pd.DataFrame([row for row in mixed if "parameter" in row])])
    told = dictionary_table()["study_dictionary"]
    assert set(rows.kind) | set(rows.parameter) <= set(told[told.table == "study_scalars"].name.astype(str))


def test_changes_between_groups_of_walks_are_in_tables_of_their_own(tmp_path):
    rng = np.random.default_rng(3)
    walks = [tidy(*(cycle(side, rng, True) for side in ("left", "right")), name=f"w{k}").cycles for k in range(5)]
    pre, post = (Group(name, "shoes", tuple(some), 0.9, None) for name, some in (("a", walks[:2]), ("b", walks[2:])))
    visits = compare_groups("visits", pre, post, mapped=False)
    sides = compare_sides("sides", replace(pre, side="left"), replace(pre, side="right"), mapped=False)
    paths = [tmp_path / f"study_{name}" for name in ("comparisons.csv", "comparison_curves.parquet")]
    write_tables(paths, [group_tables(visits), group_tables(sides)])
    scalars, curves = open_study(tmp_path)["comparisons"], open_study(tmp_path)["comparison_curves"]
    (speed,) = (c for c in visits.scalars if (c.name, c.side) == ("speed", "right"))
    (row,) = scalars.query(
        "comparison == 'visits' and parameter == 'speed' and second_side == 'right' and first_side == 'right'"
    ).itertuples()
    for name in ("first", "second", "change", "half_width", "first_sd", "second_sd"):
        assert getattr(row, name) == pytest.approx(getattr(speed, name), rel=DIGITS)
    assert (row.first_session, row.second_session, row.second_condition) == ("a", "b", "shoes")
    assert len(scalars) == len(visits.scalars) + len(sides.scalars)
    both_sides = scalars[scalars.comparison == "sides"]
    assert set(zip(both_sides.first_side, both_sides.second_side, strict=True)) == {("left", "right")}
    one = curves.query("comparison == 'sides' and variable == 'knee_flexion'")
    assert set(zip(one.first_side, one.second_side, strict=True)) == {("left", "right")}
    k = sides.variable_names.index("knee_flexion")
    np.testing.assert_allclose(one.change, sides.difference[0, k], rtol=DIGITS)
    np.testing.assert_allclose(one.half_width, sides.half_width[0, k], rtol=DIGITS)
    assert one.t.isna().all(), "not mapped"
    told = dictionary_table()["study_dictionary"]
    known = set(told[(told.table == "study_comparisons") & (told.column == "kind")].name)
    assert set(scalars.kind) <= known
