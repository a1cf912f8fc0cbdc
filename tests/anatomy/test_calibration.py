"""Where a subject's values come from, which are refused, and what the static trial shows."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pipeline.anatomy import calibrate
from pipeline.config import Subject
from pipeline.errors import AnatomyError

FILE = {
    "Bodymass": 68.0,
    "Height": 1700.0,
    "LLegLength": 900.0,
    "RLegLength": 910.0,
    "LKneeWidth": 100.0,
    "RKneeWidth": 110.0,
    "LAnkleWidth": 70.0,
    "RAnkleWidth": 72.0,
}
"""The minimum of a file's parameters, in its units."""

NOBODY = Subject.from_si("S01", None, {})


@pytest.fixture
def standing(person):
    return person.pose({})[0]


@pytest.fixture
def calibrated(standing, record, plug_in_gait):
    def run(subject=NOBODY, parameters=FILE, other=None, markers=None, vertical=None, **options):
        static = record(markers or standing, parameters, vertical)
        return calibrate(static, plug_in_gait, subject, other_parameters=other, **options)

    return run


def test_files_values_are_converted_to_si(calibrated):
    found = calibrated()
    assert found.values["leg_length_left"] == pytest.approx(0.9)
    assert found.values["height"] == pytest.approx(1.7)
    assert found.values["mass"] == 68.0
    assert found.sources["leg_length_left"] == "static file"


def test_names_of_values_in_a_file_may_be_in_capitals(calibrated):
    assert calibrated(parameters={name.upper(): value for name, value in FILE.items()}).values == calibrated().values


def test_the_studys_table_comes_before_the_static_file_and_that_before_the_trial_file(calibrated):
    subject = Subject.from_si("S01", "f", {"mass": 59.0})
    other = {"Bodymass": 75.0, "LLegLength": 850.0, "InterAsisDistance": 222.0}
    found = calibrated(subject, FILE, other)
    assert (found.values["mass"], found.sources["mass"]) == (59.0, "subjects.tsv")
    assert (found.values["leg_length_left"], found.sources["leg_length_left"]) == (0.9, "static file")
    assert (found.values["inter_asis"], found.sources["inter_asis"]) == (pytest.approx(0.222), "trial file")


def test_a_zero_in_a_file_means_that_nothing_was_entered(calibrated):
    """InterAsis = 0 and AsisTroc = 0 request computation: 240 mm between the markers; 0.1288 * 900 - 48.56 mm."""
    found = calibrated(parameters=FILE | {"InterAsisDistance": 0.0, "LAsisTrocanterDistance": 0.0})
    assert found.values["inter_asis"] == pytest.approx(0.24)
    assert found.sources["inter_asis"] == "static: LASI to RASI"
    assert found.values["asis_trochanter_left"] == pytest.approx(0.1288 * 0.9 - 0.04856)
    assert found.sources["asis_trochanter_left"] == "from leg_length_left"
    found = calibrated(parameters=FILE | {"LLegLength": 0.0}, other={"LLegLength": 880.0})
    assert found.values["leg_length_left"] == pytest.approx(0.88)


def test_a_zero_is_a_value_where_zero_is_possible(calibrated):
    """A rotation offset of 0 in the static file is the offset; the trial file's other one is not mixed in."""
    found = calibrated(parameters=FILE | {"LThighRotation": 0.0}, other={"LThighRotation": 0.1})
    assert (found.values["thigh_rotation_left"], found.sources["thigh_rotation_left"]) == (0.0, "static file")
    assert found.sources["thigh_rotation_right"] == "default"


def test_the_pelvis_depth_is_measured_between_the_middles_of_asis_and_psis(calibrated):
    assert calibrated().values["pelvis_depth"] == pytest.approx(0.16)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"LLegLength": 0.9}, r"leg_length_left = 0\.0009 m is outside 0\.3 to 1\.3 m"),
        ({"Bodymass": 680.0}, r"mass = 680 kg is outside 5 to 300 kg"),
        ({"RKneeWidth": 500.0}, r"knee_width_right = 0\.5 m is outside 0\.04 to 0\.25 m"),
        ({"LThighRotation": 7.0}, r"thigh_rotation_left = 7 rad"),
        ({"Height": float("nan")}, "height"),
    ],
)
def test_an_impossible_value_is_refused_with_its_range_and_source(parameters, message, calibrated):
    with pytest.raises(AnatomyError, match=message) as error:
        calibrated(parameters=FILE | parameters)
    assert "S01" in str(error.value)
    assert "static file" in str(error.value)


