"""Residuals of single markers, plates, sizes and axes: each sees its fault in the demo's walk, and nothing without it;
limits come from a file of spreads."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, mean_leg_length, summarise
from pipeline.math3d import Wrench
from pipeline.plausibility import load_limits
from pipeline.plausibility.angles import frames_of_cycles
from pipeline.plausibility.body_sizes import body_sizes
from pipeline.plausibility.event_times import event_times
from pipeline.plausibility.force_motion import force_motion
from pipeline.plausibility.grouping import grouped
from pipeline.plausibility.limits import OPEN, Limits, LimitsError, Spread
from pipeline.plausibility.marker_motion import marker_motion
from pipeline.plausibility.outlying_steps import farthest_first
from pipeline.plausibility.shank_axis import shank_axes
from pipeline.plausibility.sides_compared import OBLIQUITY, level_pelvis
from pipeline.plausibility.steps_compared import steps_compared
from pipeline.trial import Finding
from tests.recordings import with_load, with_marker


def test_a_clean_walk_is_within_the_limits_that_ship(clean, plug_in_gait):
    limits = load_limits()
    assert not list(marker_motion(clean.kinematics, clean.raw, plug_in_gait, limits))
    assert not list(force_motion(clean.kinematics, clean.loads, clean.raw, limits))
    assert not list(body_sizes(clean.kinematics, clean.static, plug_in_gait, limits))
    assert not list(shank_axes(clean.kinematics, limits))
    assert not list(steps_compared(clean.kinematics, clean.loads, limits))


def disturbed(walk, number, frames, force=(0.0, 0.0, 0.0), moments=True):
    """The recording with a force (N) added to one plate in some samples, or with its moments lost there."""
    added, kept = np.outer(frames, force), np.where(frames & (not moments), 0.0, 1.0)[:, None]
    return with_load(walk, number, lambda w: Wrench(w.force_G + added, w.moment_G * kept, w.point_G))


@pytest.mark.parametrize(
    ("force", "moments", "what"),
    [
        ((0.0, 150.0, 0.0), True, "vertical force"),
        ((90.0, 0.0, 0.0), True, "fore-aft force"),
        ((0, 0, 0), False, "centre"),
    ],
)
def test_a_disturbance_of_60_ms_is_named_with_its_time(clean, step, force, moments, what):
    at = 0.5 * (step.onset + step.end)
    frames = (clean.raw.analog_time >= at) & (clean.raw.analog_time < at + 0.06)
    walk = disturbed(clean.raw, step.plate, frames, force, moments)
    found = list(force_motion(clean.kinematics, clean.loads, walk, load_limits()))
    assert {f.subject for f in found} == {step.on}
    assert any(what in f.text for f in found)
    assert all(abs(float(f.text.split(" at ")[1].split(" s")[0]) - at) < 0.08 for f in found)
    (named,) = (f for f in found if what in f.text)
    if what == "centre":
        assert 1000.0 * np.linalg.norm(named.error.shift_G) == pytest.approx(named.value)
    else:
        # What the step's own load changes by in 4 ms adds to it.
        np.testing.assert_allclose(np.abs(named.error.force_G), force, atol=25.0)
        assert named.value == pytest.approx(max(np.abs(named.error.force_G)) / (0.72 * 9.81))


@pytest.mark.parametrize(("axis", "name"), [(0, "fore-aft force"), (1, "vertical force"), (2, "mediolateral force")])
def test_a_load_is_compared_with_that_of_4_ms_later(clean, step, axis, name):
    """Four samples at 1000 Hz, between the first and the last six hundredths of a second of a step."""
    frames = (clean.raw.analog_time > step.onset + 0.06) & (clean.raw.analog_time < step.end - 0.06)
    force = next(p for p in clean.raw.plates if p.number == step.plate).wrench.force_G[frames, axis]
    alone = replace(clean.kinematics, stances=(step,))
    found = {f.residual: f.value for f in force_motion(alone, clean.loads, clean.raw, OPEN)}
    expected = 100.0 * np.abs(force[4:] - force[:-4]).max() / (72.0 * 9.81)
    assert found[f"{name} in 4 ms"] == pytest.approx(expected)


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("end", ["onset", "end"])
def test_loads_may_change_fast_for_six_hundredths_of_a_second_at_either_end_of_a_step(clean, step, end, inside):
    """150 N more for 20 ms, 30 to 50 ms from landing or foot off, or 80 to 100 ms."""
    inwards, near = (1.0 if end == "onset" else -1.0), (0.08 if inside else 0.03)
    after = inwards * (clean.raw.analog_time - getattr(step, end))
    walk = disturbed(clean.raw, step.plate, (after >= near) & (after < near + 0.02), (0.0, 150.0, 0.0))
    alone = replace(clean.kinematics, stances=(step,))
    found = list(force_motion(alone, clean.loads, walk, load_limits()))
    assert bool(found) == inside


@pytest.mark.parametrize("seconds", [0.06, 0.122])
def test_a_contact_too_short_for_two_samples_4_ms_apart_between_landing_and_push_off_says_nothing(clean, step, seconds):
    short = replace(step, end=step.onset + seconds)
    assert not list(force_motion(replace(clean.kinematics, stances=(short,)), clean.loads, clean.raw, load_limits()))


def test_one_contact_that_counts_as_two_is_named(clean, step):
    middle = 0.5 * (step.onset + step.end)
    halves = replace(step, end=middle), replace(step, onset=middle + 0.003)
    others = tuple(s for s in clean.kinematics.stances if s is not step)
    (finding,) = force_motion(
        replace(clean.kinematics, stances=(*halves, *others)), clean.loads, clean.raw, load_limits()
    )
    assert finding.value == pytest.approx(3.0)
    assert finding.limit == 50.0
    assert finding.error.stances == halves
    assert finding.error.scale_G == (-1.0, -1.0, -1.0), "all of the load is missing"


def test_a_limit_is_the_multiple_of_the_spread_on_its_side():
    spread = Spread(10.0, 2.0, 4.0, False, 20, 10, 5, 2)
    limits = Limits(
        {"a": spread, "log": replace(spread, middle=0.0, log=True, above=0.5, below=math.inf)}, 3.0, 2.0, 0.05
    )
    assert limits.crossed("a", 6.1) is None
    assert limits.crossed("a", 17.9) is None
    assert limits.crossed("a", 21.9) == pytest.approx(18.0), "the limit of a note"
    assert (limits.warns("a", 21.9), limits.warns("a", 22.1), limits.warns("a", 3.9)) == (False, True, True)
    assert limits.crossed("a", 3.9) == pytest.approx(4.0)
    assert limits.crossed("a", 22.1) == pytest.approx(22.0)
    assert limits.crossed("log", math.exp(1.6)) == pytest.approx(math.exp(1.5))
    assert limits.crossed("log", 1e-6) is None
    assert limits.crossed("log", 0.0) is None
    assert limits.crossed("a", math.nan) is None
    assert limits.crossed("unknown", 1e9) is None
    assert limits.source("a") == "10 walks of 5 people in 2 laboratories"
    assert math.isnan(OPEN.crossed("a", 10.0))


@pytest.mark.parametrize(
    "content", ["{", "[]", json.dumps({"residuals": {"a": {}}, "multiple": 1, "noted": 1, "false_alarms": 0.1})]
)
def test_a_file_that_is_no_file_of_residuals_is_refused(tmp_path, content):
    path = tmp_path / "residuals.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(LimitsError, match="not a file of residuals"):
        load_limits(path)


def test_findings_of_one_cause_are_one():
    """Four markers that are as much higher, with the largest; two name two places, another cause another finding."""

    def finding(subject, value, cause="as the floor's height differs"):
        return Finding(subject, f"is {value:g} mm higher", value, 10.0, "mm", "", cause, "check it")

    four = [
        finding(f"{side} {part}", 80.0 + k)
        for k, (side, part) in enumerate((s, p) for s in ("left", "right") for p in ("heel", "toe"))
    ]
    (one,) = grouped(four)
    assert one.subject == "right toe"
    assert "likewise left heel, left toe, right heel (80 to 83 mm)" in one.text
    assert grouped(four[:2]) == four[:2]
    assert len(grouped([*four, finding("left knee", 5.0, "as it was moved")])) == 2


def test_residuals_of_one_plate_are_one_finding_with_the_largest_effect():
    def finding(subject, name, value, effect):
        return Finding(subject, f"{name} is off", value, 10.0, "mm", "", f"as {name}", "", effect, f"{name}, one")

    found = grouped(
        [
            finding("plate 3", "place along", 60.0, 0.6),
            finding("plate 3, right hip", "moment", 1.5, 1.5),
            finding("plate 1", "turn", 9.0, 0.3),
        ]
    )
    assert [f.subject for f in found] == ["plate 3, right hip", "plate 1"]
    assert found[0].text == "moment is off; it also stands out in place along (60 mm)"


def test_the_farthest_step_is_compared_first_and_the_others_without_it():
    """Values 0, 1, 9 and 2: 9 is 8 from the median of the others; then 0 is 1.5 from 1 and 2, and 1 is 1 from 2."""
    values = np.array([0.0, 1.0, 9.0, 2.0])
    assert list(farthest_first(values, np.abs)) == [(2, 8.0), (0, -1.5), (1, -1.0)]
    assert not list(farthest_first(values[:1], np.abs))
    assert not list(farthest_first(np.empty((0, 91)), lambda curves: np.abs(curves).max(axis=1)))


@pytest.mark.parametrize("count", [2, 3, 8, 9])
@pytest.mark.parametrize(("shape", "mirrored"), [((), False), ((), True), ((5,), False)])
def test_medians_of_the_steps_left_are_those_that_numpy_finds(count, shape, mirrored, rng):
    """One after another, without the steps that are out; with equal values among them."""
    values = np.round(rng.normal(size=(count, *shape)), 1)
    signs = rng.choice([-1.0, 1.0], (count, *(1 for _ in shape)))

    def size(differences: np.ndarray) -> np.ndarray:
        return np.abs(differences).reshape(len(differences), -1).max(axis=1) if shape else np.abs(differences)

    left = list(range(count))
    for number, difference in farthest_first(values, size, signs if mirrored else None):
        own = []
        for n in left:
            others = [other for other in left if other != n]
            apart = values[n] - np.median(values[others], axis=0)
            across = values[n] - signs[n] * np.median((signs * values)[others], axis=0)
            own.append(min(apart, across, key=abs) if mirrored else apart)
        sizes = size(np.array(own))
        assert number == left[int(sizes.argmax())]
        np.testing.assert_allclose(difference, own[int(sizes.argmax())], rtol=0.0, atol=1e-12)
        left.remove(number)
    assert len(left) == 1


@pytest.mark.parametrize("late", [-0.05, 0.08])
def test_events_of_a_file_without_plates_that_are_late_are_named(clean, analyse, plug_in_gait, late):
    """The demo's true events, in a file whose plates are not read: by the markers 10 ms off at most."""
    events = tuple(replace(event, source="file") for event in clean.kinematics.events)
    given = replace(clean.raw, plates=(), events=events)
    assert not list(event_times(analyse(given, clean.static, sex="f").kinematics, plug_in_gait))
    shifted = replace(given, events=tuple(replace(event, time=event.time + late) for event in events))
    walk = analyse(shifted, clean.static, sex="f").kinematics
    (finding,) = event_times(walk, plug_in_gait)
    assert finding.value == pytest.approx(1000.0 * late, abs=20.0)
    assert finding.limit == pytest.approx(np.copysign(30.0, late))
    assert finding.subject == "events of the file"
    # A knee that bends by 60 degrees a second, and faster before the first cycle.
    bends = np.cumsum(np.where(np.arange(len(walk.time)) > frames_of_cycles(walk).argmax(), 60.0, 600.0)) / walk.rate
    knee = np.radians(np.column_stack([bends, 3.0 * bends, 3.0 * bends]))
    (finding,) = event_times(replace(walk, angles={"left_knee": knee}), plug_in_gait)
    frames = round(abs(finding.value) / 1000.0 * walk.rate)
    assert finding.angle_error == pytest.approx(60.0 * frames / walk.rate)
    assert finding.angle_of == "left knee flexion along the cycle"


