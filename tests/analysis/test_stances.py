"""A clean step on a plate without a whole gait cycle: its kinetics over stance, as in a longer recording."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, gait_cycles, mean_leg_length, stance_contributions, summarise
from pipeline.math3d import Wrench

START, STOP = 182, 274
"""Frames of the demo's walk with all of the right foot's step on plate 4, no other initial contact of it, and no whole
step of the left foot."""


def cut(trial, start, stop):
    """Frames of a recording, with the plates' samples of the same time."""
    per_frame = round(trial.analog_rate / trial.rate)
    samples = slice(start * per_frame, stop * per_frame)
    plates = tuple(
        replace(p, wrench=Wrench(p.wrench.force_G[samples], p.wrench.moment_G[samples], p.wrench.point_G[0]))
        for p in trial.plates
    )
    return replace(
        trial,
        time=trial.time[: stop - start],
        analog_time=trial.analog_time[: (stop - start) * per_frame],
        analog=trial.analog[samples],
        markers_G=trial.markers_G[start:stop],
        plates=plates,
        events=(),
    )


@pytest.fixture(scope="module")
def short(demo_walk, analyse):
    found = analyse(cut(demo_walk.raw, START, STOP), demo_walk.static, sex="f")
    return found, gait_cycles(found.kinematics, found.loads)


def test_the_step_is_given_though_there_is_no_cycle(short):
    _, cycles = short
    assert cycles.cycles == ()
    (step,) = cycles.stances
    assert (step.stance.side, step.stance.plate, step.stance.rejected) == ("right", 4, "")
    assert set(step.moments) == set(step.powers) == {"hip", "knee", "ankle"}
    notes = {note.text for note in cycles.notes if note.subject == "right side"}
    assert any("not in a complete gait cycle: 1, with kinetics over stance" in text for text in notes)


@pytest.mark.parametrize("joint", ["hip", "knee", "ankle"])
def test_its_moments_and_powers_are_those_of_the_longer_recording(short, demo_walk, joint):
    """Within 2 % of the peak: the filter ends some frames before and after the step."""
    _, cycles = short
    (step,) = cycles.stances
    onset, end = (instant + START / demo_walk.raw.rate for instant in (step.stance.onset, step.stance.end))
    time, load = demo_walk.loads.time, demo_walk.loads.joints[f"right_{joint}"]
    at = onset + PERCENT[2:-2] / 100.0 * (end - onset)
    # Of a right leg, extension is about -z at hip and ankle (plantarflexion), about +z at the knee.
    sign = 1.0 if joint == "knee" else -1.0
    moment = sign * np.interp(at, time, load.moment_distal[:, 2]) / demo_walk.loads.mass
    power = np.interp(at, time, load.power) / demo_walk.loads.mass
    assert np.isfinite(moment).all()
    assert np.abs(step.moments[joint][2:-2, 0] - moment).max() < 0.02 * np.abs(moment).max()
    assert np.abs(step.powers[joint][2:-2] - power).max() < 0.02 * np.abs(power).max()


def test_every_curve_of_the_registry_has_a_value_over_stance(short):
    (step,) = short[1].stances
    for name, variable in CYCLE_VARIABLES.items():
        values = variable.of(step)
        assert values.shape == (101,)
        assert np.isfinite(values[2:-2]).all(), name


def test_a_walk_with_a_step_and_no_cycle_has_a_summary_with_its_contributions(short):
    found, cycles = short
    contributions = stance_contributions(found.kinematics, found.loads, cycles)
    summary = summarise(cycles, mean_leg_length(found.kinematics.calibration), None, contributions)
    assert all(np.isnan(mean).all() for own in summary.mean.values() for mean in own.values())
    for name, curves in contributions.items():
        total = CYCLE_VARIABLES[name].of(cycles.stances[0])
        assert np.isnan(curves[0]).all(), "left"
        np.testing.assert_allclose(curves[1, 0], total, atol=1e-9)
        np.testing.assert_allclose(curves[1, 0], curves[1, 1:].sum(axis=0), atol=1e-6)


def test_steps_of_whole_cycles_are_not_given_twice(demo_walk):
    cycles = gait_cycles(demo_walk.kinematics, demo_walk.loads)
    whole = {(c.cycle.side, c.cycle.plate) for c in cycles.cycles if c.cycle.plate}
    alone = {(s.stance.side, s.stance.plate) for s in cycles.stances}
    clean = {(s.side, s.plate) for s in demo_walk.kinematics.stances if not s.rejected}
    assert whole
    assert not whole & alone
    assert whole | alone == clean
