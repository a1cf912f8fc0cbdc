"""A walk's C3D export: read back by this package and by another author's C3D library, and beside a file of Nexus."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.analysis import clinical_moments, gait_cycles
from pipeline.math3d import Wrench
from pipeline.provenance import Provenance
from pipeline.results import export_trial, write_stage
from pipeline.signals import low_pass

pytestmark = pytest.mark.long


def export(folder, raw, kinematics, loads):
    """The C3D file of a walk whose stages are written to a session's folder."""
    session = folder / "Ann/1"
    values = {"raw": raw, "kinematics": kinematics, "inverse_dynamics": loads, "cycles": gait_cycles(kinematics, loads)}
    for stage, value in values.items():
        write_stage(session / stage / f"{raw.name}.h5", value, Provenance(stage))
    path = folder / "export.c3d"
    export_trial(session, raw.name, path)
    return path


@pytest.fixture(scope="module")
def exported(demo_legs, tmp_path_factory):
    return export(tmp_path_factory.mktemp("c3d"), demo_legs.raw, demo_legs.kinematics, demo_legs.loads)


def test_the_recording_is_in_it(exported, demo_legs):
    """Markers, plates and events to the precision of 32-bit numbers; rates, axes and subject values."""
    raw, back = demo_legs.raw, read_trial(exported)
    assert back.marker_names == raw.marker_names
    assert (back.rate, back.analog_rate, back.first_frame) == (raw.rate, raw.analog_rate, raw.first_frame)
    assert back.parameters == pytest.approx(raw.parameters)
    np.testing.assert_allclose(back.R_GL, raw.R_GL)
    np.testing.assert_allclose(back.markers_G, raw.markers_G, atol=1e-6)
    for one, other in zip(back.plates, raw.plates, strict=True):
        np.testing.assert_allclose(one.corners_G, other.corners_G, atol=1e-6)
        np.testing.assert_allclose(one.wrench.force_G, other.wrench.force_G, atol=0.01)
        about = one.wrench.about(other.wrench.point_G)
        np.testing.assert_allclose(about.moment_G, other.wrench.moment_G, atol=0.01)
    events = demo_legs.kinematics.events
    assert [(e.side, e.kind) for e in back.events] == [(e.side, e.kind) for e in events]
    np.testing.assert_allclose([e.time for e in back.events], [e.time for e in events], atol=1e-5)


def test_ground_reactions_without_a_plate_are_channels_about_the_origin(demo_legs, tmp_path):
    """Rates that are no multiple of the frame rate, as 250 Hz of 100, are resampled to the nearest multiple."""
    raw = demo_legs.raw
    at = np.arange(0.0, raw.time[-1], 1.0 / 250.0)
    plates = []
    for plate in raw.plates:
        force, moment = (
            np.stack([np.interp(at, raw.analog_time, column) for column in part.T], axis=1)
            for part in (plate.wrench.force_G, plate.wrench.moment_G)
        )
        load = Wrench(force, moment, plate.wrench.point_G.reshape(-1, 3)[0])
        plates.append(replace(plate, type=0, corners_G=np.full((4, 3), np.nan), wrench=load))
    bare = replace(
        raw, plates=tuple(plates), analog_rate=250.0, analog_time=at, analog=np.zeros((len(at), 0)),
        analog_names=(), analog_units=(), analog_plate=np.zeros(0, dtype=int),
    )  # fmt: skip
    back = read_trial(export(tmp_path, bare, demo_legs.kinematics, demo_legs.loads))
    assert not back.plates
    assert back.analog_rate == 200.0
    assert back.analog_names[:2] == ("GroundReaction1Fx", "GroundReaction1Fy")
    assert back.analog_units[:6] == ("N", "N", "N", "Nm", "Nm", "Nm")
    load = plates[0].wrench
    arm = np.cross(np.broadcast_to(load.point_G, load.force_G.shape), load.force_G)
    for k, expected in enumerate((load.force_G @ raw.R_GL, (load.moment_G + arm) @ raw.R_GL)):
        there = np.stack([np.interp(back.analog_time, at, column) for column in expected.T], axis=1)
        inside = back.analog_time <= at[-1]
        np.testing.assert_allclose(back.analog[inside, 3 * k : 3 * k + 3], there[inside], atol=0.01)


