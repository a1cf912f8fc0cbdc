"""Every published trial of unusual kind gives results, or one clear sentence: nothing crashes, nothing is silent.

Body values are invented where the files have none; each walk calibrates itself, as none has a static trial.
"""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import recognised, shipped_sets, with_set_labels
from pipeline.cli.draft import guess_kind
from pipeline.cli.marker_sets import describe_match
from pipeline.config import Subject
from pipeline.errors import PipelineError
from pipeline.stages import inverse_dynamics
from tests.walks import kinematics_of

pytestmark = pytest.mark.long

SIZES = {"leg_length": 900.0, "knee_width": 105.0, "ankle_width": 70.0}
PERSON = Subject(
    subject="edge",
    sex="f",
    mass_kg=70.0,
    height_m=1.7,
    **{f"{value}_{side}_mm": size for value, size in SIZES.items() for side in ("left", "right")},  # type: ignore[arg-type]
)

NO_SET = "marker set: no shipped one"
BOTH, RIGHT, ANGLES = "moments of both legs", "moments of the right leg", "angles"
EXPECTED = {
    **{f"byteorder/{name}": NO_SET for name in ("DEC_INT.C3D", "Dec_real.c3d", "MACsample.c3d")},
    **{f"byteorder/{name}.c3d": NO_SET for name in ("pc_int", "pc_real", "sgi_int", "sgi_real")},
    "corrupt/Empty.c3d": "is empty",
    "corrupt/simple.c3d": "processor type 0",
    **{f"corrupt/{name}.c3d": "is damaged at byte" for name in ("Facial-Sing", "badParameterOffset", "short-copy")},
    "corrupt/bad_parameter_section.c3d": "is damaged at byte",
    "labels_params/MyCube.c3d": NO_SET,
    "labels_params/Walking_Hybrid_2.c3d": NO_SET,
    "labels_params/duplicate_labels.c3d": NO_SET,
    "labels_params/PiG_Calibration-FlatFoot-Hole.c3d": ANGLES,
    "labels_params/PiG_Calibration-FlatFoot-One.c3d": "no segment is seen for 0.1 s",
    **{f"labels_params/{name}.c3d": BOTH for name in ("gait-pig", "gait-raw", "sub_labels")},
    "platetype/128analogchannels.c3d": NO_SET,
    "platetype/TYPE-2.C3D": NO_SET,
    "platetype/TYPE-3.c3d": NO_SET,
    "platetype/TYPE-4.C3D": NO_SET,
    **{f"platetype/analogfpscale{name}.c3d": ANGLES for name in ("03", "04", "04i")},  # no markers of the shanks
    "platetype/evart.c3d": BOTH,
    "platetype/sample21.c3d": NO_SET,
    **{f"platetype/type-{name}.c3d": RIGHT for name in ("2a", "4a")},
    "platetype/type1.C3D": BOTH,
}
"""What each file gives, or what its sentence says."""


def outcome(path) -> str:
    """What a file gives, in the words of `EXPECTED`, or its sentence."""
    try:
        trial = read_trial(path)
        walking = guess_kind(trial)[0] == "walk"
        found = recognised(trial, walking=walking)
        if not found.recognised:
            return next(describe_match(found))
        marker_set = next(marker_set for marker_set in shipped_sets() if marker_set.name == found.marker_set)
        trial = with_set_labels(trial, marker_set)
        motion = kinematics_of(trial, trial, marker_set, PERSON)
        loads = inverse_dynamics.run(motion)
    except PipelineError as error:
        return str(error)
    known = {name for name, joint in loads.joints.items() if np.isfinite(joint.moment_G).any()}
    legs = [side for side in ("left", "right") if {f"{side}_hip", f"{side}_knee", f"{side}_ankle"} <= known]
    assert any(np.isfinite(angles).any() for angles in motion.angles.values())
    return {2: BOTH, 1: f"moments of the {''.join(legs)} leg", 0: ANGLES}[len(legs)]


@pytest.mark.parametrize("name", EXPECTED)
def test_results_or_one_clear_sentence(trials, name):
    found = outcome(trials / "edge" / name)
    assert EXPECTED[name] in found
    assert "\n" not in found
    assert "nan" not in found


def test_every_file_is_listed(trials):
    folder = trials / "edge"
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(EXPECTED)


def test_without_heel_markers_the_knees_are_those_that_plug_in_gait_stored(trials):
    """Foreign body values and offsets shift the curves; their course is the same within 3 degrees."""
    trial = read_trial(trials / "edge/labels_params/gait-pig.c3d")
    (marker_set,) = (marker_set for marker_set in shipped_sets() if marker_set.name == "plug_in_gait")
    motion = kinematics_of(trial, trial, marker_set, PERSON)
    for side, label in (("left", "LKneeAngles"), ("right", "RKneeAngles")):
        stored, found = trial.model_outputs[label].values[:, 0], np.degrees(motion.angles[f"{side}_knee"][:, 0])
        both = np.isfinite(found) & (stored != 0.0)
        assert both.sum() > 50
        assert np.std(found[both] - stored[both]) < 3.0
    assert any(note.subject == "left_heel" and "left_ankle" in note.text for note in motion.notes)
