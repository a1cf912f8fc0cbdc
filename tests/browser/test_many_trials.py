"""Studies of many trials: the index opens at little cost, and pages share their scripts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.reporting import TEMPLATES, ReportRun, StudyEntry, study_entry, write_study_report, write_trial_report
from tests.browser.chromium import Chromium, Tab, copy_scripts
from tests.reporting.conftest import NOTHING_FOUND, make_walk

pytestmark = pytest.mark.long

COUNT = 200


def seconds_to_open(chromium: Chromium, folder: Path, count: int) -> float:
    """Processor time of an index of plain rows: of the page's own process, so that what else runs does not count."""
    entries = [StudyEntry(f"S{k:05}", f"walk{k}", f"walk{k}.html", (1, 1), (1, 1), speed=1.0) for k in range(count)]
    write_study_report(folder / "plain.html", entries, ReportRun("Plain"))
    tab = chromium.open(folder / "plain.html")
    spent = tab.processor_seconds()
    tab.close()
    return spent


def search(tab: Tab, words: str) -> None:
    tab.run(
        f"(function () {{ var field = document.querySelector('form.filter [name=words]'); field.value = '{words}';"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def test_the_index_opens_and_sorts_at_the_cost_of_some_pages_of_one_row(chromium: Chromium, tmp_path: Path) -> None:
    copy_scripts(tmp_path)
    one = seconds_to_open(chromium, tmp_path, 1)
    entry = study_entry(*make_walk(), NOTHING_FOUND, "walk.html")
    entries = [
        replace(entry, trial=f"walk{k}", page=f"walk{k}.html", subject=f"S{k % 20}", speed=1.0 + (37 * k % COUNT) / 400)
        for k in range(COUNT)
    ]
    failed = [replace(e, failed_step="ingest", reason="the header claims 65535 points") for e in entries[::10]]
    entries[::10] = failed
    write_study_report(tmp_path / "index.html", entries, ReportRun("Two hundred"))
    tab = chromium.open(tmp_path / "index.html")
    opened = tab.processor_seconds()
    # Four times that of one row, and twice it to sort; rows that were each laid out anew would take two hundred.
    assert opened < 20.0 * one
    tab.click(".sortable thead th:nth-child(7) button")
    rows = "document.querySelectorAll('.sortable tbody tr:not(.group)')"
    speeds = tab.run(f"[].map.call({rows}, (row) => Number(row.cells[6].dataset.value))")
    assert len(speeds) == COUNT
    assert speeds == sorted(speeds)
    assert tab.processor_seconds() - opened < 20.0 * one
    assert tab.console_errors == []
    tab.close()


def test_the_index_shows_two_hundred_rows_at_a_time(chromium: Chromium, tmp_path: Path) -> None:
    """Of 450 walks, 30 of each subject, with their subjects' headings; filters and order are those of all."""
    copy_scripts(tmp_path)
    entries = [
        StudyEntry(f"S{k // 30:02d}", f"walk{k}", f"walk{k}.html", (1, 1), (1, 1), speed=2.0 - k / 450)
        for k in range(450)
    ]
    write_study_report(tmp_path / "index.html", entries, ReportRun("Four hundred and fifty"))
    assert (tmp_path / "index.html").stat().st_size < 450 * 1500
    tab = chromium.open(tmp_path / "index.html")

    def shown() -> tuple[str, int, str, str, int, list[bool]]:
        """The form's words; number, first and last trial of the rows; headings; whether one can turn back and on."""
        return tuple(
            tab.run(
                "(function () { var form = document.querySelector('form.filter'),"
                " all = [].slice.call(document.querySelectorAll('.sortable tbody tr:not([hidden])')),"
                " rows = all.filter((row) => !row.classList.contains('group')),"
                " name = (row) => row ? row.textContent.match(/walk\\d+/)[0] : '';"
                " return [form.querySelector('output').textContent, rows.length, name(rows[0]),"
                " name(rows[rows.length - 1]), all.length - rows.length,"
                " ['previous', 'next'].map((way) => !form.elements[way].hidden && !form.elements[way].disabled)]; })()"
            )
        )

    assert shown() == ("450 of 450 trials, 1 to 200", 200, "walk0", "walk199", 7, [False, True])
    tab.click("form.filter [name=next]")
    assert shown() == ("450 of 450 trials, 201 to 400", 200, "walk200", "walk399", 8, [True, True])
    tab.click("form.filter [name=next]")
    assert shown() == ("450 of 450 trials, 401 to 450", 50, "walk400", "walk449", 2, [True, False])
    search(tab, "S14")
    assert shown() == ("30 of 450 trials", 30, "walk420", "walk449", 1, [False, False])
    search(tab, "")
    tab.click("form.filter [name=next]")
    tab.click(".sortable thead th:nth-child(6) button")
    # The slowest come first, those of the last subject; the order begins with its first page.
    words, count, first, last, _, ways = shown()
    assert (words, count, first, last) == ("450 of 450 trials, 1 to 200", 200, "walk449", "walk250")
    assert ways == [False, True]
    assert tab.console_errors == []
    tab.close()


def test_the_index_of_ten_thousand_opens_as_that_of_some_hundred_and_finds_the_last(
    chromium: Chromium, tmp_path: Path
) -> None:
    copy_scripts(tmp_path)
    small = seconds_to_open(chromium, tmp_path, COUNT)
    entries = [StudyEntry(f"S{k:05}", f"walk{k}", f"walk{k}.html", (1, 1), (1, 1), speed=1.0) for k in range(10_000)]
    entries[-1] = replace(entries[-1], trial="<i>walk</i> & 'last'", speed=0.5)
    write_study_report(tmp_path / "index.html", entries, ReportRun("Ten thousand"))
    tab = chromium.open(tmp_path / "index.html")
    # Two to three times that of two hundred; with all rows in the page it took half a minute, a hundred times.
    assert tab.processor_seconds() < 8.0 * small
    rows = "[].map.call(document.querySelectorAll('.sortable tbody tr:not(.group)'), (row) => row.cells[1].textContent)"
    assert len(tab.run(rows)) == 200
    search(tab, "s09999")
    assert tab.run(rows) == ["<i>walk</i> & 'last'"], "text is text in rows that were not in the page"
    assert tab.console_errors == []
    tab.close()


def test_pages_share_their_scripts(tmp_path: Path) -> None:
    page = tmp_path / "walk.html"
    write_trial_report(page, *make_walk(), NOTHING_FOUND, ReportRun("Study"))
    text = page.read_text(encoding="utf-8")
    for script in TEMPLATES.glob("*.js"):
        source = script.read_text(encoding="utf-8")
        assert len(source) < 40_000
        assert f'<script src="{script.name}"></script>' in text
        longest = max(source.splitlines(), key=len)
        assert longest.strip() not in text
    # Two hundred of them take less than a hundred megabytes, figures and body in space included.
    assert len(text.encode()) < 500_000
