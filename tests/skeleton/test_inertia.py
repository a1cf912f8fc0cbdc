"""Slices of a body are possible bodies, and together they are the whole."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.skeleton.inertia import body_slice

radii = st.tuples(*(st.floats(0.05, 0.5) for _ in range(3))).filter(
    lambda r: 2 * max(np.square(r)) <= sum(np.square(r))  # a possible body
)


@given(radii=radii, cuts=st.lists(st.floats(0.05, 0.95), max_size=4), com=st.floats(0.0, 1.0))
def test_slices_are_possible_bodies_and_sum_to_the_whole(radii, cuts, com):
    edges = [0.0, *sorted(set(cuts)), 1.0]
    parts = [body_slice(3.0, com, np.array(radii), share) for share in pairwise(edges)]
    mass = sum(part.mass for part in parts)
    centre = sum(part.mass * part.com for part in parts) / mass
    moments = sum(part.moments + part.mass * (part.com - centre) ** 2 * np.array([1.0, 1.0, 0.0]) for part in parts)
    np.testing.assert_allclose(mass, 3.0, rtol=1e-12)
    np.testing.assert_allclose(centre, com, atol=1e-12)
    np.testing.assert_allclose(moments, 3.0 * np.square(radii), atol=1e-12)
    assert all(above.com < below.com for above, below in pairwise(parts)), "counted from the proximal end"
    for part in parts:
        assert 2 * part.moments.max() <= part.moments.sum() * (1 + 1e-9)


def test_slices_of_a_uniform_rod_are_rods():
    """The upper quarter of a rod of 0.4 m has its centre 0.05 m from the proximal end, and a rod's moments."""
    thick = 0.05
    radii = np.sqrt([0.4**2 / 12.0 + thick**2, 0.4**2 / 12.0 + thick**2, 2.0 * thick**2])
    part = body_slice(8.0, 0.2, radii, (0.0, 0.25))
    assert part.mass == 2.0
    assert np.isclose(part.com, 0.05)
    across = 2.0 * (0.1**2 / 12.0 + thick**2)
    np.testing.assert_allclose(part.moments, [across, across, 2.0 * 2.0 * thick**2])
