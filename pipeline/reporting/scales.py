"""What each panel shows: title, units, the words for positive and negative, and the range usual in walking."""

from __future__ import annotations

from pipeline.reporting.drawing import Scale

PLANES = ("Sagittal plane", "Frontal plane", "Transverse plane")

ANGLES: dict[str, tuple[Scale, Scale, Scale]] = {
    "pelvis": (
        Scale("Pelvic tilt", "°", "Anterior", "Posterior", -10, 30),
        Scale("Pelvic obliquity", "°", "Up", "Down", -20, 20),
        Scale("Pelvic rotation", "°", "Forward", "Backward", -30, 30),
    ),
    "hip": (
        Scale("Hip flexion", "°", "Flexion", "Extension", -20, 60),
        Scale("Hip adduction", "°", "Adduction", "Abduction", -20, 20),
        Scale("Hip rotation", "°", "Internal", "External", -30, 30),
    ),
    "knee": (
        Scale("Knee flexion", "°", "Flexion", "Extension", -10, 75),
        Scale("Knee adduction", "°", "Varus", "Valgus", -20, 20),
        Scale("Knee rotation", "°", "Internal", "External", -30, 30),
    ),
    "ankle": (
        Scale("Ankle dorsiflexion", "°", "Dorsi", "Plantar", -30, 30),
        Scale("Ankle inversion", "°", "Inversion", "Eversion", -20, 20),
        Scale("Foot rotation to shank", "°", "Internal", "External", -30, 30),
    ),
}
"""Angles by joint, for the planes in order; signs as in `pipeline.trial.CycleCurves`."""

MOMENTS: dict[str, tuple[Scale, Scale, Scale]] = {
    "hip": (
        Scale("Hip extensor moment", "Nm/kg", "Extensor", "Flexor", -1.2, 1.2),
        Scale("Hip abductor moment", "Nm/kg", "Abductor", "Adductor", -0.4, 1.2),
        Scale("Hip rotator moment", "Nm/kg", "External", "Internal", -0.3, 0.3),
    ),
    "knee": (
        Scale("Knee extensor moment", "Nm/kg", "Extensor", "Flexor", -0.8, 0.8),
        Scale("Knee abductor moment", "Nm/kg", "Abductor", "Adductor", -0.4, 0.8),
        Scale("Knee rotator moment", "Nm/kg", "External", "Internal", -0.3, 0.3),
    ),
    "ankle": (
        Scale("Plantarflexor moment", "Nm/kg", "Plantarfl.", "Dorsifl.", -0.5, 1.8),
        Scale("Ankle evertor moment", "Nm/kg", "Evertor", "Invertor", -0.3, 0.3),
        Scale("Ankle rotator moment", "Nm/kg", "External", "Internal", -0.3, 0.3),
    ),
}
"""Internal moments by joint, for the planes in order; signs as in `pipeline.trial.CycleCurves`."""

POWERS: dict[str, Scale] = {
    "hip": Scale("Hip power", "W/kg", "Generation", "Absorption", -2, 2),
    "knee": Scale("Knee power", "W/kg", "Generation", "Absorption", -2, 2),
    "ankle": Scale("Ankle power", "W/kg", "Generation", "Absorption", -2, 4),
}

GROUND: tuple[Scale, Scale, Scale] = (
    Scale("Fore-aft", "% BW", "Forward", "Backward", -25, 25),
    Scale("Vertical", "% BW", "Up", "", 0, 125),
    Scale("Medio-lateral", "% BW", "Medial", "Lateral", -10, 10),
)
"""Components of the ground reaction in their order in `pipeline.trial.CycleCurves.ground`."""

CONTRIBUTIONS: dict[tuple[str, str], Scale] = {
    ("ankle", "left"): Scale("Ankle, left", "Nm/kg", "Plantarfl.", "Dorsifl.", -0.5, 1.8),
    ("ankle", "right"): Scale("Ankle, right", "Nm/kg", "Plantarfl.", "Dorsifl.", -0.5, 1.8),
    ("knee", "left"): Scale("Knee, left", "Nm/kg", "Extensor", "Flexor", -0.8, 0.8),
    ("knee", "right"): Scale("Knee, right", "Nm/kg", "Extensor", "Flexor", -0.8, 0.8),
}
"""Sagittal moments whose parts are shown."""
