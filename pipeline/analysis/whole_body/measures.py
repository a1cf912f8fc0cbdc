"""Quality measures of a walk on the whole skeleton: marker errors, pelvis residuals and their recommended limits (Hicks
et al. 2015), error of the forward simulation, and agreement with the matrix form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY, Y, clinical_signs
from pipeline.trial import BodyDynamics, WholeBody

FORCE_LIMIT = 0.05
"""Fraction of the peak of the net external force; Hicks et al. 2015, J Biomech Eng 137(2):020905."""

MOMENT_LIMIT = 0.01
"""Fraction of the peak of the net external force times the height of the centre of mass; same source."""

MIN_MASS_TRACKED = 0.9
"""Fraction of body mass on tracked segments below which pelvis residuals are not evaluated."""

WEAK_UNCERTAINTY = 10.0
"""Uncertainty in degrees, for marker errors of 5 mm, above which a coordinate is weakly observed."""

FORCE_AXES = ("fore_aft", "vertical", "sideways")
"""X, Y, Z of G: forward, up and to the right positive."""

MOMENT_AXES = ("rotation", "list", "tilt")
"""Axes of the pelvis's three rotations: upward, forward and to the right when the pelvis is upright."""

RESIDUAL_AXES = {"force": (FORCE_AXES, "%BW"), "moment": (MOMENT_AXES, "%BW*height")}
"""Axes and unit of each kind of pelvis residual."""

KINEMATIC, RESIDUAL_REDUCED = "kinematic", "residual-reduced"
"""Names of a walk's two motions: as fitted to the markers, and after residual reduction."""


def motions(body: WholeBody) -> dict[str, BodyDynamics]:
    """The motions of a walk by name; without residual reduction if there was none."""
    both = {KINEMATIC: body.kinematic, RESIDUAL_REDUCED: body.residual_reduced}
    return {name: motion for name, motion in both.items() if motion is not None}


@dataclass(frozen=True)
class MarkerErrors:
    """Distances of measured markers from the model markers, m.

    Attributes:
        rms, maximum: over frames, (K,) for each marker; NaN for a marker missing in all frames.
        worst: frame of each marker's maximum, counted from 0; -1 for a marker missing in all frames.
        frame_rms: over markers, (T,) for each frame.
        overall: root mean square over all.
    """

    rms: np.ndarray
    maximum: np.ndarray
    worst: np.ndarray
    frame_rms: np.ndarray
    overall: float


def marker_errors(motion: BodyDynamics) -> MarkerErrors:
    """Distances for one motion."""
    distance = motion.marker_error
    known = np.isfinite(distance)
    squares = np.where(known, distance, 0.0) ** 2

    def mean(axis: int | None) -> np.ndarray:
        count = known.sum(axis=axis)
        return np.sqrt(np.divide(squares.sum(axis=axis), count, where=count > 0, out=np.full(np.shape(count), np.nan)))

    filled = np.where(known, distance, -1.0)
    return MarkerErrors(
        rms=mean(0),
        maximum=np.where(known.any(axis=0), filled.max(axis=0), np.nan),
        worst=np.where(known.any(axis=0), filled.argmax(axis=0), -1),
        frame_rms=mean(1),
        overall=float(mean(None)),
    )


@dataclass(frozen=True)
class Residual:
    """Residual force and moment at the pelvis, over the frames in which the loads of both feet are known.

    Attributes:
        force_rms, force_peak: (3,) % of body weight along `FORCE_AXES`.
        moment_rms, moment_peak: (3,) % of body weight times height about `MOMENT_AXES`.
    """

    force_rms: np.ndarray
    force_peak: np.ndarray
    moment_rms: np.ndarray
    moment_peak: np.ndarray


def residual(body: WholeBody, motion: BodyDynamics) -> Residual | None:
    """Pelvis residuals of one motion; None if the loads of both feet are known in no frame."""
    if not body.loads_known.any():
        return None
    force, moment = (100.0 * part[body.loads_known] for part in (motion.residual_force, motion.residual_moment))
    return Residual(
        force_rms=np.sqrt(np.mean(force**2, axis=0)),
        force_peak=np.abs(force).max(axis=0),
        moment_rms=np.sqrt(np.mean(moment**2, axis=0)),
        moment_peak=np.abs(moment).max(axis=0),
    )


