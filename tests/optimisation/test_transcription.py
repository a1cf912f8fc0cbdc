"""Splines and states: every derivative against differences; relations: end conditions and continuity of the curves."""

import numpy as np
import pytest

from pipeline.optimisation import LinearRelations, OptimisationError, SparseRows, Spline, Transcription
from pipeline.optimisation.transcription import Rows

# Central differences of step h err by h^2/6 of the third derivative plus 1e-16/h of rounding: about 1e-8 of the
# quantity at h = 1e-6; the largest quantity, a second derivative by a knot, is scaled away by the test.
STEP, AGREEMENT = 1e-6, 2e-7

FORMS = [(3, "clamped"), (3, "wrapped"), (5, "clamped"), (5, "wrapped")]


def uneven(degree: int, ends: str) -> Spline:
    breaks = np.array([0.0, 0.11, 0.24, 0.41, 0.55, 0.78, 0.9, 1.0])
    return Spline(degree, breaks, ends)


@pytest.mark.parametrize(("degree", "ends"), FORMS)
def test_basis_sums_to_one_and_derivatives_agree_with_differences(degree: int, ends: str) -> None:
    spline = uneven(degree, ends)
    s = np.linspace(0.013, 0.987, 40)
    np.testing.assert_allclose(spline.basis(s).sum(axis=1), 1.0, atol=1e-14)
    for k in range(2):
        difference = (spline.basis(s + STEP, k) - spline.basis(s - STEP, k)) / (2 * STEP)
        scale = np.abs(spline.basis(s, k + 1)).max()
        np.testing.assert_allclose(difference / scale, spline.basis(s, k + 1) / scale, atol=AGREEMENT)


@pytest.mark.parametrize(("degree", "ends"), FORMS)
def test_gradient_by_knots_agrees_with_moved_knots(degree: int, ends: str) -> None:
    spline = uneven(degree, ends)
    points = np.random.default_rng(1).normal(size=(spline.n_points, 2))
    s = np.linspace(0.0, 1.0, 41)
    s = s[np.abs(s[:, None] - spline.breaks[1:-1]).min(axis=1) > 1e-3]
    for k in range(4):
        analytic = spline.knot_gradient(points, s, k)
        for j in range(1, spline.n_intervals):
            moved = []
            for sign in (1, -1):
                breaks = spline.breaks.copy()
                breaks[j] += sign * STEP
                moved.append(Spline(degree, breaks, ends).basis(s, k) @ points)
            difference = (moved[0] - moved[1]) / (2 * STEP)
            scale = np.abs(analytic).max()
            np.testing.assert_allclose(difference / scale, analytic[:, :, j - 1] / scale, atol=AGREEMENT)


