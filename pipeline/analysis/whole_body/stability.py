"""Margins of stability at initial contact: how far the extrapolated centre of mass is inside the leading foot's ankle.

Hof, Gazendam and Sinke (2005), J Biomech 38(1), 1-8: a body like an inverted pendulum of length l stays upright over a
point of support u as long as the extrapolated centre of mass c + v / sqrt(g / l) has not passed it. Authors differ in
the point that bounds the support (Watson et al. 2021, BMC Musculoskelet Disord 22, 156); here it is the centre of the
ankle joint, which every marker set has.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis.whole_body.measures import KINEMATIC, BodyMeasure
from pipeline.conventions import GRAVITY, LATERAL_SIGN, SIDES, X, Z
from pipeline.math3d import unit
from pipeline.trial import CycleCurves, GaitCycles, WholeBody


def margins_of_stability(body: WholeBody, cycles: GaitCycles) -> Iterator[BodyMeasure]:
    """Mean over the cycles of a side of both margins, mm: lateral, and forward of the ankle, positive inside.

    Forward is along the foot's stride, which may deviate from the progression by some degrees.
    """
    for side in SIDES:
        own = [margins for c in cycles.cycles if c.cycle.side == side and (margins := _margins(body, c)) is not None]
        if own:
            lateral, forward = 1000.0 * np.mean(own, axis=0)
            yield BodyMeasure(KINEMATIC, side, "margin_of_stability_lateral", float(lateral), "mm")
            yield BodyMeasure(KINEMATIC, side, "margin_of_stability_forward", float(forward), "mm")


def _margins(body: WholeBody, curves: CycleCurves) -> np.ndarray | None:
    """(2,) lateral and forward at a cycle's initial contact, m; None if the motion is unknown there.

    The foot's displacement from contact to contact is shorter than the stride by the travel of a treadmill's belt; the
    belt's speed is added to that of the body.
    """
    cycle = curves.cycle
    ankle_G, com_G = body.kinematic.segments[f"{cycle.side}_foot"].origin_G, body.kinematic.com_G
    velocity_G = np.gradient(com_G, body.time, axis=0)
    instants = np.array([cycle.initial_contact, cycle.next_initial_contact])
    if instants[0] < body.time[0] or instants[1] > body.time[-1]:
        return None

    def at(values: np.ndarray, k: int = 0) -> np.ndarray:
        return np.array([np.interp(instants[k], body.time, values[:, axis]) for axis in range(3)])

    stride = at(ankle_G, 1) - at(ankle_G)
    belt = (curves.parameters["stride_length"] - stride[X]) / np.ptp(instants)
    length = np.linalg.norm(at(com_G) - at(ankle_G))
    rate = at(velocity_G) + np.array([belt, 0.0, 0.0])
    inside = at(ankle_G) - at(com_G) - rate / np.sqrt(GRAVITY / length)
    forward = unit(np.array([curves.parameters["stride_length"], 0.0, stride[Z]]))
    outward = LATERAL_SIGN[cycle.side] * np.cross(forward, [0.0, 1.0, 0.0])
    margins = np.array([inside @ outward, inside @ forward])
    return margins if np.isfinite(margins).all() else None
