"""Files of tasks: those that ship, units, and mistakes with their line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from pipeline.config import HOME, ArmTask, LiftTaskFile, WalkTaskFile, load_task
from pipeline.errors import ConfigError

ROOT = Path(__file__).parents[2]

ARM = """task: arm
links:
  - {name: upper, kind: R, a: 0.3, mass: 2, com: [-0.15, 0, 0], max_effort: 40, move: [0, 90]}
  - {name: slide, kind: P, alpha: 90 , mass: 1, max_effort: 30, range: [0, 0.5], move: [0.1, 0.4]}
weights: {time: 1, effort: 0.01}
"""
LIFT = """task: lift
body: {mass: 80, height: 1.8, sex: m}
load: 12
start: [0.4, 0.3]
end: [0.4, 1.0]
"""


@pytest.fixture
def read(tmp_path: Path):
    def read(text: str):
        (tmp_path / "mine.yaml").write_text(text)
        return load_task(tmp_path / "mine.yaml")

    return read


def test_every_task_that_ships_can_be_read() -> None:
    tasks = {path.stem: load_task(path) for path in sorted((HOME / "config/tasks").glob("*.yaml"))}
    assert {"two_revolute", "prismatic_revolute", "lift", "walk"} <= set(tasks)
    assert {type(task) for task in tasks.values()} == {ArmTask, LiftTaskFile, WalkTaskFile}


def test_the_examples_of_the_page_on_tasks_are_tasks(read) -> None:
    text = (ROOT / "docs/howto/task.md").read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert [type(read(example)) for example in examples] == [ArmTask, LiftTaskFile, WalkTaskFile]


def test_angles_are_degrees_or_radians_by_name(read) -> None:
    task = read(ARM.replace("move: [0, 90]", "move: [0.5 rad, -1e-1 rad]").replace("alpha: 90", "alpha: 1.5 rad"))
    assert task.links[0].move == pytest.approx(np.degrees([0.5, -0.1]))
    assert task.links[1].alpha == pytest.approx(np.degrees(1.5))


def test_a_key_without_a_value_has_its_default(read) -> None:
    task = read(f"{LIFT}\nrepeat:\nfriction:\n")
    assert task.repeat is None
    assert task.friction == 0.6


def test_numbers_with_an_exponent_need_no_point(read) -> None:
    task = read(ARM.replace("effort: 0.01", "effort: 1e-2").replace("max_effort: 40", "max_effort: +4E1"))
    assert task.weights.effort == 0.01
    assert task.links[0].max_effort == 40.0


@pytest.mark.parametrize(
    ("text", "old", "new", "told"),
    [
        (ARM, "task: arm", "task: leg", "has task 'leg'. Give one of arm, lift, walk"),
        (ARM, "task: arm\n", "", "has no key 'task'"),
        (ARM, "max_effort: 40", "max_efort: 40", "line 3.*unknown key 'max_efort'; did you mean 'max_effort'"),
        (ARM, "move: [0.1, 0.4]", "move: [0.1, 0.6]", "line 4.*move has 0.6, outside the range 0 to 0.5"),
        (ARM, "range: [0, 0.5]", "range: [0.5, 0]", "range .* is empty"),
        (ARM, "mass: 2", "mass: -2", "line 3.*'mass' should be greater"),
        (ARM, "move: [0, 90]", "move: [0, 1 turn]", "line 3"),
        (ARM, "move: [0.1, 0.4]", "move: [0.1, 0.4 rad]", "line 4.*move of a prismatic joint is in m"),
        (ARM, "name: slide", "name: upper", "not unique"),
        (ARM, "time: 1, effort: 0.01", "effort: 0.01", "effort alone has no minimum without gravity"),
        (ARM, "{time: 1, effort: 0.01}", "{time: 1}\nduration: 2", "only effort can be minimised"),
        (ARM, "{time: 1, effort: 0.01}", "{}", "time, effort or both"),
        (ARM, "com: [-0.15, 0, 0]", "inertia: [1, 1, 1, 0]", "give 3 or 6 numbers"),
        (LIFT, "load: 12", "load: heavy", "line 3"),
        (LIFT, "load: 12", "load:", "line 3.*'load' is missing"),
        (LIFT, "load: 12", "load: 12\nrepeat: {every: 1, most: 5}", "a lift every 1 s, but each lasts 1.5 s"),
        (LIFT, "mass: 80", "mass: 8", "'mass' should be greater"),
        (LIFT, LIFT, "[]", "has no key 'task'"),
    ],
)
def test_what_is_wrong_is_told(read, text: str, old: str, new: str, told: str) -> None:
    assert old in text
    with pytest.raises(ConfigError, match=r"mine\.yaml.*") as caught:
        read(text.replace(old, new))
    assert re.search(told, str(caught.value).replace("\n", " ")), str(caught.value)
