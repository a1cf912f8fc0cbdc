"""Muscle and joint contact forces of a predicted walk: both sides, springs, files, tables and page."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from pipeline import open_trial
from pipeline.analysis import compare, mean_curves, muscle_curves, predicted_cycle, repeated_muscles
from pipeline.config import MuscleSettings, Prediction
from pipeline.conventions import SIDES
from pipeline.prediction import Body, GaitTask, Spring, predict_gait, predicted_walk
from pipeline.prediction.gait.predicted_muscles import with_muscles
from pipeline.provenance import Provenance
from pipeline.reporting import MeasuredWalk, ReportRun, write_prediction_report
from pipeline.reporting.figures.panels import Panel
from pipeline.reporting.trial.muscles import MuscledWalk, muscle_section
from pipeline.results import read_stage, write_stage
from pipeline.results.tables import comparison_tables
from pipeline.skeleton import PASSIVE_JOINTS
from pipeline.trial import GaitCycles, PredictedWalk
from tests.walks import ROOT

ROW = Prediction(prediction="p", subject="s", speed_m_s=1.2, step_length_m=0.6)


@pytest.fixture(scope="module")
def bare(skeleton) -> PredictedWalk:
    body = Body(float(skeleton.mass.sum()), 1.74, "m", skeleton, 0.2)
    return predicted_walk(ROW, body, "", predict_gait(skeleton, GaitTask(1.2, 0.6)))


@pytest.fixture(scope="module")
def walk(bare, skeleton) -> PredictedWalk:
    return with_muscles(bare, skeleton, MuscleSettings())


def test_the_muscles_give_the_moments_of_the_predicted_walk(walk, bare, skeleton) -> None:
    loads = walk.muscles
    for side in SIDES:
        for joint in ("hip_flexion", "knee_flexion", "ankle_flexion"):
            at = loads.coordinates.index(f"{side}_{joint}")
            moments = [bare.tau[:, skeleton.index(f"{one}_{joint}")] for one in SIDES]  # one after the other
            assert loads.peak_moment[at] == pytest.approx(np.abs(moments).max())
            assert np.nanmax(np.abs(loads.reserve[:, at])) < 0.05 * loads.peak_moment[at]
    assert np.nanmin(loads.activation) >= 0.0
    assert np.nanmax(loads.activation) <= 1.0


def test_contact_forces_are_larger_than_net_ones_and_of_the_size_of_measured_ones(walk) -> None:
    loads, cycles = repeated_muscles(walk)
    curves = mean_curves(loads, tuple(one.cycle for one in cycles), "right")
    weight = walk.task.mass * 9.81
    for joint in ("hip", "knee", "ankle"):
        net = np.linalg.norm(walk.joints[f"right_{joint}"].force_G, axis=1).max() / weight
        assert np.nanmax(curves[f"{joint}_contact_force"]) > 1.5 * net
    # Peaks of instrumented knees in level walking: 2.61 on average (Kutzner et al. 2010), 1.6 to 1.9 of one person
    # (Fregly et al. 2012, fifth grand challenge); hips 2.4 to 4.8 body weights.
    assert 1.6 < np.nanmax(curves["knee_contact_force"]) < 3.5
    assert 2.4 < np.nanmax(curves["hip_contact_force"]) < 4.8


def test_both_sides_of_a_step_and_of_the_stride_that_repeats_it_have_the_same_curves(walk, skeleton) -> None:
    body = Body(float(skeleton.mass.sum()), 1.74, "m", skeleton, 0.2)
    task = GaitTask(1.2, 0.6, form="stride")
    stride = with_muscles(predicted_walk(ROW, body, "", predict_gait(skeleton, task)), skeleton, MuscleSettings())
    curves = {}
    for name, own in (("step", walk), ("stride", stride)):
        loads, cycles = repeated_muscles(own)
        for one in cycles:
            curves[name, one.cycle.side] = muscle_curves(loads, one.cycle)
    for variable, (expected, _) in curves["step", "right"].items():
        assert np.isfinite(expected).all()
        for key in (("step", "left"), ("stride", "right"), ("stride", "left")):
            # Curves have four digits; the two solutions agree to 1e-9, and a distribution of muscles to its tolerance.
            np.testing.assert_allclose(curves[key][variable][0], expected, atol=2e-3, err_msg=f"{key} {variable}")


def test_a_spring_s_torque_is_not_asked_of_the_muscles(bare, skeleton) -> None:
    springs = [Spring(f"{side}_ankle_flexion", 150.0, 0.05) for side in SIDES]
    loads = with_muscles(bare, skeleton, MuscleSettings(), springs).muscles
    joint = skeleton.index("right_ankle_flexion")
    left_over = bare.tau[:, joint] + 150.0 * (bare.q[:, joint] - 0.05)
    at = loads.coordinates.index("right_ankle_flexion")
    assert loads.peak_moment[at] == pytest.approx(np.abs(left_over).max())
    assert loads.peak_moment[at] != pytest.approx(np.abs(bare.tau[:, joint]).max(), rel=0.02)


def test_a_spring_takes_the_place_of_its_joint_s_passive_moment(bare, skeleton, walk) -> None:
    """With soft springs on all joints that have one, the muscles are those without passive moments."""
    springs = [Spring(f"{side}_{joint}", 1e-9) for side in SIDES for joint in PASSIVE_JOINTS]
    found = with_muscles(bare, skeleton, MuscleSettings(), springs).muscles
    none = with_muscles(bare, skeleton, MuscleSettings(passive_moments=False)).muscles
    np.testing.assert_allclose(found.force, none.force, atol=0.1)
    assert np.abs(found.force - walk.muscles.force).max() > 10.0


def test_a_locked_joint_s_torque_is_not_asked_of_the_muscles(walk, bare, skeleton) -> None:
    """The extensors of a knee that a brace holds in stance rest; the other moments are produced as before."""
    loads = with_muscles(bare, skeleton, MuscleSettings(), locked=("right_knee_flexion",)).muscles
    at = loads.coordinates.index("right_knee_flexion")
    assert np.isnan(loads.peak_moment[at])
    assert np.isnan(loads.reserve[:, at]).all()
    for name in ("right_hip_flexion", "right_ankle_flexion", "left_knee_flexion"):
        at = loads.coordinates.index(name)
        assert loads.peak_moment[at] == walk.muscles.peak_moment[at]
        assert np.nanmax(np.abs(loads.reserve[:, at])) < 0.05 * loads.peak_moment[at]
    extensor = loads.muscle_names.index("vas_int_r")
    assert np.nanmax(loads.activation[:, extensor]) < 1e-3
    assert np.nanmax(walk.muscles.activation[:, extensor]) > 0.1


def test_they_are_in_file_tables_and_page(walk, tmp_path) -> None:
    write_stage(tmp_path / "p.h5", walk, Provenance("predict"))
    stored = read_stage(tmp_path / "p.h5", PredictedWalk)
    np.testing.assert_array_equal(stored.muscles.force, walk.muscles.force)
    assert stored.muscles.fatigue.case_words == ("as predicted",)
    tree = open_trial(tmp_path / "p.h5")
    knee = tree["muscles/contact_force"].sel(contact_joint="right_knee")
    np.testing.assert_array_equal(knee, walk.muscles.contact_force[:, walk.muscles.contact_joints.index("right_knee")])
    cycles = GaitCycles("w", "s", "distal", (predicted_cycle(walk, "left"),), ())
    both = compare(walk, cycles)
    table = comparison_tables(both, walk)["predicted_curves"]
    rows = table[(table.variable == "soleus_activation") & (table.side == "left")]
    assert len(rows) == 101
    assert set(rows.kind) == {"predicted"}
    write_prediction_report(tmp_path / "p.html", walk, both, ReportRun("study", "", {}, {}, {}))
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "Estimated muscle and joint contact forces" in page
    assert "Fatigue over an hour" in page


PEAKS: dict[str, dict] = {
    "as by default: weighted, passive moments of joints": {},
    "equal weights": {"weights": {}},
    "no passive moments of joints": {"passive_moments": False},
    "neither": {"weights": {}, "passive_moments": False},
    "rigid tendons": {"tendons": "rigid"},
}
"""Settings of the rows of the table of contact forces in docs/theory/muscles.md."""


@pytest.mark.parametrize("words", PEAKS)
def test_the_moments_are_distributed_as_the_settings_say(bare, skeleton, words) -> None:
    """Peaks of the contact forces are those of the documentation, to its decimal."""
    loads, cycles = repeated_muscles(with_muscles(bare, skeleton, MuscleSettings().model_copy(update=PEAKS[words])))
    curves = mean_curves(loads, tuple(one.cycle for one in cycles), "right")
    page = (ROOT / "docs/theory/muscles.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {re.escape(words)} \|(.*)\|$", page, re.MULTILINE)
    shown = [float(cell) for cell in row.split("|")]
    assert [np.nanmax(curves[f"{joint}_contact_force"]) for joint in ("hip", "knee", "ankle")] == pytest.approx(
        shown, abs=0.06
    )


def test_its_muscles_stand_beside_those_of_the_measured_walk(walk, tmp_path) -> None:
    """A measured walk that is the prediction with twice the activation: its peaks are twice those of the prediction."""
    loads, cycles = repeated_muscles(walk)
    twice = replace(loads, activation=2 * loads.activation, force=2 * loads.force)
    measured = MeasuredWalk(cycles=GaitCycles("w", "s", "distal", cycles, ()), muscles=twice)
    both = compare(walk, measured.cycles)
    write_prediction_report(tmp_path / "p.html", walk, both, ReportRun("study"), measured)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    rows = dict(re.findall(r"<tr><td[^>]*>((?:Soleus|Knee), (?:measured|predicted))</td>(.*?)</tr>", page))
    cells = {name: [float(x) for x in re.findall(r">([\d.]+)</td>", row)] for name, row in rows.items()}
    own, other = cells["Soleus, measured"], cells["Soleus, predicted"]
    assert own == pytest.approx([2 * value for value in other], abs=0.011)  # two decimals
    assert own[0] > 0.4
    assert cells["Knee, measured"][:4] == cells["Knee, predicted"][:4]
    assert "Measured, left" in page
    assert "Predicted</" in page
    assert "What-if</" not in page


def test_the_muscles_of_a_what_if_case_are_called_so_in_tables_and_figures(walk, tmp_path) -> None:
    loads, cycles = repeated_muscles(walk)
    measured = MuscledWalk("measured", loads, cycles)
    section = muscle_section(measured, predicted=MuscledWalk("what-if", loads, cycles))
    assert [label for _, label in section.predicted] == ["What-if"]
    assert {label for row in (section.activations, section.contact) for p in row.panels for label in labels(p)} == {
        "Measured, left",
        "Measured, right",
        "What-if",
    }
    assert tuple(row[0] for row in reversed(section.muscles) if row[0].startswith("Soleus")) == (
        "Soleus, what-if",
        "Soleus, measured",
    )


def labels(panel: Panel) -> set[str]:
    return {curve.label for curve in panel.curves if curve.label}


def test_a_skeleton_without_a_muscle_s_joint_has_a_note_instead(bare, skeleton) -> None:
    names = tuple(name.replace("right_knee_flexion", "right_knee_hinge") for name in skeleton.joint_names)
    found = with_muscles(bare, replace(skeleton, joint_names=names), MuscleSettings())
    assert found.muscles is None
    assert any(note.subject == "muscles" and "knee" in note.text for note in found.notes)
