"""Each plate against the forces that the body's motion needs: the delay, shift, turn and scales that would fit best.

The model is Newton's second law of the whole body, in frames in which both feet's loads are known. The legs' motion is
measured; the rest of the body counts as a mass at the markers of the thorax or, without any, at the middle of the hips.
The forces that the motion needs, and their moment about the centre of mass, differ from the plates' for two reasons:
trunk and arms move differently from that point, which is alike in all steps of a walk; and one plate is wrong, which is
not. A plate that is late by tau adds -tau dF/dt. One that is displaced by d adds d x F to the moment. One that is
turned, or has another scale of its fore-aft channel, adds a force proportional to F_x; the lever of its moment about
the centre is the centre's height. Each is fitted by linear least squares, one kind at a time.

For judging places, the force of the plates beyond that of the motion is attributed to a motion of trunk and arms that
their one point does not show: its moment, with the lever of that point above the centre of mass, is subtracted. This
reduces the differences between the places of clean steps (8.2 and 8.2 mm become 7.5 and 6.9, standard deviation over 13
people), and gives a longer lever to a force in a horizontal channel that no motion made, since it acts at the ground.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.conventions import GRAVITY, GRAVITY_G, LATERAL_SIGN, X, Y, Z
from pipeline.plausibility.known_loads import pelvis_centre, windows
from pipeline.plausibility.limits import Beyond, Limits
from pipeline.plausibility.outlying_steps import farthest_first
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import derivatives, load_of
from pipeline.trial import Finding, InverseDynamics, Kinematics, Stance

MIN_KNOWN = 0.5
"""Fraction of a stance in which both feet's loads must be known; the first and last steps on plates lack one double
support."""

BLOCK_STEPS, OVERLAP_STEPS = 40, 10
"""Number of steps whose misfits are fitted at once, and number of steps before and after that are fitted with them.
Time and memory rise faster than the number of steps, and a step's misfit depends on the ten nearest ones at most."""

_MARGIN = 3
"""Frames beyond a stance into which the filter spreads its load."""


@dataclass(frozen=True)
class Balance:
    """The body's balance over N frames near some steps in which both feet's loads are known, per kg of body mass.

    Attributes:
        excess: (N, 3) force of the plates beyond that of the motion, m/s^2.
        needed: (N, 3) force that the motion needs, weight included, m/s^2.
        turning: (N, 3) moment of the plates about the centre of mass beyond the change of angular momentum, m^2/s^2.
        height: (N,) of the centre of mass above the plates, m.
        lever: (N, 3) from the centre of mass to the point that stands for trunk and arms, m.
        stances: S clean steps that are known for long enough.
        forces, rates: (S, N, 3) force of each step, m/s^2, and its derivative.
        judged: the steps that are judged; the others come before and after them in the same recording.
    """

    excess: np.ndarray
    needed: np.ndarray
    turning: np.ndarray
    height: np.ndarray
    lever: np.ndarray
    stances: tuple[Stance, ...]
    forces: np.ndarray
    rates: np.ndarray
    judged: slice = field(default_factory=lambda: slice(None))


@dataclass(frozen=True)
class Misfit:
    """One kind of error of a plate.

    Attributes:
        name: of the residual.
        text: of the finding, after the value's size.
        more, less: words for a positive and a negative value.
        units, cause, remedy: of the finding.
        error: of a plate, from the value.
        compared: whether a step's value is judged against those of the walk's other steps.
        mirrored: whether values of opposite sign for left and right may be due to the walker.
    """

    name: str
    text: str
    more: str
    less: str
    units: str
    cause: str
    remedy: str
    error: Callable[[float], PlateError]
    compared: bool = True
    mirrored: bool = False


_CALIBRATE, _MEASURE = "check the plate's calibration and offsets", "measure the plate's corners again"
_AGAINST = " by the body's motion, one step against the others"

