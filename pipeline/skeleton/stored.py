"""The skeleton of a walk's results."""

from __future__ import annotations

from pipeline.skeleton.parameters import Segment
from pipeline.skeleton.tree import Skeleton
from pipeline.trial import BodyModel, WholeBody


def skeleton_of(body: WholeBody) -> Skeleton:
    """The skeleton with which a stored kinematic motion was computed."""
    values = {name: getattr(body.model, name) for name in BodyModel.__dataclass_fields__}
    segments = {name: Segment(segment.joint, segment.pose) for name, segment in body.model.segments.items()}
    return Skeleton(joint_names=body.joint_names, **values | {"segments": segments})
