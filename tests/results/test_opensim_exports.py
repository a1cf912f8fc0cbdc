"""OpenSim's files of a walk: the tree as custom joints, and OpenSim's own inverse dynamics from what is exported.

OpenSim's part runs in this Python if it has ``opensim``, or in the one that the variable GAIT_OPENSIM_PYTHON names.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.dynamics import rnea
from pipeline.math3d import rotation_about
from pipeline.provenance import Provenance
from pipeline.results import export_trial, write_stage
from pipeline.results.exports.osim import model_text
from pipeline.results.opensim import bodies_and_joints, component_names, ground_reactions, loaded_frames, trc_text
from pipeline.skeleton import link_poses, load_skeleton, skeleton_of
from pipeline.whole_body import reduced_skeleton
from tests.oracles.opensim_model import read_storage
from tests.oracles.random_trees import random_tree

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests/oracles/opensim_dynamics.py"


def poses(skeleton, q):
    """Rotation and origin in G of each body at coordinates q (n,), by the joints as OpenSim defines them."""
    bodies, joints = bodies_and_joints(skeleton)
    found = {"ground": (np.eye(3), np.zeros(3))}
    for joint in joints:
        R, r = found[joint.parent]
        r = r + R @ joint.centre_P
        for j, axis in joint.translations:
            r = r + R @ (q[j] * axis)
        for j, axis in joint.rotations:
            R = R @ rotation_about(axis, q[j])
        R = R @ joint.R_CJ.T
        found[joint.child] = R, r - R @ joint.centre_C
    return bodies, found


@pytest.mark.parametrize("tree", ["human", "random"])
def test_custom_joints_move_the_bodies_as_the_tree_does(tree, rng):
    """At coordinates far from neutral, to rounding; a human has one joint a segment, a random tree keeps odd axes."""
    if tree == "human":
        skeleton = load_skeleton(ROOT / "config/skeleton.yaml", mass=70.0, height=1.75, sex="male")
    else:
        skeleton = random_tree(rng, 12)
    q = rng.uniform(-1.2, 1.2, len(skeleton))
    bodies, found = poses(skeleton, q)
    R_GL, r_GL = link_poses(skeleton, q[None])
    for body in bodies:
        R, r = found[body.name]
        np.testing.assert_allclose(R, R_GL[0, body.joint] @ body.R_LB, atol=1e-12)
        np.testing.assert_allclose(r, r_GL[0, body.joint] + R_GL[0, body.joint] @ body.origin_L, atol=1e-12)
        com_G = r_GL[0, body.joint] + R_GL[0, body.joint] @ skeleton.com[body.joint]
        if body.mass:
            np.testing.assert_allclose(r + R @ body.com_B, com_G, atol=1e-12)
    assert sum(body.mass for body in bodies) == pytest.approx(skeleton.mass.sum())
    if tree == "human":
        assert len(bodies) == len(skeleton.segments)


def test_markers_have_the_same_names_without_blanks_in_model_and_marker_file(tmp_path):
    """OpenSim's ComponentPath forbids \\ / * + in names, and blanks separate the names of a list."""
    labels = ("L ASIS", "R/knee\\1", "heel*+", "RTOE", "L_ASIS", "L+ASIS", "L_ASIS_2")
    expected = ["L_ASIS_3", "R_knee_1", "heel__", "RTOE", "L_ASIS", "L_ASIS_4", "L_ASIS_2"]
    skeleton = load_skeleton(ROOT / "config/skeleton.yaml", mass=70.0, height=1.75, sex="female")
    whole = SimpleNamespace(
        subject="S1",
        fitted_markers=labels,
        marker_joints=(skeleton.joint_names[bodies_and_joints(skeleton)[0][0].joint],) * 7,
        model_marker_positions=np.zeros((7, 3)),
    )
    model = ElementTree.fromstring(model_text(whole, skeleton, component_names(labels)))
    assert [marker.get("name") for marker in model.iter("Marker")] == expected
    ranges = {one.get("name"): np.array(one.findtext("range").split(), float) for one in model.iter("Coordinate")}
    for name, low, high in zip(skeleton.joint_names, skeleton.q_lower, skeleton.q_upper, strict=True):
        assert np.isfinite(ranges[name]).all()
        if np.isfinite([low, high]).all() and max(abs(low), abs(high)) < np.pi:
            np.testing.assert_allclose(ranges[name], [low, high], atol=1e-9, err_msg=name)
        else:
            assert ranges[name][0] < ranges[name][1]
    (tmp_path / "walk.trc").write_text(
        trc_text("walk.trc", 100.0, 1, np.arange(20) / 100.0, component_names(labels).values(), np.ones((20, 7, 3)))
    )
    assert list(read_trial(tmp_path / "walk.trc").marker_names) == expected


