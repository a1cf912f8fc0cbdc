"""Part of the variance that single errors count twice, as angles and moments are not linear in the errors of body and
markers: from random errors of all at once, with both signs.

The bands' squares of single errors are taken at a body that has the errors already. With the gradient f_i and the
Hessian f_ij of a curve at the true body, and independent errors of variances s_i^2, the curve's error has to second
order the variance ``sum f_i^2 s_i^2 + Q``, ``Q = 1/2 sum f_ij^2 s_i^2 s_j^2``, while the squares of single errors add
up, on average over the errors that the body has, to ``sum f_i^2 s_i^2 + 2 Q``. The even part of the curve's change,
``(f(x + d) + f(x - d)) / 2 - f(x)`` for all errors d together, has the variance Q. It is mostly a product of two
errors, such as the knee axis' turn and the foot's inclination, so that its square varies by far more than that of one
error: from 16 pairs of samples Q has a standard error of 20 to 95 %, from 48 one of 10 to 40 %.
"""

from __future__ import annotations

import numpy as np

from pipeline.config import UncertaintySettings
from pipeline.uncertainty.body_errors import body_errors, combined
from pipeline.uncertainty.marker_errors import soft_tissue_motion
from pipeline.uncertainty.recorded_walk import RecordedWalk

LARGEST_SHARE = 0.5
"""Q of the squares of single errors, which hold it twice."""


def second_order_variance(walk: RecordedWalk, settings: UncertaintySettings) -> np.ndarray:
    """Q of each mean curve (2, V, 101), in squared reported units."""
    errors = list(body_errors(walk.marker_set, walk.attached_to, walk.kinematics.calibration.values, settings))
    even = []
    for sample, moved_G in enumerate(soft_tissue_motion(walk, settings, settings.draws, stream=2)):
        amounts = np.random.default_rng([settings.seed, 3, sample]).standard_normal(len(errors))
        above, below = (
            walk.curves(walk.with_body_error(combined(errors, sign * amounts), sign * moved_G)) for sign in (1.0, -1.0)
        )
        even.append(0.5 * (above + below) - walk.mean_curves)
    return np.var(even, axis=0, ddof=1)


def counted_once(squares: np.ndarray, second_order: np.ndarray) -> np.ndarray:
    """Variances (S, 2, V, 101) by source without what they count twice together, taken from all in proportion.

    Args:
        squares: variances (S, 2, V, 101) of the sources from single errors.
        second_order: Q (2, V, 101) of all of them.
    """
    total = squares.sum(axis=0)
    return squares * (1.0 - np.minimum(second_order / np.where(total > 0.0, total, 1.0), LARGEST_SHARE))