def test_all_values_that_are_not_given_are_named_together(calibrated):
    lacking = {name: value for name, value in FILE.items() if name not in ("Height", "LKneeWidth")}
    with pytest.raises(AnatomyError, match=r"height \(parameter Height\), knee_width_left \(parameter LKneeWidth\)"):
        calibrated(parameters=lacking)


def test_a_mass_that_is_not_given_is_weighed_on_the_plates_and_noted(calibrated):
    weightless = {name: value for name, value in FILE.items() if name != "Bodymass"}
    vertical = 9.81 * 61.5 + np.sin(np.arange(500))
    found = calibrated(parameters=weightless, vertical=vertical)
    assert found.values["mass"] == pytest.approx(61.5, abs=0.1)
    assert found.sources["mass"] == "static: vertical force"
    assert any(note.kind == "estimated" and "61.5 kg" in note.text for note in found.notes)


@pytest.mark.parametrize(("on_plates", "warned"), [(68.5, False), (50.0, False), (80.0, True)])
def test_a_mass_less_than_what_stands_on_the_plates_is_warned_of(calibrated, on_plates, warned):
    """The file has 68 kg; a lower load is possible with a foot off the plate."""
    found = calibrated(vertical=9.81 * on_plates + np.sin(np.arange(500)))
    warnings = [note.text for note in found.notes if note.subject == "body mass"]
    assert len(warnings) == warned
    assert all("68.0 kg (static file), but 80.0 kg are on the plates in static" in text for text in warnings)


@pytest.mark.parametrize("vertical", [None, np.zeros(500), 600.0 + 200.0 * np.sin(np.arange(500) / 20)])
def test_a_mass_is_not_guessed_without_someone_standing_still(vertical, calibrated):
    weightless = FILE | {"Bodymass": 0.0}
    with pytest.raises(AnatomyError, match="no value for mass"):
        calibrated(parameters=weightless, vertical=vertical)


def test_the_sacrum_marker_serves_where_there_are_no_psis_markers(standing, calibrated, person):
    single = {name: value for name, value in standing.items() if name not in ("LPSI", "RPSI")}
    single["SACR"] = 0.5 * (standing["LPSI"] + standing["RPSI"])
    found, whole = calibrated(markers=single), calibrated()
    assert found.values["pelvis_depth"] == pytest.approx(whole.values["pelvis_depth"])
    for name, segment in whole.segments.items():
        np.testing.assert_allclose(found.segments[name].com_S, segment.com_S, atol=1e-12)
    assert any(note.subject == "sacrum" and "SACR" in note.text for note in found.notes)


def test_segments_of_a_marker_that_the_static_trial_lacks_are_missing_and_it_is_named(standing, calibrated):
    found = calibrated(markers={name: value for name, value in standing.items() if name != "RANK"})
    lost = {name for name, segment in found.segments.items() if not np.isfinite(segment.com_S).all()}
    assert lost == {"right_shank", "right_foot"}
    assert any(note.kind == "warning" and "RANK" in note.text for note in found.notes)


def test_a_gap_in_the_static_trial_leaves_the_other_frames_to_calibrate_with(standing, calibrated):
    gappy = {name: value.copy() for name, value in standing.items()}
    gappy["LTOE"][:3] = np.nan
    whole, found = calibrated(), calibrated(markers=gappy)
    np.testing.assert_allclose(found.frame_turns["left_foot"], whole.frame_turns["left_foot"], atol=1e-12)


def test_labels_of_another_marker_set_are_refused_by_name(calibrated):
    other = {name: np.zeros((5, 3)) + k for k, name in enumerate(["L.ASIS", "R.ASIS", "Sacral"])}
    with pytest.raises(AnatomyError, match="LASI"):
        calibrated(Subject.from_si("S01", None, {"inter_asis": 0.24, "pelvis_depth": 0.16}), markers=other)


def test_a_static_trial_without_any_marker_is_refused(record, plug_in_gait):
    with pytest.raises(AnatomyError, match="it has none"):
        calibrate(record({}, FILE), plug_in_gait, NOBODY)


def test_dempsters_segments_run_between_joint_centres(person, record, plug_in_gait):
    found = calibrate(record(person.pose({})[0]), plug_in_gait, person.subject, inertia_table="dempster")
    thigh, foot = found.segments["left_thigh"], found.segments["left_foot"]
    assert thigh.length == pytest.approx(0.40)
    assert thigh.mass == pytest.approx(7.0)
    np.testing.assert_allclose(thigh.com_S, [0, -0.433 * 0.40, 0], atol=1e-12)
    np.testing.assert_allclose(np.diag(thigh.inertia_S)[2], 7.0 * (0.323 * 0.40) ** 2)
    # Foot: half way from the ankle to the toe marker, 130 mm ahead and 50 mm below it.
    np.testing.assert_allclose(foot.com_S, [0.065, -0.025, 0], atol=1e-9)


