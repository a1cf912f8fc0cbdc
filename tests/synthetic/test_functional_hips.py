"""Hip centres from a trial of hip movement: the true ones, refused from a walk, and used in place of the regression."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import functional_hips, load_marker_set
from pipeline.cli import main
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.errors import AnatomyError
from pipeline.kinematics import kinematics
from pipeline.math3d import rotation_from_axes
from pipeline.synthetic import SoftTissue, standing, walk
from tests.synthetic.other_sets import wearing

PATH = Path(__file__).parents[2] / "config" / "marker_sets" / "gait2392.yaml"
LATERAL = {"left": -1.0, "right": 1.0}


@pytest.fixture(scope="module")
def truth():
    """Standing on one leg after the other, the free one moved in a star: 25 degrees forward, back and outward."""
    trial = standing(seconds=8.0)
    trial = replace(trial, subject=wearing(trial.subject, "gait2392"))
    body, q = trial.subject.skeleton, trial.q.copy()
    for k, side in enumerate(("right", "left")):
        phase = 2.0 * np.pi * (trial.time / 4.0 - k)
        active = (phase >= 0.0) & (phase < 2.0 * np.pi)
        swing = np.where(active, np.sin(4.0 * phase), 0.0)
        direction = np.pi * np.clip(phase / (2.0 * np.pi), 0.0, 1.0)
        q[:, body.index(f"{side}_hip_flexion")] += np.radians(25.0) * swing * np.cos(direction)
        q[:, body.index(f"{side}_hip_adduction")] += np.radians(25.0) * swing * np.sin(direction)
    q[:, body.index("pelvis_tilt")] += np.radians(3.0) * np.sin(2.0 * np.pi * trial.time / 3.0)
    return replace(trial, q=q)


def true_hip(truth, side: str) -> np.ndarray:
    """Centre (3,) m from the middle of the ASIS in the axes of the pelvis' markers."""
    left, right, sacrum = (truth.markers_G[label][0] for label in ("L.ASIS", "R.ASIS", "V.Sacral"))
    middle = 0.5 * (left + right)
    R = rotation_from_axes((right - left)[None], (middle - sacrum)[None], "zx")[0]
    return R.T @ (truth.joint_centres_G[f"{side}_hip"][0] - middle)


def test_the_centres_are_the_true_ones(truth, tmp_path, capsys):
    """To 0.1 mm: the filter rounds the movement. The command prints them."""
    truth.write(tmp_path / "hips.c3d")
    found = functional_hips(read_trial(tmp_path / "hips.c3d"), load_marker_set(PATH))
    for side in LATERAL:
        np.testing.assert_allclose(found[side].centre, true_hip(truth, side), atol=1e-4)
        assert found[side].residual < 1e-3
    assert main(["hips", str(tmp_path / "hips.c3d")]) == 0
    printed = capsys.readouterr().out
    assert f"hip_lateral_left_mm {-1000.0 * true_hip(truth, 'left')[2]:.1f}" in printed


@pytest.mark.parametrize("seed", range(3))
def test_with_noise_and_soft_tissue_they_are_as_good_as_a_regression(truth, tmp_path, seed):
    """1 mm of noise, and skin that moves by 1 mm on a cycle of its own: within 8 mm, as Hara's regression."""
    truth.write(tmp_path / "hips.c3d", noise=0.001, soft_tissue=SoftTissue(0.001, 2.3, seed))
    found = functional_hips(read_trial(tmp_path / "hips.c3d"), load_marker_set(PATH))
    for side in LATERAL:
        assert np.linalg.norm(found[side].centre - true_hip(truth, side)) < 0.008


def test_where_skin_moves_by_half_a_centimetre_they_are_refused(truth, tmp_path):
    """They would be 16 mm off."""
    truth.write(tmp_path / "hips.c3d", noise=0.001, soft_tissue=SoftTissue(0.005, 2.3))
    with pytest.raises(AnatomyError, match=r"share no point within [789]\.\d mm \(limit 6\.0 mm\)"):
        functional_hips(read_trial(tmp_path / "hips.c3d"), load_marker_set(PATH))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Recordings of a static trial and a walk with the same markers, and the true walk."""
    folder = tmp_path_factory.mktemp("files")
    moving = walk()
    moving = replace(moving, subject=wearing(moving.subject, "gait2392"))
    still = standing()
    replace(still, subject=moving.subject).write(folder / "static.c3d")
    moving.write(folder / "walk.c3d")
    return read_trial(folder / "static.c3d"), read_trial(folder / "walk.c3d"), moving


def test_a_walk_does_not_show_them(files):
    with pytest.raises(AnatomyError, match=r"in abduction \(limits 30 and 20\).+use a regression"):
        functional_hips(files[1], load_marker_set(PATH))


def test_given_centres_replace_the_regression(truth, files):
    """Davis's regression is wrong by millimetres for this subject's markers; the given centres are not."""
    static, recording, moving = files
    sections = AnatomySettings(hip_centre="davis"), FilterSettings(markers=40.0), EventSettings()
    hips = {}
    for side in LATERAL:
        x, y, z = 1000.0 * true_hip(truth, side)
        hips |= {f"hip_forward_{side}_mm": x, f"hip_up_{side}_mm": y, f"hip_lateral_{side}_mm": LATERAL[side] * z}
    marker_set = load_marker_set(PATH)
    off = {}
    for name, values in (("given", hips), ("davis", {})):
        subject = Subject(subject="demo", sex="m", **values)
        found = kinematics(recording, static, marker_set, subject, *sections)
        centre = found.joints["left_hip"].centre_G
        off[name] = np.abs(centre - moving.joint_centres_G["left_hip"])[10:-10].max()
        assert found.calibration.hip_method == name
    assert off["given"] < 1e-4
    assert off["davis"] > 1e-3
    partial = {name: value for name, value in hips.items() if name != "hip_up_left_mm"}
    with pytest.raises(AnatomyError, match=r"lack hip_up_left.+Give all six"):
        kinematics(recording, static, marker_set, Subject(subject="demo", sex="m", **partial), *sections)
