"""Part of the variance that single errors count twice, since angles and moments are not linear in the errors of body
and markers; estimated from random errors of all of them at once, with both signs.

The squares of single errors in the bands are taken at a body that has the errors already. With the gradient f_i and the
Hessian f_ij of a curve at the true body, and independent errors of variances s_i^2, the variance of the curve's error
is to second order ``sum f_i^2 s_i^2 + Q``, ``Q = 1/2 sum f_ij^2 s_i^2 s_j^2``. The squares of single errors, however,
add up on average over the errors of the body to ``sum f_i^2 s_i^2 + 2 Q``. The even part of the curve's change,
``(f(x + d) + f(x - d)) / 2 - f(x)`` for all errors d together, has the variance Q. It is mostly a product of two
errors, such as the turn of the knee axis and the foot's inclination, so its square varies far more than that of one
error: from 16 pairs of samples Q has a standard error of 20 to 95 %, from 48 one of 10 to 40 %.
"""

from __future__ import annotations

import numpy as np

from pipeline.analysis import mean_where_known
from pipeline.config import UncertaintySettings
from pipeline.errors import AnatomyError
from pipeline.trial import Note
from pipeline.uncertainty.body_errors import body_errors, combined
from pipeline.uncertainty.marker_errors import soft_tissue_motion
from pipeline.uncertainty.recorded_walk import RecordedWalk

LARGEST_SHARE = 0.5
"""Largest share of Q in the squares of single errors, which contain it twice."""


def second_order_variance(walk: RecordedWalk, settings: UncertaintySettings) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Q of each mean curve (2, V, 101), in squared reported units, and a note about samples that are left out.

    A sample in which a joint has no centre, such as a wand on the line between two joints, is no body and is left out.

    Raises:
        AnatomyError: fewer than two samples are left.
    """
    errors = list(body_errors(walk.marker_set, walk.attached_to, walk.kinematics.calibration.values, settings))
    even, failed = [], []
    for sample, moved_G in enumerate(soft_tissue_motion(walk, settings, settings.draws, stream=2)):
        amounts = np.random.default_rng([settings.seed, 3, sample]).standard_normal(len(errors))
        try:
            above, below = (
                walk.curves(walk.with_body_error(combined(errors, sign * amounts), sign * moved_G))
                for sign in (1.0, -1.0)
            )
        except AnatomyError as error:
            failed.append(error)
            continue
        even.append(0.5 * (above + below) - walk.mean_curves)
    if len(even) < 2 and failed:
        raise AnatomyError(
            f"only {len(even)} of {settings.draws} random errors of body and markers give a body: {failed[0].problem}",
            where=failed[0].where,
            remedy=failed[0].remedy,
        )
    text = (
        f"{len(failed)} of {settings.draws} random errors of body and markers give no body and are left out, so the "
        f"bands are less certain: {failed[0].problem if failed else ''}"
    )
    notes = (Note("left out", "uncertainty", text),) if failed else ()
    return mean_where_known(np.array(even))[1] ** 2, notes


def counted_once(squares: np.ndarray, second_order: np.ndarray) -> np.ndarray:
    """Variances (S, 2, V, 101) by source without the part that they count twice, taken from all in proportion.

    Args:
        squares: variances (S, 2, V, 101) of the sources from single errors.
        second_order: Q (2, V, 101) of all of them.
    """
    total = squares.sum(axis=0)
    return squares * (1.0 - np.minimum(second_order / np.where(total > 0.0, total, 1.0), LARGEST_SHARE))
