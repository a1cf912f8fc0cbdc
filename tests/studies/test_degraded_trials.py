"""Walks without static trial, arm markers or plates, through the whole workflow: results that remain, and reasons."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.results import read_stage
from pipeline.trial import GaitCycles, Kinematics, WholeBody

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
ARMS = ("ELB", "WRA", "WRB", "FIN")
WALKS = ("no_static", "no_arms", "one_plate", "no_plate")
SUBJECTS = {name: "Bob" if name == "no_static" else "Ann" for name in WALKS}


def degrade(target: Path, *, without: tuple[str, ...] = (), plates: int = 4) -> None:
    """Write the demo's walk without some labels, and with its first plates only."""
    import ezc3d

    file = ezc3d.c3d(str(ROOT / "data/demo/walk.c3d"))
    parameters, data = file["parameters"], file["data"]
    labels = parameters["POINT"]["LABELS"]["value"]
    keep = [k for k, name in enumerate(labels) if not name.endswith(without or ("none",))]
    parameters["POINT"]["LABELS"]["value"] = [labels[k] for k in keep]
    data["points"] = data["points"][:, keep]
    for name, values in data["meta_points"].items():
        data["meta_points"][name] = values[:, keep]
    plate_group = parameters["FORCE_PLATFORM"]
    plate_group["USED"]["value"] = np.array([plates])
    for name in ("TYPE", "CORNERS", "ORIGIN", "CHANNEL", "CAL_MATRIX"):
        plate_group[name]["value"] = plate_group[name]["value"][..., :plates]
    file.write(str(target))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, run_demo: Callable[..., Path]) -> Path:
    folder = tmp_path_factory.mktemp("degraded")
    raw, config = folder / "data/raw", folder / "config"
    raw.mkdir(parents=True)
    config.mkdir()
    shutil.copy(ROOT / "data/demo/static.c3d", raw / "static.c3d")
    degrade(raw / "no_static.c3d")
    degrade(raw / "no_arms.c3d", without=ARMS)
    degrade(raw / "one_plate.c3d", plates=1)
    degrade(raw / "no_plate.c3d", plates=0)
    (config / "config.yaml").write_text("muscles: {enabled: false}\n")
    (config / "subjects.tsv").write_text("subject\tsex\nAnn\tf\nBob\tm\n")
    rows = [f"{name}\t{SUBJECTS[name]}\twalk\t{name}.c3d\n" for name in WALKS]
    (config / "trials.tsv").write_text("trial\tsubject\tkind\tfile\nstatic\tAnn\tstatic\tstatic.c3d\n" + "".join(rows))
    return run_demo(folder, "reports/Ann/1/walks", "reports/Bob/1/walks")


def stage(study: Path, walk: str, kind: type[Kinematics] | type[GaitCycles] | type[WholeBody]) -> Any:
    """A stage's values; raises if the stage failed."""
    name = {Kinematics: "kinematics", GaitCycles: "cycles", WholeBody: "whole_body"}[kind]
    return read_stage(study / f"data/results/{SUBJECTS[walk]}/1/{name}/{walk}.h5", kind)


def text(study: Path, page: str) -> str:
    """Text of a page, blanks and markup as single blanks."""
    subject = SUBJECTS[page.removeprefix("whole_body.")]
    path = study / f"reports/{subject}/1/walks/{page}.html"
    return re.sub(r"(<[^>]*>|\s)+", " ", path.read_text(encoding="utf-8"))


def angles(study: Path, walk: str, joint: str) -> np.ndarray:
    """Angles (T, 3) in degrees of a joint in the matrix form."""
    return np.degrees(stage(study, walk, Kinematics).angles[joint])


def test_without_a_static_trial_the_walk_calibrates_itself_which_is_noted(study: Path) -> None:
    page = text(study, "no_static")
    assert "no static trial, so the walk itself calibrates the body" in page
    assert "marker set plug_in_gait, no static trial." in page
    assert "with the straightest legs, is taken as" in text(study, "whole_body.no_static")
    # Hips and knees need no standing posture; ankles do, and find it while the foot is flat.
    for joint, within in (("left_hip", 0.2), ("right_knee", 0.2), ("left_ankle", 2.0), ("right_ankle", 2.0)):
        alone, usual = (angles(study, walk, joint) for walk in ("no_static", "no_plate"))
        np.testing.assert_allclose(alone, usual, atol=within, err_msg=joint)
    assert stage(study, "no_static", WholeBody).rank == 50
    assert "no static trial" not in text(study, "no_plate")


def test_without_arm_markers_the_legs_are_complete_and_the_arms_unobservable(study: Path) -> None:
    page = text(study, "whole_body.no_arms")
    assert "Degrees of freedom observed 36 of 55" in page
    assert "Not drawn (no marker; static pose kept): shoulder; elbow" in page
    assert "left_shoulder_flexion" in page, "it stands among the combinations that no marker shows"
    knees = [angles(study, walk, "left_knee") for walk in ("no_arms", "no_plate")]
    np.testing.assert_allclose(*knees, atol=1e-9)
    bodies = [stage(study, walk, WholeBody) for walk in ("no_arms", "no_plate")]
    knee = bodies[0].joint_names.index("left_knee_flexion")
    np.testing.assert_allclose(*(body.kinematic.q[:, knee] for body in bodies), atol=np.radians(1.0))


def test_with_one_plate_its_foot_has_kinetics_and_the_other_a_reason(study: Path) -> None:
    page = text(study, "one_plate")
    assert "No kinetics of the right side: the right foot did not contact a plate." in page
    assert "No kinetics of the left side" not in page
    cycles = stage(study, "one_plate", GaitCycles).cycles
    assert {c.cycle.side for c in cycles} == {"left", "right"}
    (with_kinetics,) = (c for c in cycles if c.moments)
    assert with_kinetics.cycle.side == "left"
    assert np.isfinite(with_kinetics.moments["knee"][1:-1]).all(), "ends lie between frames on and off the plate"
    known = stage(study, "one_plate", WholeBody).loads_known
    assert 10 < known.sum() < 60, "the left foot's single support, the right foot in the air"


def test_without_plates_there_are_angles_and_a_reason_for_missing_loads(study: Path) -> None:
    page = text(study, "no_plate")
    for side in ("left", "right"):
        assert f"No kinetics of the {side} side: the recording has no force plate." in page
    assert "The loads of both feet are known in no frame" in text(study, "whole_body.no_plate")
    body = stage(study, "no_plate", WholeBody)
    assert np.isfinite(body.kinematic.q).all()
    assert body.residual_reduced is None
