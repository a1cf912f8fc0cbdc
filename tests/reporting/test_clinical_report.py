"""The two-page report: its words, hostile text as text, and the same bytes for the same values."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import get_data_path
from matplotlib.font_manager import fontManager
from matplotlib.text import Text

from pipeline.analysis import ESTIMATED, PERCENT, pooled, summarise
from pipeline.reporting import ReportedGroup, ReportRun, StudyEntry, study_entry, write_subject_report
from pipeline.reporting.clinical import paper
from pipeline.reporting.clinical.paper import PrintedPage, broken, cut, font_of, printable, save
from pipeline.reporting.clinical.report import draw_loads, norm_line
from pipeline.reporting.comparison.paper import facts_of
from pipeline.reporting.figures.axes import settings
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS
from pipeline.reporting.figures.panels import Curve, Panel, Row, YAxis

from .conftest import HOSTILE, NORM, NOTHING_FOUND, make_walk
from .test_muscles import activity_of
from .test_subject_page import shifted


@pytest.fixture
def fonts_of_matplotlib(monkeypatch):
    """No other fonts are installed than those that come with matplotlib."""
    shipped = [entry for entry in fontManager.ttflist if entry.fname.startswith(get_data_path())]
    monkeypatch.setattr(fontManager, "ttflist", shipped)
    yield forget_fonts()
    forget_fonts()


def forget_fonts() -> None:
    for cached in (font_of, paper._printable):
        cached.cache_clear()


def font_with(path: Path, character: str) -> None:
    """Install a font, with the name of its file, whose only glyph is a square of one em."""
    square = TTGlyphPen(None)
    for move, at in ((square.moveTo, (0, 0)), *((square.lineTo, at) for at in ((0, 1000), (1000, 1000), (1000, 0)))):
        move(at)
    square.closePath()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "square"])
    font.setupCharacterMap({ord(character): "square"})
    font.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "square": square.glyph()})
    font.setupHorizontalMetrics({".notdef": (1000, 0), "square": (1000, 0)})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": path.stem, "styleName": "Regular", "psName": path.stem})
    font.setupOS2()
    font.setupPost()
    font.save(path)
    fontManager.addfont(path)
    forget_fonts()


def test_a_character_is_drawn_in_an_installed_font_that_has_it(fonts_of_matplotlib, tmp_path, capsys):
    font_with(tmp_path / "Squares.ttf", "漢")
    page = PrintedPage()
    page.text(10.0, 10.0, "Ann 漢字")
    assert "Ann 漢\N{REPLACEMENT CHARACTER}" in [text.get_text() for text in page.figure.findobj(Text)]
    assert page.fonts == {"DejaVu Sans", "Squares"}
    save(tmp_path / "page.pdf", [page], "Ann")
    assert b"+Squares" in (tmp_path / "page.pdf").read_bytes()
    told = capsys.readouterr().err
    assert "Ann: characters in no installed font" in told
    assert "字 (U+5B57)" in told
    assert "漢" not in told


def test_a_font_with_a_box_for_every_character_is_none_that_has_it(fonts_of_matplotlib, tmp_path):
    """Such as that of macOS, whose name is before all others."""
    boxes = Path(shutil.copy(Path(get_data_path()) / "fonts/ttf/LastResortHE-Regular.ttf", tmp_path))
    fontManager.addfont(boxes)
    forget_fonts()
    assert font_of("漢") == ""
    font_with(tmp_path / "Squares-Black.ttf", "漢")
    assert font_of("漢") == "Squares-Black", "whose name as a pattern is none"


def test_text_has_no_control_characters_and_only_what_the_fonts_have(fonts_of_matplotlib):
    assert printable("a\x1b[31mb\u202ec\n") == "a [31mb c "
    assert printable("Müller ± 3°") == "Müller ± 3°"
    assert printable("漢") == "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(("width", "marks"), [(40.0, ["0", "100%"]), (120.0, ["0", "50", "100%"])])
def test_a_narrow_panel_has_no_mark_between_the_ends_of_the_cycle(width: float, marks: list[str]) -> None:
    """The marks would touch each other."""
    page = PrintedPage()
    page.panel(
        (50.0, 50.0, width, 40.0), Panel(YAxis("Angle", "", 0.0, 3.0), (Curve(PERCENT, 0.02 * PERCENT, "left"),))
    )
    below = [text for text in page.figure.findobj(Text) if text.get_position()[1] < 50.0 and text.get_text()]
    assert [text.get_text() for text in below if text.get_position()[1] == 43.5] == marks


def test_long_text_is_broken_and_cut_off_visibly():
    lines = broken("word " * 200, 200.0, 7.0, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert max(map(len, lines)) <= 200.0 / (0.56 * 7.0)
    assert all(len(line) <= 51 for line in broken("x" * 500, 200.0, 7.0, 9)), "a word without blanks too"
    wide = broken("漢" * 100, 200.0, 7.0, 9)
    assert max(map(len, wide)) <= 200.0 / 7.0, "characters of one em"
    assert "".join(wide) == "漢" * 100
    for word in ("x", "漢"):
        assert len(cut(word * 100, 60.0, 7.0)) > 6, "a word without blanks is cut off"
        assert cut(word * 100, 60.0, 7.0).endswith(f"{word} …")
    assert cut("one and more words", 60.0, 7.0) == "one and more …"
    assert cut("one and more", 60.0, 7.0) == "one and more"
    assert cut("", 60.0, 7.0) == ""


def test_a_speed_that_is_not_known_is_a_dash_on_paper_too():
    """Without a leg length, the walks have no dimensionless speed; without a pelvis, none in m/s either."""
    cycles = make_walk()[2]
    summary = replace(summarise(cycles, np.nan, NORM), walking_speed=np.nan)
    assert "(walks: \N{EN DASH})" in norm_line(summary)
    facts = facts_of(ReportedGroup("session 1", cycles=cycles, summary=summary, walks=1))
    assert "\N{EN DASH} m/s" in facts
    assert "nan" not in norm_line(summary) + facts


@pytest.mark.long
def test_unconfirmed_marker_sets_are_named_at_the_head_and_at_the_foot_of_both_pages(tmp_path, shown):
    *walk, cycles, summary = make_walk()
    entry = study_entry(*walk, cycles, summary, NOTHING_FOUND, "")
    for names, count in (((), 0), (("drafted", "lab"), 1)):
        shown.clear()
        run = ReportRun("Study", unconfirmed=names)
        write_subject_report(tmp_path / "x.html", "S1", [entry], [(cycles, summary)], summary, run, tmp_path / "x.pdf")
        assert (tmp_path / "x.pdf").read_bytes().count(b"/Type /Page ") == 2
        words = " ".join(words for _, y, words in shown if y > 700.0)
        named = "Unconfirmed marker set drafted, lab: its labels were guessed and nobody has checked them."
        assert words.count(named) == count
        assert ("gait confirm" in words) == bool(count)
        feet = [words for _, y, words in shown if y == 18.0 and "Study" in words]
        assert [foot.startswith("Unconfirmed marker set drafted, lab") for foot in feet] == [bool(count)] * 2


def test_averages_with_estimated_steps_say_so_once_on_paper_and_in_the_notes_of_the_page(tmp_path, shown):
    """A title of a panel has no room for it: those of four panels in a row would overlap, also on the page."""
    cycles = make_walk()[2]
    cycles = replace(cycles, cycles=tuple(replace(c, estimated=not c.cycle.plate) for c in cycles.cycles))
    summary = summarise(cycles, 0.9, NORM)
    page = tmp_path / "x.html"
    write_subject_report(page, "S1", [], [(cycles, summary)], summary, ReportRun("Study"), tmp_path / "x.pdf")
    printed = [words for *_, words in shown]
    (heading,) = [words for words in printed if ESTIMATED in words]
    assert heading.startswith("Internal moments")
    assert "loads estimated from motion. A gait cycle" in " ".join(printed)
    words = page.read_text(encoding="utf-8")
    assert "loads of 1 of its 2 cycles with loads are estimated" in words
    assert words.count(f" ({ESTIMATED})</h3>") == 3, "of three joints"
    assert words.lower().count(ESTIMATED) == 4, "and of the ground reaction; in no title of a panel"


@pytest.mark.long
def test_two_pages_with_the_words_of_the_tables_and_the_same_bytes_each_time(tmp_path, shown):
    walks = [make_walk(), shifted(make_walk(), "walk2", 6.0)]
    entries = [study_entry(*walk, NOTHING_FOUND, "") for walk in walks]
    entries.append(StudyEntry("S1", "walk3", reason="no plate", failed_step="ingest"))
    stages = [(cycles, summary) for *_, cycles, summary in walks]
    norm = replace(NORM, other_zeros=("knee_flexion",))
    summary = summarise(pooled("S1", [cycles for cycles, _ in stages]), 0.91, norm)
    person = (("Date", "2024-03-04"), ("Diagnosis", f"$\\frac{{1}}{{$ {HOSTILE}"))
    run = ReportRun("Study $x^2$", {}, {"filter": {"markers": 6.0}}, person=person, remarks="w1: $tired_leg$ " * 40)
    files = []
    for name in ("one", "two"):
        write_subject_report(tmp_path / "x.html", "S1", entries, stages, summary, run, tmp_path / f"{name}.pdf")
        files.append((tmp_path / f"{name}.pdf").read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"/Type /Page ") == 2
    assert b"CreationDate" not in files[0]
    assert b"0 0 595" in files[0], "A4"
    text = " ".join(words for *_, words in shown)
    assert f"Score of both sides {summary.gps_overall:.1f}°" in text
    assert "2024-03-04" in text
    assert "$tired_leg$" in text, "a formula's signs are text"
    assert "walk3: no plate" in text
    assert "; moved in knee flexion by" in text, "next to the norm's name"
    for own in summary.parameter_mean.values():
        assert f"{own['speed']:.2f}" in text
    titles = [
        f"{v.title} ({v.display_units})"
        for rows in (KINEMATICS, KINETICS, GROUND)
        for row in rows.values()
        for v in row
    ]
    assert set(titles) <= {words for *_, words in shown}
    nothing = tmp_path / "none.pdf"
    write_subject_report(tmp_path / "x.html", "S1", entries[-1:], [], None, run, nothing)
    assert nothing.read_bytes().startswith(b"%PDF")
    emg = replace(activity_of("left", "right"), high_pass=20.0)
    write_subject_report(tmp_path / "x.html", "S1", entries, stages, summary, run, tmp_path / "emg.pdf", emg)
    printed = [words for *_, words in shown]
    assert {"Soleus", "Muscle activity (EMG envelopes, of peak)"} <= set(printed)
    assert "EMG: 20 to 450 Hz, rectified" in " ".join(printed)


def test_titles_of_four_panels_in_a_row_keep_clear_of_the_words_beside_the_next():
    """At least 3 points between every title and the words along the axes, as drawn in the report's font."""
    line = Curve(PERCENT, np.zeros(101), "left")
    rows = [Row(name, tuple(Panel(YAxis.of(v), (line,)) for v in own)) for name, own in (KINETICS | GROUND).items()]
    page = PrintedPage()
    draw_loads(page, 800.0, rows, None)
    extents = {"bold": [], "words": []}
    with settings():
        page.figure.set_dpi(216.0)  # three dots a point: at one dot widths of letters are rounded
        for text in page.figure.findobj(Text):
            kind = "words" if text.get_rotation() == 90.0 else text.get_fontweight()
            if text.get_text() and kind in extents:
                extents[kind].append(text.get_window_extent())
    assert len(extents["bold"]) == 1 + 12 + 3, "a heading and the panels' titles"
    assert len(extents["words"]) == 2 * 15 - 1, "the vertical ground reaction has no downward direction"
    for title in extents["bold"][1:]:
        near = [w for w in extents["words"] if w.x1 > title.x0 and w.y1 > title.y0 - 9.0 and w.y0 < title.y1]
        assert min((words.x0 - title.x1 for words in near), default=9.0) >= 9.0


def test_twelve_muscles_are_two_rows_and_two_that_are_left_to_the_page(shown):
    panels = tuple(Panel(YAxis(f"Muscle {k}", "of peak", 0.0, 1.0), (), ()) for k in range(12))
    draw_loads(PrintedPage(), 800.0, (), Row("", panels))
    places = {words: y for _, y, words in shown if words.startswith("Muscle ")}
    assert "Muscle activity (EMG envelopes, of peak), 2 more on the page" in places
    assert len({places[f"Muscle {k}"] for k in range(10)}) == 2
    assert "Muscle 10" not in places
