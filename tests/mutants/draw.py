"""Which lines can be made wrong, and a seeded draw of them from every package."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = {
    "math3d": ("math3d",),
    "signals": ("signals",),
    "acquisition": ("acquisition",),
    "anatomy": ("anatomy", "synthetic"),
    "kinematics": ("kinematics",),
    "newton_euler": ("newton_euler", "oracles", "invariance"),
    "dynamics": ("dynamics", "oracles"),
    "skeleton": ("skeleton", "dynamics"),
    "inverse_kinematics": ("inverse_kinematics", "whole_body"),
    "whole_body": ("whole_body",),
    "muscles": ("muscles",),
    "analysis": ("analysis",),
    "uncertainty": ("uncertainty",),
    "plausibility": ("plausibility",),
    "optimisation": ("optimisation",),
    "prediction": ("prediction",),
    "results/exports": ("results",),
    "results/study_exports": ("results",),
    "ground_from_motion": ("ground_from_motion",),
    "synthetic": ("synthetic",),
}
"""Packages that compute something physical, and the folders of their tests."""

SWAPS: dict[type[ast.operator], tuple[str, str, str]] = {
    ast.Add: ("+", "-", "sign"),
    ast.Sub: ("-", "+", "sign"),
    ast.Mult: ("*", "/", "factor"),
    ast.Div: ("/", "*", "factor"),
}

UNITS = {"radians", "degrees"}
"""Functions whose absence is a wrong unit."""

AXES = {"X": "Y", "Y": "Z", "Z": "X"}


@dataclass(frozen=True)
class Mutant:
    """One change of one line.

    Attributes:
        package: whose tests must see it.
        path: of the file, from the root.
        line: 1-based.
        kind: sign, factor, unit or index.
        text: the line as changed.
    """

    package: str
    path: Path
    line: int
    kind: str
    text: str

    def write(self, root: Path) -> str:
        """Change the file below a root; returns what it held."""
        before = (root / self.path).read_text(encoding="utf-8")
        lines = before.splitlines(keepends=True)
        lines[self.line - 1] = self.text + "\n"
        (root / self.path).write_text("".join(lines), encoding="utf-8")
        return before

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.kind}: {self.text.strip()}"


def mutants_of(package: str) -> list[Mutant]:
    """All that a package's files offer."""
    found = []
    for path in sorted((ROOT / "pipeline" / package).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node, start, end, new, kind in _changes(ast.parse(source), lines):
            line = lines[node.lineno - 1]
            text = line[:start] + new + line[end:]
            found.append(Mutant(package, path.relative_to(ROOT), node.lineno, kind, text))
    return found


def _changes(tree: ast.Module, lines: list[str]) -> Iterator[tuple[ast.expr, int, int, str, str]]:
    """Node, first and last column, new text and kind of each change within functions, of nodes on one line."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    seen: set[ast.AST] = set()
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr))
    messages = {inner for text in texts for inner in ast.walk(text)}
    for function in functions:
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if node in seen or not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
                continue
            seen.add(node)
            line = lines[node.lineno - 1]
            assert node.end_col_offset is not None
            if not line.isascii() or _is_text(node) or node in messages:
                continue
            if isinstance(node, ast.BinOp) and type(node.op) in SWAPS and node.left.end_lineno == node.lineno:
                old, new, kind = SWAPS[type(node.op)]
                assert node.left.end_col_offset is not None
                at = line.find(old, node.left.end_col_offset, node.right.col_offset)
                if at >= 0:
                    yield node, at, at + 1, new, kind
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _is_place(node.operand):
                yield node, node.col_offset, node.col_offset + 1, "", "sign"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in UNITS:
                if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
                    continue  # what stays is not an expression
                func_end = node.func.end_col_offset
                yield node, node.col_offset, func_end or 0, "", "unit"
            elif isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in (0.0, 1.0):
                new = "1.0" if node.value in (1000.0, 1e-3, 100.0, 0.01) else f"{2.0 * node.value!r}"
                yield node, node.col_offset, node.end_col_offset, new, "unit" if new == "1.0" else "factor"
            elif isinstance(node, ast.Name) and node.id in AXES and isinstance(node.ctx, ast.Load):
                yield node, node.col_offset, node.end_col_offset, AXES[node.id], "index"


def _is_place(node: ast.expr) -> bool:
    """Whether it is a whole number, as of an index counted from the end or of a shape."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_text(node: ast.expr) -> bool:
    """Whether an operation joins text or collections, by what stands in it."""
    texts = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp, ast.Dict)
    return any(
        isinstance(inner, texts) or (isinstance(inner, ast.Constant) and isinstance(inner.value, str | bytes))
        for inner in ast.walk(node)
    ) and isinstance(node, ast.BinOp)


def drawn(count: int, seed: int, packages: list[str]) -> list[Mutant]:
    """Mutants from the packages, as many as each one's share of all lines but at least four, no two of one line.

    Each mutant has a place in the order that depends on the seed and on its own text alone, so that the draw of a line
    changes neither with other lines nor with the packages that are judged.
    """
    offered = {package: mutants_of(package) for package in dict.fromkeys([*PACKAGES, *packages])}
    total = sum(map(len, offered.values()))
    chosen: list[Mutant] = []
    for package in packages:
        by_line: dict[tuple[Path, int], Mutant] = {}
        for mutant in sorted(offered[package], key=lambda mutant: _place(seed, mutant)):
            by_line.setdefault((mutant.path, mutant.line), mutant)
        chosen += list(by_line.values())[: max(4, round(count * len(offered[package]) / total))]
    return chosen


def _place(seed: int, mutant: Mutant) -> str:
    source = (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()[mutant.line - 1].strip()
    text = f"{seed} {mutant.path.as_posix()} {source} {mutant.text.strip()}"
    return hashlib.sha256(text.encode()).hexdigest()
