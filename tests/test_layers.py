"""Packages import only from below or from their left; imports for type checkers count, by the modules' syntax."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from pipeline.provenance import imported_modules
from tests.small_study import write_files

ROOT = Path(__file__).resolve().parents[1]

LAYERS = [
    ["errors", "conventions", "sides", "counts", "whole_files"],
    ["math3d", "trial", "config", "provenance"],
    ["acquisition", "signals", "anatomy", "skeleton"],
    ["kinematics", "newton_euler", "dynamics", "muscles"],
    ["analysis", "plausibility", "uncertainty", "inverse_kinematics", "whole_body", "ground_from_motion"],
    ["optimisation", "prediction"],
    ["results"],
    ["reporting", "examples", "synthetic"],
    ["workflow", "stages", "rules", "cli", "__main__"],
]
PLACE = {package: (layer, column) for layer, packages in enumerate(LAYERS) for column, package in enumerate(packages)}

OWNERS = {"h5py": {"results"}, "ezc3d": {"acquisition", "results"}}
"""Libraries that only some packages may use."""

NEVER_TOGETHER = {"newton_euler", "dynamics"}
"""Two ways to the same loads: their agreement is evidence only while neither imports the other."""


def modules(root: Path) -> dict[str, Path]:
    """Path of each module of the package by its dotted name."""
    paths = sorted((root / "pipeline").rglob("*.py"))
    names = [".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return dict(zip(names, paths, strict=True))


def package(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def violations(root: Path) -> list[str]:
    """Every import that points the wrong way, as a sentence."""
    found = []
    for module, path in modules(root).items():
        own = package(module)
        if own and own not in PLACE:
            found.append(f"{module}: '{own}' is no package of LAYERS")
            continue
        for imported in sorted(imported_modules(module, root, type_checking=True)):
            other = package(imported)
            if other in ("", own):
                continue
            if not own or PLACE.get(other, (99, 0)) > PLACE[own] or {own, other} == NEVER_TOGETHER:
                found.append(f"{module} imports {imported}")
        used = libraries(path)
        found += [
            f"{module} imports {library}" for library, owners in OWNERS.items() if library in used and own not in owners
        ]
    return found


def libraries(path: Path) -> set[str]:
    """Top-level names that a module imports, inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
    return names


def test_every_import_points_downward_or_to_the_left() -> None:
    assert len(modules(ROOT)) > 20
    assert not violations(ROOT)


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        module: {
            other
            for other in imported_modules(module, ROOT, type_checking=True)
            if not f"{module}.".startswith(f"{other}.")
        }
        for module in modules(ROOT)
    }
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("errors", "from pipeline import trial"),
        ("math3d/x", "from pipeline.trial import Note"),
        ("signals", "def f():\n    from pipeline.anatomy import hip"),
        ("newton_euler/x", "from pipeline.dynamics import rnea"),
        ("dynamics/x", "from ..newton_euler import blocks"),
        ("anatomy/x", "def lazily():\n    import h5py"),
        ("stages/x", "from ezc3d import c3d"),
        ("workflow/x", "from pipeline.stages import kinematics"),
        ("math3d/y", "if TYPE_CHECKING:\n    from pipeline.anatomy import hip"),
        ("__init__", "from pipeline import errors"),
        ("stuff", ""),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, module: str, source: str) -> None:
    packages = ("", "anatomy/", "dynamics/", "newton_euler/", "stages/")
    empty = [*(f"{name}__init__.py" for name in packages), "trial.py", "errors.py"]
    write_files(tmp_path / "pipeline", dict.fromkeys(empty, "") | {f"{module}.py": source})
    assert len(violations(tmp_path)) == 1
