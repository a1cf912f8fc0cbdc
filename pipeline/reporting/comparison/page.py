"""The page that compares two groups of walks of one subject, such as two visits or conditions, or its two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from pipeline.analysis import GPS_CHANGE, PARAMETERS, VARIABLES
from pipeline.config import parsed
from pipeline.counts import counted
from pipeline.reporting.clinical.paper import estimated_words
from pipeline.reporting.comparison.tables import feature_label
from pipeline.reporting.figures.curves import panel_rows
from pipeline.reporting.figures.group_comparison import (
    FIGURES,
    difference_panel,
    line_styles,
    mapped,
    names_of,
    overlaid_panel,
)
from pipeline.reporting.interpretation import html_of
from pipeline.reporting.notes import by_heading
from pipeline.reporting.numbers import MISSING, number
from pipeline.reporting.pages import write_page
from pipeline.reporting.references import REFERENCES, Methods
from pipeline.reporting.run import ReportRun
from pipeline.trial import GaitSummary, GroupComparison, ScalarChange, WalkGroup


@dataclass(frozen=True)
class ChangeCells:
    """A scalar of one side as text.

    Attributes:
        interval: ± half the 95 % confidence interval of the change; a dash if not known.
        spread: standard deviations between the walks of the first and of the second group; a dash if neither is known.
        clear: whether the interval excludes zero.
    """

    first: str
    second: str
    change: str
    interval: str
    spread: str
    clear: bool


@dataclass(frozen=True)
class ChangeRow:
    """A scalar with the cells of each side; None unless it is known for both groups."""

    name: str
    units: str
    cells: tuple[ChangeCells | None, ...]


def write_group_comparison_report(
    path: Path,
    both: GroupComparison,
    first: GaitSummary,
    second: GaitSummary,
    dates: tuple[str, str],
    run: ReportRun,
    pdf: str = "",
    interpretation: str = "",
    features: Sequence[tuple[str, str, str]] = (),
) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        both: the comparison.
        first, second: averages of the groups.
        dates: of the groups' sessions; empty if not given.
        run: the study, configuration and versions.
        pdf: file name of the printed report, in the same folder; empty for none.
        interpretation: text written by the clinician, in Markdown; empty for none.
        features: statistic, curve and phase of the features shown.
    """
    names, sides = names_of(both), both.side_names
    score_sides = tuple(dict.fromkeys((*sides, "")))
    estimated = estimated_words((first, second))
    chosen = [f"{each} {curve} in {phase}" for each, curve, phase in features]
    write_page(
        path,
        "group_comparison.html.j2",
        run=run,
        both=both,
        names=names,
        groups=(_facts(names[0], both.first, first, dates[0]), _facts(names[1], both.second, second, dates[1])),
        score_sides=score_sides,
        styles={side: line_styles(side, both) for side in sides},
        notes=by_heading(both.notes),
        gps_change=number(GPS_CHANGE, 1),
        scores=_rows(both, "score", score_sides),
        interval=any(np.isfinite(change.half_width) for change in both.scalars),
        spread=any(np.isfinite([change.first_sd, change.second_sd]).any() for change in both.scalars),
        profile=_rows(both, "profile", sides),
        parameters=_rows(both, "parameter", sides),
        features=_rows(both, "feature", sides, chosen, estimated),
        overlaid={
            title: {side: panel_rows(figure, partial(overlaid_panel, side, both, first, second)) for side in sides}
            for title, (figure, _) in FIGURES.items()
        },
        differences={
            title: {side: panel_rows(figure, partial(difference_panel, side, both)) for side in sides}
            for title, (figure, _) in FIGURES.items()
        },
        columns={title: columns for title, (_, columns) in FIGURES.items()},
        mapping={side: mapped(side, both) for side in sides} if both.maps else {},
        second=second,
        own_norm=_own_norm(first, second),
        estimated=estimated,
        pdf=pdf,
        interpretation=html_of(interpretation),
        methods=SIDES_METHODS if both.first.side else METHODS,
    )


def _own_norm(first: GaitSummary, second: GaitSummary) -> str:
    """Norm of the first group's scores in words; empty without one, or if it is that of the second group."""
    one, other = ((of.norm, number(of.norm_speed, 2)) for of in (first, second))
    if one == other or not first.norm:
        return ""
    own = f"{one[0]} at dimensionless speed {one[1]}"
    return f"Curves are shown with that norm; the first group's scores are relative to {own}."


