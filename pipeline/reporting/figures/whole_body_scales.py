"""What each panel of the whole skeleton's page shows; those that a walk's own page has too are in `scales`."""

from __future__ import annotations

from pipeline.reporting.figures.panels import YAxis
from pipeline.reporting.figures.scales import SCALES

_UPPER = {
    "trunk_flexion": YAxis("Trunk flexion", "°", "Forward", "Backward", -20, 20),
    "trunk_bending": YAxis("Trunk bending", "°", "Own side", "Other side", -20, 20),
    "trunk_rotation": YAxis("Trunk rotation", "°", "Forward", "Backward", -20, 20),
    "head_flexion": YAxis("Head flexion", "°", "Forward", "Backward", -30, 30),
    "head_bending": YAxis("Head bending", "°", "Own side", "Other side", -20, 20),
    "head_rotation": YAxis("Head rotation", "°", "Forward", "Backward", -20, 20),
    "shoulder_flexion": YAxis("Shoulder flexion", "°", "Flexion", "Extension", -40, 40),
    "shoulder_adduction": YAxis("Shoulder adduction", "°", "Adduction", "Abduction", -40, 20),
    "shoulder_rotation": YAxis("Shoulder rotation", "°", "Internal", "External", -60, 60),
    "elbow_flexion": YAxis("Elbow flexion", "°", "Flexion", "", 0, 90),
    "elbow_pronation": YAxis("Forearm pronation", "°", "Pronation", "", 0, 150),
    "wrist_flexion": YAxis("Wrist flexion", "°", "Flexion", "Extension", -40, 40),
    "trunk_extensor_moment": YAxis("Trunk extensor moment", "Nm/kg", "Extensor", "Flexor", -0.6, 0.6),
    "trunk_bending_moment": YAxis("Trunk bending moment", "Nm/kg", "Own side", "Other side", -0.6, 0.6),
    "trunk_rotation_moment": YAxis("Trunk rotation moment", "Nm/kg", "Forward", "Backward", -0.3, 0.3),
    "shoulder_flexor_moment": YAxis("Shoulder flexor moment", "Nm/kg", "Flexor", "Extensor", -0.15, 0.15),
    "elbow_flexor_moment": YAxis("Elbow flexor moment", "Nm/kg", "Flexor", "Extensor", -0.06, 0.06),
    "neck_extensor_moment": YAxis("Neck extensor moment", "Nm/kg", "Extensor", "Flexor", -0.1, 0.1),
    "hip_force": YAxis("Hip force", "BW", "", "", 0, 1.4),
    "knee_force": YAxis("Knee force", "BW", "", "", 0, 1.4),
    "ankle_force": YAxis("Ankle force", "BW", "", "", 0, 1.4),
    "lumbar_force": YAxis("Lumbar force", "BW", "", "", 0, 1.0),
    "shoulder_force": YAxis("Shoulder force", "BW", "", "", 0, 0.1),
    "neck_force": YAxis("Neck force", "BW", "", "", 0, 0.1),
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

MARKERS = YAxis("Distance of the markers, RMS", "mm", "", "", 0, 15)

RESIDUAL_FORCES = (
    YAxis("Fore-aft", "% BW", "Forward", "Backward", -10, 10),
    YAxis("Vertical", "% BW", "Up", "Down", -10, 10),
    YAxis("Sideways", "% BW", "Right", "Left", -10, 10),
)

RESIDUAL_MOMENTS = (
    YAxis("About the upward axis", "% BW·height", "", "", -2, 2),
    YAxis("About the forward axis", "% BW·height", "", "", -2, 2),
    YAxis("About the rightward axis", "% BW·height", "", "", -2, 2),
)
