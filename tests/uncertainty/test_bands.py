"""The bands of a whole walk: sums of independent errors against sampling all at once, seeds, and what has none."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from pipeline.analysis import gait_cycles
from pipeline.config import HOME, UncertaintySettings
from pipeline.conventions import SIDES
from pipeline.errors import AnatomyError
from pipeline.uncertainty import SOURCES, RecordedWalk, bands, curve_uncertainty
from pipeline.uncertainty.bands import CUTOFF, from_video, without_band
from pipeline.uncertainty.body_errors import BodyPerturbation, body_errors, combined
from pipeline.uncertainty.recorded_walk import VARIABLES
from pipeline.uncertainty.second_order import counted_once, second_order_variance
from pipeline.uncertainty.sources import ANKLE_CENTRE, HIP_CENTRE, KNEE_AXIS, MARKER_NOISE, SOFT_TISSUE

SAMPLED = [SOURCES.index(source) for source in (HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE, MARKER_NOISE, SOFT_TISSUE)]
NOTHING = dict.fromkeys(
    (
        *("hip_centre", "placement", "width", "offset", "marker_noise", "soft_tissue", "soft_tissue_thigh"),
        *("centre_of_pressure", "timing", "segment_mass", "segment_com", "segment_gyration", "strides"),
    ),
    0.0,
)


def test_a_walk_without_cycles_has_no_uncertainty(recorded):
    walk = replace(recorded, kinematics=replace(recorded.kinematics, cycles=()))
    assert np.isnan(curve_uncertainty(walk, UncertaintySettings()).sd).all()


def test_loads_with_estimated_cycles_have_no_band_for_a_reason(recorded):
    own = gait_cycles(recorded.kinematics, recorded.loads)
    bare = [replace(cycle, plate=0) if cycle.side == "left" else cycle for cycle in recorded.kinematics.cycles]
    estimated = [replace(c, cycle=cycle, estimated=not cycle.plate) for c, cycle in zip(own.cycles, bare, strict=True)]
    motion, cycles = replace(recorded.kinematics, cycles=tuple(bare)), replace(own, cycles=tuple(estimated))
    walk = replace(recorded, kinematics=motion, cycles=cycles)
    (note,) = without_band(walk)
    assert note.subject == "left side"
    assert f"their mean includes {sum(c.estimated for c in estimated)} cycles with estimated loads" in note.text
    first = next(i for i, cycle in enumerate(bare) if not cycle.plate)
    alone = replace(
        walk,
        kinematics=replace(motion, cycles=(*recorded.kinematics.cycles[:first], *bare[first : first + 1])),
        cycles=replace(own, cycles=(*own.cycles[:first], *estimated[first : first + 1])),
    )
    assert "their mean includes a cycle with estimated loads" in without_band(alone)[0].text
    assert without_band(recorded) == without_band(replace(walk, cycles=None)) == ()
    found = curve_uncertainty(walk, UncertaintySettings(draws=8, cutoff=1.0, **NOTHING))
    moment = found.by_source[0, :, list(VARIABLES).index("knee_extensor_moment")]
    assert np.isfinite(moment).any(axis=1).tolist() == [False, True]
    assert note in found.notes


def test_bands_of_positions_from_video_are_said_to_be_too_narrow_unless_larger_errors_are_given(recorded):
    of_video = replace(recorded, marker_set=recorded.marker_set.model_copy(update={"estimated": True}))
    (note,) = from_video(of_video, UncertaintySettings())
    assert note.kind == "warning"
    for name in ("placement", "marker_noise", "soft_tissue_thigh", "soft_tissue"):
        assert name in note.text
        assert not from_video(of_video, UncertaintySettings(**{name: 0.02}))
    assert not from_video(recorded, UncertaintySettings())
    few = {name: error for name, error in NOTHING.items() if name not in note.text}
    assert note in curve_uncertainty(of_video, UncertaintySettings(draws=8, cutoff=1.0, **few)).notes


def test_means_of_few_strides_are_as_far_from_the_persons_as_walks_and_strides_are_from_one_another(recorded):
    """By hand from the file's numbers: those of walks, and those of strides over the number of strides."""
    content = json.loads((HOME / "config/stride_spread.json").read_text())
    only = {**NOTHING, "strides": 2.0}
    sd = curve_uncertainty(recorded, UncertaintySettings(draws=8, cutoff=1.0, **only)).sd
    cycles = gait_cycles(recorded.kinematics, recorded.loads).cycles
    for row, side in enumerate(SIDES):
        own = [cycle for cycle in cycles if cycle.cycle.side == side]
        whole = sum(np.isfinite(cycle.moments["hip"][:, 0]).all() for cycle in own)
        partial = sum(np.isfinite(cycle.moments["hip"][30, 0]) for cycle in own)
        for name, count in (("knee_flexion", len(own)), ("hip_extensor_moment", whole or partial)):
            assert count > 0
            stride, walk = (content[of][name][30] for of in ("stride", "walk"))
            found = sd[row, list(VARIABLES).index(name), 30]
            assert found == pytest.approx(2.0 * np.sqrt(walk**2 + stride**2 / count), rel=1e-9)


