"""Two groups of walks compared: values of all cycles, confidence from the walks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pipeline.analysis import Group, compare_groups, compare_sides, pooled, repeated_notes, reported_features, summarise
from pipeline.analysis.jackknife import Estimate, half_width, jackknife
from pipeline.reporting.comparison.groups import ReportedGroup
from pipeline.results.tables import group_tables
from pipeline.stages import crossed_report
from pipeline.trial import CycleCurves, GaitCycles, ScalarChange
from tests.analysis import stub_spm1d
from tests.reporting.conftest import NORM, make_walk


def known(items) -> np.ndarray:
    return np.isfinite(np.asarray(items, dtype=float))


def of_mean(items: list[float]) -> Estimate:
    """The mean of the known items with its standard error."""
    return jackknife(items, lambda some: np.array(np.nanmean(some)), known(items))


def half_of(test: Any) -> float:
    """Half of the 95 % confidence interval of a test by scipy."""
    interval = test.confidence_interval(0.95)
    return 0.5 * (interval.high - interval.low)


def test_the_error_of_a_mean_is_that_of_the_text_books():
    """3, 5, 10: mean 6, variance (9 + 1 + 16) / 2 = 13, standard error sqrt(13 / 3)."""
    found = of_mean([3.0, 5.0, 10.0])
    assert found.value == pytest.approx(6.0)
    assert found.error == pytest.approx(np.sqrt(13 / 3))


def test_the_error_of_a_statistic_that_is_no_mean_agrees_with_the_bootstrap(rng):
    """Root mean square of 60 items, as of a profile: both are first-order estimates, equal within some percent."""
    items = rng.normal(3.0, 1.0, 60)
    found = jackknife(list(items), lambda some: np.sqrt(np.mean(np.square(some))), known(items))
    other = stats.bootstrap((items,), lambda x, axis: np.sqrt(np.mean(x**2, axis=axis)), n_resamples=4000, rng=rng)
    assert found.error == pytest.approx(other.standard_error, rel=0.06)


def test_the_interval_of_two_means_is_welchs():
    one, other = [1.0, 2.5, 2.0, 4.0], [3.0, 7.0, 4.0]
    wanted = half_of(stats.ttest_ind(other, one, equal_var=False))
    assert float(half_width(of_mean(one), of_mean(other))) == pytest.approx(wanted, rel=1e-9)


def test_the_interval_of_one_mean_is_students():
    items = [1.0, 2.5, 2.0, 4.0]
    assert float(half_width(of_mean(items))) == pytest.approx(half_of(stats.ttest_1samp(items, 0.0)), rel=1e-9)


def test_an_item_without_a_value_takes_no_part():
    found = of_mean([3.0, float("nan"), 5.0, 10.0])
    assert (found.count, found.error) == (3, pytest.approx(np.sqrt(13 / 3)))


def test_one_item_has_no_error_and_no_interval():
    one, five = of_mean([1.0]), of_mean([1.0, 2.0, 4.0, 5.0, 7.0])
    assert np.isnan(one.error)
    assert half_width(five) > 0.0
    assert np.isnan(half_width(one, five))


def each_cycle(walk: GaitCycles, change: Callable[[CycleCurves], dict[str, Any]], **of_walk: Any) -> GaitCycles:
    """The walk with fields of each of its cycles, and of itself, replaced."""
    return replace(walk, cycles=tuple(replace(c, **change(c)) for c in walk.cycles), **of_walk)


def with_knee(curves: CycleCurves, angles: np.ndarray) -> dict[str, Any]:
    return {"angles": curves.angles | {"knee": angles}}


def mixed(group: Group) -> Group:
    """The group with the loads of its first walk's left cycles estimated."""
    first = each_cycle(group.cycles[0], lambda c: {"estimated": c.cycle.side == "left"})
    return replace(group, cycles=(first, *group.cycles[1:]))


@pytest.fixture(scope="module")
def groups() -> tuple[Group, Group]:
    """Three walks with knees flexed more by 0, 1 and 2 degrees, and four by 6, 7, 8 and 9."""
    (*_, cycles, summary) = make_walk()

    def bent(name: str, degrees: float) -> GaitCycles:
        return each_cycle(cycles, lambda c: with_knee(c, c.angles["knee"] + np.radians(degrees)), name=name)

    def group(session: str, *degrees: float) -> Group:
        walks = tuple(bent(f"w{k}", d) for k, d in enumerate(degrees))
        return Group(session, "barefoot", walks, summary.leg_length, NORM)

    return group("pre", 0.0, 1.0, 2.0), group("post", 6.0, 7.0, 8.0, 9.0)


