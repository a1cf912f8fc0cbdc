"""Body and task of a predicted walk: the measured walk's skeleton, speed, lengths and angles."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import PERCENT
from pipeline.config import Prediction, Subject
from pipeline.errors import ConfigError
from pipeline.math3d import rotation_about
from pipeline.prediction import GaitTask, PredictionError, body_of, make_walker, task_of, with_fitted_skeleton
from pipeline.prediction.gait.walker import HEEL, TOE
from pipeline.skeleton import Skeleton, load_skeleton, merge_frozen, mirror_map, rotate_joint, scale_segments, symmetric
from pipeline.trial import BodyModel, Cycle, CycleCurves, GaitCycles
from tests.walks import SKELETON


@pytest.fixture(scope="module")
def table() -> Skeleton:
    return load_skeleton(SKELETON, mass=60.0, height=1.7, sex="female")


@pytest.fixture(scope="module")
def person(table: Skeleton) -> Skeleton:
    """Long shanks, large feet, shins twisted outwards."""
    sizes = {f"{side}_{name}": np.full(3, 1.1) for side in ("left", "right") for name in ("shank", "foot", "toes")}
    body = scale_segments(table, sizes)
    for side, angle in (("left", 0.3), ("right", -0.2)):
        body = rotate_joint(body, f"{side}_ankle_flexion", f"{side}_shank", rotation_about(np.eye(3)[1], angle))
    return body


def test_a_foot_that_points_outwards_keeps_its_sole(table: Skeleton, person: Skeleton) -> None:
    usual, own = (make_walker(merge_frozen(symmetric(body))) for body in (table, person))
    for point in (HEEL, TOE):
        # The foot is larger by a tenth; its twist moves no point of the sole within the foot.
        np.testing.assert_allclose(own.contacts[point], 1.1 * usual.contacts[point], atol=1e-12)
    assert own.leg_length > usual.leg_length


def test_an_impossible_mass_is_refused_with_its_value() -> None:
    impossible = Subject.model_construct(subject="Ann", sex="f", mass_kg=-5.0, height_m=1.7)
    with pytest.raises(ConfigError, match=r"mass is -5.0, not a number from 3 to 300 kg"):
        body_of(impossible, SKELETON)


def test_the_body_of_a_toddler_is_an_extrapolation() -> None:
    body = body_of(Subject(subject="Ann", sex="f", mass_kg=12.0, height_m=0.88), SKELETON)
    warned = {note.subject: note.text for note in body.notes if note.kind == "warning"}
    assert warned["mass"].startswith("12 kg, outside the 20 to 250 kg")
    assert warned["height"].startswith("0.88 m, outside the 1 to 2.3 m")
    usual = body_of(Subject(subject="Ann", sex="f", mass_kg=20.0, height_m=1.0), SKELETON)
    assert "warning" not in {note.kind for note in usual.notes}


def cycles(speed: float, side: str = "left", stride: float = 1.3, toe_in: float = -0.2) -> CycleCurves:
    foot = np.full((len(PERCENT), 3), np.nan)
    foot[:, 2] = 1.0
    foot[15:31, 2] = toe_in
    parameters = {"speed": speed, "stride_length": stride, "step_width": 0.1, "double_support": 24.0, "stance": 60.0}
    cycle = Cycle(side, 0.0, 0.6, 1.0, 0.1, 0.5, "", 1)
    return CycleCurves(cycle, PERCENT, {"foot": foot}, {}, {}, np.zeros((101, 3)), parameters)


WALK = GaitCycles("w", "Ann", "distal", (cycles(1.2), cycles(1.4), cycles(1.1, "right", 1.4, -0.1)), ())
BLANK = Prediction(prediction="p", subject="Ann", trial="w")


def test_blank_cells_are_filled_in_by_means_over_both_sides_of_the_measured_walk(table: Skeleton) -> None:
    task, notes = task_of(BLANK, table, WALK)
    assert task.speed == pytest.approx((1.3 + 1.1) / 2)
    assert task.step_length == pytest.approx((1.3 + 1.4) / 4), "half of the mean stride"
    assert task.double_support == pytest.approx(0.24), "two phases of 12 % of the cycle are 24 % of a step"
    assert task.toe_out == pytest.approx(0.15)
    heel = make_walker(merge_frozen(table)).contacts[HEEL][0]
    assert heel < 0
    assert task.step_width == pytest.approx(0.1 + 2 * abs(heel) * np.sin(0.15)), "heels turn inwards"
    assert "from the measured walk w" in notes[0].text


NO_DOUBLE_SUPPORT = {"stance": 35.0, "double_support": 0.0}


def test_a_run_takes_its_flight_from_a_measured_run_and_none_from_a_walk(table: Skeleton) -> None:
    strides = tuple(
        replace(one, cycle=replace(one.cycle, foot_off=0.35), parameters=one.parameters | NO_DOUBLE_SUPPORT)
        for one in WALK.cycles
    )
    run = BLANK.model_copy(update={"preset": "running"})
    task, notes = task_of(run, table, replace(WALK, cycles=strides))
    assert task.flight == pytest.approx(0.3), "a foot stands for 35 of the 50 % of a step"
    assert task.double_support is None
    assert "flight 0.300 of a step" in notes[0].text
    with pytest.raises(PredictionError, match=r"walk w: in it each foot stands for 60 % of the cycle.+preset"):
        task_of(run, table, WALK)
    with pytest.raises(PredictionError, match=r"walk w: in it each foot stands for 35 % of the cycle, so it is a run"):
        task_of(BLANK, table, replace(WALK, cycles=strides))


def test_cells_of_a_row_come_before_the_measured_walk(table: Skeleton) -> None:
    asked = BLANK.model_copy(
        update={"speed_m_s": 0.9, "step_width_m": 0.2, "toe_out_deg": 0.0, "friction": 0.3, "form": "stride"}
    )
    task, notes = task_of(asked, table, WALK)
    assert (task.speed, task.step_width, task.toe_out, task.friction, task.form) == (0.9, 0.2, 0.0, 0.3, "stride")
    assert "speed" not in notes[0].text
    free = Prediction(prediction="q", subject="Ann", speed_m_s=1.0, step_length_m=0.5)
    alone, none = task_of(free, table, None)
    assert (alone.step_width, alone.double_support, none) == (None, None, ())


def test_ankles_are_apart_by_the_toe_out_of_the_task_if_the_walk_shows_none(table: Skeleton) -> None:
    without = replace(WALK, cycles=tuple(replace(one, angles={}) for one in WALK.cycles))
    task, _ = task_of(BLANK, table, without)
    assert task.toe_out == GaitTask().toe_out
    heel = make_walker(merge_frozen(table)).contacts[HEEL][0]
    assert task.step_width == pytest.approx(0.1 + 2 * abs(heel) * np.sin(task.toe_out))


def test_a_walk_without_speed_is_named(table: Skeleton) -> None:
    with pytest.raises(PredictionError, match=r"walk w: its speed is unknown.+predictions.tsv"):
        task_of(BLANK, table, replace(WALK, cycles=()))


def test_a_fitted_skeleton_is_made_symmetric_with_a_note_on_the_difference_of_its_sides(
    table: Skeleton, person: Skeleton
) -> None:
    body = body_of(Subject(subject="Ann", sex="f", mass_kg=60.0, height_m=1.7), SKELETON)
    sizes = {"left_shank": 1.10, "right_shank": 1.07, "left_foot": 1.1, "right_foot": 1.1, "trunk": 1.0}
    model = BodyModel(**{name: getattr(person, name) for name in BodyModel.__dataclass_fields__})
    names = person.joint_names
    fitted = SimpleNamespace(name="w", model=model, joint_names=names, scale_factors=sizes, mass=61.0, height=1.71)
    own = with_fitted_skeleton(body, fitted)  # type: ignore[arg-type]
    assert (own.mass, own.height) == (61.0, 1.71)
    mirror_map(own.skeleton)  # raises where the sides differ
    for name, segment in symmetric(person).segments.items():
        np.testing.assert_allclose(own.skeleton.segments[name].pose, segment.pose, atol=1e-14, err_msg=name)
    texts = [note.text for note in own.notes]
    assert any("scaled by the static calibration of w" in text for text in texts)
    assert any("differ by 2.8 % at most (shank)" in text for text in texts)
