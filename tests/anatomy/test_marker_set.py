"""A marker set that a user writes is checked before anything is computed with it."""

from functools import reduce
from operator import getitem

import numpy as np
import pytest
import yaml

from pipeline.anatomy import calibrate, load_marker_set
from pipeline.config import Subject
from pipeline.errors import AnatomyError, ConfigError

GONE = object()


class Key(str):
    """The new name of an entry that keeps its content."""


@pytest.fixture
def edited(plug_in_gait_path, tmp_path):
    """Load a copy of the shipped set whose entries of these dotted names become a value, ``GONE`` or a ``Key``."""

    def load(changes):
        data = yaml.safe_load(plug_in_gait_path.read_text(encoding="utf-8"))
        for entry, value in changes.items():
            *names, last = entry.split(".")
            parent = reduce(getitem, names, data)
            old = parent.pop(last, None)
            if isinstance(value, Key):
                parent[str(value)] = old
            elif value is not GONE:
                parent[last] = value
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
    # The skeleton names labels of both sides in full.
    marker_set = edited({"sides": {"left": "Left", "right": "Right"}, "skeleton": GONE})
    assert marker_set.points["left_knee"].chord.marker == "LeftKNE"


# Entries of the shipped set, what each becomes, and what is said about it.
MISTAKES = [
    ({"segments": Key("segmnets")}, "unknown key 'segmnets'; did you mean 'segments'"),
    (
        {"points.{side}_knee.chord.width": Key("widht")},
        r"points\.left_knee\.chord: unknown key 'widht'; did you mean 'width'",
    ),
    ({"frames.{side}_thigh.axes.y.from": Key("form")}, "did you mean 'from'"),
    ({"frames.pelvis.axes.z": Key("w")}, "frames.pelvis.axes"),
    ({"subject_values.mass.unit": "stone"}, "subject_values.mass: 'unit' should be"),
    ({"segments.{side}_foot.table": GONE}, r"segments\.left_foot: 'table' is missing"),
    ({"points.mid_asis.hip_regression": "pelvis"}, "exactly one of mean, chord, hip_regression"),
    ({"points.spot": {}}, "exactly one of mean, chord, hip_regression"),
    ({"frames.pelvis.origin": GONE}, "an origin and two axes"),
    ({"frames.pelvis.axes.x": GONE}, "frames.pelvis: 'axes'"),
    ({"frames.pelvis.axes.z.to": GONE}, "either from and to, or axis"),
    (
        {"subject_values.mass.otherwise.value": 70.0},
        "exactly one of distance, width, path, linear, value, standing_force",
    ),
    ({"marker_radius": 0.3}, "marker_radius"),
    (
        {"points.{side}_knee.chord.width": "knee_girth_{side}"},
        "point left_knee names 'knee_girth_left', which is not defined",
    ),
    ({"points.{side}_knee.chord.rotation": "twist"}, "point left_knee names 'twist'"),
    ({"segments.{side}_shank.frame": "{side}_calf"}, "segment left_shank names 'left_calf'"),
    ({"joints.{side}_knee.proximal": "{side}_tight"}, "joint left_knee names 'left_tight'"),
    ({"frames.{side}_tibia_proximal.turned.frame": "{side}_calf"}, "frame left_tibia_proximal names 'left_calf'"),
    ({"frames.{side}_tibia_proximal.turned.by": "torsion"}, "frame left_tibia_proximal names 'torsion'"),
    ({"frames.{side}_foot.axes.z.axis": "{side}_calf"}, "frame left_foot names 'left_calf'"),
    ({"points.mid_asis.fixed_in": "sacral"}, "point mid_asis names 'sacral'"),
    ({"points.{side}_hip.hip_regression": "hips"}, "point left_hip names 'hips'"),
    (
        {"subject_values.asis_trochanter_{side}.otherwise.linear.of": "leg"},
        "subject value asis_trochanter_left names 'leg'",
    ),
    ({"subject_values.pelvis_depth": GONE}, "point left_hip names 'pelvis_depth'"),
    ({"subject_values.mass": GONE}, "names 'mass'"),
    (
        {
            "frames.pelvis": Key("basin"),
            "points.{side}_hip.hip_regression": "basin",
            "joints.{side}_hip.proximal": "basin",
        },
        "names 'pelvis'",
    ),
    (
        {"segments.{side}_thigh.distal": "{side}_kne"},
        "segment left_thigh names 'left_kne', which is neither .* of the set; did you mean 'left_knee'",
    ),
    ({"segments.{side}_foot.heel": "calx"}, "segment left_foot names 'calx'"),
    ({"joints.{side}_ankle.centre": "{side}_ankel"}, "joint left_ankle names 'left_ankel'.* did you mean 'left_ankle'"),
    ({"feet.{side}.toe": "{side}_tow"}, "the left foot names 'left_tow'"),
    ({"frames.pelvis.origin": "mid_asi"}, "frame pelvis names 'mid_asi'.* did you mean 'mid_asis'"),
    (
        {"frames.pelvis.axes.x.from": "sacrun"},
        "'sacrun' is neither a point nor a marker of the set; did you mean the point 'sacrum'",
    ),
    (
        {"subject_values.pelvis_depth.otherwise.distance": ["sacrum", "mid_assis"]},
        "'mid_assis' is neither .* did you mean the point 'mid_asis'",
    ),
    ({"joints.{side}_knee": Key("{side}_nkee")}, "joints has 'left_nkee', which is not used; did you mean 'left_knee'"),
    ({"segments.{side}_shank": Key("{side}_shnak")}, "segments has 'left_shnak'"),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES)
def test_a_mistake_is_refused_by_name_and_with_the_file(changes, message, edited):
    with pytest.raises(ConfigError, match=message) as error:
        edited(changes)
    assert "mine.yaml" in str(error.value)


def test_all_mistakes_of_a_file_are_reported_at_once(edited):
    with pytest.raises(ConfigError) as error:
        edited({"points.mid_asis.maen": 1, "frames.pelvis.orgin": "mid_asis"})
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
    marker_set = edited({"points.mid_asis": {"mean": ["sacrum"]}, "points.sacrum": {"mean": ["mid_asis"]}})
    with pytest.raises(AnatomyError, match=r"sacrum -> mid_asis -> sacrum|mid_asis -> sacrum -> mid_asis"):
        calibrate(record(person.pose({})[0]), marker_set, Subject.from_si("S01", None, person.values))


def test_a_point_that_only_the_static_trial_shows_keeps_its_position_in_its_frame(edited, person, record, pose_angles):
    """A medial knee marker, seen in the static trial, is fixed in the thigh during the walk."""
    from pipeline.anatomy import body_motion

    marker_set = edited({"points.medial": {"mean": ["MED"], "fixed_in": "left_thigh"}})
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
