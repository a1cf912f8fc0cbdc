"""The page of the architecture is true: its picture has the rules of the workflow, its table the packages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from pipeline.workflow.session_folders import PAGES
from tests.small_study import write_files
from tests.test_layers import LAYERS

ROOT = Path(__file__).resolve().parents[1]

ON_REQUEST = {"all", "examples", "single"}
"""Rules outside the flow: the target of all, and what is made when asked for."""


def test_the_picture_of_the_flow_has_the_rules_of_the_workflow() -> None:
    files = [*(ROOT / "pipeline/rules").glob("*.smk"), ROOT / "Snakefile"]
    text = "\n".join(path.read_text() for path in files)
    rules = {*PAGES, *re.findall(r"^rule (\w+):", text, re.M), *re.findall(r'^    "(\w+)": \(\d+, \d+\),', text, re.M)}
    drawn = set(re.findall(r'id="rule-(\w+)"', (ROOT / "docs/flow.svg").read_text()))
    assert drawn == rules - ON_REQUEST


def test_the_table_has_the_packages_in_the_order_of_the_layers() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in text.splitlines() if line.startswith("| `")]
    assert rows == [[package for package in layer if package != "__main__"] for layer in LAYERS]


MOST_PARAMETERS = 12
"""Of a function outside the compiled kernels, whose arguments are arrays alone."""


def parameters(root: Path) -> dict[str, int]:
    """Largest number of parameters of the functions outside kernels, by their names."""
    found: dict[str, int] = {}
    for path in (root / "pipeline").rglob("*.py"):
        if path.stem.endswith("kernels"):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef):
                count = len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
                found[node.name] = max(count, found.get(node.name, 0))
    return found


def test_no_function_has_more_than_twelve_parameters() -> None:
    assert {name: count for name, count in parameters(ROOT).items() if count > MOST_PARAMETERS} == {}


def test_a_thirteenth_parameter_is_noticed(tmp_path: Path) -> None:
    write_files(tmp_path, {"pipeline/x.py": f"def f({', '.join('abcdefghijkl')}, *, m): ..."})
    assert parameters(tmp_path) == {"f": 13}


def test_the_order_of_the_tests_names_folders_that_there_are():
    from tests.conftest import STUDIES, WITH_KERNELS

    folders = {path.name for path in Path(__file__).parent.iterdir() if path.is_dir()}
    assert {STUDIES, *WITH_KERNELS} <= folders
