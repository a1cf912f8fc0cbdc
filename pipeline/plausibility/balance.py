"""Newton's second law for the body while the loads of both feet are known: checks body mass and frame rate.

The mean vertical force is mass times gravity plus mass times the mean acceleration of the centre of mass. The pelvis
shows that acceleration well enough: it is about 1 % of gravity. The acceleration of the pelvis follows force over mass;
a frame rate that is wrong by a factor changes it by the square of the factor.

If only one foot's load is known at a time, its impulse over a stride is half of body weight times the stride's time.
In running too: over the short time of a contact and a flight, the pelvis does not show the acceleration well enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import flight_time
from pipeline.conventions import GRAVITY, Y
from pipeline.kinematics import mass_from_steps
from pipeline.plausibility.effects import largest_moment
from pipeline.plausibility.known_loads import MIN_CORRELATION, pelvis_centre, vertical_force, windows
from pipeline.signals import derivatives
from pipeline.trial import Finding, InverseDynamics, Kinematics

MAX_MASS_ERROR = 0.06
"""Fraction of body mass: 0.4, 0.2 and 2.3 % on three measured walks."""

MASS_TOLERANCE = {1: 0.25, 2: 0.12}
"""Fraction of body mass, by the number of sides whose steps are known: 6 % and 3 % on published walks. A painful leg
carries less than half of body mass."""

REFUSED_MASS_ERROR = 0.4
"""Fraction of body mass beyond which the plates measure something else."""

KEEP_MASS = (
    "; with an aid or a support keep mass_kg: moments of the legs follow from the plates and stay right, but pelvis "
    "residuals and loads estimated from motion contain what it carries; if that is more than "
    f"{100 * REFUSED_MASS_ERROR:.0f} % of body weight, the walk is refused"
)
"""What to do, and what is right, if the plates carry less than the body because something else carries the rest."""

MIN_RATIO, MAX_RATIO = 0.5, 2.0
"""Vertical acceleration of the pelvis over that from the plates: 1.07 to 1.22 on four measured and synthetic walks, 4
to 5 if the rate is doubled."""

_MIN_VARIATION = 0.3
"""m/s^2, smallest standard deviation of the acceleration from which a ratio is computed."""


@dataclass(frozen=True)
class ForceBalance:
    """Body mass, kg, from the plates, and acceleration of the pelvis over that from the plates; NaN if unknown."""

    mass: float
    ratio: float


def force_balance(kinematics: Kinematics, loads: InverseDynamics) -> ForceBalance | None:
    """Vertical balance over the longest time in which both feet's loads are known; None if there is none."""
    spans, centre = windows(kinematics, loads), pelvis_centre(kinematics)
    if not spans or centre is None:
        return None
    start, stop = max(spans, key=lambda span: span[1] - span[0])
    velocity, acceleration = (values[start:stop, Y] for values in derivatives(centre, kinematics.rate))
    force = vertical_force(loads)[start:stop]
    gain = (velocity[-1] - velocity[0]) * kinematics.rate / (len(velocity) - 1)
    mass = float(np.mean(force) / (gain + GRAVITY))
    by_plates = force / loads.mass
    varied, moved = by_plates - by_plates.mean(), acceleration - acceleration.mean()
    if varied.std() <= _MIN_VARIATION:
        return ForceBalance(mass, np.nan)
    if varied @ moved > MIN_CORRELATION * np.linalg.norm(varied) * np.linalg.norm(moved):
        return ForceBalance(mass, float(varied @ moved / (varied @ varied)))
    # The filter may have spoilt the correlation; a pelvis that moves far more than its force still has a wrong clock.
    size = float(moved.std() / varied.std())
    return ForceBalance(mass, size if size > MAX_RATIO else np.nan)


def whole_body_balance(kinematics: Kinematics, loads: InverseDynamics) -> Iterator[Finding]:
    """Body mass or frame rate contradicted by the plates."""
    balance = force_balance(kinematics, loads)
    if balance is None or flight_time(kinematics.events) > 0.0:
        mass, sides = mass_from_steps(kinematics)
        if sides:
            yield from _mass(kinematics, loads, mass, MASS_TOLERANCE[sides], "published walks")
    else:
        yield from _mass(kinematics, loads, balance.mass, MAX_MASS_ERROR, "three measured walks")
    if balance is not None and np.isfinite(balance.ratio) and not MIN_RATIO <= balance.ratio <= MAX_RATIO:
        yield Finding(
            grade="refusal",
            subject="vertical motion",
            text=f"the pelvis accelerates {balance.ratio:.1f} times as much as the plates' force implies",
            value=balance.ratio,
            limit=MAX_RATIO if balance.ratio > MAX_RATIO else MIN_RATIO,
            units="1",
            source="four measured and synthetic walks",
            cause=f"because the file's frame rate is wrong by a factor of about {balance.ratio**0.5:.1f}, or its unit "
            f"of length by {balance.ratio:.1f}",
            remedy="correct the rate in the file",
        )


def _mass(
    kinematics: Kinematics, loads: InverseDynamics, carried: float, tolerance: float, walks: str
) -> Iterator[Finding]:
    given = loads.mass
    error = carried / given - 1.0
    if abs(error) > tolerance:
        size, moment = largest_moment(loads, kinematics)
        yield Finding(
            grade="refusal" if abs(error) > REFUSED_MASS_ERROR else "warning",
            subject="body mass",
            text=f"{given:.1f} kg, but the steps on plates carry {carried:.1f} kg, {100 * abs(error):.0f} % "
            f"{'more' if error > 0.0 else 'less'}",
            value=100.0 * abs(error),
            limit=100.0 * tolerance,
            units="%",
            source=f"vertical impulse of {walks}",
            cause="because mass_kg or the scale of the plates' vertical channels is wrong, unless "
            + ("a load is carried" if error > 0.0 else "a walking aid or a body-weight support carries the rest"),
            remedy="correct mass_kg in subjects.tsv or the plates' settings" + ("" if error > 0.0 else KEEP_MASS),
            moment_error=abs(error) * size,
            moment_of=moment,
        )
