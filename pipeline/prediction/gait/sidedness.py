"""Bodies whose sides differ: locking of joints frozen on one side, and the refusal to mirror a step of such a body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import Walker
from pipeline.sides import other_side
from pipeline.skeleton import Skeleton


def lock_one_sided(skeleton: Skeleton) -> Skeleton:
    """The skeleton with joints that are frozen on only one side locked instead: no range of motion, no torque limit.

    A frozen joint's link is merged with its parent's, which would leave the two sides with different joints.
    """
    names = skeleton.joint_names
    partner = np.array([names.index(other) if (other := other_side(name)) in names else -1 for name in names])
    alone = skeleton.frozen & ~skeleton.frozen[partner] & (partner >= 0)
    if not alone.any():
        return skeleton
    return lock(replace(skeleton, frozen=skeleton.frozen & ~alone), dict.fromkeys(np.flatnonzero(alone).tolist(), 0.0))


def lock(skeleton: Skeleton, angles: dict[int, float]) -> Skeleton:
    """The skeleton with joints held at angles, rad, without torque limits: a brace or bone carries the torque."""
    lower, upper, torque = (np.array(getattr(skeleton, name)) for name in ("q_lower", "q_upper", "tau_limit"))
    for joint, angle in angles.items():
        lower[joint], upper[joint], torque[joint] = angle, angle, np.inf
    return replace(skeleton, q_lower=lower, q_upper=upper, tau_limit=torque)


def differences(walker: Walker, task: GaitTask) -> list[str]:
    """In what the left and right side of a body and of its task differ."""
    differ = list(walker.differences)
    if task.left_force_limit != task.right_force_limit:
        differ.append(f"vertical force limit ({task.left_force_limit:g} left, {task.right_force_limit:g} right)")
    if task.left_heel_off != task.right_heel_off:
        differ.append(f"heel off ({task.left_heel_off} left, {task.right_heel_off} right, of a step)")
    if task.step_time_share != 0.5:
        differ.append(f"step times (share of the first {task.step_time_share:g})")
    return differ


def refuse_mirrored_differences(walker: Walker, task: GaitTask) -> None:
    """Raise PredictionError if the form ``step`` would mirror a body or task whose sides differ."""
    if task.form == "step" and (differ := differences(walker, task)):
        shown = ", ".join(name.replace("_", " ") for name in differ[:4])
        more = f" and {len(differ) - 4} more" if len(differ) > 4 else ""
        raise PredictionError(
            f"left and right differ ({shown}{more}), and the form 'step' would mirror one side",
            where="gait",
            remedy="Use the form 'stride', whose two steps have their own left and right",
        )
