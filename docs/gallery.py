"""The gallery of the documentation: its examples are run when the page is built, and shown with what they make."""

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
    """What each example of a page makes: ``figure``, ``table`` or nothing.

    Args:
        text: the page; examples have the names of those above them.
        folder: where they write; ``data`` of the repository is seen there.
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
    """Add its picture or table below each example."""
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
            parts.append(f'<img src="{number}.svg" alt="What example {number} draws">\n')
        if "table" in own:
            parts.append(
                own["table"].to_html(border=0, float_format="{:.2f}".format).replace(' class="dataframe"', "") + "\n"
            )
        return "\n".join(parts)

    return _EXAMPLE.sub(with_result, markdown)
