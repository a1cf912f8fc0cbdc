"""Examples in docstrings run and give what they say, from the repository's folder."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pipeline

ROOT = Path(__file__).parents[2]

NEED_A_WALK = {
    "pipeline.newton_euler.legs.inverse_dynamics",
    "pipeline.newton_euler.solution.solve",
    "pipeline.newton_euler.system.assemble",
    "pipeline.results.exports.export_trial",
}
"""Functions on values that only whole stages make; `pipeline.analyse` runs them."""

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "pipeline").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.fixture(scope="module")
def analysed() -> Callable[..., Any]:
    """`pipeline.analyse`, which analyses the walk that several examples begin with once."""
    walks: dict[str, Any] = {}

    def analyse(*arguments: Any, **settings: Any) -> Any:
        asked = repr((arguments, settings))
        if asked not in walks:
            walks[asked] = original(*arguments, **settings)
        return walks[asked]

    original = pipeline.analyse
    return analyse


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str, analysed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(pipeline, "analyse", analysed, raising=False)
    failed, run = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert run > 0
    assert failed == 0


def test_every_function_on_the_page_of_the_python_interface_has_an_example() -> None:
    named = re.findall(r"^::: ([\w.]+)$", (ROOT / "docs/api.md").read_text(encoding="utf-8"), flags=re.M)
    lacking = set()
    for name in named:
        module, _, own = name.rpartition(".")
        function = getattr(importlib.import_module(module), own)
        if inspect.isfunction(function) and ">>> " not in (inspect.getdoc(function) or ""):
            lacking.add(name)
    assert lacking == NEED_A_WALK
