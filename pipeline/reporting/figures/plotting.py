"""Curves of a trial as matplotlib figures for notebooks, PDF and PNG: `pipeline.plot` and `pipeline.plot_page`.

They draw what `pipeline.open_trial` returns, with the same panels as the pages.
"""

from __future__ import annotations

import difflib
import io
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pipeline.analysis import MUSCLE_CURVES, SKELETON_VARIABLES, VARIABLES, Variable, foot_off
from pipeline.conventions import SIDES
from pipeline.reporting.figures.axes import add_axes, draw_panel, settings
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS, SideCurves, norm_of, variable_panel
from pipeline.reporting.figures.panels import Band, Curve, Panel, XAxis, YAxis
from pipeline.reporting.figures.prediction import comparison_panel
from pipeline.results.labelled_values import has_value, value_of
from pipeline.results.opening import open_trial
from pipeline.results.tables import tables
from pipeline.trial import CycleCurves, GaitCycles, GaitSummary, PredictedComparison

if TYPE_CHECKING:
    import pandas as pd
    import xarray

PANEL = 460.0, 270.0
"""Width and height of a single panel, points."""

PAGE_WIDTH, ROW_HEIGHT, HEADING, HEADER, FOOTER, LEGEND = 1104.0, 200.0, 26.0, 30.0, 10.0, 26.0
"""Sizes on a page, points."""

_NO_DATE = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}


