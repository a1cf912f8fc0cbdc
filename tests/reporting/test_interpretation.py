"""The clinician's text on pages, paper and in the document: as text, whole or with what is missing said."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from docx import Document

from pipeline.reporting import ComparisonContent, write_comparison_docx, write_comparison_pdf, write_crossed_report
from pipeline.reporting.interpretation import MAX_BYTES, blocks_of, html_of, read_interpretation

from .conftest import HOSTILE
from .test_comparison_paper import FEATURES, RUN, group

TEXT = """# Summary

The knee *flexes* **7° more**.
On two lines.

- first
- second

3. third
4. fourth
"""


def test_html_and_links_in_it_are_text():
    page = html_of(
        f"{HOSTILE}\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![b](http://c/d.png) <http://e>"
    )
    assert "<script" not in page
    assert "<img" not in page
    assert "<a " not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "[a](javascript:alert(1))" in page


def test_headings_are_below_that_of_the_section():
    """A page has one heading of level 1, its title."""
    assert html_of("# One\n\nTwo\n---\n\n##### Five") == "<h3>One</h3>\n<h4>Two</h4>\n<h6>Five</h6>\n"


def test_blocks_are_headings_paragraphs_and_items_with_their_marks():
    found = blocks_of(TEXT)
    assert [block.text for block in found] == [
        *("Summary", "The knee flexes 7° more. On two lines."),
        *("\N{BULLET} first", "\N{BULLET} second", "3. third", "4. fourth"),
    ]
    assert [block.heading for block in found] == [True] + 5 * [False]
    assert [(run.text, run.bold, run.italic) for run in found[1].runs][1:4] == [
        ("flexes", False, True),
        (" ", False, False),
        ("7° more", True, False),
    ]


def test_a_file_that_is_no_utf_8_or_too_large_is_said_in_its_first_line(tmp_path):
    path = tmp_path / "interpretation.md"
    assert read_interpretation(None) == ""
    path.write_bytes("\ufeffKnie geöffnet".encode())
    assert read_interpretation(path) == "Knie geöffnet"
    path.write_bytes("Knie geöffnet".encode("latin-1"))
    assert read_interpretation(path).startswith("**interpretation.md is not saved as UTF-8")
    assert "Knie ge\N{REPLACEMENT CHARACTER}ffnet" in read_interpretation(path)
    path.write_bytes(b"a" * (MAX_BYTES + 1))
    assert f"has {MAX_BYTES + 1} bytes" in read_interpretation(path)
    assert len(read_interpretation(path)) < MAX_BYTES + 200


@pytest.mark.long
def test_what_does_not_fit_on_paper_is_said_and_the_document_has_it_all(tmp_path, shown):
    lines = [f"Sentence {k} of the interpretation." for k in range(120)]
    content = ComparisonContent("S1", (), [group("pre"), group("post", 5.0)], FEATURES, (), "\n\n".join(lines))
    write_comparison_pdf(tmp_path / "x.pdf", content, RUN)
    assert (tmp_path / "x.pdf").read_bytes().count(b"/Type /Page ") == 2
    on_paper = [words for *_, words in shown if words.startswith("Sentence ")]
    assert 10 < len(on_paper) < 120
    assert on_paper == lines[: len(on_paper)]
    said = f"{120 - len(on_paper)} more lines of the interpretation are on the page and in the .docx document."
    assert said in [words for *_, words in shown]
    write_comparison_docx(tmp_path / "x.docx", content, RUN)
    text = [paragraph.text for paragraph in Document(tmp_path / "x.docx").paragraphs]
    assert [words for words in text if words.startswith("Sentence ")] == lines


@pytest.mark.long
def test_a_text_that_fits_is_whole_on_paper(tmp_path, shown):
    content = ComparisonContent("S1", (), [group("pre"), group("post", 5.0)], FEATURES, (), TEXT)
    write_comparison_pdf(tmp_path / "x.pdf", content, RUN)
    assert {block.text for block in blocks_of(TEXT)} <= {words for *_, words in shown}
    assert not [words for *_, words in shown if "more lines" in words]


@pytest.mark.long
def test_the_document_opens_with_head_interpretation_tables_and_figures_and_is_the_same_each_time(tmp_path):
    groups = [replace(group(f"{k} {HOSTILE}\x00\x0b", 3.0 * k), comments=("tired",)) for k in range(2)]
    content = ComparisonContent("S1", [("Diagnosis", f"stroke \ud800 {HOSTILE}")], groups, FEATURES, (), TEXT)
    for name in ("one", "two"):
        write_comparison_docx(tmp_path / f"{name}.docx", content, RUN)
    stored = (tmp_path / "one.docx").read_bytes()
    assert stored == (tmp_path / "two.docx").read_bytes()
    letter = Document(io.BytesIO(stored))
    text = [paragraph.text for paragraph in letter.paragraphs]
    assert {"Summary", "The knee flexes 7° more. On two lines.", "\N{BULLET} first", "3. third"} <= set(text)
    assert len(letter.inline_shapes) == 2
    cells = {cell.text for table in letter.tables for cell in table._cells}
    assert {"Diagnosis", "tired", "Gait Profile Score", f"{groups[1].summary.gps['left']:.1f}"} <= cells
    assert any(HOSTILE in words for words in cells)


@pytest.mark.long
def test_the_page_has_the_interpretation_as_text(tmp_path):
    content = ComparisonContent("S1", (), [group("pre"), group("post", 5.0)], FEATURES, (), f"{TEXT}\n{HOSTILE}")
    run = replace(RUN, top="../../../", subject="S1", session="post", index="index.html")
    write_crossed_report(tmp_path / "x.html", content, run, "x.pdf")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<strong>7° more</strong>" in page
    assert "<script>alert" not in page
    assert 'href="x.docx"' in page
