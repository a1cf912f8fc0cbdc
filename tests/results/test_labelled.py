"""Walks beside walks and norms, in Python."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import xarray

import pipeline
from pipeline.errors import ConfigError, ResultsError

ROOT = Path(__file__).parents[2]
PERCENT = np.arange(101.0)


def a_walk(offset: float = 0.0, factor: float = 1.0) -> xarray.DataTree:
    """A walk whose knees flex by a sine of amplitude 30 about 20 degrees, the left one later by 10 % of the cycle."""
    waves = [np.sin(2.0 * np.pi * (PERCENT - late) / 100.0) for late in (10.0, 0.0)]
    mean = np.array([[offset + 20.0 + factor * 30.0 * wave] for wave in waves])
    labels = {"side": ["left", "right"], "variable": ["knee_flexion"], "percent": PERCENT}
    return xarray.DataTree.from_dict({"/summary": xarray.Dataset({"mean": (tuple(labels), mean)}, labels)})


def test_agreement_of_two_walks_is_that_of_their_sines():
    found = pipeline.compare(a_walk(offset=3.0, factor=1.1), a_walk()).set_index("side")
    # By hand over 101 points of a period: the mean of sin² is 50/101, the mean of sin is that of one more end point.
    assert found["r"].to_numpy() == pytest.approx([1.0, 1.0])
    assert found["offset"]["right"] == pytest.approx(3.0)
    assert found["rmse_shape"]["right"] == pytest.approx(3.0 * np.sqrt(50.0 / 101.0))
    assert found["rmse"]["right"] == pytest.approx(np.sqrt(9.0 + 9.0 * 50.0 / 101.0))
    assert found["nrmse"]["right"] == pytest.approx(found["rmse"]["right"] / 60.0)
    assert found["peak"].to_numpy() == pytest.approx([6.0, 6.0])
    assert set(found["unit"]) == {"deg"}


def test_a_side_is_compared_with_its_own():
    walk = a_walk()
    swapped = xarray.DataTree.from_dict(
        {"/summary": walk["summary"].to_dataset().assign_coords(side=["right", "left"])}
    )
    assert pipeline.compare(swapped, walk).set_index("side")["timing"].to_dict() == {"right": 10.0, "left": -10.0}


def test_walks_without_a_common_value_have_an_empty_table_of_the_same_columns():
    found = pipeline.compare(a_walk(np.nan), a_walk())
    assert len(found) == 0
    assert list(found) == list(pipeline.compare(a_walk(), a_walk()))


def test_a_norm_is_linear_between_its_speeds_and_held_beyond_them():
    stored = json.loads((ROOT / "config/norms/schwartz2008.json").read_text(encoding="utf-8"))
    slow, fast = stored["speeds"][:2]
    knee = [
        pipeline.norm("schwartz2008", speed).sel(variable="knee_flexion")["mean"]
        for speed in (slow, 0.5 * (slow + fast), fast, 0.5 * slow)
    ]
    np.testing.assert_allclose(knee[1], 0.5 * (knee[0] + knee[2]), atol=1e-12)
    np.testing.assert_array_equal(knee[3], knee[0])
    assert np.abs(knee[2] - knee[0]).max() > 0.5


def test_every_norm_that_ships_is_listed_and_found_by_its_name():
    listed = pipeline.norms()
    assert {"schwartz2008", "bovi2011_adults"} <= set(listed.index)
    for name, row in listed.iterrows():
        found = pipeline.norm(str(name), speed=row.lowest_speed)
        assert found.attrs["name"] == row.title
        assert found.sizes["variable"] == row.curves


def test_a_walk_is_compared_with_a_norm():
    found = pipeline.compare(a_walk(), pipeline.norm("schwartz2008"))
    assert list(found["variable"]) == ["knee_flexion"] * 2


def test_an_unknown_norm_is_refused_with_those_that_ship():
    with pytest.raises(ConfigError, match="no norm 'nobody'; give one of bovi2011_adults, schwartz2008"):
        pipeline.norm("nobody")


@pytest.mark.parametrize("nothing", [xarray.DataTree(), xarray.Dataset(), {"summary": xarray.Dataset()}])
def test_what_has_no_mean_curves_is_refused(nothing):
    with pytest.raises(ResultsError, match="the reference: has no mean curves"):
        pipeline.compare(a_walk(), nothing)
