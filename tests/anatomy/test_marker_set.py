"""A marker set that a user writes is checked before anything is computed with it."""

import numpy as np
import pytest
import yaml

from pipeline.anatomy import calibrate, load_marker_set
from pipeline.config import Subject
from pipeline.errors import AnatomyError, ConfigError


@pytest.fixture
def edited(plug_in_gait_path, tmp_path):
    """Load a copy of the shipped marker set after ``change(data)``."""

    def load(change):
        data = yaml.safe_load(plug_in_gait_path.read_text(encoding="utf-8"))
        change(data)
        path = tmp_path / "mine.yaml"
        path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
        return load_marker_set(path)

    return load


def test_the_shipped_marker_set_writes_out_both_sides(plug_in_gait):
    assert plug_in_gait.name == "plug_in_gait"
    assert {"left_hip", "right_hip", "left_knee", "right_ankle", "sacrum"} <= set(plug_in_gait.points)
    assert plug_in_gait.points["right_knee"].chord.marker == "RKNE"
    assert plug_in_gait.points["left_knee"].chord.marker == "LKNE"
    assert set(plug_in_gait.feet) == {"left", "right"}


def test_other_prefixes_give_other_labels(edited):
    def change(data):
        data["sides"] = {"left": "Left", "right": "Right"}
        del data["skeleton"]  # it names labels of both sides in full

    marker_set = edited(change)
    assert marker_set.points["left_knee"].chord.marker == "LeftKNE"


def rename(mapping, old, new):
    mapping[new] = mapping.pop(old)


