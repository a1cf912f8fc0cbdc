"""Force plates against the feet and the body: direction of the force, heights, and its point of application.

The body passes over the foot, and the ground's force points near its centre: first backwards, then forwards, and always
inwards. The horizontal force is therefore close to the vertical force times the slope of the line to the pelvis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import flight_time
from pipeline.conventions import LATERAL_SIGN, SIDES, X, Y, Z
from pipeline.plausibility.known_loads import SLOW, pelvis_centre, walking_speed
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.plates_compared import distance_from_line
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import height_above, load_of
from pipeline.trial import Finding, Kinematics, MarkersAndPlates, PlateLoad, Stance

MIN_CORRELATION = 0.6
"""Correlation of the fore-aft force with that towards the pelvis: 0.95 and more on the steps below, negative if a
channel or the corners are reversed."""

MIN_SLOPE, MIN_SLOW_SLOPE, MAX_SLOPE = 0.6, 0.45, 0.95
"""Slope of that relation: 0.66 to 0.82 on thirteen steps of five people at 1.1 to 1.4 m/s, 0.52 and 0.65 for two people
below 0.8 m/s."""

MAX_RUNNING_SLOPE = 1.2
"""A force through the pelvis has the slope 1. A predicted run that a synthetic laboratory measured has 0.98, and no
measured run was available, hence the margin."""

TYPICAL_SLOPE = 0.71
"""Mean of those steps."""

FORE_AFT = "fore-aft force over that to the hips"
FORE_AFT_SLOW, FORE_AFT_RUNNING = f"{FORE_AFT}, slow walking", f"{FORE_AFT}, running"
"""Below `SLOW`, and with both feet in the air between steps. No reference walk is like that, so the shipped limits lack
these residuals, and only `fore_aft_errors` judges this ratio there."""

INWARD, REVERSED_INWARD = "mediolateral force over that to the hips", -0.1
"""Name of the residual, the mean over a step, and the value below which only a reversed channel falls."""

MIN_HEIGHT, MAX_HEIGHT = 3.0, 75.0
"""mm of the lower one of heel and toe marker above the plate with the foot flat: 10 to 43 on those steps; a shoe adds
up to 40."""

MEDIOLATERAL = "centres of pressure of both feet aside of heel-toe line"
"""mm, towards the same side of the laboratory for left and right: effects of the shape of the feet have opposite
directions on the two sides and cancel."""

MIN_SEEN = 0.8
"""Fraction of a contact in which all points must be known: without a foot's markers, nothing can be said."""

MAX_PULL = 100.0
"""N by which an unloaded plate may pull downwards."""

STEPS = "fifteen steps of seven people"


@dataclass(frozen=True)
class Step:
    """A clean step: loads with a centre of pressure, heel, toe and pelvis, (N, 3) each."""

    stance: Stance
    plate: PlateLoad
    force: np.ndarray
    cop: np.ndarray
    heel: np.ndarray
    toe: np.ndarray
    pelvis: np.ndarray


def clean_steps(kinematics: Kinematics) -> list[Step]:
    """Clean steps in the frames in which all their points are known."""
    steps, centre = [], pelvis_centre(kinematics)
    for stance in kinematics.stances:
        if stance.rejected or centre is None:
            continue
        plate = load_of(stance, kinematics.plates)
        heel, toe = (kinematics.points[f"{stance.side}_{part}"] for part in ("heel", "toe"))
        parts = (plate.wrench.force_G, plate.cop_G, heel, toe, centre)
        frames = np.zeros(len(kinematics.time), dtype=bool)
        frames[stance.start : stance.stop] = True
        frames &= np.all([np.isfinite(part).all(axis=1) for part in parts], axis=0)
        if frames.sum() >= MIN_SEEN * (stance.stop - stance.start):
            steps.append(Step(stance, plate, *(part[frames] for part in parts)))
    return steps


