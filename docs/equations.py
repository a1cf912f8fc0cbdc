"""Equations of the documentation as MathML, which browsers draw without a script."""

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

_EQUATION = re.compile(r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<tex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """Replace what `pymdownx.arithmatex` marks as an equation."""

    def drawn(match: re.Match[str]) -> str:
        display = "block" if match["tag"] == "div" else "inline"
        return convert(unescape(match["tex"]).strip(), display=display)

    return _EQUATION.sub(drawn, html)
