"""The digest of a step's code changes with every module that the step imports, and with no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.provenance import code_digest, file_digest, import_closure, library_versions
from tests.small_study import write_files

SOURCES = {
    "p/__init__.py": "",
    "p/low.py": "import os",
    "p/room/__init__.py": "",
    "p/room/__init__.pyi": "from .inner import x",
    "p/room/inner.py": "from ..low import y",
    "p/room/beside.py": "",
    "p/lazy.py": "",
    "p/unused.py": "import p.step",
    "p/step.py": "from p import room\ndef f():\n    import p.lazy as z\n    from p.low import not_a_module",
}
USED = {"p", "p.step", "p.room", "p.room.inner", "p.low", "p.lazy"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_files(tmp_path, SOURCES)


def test_the_closure_has_packages_relative_and_lazy_imports_and_nothing_else(package: Path) -> None:
    assert import_closure(["p.step"], package) == USED


@pytest.mark.parametrize("name", SOURCES)
def test_editing_a_file_changes_the_digest_exactly_if_the_step_uses_it(package: Path, name: str) -> None:
    module = name.partition(".")[0].replace("/", ".").removesuffix(".__init__")
    before = code_digest(["p.step"], package)
    (package / name).write_text(SOURCES[name] + "\n# a remark")
    assert (code_digest(["p.step"], package) != before) == (module in USED)


def test_a_step_that_does_not_exist_is_an_error(package: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"p\.other"):
        code_digest(["p.other"], package)


def test_joint_loads_depend_on_the_results_room_and_not_on_reporting() -> None:
    closure = import_closure(["pipeline.stages.inverse_dynamics", "pipeline.workflow.__main__"])
    assert {"pipeline.results.writing", "pipeline.workflow.framework", "pipeline.trial"} <= closure
    assert not any(name.startswith("pipeline.reporting") for name in closure)


def test_versions_name_this_package_and_the_libraries() -> None:
    assert {"gait-pipeline", "python", "numpy", "h5py"} <= set(library_versions())


def test_the_digest_of_a_file_is_its_sha256(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")  # example of FIPS 180-2, appendix B.1
    assert file_digest(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