def test_outputs_have_the_labels_and_signs_of_plug_in_gait_and_our_values(exported, demo_legs):
    """Angles in degrees, moments in Nmm/kg as internal extensor, abductor and external rotator, centres in mm.

    Vicon's guide to Plug-in Gait: hip and knee flexed, adducted and turned in are positive, the ankle dorsiflexed,
    everted as its second angle, and the foot with its toes down and in; here against the markers of heel and toe."""
    outputs, walk, loads = read_trial(exported).model_outputs, demo_legs.kinematics, demo_legs.loads
    for side, inwards in (("left", 1.0), ("right", -1.0)):
        letter = side[0].upper()
        for joint, signs in (("hip", [1, 1, 1]), ("knee", [1, 1, 1]), ("ankle", [1, -1, 1])):
            label, name = f"{letter}{joint.title()}", f"{side}_{joint}"
            angles = np.degrees(walk.angles[name]) * signs
            np.testing.assert_allclose(outputs[f"{label}Angles"].values, angles, atol=1e-4)
            moment = 1000 * clinical_moments(name, loads.joints[name].moment_distal) / loads.mass
            np.testing.assert_allclose(outputs[f"{label}Moment"].values, moment, atol=0.01)
            power = loads.joints[name].power / loads.mass
            np.testing.assert_allclose(outputs[f"{label}Power"].values[:, 2], power, atol=1e-4)
            centre = 1000 * walk.joints[name].centre_G @ demo_legs.raw.R_GL
            np.testing.assert_allclose(outputs[f"{letter}{joint[0].upper()}JC"].values, centre, atol=1e-3)
        forward, up, right = (demo_legs.raw.marker(f"{letter}TOE") - demo_legs.raw.marker(f"{letter}HEE")).T
        toes_down, _, turned_in = outputs[f"{letter}FootProgressAngles"].values.T
        known = np.isfinite(toes_down) & np.isfinite(forward)
        assert np.corrcoef(toes_down[known], -np.arctan2(up, forward)[known])[0, 1] > 0.99
        flat = known & (np.abs(np.arctan2(up, forward)) < np.radians(15.0))
        by_markers = np.degrees(np.arctan2(inwards * right, forward))[flat]
        assert by_markers.max() < -6.0, "the demo's feet are turned out"
        np.testing.assert_allclose(np.mean(turned_in[flat]), np.mean(by_markers), atol=1.0)
    units = {label: output.units for label, output in outputs.items()}
    assert (units["LHipAngles"], units["LHipMoment"], units["LHipPower"]) == ("deg", "Nmm/kg", "W/kg")


@pytest.mark.filterwarnings("ignore")
def test_another_library_reads_the_same(exported, demo_legs):
    """The package c3d, whose reader shares no code with ezc3d."""
    c3d = pytest.importorskip("c3d")
    with exported.open("rb") as stream:
        reader = c3d.Reader(stream)
        labels = [label.strip() for label in reader.point_labels]
        points = np.array([frame for _, frame, _ in reader.read_frames()])
        assert reader.point_rate == demo_legs.raw.rate
        assert reader.analog_rate == demo_legs.raw.analog_rate
        assert reader.get("EVENT:LABELS").string_array[0].strip() == "Foot Strike"
    k, j = labels.index("LKNE"), labels.index("LKneeAngles")
    expected = 1000 * demo_legs.raw.marker("LKNE") @ demo_legs.raw.R_GL
    seen = np.isfinite(expected).all(axis=1)
    np.testing.assert_allclose(points[seen, k, :3], expected[seen], atol=1e-3)
    angle = np.degrees(demo_legs.kinematics.angles["left_knee"][:, 0])
    np.testing.assert_allclose(points[np.isfinite(angle), j, 0], angle[np.isfinite(angle)], atol=1e-4)


