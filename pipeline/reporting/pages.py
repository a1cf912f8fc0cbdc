"""Render the templates: one HTML file per page, including its styles and figures.

All pages of a study load the same scripts. Without report.js, figures show no values under the pointer and tables
cannot be sorted; without scene.js, there is no 3-D view.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import jinja2

from pipeline.config import HOME
from pipeline.reporting.figures.styles import style_sheet
from pipeline.reporting.notes import headline, leading
from pipeline.reporting.numbers import number
from pipeline.reporting.run import UNCONFIRMED, ReportRun, flat
from pipeline.whole_files import written_whole

if TYPE_CHECKING:
    from pipeline.reporting.figures.panels import Row
    from pipeline.reporting.figures.svg import PageFigure

TEMPLATES = HOME / "reports/templates"
"""Folder of the templates; the rules that write pages depend on these files."""


def write_page(path: Path, template: str, **content: Any) -> None:
    """Render a page; the file appears whole or not at all."""
    run: ReportRun = content["run"]
    text = _environment().get_template(template).render(settings=flat(run.configuration), **content)
    with written_whole(path) as (beside,):
        # labels of a C3D file may be invalid text
        beside.write_bytes(text.encode("utf-8", errors="backslashreplace"))


def _drawn(rows: Iterable[Row], columns: int, name: str) -> PageFigure:
    """As `page_figure`; matplotlib is imported only for pages with figures."""
    from pipeline.reporting.figures.svg import page_figure

    return page_figure(rows, columns, name)


def _compiled_templates(folder: Path) -> jinja2.BytecodeCache | None:
    """Cache of compiled templates for all processes, next to the compiled modules; None if it cannot be written."""
    writable = folder.is_dir() and os.access(folder, os.W_OK)
    return jinja2.FileSystemBytecodeCache(str(folder)) if writable else None


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        bytecode_cache=_compiled_templates(Path(__file__).parent / "__pycache__"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": True}
    environment.globals |= {"figure_styles": style_sheet(), "unconfirmed_note": UNCONFIRMED}
    environment.filters |= {"number": number, "headline": headline, "leading": leading, "drawn": _drawn}
    environment.filters["address"] = lambda page: quote(page, safe="/")
    return environment
