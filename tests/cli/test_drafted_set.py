"""A marker set is drafted for labels that no shipped set has; the draft as it is gives the true centres and angles."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import drafted_set, guess_landmarks, load_marker_set
from pipeline.cli import main
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.conventions import clinical_signs
from pipeline.kinematics import kinematics
from pipeline.math3d import cardan_angles
from tests.synthetic.other_sets import demo_trials, wearing

pytestmark = pytest.mark.long

LABELS = {
    ".ASIS": "SIAS",
    ".Thigh.Upper": "TH1",
    ".Thigh.Front": "TH2",
    ".Thigh.Rear": "X7",  # told by rigidity
    ".Knee.Lat": "kneeLat",
    ".Knee.Med": "kneeMed",
    ".Shank.Upper": "SK1",
    ".Shank.Front": "X8",
    ".Shank.Rear": "SK3",
    ".Ankle.Lat": "ANK",
    ".Ankle.Med": "Q2",  # told by its place beside the lateral one
    ".Heel": "Calc",
    ".Midfoot.Sup": "F1",
    ".Midfoot.Lat": "F2",
    ".Toe.Tip": "Toe",
    ".Toe.Lat": "MTH5",
    ".Toe.Med": "MTH1",
}
"""What a laboratory calls the markers of gait2392, after the side's letter."""

STATIC_ONLY = ("kneeMed", "Q2")


def relabelled(trial):
    """The trial under the laboratory's labels."""
    markers = {
        (label[0] + LABELS[label[1:]] if label[1:] in LABELS else label.replace("V.Sacral", "sacrum")): site
        for label, site in trial.subject.markers.items()
    }
    return replace(trial, subject=replace(trial.subject, other_markers=markers))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """C3D files of a static trial and a walk, and the true walk."""
    folder = tmp_path_factory.mktemp("files")
    static, moving = (relabelled(replace(t, subject=wearing(t.subject, "gait2392"))) for t in demo_trials())
    lacking = [label for label in moving.markers_G if label.endswith(STATIC_ONLY)]
    static.write(folder / "static.c3d")
    moving.write(folder / "walk.c3d", gaps=dict.fromkeys(lacking, (0, len(moving.time) - 1)))
    return folder, moving


def test_landmarks_are_told_by_name_rigidity_and_place(folder):
    guesses = guess_landmarks(*(read_trial(folder[0] / f"{name}.c3d") for name in ("static", "walk")))
    found = {guess.label: (guess.side, guess.landmark) for guess in guesses}
    for side, letter in (("left", "L"), ("right", "R")):
        assert found[f"{letter}kneeMed"] == (side, "medial_knee")
        assert found[f"{letter}X7"] == (side, "thigh")
        assert found[f"{letter}X8"] == (side, "shank")
        assert found[f"{letter}Q2"] == (side, "medial_ankle")
        assert found[f"{letter}F1"] == (side, "foot")
        assert found[f"{letter}MTH5"] == (side, "fifth_metatarsal")
    assert found["sacrum"] == ("", "sacrum")
    evidence = {guess.label: guess.evidence for guess in guesses}
    assert evidence["LX7"].startswith("moves with the left thigh in the walk")
    assert evidence["LQ2"] == "position next to LANK in the static trial"