def _facts(which: str, group: WalkGroup, average: GaitSummary, date: str) -> dict[str, str]:
    """Text on a group in the header of the page."""
    name = ", ".join(filter(None, (f"session {group.session}", group.condition, group.side)))
    count = counted(len(group.walks), "walk")
    walks = f"{count} ({group.cycles['left']} left, {group.cycles['right']} right cycles)"
    about = " · ".join(filter(None, (date, walks, f"{number(average.walking_speed, 2)} m/s")))
    return {"which": which, "name": name, "about": about}


def _rows(
    both: GroupComparison,
    kind: str,
    sides: tuple[str, ...],
    chosen: Sequence[str] | None = None,
    estimated: str = "",
) -> tuple[ChangeRow, ...]:
    """A row for each scalar of a kind, with a cell for each side: all scalars, or the chosen ones in their order."""
    found = {(change.name, change.side): change for change in both.scalars if change.kind == kind}
    known = dict.fromkeys(name for name, _ in found)
    rows = []
    for name in known if chosen is None else [name for name in chosen if name in known]:
        label, units, decimals = _shown(kind, name, estimated)
        cells = tuple(_cells(found[name, side], decimals) if (name, side) in found else None for side in sides)
        rows.append(ChangeRow(label, units, cells))
    return tuple(rows)


def _shown(kind: str, name: str, estimated: str) -> tuple[str, str, int]:
    """Label, units and decimals."""
    if kind == "parameter":
        parameter = PARAMETERS[name]
        return parameter.label, parameter.display_units, parameter.decimals
    if kind == "feature":
        variable = VARIABLES[parsed(name)[1]]
        return feature_label(*parsed(name), estimated), variable.display_units, variable.decimals
    return (VARIABLES[name].title if kind == "profile" else "Gait Profile Score"), "°", 1


def _cells(change: ScalarChange, decimals: int) -> ChangeCells:
    spread = [number(sd, decimals) for sd in (change.first_sd, change.second_sd)]
    half_width = number(change.half_width, decimals)
    sign = "+" if change.change > 0.0 and float(f"{change.change:.{decimals}f}") else ""
    return ChangeCells(
        number(change.first, decimals),
        number(change.second, decimals),
        sign + number(change.change, decimals),
        MISSING if half_width == MISSING else f"± {half_width}",
        MISSING if set(spread) == {MISSING} else " / ".join(spread),
        change.clear,
    )


_LIMITS = (
    "They hold for this subject's walks of these visits, not for other people, and do not include the variation from "
    "placing markers again. No interval is corrected for their number: of the intervals of values that do not change, "
    "one in twenty excludes zero by chance, and so do parts of those of curves, which are pointwise. The "
    "minimal clinically important difference of the Gait Profile Score, 1.6°, is for children with cerebral palsy "
    "(Baker et al. 2012); there is none for the columns of the profile, which are shown with the standard deviation "
    "between walks."
)

METHODS = Methods(
    "Values of a group are over all its gait cycles together, as on the page of its averages; a change is "
    "second minus first. Cycles of one walk are not independent, so the 95 % confidence intervals come from the "
    "walks: each is left out once (jackknife, Tukey 1958), and Student's t has the degrees of freedom of Welch "
    f"(1947). {_LIMITS}",
    (REFERENCES["baker"], REFERENCES["baker_change"], REFERENCES["tukey"], REFERENCES["welch"]),
)

SIDES_METHODS = Methods(
    "Values of a side are over all its gait cycles together, as on the page of the averages; a change is the "
    "second side minus the first. Cycles of one walk are not independent, so the 95 % confidence intervals come from "
    "the walks: each, with both its sides, is left out once (jackknife, Tukey 1958), and Student's t has one degree of "
    "freedom less than there are walks of the side with fewer; if no walk has both sides, as with moments of walks on "
    f"one plate, it has those of Welch (1947). {_LIMITS}",
    (REFERENCES["baker"], REFERENCES["baker_change"], REFERENCES["tukey"], REFERENCES["welch"]),
)