def fore_aft_errors(kinematics: Kinematics) -> list[tuple[Step, float]]:
    """Clean steps with a fore-aft force that contradicts the motion, each with the error (Nm/kg) of the hip's moment.

    The slope of the fore-aft force on that towards the pelvis is compared with its limits. The error is the largest
    moment about the pelvis of the difference from the force expected from the walk's other steps, or from walking.
    """
    name = _fore_aft_name(kinematics)
    least = MIN_SLOPE if name == FORE_AFT else MIN_SLOW_SLOPE
    largest = MAX_RUNNING_SLOPE if name == FORE_AFT_RUNNING else MAX_SLOPE
    steps = clean_steps(kinematics)
    slopes = [_slope(step)[1] for step in steps]
    found = []
    for k, (step, slope) in enumerate(zip(steps, slopes, strict=True)):
        others = [other for n, other in enumerate(slopes) if n != k and least <= other <= largest]
        expected = float(np.median(others)) if others else TYPICAL_SLOPE
        if not least <= slope <= largest:
            height = step.pelvis[:, Y] - step.cop[:, Y]
            moment = (slope - expected) * _towards(step, X) * height
            found.append((step, float(np.abs(moment).max()) / kinematics.calibration.values["mass"]))
    return found


def plates(kinematics: Kinematics, walk: MarkersAndPlates, limits: Limits) -> Iterator[Finding]:
    """Plates that contradict the markers; ``walk`` has the unfiltered loads."""
    steps = clean_steps(kinematics)
    fore_aft = _fore_aft_name(kinematics)
    for step in steps:
        yield from _fore_aft(step, fore_aft, limits)
        yield from _mediolateral(step, limits)
        yield from _height(step)
    yield from _beside_heel_toe_line(steps, limits)
    yield from _pulling(walk)


def _fore_aft_name(kinematics: Kinematics) -> str:
    if flight_time(kinematics.events) > 0.0:
        return FORE_AFT_RUNNING
    return FORE_AFT_SLOW if walking_speed(kinematics) < SLOW else FORE_AFT


def _towards(step: Step, axis: int) -> np.ndarray:
    """Horizontal force (N,) that would point at the pelvis."""
    arm = step.pelvis - step.cop
    return step.force[:, Y] * arm[:, axis] / arm[:, Y]


def _slope(step: Step) -> tuple[float, float]:
    """Correlation and slope of the fore-aft force on that towards the pelvis."""
    towards = _towards(step, X)
    centred, force = (values - values.mean() for values in (towards, step.force[:, X]))
    size = np.sqrt((centred @ centred) * (force @ force))
    return float(centred @ force / size) if size else 0.0, float(centred @ force / (centred @ centred))


def _fore_aft(step: Step, name: str, limits: Limits) -> Iterator[Finding]:
    correlation, slope = _slope(step)
    subject, side = step.stance.on, step.stance.side
    if correlation < MIN_CORRELATION:
        yield Finding(
            grade="refusal" if correlation < 0.0 else "warning",
            subject=subject,
            text=f"fore-aft force under the {side} foot does not follow the body as it passes over the foot "
            f"(correlation {correlation:.2f}, above 0.9 in walking)",
            value=correlation,
            limit=MIN_CORRELATION,
            units="1",
            source=STEPS,
            cause="because corners or channels are in the wrong order, or one channel is reversed or dead",
            remedy="check the plate's settings",
        )
    elif beyond := limits.beyond(name, slope):
        typical = limits.typical(name) if name in limits.spreads else TYPICAL_SLOPE
        yield FindingWithError(
            subject=subject,
            text=f"fore-aft force under the {side} foot is {slope:.2f} of that towards the hips, about "
            f"{typical:.2f} in walking",
            **beyond,
            units="1",
            cause="because the scale of that channel is wrong, or the subject is pulled or leans on an aid",
            remedy="check the plate's calibration",
            error=PlateError((step.stance,), scale_G=along(X, (slope - typical) / max(slope, SMALL_SLOPE))),
        )


