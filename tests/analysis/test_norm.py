"""The norm that ships states the published table in its own form; a norm's file is checked; speeds interpolate."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, PARAMETERS, PROFILE, summarise
from pipeline.analysis.norm import dimensionless_speed
from pipeline.analysis.norm_fit import Row, as_text, fit_norm, main
from pipeline.errors import ConfigError
from pipeline.results import load_norm
from pipeline.trial import Cycle, CycleCurves, GaitCycles

from .conftest import ADULT_HEADER, ADULT_NORM, HEADER, NORM, adult_rows, table_rows

PERCENT = np.linspace(0.0, 100.0, 101)

TABLES = pytest.mark.parametrize(
    ("table", "read", "header", "file"),
    [("schwartz2008.csv", table_rows, HEADER, NORM), ("bovi2011.csv", adult_rows, ADULT_HEADER, ADULT_NORM)],
    ids=["children", "adults"],
)


def by_curve(rows, header) -> dict:
    """Percents, means and standard deviations (N,) of each curve of a published table, by its name and speed."""
    table: dict = {}
    for name, percent, speed, low, mean, high in rows:
        table.setdefault((name, header["speeds"][speed]), []).append((percent, mean, abs(high - low) / 2))
    return {curve: np.array(sorted(own)).T for curve, own in table.items()}


def test_the_norm_agrees_with_the_published_table_at_every_speed(norm, shared, record_property):
    """Mean and deviation within a fifth of the standard deviation averaged over the cycle, everywhere; most are far
    within, for the knots leave the fastest changes of loads at initial contact and foot off and of the ankle's
    angle."""
    table = by_curve(table_rows(shared / "norms/schwartz2008.csv"), HEADER)
    assert len(table) == 21 * 5
    lines = []
    for (name, speed), (percent, mean, sd) in table.items():
        assert len(percent) == 51
        band = norm.band(name, speed, percent)
        errors = np.abs(band.mean - mean).max() / sd.mean(), np.abs(band.sd - sd).max() / sd.mean()
        assert max(errors) < 0.2, (name, speed)
        lines.append(f"{name:28} {speed:.3f}  mean {errors[0]:.3f}  sd {errors[1]:.3f}")
    record_property("table", "Largest difference over the mean standard deviation\n" + "\n".join(lines))


@TABLES
def test_the_file_that_ships_is_the_fit_of_the_table(shared, table, read, header, file):
    made = as_text(fit_norm(read(shared / "norms" / table), header))
    theirs, ours = json.loads(made), json.loads(file.read_text(encoding="utf-8"))
    assert theirs.keys() == ours.keys()
    for kind in ("variables", "muscles"):
        for name, item in ours.get(kind, {}).items():
            # A unit of the last decimal: another machine's linear algebra may round a coefficient to the other side.
            for part in ("mean", "sd"):
                np.testing.assert_allclose(theirs[kind][name][part], item[part], atol=1.001e-3)


def test_the_norm_of_adults_agrees_with_its_table_and_has_our_signs(shared):
    """Means within a quarter of the standard deviation averaged over the cycle. Those of the fore-aft force, whose
    table has steep steps after contact, within 0.45 (0.7 % of body weight), and those of EMG, which jump from one 2 %
    of the cycle to the next, within 0.6."""
    norm = load_norm(ADULT_NORM)
    table = by_curve(adult_rows(shared / "norms/bovi2011.csv"), ADULT_HEADER)
    assert len(table) == (20 + 8) * 4
    for (name, speed), (percent, mean, sd) in table.items():
        error = np.abs(norm.band(name, speed, percent).mean - mean).max() / sd.mean()
        limit = 0.6 if name in norm.muscles else 0.45 if name == "ground_fore_aft" else 0.25
        assert error < limit, (name, speed, error)
    children = load_norm(NORM)
    for name in PROFILE:
        if name in ("hip_rotation", "pelvic_tilt"):
            continue  # small, and of other shapes in adults
        own, theirs = (n.band(name, n.free, PERCENT).mean for n in (norm, children))
        assert np.corrcoef(own, theirs)[0, 1] > 0.8, name


@TABLES
def test_between_the_percents_of_the_table_the_norm_does_not_swing(shared, table, read, header, file):
    """Tables are in steps of 2 %: half-way the band is between its neighbours, give or take two standard deviations
    averaged over the cycle (a vertical force that rises by as much within 4 % is rounded at its feet)."""
    norm = load_norm(file)
    for (name, speed), (percent, mean, sd) in by_curve(read(shared / "norms" / table), header).items():
        band = norm.band(name, speed, PERCENT)
        assert np.abs(band.mean - np.interp(PERCENT, percent, mean)).max() < 2 * sd.mean(), (name, speed)
        assert np.abs(band.sd - np.interp(PERCENT, percent, sd)).max() < 2 * sd.mean(), (name, speed)


def test_the_speeds_of_adults_are_dimensionless():
    """0.873 heights a second at 1.71 m, legs of 0.53 of it: 1.493 m/s over sqrt(9.81 * 0.906) = 0.501."""
    assert dimensionless_speed(0.873 * 1.71, 0.53 * 1.71) == pytest.approx(ADULT_HEADER["speeds"]["Medium"], abs=5e-4)
    assert ADULT_NORM.is_file()


def test_a_curve_of_another_zero_counts_by_its_shape_and_says_so(norm):
    """Knees 9 and 7 degrees more flexed than the norm: only the sides' difference is left, +1 and -1."""
    mean = norm.band("knee_flexion", norm.free, PERCENT).mean
    cycles = knees({"left": mean + 9.0, "right": mean + 7.0})
    plain = summarise(cycles, math.nan, norm, age=10.0)
    knees_of = [own["knee_flexion"] for own in plain.profile.values()]
    np.testing.assert_allclose(knees_of, [9.0, 7.0], atol=1e-6)
    assert not plain.norm_moves
    moved = summarise(cycles, math.nan, replace(norm, other_zeros=("knee_flexion",)), age=10.0)
    knees_of = [own["knee_flexion"] for own in moved.profile.values()]
    np.testing.assert_allclose(knees_of, [1.0, 1.0], atol=1e-6)
    (text,) = moved.norm_moves
    assert text.startswith("moved in knee flexion by +8.0°")


