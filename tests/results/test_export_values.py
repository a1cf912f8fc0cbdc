"""Values in exports of a trial and of a study, by hand: C3D outputs, tidy series over time, descriptions in BIDS."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.math3d import Wrench, rotation_about
from pipeline.provenance import Provenance
from pipeline.results import write_stage
from pipeline.results.exports.c3d import _analog, _estimated, _outputs
from pipeline.results.study_exports import bids
from pipeline.results.study_exports.tidy import _leg_series
from pipeline.trial import Event, ForcePlate, GroundFromMotion, RawTrial
from tests.recordings import recording_of

MASS = 80.0
JOINTS = ("hip", "knee", "ankle")
MOMENT = np.array([[-8.0, 16.0, 40.0], [4.0, 0.0, -24.0]])
"""Nm, about the forward, upward and rightward axis, of either side's joints."""

EXTENSOR = {"hip": [-0.5, 0.3], "knee": [0.5, -0.3], "ankle": [-0.5, 0.3]}
"""Nm/kg: what turns the part below forwards, about +z, flexes a hip, extends a knee and lifts the toes."""

POWER = np.array([0.0, 200.0])
"""W; in the first frame exactly none."""


@pytest.fixture(scope="module")
def walk() -> SimpleNamespace:
    """Two frames. First the pelvis tilts by 12 degrees with its right side 5 up and 8 forward, then by 3; feet are
    turned out by 9 degrees, the toes first up by 20."""
    pelvis = np.radians([[12.0, 5.0, 8.0], [3.0, 0.0, 0.0]])
    angles = {
        f"{side}_{joint}": np.radians([[30.0, 4.0, -6.0], [10.0, 0.0, 2.0]]) for side in SIDES for joint in JOINTS
    }
    segments = {}
    for side in SIDES:
        up = rotation_about(np.array([0.0, 0.0, 1.0]), np.radians([20.0, 0.0]))
        # A turn about +y, upwards, takes the toes to the left.
        out = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians([-9.0 * LATERAL_SIGN[side]] * 2))
        segments[f"{side}_foot"] = SimpleNamespace(R_GS=up @ out)
    return SimpleNamespace(time=np.array([0.0, 0.01]), angles={"pelvis": pelvis, **angles}, segments=segments)


@pytest.fixture(scope="module")
def loads() -> SimpleNamespace:
    other = np.full((2, 3), 99.0)
    joint = SimpleNamespace(
        moment_distal=MOMENT, moment_G=other, moment_proximal=other, moment_joint=other, power=POWER
    )
    return SimpleNamespace(mass=MASS, joints={f"{side}_{name}": joint for side in SIDES for name in JOINTS})


def test_outputs_of_a_c3d_file_are_in_its_units_with_the_signs_of_plug_in_gait(walk, loads):
    """Degrees, Nmm/kg and W/kg. The second frame has zeros, which stay zeros."""
    found = {
        name: (group.unit, values) for group in _outputs(walk, loads, "distal") for name, values in group.values.items()
    }
    for letter, sign in (("R", 1.0), ("L", -1.0)):
        unit, pelvis = found[f"{letter}PelvisAngles"]
        assert unit == "deg"
        np.testing.assert_allclose(pelvis, [[12.0, sign * 5.0, sign * 8.0], [3.0, 0.0, 0.0]])
        # Turned up about the rightward axis of G, the foot stays as far out; toes up and out are negative.
        _, foot = found[f"{letter}FootProgressAngles"]
        np.testing.assert_allclose(foot, [[-20.0, 0.0, -9.0], [0.0, 0.0, -9.0]], atol=1e-12)
        for joint, second in (("Hip", 4.0), ("Knee", 4.0), ("Ankle", -4.0)):
            _, angles = found[f"{letter}{joint}Angles"]
            np.testing.assert_allclose(angles, [[30.0, second, -6.0], [10.0, 0.0, 2.0]])
            unit, moment = found[f"{letter}{joint}Moment"]
            assert unit == "Nmm/kg"
            np.testing.assert_allclose(moment[:, 0], 1000.0 * np.array(EXTENSOR[joint.lower()]))
            unit, power = found[f"{letter}{joint}Power"]
            assert unit == "W/kg"
            np.testing.assert_array_equal(power, [[0.0, 0.0, 0.0], [0.0, 0.0, 2.5]])


