"""Knee alignment devices: the marker where the wires meet, the wand's offset by the axis, and the stored ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import calibrate, load_marker_set, match, with_set_labels
from pipeline.config import Subject
from pipeline.math3d import rotation_about, unit

WIRE = 0.1
MEDIAL = {"left": np.array([0.0, 0.0, 0.05]), "right": np.array([0.0, 0.0, -0.05])}
NAMES = {"left": ("LKAX", "LKD1", "LKD2"), "right": ("RKAX", "RKD1", "RKD2")}


@pytest.fixture
def pig(plug_in_gait_path):
    return load_marker_set(plug_in_gait_path)


def ends(corner, axis):
    """Ends (3, T, 3) of three wires at right angles from a corner (T, 3), the first along an axis (T, 3); the others
    turned about it by an angle of no meaning."""
    first = unit(axis)
    second = unit(np.cross(first, [0.3, 0.2, 0.9]))
    return np.array([corner + WIRE * wire for wire in (first, second, np.cross(first, second))])


def with_devices(static, marker_set, centre_of):
    """The static trial with devices in place of both knee markers, their axes from the knee's centre to the marker."""
    keep = [k for k, name in enumerate(static.marker_names) if name not in ("LKNE", "RKNE")]
    names, columns = [static.marker_names[k] for k in keep], [static.markers_G[:, k] for k in keep]
    for side, labels in NAMES.items():
        marker = static.marker(f"{side[0].upper()}KNE")
        names += labels
        columns += list(ends(marker, marker - centre_of(side)))
    return replace(static, marker_names=tuple(names), markers_G=np.stack(columns, axis=1))


def without_offsets(trial):
    """The recording of a laboratory that enters no rotation of the thigh: zeros, as capture software writes them."""
    return replace(
        trial, parameters={name: 0.0 if "ThighRotation" in name else v for name, v in trial.parameters.items()}
    )


@pytest.fixture(scope="module")
def demo(demo_legs):
    return without_offsets(demo_legs.raw), without_offsets(demo_legs.static)


def test_a_device_gives_the_marker_and_the_offset_that_it_stands_for(demo, pig, analyse):
    """Offsets of 9 and -6 degrees are given, centres follow from them; devices along these axes give them back."""
    walk, static = demo
    given = {"thigh_rotation_left": np.radians(9.0), "thigh_rotation_right": np.radians(-6.0)}
    expected = analyse(walk, static, sex="f", values=given)
    still = analyse(static, static, sex="f", values=given).kinematics.points
    device = with_set_labels(with_devices(static, pig, lambda side: still[f"{side}_knee"]), pig)
    for label in ("LKNE", "RKNE"):
        # the centres come from filtered markers: none of it reaches the corner, which the wires alone give
        assert device.marker(label) == pytest.approx(static.marker(label), abs=1e-9)
    found = analyse(walk, device, sex="f")
    for name, value in given.items():
        assert found.kinematics.calibration.values[name] == pytest.approx(value, abs=np.radians(0.1))
        assert found.kinematics.calibration.sources[name] == "static: alignment device"
    for joint in ("left_knee", "right_hip"):
        moments = [own.loads.joints[joint].moment_distal for own in (found, expected)]
        known = np.isfinite(moments[1])
        assert known.any()
        # 0.1 degrees of the axis turn a tenth of a percent of 1 Nm/kg into another plane
        assert np.abs(moments[0] - moments[1])[known].max() < 0.01 * expected.loads.mass


@pytest.fixture
def fitted(demo, pig):
    _, static = demo
    return static, with_devices(static, pig, lambda side: static.marker(f"{side[0].upper()}KNE") + MEDIAL[side])


def test_a_static_trial_with_devices_has_the_set(fitted, pig):
    _, device = fitted
    assert match(device.marker_names, pig, walking=False).recognised
    assert not match(device.marker_names, pig, walking=False).lacking["left knee angles"]


def test_markers_at_unequal_distances_are_no_device(fitted, pig):
    _, device = fitted
    moved = device.markers_G.copy()
    moved[:, device.marker_names.index("LKD2")] += [0.0, 0.12, 0.0]
    read = with_set_labels(replace(device, markers_G=moved), pig)
    assert "LKNE" not in read.marker_names
    assert "RKNE" in read.marker_names
    (note,) = [n for n in read.notes if n.subject == "LKNE"]
    assert note.kind == "warning"
    assert "LKAX, LKD1, LKD2" in note.text


@pytest.mark.parametrize("folder", ["kad", "kadmed"])
def test_marker_and_offset_are_those_that_plug_in_gait_stored(trials, pig, folder):
    """Stored in single precision; the marker in mm, the offset in degrees or radians as the file has it."""
    static = with_set_labels(read_trial(trials / f"calibration/others/{folder}/static.c3d"), pig)
    without = {name: value for name, value in static.parameters.items() if "ThighRotation" not in name}
    calibration = calibrate(replace(static, parameters=without), pig, Subject.from_si("s", None, {}))
    for side, (letter, *_) in {"left": "LK", "right": "RK"}.items():
        stored = static.parameters[f"{letter}ThighRotation"]
        assert calibration.values[f"thigh_rotation_{side}"] == pytest.approx(stored, abs=1e-5)
        marker = 1000.0 * np.abs(np.nanmean(static.marker(f"{letter}KNE"), axis=0))
        found = np.abs(np.nanmean(static.model_outputs[f"{letter}KNE"].values, axis=0))
        assert np.sort(marker) == pytest.approx(np.sort(found), abs=0.1)


OTHER = {"LKNE": "RKNE", "RKNE": "LKNE"}
UP = np.array([0.0, 1.0, 0.0])


