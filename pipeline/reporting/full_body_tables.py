"""Tables of the whole skeleton's page, as rows of ready text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.comparison.body_measures import FORCE_AXES, MOMENT_AXES, MarkerErrors, limits, marker_errors, residual
from pipeline.reporting.tables import MISSING, number
from pipeline.trial import FullBody

WORST_FRAMES = 5


@dataclass(frozen=True)
class MarkerRow:
    """Distances of one marker from its place, in mm and s, with the numbers that the columns sort by."""

    name: str
    link: str
    cells: tuple[tuple[float, int], ...]


def marker_rows(body: FullBody) -> list[MarkerRow]:
    """RMS, largest and its time of every marker, and its RMS in the consistent motion; the farthest first."""
    own = marker_errors(body.untouched)
    bent = marker_errors(body.consistent).rms if body.consistent else np.full(len(own.rms), np.nan)
    order = np.argsort(-np.nan_to_num(own.rms, nan=-1.0), kind="stable")
    return [
        MarkerRow(
            body.fitted_markers[k],
            _plain(body.marker_joints[k]),
            (
                (1000.0 * own.rms[k], 1),
                (1000.0 * own.largest[k], 1),
                (body.time[own.worst[k]] if own.worst[k] >= 0 else np.nan, 2),
                (1000.0 * bent[k], 1),
            ),
        )
        for k in order
    ]


def worst_frames(body: FullBody) -> list[tuple[str, ...]]:
    """Time, frame from 1, RMS over its markers in mm, and the farthest marker, of the worst frames."""
    errors = marker_errors(body.untouched)
    known = np.flatnonzero(np.isfinite(errors.frame_rms))
    order = known[np.argsort(-errors.frame_rms[known], kind="stable")][:WORST_FRAMES]
    rows: list[tuple[str, ...]] = []
    for frame in order:
        distance = np.nan_to_num(body.untouched.marker_distance[frame], nan=-1.0)
        k = int(np.argmax(distance))
        farthest = f"{body.fitted_markers[k]}, {number(1000.0 * distance[k], 1)} mm"
        rows.append(
            (number(body.time[frame], 2), str(frame + 1), number(1000.0 * errors.frame_rms[frame], 1), farthest)
        )
    return rows


@dataclass(frozen=True)
class ResidualRow:
    """One of the six residuals: name, unit, cells of both motions, and whether the untouched peak is within limits."""

    name: str
    unit: str
    cells: tuple[str, ...]
    limit: str
    within: bool


def residual_rows(body: FullBody) -> list[ResidualRow]:
    """RMS and peak untouched, RMS and peak consistent, RMS on held-out frames, limit; empty without balance."""
    own = residual(body, body.untouched)
    bent = residual(body, body.consistent) if body.consistent else None
    if own is None:
        return []
    force_limit, moment_limit = limits(body)
    unknown = np.full(3, np.nan)
    rows = []
    for kind, axes, unit, limit, held_out, decimals in (
        ("force", FORCE_AXES, "% BW", force_limit, 100.0 * body.held_out_force, 1),
        ("moment", MOMENT_AXES, "% BW·height", moment_limit, unknown, 2),
    ):
        columns = [
            getattr(found, f"{kind}_{of}") if found else unknown for found in (own, bent) for of in ("rms", "peak")
        ]
        for k, axis in enumerate(axes):
            cells = tuple(number(column[k], decimals) for column in (*columns, held_out))
            name = f"{kind.capitalize()}, {axis.replace('_', '-')}"
            rows.append(ResidualRow(name, unit, cells, number(limit, decimals), bool(columns[1][k] <= limit)))
    return rows


def comparison_rows(body: FullBody) -> list[tuple[str, ...]]:
    """Joint, correlation, RMS of the difference, both peaks and their difference, Nm/kg."""
    return [
        (
            found.joint.replace("_", " "),
            number(found.correlation, 4),
            number(found.rms, 3),
            number(found.matrix_form, 3),
            number(found.skeleton, 3),
            number(found.skeleton - found.matrix_form, 3),
        )
        for found in body.comparison
    ]


def size_rows(body: FullBody) -> list[tuple[str, str, str]]:
    """Segment, size in % of that of the stature's average, and where it comes from."""
    assumed = {note.subject.removeprefix("skeleton: ") for note in body.notes if note.kind == "assumed"}
    return [
        (_plain(name), number(100.0 * factor, 1), "assumed from stature" if name in assumed else "static trial")
        for name, factor in body.sizes.items()
    ]


def turn_rows(body: FullBody) -> list[tuple[str, str]]:
    """Constant turns, degrees."""
    return [(_plain(name), number(float(np.degrees(angle)), 1)) for name, angle in body.turns.items()]


def centre_rows(body: FullBody) -> list[tuple[str, str]]:
    """Distance of each of the skeleton's joints from the anatomical model's centre in the static trial, mm."""
    return [(_plain(name), number(1000.0 * error, 1)) for name, error in body.centre_errors.items()]


def coordinate_rows(body: FullBody) -> list[tuple[str, str, str]]:
    """Coordinates that are not plainly seen or are at a limit: name, what the markers show of it, part at a limit."""
    rows = []
    for j, name in enumerate(body.joint_names):
        off = float(np.degrees(body.uncertainty[j]))
        hidden, weak = not np.isfinite(off), np.isfinite(off) and off > 10.0
        if body.model.kind[j] == "P" or not (hidden or weak or body.at_limit[j] > 0.0):
            continue
        sight = "not, or only with others" if hidden else f"within {number(off, 0)}°"
        rows.append((_plain(name), sight, f"{100.0 * body.at_limit[j]:.0f} %" if body.at_limit[j] else MISSING))
    return rows


def overall(errors: MarkerErrors) -> tuple[str, str]:
    """RMS of all markers and largest distance, mm."""
    return number(1000.0 * errors.overall, 1), number(1000.0 * float(np.nanmax(errors.largest)), 1)


def _plain(name: str) -> str:
    return name.replace("_", " ")