MISFITS = (
    Misfit(
        *("delay of a plate by the body's motion", "{} relative to the body's motion", "late", "early", "ms"),
        cause="because plates and cameras do not start together or the file states a wrong rate",
        remedy="check the synchronisation of plates and markers",
        error=lambda value: PlateError(delay=0.001 * value),
        compared=False,
    ),
    Misfit(
        *("place along the walkway" + _AGAINST, "too far {} for the body's balance", "forward", "back", "mm"),
        *("because the plate is displaced, or its moments or fore-aft force are wrong", _MEASURE),
        lambda value: PlateError(shift_G=along(X, 0.001 * value)),
    ),
    Misfit(
        *("place across the walkway" + _AGAINST, "too far {} for the body's balance", "right", "left", "mm"),
        *("because the plate is displaced, or its moments or mediolateral force are wrong", _MEASURE),
        lambda value: PlateError(shift_G=along(Z, 0.001 * value)),
        mirrored=True,
    ),
    Misfit(
        *("turn" + _AGAINST, "turned to the {} for the body's balance", "left", "right", "degrees"),
        *("because the plate's corners are wrong, or one channel adds to another", _MEASURE),
        lambda value: PlateError(turn=np.radians(value)),
    ),
    Misfit(
        *("fore-aft scale" + _AGAINST, "{} fore-aft force than the body's balance needs", "more", "less", "%"),
        *("because that channel's scale is wrong", _CALIBRATE),
        lambda value: PlateError(scale_G=along(X, 0.01 * value)),
    ),
    Misfit(
        *("vertical force" + _AGAINST, "{} vertical force than the body's motion needs", "more", "less"),
        *("% of body weight", "because that channel has an offset or a wrong scale", _CALIBRATE),
        lambda value: PlateError(scale_G=along(Y, 0.01 * value)),
    ),
)


def plates_by_motion(
    kinematics: Kinematics, loads: InverseDynamics, marker_set: MarkerSet, limits: Limits
) -> Iterator[Finding]:
    """Plates that are late, displaced, turned or of another scale against the motion; of only two steps, the first."""
    balances = balances_of(kinematics, loads, marker_set)
    if not balances:
        return
    stances = [stance for balance in balances for stance in balance.stances[balance.judged]]
    parts = [[values[balance.judged] for values in misfits_of(balance)] for balance in balances]
    for misfit, each in zip(MISFITS, zip(*parts, strict=True), strict=True):
        values = np.concatenate(each)
        for n, value in _judged(values, stances, misfit):
            if beyond := limits.beyond(misfit.name, value):
                alone = misfit.compared and len(values) == 2
                yield _finding(stances[n], misfit, beyond, alone=alone)


def _judged(values: np.ndarray, stances: Sequence[Stance], misfit: Misfit) -> Iterator[tuple[int, float]]:
    """Steps with the value that is judged: their own, or its difference from the others; if left and right may be
    mirror images, the smaller difference."""
    if not misfit.compared:
        yield from enumerate(values.tolist())
        return
    signs = np.array([LATERAL_SIGN[stance.side] for stance in stances])
    for n, value in farthest_first(values, np.abs, signs if misfit.mirrored else None):
        yield n, float(value)


def _finding(stance: Stance, misfit: Misfit, beyond: Beyond, *, alone: bool) -> Finding:
    value = beyond["value"]
    side = misfit.text.format(misfit.more if value > 0.0 else misfit.less)
    return FindingWithError(
        subject=stance.on,
        text=f"under the {stance.side} foot {abs(value):.0f} {misfit.units} {side}"
        + (", compared with the walk's other steps" if misfit.compared else "")
        + (" (only one: which of the two is wrong is unknown)" if alone else ""),
        **beyond,
        units=misfit.units,
        cause=misfit.cause,
        remedy=misfit.remedy,
        error=replace(misfit.error(value), stances=(stance,), known=not alone),
    )


