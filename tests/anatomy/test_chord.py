"""Chord construction by its defining properties and on limbs of known centres."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import chord
from pipeline.anatomy.chord import rotation_of_wand, triangle, unsolved
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


def test_a_three_four_five_triangle_by_hand():
    """Hypotenuse 0.5 from hip (0, 0) to marker (0, -0.5), distance 0.3: the centre is 0.18 up and 0.24 aside."""
    proximal, marker, wand = np.array([[[0.0, 0, 0]], [[0, -0.5, 0]], [[0, -0.3, 0.1]]])
    np.testing.assert_allclose(chord(proximal, marker, wand, 0.3), [[0, -0.32, -0.24]], atol=1e-15)


def test_a_positive_rotation_is_right_handed_about_the_downward_line():
    """Limb down -y, marker and wand to the right (+z): about -y, +z turns to -x, so the centre goes to +x."""
    proximal, marker, wand = np.array([[[0.0, 0, 0]], [[0, -0.5, 0.05]], [[0, -0.3, 0.15]]])
    assert chord(proximal, marker, wand, DISTANCE)[0, 0] == pytest.approx(0.0, abs=1e-15)
    assert chord(proximal, marker, wand, DISTANCE, 0.2)[0, 0] > 0.005
    assert chord(proximal, marker, wand, DISTANCE, -0.2)[0, 0] < -0.005


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


def limbs(rng, rotation, abduction=0.0, count=200):
    """Proximal joints, markers, wands and known centres of limbs of all kinds, low wands included.

    In the limb's axes: y down to the centre, the marker at z; the wand lies ``rotation`` before z about the line down.
    """
    R, proximal = Rotation.random(count, random_state=rng).as_matrix(), rng.normal(size=(count, 3))
    length, height, radius = rng.uniform(0.2, 0.5, count), rng.uniform(0.1, 1.0, count), rng.uniform(0.03, 0.2, count)
    down, lateral = np.array([0.0, -1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    azimuth = rotation_about(down, -rotation) @ lateral
    centre = length[:, None] * down
    marker = centre + DISTANCE * (np.sin(abduction) * down + np.cos(abduction) * lateral)
    wand = (height * length)[:, None] * down + radius[:, None] * azimuth
    return proximal, *(proximal + np.einsum("tij,tj->ti", R, point) for point in (marker, wand, centre))


def angle_about(axis, start, end):
    """Signed angle (T,) between the parts of two vectors across an axis, by complex numbers."""
    axis = axis / np.linalg.norm(axis, axis=1, keepdims=True)
    e1 = np.cross(axis, [0.3, 0.5, 0.7])
    e2 = np.cross(axis, e1)
    start, end = (np.sum(v * e1, axis=1) + 1j * np.sum(v * e2, axis=1) for v in (start, end))
    return np.angle(end / start)


@pytest.mark.parametrize("abduction", [0.0, 0.2, -0.15])
@pytest.mark.parametrize("degrees", [-170, -90, -60, -30, 0, 5, 30, 60, 90, 120])
def test_the_known_centre_of_any_limb_is_found_with_offsets_of_any_size(degrees, abduction, rng):
    """Exactly, where the wand lies outside of the line from proximal joint to marker, as seen from the limb's axis.

    A wand inside of that line has a second centre with the same distance and angles, farther from it.
    """
    rotation = np.radians(degrees)
    proximal, marker, wand, truth = limbs(rng, rotation, abduction)
    centre = chord(proximal, marker, wand, DISTANCE, rotation, abduction)
    axis = (truth - proximal) / np.linalg.norm(truth - proximal, axis=1, keepdims=True)
    height, radius = (np.sum((wand - proximal) * axis, axis=1), np.linalg.norm(np.cross(wand - proximal, axis), axis=1))
    on_line = np.linalg.norm(np.cross(marker - proximal, axis), axis=1) / np.sum((marker - proximal) * axis, axis=1)
    outside = radius * np.cos(rotation) > height * on_line if abs(degrees) < 90 else np.full(len(height), True)
    assert outside.sum() > 100
    np.testing.assert_allclose(centre[outside], truth[outside], atol=1e-11)


@pytest.mark.parametrize("abduction", [0.0, 0.2])
@pytest.mark.parametrize("degrees", [-120, -60, -5, 30, 90])
def test_distance_and_both_angles_hold_for_whatever_centre_is_returned(degrees, abduction, rng):
    proximal, marker, wand, _ = limbs(rng, 0.3)
    rotation = np.radians(degrees)
    centre = chord(proximal, marker, wand, DISTANCE, rotation, abduction)
    found = np.isfinite(centre).all(axis=1)
    assert found.sum() > 100
    centre, proximal, marker, wand = (points[found] for points in (centre, proximal, marker, wand))
    to_marker, to_proximal = marker - centre, proximal - centre
    np.testing.assert_allclose(np.linalg.norm(to_marker, axis=1), DISTANCE, atol=1e-13)
    cosine = np.sum(to_marker * to_proximal, axis=1) / (DISTANCE * np.linalg.norm(to_proximal, axis=1))
    np.testing.assert_allclose(cosine, -np.sin(abduction), atol=1e-12)
    turned = angle_about(-to_proximal, wand - proximal, to_marker)
    np.testing.assert_allclose(np.angle(np.exp(1j * (turned - rotation))), 0.0, atol=1e-9)


def test_a_low_wand_with_a_large_offset_has_its_centre():
    """A wand at 90 % of the shank's length on its front, and an offset of 75 degrees."""
    rotation = np.radians(75.0)
    down, lateral = np.array([[0.0, -1.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    proximal, truth = np.zeros((1, 3)), 0.4 * down
    marker, wand = truth + DISTANCE * lateral, 0.36 * down + 0.05 * lateral @ rotation_about(down[0], rotation)
    np.testing.assert_allclose(chord(proximal, marker, wand, DISTANCE, rotation), truth, atol=1e-12)


def test_a_wand_too_near_to_the_line_for_its_offset_has_no_centre():
    """Wand 5 mm beside the line at 0.3 m of 0.4 m: 5 degrees of offset have a centre (limit 3.9 mm), 60 none."""
    proximal, marker = np.zeros((1, 3)), np.array([[0.0, -0.4, 0.0]])
    wand = np.array([[0.0, -0.3, 0.005]])
    assert not np.isfinite(chord(proximal, marker, wand, DISTANCE, np.radians(60.0))).any()
    assert np.isfinite(chord(proximal, marker, wand, DISTANCE, np.radians(5.0))).all()


@pytest.mark.parametrize("longer", [1.0, 1000.0])
@pytest.mark.parametrize("degrees", [-170.0, -100.0, -60.0, 5.0, 60.0, 120.0, 150.0])
@pytest.mark.parametrize("along", [0.3, -0.1])
def test_the_limit_told_is_the_distance_at_which_a_wand_begins_to_have_a_centre(degrees, along, longer):
    """In metres or in millimetres."""
    proximal, marker = np.zeros((1, 3)), longer * np.array([[0.0, -0.4, 0.0]])
    rotation, distance = np.radians(degrees), longer * DISTANCE

    def wand(beside: float) -> np.ndarray:
        return np.array([[0.0, -longer * along, beside]])

    limit = float(triangle(proximal, marker, wand(longer * 0.01), distance, rotation).least_b[0])
    near, far = wand(0.999 * limit), wand(1.001 * limit)
    assert np.isfinite(chord(proximal, marker, far, distance, rotation)).all()
    centre = chord(proximal, marker, near, distance, rotation)
    frames, what, value, told = unsolved(triangle(proximal, marker, near, distance, rotation), centre, distance)
    assert (frames.all(), what) == (True, "wand")
    assert (value, told) == pytest.approx((0.999 * limit, limit))


def test_the_wand_that_is_told_is_that_which_lacks_most():
    """Of four frames the first has a centre and the third does not see the wand; the last one lacks four fifths of the
    limit."""
    proximal, marker = np.zeros((4, 3)), np.tile([0.0, -0.4, 0.0], (4, 1))
    wand, rotation = np.tile([0.0, -0.3, 0.01], (4, 1)), np.radians(60.0)
    limit = float(triangle(proximal, marker, wand, DISTANCE, rotation).least_b[0])
    wand[:, 2] = limit * np.array([2.0, 0.9, np.nan, 0.2])
    centre = chord(proximal, marker, wand, DISTANCE, rotation)
    frames, what, value, told = unsolved(triangle(proximal, marker, wand, DISTANCE, rotation), centre, DISTANCE)
    assert (frames.tolist(), what) == ([False, True, False, True], "wand")
    assert (value, told) == pytest.approx((0.2 * limit, limit))


@pytest.mark.parametrize("degrees", [-60.0, 5.0, 30.0])
def test_the_rotation_of_a_wand_is_that_whose_centre_lies_on_the_axis_of_the_joint(degrees, rng):
    """Of limbs anywhere; the axis runs from the known centre to the marker."""
    proximal, marker, wand, centre = limbs(rng, np.radians(degrees))
    found = rotation_of_wand(proximal, marker, wand, DISTANCE, 3.0 * (marker - centre))
    np.testing.assert_allclose(found, np.radians(degrees), atol=1e-9)
