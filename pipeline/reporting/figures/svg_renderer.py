"""A matplotlib renderer that writes the artists of a panel as short SVG.

A page has dozens of panels, which reflow on a narrow screen. To keep it small, styles and fonts are left to the page's
style sheet, lines of the same class are joined in one path, and coordinates are relative and rounded to a tenth of a
point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Transform

_KINDS = {"field", "zero", "title", "words", "missing"}
_STYLED = re.compile(r"(curve|band|span|vertical)\.(\d+)\.(.+)")
_ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}


@dataclass(frozen=True)
class Drawing:
    """SVG of artists.

    Attributes:
        paths: path data by the attributes of the path element.
        texts: text elements.
    """

    paths: Mapping[str, str]
    texts: tuple[str, ...]


class PanelRenderer(RendererBase):
    """Draws panels of one size, one after another; one pixel is one point.

    Args:
        size: width and height of a panel, points.
    """

    def __init__(self, size: tuple[float, float]) -> None:
        super().__init__()
        self.width, self.height = size
        self._flip = Affine2D().scale(1.0, -1.0).translate(0.0, self.height)
        self._identity = ""
        self._kinds = [""]  # of the enclosing groups
        self._paths: dict[str, list[str]] = {}  # by attributes: all lines of the grid, for example, are one path
        self._texts: list[str] = []

    def draw(self, artists: Iterable[Artist], identity: str = "") -> Drawing:
        """Draw artists of `draw_panel` in their order of drawing, with text as text.

        Args:
            artists: of a figure of the renderer's size.
            identity: prefix of ids; the id of the third curve is "identity-curve-2".

        Raises:
            ValueError: there is a path or text that `draw_panel` does not make.
        """
        self._identity, self._paths, self._texts = identity, {}, []
        for artist in sorted(artists, key=Artist.get_zorder):
            artist.draw(self)
        return Drawing({attributes: "".join(data) for attributes, data in self._paths.items()}, tuple(self._texts))

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Width and height, points."""
        return self.width, self.height

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        """Extents of a text, points."""
        return text_to_path.get_text_width_height_descent(s, prop, ismath)

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Begin a group; its id gives the kind of everything in it, otherwise the enclosing group does."""
        known = gid and (gid in _KINDS or _STYLED.fullmatch(gid))
        self._kinds.append(gid if known and gid else "tick" if s in ("xtick", "ytick") else self._kinds[-1])

    def close_group(self, s: str) -> None:
        """End a group; see `open_group`."""
        self._kinds.pop()

    def draw_path(self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Any = None) -> None:
        """Add a line, or the outline of an area."""
        line = rgbFace is None
        canvas = (0.0, 0.0, self.width, self.height) if line else None
        simplify = bool(line and path.should_simplify)
        seen = path.cleaned(transform + self._flip, remove_nans=True, clip=canvas, simplify=simplify)
        self._paths.setdefault(self._attributes(), []).append(short_path(seen))

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Text | None = None,
    ) -> None:
        """Add text at its anchor; the browser, whose fonts differ from matplotlib's, does the horizontal alignment."""
        if mtext is None or angle not in (0.0, 90.0):
            raise ValueError(f"text of a panel is not turned by {angle:g} degrees: {s!r}")
        at_x, at_y = mtext.get_transform().transform(mtext.get_unitless_position())
        at_x, at_y = (at_x, y) if angle == 0.0 else (x, self.height - at_y)
        across, down = _tenths(round(10.0 * at_x)), _tenths(round(10.0 * at_y))
        place = f'x="{across}" y="{down}"' if angle == 0.0 else f'transform="translate({across} {down}) rotate(-90)"'
        kind, content = self._kinds[-1], escape(s)
        if kind == "title":
            content = re.sub(r"( \([^()]+\))$", r"<tspan>\1</tspan>", content)  # units, less heavy than the name
        self._texts.append(f'<text class="{kind}" {place}{_ANCHORS[mtext.get_horizontalalignment()]}>{content}</text>')

    def _attributes(self) -> str:
        kind = self._kinds[-1]
        if styled := _STYLED.fullmatch(kind):
            what, number, style = styled.groups()
            return f'id="{self._identity}-{what}-{number}" class="{what} {style.replace(".", " ")}"'
        return f'class="{"grid" if kind == "tick" else kind}"'


def short_path(path: Path) -> str:
    """SVG data of a path of straight lines, relative and rounded to a tenth; rounding errors do not accumulate.

    Raises:
        ValueError: the path does not consist of straight lines.
    """
    out, at, before = [], (0, 0), 0
    start = at
    places = np.round(10.0 * np.asarray(path.vertices)).astype(int).tolist()
    for (x, y), code in zip(places, np.asarray(path.codes).tolist(), strict=True):
        if code == Path.CLOSEPOLY:
            out.append("z")
            at = start
        elif code == Path.MOVETO:
            out.append(f"M{_tenths(x)} {_tenths(y)}")
            start = at = (x, y)
        elif code == Path.LINETO:
            if (x, y) == at:
                continue
            across, down = _tenths(x - at[0]), _tenths(y - at[1])
            first = "l" if before != Path.LINETO else "" if across[0] == "-" else " "
            out.append(f"{first}{across}{down}" if down[0] == "-" else f"{first}{across} {down}")
            at = (x, y)
        elif code == Path.STOP:
            break
        else:
            raise ValueError(f"a path of a panel is of straight lines, not of code {code}")
        before = code
    return "".join(out)


@cache
def _tenths(value: int) -> str:
    """An integer number of tenths as text, without a leading zero."""
    return f"{value / 10:g}".replace("0.", ".") if abs(value) < 10 else f"{value / 10:g}"
