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
"""Distributions that a laboratory may add, and that only pages of several walks together use."""

PACKAGE_ROOT = Path(pipeline.__file__).parent.parent


@dataclass(frozen=True)
class Provenance:
    """What made a result.

    Attributes:
        step: name of the step.
        inputs: SHA-256 by the name of the step's input.
        settings: JSON text of the part of the configuration that the step used.
        code: digest of the source of every module that the step imports.
        versions: of this package, Python and the numerical libraries, by name.
    """

    step: str
    inputs: dict[str, str] = field(default_factory=dict)
    settings: str = "{}"
    code: str = ""
    versions: dict[str, str] = field(default_factory=dict)


def file_digest(path: Path) -> str:
    """Hexadecimal SHA-256 of a file. Raises OSError if it cannot be read."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def library_versions() -> dict[str, str]:
    """Installed versions of this package, Python and `LIBRARIES`; a library that is absent is left out."""
    own = {"gait-pipeline": pipeline.__version__, "python": platform.python_version()}
    return own | _installed(LIBRARIES)


def extra_versions() -> dict[str, str]:
    """Installed versions of `EXTRAS`."""
    return _installed(EXTRAS)


def _installed(names: Iterable[str]) -> dict[str, str]:
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
        digest.update(name.encode() + b"\0" + hashlib.sha256(_source(name, root).read_bytes()).digest())
    return digest.hexdigest()[:16]


def import_closure(modules: Iterable[str], root: Path = PACKAGE_ROOT) -> set[str]:
    """Names of the modules and of all modules of the same package that importing them can load.

    Imports are read from the syntax tree, those inside functions included; importing a module also runs the
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

    Imports for type checkers alone count only with ``type_checking``: nothing runs them.
    """
    path = _source(name, root)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    top = name.partition(".")[0]
    found: set[str] = set()
    tree = _tree(path, path.stat().st_mtime_ns)
    for node in ast.walk(tree) if type_checking else _executed(tree):
        if isinstance(node, ast.Import):
            candidates = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            origin = ".".join(part for part in (above, node.module) if part)
            candidates = [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
        else:
            continue
        for candidate in candidates:
            if candidate.partition(".")[0] == top and _exists(candidate, root):
                found.update(_with_ancestors(candidate))
    return found


@cache
def _tree(path: Path, _modified: int) -> ast.Module:
    return ast.parse(path.read_bytes(), filename=str(path))


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one but those that only a type checker reads."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield child
            yield from _executed(child)


def _with_ancestors(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _exists(name: str, root: Path) -> bool:
    try:
        _source(name, root)
    except FileNotFoundError:
        return False
    return True


def _source(name: str, root: Path) -> Path:
    stem = root.joinpath(*name.split("."))
    for path in (stem / "__init__.py", stem.with_suffix(".py")):
        if path.is_file():
            return path
    raise FileNotFoundError(f"no module {name} in {root}")