class PlotFigure(Figure):
    """A figure that notebooks display automatically, and that is saved with text as text and without a date."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """As `matplotlib.figure.Figure.savefig`."""
        kind = f".{options['format']}" if "format" in options else Path(str(fname)).suffix
        with settings():
            super().savefig(fname, **{"metadata": _NO_DATE.get(kind.lower())} | options)

    def _repr_png_(self) -> bytes:
        stream = io.BytesIO()
        self.savefig(stream, format="png", dpi=120)
        return stream.getvalue()


def plot(trial: xarray.DataTree | pd.DataFrame | str | Path, variable: str) -> Figure:
    """Plot one curve of a trial with both sides and the norm's band, in reported units.

    >>> import pipeline
    >>> legs_only = {"whole_body": {"enabled": False}}
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70, settings=legs_only)
    >>> pipeline.plot(walk, "heel_speed").axes[0].get_title(loc="left")
    'Heel speed (m/s)'

    Args:
        trial: what `pipeline.open_trial` returns, or a path that it takes (a walk, a subject, or a prediction compared
            with a walk); or rows of the table ``study_curves``. For curves without means in that table (muscles, whole
            body), mean and spread of the cycles are drawn.
        variable: a curve over the gait cycle, such as "knee_flexion", "trunk_flexion" or "soleus_force"; or a
            coordinate of the 55-joint skeleton over time, such as "left_knee_flexion".

    Raises:
        ValueError: the trial has no such curve.
        ResultsError: there are no results at the path.
    """
    panel = _reader(trial)(variable)
    with settings():
        figure = PlotFigure(figsize=(PANEL[0] / 72.0, (PANEL[1] + LEGEND) / 72.0))
        axes = add_axes(figure, PANEL, y=LEGEND)
        draw_panel(axes, panel)
        _add_legend(figure, [axes], "lower center")
    return figure


def plot_page(trial: xarray.DataTree | str | Path) -> Figure:
    """Plot the joint angles, internal moments, powers and ground reaction of a trial on one page.

    >>> import pipeline
    >>> legs_only = {"whole_body": {"enabled": False}}
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70, settings=legs_only)
    >>> pipeline.plot_page(walk).axes[0].get_title(loc="left")
    'Pelvic tilt (°)'

    Args:
        trial: as for `plot`, except rows of a table.

    Raises:
        ValueError: the trial has no curves over the gait cycle.
        ResultsError: there are no results at the path.
    """
    read = _reader(trial)
    rows = {**KINEMATICS, **KINETICS, **GROUND}
    height = HEADER + len(rows) * (HEADING + ROW_HEIGHT) + FOOTER
    with settings():
        figure = PlotFigure(figsize=(PAGE_WIDTH / 72.0, height / 72.0))
        drawn = []
        for row, (heading, variables) in enumerate(rows.items()):
            y = height - HEADER - (row + 1) * (HEADING + ROW_HEIGHT)
            figure.text(14.0 / PAGE_WIDTH, (y + ROW_HEIGHT + 6.0) / height, heading, fontsize=12.0, fontweight="bold")
            size = PAGE_WIDTH / len(variables), ROW_HEIGHT
            for column, variable in enumerate(variables):
                drawn.append(add_axes(figure, size, column * size[0], y))
                draw_panel(drawn[-1], read(variable.name))
        _add_legend(figure, drawn, "upper center")
    return figure


def _add_legend(figure: Figure, drawn: list[Axes], place: Literal["lower center", "upper center"]) -> None:
    """A legend of all labels, each once."""
    handles = {label: handle for axes in drawn for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if handles:
        figure.legend(list(handles.values()), list(handles), loc=place, ncols=len(handles), fontsize=10.0)


def _reader(trial: xarray.DataTree | pd.DataFrame | str | Path) -> Callable[[str], Panel]:
    """Return a function that makes the panel of a curve from its name."""
    import pandas as pd

    panels: dict[str, Callable[[], Panel]] = {}
    if isinstance(trial, pd.DataFrame):
        panels |= {str(name): partial(_tabled, rows) for name, rows in trial.groupby("variable", observed=True)}
    else:
        panels |= _of_tree(open_trial(trial) if isinstance(trial, (str, Path)) else trial)

    def read(name: str) -> Panel:
        if name in panels:
            return panels[name]()
        near = difflib.get_close_matches(name, panels, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(panels) or 'none'}"
        raise ValueError(f"no curve is called {name!r}: {hint}")

    return read


def _of_tree(tree: Any) -> dict[str, Callable[[], Panel]]:
    """The panels of a trial, a subject or a comparison, by the name of their curve."""
    import xarray

    panels: dict[str, Callable[[], Panel]] = {}
    file = xarray.DataTree(children={"value": tree})  # of a subject's averages or of a comparison
    if "predicted" in tree.data_vars:
        both = value_of(file, "value", PredictedComparison)
        panels |= _by_name(both.variable_names, lambda variable: comparison_panel(both, variable))
    elif has_value(tree, "summary"):
        cycles = value_of(tree, "cycles", GaitCycles).cycles if has_value(tree, "cycles") else ()
        panels |= _averaged(value_of(tree, "summary", GaitSummary), cycles)
    elif "norm_mean" in tree.data_vars:
        panels |= _averaged(value_of(file, "value", GaitSummary), ())
    if "whole_body" in tree.children and "kinematic" in tree["whole_body"].children:
        panels |= _coordinates(tree["whole_body"])
    if all(has_value(tree, stage) for stage in ("kinematics", "cycles", "summary", "plausibility")):
        read = cache(partial(_rows_of, tree))
        names = (*SKELETON_VARIABLES, *MUSCLE_CURVES)
        panels |= {name: partial(_of_rows, read, name) for name in names if name not in panels}
    return panels


def _rows_of(tree: xarray.DataTree) -> dict[str, pd.DataFrame]:
    """Table rows of a walk by curve, for curves that no stage stores over the gait cycle."""
    return {str(name): rows for name, rows in tables(tree)["curves"].groupby("variable", observed=True)}


def _of_rows(read: Callable[[], dict[str, pd.DataFrame]], name: str) -> Panel:
    if name not in read():
        raise ValueError(f"the walk has no {name}: it needs the skeleton and, for muscles and forces, their stage")
    return _tabled(read()[name])


def _tabled(rows: pd.DataFrame) -> Panel:
    """One curve of ``study_curves``: the means or cycles, or else the first kind that the rows have."""
    percent = np.unique(rows["percent"])
    kinds = list(dict.fromkeys(rows["kind"]))
    kind = next((known for known in ("mean", "cycle") if known in kinds), kinds[0])

    def lines(kind: str, side: str | None) -> np.ndarray:
        own = rows[(rows["kind"] == kind) & ((rows["side"] == side) if side else True)]
        line = ["subject", "session", "trial", "side", "cycle"]
        wide = own.assign(cycle=own["cycle"].fillna(0)).pivot_table(
            "value", line, "percent", dropna=False, observed=True
        )
        return wide.reindex(columns=percent).dropna(how="all").to_numpy()

    def mean_of(values: np.ndarray) -> np.ndarray:
        return values.mean(axis=0) if len(values) else np.full(percent.size, np.nan)

    variable = VARIABLES.get(str(rows["variable"].iloc[0]))
    curves, bands = [], []
    normal, spread = (mean_of(lines(f"norm {part}", None)) for part in ("mean", "sd"))
    if np.isfinite(normal).any():
        bands.append(Band(percent, normal - spread, normal + spread, "norm", "Norm ± 1 SD"))
    for side in SIDES:
        found = lines(kind, side)
        if not len(found):
            continue
        mean, within = mean_of(found), lines("sd", side)
        sd = (
            mean_of(within) if len(found) == len(within) == 1 else found.std(axis=0, ddof=1) if len(found) > 1 else None
        )
        curves.append(Curve(percent, mean, side, side.capitalize()))
        if sd is not None:
            bands.append(Band(percent, mean - sd, mean + sd, f"spread {side}", f"{side.capitalize()} ± 1 SD"))
    if variable is not None and variable.axis:
        return Panel(YAxis.of(variable), tuple(curves), tuple(bands), missing="no values")
    drawn = np.concatenate([np.zeros(1), *(curve.y[np.isfinite(curve.y)] for curve in curves)])
    title = str(rows["variable"].iloc[0]).replace("_", " ").capitalize()
    low, high = float(drawn.min()), float(drawn.max())
    axis = YAxis(title, str(rows["unit"].iloc[0]), low, high if high > low else low + 1.0)
    return Panel(axis, tuple(curves), tuple(bands), missing="no values")


def _averaged(summary: GaitSummary, cycles: Sequence[CycleCurves]) -> dict[str, Callable[[], Panel]]:
    """Panels with mean and standard deviation of each side's cycles, and the norm."""
    offs = {side: [foot_off(c) for c in cycles if c.cycle.side == side] for side in SIDES}

    def sides(name: str) -> dict[str, SideCurves]:
        return {
            side: SideCurves(
                mean=summary.mean[side][name],
                foot_off=float(np.mean(offs[side])) if offs[side] else float("nan"),
                sd=summary.sd[side][name] if summary.count[side][name] > 1 else None,
            )
            for side in SIDES
            if np.isfinite(summary.mean[side][name]).any()
        }

    def panel(variable: Variable) -> Panel:
        return variable_panel(variable, sides, norm_of(summary), "no cycle has this curve")

    return _by_name(summary.norm_mean, panel)