def _mediolateral(step: Step, limits: Limits) -> Iterator[Finding]:
    towards = _towards(step, Z)
    share, typical = float(step.force[:, Z].sum() / towards.sum()), limits.typical(INWARD)
    inwards = -LATERAL_SIGN[step.stance.side] * towards.mean() > 0.02 * step.force[:, Y].mean()
    if inwards and (beyond := limits.beyond(INWARD, share)):
        yield FindingWithError(
            grade="refusal" if share < REVERSED_INWARD else "warning",
            subject=step.stance.on,
            text=f"mediolateral force under the {step.stance.side} foot points away from the body ({share:.2f} of that "
            f"towards the pelvis, about {typical:.2f} in walking)",
            **beyond,
            units="1",
            cause="because the mediolateral channel is reversed or dead, or the corners are in the wrong order",
            remedy="check the plate's settings",
            error=PlateError((step.stance,), force_G=along(Z, (share - typical) * float(towards.mean()))),
        )


def _height(step: Step) -> Iterator[Finding]:
    flat = slice(len(step.heel) // 4, len(step.heel) // 2)
    surface = step.plate.corners_G, step.plate.wrench.point_G[0]
    lower = np.minimum(height_above(step.heel[flat], *surface), height_above(step.toe[flat], *surface))
    height = 1000.0 * float(np.median(lower))
    limit = MIN_HEIGHT if height < MIN_HEIGHT else MAX_HEIGHT
    if not MIN_HEIGHT <= height <= MAX_HEIGHT:
        yield FindingWithError(
            grade="refusal" if height < -IMPOSSIBLE_DEPTH else "warning",
            subject=step.stance.on,
            text=f"heel and toe markers of the {step.stance.side} foot are {height:.0f} mm above it with the foot flat",
            value=height,
            limit=limit,
            units="mm",
            source=STEPS,
            cause="because the height of the plate's corners or of the laboratory's origin is wrong",
            remedy="correct the plate's corners",
            error=PlateError((step.stance,), shift_G=along(Y, 0.001 * (limit - height))),
        )


SMALL_SLOPE = 0.1
"""Smallest slope used as a divisor, so that a channel without a signal gets a finite error."""

IMPOSSIBLE_DEPTH = 30.0
"""mm below a plate's surface beyond which no marker can be."""


def _beside_heel_toe_line(steps: list[Step], limits: Limits) -> Iterator[Finding]:
    """Mean over both sides of the centre of pressure's distance from the heel-toe line, towards +Z of G."""
    of_sides: dict[str, list[float]] = {side: [] for side in SIDES}
    for step in steps:
        of_sides[step.stance.side].append(1000.0 * distance_from_line(step.cop, step.heel, step.toe))
    if not all(of_sides.values()):
        return
    mean = float(np.mean([np.mean(values) for values in of_sides.values()]))
    if beyond := limits.beyond(MEDIOLATERAL, mean):
        direction = "right" if mean > 0.0 else "left"
        yield FindingWithError(
            subject="plates",
            text=f"the centres of pressure under both feet are {abs(mean):.0f} mm too far to the {direction}",
            **beyond,
            units="mm",
            cause="because the plates' corners are shifted, or their mediolateral moment has an offset",
            remedy="measure the plates' corners again",
            error=PlateError(shift_G=along(Z, 0.001 * (mean - limits.typical(MEDIOLATERAL)))),
        )


def _pulling(walk: MarkersAndPlates) -> Iterator[Finding]:
    """Plates with a vertical force that points downwards as feet come and go; a constant offset is no step."""
    for plate in walk.plates:
        vertical = plate.wrench.force_G[:, Y]
        seen = vertical[np.isfinite(vertical)]
        down, up = np.percentile(seen, [2.0, 98.0]) if len(seen) else (0.0, 0.0)
        if down < -MAX_PULL and up - down > MAX_PULL:
            yield Finding(
                subject=f"plate {plate.number}",
                text=f"pulls the subject down with {-down:.0f} N, so no step on it is used",
                value=float(-down),
                limit=MAX_PULL,
                units="N",
                source="a foot can only push",
                cause="because its vertical channel is reversed",
                remedy="check the plate's settings",
            )
