"""The body from labelled markers: marker sets, static calibration, joint centres, segment frames, inertia and motion.

In: recordings, a marker set, the subject's values. Out: a calibrated body, and its points, segments, joint poses and
angles over a walk. Independent of forces.
"""

from pipeline.anatomy.attachments import Attachments, CalibratedJoint, JointOffset, Landmark, Site
from pipeline.anatomy.calibration import calibrate
from pipeline.anatomy.chord import chord
from pipeline.anatomy.cluster import cluster_pose, cluster_shape
from pipeline.anatomy.drafted_set import LANDMARKS_NEEDED, drafted_set
from pipeline.anatomy.functional_hip import FunctionalHip, common_centre, functional_hips
from pipeline.anatomy.functional_knee import FunctionalKnee, common_axis, functional_knees
from pipeline.anatomy.hip_centre import hip_centre_in_pelvis
from pipeline.anatomy.inertia import inertia_about_com, table_row
from pipeline.anatomy.labels import set_labels, with_set_labels
from pipeline.anatomy.landmark_guesses import Guess, guess_landmarks
from pipeline.anatomy.marker_set import MarkerSet, load_marker_set
from pipeline.anatomy.motion import BodyMotion, body_motion, joint_angles, pelvis_angles
from pipeline.anatomy.pose import BodyPose
from pipeline.anatomy.recognition import Match, best_match, match, outputs_in_words
from pipeline.anatomy.subject_values import MassOfSteps

__all__ = [
    "LANDMARKS_NEEDED",
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
    "outputs_in_words",
    "pelvis_angles",
    "set_labels",
    "table_row",
    "with_set_labels",
]