MISTAKES = {
    "a top-level key": (lambda d: rename(d, "segments", "segmnets"), "unknown key 'segmnets'; did you mean 'segments'"),
    "a key inside": (
        lambda d: rename(d["points"]["{side}_knee"]["chord"], "width", "widht"),
        r"points\.left_knee\.chord: unknown key 'widht'; did you mean 'width'",
    ),
    "a key of a direction": (
        lambda d: rename(d["frames"]["{side}_thigh"]["axes"]["y"], "from", "form"),
        "did you mean 'from'",
    ),
    "an axis": (lambda d: rename(d["frames"]["pelvis"]["axes"], "z", "w"), "frames.pelvis.axes"),
    "a unit": (lambda d: d["subject_values"]["mass"].update(unit="stone"), "subject_values.mass: 'unit' should be"),
    "a missing entry": (
        lambda d: d["segments"]["{side}_foot"].pop("table"),
        r"segments\.left_foot: 'table' is missing",
    ),
    "two constructions": (
        lambda d: d["points"]["mid_asis"].update(hip_regression="pelvis"),
        "exactly one of mean, chord, hip_regression",
    ),
    "no construction": (lambda d: d["points"].update(spot={}), "exactly one of mean, chord, hip_regression"),
    "half a frame": (lambda d: d["frames"]["pelvis"].pop("origin"), "an origin and two axes"),
    "a single axis": (lambda d: d["frames"]["pelvis"]["axes"].pop("x"), "frames.pelvis: 'axes'"),
    "a direction to nowhere": (
        lambda d: d["frames"]["pelvis"]["axes"]["z"].pop("to"),
        "either from and to, or axis",
    ),
    "two rules otherwise": (
        lambda d: d["subject_values"]["mass"]["otherwise"].update(value=70.0),
        "exactly one of distance, width, path, linear, value, standing_force",
    ),
    "a marker of 30 cm": (lambda d: d.update(marker_radius=0.3), "marker_radius"),
    "an undefined width": (
        lambda d: d["points"]["{side}_knee"]["chord"].update(width="knee_girth_{side}"),
        "point left_knee names 'knee_girth_left', which is not defined",
    ),
    "an undefined rotation": (
        lambda d: d["points"]["{side}_knee"]["chord"].update(rotation="twist"),
        "point left_knee names 'twist'",
    ),
    "an undefined frame of a segment": (
        lambda d: d["segments"]["{side}_shank"].update(frame="{side}_calf"),
        "segment left_shank names 'left_calf'",
    ),
    "an undefined frame of a joint": (
        lambda d: d["joints"]["{side}_knee"].update(proximal="{side}_tight"),
        "joint left_knee names 'left_tight'",
    ),
    "an undefined turned frame": (
        lambda d: d["frames"]["{side}_tibia_proximal"]["turned"].update(frame="{side}_calf"),
        "frame left_tibia_proximal names 'left_calf'",
    ),
    "an undefined angle to turn by": (
        lambda d: d["frames"]["{side}_tibia_proximal"]["turned"].update(by="torsion"),
        "frame left_tibia_proximal names 'torsion'",
    ),
    "an undefined frame for an axis": (
        lambda d: d["frames"]["{side}_foot"]["axes"]["z"].update(axis="{side}_calf"),
        "frame left_foot names 'left_calf'",
    ),
    "an undefined frame of a fixed point": (
        lambda d: d["points"]["mid_asis"].update(fixed_in="sacral"),
        "point mid_asis names 'sacral'",
    ),
    "an undefined pelvis of a hip": (
        lambda d: d["points"]["{side}_hip"].update(hip_regression="hips"),
        "point left_hip names 'hips'",
    ),
    "an undefined value to compute from": (
        lambda d: d["subject_values"]["asis_trochanter_{side}"]["otherwise"]["linear"].update(of="leg"),
        "subject value asis_trochanter_left names 'leg'",
    ),
    "a hip regression without what it needs": (
        lambda d: d["subject_values"].pop("pelvis_depth"),
        "point left_hip names 'pelvis_depth'",
    ),
    "no body mass": (lambda d: d["subject_values"].pop("mass"), "names 'mass'"),
    "no pelvis": (
        lambda d: [
            rename(d["frames"], "pelvis", "basin"),
            d["points"]["{side}_hip"].update(hip_regression="basin"),
            d["joints"]["{side}_hip"].update(proximal="basin"),
        ],
        "names 'pelvis'",
    ),
    "a misspelt end of a segment": (
        lambda d: d["segments"]["{side}_thigh"].update(distal="{side}_kne"),
        "segment left_thigh names 'left_kne', which is neither .* of the set; did you mean 'left_knee'",
    ),
    "an end of a segment that is nowhere": (
        lambda d: d["segments"]["{side}_foot"].update(heel="calx"),
        "segment left_foot names 'calx'",
    ),
    "a misspelt centre": (
        lambda d: d["joints"]["{side}_ankle"].update(centre="{side}_ankel"),
        "joint left_ankle names 'left_ankel'.* did you mean 'left_ankle'",
    ),
    "a misspelt toe": (lambda d: d["feet"]["{side}"].update(toe="{side}_tow"), "the left foot names 'left_tow'"),
    "a misspelt origin": (
        lambda d: d["frames"]["pelvis"].update(origin="mid_asi"),
        "frame pelvis names 'mid_asi'.* did you mean 'mid_asis'",
    ),
    "a misspelt point of a direction": (
        lambda d: d["frames"]["pelvis"]["axes"]["x"].update({"from": "sacrun"}),
        "'sacrun' is neither a point nor a marker of the set; did you mean the point 'sacrum'",
    ),
    "a misspelt point to measure from": (
        lambda d: d["subject_values"]["pelvis_depth"]["otherwise"].update(distance=["sacrum", "mid_assis"]),
        "'mid_assis' is neither .* did you mean the point 'mid_asis'",
    ),
    "a joint that nothing would find": (
        lambda d: rename(d["joints"], "{side}_knee", "{side}_nkee"),
        "joints has 'left_nkee', which is not used; did you mean 'left_knee'",
    ),
    "a segment that nothing would find": (
        lambda d: rename(d["segments"], "{side}_shank", "{side}_shnak"),
        "segments has 'left_shnak'",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_refused_by_name_and_with_the_file(mistake, edited):
    change, message = MISTAKES[mistake]
    with pytest.raises(ConfigError, match=message) as error:
        edited(change)
    assert "mine.yaml" in str(error.value)


def test_all_mistakes_of_a_file_are_reported_at_once(edited):
    def change(data):
        data["points"]["mid_asis"]["maen"] = 1
        data["frames"]["pelvis"]["orgin"] = "mid_asis"

    with pytest.raises(ConfigError) as error:
        edited(change)
    assert "'mean'" in str(error.value)
    assert "'origin'" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("points: [", "is not YAML"),
        ("- a\n- b\n", "mapping of keys"),
        ("name: x\n", "'sides'"),
        ("name: x\nsides: {left: L}\n", "'sides'"),
    ],
)
def test_what_is_no_marker_set_is_refused(text, message, tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_marker_set(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_marker_set(tmp_path / "none.yaml")


def test_circular_definitions_are_refused_by_name(edited, person, record):
    def change(data):
        data["points"]["mid_asis"] = {"mean": ["sacrum"]}
        data["points"]["sacrum"] = {"mean": ["mid_asis"]}

    marker_set = edited(change)
    with pytest.raises(AnatomyError, match=r"sacrum -> mid_asis -> sacrum|mid_asis -> sacrum -> mid_asis"):
        calibrate(record(person.pose({})[0]), marker_set, Subject.from_si("S01", None, person.values))


def test_a_point_that_only_the_static_trial_shows_keeps_its_position_in_its_frame(edited, person, record, pose_angles):
    """A medial knee marker, seen in the static trial, is fixed in the thigh during the walk."""
    from pipeline.anatomy import body_motion

    marker_set = edited(
        lambda d: d["points"].update(medial={"mean": ["MED"], "fixed_in": "left_thigh"}),
    )
    standing, points, R = person.pose({})
    offset = np.array([0.01, -0.38, 0.06])
    standing["MED"] = points["left_hip"] + R["left_thigh"] @ offset
    calibration = calibrate(record(standing), marker_set, person.subject)
    np.testing.assert_allclose(calibration.point_offsets["medial"], offset, atol=1e-9)
    walking, points, R = person.pose(pose_angles)
    body = body_motion(walking, 100.0, marker_set, calibration)
    np.testing.assert_allclose(body.points["medial"], points["left_hip"] + R["left_thigh"] @ offset, atol=1e-9)
    assert body.absent == ()


def test_a_knee_whose_centre_is_a_marker_has_no_offset_of_a_wand(plug_in_gait) -> None:
    joints = dict(plug_in_gait.joints)
    joints["left_knee"] = joints["left_knee"].model_copy(update={"centre": "LKNE"})
    of_marker = plug_in_gait.model_copy(update={"joints": joints})
    assert of_marker.knee_axis_offset("left") is None
    assert of_marker.knee_axis_offset("right") == "thigh_rotation_right"