def test_the_draft_recovers_the_walk(folder, tmp_path, capsys):
    """Without any correction; in the study that `init` writes, with every guess marked."""
    source, truth = folder
    study = tmp_path / "study"
    assert main(["new", str(study), "--from", str(source)]) == 0
    assert "check every guess in" in capsys.readouterr().out
    assert "marker_set: drafted" in (study / "config/config.yaml").read_text()
    path = study / "config/marker_sets/drafted.yaml"
    text = path.read_text()
    assert text.count("# guess: ") >= 14
    assert "TO_BE_NAMED" not in text
    found = kinematics(
        read_trial(source / "walk.c3d"),
        read_trial(source / "static.c3d"),
        load_marker_set(path),
        Subject(subject="demo", sex="m"),
        AnatomySettings(),
        FilterSettings(markers=40.0),
        EventSettings(),
    )
    for side in ("left", "right"):
        for joint, ends in {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank")}.items():
            proximal, distal = (truth.segments[end if end == "pelvis" else f"{side}_{end}"].R_GS for end in ends)
            name = f"{side}_{joint}"
            true = cardan_angles(np.swapaxes(proximal, -1, -2) @ distal, "zxy") * clinical_signs(name)
            assert np.degrees(np.abs(found.angles[name] - true)[10:-10].max()) < 0.03, name
        centre = found.joints[f"{side}_ankle"].centre_G
        assert np.abs(centre - truth.joint_centres_G[f"{side}_ankle"])[10:-10].max() < 1e-4


def test_a_set_is_a_draft_until_its_file_says_that_it_is_confirmed_whatever_its_name(folder, tmp_path, capsys):
    """Kept by the user as lab.yaml: recordings that come later are given it, unconfirmed and then confirmed."""
    first, second = tmp_path / "Ann", tmp_path / "Ben"
    for owner in (first, second):
        shutil.copytree(folder[0], owner / owner.name)
        for name in ("static", "walk"):
            with (owner / owner.name / f"{name}.c3d").open("ab") as file:
                file.write(owner.name.encode().ljust(512))  # other contents, or they are known already
    study = tmp_path / "study"
    assert main(["new", str(study), "--from", str(first)]) == 0
    sets, config = study / "config/marker_sets", study / "config/config.yaml"
    text = (sets / "drafted.yaml").read_text()
    (sets / "drafted.yaml").unlink()
    (sets / "lab.yaml").write_text(text.replace("name: drafted", "name: lab"))
    config.write_text(config.read_text().replace("marker_set: drafted", "marker_set: lab"))
    tables = {name: (study / f"config/{name}.tsv").read_bytes() for name in ("subjects", "trials")}

    capsys.readouterr()
    assert main(["add", str(study), "--from", str(second)]) == 0
    told = capsys.readouterr().out
    assert "[ ] marker set lab: for 2 files; check every guess in" in told
    assert "lab is unconfirmed" in told
    assert not (sets / "drafted.yaml").exists()

    for name, content in tables.items():
        (study / f"config/{name}.tsv").write_bytes(content)
    assert main(["confirm", str(study)]) == 0
    capsys.readouterr()
    assert main(["add", str(study), "--from", str(second)]) == 0
    told = capsys.readouterr().out
    assert "[x] marker set lab: recognised in 2 of 2 files" in told
    assert "unconfirmed" not in told


def test_a_landmark_that_is_not_there_is_left_to_be_named(folder):
    """The draft names what is missing in place of a label."""
    guesses = guess_landmarks(*(read_trial(folder[0] / f"{name}.c3d") for name in ("static", "walk")))
    without = [guess for guess in guesses if guess.label != "RToe"]
    assert 'right_toe: {mean: ["TO_BE_NAMED_right_toe"]}' in drafted_set("mine", without, [], ["RToe"])


def test_a_study_is_drafted_of_all_measured_trials_as_they_lie(shared, tmp_path, capsys):
    """Of eight laboratories, edge cases and trials without a label among them: one folder, as a user would point at."""
    assert main(["new", str(tmp_path / "study"), "--from", str(shared / "trials")]) == 0
    told = capsys.readouterr().out
    assert "Check the tables" in told
    rows = (tmp_path / "study/config/trials.tsv").read_text().splitlines()
    files = [path for path in (shared / "trials").rglob("*") if path.suffix.lower() in (".c3d", ".trc")]
    beside = [path for path in files if path.suffix.lower() == ".trc" and path.with_suffix(".c3d").is_file()]
    assert len(rows) - 1 == len(files) - len(beside) > 20
