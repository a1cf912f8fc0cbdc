"""Check of a marker set's attachment: names of segments and joints that the skeleton does not have."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import filter as matching

from pipeline.anatomy import Attachments
from pipeline.config import nearest
from pipeline.errors import AnatomyError
from pipeline.skeleton import Skeleton


def check_attachments(attachments: Attachments, skeleton: Skeleton, where: str = "marker set") -> None:
    """Refuse an attachment that names segments or joints that the skeleton does not have.

    Args:
        attachments: section ``skeleton`` of a marker set.
        skeleton: of any subject.
        where: name of the marker set in messages.

    Raises:
        AnatomyError: lists each unknown name, the entry that uses it, and the nearest known name.
    """
    problems = [
        f"{user} names {name!r}, which is not a {kind} of the skeleton; {nearest(name, known)}"
        for kind, known, uses in (
            ("segment", tuple(skeleton.segments), _segments(attachments)),
            ("joint", skeleton.joint_names, _joints(attachments)),
        )
        for user, name in uses
        if not matching(known, name)  # names of regularised joints are patterns
    ]
    if problems:
        raise AnatomyError("; ".join(problems), where=where)


def _segments(attachments: Attachments) -> Iterator[tuple[str, str]]:
    for section in ("markers", "centres", "joint_offsets", "calibrated_joints"):
        yield from ((f"skeleton.{section}.{name}", one.segment) for name, one in getattr(attachments, section).items())
    for name, factor in attachments.scale_factors.items():
        yield from ((f"skeleton.scale_factors.{name}", segment) for segment in factor.segments)


def _joints(attachments: Attachments) -> Iterator[tuple[str, str]]:
    for section in ("joint_offsets", "calibrated_joints"):
        yield from ((f"skeleton.{section}.{name}", one.joint) for name, one in getattr(attachments, section).items())
    for key, entry in (
        ("regularisation", attachments.regularised),
        ("static_regularisation", attachments.static_regularised),
    ):
        yield from ((f"skeleton.{key}", pattern) for pattern in entry.joints)
