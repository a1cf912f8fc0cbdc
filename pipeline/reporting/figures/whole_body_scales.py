"""What each panel of the whole skeleton's page shows; those that a walk's own page has too are in `scales`."""

from __future__ import annotations

from pipeline.reporting.figures.drawing import Scale
from pipeline.reporting.figures.scales import SCALES

_UPPER = {
    "trunk_flexion": Scale("Trunk flexion", "°", "Forward", "Backward", -20, 20),
    "trunk_bending": Scale("Trunk bending", "°", "Own side", "Other side", -20, 20),
    "trunk_rotation": Scale("Trunk rotation", "°", "Forward", "Backward", -20, 20),
    "head_flexion": Scale("Head flexion", "°", "Forward", "Backward", -30, 30),
    "head_bending": Scale("Head bending", "°", "Own side", "Other side", -20, 20),
    "head_rotation": Scale("Head rotation", "°", "Forward", "Backward", -20, 20),
    "shoulder_flexion": Scale("Shoulder flexion", "°", "Flexion", "Extension", -40, 40),
    "shoulder_adduction": Scale("Shoulder adduction", "°", "Adduction", "Abduction", -40, 20),
    "shoulder_rotation": Scale("Shoulder rotation", "°", "Internal", "External", -60, 60),
    "elbow_flexion": Scale("Elbow flexion", "°", "Flexion", "", 0, 90),
    "elbow_pronation": Scale("Forearm pronation", "°", "Pronation", "", 0, 150),
    "wrist_flexion": Scale("Wrist flexion", "°", "Flexion", "Extension", -40, 40),
    "trunk_extensor_moment": Scale("Trunk extensor moment", "Nm/kg", "Extensor", "Flexor", -0.6, 0.6),
    "trunk_bending_moment": Scale("Trunk bending moment", "Nm/kg", "Own side", "Other side", -0.6, 0.6),
    "trunk_rotation_moment": Scale("Trunk rotation moment", "Nm/kg", "Forward", "Backward", -0.3, 0.3),
    "shoulder_flexor_moment": Scale("Shoulder flexor moment", "Nm/kg", "Flexor", "Extensor", -0.15, 0.15),
    "elbow_flexor_moment": Scale("Elbow flexor moment", "Nm/kg", "Flexor", "Extensor", -0.06, 0.06),
    "neck_extensor_moment": Scale("Neck extensor moment", "Nm/kg", "Extensor", "Flexor", -0.1, 0.1),
    "hip_force": Scale("Hip force", "BW", "", "", 0, 1.4),
    "knee_force": Scale("Knee force", "BW", "", "", 0, 1.4),
    "ankle_force": Scale("Ankle force", "BW", "", "", 0, 1.4),
    "lumbar_force": Scale("Lumbar force", "BW", "", "", 0, 1.0),
    "shoulder_force": Scale("Shoulder force", "BW", "", "", 0, 0.1),
    "neck_force": Scale("Neck force", "BW", "", "", 0, 0.1),
}

BODY_SCALES = SCALES | _UPPER
"""Panels by the name of their variable; signs as in `pipeline.analysis.whole_body.variables`."""

ANGLE_ROWS = {
    "Pelvis": ("pelvic_tilt", "pelvic_obliquity", "pelvic_rotation"),
    "Hip": ("hip_flexion", "hip_adduction", "hip_rotation"),
    "Knee and ankle": ("knee_flexion", "ankle_dorsiflexion", "ankle_inversion"),
    "Trunk, thorax in pelvis": ("trunk_flexion", "trunk_bending", "trunk_rotation"),
    "Head in thorax": ("head_flexion", "head_bending", "head_rotation"),
    "Shoulder": ("shoulder_flexion", "shoulder_adduction", "shoulder_rotation"),
    "Elbow, forearm and wrist": ("elbow_flexion", "elbow_pronation", "wrist_flexion"),
}

TORQUE_ROWS = {
    "Leg, sagittal plane": ("hip_extensor_moment", "knee_extensor_moment", "ankle_plantarflexor_moment"),
    "Leg, frontal plane": ("hip_abductor_moment", "knee_abductor_moment", "ankle_evertor_moment"),
    "Leg, transverse plane": ("hip_rotator_moment", "knee_rotator_moment", "ankle_rotator_moment"),
    "Lowest joint of the spine": ("trunk_extensor_moment", "trunk_bending_moment", "trunk_rotation_moment"),
    "Arm and neck": ("shoulder_flexor_moment", "elbow_flexor_moment", "neck_extensor_moment"),
}

FORCE_ROWS = {
    "Magnitude of the net joint force": ("hip_force", "knee_force", "ankle_force"),
    "": ("lumbar_force", "shoulder_force", "neck_force"),
}

MARKERS = Scale("Distance of the markers, RMS", "mm", "", "", 0, 15)

RESIDUAL_FORCES = (
    Scale("Fore-aft", "% BW", "Forward", "Backward", -10, 10),
    Scale("Vertical", "% BW", "Up", "Down", -10, 10),
    Scale("Sideways", "% BW", "Right", "Left", -10, 10),
)

RESIDUAL_MOMENTS = (
    Scale("About the upward axis", "% BW·height", "", "", -2, 2),
    Scale("About the forward axis", "% BW·height", "", "", -2, 2),
    Scale("About the rightward axis", "% BW·height", "", "", -2, 2),
)