def test_a_constant_change_of_an_angle_is_found_with_its_interval(groups):
    """Means differ by 7.5 - 1 degrees; the walks' knees by standard deviations of 1 and 1.29 degrees."""
    both = compare_groups("x", *groups, mapped=False)
    row = both.variable_names.index("knee_flexion")
    whole = np.isfinite(both.difference[:, row])
    assert whole.any()
    np.testing.assert_allclose(both.difference[:, row][whole], 6.5, atol=1e-9)
    wanted = half_of(stats.ttest_ind([6, 7, 8, 9], [0, 1, 2], equal_var=False))
    np.testing.assert_allclose(both.half_width[:, row][whole], wanted, rtol=1e-6)
    still = both.variable_names.index("hip_flexion")
    np.testing.assert_allclose(both.difference[:, still][np.isfinite(both.difference[:, still])], 0.0, atol=1e-9)


def test_values_are_those_of_all_cycles_together_as_on_the_page_of_averages(groups):
    both = compare_groups("x", *groups, mapped=False)
    second = groups[1]
    average = summarise(pooled("S1", second.cycles), second.leg_length, NORM)
    gps = {change.side: change for change in both.scalars if change.kind == "score"}
    assert gps[""].second == average.gps_overall
    assert gps["left"].second == average.gps["left"]
    speed = next(c for c in both.scalars if (c.name, c.side) == ("speed", "left"))
    assert speed.second == average.parameter_mean["left"]["speed"]
    assert (speed.change, speed.half_width) == (pytest.approx(0.0, abs=1e-12), pytest.approx(0.0, abs=1e-9))
    profile = next(c for c in both.scalars if (c.kind, c.name, c.side) == ("profile", "knee_flexion", "left"))
    singles = [of.summary.profile["left"]["knee_flexion"] for of in groups[0].singles]
    assert profile.first_sd == pytest.approx(np.std(singles, ddof=1))


def test_walks_without_one_angle_are_in_the_interval_of_the_score_that_their_other_angles_are_in(groups):
    """Hip rotation is set aside in two of four walks: the score of all has the knees of four, not of two."""
    first, four = groups
    lacking = tuple(each_cycle(walk, lambda _: {"doubtful": {"hip_rotation": "turned"}}) for walk in four.cycles[:2])
    second = replace(four, cycles=(*lacking, *four.cycles[2:]))
    both = compare_groups("x", first, second, mapped=False)
    found = {change.side: change for change in both.scalars if change.kind == "score"}

    def score(walks: tuple[GaitCycles, ...], side: str) -> float:
        summary = summarise(pooled("S1", walks), first.leg_length, NORM)
        return summary.gps[side] if side else summary.gps_overall

    for side in ("left", "right", ""):
        variances, freedom = [], []
        for walks in (first.cycles, second.cycles):
            n = len(walks)
            without = [score((*walks[:k], *walks[k + 1 :]), side) for k in range(n)]
            variances.append((n - 1) / n * np.sum((without - np.mean(without)) ** 2))
            freedom.append(variances[-1] ** 2 / (n - 1))
        wanted = stats.t.ppf(0.975, sum(variances) ** 2 / sum(freedom)) * np.sqrt(sum(variances))
        assert found[side].half_width == pytest.approx(wanted, rel=1e-9), side


def test_a_feature_changes_as_its_curve_does_with_welchs_interval(groups):
    """A knee flexed more by a constant: its maximum, minimum and mean change by it, its range does not."""
    both = compare_groups("x", *groups, mapped=False)
    found = {c.name: c for c in both.scalars if c.kind == "feature" and c.side == "left"}
    wanted = half_of(stats.ttest_ind([6, 7, 8, 9], [0, 1, 2], equal_var=False))
    for statistic in ("maximum", "minimum", "mean"):
        change = found[f"{statistic} knee_flexion in swing"]
        assert change.change == pytest.approx(6.5, abs=1e-9)
        assert change.half_width == pytest.approx(wanted, rel=1e-6)
        assert (change.first_sd, change.unit) == (pytest.approx(1.0), "deg")
    still = found["range knee_flexion in swing"]
    assert (still.change, still.half_width) == (pytest.approx(0.0, abs=1e-9), pytest.approx(0.0, abs=1e-9))


def test_features_of_a_group_are_those_of_its_pages(groups):
    chosen = [("maximum", "knee_flexion", "swing"), ("mean", "hip_flexion", "stance")]
    first = groups[0]
    cycles = pooled("S1", first.cycles)
    shown = reported_features(cycles, summarise(cycles, first.leg_length, NORM), chosen)
    both = compare_groups("x", *groups, mapped=False)
    for (statistic, name, phase), own in zip(chosen, shown, strict=True):
        of_sides = [c.first for c in both.scalars if c.name == f"{statistic} {name} in {phase}"]
        np.testing.assert_allclose(of_sides, own.values[np.isfinite(own.values)], rtol=1e-12)