def test_it_is_laid_out_as_nexus_does(trials, analyse, tmp_path, record_property):
    """Labels, groups and units of a file of Vicon Nexus, and the same signs: our curves correlate with its outputs."""
    import ezc3d

    path = trials / "zoo_HC032A/HC032A03.c3d"
    raw, static = read_trial(path), read_trial(trials / "zoo_HC032A/HC032A01.c3d")
    computed = analyse(raw, static, anatomy={"hip_centre": "davis", "inertia": "dempster"})
    ours, theirs = (
        ezc3d.c3d(str(file))["parameters"] for file in (export(tmp_path, raw, *vars(computed).values()), path)
    )
    groups = ours["POINT"]["TYPE_GROUPS"]["value"]
    names = [name.lower() for name in ours["PROCESSING"]]
    assert len(names) == len(set(names)), "C3D does not tell names apart by case, and readers refuse them"
    with (tmp_path / "export.c3d").open("rb") as stream, warnings.catch_warnings(action="ignore"):
        assert pytest.importorskip("c3d").Reader(stream).point_used == ours["POINT"]["USED"]["value"][0]
    pairs = dict(zip(groups[::2], groups[1::2], strict=True))
    nexus = theirs["POINT"]["TYPE_GROUPS"]["value"]
    assert pairs.items() <= dict(zip(nexus[::2], nexus[1::2], strict=True)).items()
    for plural in pairs.keys() - {"SCALARS"}:  # whose labels are the laboratory's own
        assert set(ours["POINT"][plural]["value"]) <= set(theirs["POINT"][plural]["value"])
    for group, name in (("POINT", "UNITS"), ("POINT", "ANGLE_UNITS"), ("EVENT_CONTEXT", "LABELS")):
        assert ours[group][name]["value"] == theirs[group][name]["value"]
    for group in ("EVENT", "SUBJECTS", "ANALYSIS", "FORCE_PLATFORM"):
        absent = {name for name in theirs[group] if not name.startswith("__")} - set(ours[group])
        assert not absent - {"ZEROS", "TRANSLATION", "OFFSETS"}, (group, absent)
    assert {*ours["EVENT"]["LABELS"]["value"]} == {"Foot Strike", "Foot Off"}
    back = read_trial(tmp_path / "export.c3d")
    alike = {}
    for label, output in back.model_outputs.items():
        if label not in raw.model_outputs or not label.endswith(("Angles", "Moment", "Power")):
            continue
        stored = np.array(raw.model_outputs[label].values)
        stored[(np.nan_to_num(stored) == 0.0).all(axis=1)] = np.nan
        for column in range(3):
            both = np.isfinite(output.values[:, column]) & np.isfinite(stored[:, column])
            if both.sum() < 40 or min(np.ptp(part[both, column]) for part in (stored, output.values)) < 1e-9:
                continue
            smooth = low_pass(stored[both, column], raw.rate, 6.0)
            alike[label, column] = float(np.corrcoef(output.values[both, column], smooth)[0, 1])
    record_property("table", "\n".join(f"{label:22}{column:3}{r:8.3f}" for (label, column), r in alike.items()))
    assert len(alike) > 30
    assert not {key: r for key, r in alike.items() if r < 0.9}


def test_curves_of_points_are_scalars_over_the_whole_recording(exported, demo_legs):
    stored, walk = read_trial(exported).model_outputs, demo_legs.kinematics
    for side in ("left", "right"):
        velocity = np.gradient(walk.points[f"{side}_heel"], walk.time, axis=0)
        values = stored[f"{side[0].upper()}HeelSpeed"].values
        np.testing.assert_allclose(values[2:-2, 0], np.linalg.norm(velocity, axis=1)[2:-2], atol=1e-4)
        assert not values[:, 1:].any()


def test_on_a_treadmill_scalars_of_the_heels_are_those_over_the_belt_as_in_the_cycles(exported, demo_legs, tmp_path):
    """The walk of a treadmill at 1.2 m/s."""
    walk = demo_legs.kinematics
    back = np.outer(1.2 * walk.time, [1.0, 0.0, 0.0])
    moving = replace(walk, points={name: point - back for name, point in walk.points.items()})
    found = read_trial(export(tmp_path, demo_legs.raw, moving, demo_legs.loads)).model_outputs
    for label in ("LHeelSpeed", "RHeelSpeed"):
        over_ground = read_trial(exported).model_outputs[label].values[:, 0]
        np.testing.assert_allclose(found[label].values[:, 0], over_ground, atol=0.03)  # flat feet roll