@pytest.fixture(scope="module")
def exported(demo_walk, tmp_path_factory):
    """Folder with all of OpenSim's files of the demo's walk."""
    folder = tmp_path_factory.mktemp("opensim")
    session = folder / "demo/1"
    write_stage(session / "raw/walk.h5", demo_walk.raw, Provenance("ingest"))
    write_stage(session / "whole_body/walk.h5", demo_walk.body, Provenance("whole_body"))
    reduced = (f"walk_residual_reduced.{suffix}" for suffix in ("osim", "mot", "sto"))
    for name in ("walk.osim", "walk.mot", "walk.sto", "walk.trc", "walk_grf.xml", *reduced):
        export_trial(session, "walk", folder / name)
    motion = (folder / "walk.mot").read_bytes()
    export_trial(session, "walk", folder / "walk.xml")  # its table is not the motion of the same name
    assert (folder / "walk.mot").read_bytes() == motion
    assert "<datafile>walk_grf.mot</datafile>" in (folder / "walk.xml").read_text()
    return folder


@pytest.mark.long
def test_exported_markers_and_forces_are_read_back(exported, demo_walk):
    """As a recording: markers to the digits of the file, forces and their moments as in the dynamics."""
    back = read_trial(exported / "walk.trc", forces=exported / "walk_grf.mot")
    frames = loaded_frames(demo_walk.body)
    assert back.marker_names == demo_walk.raw.marker_names
    np.testing.assert_allclose(back.markers_G, demo_walk.raw.markers_G[frames], atol=1e-9)
    np.testing.assert_allclose(back.R_GL, np.eye(3))
    assert len(back.plates) == 2
    for plate, side in zip(back.plates, ("left", "right"), strict=True):
        force = np.nan_to_num(demo_walk.body.ground[side].force_G[frames])
        np.testing.assert_allclose(plate.wrench.force_G[: len(force)], force, atol=1e-9)
        moment = plate.wrench.about(np.zeros(3)).moment_G[: len(force)]
        np.testing.assert_allclose(moment, demo_walk.body.ground_moments[side][frames], atol=1e-9)


