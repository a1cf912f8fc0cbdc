"""Index page of the worked examples, with a figure and its description for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from matplotlib.figure import Figure

from pipeline.examples import (
    ankle_knee,
    cylinders,
    double_pendulum,
    manipulators,
    pid,
    reaching,
    spring,
    trade_offs,
    walking,
)
from pipeline.examples.tables import Table


@dataclass(frozen=True)
class Example:
    """One worked system: file name, title, source, a function that draws it and returns a text, and one for tables."""

    name: str
    title: str
    source: str
    draw: Callable[[Figure], str]
    tables: Callable[[], Sequence[Table]] = tuple


def all_examples(skeleton_path: Path) -> tuple[Example, ...]:
    """The examples in the order of the texts; the ankle and knee need the human of the given file."""
    matrix_forward = "Watanabe and Duarte, Matrix formalism of the Newton-Euler equations: forward dynamics"
    matrix_inverse = "Watanabe, Matrix formalism of the Newton-Euler equations: inverse dynamics"
    thesis = "Thesis on recursive Newton-Euler dynamics and sensitivity analysis, chapter 4"
    return (
        Example("double_pendulum", "Double pendulum", matrix_forward, double_pendulum.draw),
        Example("pid", "Double pendulum with a controlled second bar", matrix_forward, pid.draw),
        Example("spring", "Double pendulum tied by a spring", matrix_forward, spring.draw),
        Example(
            "reaching",
            "Coupling torques of a reaching arm",
            f"{matrix_forward}; Hollerbach and Flash 1982",
            reaching.draw,
        ),
        Example("ankle_knee", "Ankle and knee", matrix_inverse, lambda fig: ankle_knee.draw(fig, skeleton_path)),
        Example(
            "cylinders",
            "Two cylindrical bars in space",
            f"{matrix_inverse}, problem 2",
            cylinders.draw,
            cylinders.tables,
        ),
        Example(
            "two_revolute",
            "Two links with revolute joints, in minimum time",
            f"{thesis}, figures 4.2 to 4.4",
            manipulators.draw_two_revolute,
            manipulators.revolute_tables,
        ),
        Example(
            "prismatic_revolute",
            "A slide and a rotation, time against effort",
            f"{thesis}, figures 4.5 to 4.7",
            manipulators.draw_prismatic_revolute,
            manipulators.prismatic_tables,
        ),
        Example(
            "pareto_front",
            "Time against effort for every weight",
            f"{thesis}, equation 4.18",
            trade_offs.draw_front,
            trade_offs.front_tables,
        ),
        Example(
            "intervals",
            "Time against the number of intervals",
            f"{thesis}, equations 4.13 and 4.14",
            trade_offs.draw_intervals,
            trade_offs.interval_tables,
        ),
        Example(
            "walking",
            "A walk by inverse recursive dynamics and optimisation",
            "Thesis on recursive Newton-Euler dynamics and sensitivity analysis, figures 5.1 to 5.5",
            lambda fig: walking.draw(fig, skeleton_path),
            lambda: walking.tables(skeleton_path),
        ),
    )


def write_examples(folder: Path, skeleton_path: Path) -> list[Path]:
    """Draw all examples into a folder and write index.html; return the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written, sections = [], []
    for example in all_examples(skeleton_path):
        figure = Figure(figsize=(10.0, 4.2), layout="constrained")
        text = example.draw(figure)
        path = folder / f"{example.name}.svg"
        figure.savefig(path)
        written.append(path)
        sections.append(
            f"<h2>{escape(example.title)}</h2><p>{escape(text)}</p>"
            f'<img src="{path.name}" alt="{escape(example.title)}">{"".join(t.html() for t in example.tables())}'
            f'<p class="source">{escape(example.source)}</p>'
        )
    index = folder / "index.html"
    index.write_text(_PAGE.format(sections="\n".join(sections)), encoding="utf-8")
    return [*written, index]


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Worked systems</title>
<style>body {{font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem}}
img {{max-width: 100%; break-inside: avoid}}
h2 {{break-after: avoid}}
table {{display: block; overflow-x: auto; border-collapse: collapse}}
table {{font-size: 0.9rem; font-variant-numeric: tabular-nums}}
th, td {{text-align: left; padding: 0.2rem 0.9rem 0.2rem 0; border-bottom: 1px solid #ddd; vertical-align: top}}
.source {{color: #555; font-size: 0.9rem}}</style></head>
<body><h1>Worked systems</h1>
{sections}
</body></html>
"""
