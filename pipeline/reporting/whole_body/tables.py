"""Tables of the whole-body skeleton's page, as rows of text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.analysis import (
    FORCE_AXES,
    MOMENT_AXES,
    PERCENT,
    SKELETON_VARIABLES,
    WEAK_UNCERTAINTY,
    MarkerErrors,
    Variable,
    drift,
    limits,
    marker_errors,
    residual,
    sagittal_sign,
)
from pipeline.conventions import SIDES
from pipeline.reporting.numbers import MISSING, number
from pipeline.trial import GaitCycles, WholeBody

WORST_FRAMES, APART = 5, 0.1
"""Number of frames listed, and minimum time between them (s), since neighbouring frames have the same error."""


def marker_rows(body: WholeBody) -> list[tuple[str, str, tuple[tuple[float, int], ...]]]:
    """Name, segment and distances from its model marker of every marker, largest RMS first.

    The distances are RMS, maximum and its time, and RMS in the residual-reduced motion: mm or s, with their decimals.
    """
    own = marker_errors(body.kinematic)
    reduced = marker_errors(body.residual_reduced).rms if body.residual_reduced else np.full(len(own.rms), np.nan)
    order = np.argsort(-np.nan_to_num(own.rms, nan=-1.0), kind="stable")
    return [
        (
            body.fitted_markers[k],
            _plain(body.marker_segments[k]),
            (
                (1000.0 * own.rms[k], 1),
                (1000.0 * own.maximum[k], 1),
                (body.time[own.worst[k]] if own.worst[k] >= 0 else np.nan, 2),
                *([(1000.0 * reduced[k], 1)] if body.residual_reduced else []),
            ),
        )
        for k in order
    ]


def worst_frames(body: WholeBody) -> list[tuple[str, ...]]:
    """Time, frame number (from 1), RMS over its markers (mm) and worst marker of the frames with the largest RMS."""
    errors = marker_errors(body.kinematic)
    rms = np.nan_to_num(errors.frame_rms, nan=-1.0)
    order: list[int] = []
    for frame in np.argsort(-rms, kind="stable"):
        apart = all(abs(body.time[frame] - body.time[other]) >= APART for other in order)
        if rms[frame] >= 0.0 and apart and len(order) < WORST_FRAMES:
            order.append(int(frame))
    rows: list[tuple[str, ...]] = []
    for frame in order:
        distance = np.nan_to_num(body.kinematic.marker_error[frame], nan=-1.0)
        k = int(np.argmax(distance))
        farthest = f"{body.fitted_markers[k]}, {number(1000.0 * distance[k], 1)} mm"
        rows.append(
            (number(body.time[frame], 2), str(frame + 1), number(1000.0 * errors.frame_rms[frame], 1), farthest)
        )
    return rows


@dataclass(frozen=True)
class ResidualRow:
    """One of the six residuals: cells of both motions, and whether the kinematic peak is within the limit."""

    name: str
    unit: str
    cells: tuple[str, ...]
    limit: str
    within: bool


def residual_rows(body: WholeBody) -> list[ResidualRow]:
    """RMS and peak for the kinematic and the residual-reduced motion, RMS on held-out frames, and the limit.

    Empty if the loads of both feet are known in no frame.
    """
    own = residual(body, body.kinematic)
    reduced = residual(body, body.residual_reduced) if body.residual_reduced else None
    if own is None:
        return []
    force_limit, moment_limit = limits(body)
    unknown = np.full(3, np.nan)
    rows = []
    for kind, axes, unit, limit, held_out, decimals in (
        ("force", FORCE_AXES, "% BW", force_limit, 100.0 * body.held_out_residual_force, 1),
        ("moment", MOMENT_AXES, "% BW·height", moment_limit, 100.0 * body.held_out_residual_moment, 2),
    ):
        columns = [
            getattr(found, f"{kind}_{of}") if found else unknown for found in (own, reduced) for of in ("rms", "peak")
        ]
        for k, axis in enumerate(axes):
            shown = (*columns, held_out) if reduced else columns[:2]
            cells = tuple(number(column[k], decimals) for column in shown)
            name = f"{kind.capitalize()}, {axis.replace('_', '-')}"
            rows.append(ResidualRow(name, unit, cells, number(limit, decimals), bool(columns[1][k] <= limit)))
    return rows


def comparison_rows(body: WholeBody) -> list[tuple[str, ...]]:
    """Joint, correlation, and RMS of the difference, both peaks and their difference in Nm/kg."""
    rows: list[tuple[str, ...]] = []
    for found in body.moment_comparisons:
        sign = sagittal_sign(found.joint)
        matrix_form, skeleton = sign * found.matrix_form_peak, sign * found.skeleton_peak
        values = (found.rms_difference, matrix_form, skeleton, skeleton - matrix_form)
        rows.append(
            (found.joint.replace("_", " "), number(found.correlation, 4), *(number(value, 3) for value in values))
        )
    return rows


def two_models(body: WholeBody, cycles: GaitCycles) -> list[tuple[str, ...]]:
    """Angles of both models over the cycles: name, and for each side the means of both models and their difference.

    The first mean is from the segments' markers, the second from the skeleton. The difference is the root mean square
    after subtracting its mean. All are in degrees.
    """
    rows = []
    for variable in SKELETON_VARIABLES.values():
        if variable.cycle is None or variable.units != "deg":
            continue
        cells = [cell for side in SIDES for cell in _angle_of_both(variable, body, cycles, side)]
        if any(cell != MISSING for cell in cells):
            rows.append((variable.label, *cells))
    return rows


def _angle_of_both(variable: Variable, body: WholeBody, cycles: GaitCycles, side: str) -> tuple[str, str, str]:
    own = [c for c in cycles.cycles if c.cycle.side == side]
    by_markers = [variable.of(c) for c in own]
    on_skeleton = variable.over_cycles(body, body.kinematic, [c.cycle for c in own])
    both = np.array(by_markers + on_skeleton).reshape(2, len(own), PERCENT.size)
    known = both[:, np.isfinite(both).all(axis=0)]
    if not known.size:
        return MISSING, MISSING, MISSING
    means = known.mean(axis=1)
    rest = float(np.std(known[1] - known[0]))
    return number(means[0], 1), number(means[1], 1), number(rest, 1)


def size_rows(body: WholeBody) -> list[tuple[str, str]]:
    """Segment, and its size in % of the average for the height; a star if it is not measured."""
    assumed = {note.subject.removeprefix("skeleton: ") for note in body.notes if note.kind == "assumed"}
    return [
        (_plain(name), f"{number(100.0 * factor, 1)}{' *' if name in assumed else ''}")
        for name, factor in body.scale_factors.items()
    ]


def turn_rows(body: WholeBody) -> list[tuple[str, str]]:
    """Constant joint rotations, degrees."""
    return [(_plain(name), number(float(np.degrees(angle)), 1)) for name, angle in body.joint_offsets.items()]


def centre_rows(body: WholeBody) -> list[tuple[str, str]]:
    """Distance of each of the skeleton's joints from the anatomical model's centre in the static trial, mm."""
    return [(_plain(name), number(1000.0 * error, 1)) for name, error in body.joint_centre_errors.items()]


def coordinate_rows(body: WholeBody) -> list[tuple[str, str, str]]:
    """Degrees of freedom weakly observed or at a limit: error for marker errors of 5 mm, share of frames at limits."""
    rows = []
    for j, name in enumerate(body.joint_names):
        if name in body.unobservable:
            continue  # kept at the static pose, so its limits are meaningless
        off = float(np.degrees(body.uncertainty[j]))
        weak = np.isfinite(off) and off > WEAK_UNCERTAINTY
        if body.model.kind[j] == "R" and (weak or body.at_limit[j] > 0.0):
            error = f"{number(min(off, 180.0), 0)}°" if np.isfinite(off) else "only in sums"
            rows.append((_plain(name), error, f"{100.0 * body.at_limit[j]:.0f} %" if body.at_limit[j] else MISSING))
    return rows


def unseen(body: WholeBody) -> tuple[list[str], list[str]]:
    """Degrees of freedom that no marker observes, and groups of which only sums are observed."""
    alone = [_plain(group) for group in body.unobservable if " + " not in group]
    return alone, [_plain(group) for group in body.unobservable if " + " in group]


def drift_text(body: WholeBody) -> str:
    """Final distance and maximum rotation of the pelvis in the forward simulation, as text."""
    distance, rotation = drift(body)
    return f"{number(1000.0 * distance, 0)} mm, {number(float(np.degrees(rotation)), 1)}°"


def overall(errors: MarkerErrors) -> tuple[str, str]:
    """RMS of all markers and maximum distance, mm."""
    return number(1000.0 * errors.overall, 1), number(1000.0 * float(np.nanmax(errors.maximum)), 1)


def _plain(name: str) -> str:
    return name.replace("_", " ")
