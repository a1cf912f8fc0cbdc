"""Cut-off from the data: against the least error that any cut-off has on walks of known truth."""

import numpy as np
import pytest

from pipeline.errors import SignalError
from pipeline.signals import cutoff_evidence, low_pass
from pipeline.signals.cutoff_choice import _by_residual, _degrees_of_freedom, _run_lengths
from pipeline.trial import CUTOFF_METHODS


def trajectories(rng, rate, seconds, markers=4):
    """Strides (T, K, 3) m at 0.95 Hz: twelve harmonics, each 0.58 of the one before, and a steady course."""
    time = np.arange(round(rate * seconds)) / rate
    motion = np.zeros((len(time), markers, 3))
    for harmonic in range(1, 13):
        size, phase = rng.normal(size=(markers, 3)), rng.uniform(0.0, 2.0 * np.pi, (markers, 3))
        angle = 2.0 * np.pi * 0.95 * harmonic * time[:, None, None] + phase
        motion += 0.15 * 0.58**harmonic * size * np.cos(angle)
    motion[..., 0] += 1.2 * time[:, None]
    return motion


def coloured(rng, shape, rate):
    """Noise of unit standard deviation whose power falls above 10 Hz, as that of soft tissue and of fitted markers."""
    noise = low_pass(rng.normal(size=shape), rate, 10.0, 2)
    return noise / noise.std()


def error_over_least(method, truth, noisy, rate):
    """Error at the chosen cut-off over the least one of all cut-offs, and both cut-offs."""

    def error(cutoff):
        return float(np.sqrt(np.mean((low_pass(noisy, rate, cutoff) - truth) ** 2)))

    chosen = cutoff_evidence(noisy, rate, 4, method).value
    least, best = min((error(cutoff), cutoff) for cutoff in np.arange(2.0, min(30.0, 0.4 * rate), 0.5))
    return error(chosen) / least, chosen, best


@pytest.mark.parametrize(("rate", "noise"), [(100.0, 0.0005), (60.0, 0.003)])
def test_generalised_cross_validation_has_at_most_a_tenth_more_error_than_the_best_cut_off(rate, noise, rng):
    """White noise of 0.5 to 3 mm, whose best cut-offs are between 9 and 15 Hz."""
    truth = trajectories(rng, rate, 2.0)
    ratio, chosen, best = error_over_least("gcv", truth, truth + noise * rng.normal(size=truth.shape), rate)
    assert ratio < 1.1
    assert abs(chosen - best) < 2.0


def test_the_larger_the_noise_the_lower_the_cut_off(rng):
    truth = trajectories(rng, 100.0, 2.0)
    noise = rng.normal(size=truth.shape)
    for method in CUTOFF_METHODS:
        small, large = (cutoff_evidence(truth + size * noise, 100.0, 4, method).value for size in (0.0003, 0.005))
        assert large < small - 2.0


@pytest.mark.parametrize(("length", "cutoff", "order"), [(60, 6.0, 4), (150, 3.0, 2), (90, 20.0, 4)])
def test_degrees_of_freedom_are_traces_of_the_filters_matrix(length, cutoff, order):
    """Its columns are impulses through the filter. To 1 %: some passes at half the rate, and runs end within h."""
    matrix = low_pass(np.eye(length), 100.0, cutoff, order)
    found = _degrees_of_freedom(np.array([length, length]), 100.0, cutoff, order)
    assert found == pytest.approx(2.0 * np.trace(matrix), rel=0.01)


def test_a_gap_takes_no_part(rng):
    """The choice is that of the runs on both sides of it."""
    truth = trajectories(rng, 100.0, 3.0)
    noisy = truth + 0.001 * rng.normal(size=truth.shape)
    noisy[140:160, 1] = np.nan
    chosen = cutoff_evidence(noisy, 100.0, 4, "gcv")
    whole = cutoff_evidence(np.delete(noisy, 1, axis=1), 100.0, 4, "gcv")
    assert abs(chosen.value - whole.value) <= 1.0
    assert np.isfinite(chosen.residual).all()
    assert np.isfinite(chosen.score).all()


def test_a_given_cut_off_is_kept_with_its_residual(rng):
    noisy = trajectories(rng, 100.0, 2.0)
    found = cutoff_evidence(noisy, 100.0, 4, 6.0)
    assert (found.value, found.method) == (6.0, "given")
    expected = np.sqrt(np.mean((noisy - low_pass(noisy, 100.0, 6.0)) ** 2))
    np.testing.assert_allclose(found.residual, [expected])


def test_without_a_marker_there_is_no_choice():
    with pytest.raises(SignalError, match="Give the cut-off in Hz"):
        cutoff_evidence(np.full((200, 2, 3), np.nan), 100.0, 4, "gcv")


@pytest.mark.long
def test_error_of_both_methods_on_white_and_coloured_noise(rng, record_property):
    """Figures of both methods; the assumption of cross-validation, white noise, is broken by the coloured one."""
    columns = "".join(f"{f'{method}: error / least, chosen, best':>42}" for method in CUTOFF_METHODS)
    lines = [f"{'noise':10}{'mm':>6}{'Hz':>6}{columns}"]
    for kind in ("white", "coloured"):
        for size in (0.0003, 0.001, 0.003):
            for rate in (100.0, 200.0):
                truth = trajectories(rng, rate, 2.0)
                noise = rng.normal(size=truth.shape) if kind == "white" else coloured(rng, truth.shape, rate)
                line = f"{kind:10}{1000 * size:6.1f}{rate:6.0f}"
                for method in CUTOFF_METHODS:
                    ratio, chosen, best = error_over_least(method, truth, truth + size * noise, rate)
                    line += f"{ratio:26.3f}{chosen:8.1f}{best:8.1f}"
                    assert kind == "coloured" or method == "residual" or ratio < 1.1
                    assert method == "gcv" or ratio < 1.6
                lines.append(line)
    record_property("table", "\n".join(lines))


@pytest.mark.parametrize("rate", [100.0, 250.0])
def test_runs_of_a_tenth_of_a_second_are_long_enough_and_shorter_ones_are_not(rate):
    long = round(0.1 * rate)
    markers = np.full((4 * long, 2, 3), np.nan)
    markers[:long, 0] = markers[2 * long : 3 * long - 1, 0] = 0.0
    markers[long : 3 * long, 1] = 0.0
    assert sorted(_run_lengths(markers, rate)) == [long, 2 * long]


def test_where_no_part_of_the_residual_is_linear_the_line_goes_through_the_last_three():
    """Through 4, 0, 3 at 3, 4, 5 Hz it has 4 1/3 at 0 Hz, which the residual first falls below at 3 Hz."""
    assert _by_residual(np.array([2.0, 3.0, 4.0, 5.0]), np.array([9.0, 4.0, 0.0, 3.0])) == 3.0


@pytest.mark.parametrize("method", ["residual", "gcv"])
def test_a_rate_too_low_for_a_choice_is_named(method, rng):
    with pytest.raises(SignalError, match="4 frames per second"):
        cutoff_evidence(rng.standard_normal((60, 2, 3)), 4.0, 4, method)


@pytest.mark.parametrize(("rate", "highest"), [(80.0, 30.0), (25.0, 10.0)])
def test_cut_offs_are_tried_up_to_30_hz_or_two_fifths_of_the_rate_inclusive(rate, highest, rng):
    tried = cutoff_evidence(trajectories(rng, rate, 0.5, markers=1), rate, 4, "residual").tried
    np.testing.assert_allclose(tried, np.arange(4, 2 * highest + 1) / 2.0)
