"""Run the examples of the documentation's gallery when the page is built, and show their figures and tables."""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl

ROOT = Path(__file__).resolve().parents[1]
PAGE = "gallery.md"
_EXAMPLE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def run(text: str, folder: Path) -> list[dict[str, Any]]:
    """Run the examples of a page in order, and return the ``figure`` or ``table`` of each, if any.

    Args:
        text: the page; an example can use the names defined by those above it.
        folder: where the examples write; it gets a link to the repository's ``data``.
    """
    (folder / "data").symlink_to(ROOT / "data")
    names: dict[str, Any] = {}
    made = []
    before = Path.cwd()
    with mpl.rc_context({"backend": "agg"}):
        try:
            os.chdir(folder)
            for number, code in enumerate(_EXAMPLE.findall(text), start=1):
                names |= {"figure": None, "table": None}
                exec(compile(code, f"{PAGE}, example {number}", "exec"), names)
                made.append({what: names[what] for what in ("figure", "table") if names[what] is not None})
        finally:
            os.chdir(before)
    return made


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Add the figure or table of each example below it."""
    if page.file.src_uri != PAGE:
        return markdown
    with tempfile.TemporaryDirectory() as folder:
        made = run(markdown, Path(folder))
    pictures = Path(config["site_dir"]) / "gallery"
    pictures.mkdir(parents=True, exist_ok=True)
    shown = iter(enumerate(made, start=1))

    def with_result(match: re.Match[str]) -> str:
        number, own = next(shown)
        parts = [match[0]]
        if "figure" in own:
            own["figure"].savefig(pictures / f"{number}.svg")
            parts.append(f'<img src="{number}.svg" alt="Figure of example {number}">\n')
        if "table" in own:
            parts.append(
                own["table"].to_html(border=0, float_format="{:.2f}".format).replace(' class="dataframe"', "") + "\n"
            )
        return "\n".join(parts)

    return _EXAMPLE.sub(with_result, markdown)
