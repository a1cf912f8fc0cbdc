"""Templates are compiled once for all processes that write pages."""

from __future__ import annotations

from pathlib import Path

import jinja2

from pipeline.reporting.pages import _compiled_templates


def test_compiled_templates_are_kept_and_read_again(tmp_path: Path) -> None:
    loader, kept = jinja2.DictLoader({"page": "{{ words }}"}), _compiled_templates(tmp_path)
    assert (
        jinja2.Environment(loader=loader, bytecode_cache=kept).get_template("page").render(words="as it is")
        == "as it is"
    )
    (file,) = tmp_path.iterdir()
    written = file.stat().st_mtime_ns
    jinja2.Environment(loader=loader, bytecode_cache=kept).get_template("page")
    assert file.stat().st_mtime_ns == written
    assert [*tmp_path.iterdir()] == [file]


def test_without_a_folder_for_them_each_process_compiles_its_own(tmp_path: Path) -> None:
    assert _compiled_templates(tmp_path / "none") is None