def _by_name(names: Iterable[str], panel: Callable[[Variable], Panel]) -> dict[str, Callable[[], Panel]]:
    known = [VARIABLES[name] for name in names if name in VARIABLES]
    return {variable.name: partial(panel, variable) for variable in known if variable.axis}


def _coordinates(body: xarray.DataTree) -> dict[str, Callable[[], Panel]]:
    """Panels of the skeleton's coordinates over time, for the kinematic and, if present, residual-reduced motion."""
    motions = {name: body[name] for name in ("kinematic", "residual_reduced") if name in body.children}

    def panel(joint: str) -> Panel:
        metres = joint.endswith(("_tx", "_ty", "_tz"))
        curves = []
        for style, motion in motions.items():
            values = np.asarray(motion["q"].sel(joint=joint))
            y = 1000.0 * values if metres else np.degrees(values)
            curves.append(Curve(np.asarray(motion["time"]), y, style, style.replace("_", "-").capitalize()))
        time, drawn = curves[0].x, np.concatenate([curve.y for curve in curves])
        low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
        margin = max(0.05 * (high - low), 1.0)
        axis = YAxis(joint.replace("_", " ").capitalize(), "mm" if metres else "°", low - margin, high + margin)
        return Panel(axis, tuple(curves), across=XAxis(float(time[0]), float(time[-1]), "s"))

    return {str(joint): partial(panel, str(joint)) for joint in np.asarray(body["joint"])}
