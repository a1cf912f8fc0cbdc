"""The norm that ships states the published table in its own form; a norm's file is checked; speeds interpolate."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, PROFILE, dimensionless_speed
from pipeline.analysis.norm_fit import as_text, fit_norm
from pipeline.errors import ConfigError
from pipeline.results import load_norm

from .conftest import HEADER, NORM, table_rows

PERCENT = np.linspace(0.0, 100.0, 101)


def test_the_norm_agrees_with_the_published_table_at_every_speed(norm, shared, record_property):
    """Mean and deviation within a fifth of the standard deviation averaged over the cycle, everywhere; most are far
    within, for the knots leave the fastest changes of loads at initial contact and foot off and of the ankle's
    angle."""
    table: dict = {}
    for name, percent, speed, low, mean, high in table_rows(shared / "norms/schwartz2008.csv"):
        table.setdefault((name, HEADER["speeds"][speed]), []).append((percent, mean, abs(high - low) / 2))
    assert len(table) == 21 * 5
    lines = []
    for (name, speed), rows in table.items():
        percent, mean, sd = np.array(rows).T
        assert len(percent) == 51
        band = norm.band(name, speed, percent)
        errors = np.abs(band.mean - mean).max() / sd.mean(), np.abs(band.sd - sd).max() / sd.mean()
        assert max(errors) < 0.2, (name, speed)
        lines.append(f"{name:28} {speed:.3f}  mean {errors[0]:.3f}  sd {errors[1]:.3f}")
    record_property("table", "Largest difference over the mean standard deviation\n" + "\n".join(lines))


def test_the_file_that_ships_is_the_fit_of_the_table(shared):
    made = as_text(fit_norm(table_rows(shared / "norms/schwartz2008.csv"), HEADER))
    theirs, ours = json.loads(made), json.loads(NORM.read_text(encoding="utf-8"))
    assert theirs.keys() == ours.keys()
    for name, item in ours["variables"].items():
        # A unit of the last decimal: another machine's linear algebra may round a coefficient to the other side.
        for part in ("mean", "sd"):
            np.testing.assert_allclose(theirs["variables"][name][part], item[part], atol=1.001e-3)


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
    with pytest.raises(ConfigError, match="is no norm"):
        load_norm(path)
