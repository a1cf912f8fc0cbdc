from .attachments import Attachments, CalibratedJoint, JointOffset, Landmark, Site
from .calibration import calibrate
from .chord import chord
from .cluster import cluster_pose, cluster_shape
from .drafted_set import LANDMARKS_NEEDED, TODO, drafted_set
from .functional_hip import FunctionalHip, common_centre, functional_hips
from .functional_knee import FunctionalKnee, common_axis, functional_knees
from .hip_centre import hip_centre_in_pelvis
from .inertia import inertia_about_com, table_row
from .labels import set_labels, with_set_labels
from .landmark_guesses import Guess, guess_landmarks
from .marker_set import MarkerSet
from .marker_set_file import load_marker_set
from .motion import BodyMotion, body_motion, joint_angles, pelvis_angles
from .pose import BodyPose
from .recognition import Match, best_match, match, outputs_in_words
from .shipped_sets import named_or_recognised, recognised, seen_labels, set_named, shipped_sets
from .subject_values import MassOfSteps

__all__ = [
    "LANDMARKS_NEEDED",
    "TODO",
    "Attachments",
    "BodyMotion",
    "BodyPose",
    "CalibratedJoint",
    "FunctionalHip",
    "FunctionalKnee",
    "Guess",
    "JointOffset",
    "Landmark",
    "MarkerSet",
    "MassOfSteps",
    "Match",
    "Site",
    "best_match",
    "body_motion",
    "calibrate",
    "chord",
    "cluster_pose",
    "cluster_shape",
    "common_axis",
    "common_centre",
    "drafted_set",
    "functional_hips",
    "functional_knees",
    "guess_landmarks",
    "hip_centre_in_pelvis",
    "inertia_about_com",
    "joint_angles",
    "load_marker_set",
    "match",
    "named_or_recognised",
    "outputs_in_words",
    "pelvis_angles",
    "recognised",
    "seen_labels",
    "set_labels",
    "set_named",
    "shipped_sets",
    "table_row",
    "with_set_labels",
]