def placed(device, static, label, outward, turn):
    """The trial with the device of one knee at that knee's marker, its axis along ``outward`` (T, 3), the second wire
    turned about it by an angle from the upward direction."""
    first = unit(outward)
    up = unit(UP - (first @ UP)[:, None] * first)
    second = np.cos(turn) * up + np.sin(turn) * np.cross(first, up)
    markers_G = device.markers_G.copy()
    for name, wire in zip(
        (f"{label[0]}{end}" for end in ("KAX", "KD1", "KD2")), (first, second, np.cross(first, second)), strict=True
    ):
        markers_G[:, device.marker_names.index(name)] = static.marker(label) + WIRE * wire
    return replace(device, markers_G=markers_G)


def turned_out(static, label, degrees):
    """The direction (T, 3) from the other knee's marker to that of a label, turned about the vertical."""
    outward = (static.marker(label) - static.marker(OTHER[label])) * [1.0, 0.0, 1.0]
    return outward @ rotation_about(UP, np.radians(degrees)).T


@pytest.mark.parametrize("label", OTHER)
@pytest.mark.parametrize("turn", np.radians([-45.0, 0.0, 45.0, 135.0, 180.0, 225.0]))
def test_wires_may_be_turned_about_the_axis_in_any_way(fitted, pig, label, turn):
    """Both up, one up and one down, both down, forwards or backwards: they meet on the side of the other knee."""
    static, device = fitted
    read = with_set_labels(placed(device, static, label, turned_out(static, label, 10.0), turn), pig)
    assert read.marker(label) == pytest.approx(static.marker(label), abs=1e-9)
    assert [note.kind for note in read.notes if note.subject == label] == ["info"]


def test_both_wires_up_leave_the_offset_of_the_wand_as_it_is(fitted, pig):
    """The axis is the same, so the offset is too; with the other place of the wires it is off by a right angle."""
    static, device = fitted
    found = []
    for turn in np.radians([-45.0, 45.0, 135.0]):
        own = with_set_labels(placed(device, static, "LKNE", turned_out(static, "LKNE", 0.0), turn), pig)
        found.append(calibrate(own, pig, Subject.from_si("s", None, {})).values["thigh_rotation_left"])
    assert found == pytest.approx([found[0]] * 3, abs=1e-9)
    assert abs(found[0]) < np.radians(30.0)


def test_wires_that_may_meet_on_either_side_are_named(fitted, pig):
    """The axis turned by 35 degrees about the vertical and both other wires horizontal, against that turn: the triangle
    is along the line of the knees."""
    static, device = fitted
    told = []
    for turn in np.radians([45.0, 225.0]):
        read = with_set_labels(placed(device, static, "LKNE", turned_out(static, "LKNE", 35.0), turn), pig)
        told += [note.text for note in read.notes if note.subject == "LKNE" and note.kind == "warning"]
    (text,) = told
    assert "LKAX, LKD1, LKD2 may meet on either side" in text


@pytest.mark.parametrize("degrees", [50.0, 55.0])
@pytest.mark.parametrize("turn", np.radians([215.0, 225.0, 235.0]))
def test_wires_whose_mirror_image_is_a_likely_device_too_are_named(fitted, pig, degrees, turn):
    """An axis so far off is taken for its mirror image, whose first wire is within 16 to 35 degrees of the outside."""
    static, device = fitted
    off = turned_out(static, "LKNE", degrees)
    read = with_set_labels(placed(device, static, "LKNE", off, turn), pig)
    assert np.linalg.norm(read.marker("LKNE") - static.marker("LKNE"), axis=1).min() > 0.5 * WIRE
    (text,) = [note.text for note in read.notes if note.subject == "LKNE" and note.kind == "warning"]
    assert "may meet on either side" in text


def test_a_wire_off_the_flexion_axis_is_named(fitted, pig):
    """The labels of the axis and of another wire are exchanged."""
    static, device = fitted
    device = placed(device, static, "RKNE", turned_out(static, "RKNE", 0.0), 0.5)
    swapped = {"RKAX": "RKD1", "RKD1": "RKAX"}
    read = with_set_labels(replace(device, marker_names=tuple(swapped.get(n, n) for n in device.marker_names)), pig)
    (warned,) = [note for note in read.notes if note.kind == "warning"]
    assert warned.subject == "RKNE"
    assert "the wire to RKAX points 87 degrees off" in warned.text


def test_a_general_pose_of_the_device_is_its_own():
    """Turned by any rotation about any point: the place is on the side that the wires come from, and else mirrored."""
    from pipeline.anatomy.alignment_device import corner

    R = rotation_about(unit(np.array([0.2, -0.7, 0.4])), 1.1)
    place = np.array([[0.3, 0.6, -0.2]])
    markers = ends(np.zeros((1, 3)), np.array([[0.1, 0.2, 1.0]])) @ R.T + place
    inward = (place - markers.mean(axis=0))[0]
    assert corner(markers, 2.0 * inward) == pytest.approx(place, abs=1e-12)
    assert corner(markers, -inward) == pytest.approx(place - 2.0 * inward, abs=1e-12)


def test_a_device_whose_markers_no_frame_shows_together_is_named(fitted, pig):
    _, device = fitted
    half, markers_G = len(device.time) // 2, device.markers_G.copy()
    markers_G[:half, device.marker_names.index("LKAX")] = np.nan
    markers_G[half:, device.marker_names.index("LKD1")] = np.nan
    (warned,) = [n for n in with_set_labels(replace(device, markers_G=markers_G), pig).notes if n.kind == "warning"]
    assert warned.subject == "LKNE"
    assert warned.text == "not built from LKAX, LKD1, LKD2: no frame shows all three; check their labels"