def test_groups_of_few_walks_are_named(groups):
    first, second = groups
    alone = replace(first, cycles=first.cycles[:1])
    both = compare_groups("x", alone, second, mapped=False)
    assert not np.isfinite(both.half_width).any()
    assert [note.subject for note in both.notes] == ["first group", "second group"]
    assert "only one walk" in both.notes[0].text
    assert "only 4 walks" in both.notes[1].text


def test_walks_that_share_their_strides_are_named_also_with_the_digits_of_another_format(groups):
    first, second = groups
    walks = {walk.name: walk for walk in first.cycles}
    w1 = walks["w1"]
    assert not list(repeated_notes(walks))
    copy = each_cycle(w1, lambda c: {"angles": {k: np.round(v, 4) for k, v in c.angles.items()}}, name="copy")
    (note,) = repeated_notes(walks | {"copy": copy})
    assert f"w1 and copy ({len(w1.cycles)})" in note.text
    for joints in (("hip", "knee"), ()):  # of a marker set without feet, and of a side without markers
        some = each_cycle(w1, lambda c, joints=joints: {"angles": {k: c.angles[k] for k in joints}})
        assert len(list(repeated_notes(dict.fromkeys(("w1", "copy"), some)))) == bool(joints)
    gap = w1.cycles[0].angles["knee"].copy()
    gap[30:40] = np.nan
    some = each_cycle(w1, lambda c: with_knee(c, gap))
    assert not list(repeated_notes(dict.fromkeys(("w1", "copy"), some)))
    both = compare_groups("x", first, replace(second, cycles=(*second.cycles, w1)), mapped=False)
    assert "session pre, barefoot, w1 and session post, barefoot, w1" in "".join(note.text for note in both.notes)


def test_estimated_loads_are_said_in_comparisons_of_groups_and_of_sides_and_with_four_groups(groups):
    first, second = mixed(groups[0]), groups[1]
    sides = replace(first, side="left"), replace(first, side="right")
    four = [ReportedGroup("session pre, barefoot", cycles=pooled("S1", first.cycles)), ReportedGroup("post")]
    for notes in (
        compare_groups("x", first, second, mapped=False).notes,
        compare_sides("x", *sides, mapped=False).notes,
        crossed_report._notes(four),
    ):
        (said,) = (note for note in notes if note.kind == "estimated")
        assert said.subject.endswith("left side")
        assert said.text.startswith("loads of 2 of its ")


def test_tables_of_a_comparison_count_cycles_with_estimated_loads(groups):
    first, second = mixed(groups[0]), groups[1]
    count = sum(c.cycle.side == "left" for c in first.cycles[0].cycles)
    for name, column in (("study_comparisons", "parameter"), ("study_comparison_curves", "variable")):
        table = group_tables(compare_groups("x", first, second, mapped=False))[name]
        loads = table[column].astype(str).str.contains("moment|power|ground_")
        of_left = loads & (table.first_side == "left")
        assert loads.any()
        assert set(table[of_left].first_estimated) == {count}
        assert set(table[~of_left].first_estimated) | set(table.second_estimated) == {0}


def test_a_change_by_rounding_is_not_clear() -> None:
    """Stance of as many frames in all walks: no spread, and a difference of the last digit."""
    same = ScalarChange("parameter", "stance", "left", "%", 59.4, np.nextafter(59.4, 60.0), 0.0, 0.0, 7e-15, 0.0)
    assert not same.clear
    assert replace(same, second=59.5, change=0.1).clear
    assert not replace(same, second=59.5, change=0.1, half_width=float("nan")).clear


def test_one_group_is_not_compared_by_another_norm_unnoticed(groups):
    first, second = groups
    both = compare_groups("x", first, replace(second, norm=replace(NORM, name="Another")), mapped=False)
    assert any("Another" in note.text for note in both.notes)


@pytest.fixture
def sides() -> tuple[Group, Group]:
    """Four walks with left knees flexed more by 0, 1, 2 and 5 degrees, and right ones by 4, 6, 7 and 8."""
    (*_, cycles, summary) = make_walk()

    def bent(name: str, **degrees: float) -> GaitCycles:
        return each_cycle(
            cycles, lambda c: with_knee(c, np.full((101, 3), np.radians(degrees[c.cycle.side]))), name=name
        )

    pairs = zip((0.0, 1.0, 2.0, 5.0), (4.0, 6.0, 7.0, 8.0), strict=True)
    walks = tuple(bent(f"w{k}", left=left, right=right) for k, (left, right) in enumerate(pairs))
    left = Group("pre", "barefoot", walks, summary.leg_length, NORM, "left")
    return left, replace(left, side="right")


