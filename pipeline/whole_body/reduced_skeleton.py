"""The skeleton of a walk's residual-reduced motion, from its results: the kinematic one with the fitted masses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.skeleton import Skeleton, skeleton_of
from pipeline.trial import WholeBody
from pipeline.whole_body.mass_adjustment import shifted_com
from pipeline.whole_body.residual_reduction import MASS_GROUPS, TRUNK


def reduced_skeleton(body: WholeBody) -> Skeleton:
    """The skeleton with the stored mass factors and the trunk's centre of mass shifted.

    Segments in no group share the factor that keeps the body's mass.
    """
    skeleton = skeleton_of(body)
    factor = np.full(len(skeleton), np.nan)
    for name, segments in MASS_GROUPS.items():
        factor[[skeleton.segment(segment).joint for segment in segments]] = body.mass_factors[name]
    rest = np.isnan(factor) & (skeleton.mass > 0.0)
    others = skeleton.mass.sum() - np.nansum(factor * skeleton.mass)
    factor[np.isnan(factor)] = others / skeleton.mass[rest].sum() if rest.any() else 1.0
    return replace(
        skeleton,
        mass=factor * skeleton.mass,
        com=shifted_com(skeleton, body.trunk_com_shift, TRUNK),
        inertia=factor[:, None, None] * skeleton.inertia,
    )
