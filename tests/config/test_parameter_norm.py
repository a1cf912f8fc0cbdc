"""Norms of spatiotemporal parameters: in the format of Bovi et al. (2011), in a table of one group, and wrong ones."""

from __future__ import annotations

import pytest

from pipeline.analysis import PARAMETERS
from pipeline.config import load_study, read_parameter_norm
from pipeline.config.parameter_norm import NAMES, OWN
from pipeline.errors import ConfigError
from tests.conftest import ROOT
from tests.small_study import write_files, write_study

TWO = """parameter,task,young_n,young_mean,young_sd,adult_n,adult_mean,adult_sd
Cadence [steps / min],Natural,9,120.5,13.0,8,110.25,9.0
Cadence [steps / min],Toe,9,1,1,8,1,1
Stance time [%GC],Natural,9,60.5,2.5,8,62.5,2.0
Gait speed / BH [%BH / s],Natural,9,87.0,15.0,8,71.0,10.0
"""


def test_all_names_are_parameters():
    assert set(OWN) == set(PARAMETERS)
    assert set(NAMES.values()) <= set(OWN)


@pytest.mark.parametrize(
    ("age", "cadence", "group"),
    [(17.9, (120.5, 13.0), "young"), (18.0, (110.25, 9.0), "adult"), (None, (110.25, 9.0), "adult")],
)
def test_the_group_is_that_of_the_age_and_other_tasks_are_left_out(tmp_path, age, cadence, group):
    path = tmp_path / "bovi.csv"
    path.write_text(TWO)
    norm = read_parameter_norm(path, "Natural", age)
    assert norm.values["cadence"] == cadence
    assert set(norm.values) == {"cadence", "stance"}, "speed over height is another quantity than speed"
    assert norm.about == f"bovi, {group}, Natural"


def test_a_table_of_one_group_has_our_names(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("parameter,mean,sd\nspeed,1.2,0.1\nstep_width,0.1,0.02\n")
    norm = read_parameter_norm(path, "Natural", 9.0)
    assert norm.values == {"speed": (1.2, 0.1), "step_width": (0.1, 0.02)}
    assert norm.about == "own"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parameter,average\nspeed,1\n", "has no column adult_mean, adult_sd"),
        ('parameter,mean,sd\nspeed,"1,2",0.1\n', "line 2, mean: '1,2' is not a number"),
        ("parameter,mean,sd\nspeed,1.2,0\n", "line 2, sd: '0' is not a positive number"),
        ("parameter,mean,sd\nspeed,1.2\n", "'None' is not a positive number"),
        ("parameter,mean,sd\npace,1.2,0.1\n", "no known parameter"),
        (TWO.replace("Natural", "Walk"), "its tasks are Walk, Toe"),
    ],
)
def test_a_wrong_table_is_refused_with_the_place(tmp_path, text, said):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_parameter_norm(path, "Natural", None)


def test_a_study_without_the_named_table_is_refused(tmp_path):
    write_study(tmp_path, config="report:\n  parameter_norm: bovi\n")
    with pytest.raises(ConfigError, match=r"no table 'bovi.csv' in config/norms"):
        load_study(tmp_path, ROOT)
    write_files(tmp_path, {"config/norms/bovi.csv": TWO})
    assert load_study(tmp_path, ROOT).parameter_norm == tmp_path / "config/norms/bovi.csv"
