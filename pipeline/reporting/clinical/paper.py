"""Draw A4 pages with matplotlib, in points from the lower left corner: text, panels of curves and bars.

Each page has a single Axes object on which panels are drawn as lines and areas; one for each panel would take several
times as long.
"""

from __future__ import annotations

import io
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import get_data_path, rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from pipeline.analysis import ESTIMATED
from pipeline.reporting.figures.axes import RC, settings
from pipeline.reporting.figures.panels import Panel
from pipeline.reporting.figures.styles import FIELD, GRID, INK, LINE, RULE, SOFT, printed_style, style_of
from pipeline.reporting.numbers import number
from pipeline.reporting.run import UNCONFIRMED, ReportRun
from pipeline.signals import runs_of
from pipeline.trial import GaitSummary

WIDTH, HEIGHT, MARGIN = 595.28, 841.89, 34.0
"""Size of an A4 page and its margins, points."""

CHARACTER = 0.56
"""Average width of a character over the font size, used to break lines."""

FONT: str = RC["font.family"]
"""Font of all text whose characters it has; it comes with matplotlib."""

MISSING = "\N{REPLACEMENT CHARACTER}"
"""Printed for a character that no installed font has."""

TITLE_SIZE = 0.056
"""Font size of a title over the width of a panel with words on its left, for four panels in a row."""

WIDE = 50.0
"""Width of a panel from which on the middle of the gait cycle is marked too, points."""

THIN = 0.62
"""Line width relative to that on screen pages, whose panels are larger."""

WARNING = "#d98a00"
"""Colour of the bar next to text that calls for a check, as on the HTML pages."""

_NO_CHARACTER = 0xFFFF
"""Code that no character has. Fonts that have a glyph for it draw boxes, one for each script."""

_FILLER = "\0"
"""Stands for the second half of a wide character."""

_MORE = " \N{HORIZONTAL ELLIPSIS}"
"""After text that is cut off."""

Box = tuple[float, float, float, float]
"""Left, bottom, width and height, points."""


