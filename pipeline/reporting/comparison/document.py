"""The report of groups of walks as an editable document (.docx): header, interpretation, figures and values."""

from __future__ import annotations

import io
import re
import zipfile
from functools import partial
from pathlib import Path

from docx import Document
from docx.document import Document as Letter
from docx.shared import Cm, Pt

from pipeline.conventions import SIDES
from pipeline.reporting.clinical.paper import picture, unconfirmed_note
from pipeline.reporting.comparison.paper import (
    ComparisonContent,
    draw_kinematics,
    draw_loads,
    facts_of,
    legend_lines,
    methods_of,
    norm_text,
)
from pipeline.reporting.comparison.tables import ValueTable, value_tables
from pipeline.reporting.interpretation import blocks_of
from pipeline.reporting.run import ReportRun

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

DPI = 150
"""Resolution of the figures, dots per inch."""

KINEMATICS_HEIGHT, LOADS_HEIGHT = 560.0, 420.0
"""Heights of the figures, in points of an A4 page."""


def write_comparison_docx(path: Path, content: ComparisonContent, run: ReportRun) -> None:
    """Write the report as a word-processor document; the same content gives the same bytes.

    Args:
        path: file to write.
        content: the same as for the two-page report; here the interpretation is complete.
        run: the study.
    """
    letter = Document()
    section = letter.sections[0]
    section.page_width, section.page_height = Cm(21.0), Cm(29.7)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(1.8)
    letter.styles["Normal"].font.size = Pt(9)
    letter.core_properties.title = plain(f"Gait analysis, {content.subject}")[:255]
    letter.core_properties.author = ""
    _head(letter, content, run)
    if content.interpretation:
        letter.add_heading("Interpretation", 2)
        _interpretation(letter, content.interpretation)
    letter.add_heading("Kinematics", 2)
    letter.add_paragraph(plain(legend_lines(content.groups)))
    figures = (
        (KINEMATICS_HEIGHT, draw_kinematics, "Joint angles", "Moments, powers, ground reaction and muscle activity"),
        (LOADS_HEIGHT, draw_loads, "Moments, powers, ground reaction and muscle activity", "Values"),
    )
    for height, draw, shown, following in figures:
        drawn = picture(height, partial(draw, groups=content.groups), DPI)
        placed = letter.add_picture(io.BytesIO(drawn), width=Cm(17.4))
        words = f"{shown} over the gait cycle, left and right; values are in the tables below"
        placed._inline.docPr.set("descr", words)  # text instead of the picture, for screen readers
        letter.add_heading(following, 2)
    for table in value_tables(content.groups, content.features, content.parameter_norm):
        _table(letter, table, [group.name for group in content.groups])
    letter.add_paragraph(plain(methods_of(content.groups))).runs[0].font.size = Pt(7)
    written = io.BytesIO()
    letter.save(written)
    path.write_bytes(_dateless(written))


def plain(words: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", words)


def _head(letter: Letter, content: ComparisonContent, run: ReportRun) -> None:
    letter.add_heading("Gait analysis", 1)
    if run.unconfirmed:
        warned = letter.add_paragraph(plain(unconfirmed_note(run)))
        warned.runs[0].bold = True
    facts = [("Study", run.title), ("Subject", content.subject), *content.person]
    for group in content.groups:
        facts.append((group.name, facts_of(group)))
        facts += [(f"Comments, {group.name}", "; ".join(group.comments))] if group.comments else []
    facts += [("Norm", norm)] if (norm := norm_text(content.groups)) else []
    facts += [("Quality", " ".join(warnings))] if (warnings := content.warnings) else []
    table = letter.add_table(0, 2)
    for label, words in facts:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = plain(label), plain(words)


def _interpretation(letter: Letter, text: str) -> None:
    for block in blocks_of(text):
        if block.heading:
            letter.add_heading(plain(block.text), 3)
            continue
        paragraph = letter.add_paragraph(plain(f"{block.mark} ") if block.mark else "")
        for piece in block.runs:
            run = paragraph.add_run(plain(piece.text))
            run.bold, run.italic = piece.bold, piece.italic


def _table(letter: Letter, table: ValueTable, names: list[str]) -> None:
    letter.add_heading(plain(table.heading), 3)
    rows = [["", "Norm", *(f"{side.capitalize()}: {name}" for side in SIDES for name in names)]]
    rows += [[row.name, row.norm, *row.cells] for row in table.rows]
    drawn = letter.add_table(len(rows), len(rows[0]), style="Table Grid")
    # all cells at once: table.cell(row, column) walks the whole table each time
    for cell, words in zip(drawn._cells, (words for row in rows for words in row), strict=True):
        cell.paragraphs[0].add_run(plain(words)).font.size = Pt(7)


def _dateless(written: io.BytesIO) -> bytes:
    """The archive with the same fixed date for all its parts."""
    whole = io.BytesIO()
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.infolist():
            entry = zipfile.ZipInfo(part.filename, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(part))
    return whole.getvalue()
