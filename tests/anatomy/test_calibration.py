"""Where a subject's values come from, which are refused, and what the static trial shows."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.analysis import subject_values
from pipeline.anatomy import body_motion, calibrate, load_marker_set
from pipeline.anatomy.calibration import _stationary
from pipeline.anatomy.marker_set import SubjectValue
from pipeline.config import HOME, Subject
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


def test_marker_sets_and_table_have_the_same_limits(calibrated):
    """But of a marker's diameter, which may be zero where points come from video or segments."""
    limits = Subject.limits_si()  # SI
    assert (limits["mass"], limits["leg_length_left"], limits["hip_up_left"]) == ((3, 300), (0.2, 1.3), (-0.25, 0.05))
    for path in sorted((HOME / "config/marker_sets").glob("*.yaml")):
        values = load_marker_set(path).subject_values
        for name in sorted((values.keys() & limits.keys()) - {"marker_diameter"}):
            assert (values[name].minimum, values[name].maximum) == limits[name], f"{name} of {path.stem}"
    small = {"Bodymass": 4.0, "LLegLength": 210.0, "LAsisTrocanterDistance": 20.0, "RKneeWidth": 31.0}
    assert calibrated(parameters=FILE | small).values["leg_length_left"] == pytest.approx(0.21)


@pytest.mark.parametrize("way", [-1.0, 1.0])
def test_half_a_turn_in_single_precision_is_within_its_limits(calibrated, way):
    half = way * float(np.float32(np.pi))
    assert abs(half) > np.pi
    assert calibrated(parameters=FILE | {"LThighRotation": half}).values["thigh_rotation_left"] == half


def test_a_value_is_reported_in_the_kind_of_unit_in_which_its_marker_set_defines_it(standing, record, plug_in_gait):
    """A value of a set of one's own, whose name says nothing of its unit."""
    slope = SubjectValue(parameter="Slope", unit="deg", minimum=-1.0, maximum=1.0)
    own = plug_in_gait.model_copy(update={"subject_values": plug_in_gait.subject_values | {"slope": slope}})
    reported = subject_values(calibrate(record(standing, FILE | {"Slope": 10.0}), own, NOBODY))
    assert reported["slope"] == (pytest.approx(10.0), "deg")
    assert reported["thigh_rotation_left"] == (0.0, "deg")
    assert reported["height"] == (pytest.approx(1.7), "m")
    assert reported["mass"] == (68.0, "kg")


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


def notes_on_values(found):
    return [(note.kind, note.text) for note in found.notes if note.subject == "subject values"]


def test_a_zero_offset_in_the_static_file_is_not_entered_where_the_walks_file_has_one(calibrated):
    """Entered after the static trial was processed; 0.1 rad are 5.7 degrees."""
    found = calibrated(parameters=FILE | {"LThighRotation": 0.0}, other={"LThighRotation": 0.1})
    assert (found.values["thigh_rotation_left"], found.sources["thigh_rotation_left"]) == (0.1, "trial file")
    ((kind, text),) = notes_on_values(found)
    assert kind == "info"
    assert "thigh_rotation_left 5.7 degrees" in text


@pytest.mark.parametrize("other", [{}, {"LThighRotation": 0.0}, {"LThighRotation": -1.5e-18}])
def test_a_zero_is_a_value_where_no_file_has_another(other, calibrated):
    found = calibrated(parameters=FILE | {"LThighRotation": 0.0}, other=other)
    assert (found.values["thigh_rotation_left"], found.sources["thigh_rotation_left"]) == (0.0, "static file")
    assert found.sources["thigh_rotation_right"] == "default"
    assert not notes_on_values(found)


def test_files_that_differ_are_named_with_both_values_and_the_one_that_is_used(calibrated):
    other = FILE | {"LThighRotation": -0.1, "LLegLength": 930.0, "Bodymass": 70.5, "RKneeWidth": 110.05}
    found = calibrated(parameters=FILE | {"LThighRotation": 0.2}, other=other)
    assert found.values["thigh_rotation_left"] == 0.2
    ((kind, text),) = notes_on_values(found)
    assert kind == "warning"
    for part in (
        "mass 68.0 kg and 70.5 kg",
        "leg_length_left 900.0 mm and 930.0 mm",
        "thigh_rotation_left 11.5 degrees and -5.7 degrees",
        "static trial are used, since",
    ):
        assert part in text
    assert "knee_width" not in text  # 0.05 mm: the same value, from markers of two trials


def test_files_are_not_compared_where_the_studys_table_decides(calibrated):
    subject = Subject.from_si("S01", "f", {"mass": 59.0})
    assert not notes_on_values(calibrated(subject, FILE, FILE | {"Bodymass": 75.0}))