class PrintedPage:
    """One page to draw on.

    Attributes:
        fonts: families in which its text is drawn.
        missing: characters of its text that no installed font has.
    """

    def __init__(self) -> None:
        self.fonts, self.missing = {FONT}, set[str]()
        with settings():
            self.figure = Figure(figsize=(WIDTH / 72.0, HEIGHT / 72.0))
            self._axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self._axes.set(xlim=(0.0, WIDTH), ylim=(0.0, HEIGHT))
        self._axes.set_axis_off()

    def text(self, x: float, y: float, words: str, size: float = 7.0, **properties: Any) -> None:
        """One line of text; characters missing in all installed fonts become a replacement character."""
        shown = printable(words)
        self.missing |= {one for one, other in zip(words, shown, strict=True) if other == MISSING != one}
        fonts = list(dict.fromkeys([FONT, *(font_of(character) or FONT for character in shown)]))
        self.fonts |= set(fonts)
        own: dict[str, Any] = {"fontsize": size, "color": INK, "va": "baseline", "parse_math": False} | properties
        self._axes.add_artist(Text(x, y, shown, fontfamily=fonts, **own))

    def paragraph(
        self, x: float, top: float, width: float, words: str, size: float = 7.0, lines: int = 99, **properties: Any
    ) -> float:
        """Text broken into lines, cut off with an ellipsis after ``lines`` lines; return the y coordinate below it."""
        for line in broken(words, width, size, lines):
            top -= 1.28 * size
            self.text(x, top, line, size, **properties)
        return top

    def line(self, x: Sequence[float], y: Sequence[float], **properties: Any) -> None:
        """A line through points."""
        self._axes.add_artist(Line2D(x, y, clip_on=False, **properties))

    def bar(self, box: Box, **properties: Any) -> None:
        """A filled rectangle."""
        self._axes.add_artist(Rectangle(box[:2], box[2], box[3], linewidth=0.0, **properties))

    def sample(self, x: float, y: float, length: float, style: str) -> None:
        """A sample of a curve's line, for a legend."""
        self.line([x, x + length], [y, y], **_thin(LINE | printed_style(style)))

    def panel(self, box: Box, panel: Panel, *, labelled: bool = True) -> None:
        """Curves with bands, zero line, round ticks, title, and the words for both directions.

        Args:
            box: of the plotting area.
            panel: what is drawn.
            labelled: whether to draw title, values at ticks and words; False for a panel next to one with the same
                axis.
        """
        left, bottom, width, height = box
        axis = panel.axis
        self._axes.add_artist(Rectangle((left, bottom), width, height, facecolor=FIELD, edgecolor=RULE, linewidth=0.5))
        title = f"{axis.title} ({axis.units})" if axis.units else axis.title
        # smaller title to fit between a narrow panel's words and those of the next panel
        size = min(6.6, TITLE_SIZE * width) if axis.positive or axis.negative else 6.6
        if labelled:
            self.text(left, bottom + height + 2.5, title, size, fontweight="bold")
        if panel.empty:
            lines = broken(panel.missing, width, 6.0, 6)
            for k, words in enumerate(lines):
                y = bottom + 0.5 * height + 7.5 * (0.5 * len(lines) - k - 1)
                self.text(left + 0.5 * width, y, words, 6.0, ha="center", color=SOFT)
            return
        low, high = panel.limits
        first, last = panel.across.first, panel.across.last

        def at(x: Any, y: Any) -> tuple[Any, Any]:
            across = left + (np.asarray(x) - first) / (last - first) * width
            return across, bottom + (np.asarray(y) - low) / (high - low) * height

        for value in MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high):
            if low <= value <= high:
                _, y = at(first, value)
                self.line([left, left + width], [y, y], color=GRID if value else "#9aa6b1", linewidth=0.5)
                shown = number(float(value), 0 if high - low > 4 else 1) if labelled else ""
                self.text(left - 2.5, y - 2.0, shown, 5.4, ha="right", color=SOFT)
        for value in (0.0, 50.0, 100.0) if width >= WIDE else (0.0, 100.0):
            x, _ = at(value, low)
            side = {0.0: "left", 100.0: "right"}.get(value, "center")
            self.text(float(x), bottom - 6.5, f"{value:g}" + "%" * (value == 100.0), 5.4, ha=side, color=SOFT)
        for band in panel.bands:
            colours = style_of(band.style)
            shade = {"facecolor": colours["color"], "alpha": colours.get("alpha", 1.0), "linewidth": 0.0}
            for start, stop in runs_of(np.isfinite(band.low) & np.isfinite(band.high)):
                x, y = at(band.x[start:stop], band.low[start:stop])
                _, upper = at(band.x[start:stop], band.high[start:stop])
                edge = np.column_stack([np.r_[x, x[::-1]], np.r_[y, upper[::-1]]])
                self._axes.add_artist(Polygon(edge, clip_on=False, **shade))
        for style, value in panel.verticals:
            if np.isfinite(value):
                x, _ = at(value, low)
                self.line([x, x], [bottom, bottom + height], **_thin(printed_style(style)))
        for curve in panel.curves:
            self.line(*at(curve.x, curve.y), **_thin(LINE | printed_style(curve.style)))
        if not labelled:
            return
        # small enough for both words to fit one above the other
        for words, y, side in ((axis.positive, bottom + height, "right"), (axis.negative, bottom, "left")):
            turned = {"rotation": 90.0, "rotation_mode": "anchor", "ha": side, "color": SOFT}
            self.text(left - 19.0, y, words, min(5.2, 0.084 * height), **turned)


def loads_heading(averages: Iterable[GaitSummary | None]) -> str:
    """Heading of the panels of loads, which says whether any of the averages includes estimated steps."""
    return f"Internal moments and joint powers per body mass, ground reaction{estimated_words(averages)}"


def estimated_words(averages: Iterable[GaitSummary | None]) -> str:
    """End of the heading of loads if any of the averages includes estimated steps; else empty."""
    return f" ({ESTIMATED})" * any(any(own.estimated_count.values()) for own in averages if own)


def banner(page: PrintedPage, top: float, run: ReportRun) -> float:
    """A warning over the width of the page if marker sets are unconfirmed; return the y coordinate below it."""
    if not run.unconfirmed:
        return top
    words = unconfirmed_note(run)
    width = 0.88 * (WIDTH - 2.0 * MARGIN - 9.0)  # bold letters are wider
    below = page.paragraph(MARGIN + 9.0, top - 5.0, width, words, 7.2, 3, fontweight="bold") - 3.0
    page.bar((MARGIN, below, 4.0, top - 5.0 - below), facecolor=WARNING)
    return below - 2.0


