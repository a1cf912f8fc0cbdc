"""The revised NIOSH lifting equation: the load that nearly all healthy workers can lift for hours.

Waters TR, Putz-Anderson V, Garg A, Fine LJ (1993) Ergonomics 36:749-776; equation and tables in metric units.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pipeline.prediction.errors import PredictionError

LOAD_CONSTANT = 23.0
"""kg."""

FREQUENCIES = (0.2, 0.5, *range(1, 16))
"""Lifts per minute: the rows of the table of the frequency multiplier."""

_LOW = {
    1.0: (1.00, 0.97, 0.94, 0.91, 0.88, 0.84, 0.80, 0.75, 0.70, 0.60, 0.52, 0.45, 0.41, 0.37, 0.0, 0.0, 0.0),
    2.0: (0.95, 0.92, 0.88, 0.84, 0.79, 0.72, 0.60, 0.50, 0.42, 0.35, 0.30, 0.26, 0.0, 0.0, 0.0, 0.0, 0.0),
    8.0: (0.85, 0.81, 0.75, 0.65, 0.55, 0.45, 0.35, 0.27, 0.22, 0.18, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
}
"""Multipliers by maximum duration, h, if the hands are below 0.75 m at the start of the lift."""

_HIGH = {
    1.0: (*_LOW[1.0][:14], 0.34, 0.31, 0.28),
    2.0: (*_LOW[2.0][:12], 0.23, 0.21, 0.0, 0.0, 0.0),
    8.0: (*_LOW[8.0][:10], 0.15, 0.13, 0.0, 0.0, 0.0, 0.0, 0.0),
}


def recommended_weight(forward: float, up: float, travel: float, per_minute: float, hours: float) -> float:
    """Recommended weight limit, kg, of a symmetric lift with a good grip.

    Args:
        forward: distance from the midpoint of the ankles to that of the hands, m.
        up: height of the hands above the ground, m.
        travel: vertical travel of the hands, m.
        per_minute: lifts per minute; the multiplier is interpolated between the rows, and constant below the first.
        hours: duration of work at this rate.

    Returns:
        The limit; 0 beyond the range of the equation (hands over 0.63 m ahead or 1.75 m up, too many lifts).

    Raises:
        PredictionError: longer than 8 h, which the equation does not cover, forward distance, rate or duration is not
            positive, or height or travel is negative.
    """
    if not 0.0 < hours <= 8.0:
        raise PredictionError(
            f"{hours:g} h of lifting", where="NIOSH equation", remedy="Give more than 0 and at most 8 h"
        )
    if not (forward > 0.0 and up >= 0.0 and travel >= 0.0 and per_minute > 0.0):
        raise PredictionError(
            f"{forward:g} m forward, {up:g} m up, {travel:g} m of travel, {per_minute:g} lifts per minute",
            where="NIOSH equation",
            remedy="Give a positive forward distance and rate, and a height and travel of zero or more",
        )
    if forward > 0.63 or up > 1.75 or travel > 1.75:
        return 0.0
    horizontal = 0.25 / max(forward, 0.25)
    vertical = 1.0 - 0.3 * abs(up - 0.75)
    distance = 0.82 + 0.045 / max(travel, 0.25)
    return LOAD_CONSTANT * horizontal * vertical * distance * _frequency(per_minute, hours, up)


def _frequency(per_minute: float, hours: float, up: float) -> float:
    table = _LOW if up < 0.75 else _HIGH
    multipliers = table[next(longest for longest in table if hours <= longest)]
    if per_minute > FREQUENCIES[-1]:
        return 0.0
    # Where a column of the table drops to 0, the last allowed rate is the limit: no interpolation beyond it.
    for (below, before), (above, after) in pairwise(zip(FREQUENCIES, multipliers, strict=True)):
        if below < per_minute < above and after == 0.0 < before:
            return 0.0
    return float(np.interp(per_minute, FREQUENCIES, multipliers))
