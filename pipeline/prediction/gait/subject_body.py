"""The body of a subject whose walk is predicted, scaled by a static calibration or by anthropometric tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.anatomy import BodyPose, MarkerSet, calibrate
from pipeline.config import Subject
from pipeline.conventions import PREDICTED_HEIGHT, PREDICTED_MASS, X, Y
from pipeline.skeleton import Skeleton, load_skeleton, skeleton_of, symmetric
from pipeline.trial import Note, RawTrial, WholeBody

SEX = {"m": "male", "f": "female"}


@dataclass(frozen=True)
class Body:
    """A subject with a symmetric skeleton.

    Attributes:
        mass, height, sex: kg, m, "m" or "f".
        skeleton: symmetric skeleton of that size.
        pelvic_tilt: anterior tilt of the pelvis in the static trial, rad.
        notes: sources of the values.
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
    hip_method: str | None = None,
) -> Body:
    """The body for a subject's mass, height and sex, with the proportions of anthropometric tables.

    Args:
        subject: its mass and height take precedence over those of the static trial.
        skeleton: file of the skeleton.
        static: static trial that gives the tilt of the pelvis.
        marker_set: of the static trial.
        hip_method: method for its hip joint centres.

    Raises:
        AnatomyError: the static trial cannot be calibrated.
        ConfigError: mass or height is not a positive number.
    """
    assert subject.sex is not None  # checked with the study
    tilt, mass, height = 0.0, subject.mass_kg, subject.height_m
    if static is None or marker_set is None:
        assert mass is not None
        assert height is not None
        text = "upright in standing, since there is no static trial: pelvic tilt and hip flexion have an offset"
        notes = [Note("assumed", "pelvis", text)]
    else:
        values = (calibration := calibrate(static, marker_set, subject, hip_method=hip_method)).values
        mass, height = values["mass"], values["height"]
        notes = [
            Note("info", name, f"{values[name]:.4g} {unit} from {calibration.sources[name]}")
            for name, unit in (("mass", "kg"), ("height", "m"))
        ]
        markers = {name: static.marker(name) for name in static.marker_names}
        forward = BodyPose(marker_set, markers, values, calibration.hip_method).frame("pelvis")[:, :, X]
        # Tilt of the pelvis' anterior axis: independent of the direction the subject faces.
        tilt = float(np.nanmean(np.arcsin(-forward[:, Y])))
        text = f"anterior tilt of {np.degrees(tilt):.1f} degrees in {static.name}, added to pelvic tilt and hip flexion"
        notes.append(Note("info", "pelvis", text))
    notes += _unusual_size(mass, height)
    sex = SEX[subject.sex]
    built = load_skeleton(skeleton, mass=mass, height=height, sex=sex)  # type: ignore[arg-type]
    return Body(mass, height, subject.sex, built, tilt, tuple(notes))


def _unusual_size(mass: float, height: float) -> Iterator[Note]:
    """A warning on a mass, kg, or height, m, that is not among those of the walkers whom predictions are made for."""
    for name, value, unit, (least, most) in (
        ("mass", mass, "kg", PREDICTED_MASS),
        ("height", height, "m", PREDICTED_HEIGHT),
    ):
        if not least <= value <= most:
            people = f"the {least:g} to {most:g} {unit} of people for whom walks are predicted"
            yield Note("warning", name, f"{value:.4g} {unit}, outside {people}: the walk is an extrapolation")


def with_fitted_skeleton(body: Body, fitted: WholeBody) -> Body:
    """The body with the skeleton of a measured walk, both sides set to their mean.

    Args:
        body: of the same subject.
        fitted: the measured walk of the whole-body skeleton.
    """
    own = symmetric(skeleton_of(fitted))
    sizes = f"scaled by the static calibration of {fitted.name}"
    notes = [Note("info", "skeleton", sizes), Note("assumed", "skeleton", _symmetry_note(fitted.scale_factors))]
    return replace(body, mass=fitted.mass, height=fitted.height, skeleton=own, notes=(*body.notes, *notes))


def with_table_skeleton(body: Body, why: str) -> Body:
    """The body unchanged, with a note that its proportions are not the subject's own, and why."""
    note = Note("assumed", "skeleton", f"proportions of anthropometric tables for mass, height and sex, since {why}")
    return replace(body, notes=(*body.notes, note))


def _symmetry_note(sizes: Mapping[str, float]) -> str:
    """A note that both sides were set to their mean, and by how much they differed."""
    apart = {
        name.removeprefix("left_"): abs(size / sizes[other] - 1.0)
        for name, size in sizes.items()
        if name.startswith("left_") and (other := name.replace("left_", "right_")) in sizes
    }
    text = "both sides have the mean of their segment lengths and joint offsets"
    if not apart:
        return text
    worst = max(apart, key=lambda name: apart[name])
    return f"{text}, which differ by {100 * apart[worst]:.1f} % at most ({worst.replace('_', ' ')})"
