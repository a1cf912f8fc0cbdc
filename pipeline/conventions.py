"""Frames, axes, signs and orders that all modules use.

Global frame G (ISB, Wu and Cavanagh 1995): X along the progression, Y up, Z to the subject's right; right-handed.
Segment frames follow the same pattern in the anatomical position: x forward, y proximal (up), z to the right, on both
sides of the body. SI units throughout; angles in radians, shown in degrees.

Arrays put time first: vectors ``(T, 3)``, rotations ``(T, 3, 3)``. The frame of a vector is part of its name:
``r_cop_G``, ``omega_shank_S``. ``R_GS`` maps the coordinates of S to those of G: ``v_G = R_GS @ v_S``.

A joint moment or force is what the proximal segment exerts on the distal one (internal, net muscle moment).
NaN means missing.
"""

import numpy as np

from pipeline.errors import DynamicsError

GRAVITY = 9.81
"""Magnitude of the gravitational acceleration (m/s^2)."""

GRAVITY_G: tuple[float, float, float] = (0.0, -GRAVITY, 0.0)
"""Gravitational acceleration in G (m/s^2)."""

X, Y, Z = 0, 1, 2
"""Indices of the progression, upward and rightward axes of G."""

MASS_LIMITS, HEIGHT_LIMITS = (3, 300), (0.5, 2.5)
"""Least and largest mass (kg) and height (m) of a person; grams and millimetres are beyond."""

PREDICTED_MASS, PREDICTED_HEIGHT = (20, 250), (1.0, 2.3)
"""Least and largest mass (kg) and height (m) of a body for predictions. Weights of predicted walks were fitted to
children and adults (Schwartz et al. 2008; Bovi et al. 2011); toddlers walk otherwise."""

MAX_FRICTION = 2
"""Largest coefficient of friction between foot and ground; a larger number is in percent or a mistake."""

SIDES: tuple[str, str] = ("left", "right")

LATERAL_SIGN: dict[str, float] = {"left": -1.0, "right": 1.0}
"""Direction of lateral along z (to the right) for each side."""

AXIS_NAMES: tuple[str, str, str] = ("x", "y", "z")


BAND_95 = 1.96
"""Half the width of a 95 % band of normally distributed errors, in standard deviations."""


def real_numbers(value: object) -> np.ndarray:
    """Return a value as a float array, masked entries as NaN; arrays of float are not copied.

    Raises:
        ValueError, TypeError: it is text, complex, or not an array (rows of different lengths).
    """
    array = value if isinstance(value, np.ma.MaskedArray) else np.asarray(value)
    if array.dtype.kind not in "biufO":
        raise TypeError(f"values of type {array.dtype} are not real numbers")
    return np.ma.filled(array.astype(float, copy=False), np.nan)


def is_number(value: object) -> bool:
    """Whether a value is one real number, which may be infinite but not NaN."""
    try:
        number = real_numbers(value)
    except (TypeError, ValueError):
        return False
    return number.ndim == 0 and not np.isnan(number)


def array_of(name: str, value: object, *shapes: tuple[int | str, ...], where: str) -> np.ndarray:
    """Return a value as a float array of one of the shapes, in which a letter is any length.

    Raises:
        DynamicsError: it has another shape, or is not an array of real numbers.
    """
    expected = " or ".join(str(shape).replace("'", "") for shape in shapes)
    remedy = "Give one number" if shapes == ((),) else f"Give real numbers as an array {expected}"
    try:
        array = real_numbers(value)
    except (TypeError, ValueError) as error:
        raise DynamicsError(f"{name} is not an array of numbers: {error}", where=where, remedy=remedy) from None
    for shape in shapes:
        if array.ndim == len(shape) and all(
            a == b or isinstance(b, str) for a, b in zip(array.shape, shape, strict=True)
        ):
            return array
    raise DynamicsError(f"{name} has shape {array.shape}, expected {expected}", where=where, remedy=remedy)


def gravity_vector(gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G) -> np.ndarray:
    """Return gravity as a float array (3,), m/s^2, in G. Raises DynamicsError if it is not three finite numbers."""
    try:
        vector = real_numbers(gravity)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        remedy = f"Give the acceleration in G as three numbers, m/s^2, such as {GRAVITY_G}"
        raise DynamicsError(f"gravity is {gravity}", where="gravity", remedy=remedy)
    return vector


def clinical_signs(joint: str) -> np.ndarray:
    """Signs (3,) that turn rotations about z, x, y into flexion, adduction and internal rotation of a joint.

    Args:
        joint: name that begins with its side, such as "left_knee". Flexion of the knee turns the distal segment
            backwards, that of hip and ankle forwards; moments have the opposite signs, so that extensor, abductor and
            external rotator moments are positive.
    """
    side, _, name = joint.partition("_")
    return np.array([-1.0 if name == "knee" else 1.0, LATERAL_SIGN[side], LATERAL_SIGN[side]])
