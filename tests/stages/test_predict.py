"""A sweep of coarse walks, some of them impossible: stored values and failures, progress, and the page."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.analysis import PERCENT, compare, predicted_cycle, whole_stride
from pipeline.analysis.cycles import JOINTS
from pipeline.analysis.predicted.cycle import predicted_side
from pipeline.analysis.resampling import resample
from pipeline.anatomy import load_marker_set
from pipeline.config import AnatomySettings, Configuration, Prediction, Subject
from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.prediction import PRESETS, body_of
from pipeline.provenance import Provenance, file_digest
from pipeline.reporting import ReportRun, write_prediction_report
from pipeline.results import Failure, read_best_iterate, read_failure, read_stage, write_failure, write_stage
from pipeline.sides import other_side
from pipeline.skeleton import load_skeleton, point_motion, segment_pose
from pipeline.stages.predict import solve_sweep
from pipeline.stages.prediction_report import on_failure
from pipeline.trial import Cycle, CycleCurves, GaitCycles, PredictedWalk, SegmentPose
from pipeline.workflow import run_log
from pipeline.workflow.framework import Request, execute
from pipeline.workflow.jobs import Sweep
from pipeline.workflow.report_runs import PageOf

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
SKELETON, MARKER_SET = ROOT / "config/skeleton.yaml", ROOT / "config/marker_sets/plug_in_gait.yaml"
STATIC = ROOT / "data/demo/static.c3d"

COARSE = replace(PRESETS["human"], n_nodes=11, n_intervals=5)
"""Few nodes: a walk within seconds, whose constraints are satisfied at those nodes alone."""

ANN = Subject(subject="Ann", sex="f", mass_kg=60.0, height_m=1.7)
ROWS = (
    Prediction(prediction="usual", subject="Ann", speed_m_s=1.2, step_length_m=0.6),
    Prediction(prediction="impossible", subject="Ann", speed_m_s=3.0, step_length_m=0.3),
    Prediction(prediction="too_long", subject="Ann", speed_m_s=1.5, step_length_m=1.95),
    Prediction(prediction="on_ice", subject="Ann", speed_m_s=1.5, step_length_m=0.8, friction=0.05),
    Prediction(prediction="as_measured", subject="Ann", trial="w"),
    Prediction(prediction="as_lost", subject="Ann", trial="lost"),
)
PROVENANCE = Provenance("predict")


def measured_walks(folder: Path) -> dict[str, Path]:
    """Stages of a walk without a fitted skeleton, and of one that failed."""
    parameters = {"speed": 1.1, "stride_length": 1.16, "step_width": 0.09, "double_support": 24.0}
    cycle = Cycle("right", 0.0, 0.6, 1.0, 0.1, 0.5, "", 1)
    curves = CycleCurves(cycle, PERCENT, {}, {}, {}, np.zeros((101, 3)), parameters)
    write_stage(folder / "w.h5", GaitCycles("w", "Ann", "distal", (curves,), ()), PROVENANCE)
    write_failure(folder / "w_body.h5", Failure("w", "whole_body", "no markers of the trunk"), PROVENANCE)
    write_failure(folder / "lost.h5", Failure("lost", "ingest", "is no C3D file"), PROVENANCE)
    files = {"cycles/w": "w.h5", "whole_body/w": "w_body.h5", "cycles/lost": "lost.h5", "whole_body/lost": "lost.h5"}
    return {name: folder / file for name, file in files.items()}


@dataclass(frozen=True)
class Swept:
    results: Path
    log: Path
    progress: str


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Swept:
    folder = tmp_path_factory.mktemp("sweep")
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []

        class Recorder:
            write = lines.append

            def flush(self) -> None:
                pass

        patch.setattr("sys.stderr", Recorder())
        inputs = {"skeleton": SKELETON, **measured_walks(folder)}
        patch.setenv(run_log.VARIABLE, str(folder / "run.jsonl"))
        sweep = Sweep(ANN, AnatomySettings(), ROWS, inputs)
        solve_sweep(sweep, PROVENANCE, folder / "results", COARSE, session="Ann/1")
    return Swept(folder / "results", folder / "run.jsonl", "".join(lines))


@pytest.fixture(scope="module")
def walk(swept: Swept) -> PredictedWalk:
    return read_stage(swept.results / "usual.h5", PredictedWalk)


def failed(path: Path) -> Failure:
    failure = read_failure(path)
    assert failure is not None
    return failure


def test_progress_is_printed_while_it_solves(swept: Swept) -> None:
    assert "usual: 1.2 m/s, steps of 0.6 m, preset human\n" in swept.progress
    assert "usual: converged, started from the neutral pose" in swept.progress
    assert "usual: iteration 1, objective" in swept.progress


def test_an_impossible_walk_is_recorded_with_its_reason_and_others_are_solved(swept: Swept) -> None:
    failure = failed(swept.results / "impossible.h5")
    assert (failure.trial, failure.step, failure.defect) == ("impossible", "predict", False)
    assert "the minimum is 0.2 s" in failure.reason
    assert read_failure(swept.results / "usual.h5") is None
    failure = failed(swept.results / "too_long.h5")
    assert re.search(r"a step of 1.95 m is longer than twice the leg \(leg length 0\.\d+ m\)", failure.reason)


def test_a_measured_walk_gives_the_task_and_a_missing_skeleton_is_noted(swept: Swept) -> None:
    walk = read_stage(swept.results / "as_measured.h5", PredictedWalk)
    assert walk.task.walk == "w"
    assert (walk.task.speed, walk.task.step_length, walk.task.double_support) == pytest.approx((1.1, 0.58, 0.24))
    assert walk.solver.start == "usual", "started from the nearest solved walk"
    assert any("not fitted to w: no markers of the trunk" in note.text for note in walk.notes)


def test_a_failed_walk_fails_only_its_own_prediction(swept: Swept) -> None:
    failure = failed(swept.results / "as_lost.h5")
    assert (failure.step, failure.reason) == ("measured walk", "walk lost: failed at ingest: is no C3D file")


def test_a_failed_solve_stores_its_last_iterate_apart_from_results(swept: Swept, tmp_path: Path) -> None:
    path = swept.results / "on_ice.h5"
    failure = failed(path)
    assert "friction" in failure.reason
    with pytest.raises(ResultsError, match="has no value"):
        read_stage(path, PredictedWalk)
    best = read_best_iterate(path, PredictedWalk)
    assert best is not None
    assert best.solver.max_violation > 1.0
    assert best.solver.ended != "converged"
    assert read_best_iterate(swept.results / "impossible.h5", PredictedWalk) is None, "the solver never started"

    page = tmp_path / "page.html"
    on_failure(failure, path, ROWS[3], PageOf(*ROWS[3].key, Configuration(), PROVENANCE), page)
    text = page.read_text()
    assert "not a walk" in text
    assert '<figure class="snapshot">' in text
    assert re.search(r"<td>[a-z ]*friction[a-z ]*</td><td class=\"number violated\">", text)


def test_no_walk_starts_from_the_iterate_of_a_failed_one_or_is_compared_with_it(swept: Swept, tmp_path: Path) -> None:
    for name in ("usual", "as_measured"):
        assert read_stage(swept.results / f"{name}.h5", PredictedWalk).solver.start != "on_ice"
    settings = json.dumps({"walks": []})
    output = tmp_path / "comparison.h5"
    request = Request(
        "prediction_comparison", "on_ice", {"prediction": swept.results / "on_ice.h5"}, output, {}, settings
    )
    assert execute(request) is not None
    failure = failed(output)
    assert "friction" in failure.reason


def test_the_stored_walk_has_all_that_was_predicted(walk: PredictedWalk) -> None:
    frames, n = walk.q.shape
    assert n == len(walk.joint_names) == 55
    assert walk.tau.shape == (frames, n)
    assert walk.force_G.shape == walk.moment_G.shape == (frames, n, 3)
    assert walk.time[-1] == pytest.approx(0.5)
    assert walk.skeleton == file_digest(SKELETON)
    assert (walk.task.mass, walk.task.height, walk.task.sex) == (60.0, 1.7, "f")
    assert walk.solver.ended == "converged"
    assert walk.solver.active > 0
    worst = max(v.nodes / v.tolerance for v in walk.solver.violations)
    # The solver's own measure is of the same rows.
    assert worst == pytest.approx(walk.solver.max_violation)
    assert any("no static trial" in note.text for note in walk.notes)
    assert any("periodic splines" in note.text for note in walk.notes)


def test_writing_the_walk_again_gives_the_same_bytes_and_no_run_time(swept: Swept, walk: PredictedWalk) -> None:
    again = swept.results / "again.h5"
    write_stage(again, walk, replace(PROVENANCE, trial_key="Ann/1/usual"))
    assert again.read_bytes() == (swept.results / "usual.h5").read_bytes()
    jobs = {job["name"].rpartition("/")[2]: job for job in map(json.loads, swept.log.read_text().splitlines())}
    usual, impossible = jobs["usual"], jobs["impossible"]
    assert 0.0 < usual["solver_seconds"] <= usual["seconds"]
    assert b"cpu" not in again.read_bytes()
    assert impossible["outcome"] == "failed"


def test_ground_reaction_and_gravity_balance_the_body_over_a_cycle(walk: PredictedWalk) -> None:
    cycle = predicted_cycle(walk)
    # The mean vertical force of both feet is body weight; nine nodes integrate it to a percent or two.
    assert 2.0 * np.trapezoid(cycle.ground[:, 1], cycle.percent) / 100.0 == pytest.approx(1.0, abs=0.03)
    assert np.trapezoid(cycle.ground[:, 0], cycle.percent) / 100.0 == pytest.approx(0.0, abs=0.02)
    # The right foot's medial is to the left, against Z of G; the step is the first half of its cycle.
    to_the_left = -walk.ground["right"].force_G[:, 2] / (9.81 * walk.task.mass)
    medial = np.interp(50.0 * walk.time / walk.time[-1], cycle.percent, cycle.ground[:, 2])
    assert np.abs(to_the_left).max() > 0.02
    np.testing.assert_allclose(medial, to_the_left, atol=0.1 * np.abs(to_the_left).max())  # between the few nodes


def test_curves_of_a_cycle_close(walk: PredictedWalk) -> None:
    cycle = predicted_cycle(walk)
    for values in (*cycle.angles.values(), *cycle.moments.values(), *cycle.powers.values()):
        # The left side at the end of the step is the right side at its begin: the splines are wrapped.
        np.testing.assert_allclose(values[0], values[-1], atol=1e-9)


def test_the_stride_of_a_step_is_its_gait_cycle_and_closes(walk: PredictedWalk) -> None:
    """Mirrored positions and loads give the curves that the cycle takes from the other side's step."""
    stride, cycle = whole_stride(walk), predicted_cycle(walk)
    own = predicted_side(stride, "right")
    for joint in JOINTS:
        for name in ("angles", "moments", "powers"):
            over_stride = resample(getattr(own, name)[joint], stride.time, 0.0, stride.time[-1])
            np.testing.assert_allclose(over_stride, getattr(cycle, name)[joint], atol=1e-9)
    last = len(walk.time) - 1
    for name, point in stride.points.items():
        image = walk.points[other_side(name)][0] * [1, 1, -1] + [walk.task.step_length, 0, 0]
        np.testing.assert_allclose(point[last], image, atol=1e-9)  # the second step begins where the first ends
    for side in SIDES:
        force = stride.ground[side].force_G
        np.testing.assert_allclose(force[0], force[-1], atol=1e-6)  # N
    assert np.isnan(stride.q[-1]).all()