def test_sides_are_compared_within_the_walks(sides):
    """Of pairs: the interval is that of their differences, narrower than of two independent sets."""
    both = compare_sides("x", *sides, mapped=False)
    row = both.variable_names.index("knee_flexion")
    np.testing.assert_allclose(both.difference[0, row], np.mean([4, 5, 5, 3]), atol=1e-9)
    wanted = half_of(stats.ttest_rel([4, 6, 7, 8], [0, 1, 2, 5]))
    np.testing.assert_allclose(both.half_width[0, row], wanted, rtol=1e-6)
    assert both.pairs == (("left", "right"),)
    (gps,) = (change for change in both.scalars if change.kind == "score")
    whole = summarise(pooled("S1", sides[0].cycles), sides[0].leg_length, NORM)
    assert (gps.first, gps.second) == (whole.gps["left"], whole.gps["right"])
    assert gps.change == pytest.approx(whole.gps["right"] - whole.gps["left"])
    assert [note.subject for note in both.notes] == ["walks"]


@pytest.mark.parametrize("lacking", [{"left": (2, 3), "right": (0, 1)}, {"left": (), "right": (0, 1)}])
def test_sides_of_walks_that_show_one_of_them_alone_have_wider_intervals(sides, lacking):
    """Plates that measured one side of some walks: Welch's interval of two and two walks; otherwise, with two walks
    of both sides, one degree of freedom. Before, four walks counted as four pairs, and intervals covered 84 to 92 %."""
    walks = tuple(
        replace(w, cycles=tuple(c for c in w.cycles if k not in lacking[c.cycle.side]))
        for k, w in enumerate(sides[0].cycles)
    )
    both = compare_sides("x", *(replace(side, cycles=walks) for side in sides), mapped=False)
    left, right = [x for k, x in enumerate((0, 1, 2, 5)) if k not in lacking["left"]], [7, 8]
    row = both.variable_names.index("knee_flexion")
    np.testing.assert_allclose(both.difference[0, row], np.mean(right) - np.mean(left), atol=1e-9)
    half = half_of(stats.ttest_ind(left, right, equal_var=False))
    if len(left) == 4:  # parts in the error: deviations over sqrt(n (n - 1)), in walks of both sides together
        parts = (np.array(left) - np.mean(left)) / np.sqrt(12) - np.array([0, 0, -0.5, 0.5]) / np.sqrt(2)
        half = stats.t.ppf(0.975, 1) * np.sqrt(np.sum(parts**2))
    np.testing.assert_allclose(both.half_width[0, row], half, rtol=1e-6)


def test_the_left_side_against_the_right_is_the_opposite_change(sides):
    there, back = compare_sides("x", *sides, mapped=False), compare_sides("x", *sides[::-1], mapped=False)
    np.testing.assert_array_equal(there.difference, -back.difference)
    np.testing.assert_array_equal(there.half_width, back.half_width)


def test_curves_are_mapped_where_spm1d_is_installed(groups, sides, rng, monkeypatch):
    """Through spm1d's interface: walks of both groups as independent sets, both sides as pairs."""
    monkeypatch.setitem(sys.modules, "spm1d", stub_spm1d)

    def uneven(walk: GaitCycles) -> GaitCycles:
        return each_cycle(walk, lambda c: with_knee(c, c.angles["knee"] + 0.01 * rng.normal(size=(101, 3))))

    first, second = (replace(group, cycles=tuple(map(uneven, group.cycles))) for group in groups)
    own = [np.array([of.summary.mean["left"]["knee_flexion"] for of in g.singles]) for g in (first, second)]
    both = compare_groups("x", first, second, mapped=True)
    np.testing.assert_allclose(both.maps_of("left")["knee_flexion"].t, stats.ttest_ind(own[1], own[0]).statistic)
    assert set(both.maps_of("right")) <= set(both.maps_of("left"))
    found = compare_sides("x", *sides, mapped=True).maps_of("")["knee_flexion"]
    np.testing.assert_allclose(found.t, stats.ttest_rel([4, 6, 7, 8], [0, 1, 2, 5]).statistic, rtol=1e-6)
    assert (found.degrees, found.first, found.second) == (3, 4, 4)


def test_bodies_of_two_groups_that_differ_in_size_are_told(groups):
    """Limits are 5 % of body mass and 2 % of leg length; an unknown one says nothing."""
    first, second = groups
    leg = first.leg_length

    def told(mass: float, other_mass: float, other_leg: float) -> list[str]:
        other = replace(second, mass=other_mass, leg_length=other_leg)
        both = compare_groups("x", replace(first, mass=mass), other, mapped=False)
        return [note.subject for note in both.notes if "apart" in note.text]

    assert told(60.0, 62.9, 1.019 * leg) == []
    assert told(60.0, 63.1, 1.021 * leg) == ["body mass", "leg length"]
    assert told(np.nan, 63.1, leg) == []
