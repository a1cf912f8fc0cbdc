"""Writes the pages: one HTML file each, with its style and drawings inside, so that it opens and travels alone.

All pages of a study share the classic scripts beside them: without report.js a page shows the same, but its figures do
not tell values and its tables do not sort; without scene.js it lacks the body in space.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from pipeline.reporting.figures.styles import style_sheet
from pipeline.reporting.figures.svg import page_figure
from pipeline.reporting.numbers import number
from pipeline.reporting.run import ReportRun, flat

TEMPLATES = Path(__file__).parents[2] / "reports" / "templates"
"""Folder of the templates; what they say is part of a page, so a rule that writes pages depends on these files."""


def write_page(path: Path, template: str, **content: Any) -> None:
    """Render a page and put it in place whole or not at all."""
    run: ReportRun = content["run"]
    text = _environment().get_template(template).render(settings=flat(run.configuration), **content)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A label that is not valid text in the file it came from must not cost the page.
        beside.write_bytes(text.encode("utf-8", errors="backslashreplace"))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": True}
    environment.filters["number"] = number
    environment.filters["drawn"] = page_figure
    environment.globals["figure_styles"] = style_sheet()
    environment.filters["address"] = lambda page: quote(page, safe="/")
    return environment
