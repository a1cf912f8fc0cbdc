"""Compiled kernels are kept on disk, under a key that changes with any kernel's source."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.muscles.static_optimisation_kernels import solve_positive_definite
from pipeline.skeleton.compiling import cache_folder, kernel, kernel_digest, kernel_sources

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys
from pipeline.skeleton.compiling import kernel_digest
from pipeline.toy.caller_kernels import caller
print(kernel_digest(), caller(2.0))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of what kernels need, with a kernel that calls a function of another file."""
    for name in ("__init__.py", "errors.py", "conventions.py", "skeleton", "math3d"):
        source = ROOT / "pipeline" / name
        target = tmp_path / "pipeline" / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
    toy = tmp_path / "pipeline" / "toy"
    toy.mkdir()
    (toy / "__init__.py").write_text('"""Toy."""\n')
    (toy / "callee_kernels.py").write_text(
        "from pipeline.skeleton.compiling import inlined\n\n@inlined\ndef callee(x):\n    return 3.0 * x\n"
    )
    (toy / "caller_kernels.py").write_text(
        "from pipeline.skeleton.compiling import kernel\nfrom pipeline.toy.callee_kernels import callee\n\n"
        "@kernel\ndef caller(x):\n    return callee(x) + 1.0\n"
    )
    return tmp_path


def run(folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    digest, value = done.stdout.split()
    return digest, float(value), done.stderr


@pytest.mark.long
def test_a_changed_callee_in_another_file_changes_the_callers_result(copy):
    digest, value, first_words = run(copy)
    assert value == 7.0
    assert "Compiling the dynamics kernels" in first_words
    assert run(copy) == (digest, 7.0, "")  # from the disk, and silent
    callee = copy / "pipeline" / "toy" / "callee_kernels.py"
    callee.write_text(callee.read_text().replace("3.0", "5.0"))
    changed, value, words = run(copy)
    assert value == 11.0
    assert changed != digest
    assert "Compiling" in words


def test_every_kernel_module_is_in_the_digest_and_no_kernel_elsewhere_is_accepted():
    names = {path.relative_to(ROOT / "pipeline").as_posix() for path in kernel_sources()}
    assert {"skeleton/pose_kernels.py", "dynamics/rnea_kernels.py", "dynamics/sensitivity_kernels.py"} <= names
    assert kernel_digest() in str(cache_folder())
    with pytest.raises(ImportError, match="must live in a file whose name ends in kernels"):
        kernel(lambda x: x)


def test_no_module_outside_the_kernels_compiles_functions():
    for path in (ROOT / "pipeline").rglob("*.py"):
        if path.name == "compiling.py":
            continue
        text = path.read_text(encoding="utf-8")
        assert "njit" not in text, path
        assert "@kernel" not in text or path.name.endswith("kernels.py"), path


def test_kernels_work_without_a_cache_folder_that_can_be_written(tmp_path, monkeypatch):
    """As in a container whose cache folder another user has made: kernels are then compiled in every process."""

    def refused(locator):
        raise OSError("read-only")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache_folder().mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr("numba.core.caching._CacheLocator.ensure_cache_path", refused)
    assert kernel(solve_positive_definite.py_func) is not solve_positive_definite
    assert not list(cache_folder().iterdir())


def test_an_account_without_a_home_compiles_in_every_process(monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a number that no list of accounts has
    assert cache_folder() is None
    assert kernel(solve_positive_definite.py_func)._cache.__class__.__name__ == "NullCache"