@pytest.fixture(scope="module")
def opensim(exported, demo_walk):
    """What OpenSim computed from the exported files, and the frames of the ground reactions."""
    python = sys.executable if importlib.util.find_spec("opensim") else os.environ.get("GAIT_OPENSIM_PYTHON")
    if not python:
        pytest.skip("opensim is not installed: .venv/bin/pip install .[opensim], or set GAIT_OPENSIM_PYTHON")
    body, frames = demo_walk.body, loaded_frames(demo_walk.body)
    motion = {name: getattr(body.kinematic, name)[frames] for name in ("q", "qd", "qdd")}
    np.savez(exported / "motion.npz", time=body.time[frames], names=np.array(body.joint_names), **motion)
    done = subprocess.run([python, str(SCRIPT), str(exported)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    tool = {name: read_storage(exported / f"tool{name}.sto") for name in ("", "_residual_reduced")}
    return np.load(exported / "solver.npz"), tool, frames


@pytest.mark.long
def test_opensim_opens_the_files(opensim, demo_walk):
    """With all bodies, coordinates, markers, rows and columns, and the body's mass."""
    found, _, frames = opensim
    body, raw = demo_walk.body, demo_walk.raw
    assert found["model"].tolist() == [len(skeleton_of(body).segments), 55, len(body.fitted_markers)]
    assert found["mass"] == pytest.approx(body.mass, rel=1e-12)
    assert found["markers"].tolist() == [len(raw.time), len(raw.marker_names)]
    assert found["moments"].tolist() == [frames.stop - frames.start, 55]


@pytest.mark.long
def test_opensims_solver_computes_the_same_torques(opensim, demo_walk, record_property):
    """Given our q, their rates and wrenches: within 1e-6 of each coordinate's peak, in every frame."""
    found, _, frames = opensim
    ours, theirs = demo_walk.body.kinematic.tau[frames], found["tau"]
    apart = np.abs(theirs - ours).max(axis=0) / np.abs(ours).max(axis=0)
    record_property("table", f"largest difference of a coordinate over its peak: {apart.max():.2e}")
    assert apart.max() < 1e-6


@pytest.mark.long
def test_opensims_tool_computes_the_same_torques_from_the_files(opensim, demo_walk, record_property):
    """Coordinates splined and differentiated by the tool, its filter off: within 1 % of each coordinate's peak, apart
    from the first and last 5 % of the frames, where splines differ."""
    _, tool, frames = opensim
    body = demo_walk.body
    names = list(body.joint_names)
    ours, theirs = torques(body, body.kinematic, tool[""], frames)
    apart = np.abs(theirs - ours).max(axis=0) / np.abs(body.kinematic.tau[frames]).max(axis=0)
    record_property("table", "\n".join(f"{name:28}{100 * one:8.3f} %" for name, one in zip(names, apart, strict=True)))
    assert apart.max() < 0.01


def torques(body, motion, tool, frames):
    """Ours (T, n) and the tool's, Nm and N, apart from the first and last 5 % of the frames."""
    edge = (frames.stop - frames.start) // 20 + 1
    inside = slice(frames.start + edge, frames.stop - edge)
    columns = [
        f"{name}_{'force' if kind == 'P' else 'moment'}"
        for name, kind in zip(body.joint_names, body.model.kind, strict=True)
    ]
    theirs = [np.interp(body.time[inside], tool["time"], tool[column]) for column in columns]
    return motion.tau[inside], np.stack(theirs, axis=1)


@pytest.mark.long
def test_opensims_tool_finds_the_same_pelvis_residuals_after_their_reduction(opensim, demo_walk, record_property):
    """From the files of the residual-reduced motion and its masses: within 0.01 % of body weight (times stature for the
    moments), a third of the smallest, and less than half the force of the kinematic motion, by the tool's figures."""
    _, tool, frames = opensim
    body = demo_walk.body
    weight = 9.81 * body.mass
    unit = np.repeat([weight, weight * body.height], 3) / 100.0
    found = {
        name: [values[:, :6] / unit for values in torques(body, motion, tool[name], frames)]
        for name, motion in (("", body.kinematic), ("_residual_reduced", body.residual_reduced))
    }
    rms = {name: [np.sqrt(np.mean(values**2, axis=0)) for values in both] for name, both in found.items()}
    apart = max(np.abs(ours - theirs).max() for ours, theirs in found.values())
    lines = [f"{name or '_kinematic':20}{np.round(both, 3).tolist()}" for name, both in rms.items()]
    record_property("table", "\n".join([*lines, f"largest difference {apart:.1e} %"]))
    assert apart < 0.01
    assert np.linalg.norm(rms["_residual_reduced"][1][:3]) < 0.5 * np.linalg.norm(rms[""][1][:3])


@pytest.mark.long
def test_the_wrench_is_the_same_wherever_it_is_applied(demo_walk):
    """Guards the points of application: about the centre of pressure, which is that of the load before the transients
    outside contacts were added, hardly any moment about a horizontal axis is left (0.03 of some 50 Nm)."""
    for side, wrench in ground_reactions(demo_walk.body).items():
        frames = loaded_frames(demo_walk.body)
        about_origin = wrench.about(np.zeros(3)).moment_G
        np.testing.assert_allclose(about_origin, demo_walk.body.ground_moments[side][frames], atol=1e-9)
        pressed = np.isfinite(demo_walk.body.ground[side].point_G[frames, 0])
        assert np.abs(wrench.moment_G[pressed][:, [0, 2]]).max() < 0.1


@pytest.mark.long
def test_the_residual_reduced_motion_balances_on_the_model_of_its_masses(exported, demo_walk):
    """Recursive dynamics of what is exported gives the stored torques; with the kinematic masses it does not."""
    body, frames = demo_walk.body, loaded_frames(demo_walk.body)
    motion = body.residual_reduced
    wrenches = {f"{side}_foot": wrench for side, wrench in ground_reactions(body).items()}
    state = [values[frames] for values in (motion.q, motion.qd, motion.qdd)]
    skeletons = reduced_skeleton(body), skeleton_of(body)
    ours, peak = motion.tau[frames], np.abs(motion.tau[frames]).max(axis=0)
    own, other = (np.abs(rnea(one, *state, wrenches=wrenches).tau - ours) / peak for one in skeletons)
    assert own.max() < 1e-9
    assert other.max() > 1e-3
    masses = [
        sum(map(float, re.findall(r"<mass>(.*?)</mass>", (exported / f"walk{end}.osim").read_text())))
        for end in ("", "_residual_reduced")
    ]
    assert masses == pytest.approx([body.mass, body.mass], rel=1e-12)
    table = read_storage(exported / "walk_residual_reduced.mot")
    name = "left_knee_flexion"
    rows = motion.q[np.isfinite(motion.q).all(axis=1), body.joint_names.index(name)]
    np.testing.assert_allclose(table[name], rows, atol=1e-9)