def test_coordinates_of_the_stride_place_its_segments_and_hands_on_the_way(walk: PredictedWalk) -> None:
    body = load_skeleton(SKELETON, mass=60.0, height=1.7, sex="female")
    stride = whole_stride(walk, body)
    for name in ("pelvis", "left_foot", "right_hand", "head"):
        pose = SegmentPose(*segment_pose(body, name, stride.q))
        np.testing.assert_allclose(pose.R_GS, stride.segments[name].R_GS, atol=1e-9)
        np.testing.assert_allclose(pose.origin_G, stride.segments[name].origin_G, atol=1e-9)


def test_joint_powers_are_those_of_the_generalised_forces(walk: PredictedWalk) -> None:
    for side in SIDES:
        powers = predicted_side(walk, side).powers
        for joint in JOINTS:
            own = [i for i, name in enumerate(walk.joint_names) if name.startswith(f"{side}_{joint}_")]
            assert own
            # Power of a moment on a relative velocity is the sum over the joint's axes: an identity.
            expected = np.sum(walk.tau[:, own] * walk.qd[:, own], axis=1) / walk.task.mass
            np.testing.assert_allclose(powers[joint], expected, atol=1e-9)


def test_sagittal_angles_are_the_coordinates_of_joints_that_move_in_that_plane_only(walk: PredictedWalk) -> None:
    knee = walk.joint_names.index("right_knee_flexion")
    np.testing.assert_allclose(predicted_side(walk, "right").angles["knee"][:, 0], walk.q[:, knee], atol=1e-12)
    # The tilt of the static trial adds once to the pelvis and once to the hip.
    tilted = replace(walk, task=replace(walk.task, pelvic_tilt=0.15))
    for joint in ("pelvis", "hip"):
        change = predicted_side(tilted, "right").angles[joint] - predicted_side(walk, "right").angles[joint]
        # With obliquity and rotation of the pelvis, part of it is in the other planes.
        np.testing.assert_allclose(change[:, 0], 0.15, atol=0.01)


