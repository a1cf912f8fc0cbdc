"""Chord construction by its defining properties; hip regressions by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import chord, hip_centre_in_pelvis
from pipeline.math3d import rotation_about

DISTANCE = 0.06


@pytest.fixture
def limb(rng):
    """A knee marker and a wand beside a thigh, in 40 general positions."""
    R = Rotation.random(40, random_state=8).as_matrix()
    proximal = rng.normal(size=(40, 3))
    marker = proximal + R @ [0.02, -0.40, 0.07]
    wand = proximal + R @ [0.05, -0.22, 0.13]
    return proximal, marker, wand


def test_the_centre_lies_at_the_distance_from_the_marker_under_a_right_angle(limb):
    proximal, marker, wand = limb
    centre = chord(proximal, marker, wand, DISTANCE)
    np.testing.assert_allclose(np.linalg.norm(centre - marker, axis=1), DISTANCE, atol=1e-14)
    np.testing.assert_allclose(np.sum((proximal - centre) * (marker - centre), axis=1), 0.0, atol=1e-14)


def test_the_centre_lies_in_the_plane_of_the_wand_and_on_the_side_away_from_it(limb):
    proximal, marker, wand = limb
    centre = chord(proximal, marker, wand, DISTANCE)
    normal = np.cross(marker - proximal, wand - proximal)
    np.testing.assert_allclose(np.sum((centre - proximal) * normal, axis=1), 0.0, atol=1e-14)
    across_wand = np.cross(marker - proximal, wand - proximal)
    across_centre = np.cross(marker - proximal, centre - proximal)
    assert np.all(np.sum(across_wand * across_centre, axis=1) < 0.0)


def test_a_three_four_five_triangle_by_hand():
    """Hypotenuse 0.5 from hip (0, 0) to marker (0, -0.5), distance 0.3: the centre is 0.18 up and 0.24 aside."""
    proximal, marker, wand = np.array([[[0.0, 0, 0]], [[0, -0.5, 0]], [[0, -0.3, 0.1]]])
    np.testing.assert_allclose(chord(proximal, marker, wand, 0.3), [[0, -0.32, -0.24]], atol=1e-15)


@pytest.mark.parametrize("angle", [-0.4, -0.1, 0.05, 0.3])
def test_a_rotation_turns_the_wand_about_the_line_to_the_centre_and_is_a_fixed_point(angle, limb):
    """The turned wand, built with the found centre, gives this very centre without any rotation."""
    proximal, marker, wand = limb
    centre = chord(proximal, marker, wand, DISTANCE, angle)
    R = rotation_about(centre - proximal, np.full(40, angle))
    turned = proximal + np.einsum("tij,tj->ti", R, wand - proximal)
    np.testing.assert_allclose(chord(proximal, marker, turned, DISTANCE), centre, atol=1e-11)
    np.testing.assert_allclose(np.linalg.norm(centre - marker, axis=1), DISTANCE, atol=1e-14)


def test_a_positive_rotation_is_right_handed_about_the_downward_line():
    """Limb down -y, marker and wand to the right (+z): about -y, +z turns to -x, so the centre goes to +x."""
    proximal, marker, wand = np.array([[[0.0, 0, 0]], [[0, -0.5, 0.05]], [[0, -0.3, 0.15]]])
    assert chord(proximal, marker, wand, DISTANCE)[0, 0] == pytest.approx(0.0, abs=1e-15)
    assert chord(proximal, marker, wand, DISTANCE, 0.2)[0, 0] > 0.005
    assert chord(proximal, marker, wand, DISTANCE, -0.2)[0, 0] < -0.005


def test_mirrored_points_with_the_opposite_rotation_give_the_mirrored_centre(limb):
    mirror = np.array([1.0, 1.0, -1.0])
    centre = chord(*limb, DISTANCE, 0.2)
    mirrored = chord(*(p * mirror for p in limb), DISTANCE, -0.2)
    np.testing.assert_allclose(mirrored, centre * mirror, atol=1e-11)


@pytest.mark.parametrize("rotation", [0.0, 0.2])
def test_what_cannot_be_built_is_missing_in_its_own_frames(rotation, limb):
    proximal, marker, wand = (p.copy() for p in limb)
    expected = chord(proximal, marker, wand, DISTANCE, rotation)
    proximal[3], marker[5], wand[7] = np.nan, np.nan, np.nan
    proximal[9] = marker[9] + [0.01, 0.0, 0.0]  # nearer than the distance
    wand[11] = 0.5 * (proximal[11] + marker[11])  # on the line: no plane
    found = chord(proximal, marker, wand, DISTANCE, rotation)
    lost = [3, 5, 7, 9, 11]
    assert np.isnan(found[lost]).all()
    np.testing.assert_allclose(np.delete(found, lost, axis=0), np.delete(expected, lost, axis=0), atol=1e-11)


def test_all_missing_is_missing_without_a_warning():
    nothing = np.full((4, 3), np.nan)
    assert np.isnan(chord(nothing, nothing, nothing, DISTANCE, 0.1)).all()


VALUES = {
    "inter_asis": 0.240,
    "pelvis_depth": 0.160,
    "leg_length_left": 0.880,
    "leg_length_right": 0.900,
    "asis_trochanter_left": 0.066,
    "asis_trochanter_right": 0.068,
    "marker_radius": 0.007,
}


@pytest.mark.parametrize(
    ("method", "side", "expected"),
    [
        # C = 0.115 * 890 - 15.3 = 87.05 mm; C cos 0.5 = 76.3937, C sin 0.5 = 41.7340; cos 0.314 = 0.951106,
        # sin 0.314 = 0.308866; ASIS to trochanter plus radius: 73 and 75 mm.
        # x = 76.3937 * 0.308866 - 73 * 0.951106 = 23.5954 - 69.4307; y = -76.3937 * 0.951106 - 73 * 0.308866.
        ("davis", "left", (-45.8353, -95.2057, -78.2660)),
        ("davis", "right", (-47.7375, -95.8234, 78.2660)),
        # -0.24 * 160 - 9.9; -0.16 * 240 - 0.04 * 890 - 7.1; 0.28 * 160 + 0.16 * 240 + 7.9.
        ("harrington", "left", (-48.3, -81.1, -91.1)),
        ("harrington", "right", (-48.3, -81.1, 91.1)),
        # 19, 30 and 36 % of 240 mm.
        ("bell", "left", (-45.6, -72.0, -86.4)),
        ("bell", "right", (-45.6, -72.0, 86.4)),
    ],
)
def test_hip_regressions_by_hand(method, side, expected):
    """To a micrometre: the figures above are rounded to a tenth of that."""
    found = 1000.0 * hip_centre_in_pelvis(method, side, VALUES)
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_unknown_hip_methods_are_refused():
    with pytest.raises(ValueError, match="davis"):
        hip_centre_in_pelvis("guess", "left", VALUES)
