"""Where a result comes from: digests of its inputs and of the code that made it, and versions of the libraries."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pipeline

LIBRARIES = ("ezc3d", "h5py", "numba", "numpy", "pyarrow", "pydantic", "scipy")
"""Distributions whose version can change a number."""

EXTRAS = ("spm1d",)
"""Distributions that a laboratory may add, used only by pages on several walks together."""

PACKAGE_ROOT = Path(pipeline.__file__).parent.parent


@dataclass(frozen=True)
class Provenance:
    """Origin of a result.

    Attributes:
        step: name of the step.
        inputs: SHA-256 by the name of the step's input.
        settings: JSON text of the part of the configuration that the step used.
        code: digest of the source of every module that the step imports.
        versions: of this package, Python and the numerical libraries, by name.
        trial_key: its trial or prediction, as SUBJECT/SESSION/NAME; empty for a result of several.
    """

    step: str
    inputs: dict[str, str] = field(default_factory=dict)
    settings: str = "{}"
    code: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    trial_key: str = ""


def file_digest(path: Path) -> str:
    """Hexadecimal SHA-256 of a file. Raises OSError if it cannot be read."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def library_versions() -> dict[str, str]:
    """Installed versions of this package, Python and `LIBRARIES`; a library that is absent is left out."""
    own = {"gait-pipeline": pipeline.__version__, "python": platform.python_version()}
    return own | versions_of(LIBRARIES)


def extra_versions() -> dict[str, str]:
    """Installed versions of `EXTRAS`."""
    return versions_of(EXTRAS)


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Versions of the distributions that are installed."""
    found = {}
    for name in names:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def code_digest(modules: Iterable[str], root: Path = PACKAGE_ROOT) -> str:
    """Digest of the sources of the modules and of all that they import from the same package, and of the libraries.

    Args:
        modules: dotted names, such as "pipeline.stages.ingest".
        root: folder that holds the package.

    Returns:
        16 hexadecimal digits.

    Raises:
        FileNotFoundError: a module in ``modules`` does not exist.
    """
    digest = hashlib.sha256(repr(sorted(library_versions().items())).encode())
    for name in sorted(import_closure(modules, root)):
        for path in _sources(name, root):
            digest.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def import_closure(modules: Iterable[str], root: Path = PACKAGE_ROOT) -> set[str]:
    """Names of the modules and of all modules of the same package that importing them can load.

    Imports are read from the syntax tree, including those inside functions; importing a module also runs the
    ``__init__`` of every package above it.
    """
    pending = [ancestor for name in modules for ancestor in _with_ancestors(name)]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending.extend(imported_modules(name, root) - seen)
    return seen


def imported_modules(name: str, root: Path = PACKAGE_ROOT, *, type_checking: bool = False) -> set[str]:
    """Modules of the same package that one module names in its own import statements, with the packages above them.

    Imports for type checkers count only with ``type_checking``, since nothing runs them.
    """
    found: set[str] = set()
    for path in _sources(name, root):
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        for candidate in _candidates(path, path.stat().st_mtime_ns, package, type_checking):
            if _find(candidate, root):
                found.update(_with_ancestors(candidate))
    return found


@cache
def _candidates(path: Path, _modified: int, package: str, type_checking: bool) -> frozenset[str]:
    """Dotted names in the same package that a source file may import: modules, or names within them."""
    found: set[str] = set()
    tree = ast.parse(path.read_bytes(), filename=str(path))
    for node in ast.walk(tree) if type_checking else _executed(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            origin = ".".join(part for part in (above, node.module) if part)
            found.update((origin, *(f"{origin}.{alias.name}" for alias in node.names)))
    top = package.partition(".")[0]
    return frozenset(name for name in found if name.partition(".")[0] == top)


def _executed(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements of a module except those that only a type checker reads; expressions hold no imports."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            inner = getattr(node, block, ())
            if isinstance(inner, list):  # for a lambda or a conditional expression it is an expression
                pending.extend(inner)


def _with_ancestors(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _sources(name: str, root: Path) -> list[Path]:
    """The module's source, and the stub that lists the modules that a package loads at the first use of a name."""
    path = _find(name, root)
    if path is None:
        raise FileNotFoundError(f"no module {name} in {root}")
    stub = path.with_suffix(".pyi")
    return [path, stub] if stub.is_file() else [path]


@cache
def _find(name: str, root: Path) -> Path | None:
    stem = root.joinpath(*name.split("."))
    return next((path for path in (stem / "__init__.py", stem.with_suffix(".py")) if path.is_file()), None)