@pytest.mark.parametrize("joint", JOINTS)
def test_a_net_joint_force_accelerates_the_segments_below_it(walk: PredictedWalk, joint: str) -> None:
    """F = sum of m (a - g) - ground reaction: Newton's law for the leg below the joint, by kinematics of points."""
    skeleton = body_of(ANN, SKELETON, None, None).skeleton
    below = ("toes", "foot", "shank", "thigh")[: {"ankle": 2, "knee": 3, "hip": 4}[joint]]
    for side in SIDES:
        expected = -walk.ground[side].force_G
        for link in (skeleton.segment(f"{side}_{part}").joint for part in below):
            name = skeleton.joint_names[link]
            motion = point_motion(skeleton, name, skeleton.com[link], walk.q, walk.qd, walk.qdd)
            expected = expected + skeleton.mass[link] * (motion.acceleration_G - [0.0, -9.81, 0.0])
        # Magnitudes of up to 1e3 N, over the body's weight; the rest is rounding.
        expected_BW = np.linalg.norm(expected, axis=1) / (walk.task.mass * 9.81)
        np.testing.assert_allclose(predicted_side(walk, side).force[joint], expected_BW, atol=1e-9)
        assert np.ptp(expected_BW) > 0.5, "loaded and unloaded"


def test_the_page_shows_figures_solver_and_the_run_in_its_own_block(swept: Swept, walk: PredictedWalk) -> None:
    page = swept.results / "page.html"
    run = ReportRun("Study", {"skeleton": walk.skeleton}, Configuration().model_dump(), {"python": "3"}, "index.html")
    write_prediction_report(page, walk, compare(walk, None), replace(run, facts={"processor time": "1 <s>"}))
    text = page.read_text()
    assert '<figure class="snapshot">' in text
    assert '<figure class="panel">' in text
    assert "No walk of this subject" in text
    before, block = text.split('<section id="run"')
    assert "1 &lt;s&gt;" in block
    assert "processor time" not in before.lower()
    running = replace(walk, task=replace(walk.task, double_support=0.0, flight=0.3))
    write_prediction_report(page, running, compare(running, None), run)
    text = page.read_text()
    assert "No run of this subject" in text
    assert "30.0 % of each in flight" in text