@pytest.mark.parametrize(("age", "words"), [(10.0, ""), (None, "age is not given"), (35.0, "35 years old")])
def test_the_page_is_told_where_the_norm_is_of_other_ages(norm, age, words):
    notes = [n.text for n in summarise(knees({}), math.nan, norm, age=age).notes if n.text.startswith("of ")]
    assert (words in notes[0]) if words else not notes


def knees(curves: dict) -> GaitCycles:
    """A cycle of each side with the knee's flexion in degrees."""
    parameters = dict.fromkeys(PARAMETERS, math.nan)
    nothing = np.full((101, 3), np.nan)
    cycles = tuple(
        CycleCurves(
            *(Cycle(side, 0.0, 0.6, 1.0, 0.1, 0.5, "file", 0), PERCENT),
            angles={"knee": np.column_stack([np.radians(values), nothing[:, :2]])},
            moments={},
            powers={},
            ground=nothing,
            parameters=parameters,
        )
        for side, values in curves.items()
    )
    return GaitCycles("w", "S", "distal", cycles, ())


def test_the_norm_has_every_angle_of_the_profile_and_reaches_over_the_cycle(norm):
    assert set(PROFILE) < set(norm.variables) < set(CYCLE_VARIABLES)
    for name in norm.variables:
        band = norm.band(name, norm.free, PERCENT)
        assert np.isfinite(band.mean).all()
        assert np.isfinite(band.sd).all()
        assert (band.sd >= 0).all()
        assert band.sd.max() > 0
    assert norm.band("ankle_rotator_moment", 0.4, PERCENT) is None


def test_the_norms_signs_are_ours(norm):
    """Walking, in words: the knee flexes most in swing, the plantarflexors push and work before foot off, the
    ground pushes back first and forward after, hip abductors support the pelvis in stance, the foot points out."""
    at = {name: norm.band(name, norm.free, PERCENT).mean for name in norm.variables}
    assert 60 < np.argmax(at["knee_flexion"]) < 80
    assert 40 < np.argmax(at["ankle_plantarflexor_moment"]) < 55
    assert 48 < np.argmax(at["ankle_power"]) < 60
    assert np.argmin(at["ground_fore_aft"]) < 25 < 40 < np.argmax(at["ground_fore_aft"])
    assert at["hip_abductor_moment"][10:50].min() > 0
    assert at["knee_abductor_moment"][10:45].min() > 0.1, "the second of two columns of one name in the table"
    assert at["foot_progression"][20:40].mean() < -3
    assert 80 < at["ground_vertical"].max() < 120, "percent of body weight"


def test_between_two_speeds_the_band_is_linear_and_beyond_them_constant(norm):
    slow, free = (norm.band("knee_flexion", speed, PERCENT) for speed in (0.290, 0.429))
    middle = norm.band("knee_flexion", 0.290 + 0.25 * 0.139, PERCENT)
    np.testing.assert_allclose(middle.mean, 0.75 * slow.mean + 0.25 * free.mean, atol=1e-9)
    np.testing.assert_allclose(middle.sd, 0.75 * slow.sd + 0.25 * free.sd, atol=1e-9)
    np.testing.assert_array_equal(
        norm.band("knee_flexion", 0.9, PERCENT).mean, norm.band("knee_flexion", 0.694, PERCENT).mean
    )
    assert norm.covers(0.4)
    assert not norm.covers(0.1)