@pytest.mark.parametrize("rotation", [-2.9, 1.8])
def test_offsets_beyond_a_right_angle_are_valid_in_files_and_in_the_table(rotation, calibrated):
    assert calibrated(parameters=FILE | {"LShankRotation": rotation}).values["shank_rotation_left"] == rotation
    table = Subject.model_validate({"subject": "S01", "shank_rotation_left_deg": str(np.degrees(rotation))})
    assert calibrated(table).values["shank_rotation_left"] == pytest.approx(rotation)


def test_an_ankle_abduction_moves_the_centre_to_where_the_angle_at_it_exceeds_a_right_angle(
    standing, calibrated, person, plug_in_gait
):
    """Markers 10 and 12 degrees below the ankles' transverse axis; without the values the centres are 7 to 9 mm off."""
    points, tilted = person.pose({})[1], dict(standing)
    for side, S, lateral, angle in (("left", "L", -1.0, np.radians(10.0)), ("right", "R", 1.0, np.radians(12.0))):
        distance = 0.5 * person.values[f"ankle_width_{side}"] + 0.007
        tilted[f"{S}ANK"] = points[f"{side}_ankle"] + distance * np.array([0, -np.sin(angle), lateral * np.cos(angle)])
    with_values = FILE | {"LAnkleAbAdd": np.radians(10.0), "RAnkleAbAdd": np.radians(12.0)}
    for parameters, least, most in ((with_values, 0.0, 1e-12), (FILE, 0.006, 0.010)):
        calibration = calibrated(person.subject, parameters, markers=tilted)
        found = body_motion(tilted, 100.0, plug_in_gait, calibration).points
        for side in ("left", "right"):
            error = np.linalg.norm(found[f"{side}_ankle"] - points[f"{side}_ankle"], axis=1)
            assert least <= error.max() <= most


def test_a_marker_diameter_of_the_table_moves_the_centres_by_half_of_its_difference(standing, calibrated, plug_in_gait):
    """The Davis hip moves too, so the distance to the knee's marker is what is by hand: 50 mm + 9.5 mm."""
    subject = Subject.model_validate({"subject": "S01", "marker_diameter_mm": "19"})
    found = body_motion(standing, 100.0, plug_in_gait, calibrated(subject)).points
    np.testing.assert_allclose(np.linalg.norm(found["left_knee"] - standing["LKNE"], axis=1), 0.0595, atol=1e-12)


def test_a_walk_alone_takes_the_feet_from_the_static_offsets_of_its_file(calibrated):
    """Dorsiflexion and internal rotation from the tracked axes: about z on both sides, about y opposite."""
    offsets = {"LStaticPlantFlex": 0.2, "RStaticPlantFlex": 0.15, "LStaticRotOff": 0.08, "RStaticRotOff": -0.03}
    found = calibrated(parameters=FILE | offsets, walking=True)
    for side, dorsiflexion, about_y in (("left", 0.2, -0.08), ("right", 0.15, -0.03)):
        expected = Rotation.from_euler("ZY", [dorsiflexion, about_y]).as_matrix()
        np.testing.assert_allclose(found.frame_turns[f"{side}_foot"], expected, atol=1e-12)
    (note,) = [note.text for note in found.notes if note.subject == "calibration"]
    assert "static offsets given for left_foot, right_foot" in note
    by_pose = calibrated(walking=True).frame_turns["left_foot"]
    np.testing.assert_array_equal(calibrated(parameters=FILE | offsets).frame_turns["left_foot"], by_pose)


def test_the_pelvis_depth_is_measured_between_the_middles_of_asis_and_psis(calibrated):
    assert calibrated().values["pelvis_depth"] == pytest.approx(0.16)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"LLegLength": 0.9}, r"leg_length_left = 0\.0009 m is outside 0\.2 to 1\.3 m"),
        ({"Bodymass": 680.0}, r"mass = 680 kg is outside 3 to 300 kg"),
        ({"RKneeWidth": 500.0}, r"knee_width_right = 0\.5 m is outside 0\.03 to 0\.25 m"),
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
    lacking = {name: value for name, value in FILE.items() if name not in ("LAnkleWidth", "LKneeWidth")}
    with pytest.raises(AnatomyError, match=r"knee_width_left \(parameter LKneeWidth.*ankle_width_left \(parameter"):
        calibrated(parameters=lacking)


def test_a_mass_that_is_not_given_is_weighed_on_the_plates_and_noted(calibrated):
    weightless = {name: value for name, value in FILE.items() if name != "Bodymass"}
    vertical = 9.81 * 61.5 + np.sin(np.arange(500))
    found = calibrated(parameters=weightless, vertical=vertical)
    assert found.values["mass"] == pytest.approx(61.5, abs=0.1)
    assert found.sources["mass"] == "static: vertical force"
    assert any(note.kind == "estimated" and "61.5 kg" in note.text for note in found.notes)


