"""Names of segments and joints in a marker set's attachment that the skeleton does not have."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import filter as matching

from pipeline.anatomy import Attachments
from pipeline.config import nearest
from pipeline.errors import AnatomyError
from pipeline.skeleton import Skeleton


def check_attachments(attachments: Attachments, skeleton: Skeleton, where: str = "marker set") -> None:
    """Refuse an attachment that names what the skeleton does not have.

    Args:
        attachments: section ``skeleton`` of a marker set.
        skeleton: of any subject.
        where: what messages call the marker set.

    Raises:
        AnatomyError: lists each name, by what it is used, with the nearest one that exists.
    """
    problems = [
        f"{user} names {name!r}, which is no {kind} of the skeleton; {nearest(name, known)}"
        for kind, known, uses in (
            ("segment", tuple(skeleton.segments), _segments(attachments)),
            ("joint", skeleton.joint_names, _joints(attachments)),
        )
        for user, name in uses
        if not matching(known, name)  # the regularised joints are given by patterns
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