def balances_of(kinematics: Kinematics, loads: InverseDynamics, marker_set: MarkerSet) -> list[Balance]:
    """Forces and moments of the plates minus those of the motion, for up to `BLOCK_STEPS` steps each; empty if no step
    is known for long enough."""
    rest, segments = _rest(kinematics, marker_set), kinematics.calibration.segments
    if rest is None or not loads.mass > 0.0:
        return []
    known = np.zeros(len(kinematics.time), dtype=bool)
    for start, stop in windows(kinematics, loads):
        known[start:stop] = True
    known &= np.isfinite(derivatives(rest, kinematics.rate)[1]).all(axis=1)
    known &= np.all([np.isfinite(s.com_acceleration_G).all(axis=1) for s in kinematics.segments.values()], axis=0)
    stances = [s for s in kinematics.stances if not s.rejected and known[s.start : s.stop].mean() >= MIN_KNOWN]
    if not stances:
        return []
    parts = [(segments[k].mass / loads.mass, s.com_G, s.com_acceleration_G) for k, s in kinematics.segments.items()]
    parts.append((1.0 - sum(share for share, _, _ in parts), rest, derivatives(rest, kinematics.rate)[1]))
    centre = np.sum([share * place for share, place, _ in parts], axis=0)
    needed = np.sum([share * acceleration for share, _, acceleration in parts], axis=0) - GRAVITY_G
    spin = np.sum([share * np.cross(place - centre, acceleration) for share, place, acceleration in parts], axis=0)
    ground = np.sum([ground.force_G for ground in loads.ground.values()], axis=0) / loads.mass
    wrenches = {stance.plates: load_of(stance, kinematics.plates).wrench for stance in stances}
    forces = {plates: np.nan_to_num(wrench.force_G) / loads.mass for plates, wrench in wrenches.items()}
    rates = {plates: np.gradient(force, axis=0) * kinematics.rate for plates, force in forces.items()}
    turning, height = -spin, (centre - wrenches[stances[0].plates].point_G)[:, Y]
    for stance in stances:
        near, wrench = _near(stance), wrenches[stance.plates]
        arm, force = wrench.point_G[near] - centre[near], forces[stance.plates][near]
        turning[near] += np.nan_to_num(wrench.moment_G[near]) / loads.mass + np.cross(arm, force)
    found = []
    for numbers in np.array_split(np.arange(len(stances)), -(-len(stances) // BLOCK_STEPS)):
        first = max(0, numbers[0] - OVERLAP_STEPS)
        some = tuple(stances[first : numbers[-1] + 1 + OVERLAP_STEPS])
        frames = np.flatnonzero(known if len(some) == len(stances) else known & _near_any(some, len(known)))
        found.append(
            Balance(
                excess=(ground - needed)[frames],
                needed=needed[frames],
                turning=turning[frames],
                height=height[frames],
                lever=(rest - centre)[frames],
                stances=some,
                forces=_each(some, forces, frames),
                rates=_each(some, rates, frames),
                judged=slice(numbers[0] - first, numbers[-1] + 1 - first),
            )
        )
    return found


def _near(stance: Stance) -> slice:
    """Frames into which the filter spreads the stance's load."""
    return slice(max(0, stance.start - _MARGIN), stance.stop + _MARGIN)


def _near_any(stances: Sequence[Stance], count: int) -> np.ndarray:
    """Frames (T,) near any of the stances."""
    near = np.zeros(count, dtype=bool)
    for stance in stances:
        near[_near(stance)] = True
    return near


def _each(stances: Sequence[Stance], values: Mapping[tuple[int, ...], np.ndarray], frames: np.ndarray) -> np.ndarray:
    """(S, N, 3) values (T, 3) of the plates of each stance in frames (N,), zero far from the stance."""
    out = np.zeros((len(stances), len(frames), 3))
    for own, stance in zip(out, stances, strict=True):
        near = slice(*np.searchsorted(frames, [_near(stance).start, _near(stance).stop]))
        own[near] = values[stance.plates][frames[near]]
    return out


def _rest(kinematics: Kinematics, marker_set: MarkerSet) -> np.ndarray | None:
    """Position (T, 3) m of the body without the legs: mean of the thorax's markers, or the middle of the hips."""
    attached = marker_set.skeleton.markers if marker_set.skeleton else {}
    thorax = [
        k
        for k, name in enumerate(kinematics.marker_names)
        if name in attached and attached[name].segment.endswith("_thorax")
    ]
    seen = np.isfinite(kinematics.markers_G[:, thorax]).all(axis=2).mean(axis=0)
    whole = [k for k, share in zip(thorax, seen, strict=True) if share == seen.max() > MIN_KNOWN]
    return kinematics.markers_G[:, whole].mean(axis=1) if whole else pelvis_centre(kinematics)


def misfits_of(balance: Balance) -> tuple[np.ndarray, ...]:
    """Values (S,) of each of `MISFITS` by step."""
    excess, needed, height = balance.excess, balance.needed, balance.height
    push, up, drive = balance.forces[:, :, X], balance.forces[:, :, Y], height * balance.forces[:, :, X]
    one = np.ones(len(height))
    loaded = (up > 0.05 * GRAVITY).astype(float)
    by_force = -_fitted(excess[:, Z], [needed[:, Z], one], push)
    by_moment = _fitted(balance.turning[:, X], list(-up), drive)
    placed = balance.turning - np.cross(balance.lever, excess)
    return (
        1000.0 * _fitted(excess[:, Y], [needed[:, Y], one], -balance.rates[:, :, Y]),
        1000.0 * _fitted(placed[:, Z], [], up),
        1000.0 * _fitted(placed[:, X], [], -up),
        np.degrees(0.5 * (by_force + by_moment)),
        100.0 * _fitted(balance.turning[:, Z], list(up), drive),
        100.0 * _fitted(excess[:, Y], [needed[:, Y], one], loaded) / GRAVITY,
    )


def _fitted(values: np.ndarray, others: Sequence[np.ndarray], columns: np.ndarray) -> np.ndarray:
    """Coefficients (S,) of columns (S, N) in the least-squares fit of them and others to values (N,)."""
    return np.linalg.lstsq(np.column_stack([*others, *columns]), values, rcond=None)[0][len(others) :]