def test_a_pelvis_marker_that_is_too_high_makes_the_pelvis_oblique(clean, analyse):
    """The left ASIS up by 35 mm in the walk alone: by its arctangent over the distance of the ASIS."""

    def found(walk):
        own = analyse(walk, clean.static, sex="f")
        cycles = gait_cycles(own.kinematics, own.loads)
        return summarise(cycles, mean_leg_length(own.kinematics.calibration), None)

    assert not list(level_pelvis(found(clean.raw), load_limits()))
    raised = with_marker(clean.raw, "LASI", lambda place: place + np.array([0.0, 0.035, 0.0]))
    (finding,) = level_pelvis(found(raised), load_limits())
    apart = np.linalg.norm(clean.static.marker("LASI") - clean.static.marker("RASI"), axis=1).mean()
    assert finding.value == pytest.approx(np.degrees(np.arctan(0.035 / apart)), abs=1.0)
    assert "left side" in finding.text


@pytest.mark.parametrize(("left", "right"), [(5.0, -3.0), (-6.0, 2.0)])
def test_a_pelvis_is_oblique_by_half_of_what_its_sides_differ_by(left, right):
    """What is typical is 1 degree."""
    sides = {"left": {"pelvic_obliquity": np.full(101, left)}, "right": {"pelvic_obliquity": np.full(101, right)}}
    limits = Limits({OBLIQUITY: Spread(1.0, 1e-6, 1e-6, False, 1, 1, 1, 1)}, 1.0, 1.0, 0.05)
    (finding,) = level_pelvis(SimpleNamespace(mean=sides), limits)
    value = 0.5 * (left - right)
    assert finding.value == value
    assert finding.angle_error == pytest.approx(abs(value - 1.0))
    assert f"its {'left' if value > 0.0 else 'right'} side is 4.0 degrees higher" in finding.text