def test_estimated_loads_of_a_c3d_file_are_per_kilogram_in_the_laboratory_s_axes(tmp_path):
    """A laboratory whose z is up and whose y is forward: forward, up and right of G are its y, z and x."""
    G_of_lab = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    force, nothing = np.array([[80.0, 800.0, -40.0], [0.0, 0.0, 0.0]]), np.zeros((2, 3))
    names = [f"{side}_{joint}" for side in SIDES for joint in JOINTS]
    estimate = GroundFromMotion(
        *("walk", "demo", "a test", 0, MASS, np.array([0.0, 0.01]), np.arange(101.0), JOINTS, ()),
        ground={side: Wrench(force, nothing, nothing) for side in SIDES},
        joint_moments=dict.fromkeys(names, MOMENT),
        joint_powers=dict.fromkeys(names, POWER),
        force_sd=np.zeros((101, 3)),
        moment_sd=np.zeros((101, 3)),
        zmp_offset=np.zeros(3),
        force_correction=nothing,
        unbalanced_moment=nothing,
        notes=(),
    )
    path = tmp_path / "walk.h5"
    write_stage(path, estimate, Provenance("ground_from_motion"))
    groups = {group.kind: group for group in _estimated({"ground_from_motion": path}, G_of_lab)}
    assert {kind: group.unit for kind, group in groups.items()} == {
        "FORCE": "N/kg",
        "MOMENT": "Nmm/kg",
        "POWER": "W/kg",
    }
    for letter in "LR":
        ground = groups["FORCE"].values[f"Estimated{letter}GroundReactionForce"]
        np.testing.assert_allclose(ground, [[-0.5, 1.0, 10.0], [0.0, 0.0, 0.0]])
        for joint in JOINTS:
            moment = groups["MOMENT"].values[f"Estimated{letter}{joint.title()}Moment"]
            np.testing.assert_allclose(moment, [[1000.0 * value, 0.0, 0.0] for value in EXTENSOR[joint]])
            power = groups["POWER"].values[f"Estimated{letter}{joint.title()}Power"]
            np.testing.assert_array_equal(power, [[0.0, 0.0, 0.0], [0.0, 0.0, 2.5]])


def test_series_of_the_legs_over_time_are_in_degrees_and_per_kilogram(walk, loads):
    """A moment about -x takes what hangs below to the right, and one about +y turns it to the left: right joints are
    abducted and rotated inwards, left ones adducted and rotated outwards, by 8 / 80 and 16 / 80 Nm/kg."""
    ((name, table),) = _leg_series(walk, loads, "distal")
    assert name == "leg_time_series"
    assert len(table) == 2 * len(SIDES) * len(JOINTS)
    for (side, joint), own in table.groupby(["side", "joint"]):
        np.testing.assert_allclose(own.time_s, walk.time)
        np.testing.assert_allclose(own.flexion_deg, [30.0, 10.0])
        np.testing.assert_allclose(own.adduction_deg, [4.0, 0.0])
        np.testing.assert_allclose(own.internal_rotation_deg, [-6.0, 2.0])
        np.testing.assert_allclose(own.extensor_moment_nm_kg, EXTENSOR[joint])
        np.testing.assert_allclose(own.abductor_moment_nm_kg, LATERAL_SIGN[side] * np.array([0.1, -0.05]))
        np.testing.assert_allclose(own.external_rotator_moment_nm_kg, LATERAL_SIGN[side] * np.array([-0.2, 0.0]))
        np.testing.assert_allclose(own.power_w_kg, [0.0, 2.5])
    global_axes = next(_leg_series(walk, loads, "global"))[1]
    np.testing.assert_allclose(np.abs(global_axes.extensor_moment_nm_kg), 99.0 / 80.0)


