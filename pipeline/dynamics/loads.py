"""External loads and states, checked and packed for the kernels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench
from pipeline.skeleton import Skeleton, refuse_non_finite

Wrenches = Mapping[str, Wrench]
"""External loads by the segment or link they act on."""


def at_frames(wrenches: Wrenches, frames: np.ndarray | slice) -> dict[str, Wrench]:
    """The wrenches in the given frames."""
    return {name: w.at(frames) for name, w in wrenches.items()}


def pack_wrenches(skeleton: Skeleton, wrenches: Wrenches | None, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """Joint indices (m,) of the loaded links, and force, moment and point (T, m, 9) in G.

    Raises:
        DynamicsError: there is no mapping to wrenches, a link is unknown, the number of frames differs, or a value is
            not finite.
    """
    wrenches = {} if wrenches is None else wrenches
    if not (isinstance(wrenches, Mapping) and all(isinstance(wrench, Wrench) for wrench in wrenches.values())):
        problem = f"wrenches is {wrenches!r}"
        raise DynamicsError(problem, where="loads", remedy="Give a dictionary of Wrench by segment, {'right_foot': w}")
    links = np.array([skeleton.segment(name).joint for name in wrenches], dtype=np.int64)
    loads = np.empty((frames, len(wrenches), 9))
    for m, (name, wrench) in enumerate(wrenches.items()):
        if len(wrench) != frames:
            raise DynamicsError(
                f"the wrench has {len(wrench)} frames, the motion {frames}",
                where=f"wrench on {name}",
                remedy="Give one force, moment and point for each frame",
            )
        loads[:, m, :3], loads[:, m, 3:6], loads[:, m, 6:] = wrench.force_G, wrench.moment_G, wrench.point_G
    finite = np.isfinite(loads)
    if not finite.all():
        frame, m, component = np.argwhere(~finite)[0]
        quantity = ("force_G", "moment_G", "point_G")[component // 3]
        raise DynamicsError(
            f"{quantity} is {loads[frame, m, component]} in frame {frame}",
            where=f"wrench on {list(wrenches)[m]}",
            remedy="A zero load needs a point too: give any finite one",
        )
    return links, loads


def refuse_bad_frame(skeleton: Skeleton, bad_frame: int, **coordinates: np.ndarray) -> None:
    """Raise DynamicsError with joint and value if a kernel reported a frame (not -1) whose state is not finite."""
    if bad_frame >= 0:
        refuse_non_finite(skeleton, **coordinates)


def check_out(out: object, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise DynamicsError if a caller's buffer is not a writeable C-ordered float array of the expected shape."""
    for name, shape in shapes.items():
        array: object = getattr(out, name, None)
        fits = (
            isinstance(array, np.ndarray) and array.shape == shape and array.dtype == np.float64 and array.flags.carray
        )
        if not fits:
            raise DynamicsError(
                f"out.{name} is not a writeable C-ordered float64 array of shape {shape}",
                where="out",
                remedy="Make it with the class method empty()",
            )