def test_dimensionless_speed_of_a_hand_worked_walk():
    """1.2 m/s with a leg of 0.9 m: 1.2 / sqrt(9.81 * 0.9) = 1.2 / 2.9714 = 0.4039."""
    assert dimensionless_speed(1.2, 0.9) == pytest.approx(0.4039, abs=5e-5)
    assert np.isnan(dimensionless_speed(1.2, np.nan))
    assert np.isnan(dimensionless_speed(np.nan, 0.9))
    assert np.isnan(dimensionless_speed(1.2, 0.0))
    assert np.isnan(dimensionless_speed(1.2, -0.9))


def test_a_smooth_table_is_fitted_and_a_band_with_swapped_limits_is_read():
    percent = np.arange(0, 101, 2)
    wave = 20 * np.sin(2 * np.pi * percent / 100)
    rows = [("knee_flexion", p, "only", m + 3, m, m - 3) for p, m in zip(percent, wave, strict=True)]
    header = {"name": "n", "source": "s", "sample": "p", "free": 0.4, "speeds": {"only": 0.4}}
    made = fit_norm(rows, header)["variables"]["knee_flexion"]
    assert made["fit_error"] < 0.01
    np.testing.assert_allclose(made["sd"], 3.0, atol=1e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda n: n["variables"].update(kne_flexion=n["variables"].pop("knee_flexion")), "kne_flexion"),
        (lambda n: n["variables"]["knee_flexion"].update(units="rad"), "rad, expected deg"),
        (lambda n: n["variables"]["knee_flexion"]["mean"].pop(), "coefficients of 'knee_flexion'"),
        (lambda n: n.pop("speeds"), "speeds"),
        (lambda n: n["speeds"].reverse(), "ascend"),
    ],
)
def test_a_file_that_is_no_norm_is_refused_by_name(tmp_path, change, message):
    content = json.loads(NORM.read_text(encoding="utf-8"))
    change(content)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ConfigError, match=message) as error:
        load_norm(path)
    assert "mine.json" in str(error.value)
    path.write_text("{")
    with pytest.raises(ConfigError, match="is not a norm"):
        load_norm(path)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_a_norm_that_is_nested_deeper_than_can_be_read_is_refused(tmp_path, text):
    path = tmp_path / "deep.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"deep\.json: is not a norm"):
        load_norm(path)


ODD = (None, "a", [], {}, 0, -1, float("inf"), float("nan"), [[]], [["x"]], 10**400, {"mean": 3}, [1, [2]])


@pytest.mark.parametrize("key", ["knots", "speeds", "free", "variables", "muscles", "ages", "other_zeros", "name"])
def test_whatever_a_norm_holds_it_is_refused_or_gives_bands(tmp_path, key):
    """Each part of the file, and each part of that, is replaced by values of every kind."""
    path, refused = tmp_path / "odd.json", 0
    for value in ODD:
        for inner in (False, True):
            content = json.loads(NORM.read_text(encoding="utf-8"))
            own = content.get(key)
            if inner and isinstance(own, dict | list) and own:
                own[next(iter(own)) if isinstance(own, dict) else 0] = value
            else:
                content[key] = value
            path.write_text(json.dumps(content))
            try:
                read = load_norm(path)
            except ConfigError:
                refused += 1
                continue
            for name in (*read.variables, *read.muscles):
                band = read.band(name, 0.4, np.arange(101.0))
                assert np.isfinite(band.mean).all()
    assert refused or key == "name"


def curve(name: str, speed: str) -> list[Row]:
    return [(name, float(percent), speed, -1.0, 0.0, 1.0) for percent in range(0, 101, 2)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (curve("knee_flexon", "Free"), "has a variable 'knee_flexon', which is none of"),
        (curve("hip_flexion", "Slow"), "has 'hip_flexion' at the speeds Slow; those of the header are Free"),
    ],
)
def test_a_table_with_an_unknown_curve_or_speed_is_refused(rows, message):
    header = {"name": "n", "source": "s", "sample": "x", "free": 0.4, "speeds": {"Free": 0.4}}
    with pytest.raises(ConfigError, match=message):
        fit_norm([*curve("knee_flexion", "Free"), *rows], header)


def test_a_table_with_a_byte_order_mark_is_read(tmp_path):
    """Spreadsheets write one before the first column's name."""
    lines = [",".join(map(str, row)) for row in curve("knee_flexion", "Free")]
    text = "\n".join(["variable,percent,speed,low,mean,high", *lines])
    (tmp_path / "table.csv").write_text(text, encoding="utf-8-sig")
    header = {"name": "n", "source": "s", "sample": "x", "free": 0.4, "speeds": {"Free": 0.4}}
    (tmp_path / "header.json").write_text(json.dumps(header), encoding="utf-8-sig")
    main([str(tmp_path / name) for name in ("table.csv", "header.json", "norm.json")])
    assert list(load_norm(tmp_path / "norm.json").variables) == ["knee_flexion"]
