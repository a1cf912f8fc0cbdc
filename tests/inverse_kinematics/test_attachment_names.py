"""A marker set that names a segment or a joint which the skeleton has not is refused before anything is fitted."""

import pytest

from pipeline.anatomy import Attachments
from pipeline.errors import AnatomyError
from pipeline.inverse_kinematics import calibrate_static, check_attachments

CHANGES = {
    "markers": ({"LASI": {"segment": "uper_thorax"}}, "LASI names 'uper_thorax'.* did you mean 'upper_thorax'"),
    "centres": ({"left_hip": {"segment": "left_tigh"}}, "left_hip names 'left_tigh'"),
    "scale_factors": (
        {"trunk": {"segments": ["loin"], "axes": "y", "distance": ["LASI", "RASI"]}},
        "trunk names 'loin'",
    ),
    "joint_offsets": (
        {"foot": {"joint": "ankle_fexion", "segment": "pelvis", "axis": "y", "direction": ["LASI", "RASI"]}},
        "foot names 'ankle_fexion', which is not a joint",
    ),
    "calibrated_joints": (
        {"left_knee": {"joint": "left_nee_flexion", "segment": "left_thigh"}},
        "left_knee names 'left_nee_flexion'.* did you mean 'left_knee_flexion'",
    ),
    "regularisation": ({"factor": 10, "joints": ["spin_*"]}, "names"),
}
MARKERS = {name: {"segment": "pelvis", "at": [0, 0, z]} for name, z in (("LASI", -0.07), ("RASI", 0.07))}


@pytest.mark.parametrize("section", CHANGES)
def test_a_name_that_the_skeleton_lacks_is_refused_with_the_nearest(section, human):
    change, message = CHANGES[section]
    definition = Attachments.model_validate(
        {"markers": MARKERS, section: MARKERS | change if section == "markers" else change}
    )
    message = rf"skeleton\.{section}[. ]{message}"
    with pytest.raises(AnatomyError, match=message):
        check_attachments(definition, human)
    with pytest.raises(AnatomyError, match=message):
        calibrate_static(human, definition, {}, 1.7)


def test_all_names_are_reported_at_once(human):
    markers = {"A": {"segment": "uper_thorax"}, "B": {"segment": "left_hnad"}}
    with pytest.raises(AnatomyError, match=r"markers\.A names 'uper_thorax'.*markers\.B names 'left_hnad'"):
        check_attachments(Attachments.model_validate({"markers": markers}), human)


def test_the_shipped_sets_fit_the_skeleton(human, definition):
    check_attachments(definition, human)
