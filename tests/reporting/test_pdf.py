"""Pages as PDF by Chromium, and the error where it is not installed."""

from __future__ import annotations

import re
import shutil

import pytest

from pipeline.errors import PipelineError
from pipeline.reporting import ReportRun, write_trial_report
from pipeline.reporting.pdf import NAMES, write_pdf
from tests.browser.chromium import copy_scripts
from tests.reporting.conftest import NOTHING_FOUND


@pytest.mark.long
def test_a_trials_page_is_printed_on_several_pages_of_a4_with_its_view_as_a_picture(walk, tmp_path):
    if not any(map(shutil.which, NAMES)):
        pytest.skip("no Chromium is installed: nothing is printed")
    copy_scripts(tmp_path)
    page, output = tmp_path / "walk.html", tmp_path / "walk.pdf"
    write_trial_report(page, *walk, NOTHING_FOUND, ReportRun("Study"))
    write_pdf(page, output, sandbox=False)
    content = output.read_bytes()
    assert content.startswith(b"%PDF")
    assert 3 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 9
    assert re.search(rb"/MediaBox\s*\[0 0 59[45]\.\d+ 84[12]", content), "210 by 297 mm are 595.3 by 841.9 points"
    widths = [int(width) for width in re.findall(rb"/Subtype /Image\b[^>]*?/Width (\d+)", content, re.DOTALL)]
    widths += [int(width) for width in re.findall(rb"/Width (\d+)[^>]*?/Subtype /Image\b", content, re.DOTALL)]
    assert max(widths, default=0) > 1000, "the canvas of the 3-D view is in the print, at twice the screen's resolution"


def test_a_missing_page_or_browser_is_named(tmp_path, monkeypatch):
    with pytest.raises(PipelineError, match=r"walk\.html: is not a page"):
        write_pdf(tmp_path / "walk.html", tmp_path / "walk.pdf")
    (tmp_path / "walk.html").write_text("")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(PipelineError, match=r"is installed\. Install one"):
        write_pdf(tmp_path / "walk.html", tmp_path / "walk.pdf")
