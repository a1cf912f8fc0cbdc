"""The body for which a walk is predicted: the skeleton that was fitted to a measured walk, or one of the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.anatomy.calibration import calibrate
from pipeline.anatomy.marker_set import MarkerSet
from pipeline.anatomy.pose import BodyPose
from pipeline.config import Subject
from pipeline.conventions import X, Y
from pipeline.skeleton import Segment, Skeleton, load_skeleton, symmetric
from pipeline.skeleton.transforms import dh_transform, transform
from pipeline.trial import BodyModel, Note, RawTrial, WholeBody

SEX = {"m": "male", "f": "female"}


@dataclass(frozen=True)
class Body:
    """A subject to predict for.

    Attributes:
        mass, height, sex: kg, m, "m" or "f".
        skeleton: of that size, symmetric.
        pelvic_tilt: anterior tilt of the pelvis in standing, rad.
        notes: where the values come from.
    """

    mass: float
    height: float
    sex: str
    skeleton: Skeleton
    pelvic_tilt: float = 0.0
    notes: tuple[Note, ...] = ()


def body_of(
    subject: Subject,
    skeleton: Path,
    static: RawTrial | None = None,
    marker_set: MarkerSet | None = None,
    hip_method: str = "davis",
) -> Body:
    """The body of a subject's mass, height and sex.

    Args:
        subject: mass and height as in the table where given, else as in the static trial.
        skeleton: the skeleton's file.
        static: standing trial, which shows the pelvis' tilt; ``marker_set`` and ``hip_method`` are its.

    Raises:
        AnatomyError: the static trial or the subject's values do not make a body.
    """
    assert subject.sex is not None  # the study was checked
    tilt, mass, height = 0.0, subject.mass_kg, subject.height_m
    if static is None or marker_set is None:
        assert mass is not None
        assert height is not None
        why = "no static trial: the pelvis is taken as upright in standing, so tilt and hip flexion have an offset"
        notes = [Note("assumed", "pelvis", why)]
    else:
        values = (calibration := calibrate(static, marker_set, subject, hip_method=hip_method)).values
        mass, height = values["mass"], values["height"]
        notes = [
            Note("info", name, f"{values[name]:.4g} {unit} from {calibration.sources[name]}")
            for name, unit in (("mass", "kg"), ("height", "m"))
        ]
        markers = {name: static.marker(name) for name in static.marker_names}
        forward = BodyPose(marker_set, markers, values, hip_method).frame("pelvis")[:, :, X]
        # How far the pelvis' forward axis points down, whichever way the subject faces.
        tilt = float(np.nanmean(np.arcsin(-forward[:, Y])))
        told = f"tilted forward by {np.degrees(tilt):.1f} degrees in {static.name}, added to the skeleton's upright one"
        notes.append(Note("info", "pelvis", told))
    sex = SEX[subject.sex]
    built = load_skeleton(skeleton, mass=mass, height=height, sex=sex)  # type: ignore[arg-type]
    return Body(mass, height, subject.sex, built, tilt, tuple(notes))


def with_fitted_skeleton(body: Body, fitted: WholeBody) -> Body:
    """The body with the sizes that were fitted to a measured walk, both sides alike, for a symmetric skeleton is what
    a predicted walk needs.

    Args:
        body: of the same subject.
        fitted: the walk on the whole skeleton.
    """
    own = symmetric(skeleton_of(fitted.model, body.skeleton))
    sizes = f"sized by the standing posture that calibrates {fitted.name}"
    notes = [Note("info", "skeleton", sizes), Note("assumed", "skeleton", _symmetry_told(fitted.scale_factors))]
    return replace(body, mass=fitted.mass, height=fitted.height, skeleton=own, notes=(*body.notes, *notes))


def with_table_skeleton(body: Body, why: str) -> Body:
    """The body as it is, with a note that its proportions are not its subject's own."""
    note = Note("assumed", "skeleton", f"the tables' proportions for mass, height and sex: {why}")
    return replace(body, notes=(*body.notes, note))


def skeleton_of(model: BodyModel, table: Skeleton) -> Skeleton:
    """The skeleton that a stage stored.

    Args:
        model: its numbers.
        table: a skeleton of the same joints and segments and another size: a segment's axes are fixed in its link, and
            its origin is its joint's.
    """
    segments = {}
    for name, segment in table.segments.items():
        j = segment.joint
        link = dh_transform(model.theta[j], model.d[j], model.a[j], model.alpha[j])
        segments[name] = Segment(j, transform(segment.pose[:3, :3], np.linalg.inv(link)[:3, 3]))
    values = {field: getattr(model, field) for field in BodyModel.__dataclass_fields__}
    return Skeleton(joint_names=table.joint_names, segments=segments, **values)


def _symmetry_told(sizes: Mapping[str, float]) -> str:
    """How much the sides differed whose mean both have."""
    apart = {
        name.removeprefix("left_"): abs(size / sizes[other] - 1.0)
        for name, size in sizes.items()
        if name.startswith("left_") and (other := name.replace("left_", "right_")) in sizes
    }
    text = "made symmetric: both sides have the mean of their sizes and turns"
    if not apart:
        return text
    worst = max(apart, key=lambda name: apart[name])
    return f"{text}; they differ by {100 * apart[worst]:.1f} % at most ({worst.replace('_', ' ')})"
