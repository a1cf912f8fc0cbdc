"""Markers, model outputs, gaps, prefixes, duplicates, units and subject parameters."""

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.errors import AcquisitionError
from tests.acquisition.c3d_bytes import c3d_bytes
from tests.acquisition.small_trials import notes_of, positions


def test_millimetres_become_metres_and_the_laboratory_becomes_G(write_c3d):
    points = positions(2)
    trial = read_trial(write_c3d(points, ["LASI", "RASI"], point={"Y_SCREEN": ["+Z"]}))
    np.testing.assert_allclose(trial.markers_G @ trial.R_GL, points / 1000.0, atol=1e-7)


UNITS = [
    ("m", 1.0),
    ("cm", 0.01),
    ("mm", 0.001),
    ("MM", 0.001),
    ("Meters", 1.0),
    ("millimetre", 0.001),
    ("inch", 0.0254),
]


@pytest.mark.parametrize(("unit", "factor"), UNITS)
def test_lengths_are_read_in_the_files_unit(write_c3d, unit, factor):
    points = positions(1)
    trial = read_trial(write_c3d(points, ["LASI"], point={"UNITS": [unit]}))
    np.testing.assert_allclose(trial.markers_G @ trial.R_GL, points * factor, rtol=1e-6)


def test_an_unknown_unit_of_length_is_refused(write_c3d):
    with pytest.raises(AcquisitionError, match=r"POINT:UNITS is 'furlong'"):
        read_trial(write_c3d(positions(1), ["LASI"], point={"UNITS": ["furlong"]}))


def test_gaps_by_residual_by_zeros_and_by_nan_are_all_missing(write_c3d):
    points = positions(4)
    residuals = np.zeros((4, len(points)))
    residuals[0, 3] = -1.0
    points[4, 1] = 0.0
    points[5, 2] = np.nan
    trial = read_trial(write_c3d(points, ["A1", "A2", "A3", "A4"], residuals=residuals))
    missing = np.isnan(trial.markers_G).all(axis=-1)
    assert {tuple(index) for index in np.argwhere(missing)} == {(3, 0), (4, 1), (5, 2)}


def test_labels_beyond_255_continue_in_the_next_list(write_c3d):
    labels = [f"M{index}" for index in range(300)]
    trial = read_trial(write_c3d(positions(300, 3), labels))
    assert trial.marker_names == tuple(labels)


def test_outputs_listed_by_the_file_keep_their_values_and_units(write_c3d):
    lists = {"ANGLES": ["S:LKneeAngles"], "TYPE_GROUPS": ["ANGLES", "ANGLE"], "ANGLE_UNITS": ["deg"]}
    points = positions(2)
    trial = read_trial(write_c3d(points, ["S:LASI", "S:LKneeAngles"], point=lists))
    assert trial.marker_names == ("LASI",)
    assert trial.model_outputs["LKneeAngles"].units == "deg"
    np.testing.assert_allclose(trial.model_outputs["LKneeAngles"].values, points[:, 1], rtol=1e-6)
    assert "subject prefix removed" in notes_of(trial, "labels")


def test_segment_axes_unnamed_trajectories_and_joint_centres_are_no_markers(write_c3d):
    labels = ["PELO", "PELA", "PELL", "PELP", "*12", "LHJC", "CentreOfMass", "LTIB1", "HEDO"]
    trial = read_trial(write_c3d(positions(9), labels))
    # LTIB1 is a cluster marker unless the Oxford foot model's angles are there; HEDO alone is no segment.
    assert trial.marker_names == ("LTIB1", "HEDO")
    notes = notes_of(trial, "model outputs")
    assert "LHJC, CentreOfMass" in notes
    assert "4 points are outputs of a model by the file's own lists or by segment axes" in notes
    small = read_trial(write_c3d(positions(9), [label.lower() for label in labels]))
    assert small.marker_names == ("ltib1", "hedo")


def test_a_label_of_a_prefix_alone_is_read(write_c3d):
    assert read_trial(write_c3d(positions(2), ["Anna:LASI", "Anna:"])).marker_names == ("LASI", "")


def test_oxford_foot_points_are_outputs_only_with_that_models_angles(write_c3d):
    trial = read_trial(write_c3d(positions(3), ["LTIB1", "LHFTBA", "LHEE"], point={"ANGLES": ["LHFTBA"]}))
    assert trial.marker_names == ("LHEE",)


