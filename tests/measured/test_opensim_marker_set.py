"""The markers of OpenSim's subject01 with the set gait2392: joint moments against OpenSim's own published results.

Markers (TRC) and ground reactions (mot) are read as OpenSim has them. OpenSim's moments come from its scaled model,
whose hips, knee axes and inertia are others than those of markers and tables: the figures below are what differs.
"""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set
from pipeline.config import Subject
from pipeline.skeleton import segment_pose
from pipeline.stages import inverse_dynamics
from tests.oracles.opensim_model import OpenSimModel, coordinates_at, read_storage
from tests.walks import ROOT, kinematics_of

pytestmark = pytest.mark.long

MARKER_SET = ROOT / "config/marker_sets/gait2392.yaml"
COMPARED = (0.6, 1.5)
"""s: outside, OpenSim's filter rings (OpenSim 4.6 itself differs from the stored file by up to 37 Nm)."""

COLUMNS = {"hip": "hip_flexion_{}_moment", "knee": "knee_angle_{}_moment", "ankle": "ankle_angle_{}_moment"}
SEGMENTS = {"hip": "femur_{}", "knee": "tibia_{}", "ankle": "talus_{}"}

LIMITS = {"ankle": (0.05, 0.03), "knee": (0.15, 0.10), "hip": (0.35, 0.27)}
"""Root mean square error as a fraction of the largest published moment of that joint and side: about this pipeline's
own joint centres (reached: 3, 13 and 32 %), and about OpenSim's (2, 8 and 25 %; of the right hip 28 and 10 %): its hips
are some 32 mm behind and 17 mm below those of Harrington's regression. The ankle's limit is the one required."""


@pytest.fixture(scope="module")
def subject01(trials):
    """Kinematics, loads and OpenSim's moments of the walk."""
    source = trials / "opensim_subject01"
    motion = kinematics_of(
        read_trial(source / "subject01_walk1.trc", forces=source / "subject01_walk1_grf.mot"),
        read_trial(source / "subject01_static.trc"),
        load_marker_set(MARKER_SET),
        Subject(subject="subject01", sex="m", mass_kg=72.6, height_m=1.8),
        filter={"markers": 6.0, "forces": 50.0},
    )
    return motion, inverse_dynamics.run(motion), read_storage(source / "std_subject01_InverseDynamics.sto")


@pytest.fixture(scope="module")
def centres(trials, subject01):
    """OpenSim's joint centres (T, 3) m at the walk's frames, by joint."""
    source, time = trials / "opensim_subject01", subject01[0].time
    model, motion = OpenSimModel(source / "subject01.osim"), read_storage(source / "subject01_walk1_ik.mot")
    q, _, _ = model.motion(coordinates_at(motion, time))
    return {
        f"{side}_{joint}": segment_pose(model.skeleton, segment.format(side[0]), q)[1]
        for side in ("right", "left")
        for joint, segment in SEGMENTS.items()
    }


def test_joint_moments_are_those_of_opensim(subject01, centres, record_property):
    """Sagittal moments over the interval in which OpenSim's results are settled; the left foot's first stance has no
    beginning in the file, so that its moments are known from 0.79 s."""
    motion, loads, published = subject01
    during = (published["time"] >= COMPARED[0]) & (published["time"] <= COMPARED[1])
    at, lines, wrong = (
        published["time"][during],
        [f"{'Nm':14}{'largest':>8}{'RMS':>8}{'r':>8}{'RMS about its centre':>24}"],
        [],
    )
    for name, joint in motion.joints.items():
        side, part = name.split("_")
        load, axis = loads.joints[name], joint.R_GP[:, :, 2]
        moved = load.moment_G + np.cross(joint.centre_G - centres[name], load.force_G)
        own, theirs = (np.einsum("ti,ti->t", moment, axis) for moment in (load.moment_G, moved))
        known = np.isfinite(own)
        seen = np.interp(at, motion.time, known.astype(float)) > 0.99
        assert seen.sum() > 40, f"{name}: little is left to compare"
        column = published[COLUMNS[part].format(side[0])]
        true, largest = column[during][seen], np.abs(column).max()
        own, theirs = (np.interp(at, motion.time[known], moment[known])[seen] for moment in (own, theirs))
        rms = [float(np.sqrt(np.mean((moment - true) ** 2))) for moment in (own, theirs)]
        r = np.corrcoef(own, true)[0, 1]
        lines.append(f"{name:14}{largest:8.1f}{rms[0]:8.1f}{r:8.3f}{rms[1]:24.1f}")
        wrong += [name for error, limit in zip(rms, LIMITS[part], strict=True) if error > limit * largest]
    record_property("table", "\n".join(lines))
    assert not wrong


def test_the_peak_of_the_ankles_moment_is_opensims(subject01):
    """128.87 Nm at 1.233 s on the right, within 5 %, as required."""
    motion, loads, _ = subject01
    moment = np.einsum("ti,ti->t", loads.joints["right_ankle"].moment_G, motion.joints["right_ankle"].R_GP[:, :, 2])
    peak = int(np.nanargmin(moment))
    assert -moment[peak] == pytest.approx(128.87, rel=0.05)
    assert motion.time[peak] == pytest.approx(1.233, abs=0.02)