def limits(body: WholeBody) -> tuple[float, float]:
    """Recommended limits of the pelvis residuals: force in % of body weight, moment in % of body weight times height.

    They follow from the peak of the net force of the ground and the mean height of the centre of mass above the floor
    (G's X-Z plane) over the frames in which both feet's loads are known; NaN if there are none.
    """
    if not body.loads_known.any():
        return float("nan"), float("nan")
    net = sum(wrench.force_G[body.loads_known] for wrench in body.ground.values())
    peak = float(np.linalg.norm(net, axis=1).max()) / (body.mass * GRAVITY)
    height = float(body.kinematic.com_G[body.loads_known, Y].mean()) / body.height
    return 100.0 * FORCE_LIMIT * peak, 100.0 * MOMENT_LIMIT * peak * height


def sagittal_sign(joint: str) -> float:
    """Sign that turns a leg joint's moment to the right into an extensor or plantarflexor moment."""
    return -float(clinical_signs(joint)[0])


def drift(body: WholeBody) -> tuple[float, float]:
    """Largest distance (m) and rotation (rad) of the simulated free body's pelvis from the fitted one; NaN if none."""
    found = body.forward_check
    if found is None:
        return float("nan"), float("nan")
    moved, turned = found.deviation[:, :3], found.deviation[:, 3:]
    return float(np.linalg.norm(moved, axis=1).max()), float(np.abs(turned).max())


@dataclass(frozen=True)
class BodyMeasure:
    """One number of a walk on the whole skeleton.

    Attributes:
        motion: `KINEMATIC`, `RESIDUAL_REDUCED`, or "" for a value of neither.
        side: "left", "right" or "".
    """

    motion: str
    side: str
    name: str
    value: float
    unit: str


def body_measures(body: WholeBody) -> Iterator[BodyMeasure]:
    """All measures of a walk."""
    force_limit, moment_limit = limits(body)
    yield BodyMeasure("", "", "coordinates_observed", float(body.rank), "1")
    yield BodyMeasure("", "", "mass_tracked", 100.0 * body.mass_tracked, "%")
    yield BodyMeasure("", "", "residual_force_limit", force_limit, "%BW")
    yield BodyMeasure("", "", "residual_moment_limit", moment_limit, "%BW*height")
    for label, motion in motions(body).items():
        yield from _of_motion(body, label, motion)
    for kind, values in (("force", body.held_out_residual_force), ("moment", body.held_out_residual_moment)):
        axes, unit = RESIDUAL_AXES[kind]
        for axis, value in zip(axes, values, strict=True):
            yield BodyMeasure(RESIDUAL_REDUCED, "", f"residual_{kind}_{axis}_held_out_rms", 100.0 * float(value), unit)
    distance, rotation = drift(body)
    yield BodyMeasure(KINEMATIC, "", "free_body_drift", 1000.0 * distance, "mm")
    yield BodyMeasure(KINEMATIC, "", "free_body_rotation", float(np.degrees(rotation)), "deg")
    for found in body.moment_comparisons:
        side, _, joint = found.joint.partition("_")
        for name, value, unit in (
            ("correlation", found.correlation, "1"),
            ("rms", found.rms_difference, "Nm/kg"),
            ("peak_matrix_form", sagittal_sign(found.joint) * found.matrix_form_peak, "Nm/kg"),
            ("peak_skeleton", sagittal_sign(found.joint) * found.skeleton_peak, "Nm/kg"),
        ):
            yield BodyMeasure(KINEMATIC, side, f"{joint}_sagittal_moment_{name}", value, unit)


def _of_motion(body: WholeBody, label: str, motion: BodyDynamics) -> Iterator[BodyMeasure]:
    errors = marker_errors(motion)
    yield BodyMeasure(label, "", "marker_error_rms", 1000.0 * errors.overall, "mm")
    yield BodyMeasure(label, "", "marker_error_maximum", 1000.0 * float(np.nanmax(errors.maximum)), "mm")
    left = residual(body, motion)
    if left is None:
        return
    for kind, (axes, unit) in RESIDUAL_AXES.items():
        for k, axis in enumerate(axes):
            for of in ("rms", "peak"):
                value = float(getattr(left, f"{kind}_{of}")[k])
                yield BodyMeasure(label, "", f"residual_{kind}_{axis}_{of}", value, unit)
