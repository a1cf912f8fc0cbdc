"""Quality checks of steps: forces away from the body, sliding feet, implausible body mass."""

from dataclasses import replace

import numpy as np
import pytest

from pipeline.math3d import Wrench
from pipeline.signals import Foot, body_mass_check, plate_checks
from pipeline.trial import Cycle, PlateLoad, Stance

RATE = 100.0
TIME = np.arange(120) / RATE
START, STOP = 30, 90
CORNERS = np.array([[0.6, 0, 0.5], [0.6, 0, 0.0], [0.0, 0, 0.0], [0.0, 0, 0.5]])
PELVIS = np.stack([0.3 + 1.2 * (TIME - 0.6), np.full(120, 0.9), np.full(120, 0.25)], axis=1)
STANCE = Stance(1, "right", START, STOP, 0.3, 0.9, 0.0, "")


def along(values):
    return np.stack([values, np.zeros(120), np.zeros(120)], axis=1)


@pytest.fixture
def foot():
    """It swings in at 3 m/s, stands while it is loaded, and swings on."""
    path = np.interp(TIME, [0.0, 0.3, 0.9, 1.2], [-0.8, 0.1, 0.1, 1.0])
    return Foot(along(path), along(path + 0.2))


@pytest.fixture
def load():
    """700 N for 0.6 s under a centre of pressure that rolls from heel to toe; the force points 1.8 m high."""
    on = (np.arange(120) >= START) & (np.arange(120) < STOP)
    cop = np.where(on[:, None], along(np.interp(TIME, [0.3, 0.9], [0.12, 0.28])) + 0.2 * np.eye(3)[2], np.nan)
    force = np.where(on, 700.0, 0.0)[:, None] * np.array([0.0, 1.0, 0.0])
    arm = np.nan_to_num(PELVIS - cop)
    force[:, [0, 2]] = 0.5 * force[:, [1]] * arm[:, [0, 2]] / 0.9
    return PlateLoad(1, CORNERS, Wrench(force, np.zeros(3), CORNERS.mean(axis=0)), on, cop, np.zeros(120))


def warnings_of(load, foot, stance=STANCE):
    notes = list(plate_checks([stance], [load], {"right": foot}, PELVIS, TIME))
    assert all((note.kind, note.subject) == ("warning", "plate 1") for note in notes)
    return [note.text for note in notes]


def turned(load, degrees):
    """The same load in the axes of a plate turned about the vertical through its centre."""
    a = np.radians(degrees)
    R = np.array([[np.cos(a), 0.0, np.sin(a)], [0.0, 1.0, 0.0], [-np.sin(a), 0.0, np.cos(a)]])
    middle = load.corners_G.mean(axis=0)
    cop = (load.cop_G - middle) @ R.T + middle
    return replace(load, wrench=replace(load.wrench, force_G=load.wrench.force_G @ R.T), cop_G=cop)


@pytest.mark.parametrize(("degrees", "warned"), [(0, False), (10, False), (90, True), (180, True), (270, True)])
def test_a_force_turned_away_from_the_bodys_motion_is_warned_of(load, foot, degrees, warned):
    found = warnings_of(turned(load, degrees), foot)
    assert len(found) == warned
    assert all("does not follow the body" in text for text in found)


def test_a_dead_channel_of_the_fore_aft_force_is_warned_of(load, foot):
    force = load.wrench.force_G * [0.0, 1.0, 1.0]
    (text,) = warnings_of(replace(load, wrench=replace(load.wrench, force_G=force)), foot)
    assert "correlation 0.00" in text


@pytest.mark.parametrize(("shift", "warned"), [(0, False), (2, False), (8, True), (-8, True)])
def test_a_foot_that_moves_under_load_is_warned_of(load, foot, shift, warned):
    """Markers 80 ms early or late to the plate; 20 ms are within what a foot rolls and a filter smears."""
    found = warnings_of(load, Foot(np.roll(foot.heel, shift, axis=0), np.roll(foot.toe, shift, axis=0)))
    assert len(found) == warned
    assert all("loaded for 0.0" in text and "not synchronised" in text for text in found)


def test_rejected_steps_and_missing_feet_are_not_checked(load, foot):
    unseen = np.full((120, 3), np.nan)
    assert not warnings_of(load, Foot(unseen, unseen))
    assert not warnings_of(turned(load, 180), foot, replace(STANCE, rejected="a light touch"))


def a_cycle(side, plate):
    return Cycle(side, 0.3, 0.9, 1.3, 0.4, 0.8, "", plate)


@pytest.mark.parametrize(
    ("mass", "sides", "warned"),
    [(85.0, 1, False), (100.0, 1, False), (100.0, 2, True), (62.0, 1, True), (62.0, 2, True)],
)
def test_a_mass_that_disagrees_with_the_impulse_on_plates_is_warned_of(load, mass, sides, warned):
    """700 N for 0.6 s give half the impulse of a stride of 1 s: 840 N, or 85.6 kg; one side alone is trusted less."""
    cycles = [a_cycle("left", 1), a_cycle("right", 1)][:sides]
    notes = list(body_mass_check(mass, [*cycles, a_cycle("left", 0)], [load], TIME))
    assert [(note.kind, note.subject) for note in notes] == ([("warning", "body mass")] if warned else [])
    assert all(f"{mass:.1f} kg, but the steps on plates carry 85.6 kg" in note.text for note in notes)


def test_without_a_step_on_a_plate_no_mass_is_checked(load):
    assert not list(body_mass_check(30.0, [a_cycle("left", 0)], [load], TIME))