@pytest.mark.long
def test_errors_of_nothing_are_nothing_and_the_same_seed_gives_the_same_result(recorded):
    none = curve_uncertainty(recorded, UncertaintySettings(draws=8, cutoff=1.0, **NOTHING))
    own = recorded.curves(recorded.kinematics, recorded.loads)
    np.testing.assert_array_equal(np.isnan(none.sd), np.isnan(own))
    np.testing.assert_allclose(none.sd[np.isfinite(own)], 0.0, atol=1e-9)
    first, again, other = (curve_uncertainty(recorded, UncertaintySettings(draws=8, seed=seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.by_source, again.by_source)
    differs = [not np.array_equal(a, b, equal_nan=True) for a, b in zip(first.by_source, other.by_source, strict=True)]
    assert [row for row, different in enumerate(differs) if different] == SAMPLED


@pytest.mark.long
def test_squares_of_single_errors_add_up_to_those_of_all_errors_of_the_body_at_once(recorded):
    """Sampled together, 100 times: standard deviations differ by their own error of 7 % and by what the second order
    adds, which the bands take off (`counted_once`). Both sides are independent, but share the pelvis; the mean ratio
    over a curve within 20 %, over all 6 %."""
    settings = UncertaintySettings(draws=24, soft_tissue=0.0, soft_tissue_thigh=0.0)
    values = recorded.kinematics.calibration.values
    errors = list(body_errors(recorded.marker_set, recorded.attached_to, values, settings))
    rng = np.random.default_rng(0)
    amounts = rng.standard_normal((100, len(errors)))
    samples = [recorded.curves(recorded.with_body_error(combined(errors, row))) for row in amounts]
    together = np.std(samples, axis=0, ddof=1)
    twice = np.array([(recorded.curves(recorded.with_body_error(e)) - recorded.mean_curves) ** 2 for e in errors])
    second, _ = second_order_variance(recorded, settings)
    alone = np.sqrt(twice.sum(axis=0) + second)
    ratio = np.nanmean(alone, axis=2) / np.nanmean(together, axis=2)
    assert ratio.shape == (len(SIDES), len(VARIABLES))
    np.testing.assert_allclose(ratio, 1.0, atol=0.2)
    assert ratio.mean() == pytest.approx(1.0, abs=0.06)
    rows = [SOURCES.index(source) for source in (HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE)]
    bands = curve_uncertainty(recorded, settings).by_source[rows] ** 2
    np.testing.assert_allclose(bands.sum(axis=0), counted_once(twice, second).sum(axis=0), rtol=1e-9)


def as_kind(kind: type[RecordedWalk], walk: RecordedWalk) -> RecordedWalk:
    """The walk with the methods of a subclass."""
    return kind(**{field.name: getattr(walk, field.name) for field in fields(walk)})


class Quadratic(RecordedWalk):
    """A walk of which all curves are one quadratic function of the markers' shifts in mm: g' x + x' H x / 2."""

    def with_body_error(self, error: BodyPerturbation, moved_G: np.ndarray | float = 0.0) -> Any:
        return shifts_mm(self, error)

    def curves(self, kinematics: Any, loads: Any = None) -> np.ndarray:
        if not isinstance(kinematics, np.ndarray):
            return super().curves(kinematics, loads)
        gradient, hessian = quadratic(len(kinematics))
        return self.mean_curves + gradient @ kinematics + 0.5 * kinematics @ hessian @ kinematics


def shifts_mm(walk: RecordedWalk, error: BodyPerturbation) -> np.ndarray:
    return 1000.0 * np.concatenate([error.shifts.get(label, np.zeros(3)) for label in sorted(walk.attached_to)])


def quadratic(size: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    root = rng.standard_normal((size, size))
    return rng.standard_normal(size), root + root.T


def test_the_second_order_of_a_quadratic_curve_is_half_the_sum_of_its_squared_second_derivatives(recorded):
    """In units of the errors' standard deviations; 600 pairs have a standard error of 6 to 8 %."""
    settings = UncertaintySettings(draws=600)
    walk = as_kind(Quadratic, recorded)
    errors = list(body_errors(walk.marker_set, walk.attached_to, walk.kinematics.calibration.values, settings))
    of_errors = np.array([shifts_mm(walk, error) for error in errors])
    _, hessian = quadratic(of_errors.shape[1])
    expected = 0.5 * np.sum((of_errors @ hessian @ of_errors.T) ** 2)
    found, notes = second_order_variance(walk, settings)
    assert notes == ()
    np.testing.assert_allclose(found[np.isfinite(found)], expected, rtol=0.25)


def test_random_errors_with_which_a_joint_has_no_centre_are_left_out(recorded):
    """As of a child's wand, which errors of hip and knee marker move to the line between them."""
    changes = iter([np.nan, *np.repeat(np.arange(1.0, 8.0), 2).tolist()])

    class Small(RecordedWalk):
        def with_body_error(self, error: BodyPerturbation, moved_G: np.ndarray | float = 0.0) -> Any:
            if np.isnan(change := next(changes)):
                raise AnatomyError("no centre fits the markers")
            return change

        def curves(self, kinematics: Any, loads: Any = None) -> np.ndarray:
            if isinstance(kinematics, float):
                return self.mean_curves + kinematics
            return super().curves(kinematics, loads)

    walk = as_kind(Small, recorded)
    found, notes = second_order_variance(walk, UncertaintySettings(draws=8))
    assert [note.text for note in notes] == [
        "1 of 8 random errors of body and markers give no body and are left out, so the bands are less certain: "
        "no centre fits the markers"
    ]
    np.testing.assert_allclose(found[np.isfinite(walk.mean_curves)], np.var(np.arange(7), ddof=1))


def test_the_reason_is_given_if_no_random_errors_leave_a_body(recorded, monkeypatch):
    def without_centre(*_: Any, **__: Any) -> Any:
        raise AnatomyError("no centre fits the markers", where="left knee", remedy="Check the wand")

    monkeypatch.setattr(RecordedWalk, "with_body_error", without_centre)
    with pytest.raises(AnatomyError, match=r"only 0 of 8 random errors .*: no centre fits the markers") as error:
        second_order_variance(recorded, UncertaintySettings(draws=8))
    assert (error.value.where, error.value.remedy) == ("left knee", "Check the wand")


def test_the_error_of_the_cut_off_is_what_the_walk_lost_at_its_own(recorded, monkeypatch):
    """Curves that lose 0.3 at the walk's cut-off, and more at a lower one as its power -1.5 says."""

    class Losing(RecordedWalk):
        def curves(self, kinematics: Any, loads: Any = None) -> np.ndarray:
            if not isinstance(kinematics, float):
                return super().curves(kinematics, loads)
            return self.mean_curves + 0.3 * (1.0 - kinematics**-1.5)

    walk = as_kind(Losing, recorded)
    monkeypatch.setattr(bands, "_smoother", lambda walk, part: part)
    monkeypatch.setattr(bands, "with_noise", lambda *_: iter([]))
    monkeypatch.setattr(bands, "with_soft_tissue", lambda *_: iter([]))
    monkeypatch.setattr(bands, "_variance", lambda walk, samples: np.zeros_like(walk.mean_curves))
    found = dict(bands._squares(walk, [], np.zeros((0, *walk.mean_curves.shape)), UncertaintySettings(cutoff=0.7)))
    known = np.isfinite(walk.mean_curves)
    np.testing.assert_allclose(np.sqrt(found[CUTOFF][known]), 0.3, rtol=1e-9)


def test_what_is_counted_twice_is_taken_from_all_sources_in_proportion_but_never_more_than_half():
    squares = np.array([3.0, 1.0, 0.0])[:, None, None, None] * np.ones((1, 2, 1, 2))
    second = np.array([1.0, 9.0]) * np.ones((2, 1, 1))
    np.testing.assert_allclose(counted_once(squares, second)[:, 0, 0], [[2.25, 1.5], [0.75, 0.5], [0.0, 0.0]])
