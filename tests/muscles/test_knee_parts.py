"""Medial and lateral parts of the knee's contact force: cases by hand, and forces at two points given back."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.conventions import SIDES
from pipeline.muscles.knee_parts import CONTACT_DISTANCE, knee_parts


def test_by_hand() -> None:
    """1000 N along a left shank and 8 Nm about its forward axis with contacts 40 mm apart: 500 +- 200 N; on the right
    the same moment loads the lateral side."""
    force, moment = np.array([[50.0, -1000.0, 30.0]]), np.array([[8.0, 3.0, 1.0]])
    np.testing.assert_allclose(knee_parts(force, moment, "left", 0.040), [[700.0, 300.0]])
    np.testing.assert_allclose(knee_parts(force, moment, "right", 0.040), [[300.0, 700.0]])


@pytest.mark.parametrize("side", SIDES)
def test_two_pushes_are_found_again(side: str) -> None:
    """Forces along the shank at both contacts, summed by r x F, with a shear force at the centre."""
    rng = np.random.default_rng(3)
    parts = rng.uniform(0, 1500, (20, 2))
    inward = 1.0 if side == "left" else -1.0
    force, moment = np.zeros((2, 20, 3))
    for values, z in zip(parts.T, (0.5 * inward * CONTACT_DISTANCE, -0.5 * inward * CONTACT_DISTANCE), strict=True):
        push = np.outer(values, [0.0, -1.0, 0.0])
        force += push
        moment += np.cross(np.array([0.0, 0.0, z]), push)
    force += rng.normal(0, 100, (20, 3)) * [1.0, 0.0, 1.0]
    np.testing.assert_allclose(knee_parts(force, moment, side), parts)


def test_surfaces_do_not_pull() -> None:
    """A moment beyond what one side can give leaves all force there; a pulled knee has none; unknown is unknown."""
    force = np.array([[0.0, -1000.0, 0.0], [0.0, 200.0, 0.0], [np.nan] * 3])
    found = knee_parts(force, np.array([[30.0, 0.0, 0.0]] * 2 + [[np.nan] * 3]), "left", 0.040)
    np.testing.assert_allclose(found[:2], [[1000.0, 0.0], [0.0, 0.0]])
    assert np.isnan(found[2]).all()