def test_de_levas_foot_runs_from_the_heel_for_its_own_length(person, record, plug_in_gait):
    """Length 0.152 * 1.75 m = 266 mm; the man's centre of mass at 44.15 % of it from the heel, which is 50 mm behind
    and below the ankle: x = -50 + 117.4 mm."""
    found = calibrate(record(person.pose({})[0]), plug_in_gait, person.subject, inertia_table="de_leva")
    foot = found.segments["right_foot"]
    assert foot.length == pytest.approx(0.266)
    np.testing.assert_allclose(foot.com_S, [-0.05 + 0.4415 * 0.266, -0.05, 0.0], atol=1e-9)
    assert any("266 mm" in note.text for note in found.notes if note.subject == "right_foot")
    assert not any(note.subject == "inertia" for note in found.notes)


def test_an_unknown_sex_is_noted_where_it_matters(calibrated):
    assert any("sex not given" in note.text for note in calibrated(inertia_table="de_leva").notes)
    assert not any("sex not given" in note.text for note in calibrated(inertia_table="dempster").notes)


@pytest.mark.parametrize("method", ["davis", "harrington", "bell"])
def test_the_hip_method_moves_the_thigh(method, calibrated, person):
    """Lengths of the thigh differ by method; Davis's is the one that the person was built with."""
    found = calibrated(person.subject, hip_method=method)
    assert (found.segments["left_thigh"].length == pytest.approx(0.40, abs=1e-9)) is (method == "davis")
    assert found.hip_method == method


def test_the_same_static_trial_twice_over_calibrates_the_same(standing, record, plug_in_gait, person):
    once = record(standing)
    twice = replace(once, markers_G=np.concatenate([once.markers_G] * 2), time=np.arange(10) / 100)
    one, two = (calibrate(static, plug_in_gait, person.subject) for static in (once, twice))
    for name in one.segments:
        np.testing.assert_allclose(one.segments[name].com_S, two.segments[name].com_S, atol=1e-12)


def test_a_walk_shows_the_level_sole_while_heel_and_toe_stand_still(person, calibrated, standing):
    """The foot rests for 0.2 s and then lifts its heel by up to 40 degrees: only the rest counts, as in standing."""
    lift = np.concatenate([np.zeros(20), np.linspace(0.0, 0.7, 20)])[:, None] * [-1.0, 0.0, 0.0]
    walking = person.pose({f"{side}_ankle": lift for side in ("left", "right")})[0]
    still, moving = calibrated(), calibrated(markers=walking, role="walk")
    for name in ("left_foot", "right_foot"):
        # While the speed is taken over 50 ms, the first 2 frames of the lift, of 2 degrees each, count as rest.
        np.testing.assert_allclose(moving.frame_turns[name], still.frame_turns[name], atol=np.radians(0.5))
    with pytest.raises(AnatomyError, match="walk static: no value for leg_length_left"):
        calibrated(parameters={"Bodymass": 68.0, "Height": 1700.0}, role="walk")


def test_a_centre_that_fits_the_markers_in_some_frames_only_is_warned_of_with_frames_value_and_limit(
    standing, calibrated, person
):
    """The knee's marker 40 mm from the hip cannot be 57 mm (100 / 2 + 7) from a knee under a right angle to the hip."""
    moved = {name: value.copy() for name, value in standing.items()}
    moved["LKNE"][1:3] = person.pose({})[1]["left_hip"][1:3] + np.array([0.04, 0.0, 0.0])
    found = calibrated(markers=moved)
    (warning,) = [note.text for note in found.notes if note.subject == "static trial static, left_knee"]
    assert "frames 2-3" in warning
    assert re.search(r"LKNE is \d+ mm from left_hip \(limit: above 57 mm", warning)


def test_a_centre_that_fits_the_markers_in_no_frame_is_refused_with_trial_marker_value_and_remedy(standing, calibrated):
    """The wand on the knee's marker's line to the hip shows no plane for an offset."""
    moved = standing | {"LTHI": standing["LKNE"] + [0.0, 0.1, -0.02]}
    with pytest.raises(
        AnatomyError, match=r"static trial static, left_knee: .*frames 1-5.*LTHI is .* mm from the line"
    ) as e:
        calibrated(markers=moved, parameters=FILE | {"LThighRotation": 1.0})
    assert "limit: above" in str(e.value)
    assert "Check these labels and thigh_rotation_left" in str(e.value)