def test_copies_of_a_label_that_agree_are_joined(write_c3d):
    points = positions(2)
    points[:, 1] = points[:, 0]
    points[:8, 0] = 0.0
    points[12:, 1] = 0.0
    trial = read_trial(write_c3d(points, ["LASI", "LASI"]))
    assert trial.marker_names == ("LASI",)
    assert np.isfinite(trial.markers_G).all()
    assert "joined to one marker each: LASI (2 points)" in notes_of(trial, "markers")


def test_copies_of_a_label_that_contradict_each_other_are_left_out_by_name(write_c3d):
    points = positions(3)
    points[:, 1] = points[:, 0] + [30.0, 0.0, 40.0]
    trial = read_trial(write_c3d(points, ["LASI", "LASI", "RASI"]))
    assert trial.marker_names == ("RASI",)
    assert "left out: points with the same label are apart" in notes_of(trial, "markers")
    assert "LASI (50 mm)" in notes_of(trial, "markers")


def test_the_points_of_two_subjects_are_refused(write_c3d):
    with pytest.raises(AcquisitionError, match=r"2 subjects \(Ann, Bob\)"):
        read_trial(write_c3d(positions(2), ["Ann:LASI", "Bob:LASI"]))


BODY = [f"Ann:M{index}" for index in range(12)]


def test_the_points_of_an_object_beside_the_subject_are_no_markers(write_c3d):
    points = positions(15)
    trial = read_trial(write_c3d(points, [*BODY, "Cane:TIP", "Cane:TOP", "Box:1"]))
    assert trial.marker_names == tuple(f"M{index}" for index in range(12))
    assert "TIP, TOP are taken as points of an object beside the subject" in notes_of(trial, "Cane")
    assert "points of an object" in notes_of(trial, "Box")
    assert trial.model_outputs["Cane:TOP"].units == "mm"
    np.testing.assert_allclose(trial.model_outputs["Cane:TOP"].values, points[:, 13], rtol=1e-6)


@pytest.mark.parametrize("other", [["Bob:M0"], ["Bob:LASI", *(f"Bob:N{index}" for index in range(11))]])
def test_a_second_person_is_no_object(write_c3d, other):
    """One with a marker that the subject has too, as on a helper's hand, or with as many as a body."""
    with pytest.raises(AcquisitionError, match=r"2 subjects \(Ann, Bob\)"):
        read_trial(write_c3d(positions(12 + len(other)), [*BODY, *other]))


def test_tabs_and_line_ends_around_labels_do_not_count(write_c3d):
    assert read_trial(write_c3d(positions(2), ["LASI\t", "RASI \r\n"])).marker_names == ("LASI", "RASI")


def test_labels_and_units_in_windows_1252_are_read_and_others_stay_distinct(tmp_path):
    labels, points = [b"H\xfcfte", b"H\xe4fte", b"\x8d\xb6", b"\x81\xb6"], np.ones((2, 4, 4))
    points[..., 0] = [1.0, 2.0, 3.0, 4.0]
    groups = {
        "POINT": {"LABELS": ["A----", "B----", "C-", "D-"], "UNITS": ["m"]},
        "ANALOG": {"LABELS": ["LTA"], "UNITS": ["u-"], "SCALE": np.ones(1), "OFFSET": np.zeros(1, dtype=np.int16)},
    }
    content = c3d_bytes(points, analog=np.ones((2, 1, 1)), groups=groups)
    for stored, label in ((b"A----", labels[0]), (b"B----", labels[1]), (b"C-", labels[2]), (b"D-", labels[3])):
        content = content.replace(stored, label)
    path = tmp_path / "trial.c3d"
    path.write_bytes(content.replace(b"u-", b"\xb5V"))
    trial = read_trial(path)
    assert trial.marker_names == ("Hüfte", "Häfte", "\\x8d¶", "\\x81¶")
    assert trial.analog_units == ("µV",)


def test_subject_parameters_lose_their_dollar_signs_and_keep_their_case(write_c3d):
    groups = {"PROCESSING": {"LLegLength": [805.0], "$RKneeWidth$": [121.0]}, "SUBJECTS": {"USED": [1], "NAMES": ["A"]}}
    trial = read_trial(write_c3d(positions(1), ["LASI"], groups=groups))
    lowered = {name.lower(): value for name, value in trial.parameters.items()}
    assert lowered == {"lleglength": 805.0, "rkneewidth": 121.0}


def test_a_trial_is_named_by_its_file_unless_the_study_names_it(write_c3d):
    path = write_c3d(positions(1), ["LASI"])
    assert read_trial(path).name == "trial"
    assert read_trial(path, name="walk 1").name == "walk 1"
    assert len(read_trial(path).sha256) == 64