def free_form(degree: int, ends: str, free: bool) -> Transcription:
    spline = uneven(degree, ends)
    relations = LinearRelations(spline, 3).pin(2, 0.3)
    if ends == "clamped":
        relations.rest(0, -1.0, 0.5).mirror_end(1, 1, -1.0)
    else:
        relations.wrap(0, 1, -1.0, 0.2).wrap(1, 0, -1.0)
    return Transcription(spline, relations.build(), np.linspace(0, 1, 22), 0.7, free, free)


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize(("degree", "ends"), FORMS)
def test_state_gradient_by_points_time_and_breaks_agrees_with_differences(degree: int, ends: str, free: bool) -> None:
    form = free_form(degree, ends, free)
    rng = np.random.default_rng(2)
    x = form.pack(rng.normal(size=(form.spline.n_points, 3)))
    states = form.states(x)
    parts = [rng.normal(size=(22, 4, 3)) for _ in range(4)]
    supports, ones = states.gradient.supports, np.ones((22, 4))
    total = np.zeros((22 * 4, supports.width))
    states.gradient.chain_rule(parts, Rows.among(ones, 0, 4), total)
    analytic = SparseRows.compact(total, supports, np.repeat(np.arange(22), 4)).toarray().reshape(22, 4, -1)
    pairs = states.gradient.supports_of_pairs
    first, second = rng.normal(size=(2, 21, 4))
    total = np.zeros((21 * 4, pairs.width))
    states.gradient.chain_rule_of_pairs(parts, Rows.among(first, 0, 4), second.ravel(), total)
    of_pairs = SparseRows.compact(total, pairs, np.repeat(np.arange(21), 4)).toarray().reshape(21, 4, -1)
    expected = first[:, :, None] * analytic[:-1] + second[:, :, None] * analytic[1:]
    np.testing.assert_allclose(of_pairs, expected, atol=1e-12 * np.abs(expected).max())

    def moved(step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = form.states(x + step)
        curves = (at.q, at.qd, at.qdd, at.qddd)
        return sum(np.einsum("krn,kn->kr", p, c) for p, c in zip(parts, curves, strict=True)), at.quadrature

    for j, e in enumerate(np.eye(form.n_variables) * STEP):
        (up, up_weights), (down, down_weights) = moved(e), moved(-e)
        scale = np.abs(analytic[:, :, j]).max()
        np.testing.assert_allclose((up - down) / (2 * STEP) / scale, analytic[:, :, j] / scale, atol=10 * AGREEMENT)
        np.testing.assert_allclose(
            (up_weights - down_weights) / (2 * STEP), states.quadrature_gradient[:, j], atol=1e-8
        )


def test_wrapped_half_wave_continues_the_partner_with_two_derivatives() -> None:
    form = free_form(3, "wrapped", False)
    at = form.with_nodes(np.array([0.0, 1.0])).states(np.random.default_rng(3).normal(size=form.n_variables))
    for curve, shift in ((at.q, 0.2), (at.qd, 0.0), (at.qdd, 0.0)):
        assert curve[1, 0] == pytest.approx(-curve[0, 1] + shift, abs=1e-11)
        assert curve[1, 1] == pytest.approx(-curve[0, 0], abs=1e-11)


def test_graded_breaks_are_dense_at_both_ends_and_repeat_for_every_pattern() -> None:
    step, stride = (Spline.graded(3, 8, "wrapped", 0.2, repeats) for repeats in (1, 2))
    np.testing.assert_allclose(np.diff(stride.breaks), np.tile(np.diff(step.breaks), 2) / 2.0, atol=1e-15)
    widths = np.diff(step.breaks)
    np.testing.assert_allclose(widths, widths[::-1], atol=1e-15)
    # The slope of the breaks over equal ones is 1 - 0.2 cos(2 pi s): its mean over the first eighth, and the fourth.
    for i in (0, 3):
        slope = 1.0 - 0.2 * np.cos(2.0 * np.pi * np.linspace(i / 8.0, (i + 1) / 8.0, 20001))
        np.testing.assert_allclose(widths[i], np.mean(slope) / 8.0, rtol=1e-4)
    np.testing.assert_array_equal(Spline.graded(3, 5).breaks, np.linspace(0.0, 1.0, 6))
    for grading in (-0.1, 1.0):
        with pytest.raises(OptimisationError, match="grading"):
            Spline.graded(3, 8, grading=grading)


def test_clamped_ties_fix_ends_frozen_joints_and_mirrored_ends() -> None:
    form = free_form(3, "clamped", False)
    at = form.with_nodes(np.array([0.0, 0.4, 1.0])).states(np.random.default_rng(3).normal(size=form.n_variables))
    np.testing.assert_allclose(at.q[[0, -1], 0], [-1.0, 0.5], atol=1e-14)
    np.testing.assert_allclose(at.qd[[0, -1], 0], 0.0, atol=1e-13)
    np.testing.assert_allclose(at.q[:, 2], 0.3, atol=1e-14)
    assert at.q[-1, 1] == pytest.approx(-at.q[0, 1])
    assert at.qd[-1, 1] == pytest.approx(-at.qd[0, 1])


def test_circular_ties_and_malformed_splines_are_refused() -> None:
    spline = Spline.uniform(3, 4)
    circle = LinearRelations(spline, 2).relate((0, 0), {(0, 1): 1.0}).relate((0, 1), {(0, 0): 1.0})
    with pytest.raises(OptimisationError, match="circular"):
        circle.build()
    with pytest.raises(OptimisationError, match="increase"):
        Spline(3, np.array([0.0, 0.6, 0.5, 1.0]))
    with pytest.raises(OptimisationError, match="too few to wrap"):
        Spline.uniform(5, 3, "wrapped")
    with pytest.raises(OptimisationError, match="needs wrapped"):
        LinearRelations(spline, 1).wrap(0, 0)


def test_refined_nodes_include_the_given_ones_and_the_integral_of_a_line_is_exact() -> None:
    form = free_form(3, "clamped", True)
    assert set(np.round(form.nodes, 12)) <= set(np.round(form.refined(10).nodes, 12))
    at = form.states(form.pack(np.zeros((form.spline.n_points, 3))))
    assert at.quadrature @ at.time == pytest.approx(0.7**2 / 2)