@pytest.fixture(scope="module")
def raw() -> RawTrial:
    """A recording of 25 frames at 50 Hz, with a plate at 1000 Hz."""
    samples = 500
    force = np.tile([1.0, 700.0, -2.0], (samples, 1))
    return recording_of(
        dict.fromkeys(("LHEE", "LTOE"), np.zeros((25, 3))),
        name="walk",
        rate=50.0,
        analog_rate=1000.0,
        analog_time=np.arange(samples) / 1000.0,
        analog=np.zeros((samples, 0)),
        plates=(ForcePlate(1, 2, np.full((4, 3), np.nan), Wrench(force, 0.0 * force, 0.0 * force)),),
        events=(Event(0.2, "left", "foot off", "file"),),
    )


def test_loads_of_a_plate_without_a_place_are_written_at_the_nearest_multiple_of_the_frame_rate(raw: RawTrial) -> None:
    """260 Hz become 250 Hz at 50 frames a second; a force of 100 N/s stays one, 0.3 m ahead of the origin."""
    at = np.arange(140) / 260.0
    force = np.outer(100.0 * at, [0.0, 1.0, 0.0])
    plate = replace(raw.plates[0], wrench=Wrench(force, 0.0 * force, np.array([0.3, 0.0, 0.0])))
    found = _analog(
        replace(raw, plates=(plate,), analog_rate=260.0, analog_time=at, analog=np.zeros((140, 0))), np.eye(3)
    )
    rise = 100.0 * np.arange(125) / 250.0
    assert found.rate == 250.0
    np.testing.assert_allclose(found.values, np.outer(rise, [0.0, 1.0, 0.0, 0.0, 0.0, 0.3]), atol=1e-9)


def trial_row(name: str, kind: str, condition: str | None) -> SimpleNamespace:
    return SimpleNamespace(
        trial=name, subject="Ann", session="1", kind=kind, condition=condition, file=f"{name}.c3d", date=None
    )


@pytest.fixture(scope="module")
def data_set(raw: RawTrial, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BIDS data set of a standing trial and of five walks under two conditions."""
    results, folder = tmp_path_factory.mktemp("results"), tmp_path_factory.mktemp("bids")
    rows = [trial_row("stand", "static", None)]
    rows += [
        trial_row(f"w{k}", "walk", condition) for k, condition in enumerate(("bare", "shod", "bare", "bare", "shod"))
    ]
    for row in rows:
        write_stage(results / f"Ann/1/raw/{row.trial}.h5", replace(raw, name=row.trial), Provenance("ingest"))
    for row in rows:
        row.session_key = ("Ann", "1")
    subject = SimpleNamespace(sex="f", height_m=1.7, mass_kg=MASS, age_on=lambda day: None)
    study = SimpleNamespace(
        trials={row.trial: row for row in rows},
        subjects={"Ann": subject},
        configuration=SimpleNamespace(study=SimpleNamespace(title="A test")),
    )
    bids.write(study, results, folder)
    return folder / "sub-Ann/ses-1"


def test_runs_of_bids_count_from_one_for_each_task_and_condition(data_set):
    rows = [line.split("\t") for line in (data_set / "sub-Ann_ses-1_scans.tsv").read_text().splitlines()[1:]]
    runs = {trial: name.split("_run-")[1][:2] for name, trial, _ in rows}
    assert runs == {"stand": "01", "w0": "01", "w1": "01", "w2": "02", "w3": "03", "w4": "02"}
    assert len({name for name, *_ in rows}) == 2 * len(runs), (
        "markers and plates of each trial have a file of their own"
    )
    assert all((data_set / name).is_file() for name, *_ in rows)


@pytest.mark.parametrize(("system", "rate", "channels"), [("markers", 50.0, 6), ("analog", 1000.0, 6)])
def test_a_recording_of_bids_lasts_as_long_as_it_did(data_set, system, rate, channels):
    """Half a second of both tracking systems, each at its own rate."""
    path = data_set / f"motion/sub-Ann_ses-1_task-walk_tracksys-{system}_acq-bare_run-01_motion.json"
    described = json.loads(path.read_text())
    assert described["SamplingFrequency"] == rate
    assert described["RecordingDuration"] == pytest.approx(0.5)
    assert described["MotionChannelCount"] == channels
    assert len(path.with_suffix(".tsv").read_text().splitlines()) == 0.5 * rate