def test_a_mass_that_nothing_shows_is_missing_and_so_are_the_segments_masses(calibrated):
    weightless = {name: value for name, value in FILE.items() if name != "Bodymass"}
    found = calibrated(parameters=weightless)
    assert np.isnan(found.values["mass"])
    assert all(np.isnan(segment.mass) for segment in found.segments.values())
    assert all(np.isfinite(segment.com_S).all() for segment in found.segments.values())
    (note,) = [note for note in found.notes if note.subject == "mass"]
    assert (note.kind, "angles, but no moments" in note.text) == ("left out", True)


def test_a_height_that_is_not_given_is_estimated_from_the_leg(calibrated):
    found = calibrated(parameters={name: value for name, value in FILE.items() if name != "Height"})
    assert found.values["height"] == pytest.approx(1.92 * found.values["leg_length_right"])
    assert any(note.kind == "estimated" and note.subject == "height" for note in found.notes)


@pytest.mark.parametrize(("on_plates", "warned"), [(68.5, False), (50.0, False), (80.0, True)])
def test_a_mass_below_the_weight_on_the_plates_is_warned_of(calibrated, on_plates, warned):
    """The file has 68 kg; a lower load is possible with a foot off the plate."""
    found = calibrated(vertical=9.81 * on_plates + np.sin(np.arange(500)))
    warnings = [note.text for note in found.notes if note.subject == "body mass"]
    assert len(warnings) == warned
    assert all("68.0 kg (static file), but the plates bear 80.0 kg in static" in text for text in warnings)


@pytest.mark.parametrize("vertical", [None, np.zeros(500), 600.0 + 200.0 * np.sin(np.arange(500) / 20)])
def test_a_mass_is_only_weighed_in_quiet_standing(vertical, calibrated):
    found = calibrated(parameters=FILE | {"Bodymass": 0.0}, vertical=vertical)
    assert np.isnan(found.values["mass"])


def test_the_sacrum_marker_serves_where_there_are_no_psis_markers(standing, calibrated):
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


@pytest.mark.parametrize("method", ["davis", "harrington", "bell", "hara"])
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


def test_a_foot_that_jumps_at_once_moves_for_a_twentieth_of_a_second_before_and_after():
    """At 100 Hz five frames on either side are that near to the jump between frames 19 and 20."""
    place = 0.1 * (np.arange(40) >= 20)[:, None] * [1.0, 0.0, 0.0]
    foot, sole = SimpleNamespace(frames=40, point=lambda _: place), SimpleNamespace(start="heel", end="toe")
    np.testing.assert_array_equal(np.flatnonzero(~_stationary(foot, [sole], 100.0)), np.arange(15, 25))


def test_a_walk_shows_the_level_sole_while_heel_and_toe_stand_still(person, calibrated):
    """The foot rests for 0.2 s and then lifts its heel by up to 40 degrees: only the rest counts, as in standing."""
    lift = np.concatenate([np.zeros(20), np.linspace(0.0, 0.7, 20)])[:, None] * [-1.0, 0.0, 0.0]
    walking = person.pose({f"{side}_ankle": lift for side in ("left", "right")})[0]
    still, moving = calibrated(), calibrated(markers=walking, walking=True)
    for name in ("left_foot", "right_foot"):
        # While the speed is taken over 50 ms, the first 2 frames of the lift, of 2 degrees each, count as rest.
        np.testing.assert_allclose(moving.frame_turns[name], still.frame_turns[name], atol=np.radians(0.5))
    with pytest.raises(AnatomyError, match="walk static: no value for leg_length_left"):
        calibrated(parameters={"Bodymass": 68.0, "Height": 1700.0}, walking=True)


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


def test_widths_and_leg_lengths_that_are_not_given_are_those_between_lateral_and_medial_markers(
    standing, calibrated, person
):
    """Medial markers mirror the lateral ones about the joint's centre, so that widths are the person's to rounding."""
    points, medial = person.pose({})[1], dict(standing)
    for side, S in (("left", "L"), ("right", "R")):
        for joint, lateral, other in (("knee", "KNE", "KNM"), ("ankle", "ANK", "MED")):
            medial[f"{S}{other}"] = 2.0 * points[f"{side}_{joint}"] - standing[f"{S}{lateral}"]
    found = calibrated(parameters={"Bodymass": 68.0, "Height": 1700.0}, markers=medial)
    for name in ("knee_width_left", "knee_width_right", "ankle_width_left", "ankle_width_right"):
        assert found.values[name] == pytest.approx(person.values[name], abs=1e-12)
        assert any((note.kind, note.subject) == ("estimated", name) for note in found.notes)
    asis, knee, ankle = (medial[name][0] for name in ("LASI", "LKNM", "LMED"))
    by_hand = np.linalg.norm(knee - asis) + np.linalg.norm(ankle - knee)
    assert found.values["leg_length_left"] == pytest.approx(by_hand, abs=1e-12)
    assert found.sources["leg_length_left"] == "static: LASI to LKNM to LMED"