def add_footers(pages: Sequence[PrintedPage], words: str, run: ReportRun) -> None:
    """Footer of each page: its subject, a warning on unconfirmed marker sets, and its number."""
    line = f"{unconfirmed(run)} · {words}" if run.unconfirmed else words
    for k, page in enumerate(pages, start=1):
        page.text(MARGIN, 18.0, cut(line, WIDTH - 2.0 * MARGIN - 40.0, 5.8), 5.8, color=SOFT)
        page.text(WIDTH - MARGIN, 18.0, f"{k} / {len(pages)}", 5.8, color=SOFT, ha="right")


def unconfirmed(run: ReportRun) -> str:
    """The unconfirmed marker sets in words."""
    return f"Unconfirmed marker set {', '.join(run.unconfirmed)}"


def unconfirmed_note(run: ReportRun) -> str:
    """The unconfirmed marker sets in words, with what to do."""
    return f"{unconfirmed(run)}: {UNCONFIRMED} gait confirm"


def save(path: Path, pages: Sequence[PrintedPage], title: str) -> None:
    """Write the pages; the same pages give the same bytes. Characters that no font has are named on standard error."""
    dateless: dict[str, Any] = {"CreationDate": None, "Title": printable(title)}
    # Fonts other than TrueType, which those of other scripts may be, cannot be embedded as type 42.
    kind: Any = {} if all(page.fonts == {FONT} for page in pages) else {"pdf.fonttype": 3}
    with settings(), rc_context(kind), PdfPages(path, metadata=dateless) as document:
        for page in pages:
            document.savefig(page.figure)
    if missing := sorted(set[str]().union(*(page.missing for page in pages))):
        names = ", ".join(f"{character} (U+{ord(character):04X})" for character in missing)
        remedy = "Install a font that has them, such as Noto Sans"
        print(f"{title}: characters in no installed font, printed as {MISSING}: {names}. {remedy}", file=sys.stderr)


def picture(height: float, draw: Callable[[PrintedPage, float, float], None], dpi: int) -> bytes:
    """A part of a page as PNG, over the whole width between the margins.

    Args:
        height: of the part, points.
        draw: draws on a page between two y coordinates, the upper one first.
        dpi: dots per inch.
    """
    page, written = PrintedPage(), io.BytesIO()
    top = HEIGHT - MARGIN
    draw(page, top, top - height)
    part = np.array([[MARGIN - 4.0, top - height - 6.0], [WIDTH - MARGIN + 4.0, top + 12.0]])
    with settings():
        FigureCanvasAgg(page.figure)
        page.figure.savefig(written, format="png", dpi=dpi, metadata={"Software": None}, bbox_inches=Bbox(part / 72.0))
    return written.getvalue()


def printable(words: str) -> str:
    """Text with spaces for control characters, and a replacement character for those missing in all fonts."""
    return "".join(map(_printable, words))


@cache
def _printable(character: str) -> str:
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return " "
    return character if font_of(character) else MISSING


@cache
def font_of(character: str) -> str:
    """Family of the font for a character: `FONT`, or the first installed one with a glyph for it; empty for none."""
    shipped = get_data_path()  # of matplotlib: mathematical fonts
    others = {entry.name for entry in fontManager.ttflist if not entry.fname.startswith(shipped)}
    with settings():
        for name in (FONT, *sorted(others)):
            font = get_font(findfont(FontProperties(family=[name])))  # a name alone is read as a pattern
            if font.get_char_index(ord(character)) and not font.get_char_index(_NO_CHARACTER):
                return name
    return ""


def broken(words: str, width: float, size: float, lines: int) -> list[str]:
    """Text broken into at most ``lines`` lines of about the given width, the last of which ends in an ellipsis if more
    would follow; wide (East Asian) characters count twice."""
    longest = max(8, int(width / (CHARACTER * size)))
    counted = "".join(c + _FILLER * (unicodedata.east_asian_width(c) in "WF") for c in words)
    found = textwrap.wrap(counted, longest)
    if len(found) > lines:
        found[lines - 1 :] = [textwrap.wrap(found[lines - 1], longest - len(_MORE))[0] + _MORE]
    return [line.replace(_FILLER, "") for line in found]


def cut(words: str, width: float, size: float) -> str:
    """One line of text; what does not fit is replaced by an ellipsis."""
    return next(iter(broken(words, width, size, 1)), "")


def _thin(style: dict[str, Any]) -> dict[str, Any]:
    return style | {"linewidth": THIN * style.get("linewidth", LINE["linewidth"])}
