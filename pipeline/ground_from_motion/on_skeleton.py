"""A walk on the skeleton with joint loads of the legs estimated from motion where no plate measured them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pipeline.conventions import SIDES, Y
from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.skeleton import skeleton_of
from pipeline.trial import GroundFromMotion, Note, WholeBody


@dataclass(frozen=True)
class FilledWalk:
    """A walk with estimated loads where no plate measured them.

    Attributes:
        body: the walk.
        estimated: (T,) frames with estimated loads by side; empty if there are none.
        notes: how many.
    """

    body: WholeBody
    estimated: dict[str, np.ndarray]
    notes: tuple[Note, ...]


def with_estimated_loads(body: WholeBody, found: GroundFromMotion) -> FilledWalk:
    """The walk with missing joint loads of the legs in its kinematic motion filled in by recursion.

    Measured loads, and all loads of the pelvis and above, stay unchanged.

    Args:
        body: the walk.
        found: its loads estimated from motion.
    """
    skeleton, motion = skeleton_of(body), body.kinematic
    valid = np.isfinite(np.concatenate([motion.q, motion.qd, motion.qdd], axis=1)).all(axis=1)
    q, qd, qdd = motion.q[valid], motion.qd[valid], motion.qdd[valid].copy()
    taken_off = np.nan_to_num(found.force_correction[valid])
    if taken_off[:, Y].any():  # noise common to all markers, which the limbs lack too
        qdd[:, :3] += taken_off / body.mass
    wrenches = {
        f"{side}_foot": Wrench(*(np.nan_to_num(part[valid]) for part in (own.force_G, own.moment_G, own.point_G)))
        for side, own in found.ground.items()
    }
    loads = rnea(skeleton, q, qd, qdd, wrenches=wrenches)
    carrying = {side: skeleton.is_ancestor[:, skeleton.segment(f"{side}_foot").joint] for side in SIDES}
    values = {name: np.array(getattr(motion, name)) for name in ("tau", "force_G", "moment_G")}
    counts, frames = [], dict[str, np.ndarray]()
    for side, other in zip(SIDES, reversed(SIDES), strict=True):
        uppermost = np.argmax(carrying[side] & ~carrying[other])
        leg = np.flatnonzero(skeleton.is_ancestor[uppermost])
        estimated = np.isfinite(found.ground[side].force_G).all(axis=1) & valid
        lacking = estimated & np.isnan(motion.tau[:, leg]).any(axis=1)
        rows = np.flatnonzero(lacking[valid])
        for name, own in values.items():
            own[np.flatnonzero(lacking)[:, None], leg] = getattr(loads, name)[rows[:, None], leg]
        frames[side] = lacking
        if lacking.any():
            known = np.isfinite(values["tau"][:, leg]).all(axis=1).sum()
            counts.append(f"{lacking.sum()} of {known} frames of the {side} leg")
    tau, force_G, moment_G = values.values()
    completed = replace(body, kinematic=replace(motion, tau=tau, force_G=force_G, moment_G=moment_G))
    if not counts:
        return FilledWalk(completed, {}, ())
    text = (
        f"in {' and '.join(counts)}, muscle and contact forces come from joint moments estimated from motion, because "
        "no plate measured them and estimated_steps (loads) in config.yaml requests it"
    )
    return FilledWalk(completed, frames, (Note("estimated", "muscles", text),))