def test_a_failed_static_trial_fails_every_prediction_with_its_reason(tmp_path: Path) -> None:
    static = tmp_path / "raw.h5"
    write_failure(static, Failure("still", "ingest", "is no C3D file"), PROVENANCE)
    inputs = {"skeleton": SKELETON, "static": static, "marker_set": MARKER_SET}
    solve_sweep(Sweep(ANN, AnatomySettings(), ROWS, inputs), PROVENANCE, tmp_path)
    for row in ROWS[:4]:
        failure = failed(tmp_path / f"{row.prediction}.h5")
        assert (failure.trial, failure.reason) == (row.prediction, "still: is no C3D file")


def test_a_failed_prediction_has_a_page_with_its_task_and_reason(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    failure, stored = Failure("impossible", "predict", "too <fast>"), tmp_path / "impossible.h5"
    write_failure(stored, failure, PROVENANCE)
    on_failure(failure, stored, ROWS[1], PageOf(*ROWS[1].key, Configuration(), PROVENANCE), page)
    text = page.read_text()
    assert "too &lt;fast&gt;" in text
    assert "3.00 m/s" in text


def test_mass_height_and_static_pelvic_tilt_come_from_the_static_trial_where_the_table_is_blank() -> None:
    static = read_trial(STATIC, name="static")
    marker_set = load_marker_set(MARKER_SET)
    body = body_of(Subject(subject="demo", sex="f"), SKELETON, static, marker_set)
    # Mass and height in the demo's file.
    assert (body.mass, body.height) == pytest.approx((72.0, 1.76))
    # The demo's pelvis stands 7 degrees forward.
    assert np.degrees(body.pelvic_tilt) == pytest.approx(7.0, abs=0.05)
    assert {note.subject for note in body.notes} == {"mass", "height", "pelvis"}
    given = body_of(Subject(subject="demo", sex="f", mass_kg=70.0), SKELETON, static, marker_set)
    assert (given.mass, given.height) == pytest.approx((70.0, 1.76))
