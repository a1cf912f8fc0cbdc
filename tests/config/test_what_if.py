"""What-if cases in a study: found by name, each a sweep of its own, mistakes named with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import HOME, SessionKey, WhatIf, load_study, load_yaml
from pipeline.errors import ConfigError
from tests.small_study import write_files, write_study

PREDICTIONS = "prediction\ttrial\tform\twhat_if\nplain\tw\t\t\nweak\tw\t\tweak_calves\nown\tw\tstride\tmine\n"
CASE = "range: {left_knee_flexion: {upper: 30}}\nmax_vertical_force: {left: 0.9}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path, {"config/what_if/mine.yaml": CASE})
    return write_study(tmp_path, subjects="subject\tsex\nAnn\tf\n", predictions=PREDICTIONS)


def test_cases_of_the_study_and_of_the_pipeline_are_found_by_name(folder: Path) -> None:
    study = load_study(folder, HOME)
    assert study.cases["mine"].range["left_knee_flexion"].upper == 30.0
    assert study.cases["weak_calves"].strength == {"both_ankle_flexion": 0.4}
    # A case is solved by itself, so that no other row changes its result.
    assert [len(rows) for rows in study.sweeps_of(SessionKey("Ann", "1")).values()] == [1, 1, 1]


def test_every_case_that_ships_can_be_read() -> None:
    paths = sorted((HOME / "config/what_if").glob("*.yaml"))
    assert len(paths) == 8
    assert all(load_yaml(path, path.name, WhatIf).description for path in paths)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strenght: {left_knee_flexion: 0.5}\n", "did you mean 'strength'"),
        ("strength: {left_knee_flexion: 0}\n", "what_if/mine.yaml, line 1"),
        ("range: {left_knee_flexion: {}}\n", r"neither lower nor upper is given"),
        ("range: {left_knee_flexion: {lower: 30, upper: 20}}\n", r"lower \(30 deg\) is above upper \(20 deg\)"),
        ("slope: 40\n", "slope"),
        ("max_vertical_force: {both: 0.9}\n", "max_vertical_force"),
        ("free: [step]\n", "free"),
        (
            "springs: {both_ankle_flexion: {stiffness: 3}, left_ankle_flexion: {stiffness: 1}}\n",
            "springs has both 'left_ankle_flexion' and 'both_ankle_flexion'",
        ),
    ],
)
def test_a_mistake_in_a_case_is_named(folder: Path, text: str, message: str) -> None:
    (folder / "config/what_if/mine.yaml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_study(folder, HOME)


def test_a_free_speed_of_a_run_is_refused(folder: Path) -> None:
    (folder / "config/what_if/mine.yaml").write_text("free: [speed]\n")
    table = folder / "config/predictions.tsv"
    table.write_text("prediction\ttrial\tpreset\twhat_if\nown\tw\thuman\tmine\n")
    assert load_study(folder, HOME).cases["mine"].free == ("speed",)
    table.write_text("prediction\ttrial\tpreset\twhat_if\nown\tw\trunning\tmine\n")
    with pytest.raises(ConfigError, match=r"line 2: case 'mine': the speed of a run cannot be free.*give the speed"):
        load_study(folder, HOME)


def test_values_of_one_side_without_effect_may_be_mirrored() -> None:
    """A factor of 1, no mass and a spring without stiffness change nothing."""
    case = {"strength": {"left_hip_flexion": 1.0}, "added_mass": {"left_foot": 0.0}}
    case |= {"springs": {"left_knee_flexion": {"stiffness": 0.0}}}
    assert WhatIf.model_validate(case).one_sided == ""
    for changed in ({"strength": {"left_hip_flexion": 0.9}}, {"springs": {"left_knee_flexion": {"stiffness": 0.1}}}):
        assert WhatIf.model_validate(case | changed).one_sided


def test_a_case_or_weights_without_a_file_are_named_with_the_nearest(folder: Path) -> None:
    table = folder / "config/predictions.tsv"
    table.write_text("prediction\ttrial\twhat_if\tweights\nweak\tw\tweak_calfs\tother\n")
    with pytest.raises(ConfigError, match="did you mean 'weak_calves'") as caught:
        load_study(folder, HOME)
    assert "no file config/weights/other.yaml" in str(caught.value)
