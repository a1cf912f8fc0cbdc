"""The page of the architecture is true: its picture has the rules of the workflow, its table the packages."""

from __future__ import annotations

import re
from pathlib import Path

from tests.test_layers import LAYERS

ROOT = Path(__file__).resolve().parents[1]

ON_REQUEST = {"all", "examples", "single"}
"""Rules outside the flow: the target of all, and what is made when asked for."""


def test_the_picture_of_the_flow_has_the_rules_of_the_workflow() -> None:
    files = [*(ROOT / "pipeline/rules").glob("*.smk"), ROOT / "Snakefile"]
    rules = {name for path in files for name in re.findall(r"^rule (\w+):", path.read_text(), re.MULTILINE)}
    drawn = set(re.findall(r'id="rule-(\w+)"', (ROOT / "docs/flow.svg").read_text()))
    assert drawn == rules - ON_REQUEST


def test_the_table_has_the_packages_in_the_order_of_the_layers() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in text.splitlines() if line.startswith("| `")]
    assert rows == [[package for package in layer if package != "__main__"] for layer in LAYERS]
