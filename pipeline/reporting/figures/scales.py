"""What each panel shows: title, units, the words for positive and negative, and the range usual in walking."""

from __future__ import annotations

from pipeline.analysis.variables import VARIABLES
from pipeline.reporting.figures.panels import YAxis

PLANES = ("Sagittal plane", "Frontal plane", "Transverse plane")

KINEMATICS: tuple[tuple[str, ...], ...] = (
    ("pelvic_tilt", "hip_flexion", "knee_flexion", "ankle_dorsiflexion"),
    ("pelvic_obliquity", "hip_adduction", "knee_adduction", "ankle_inversion"),
    ("pelvic_rotation", "hip_rotation", "knee_rotation", "foot_progression"),
)
"""Variables of the kinematics figure: a row for each plane, columns pelvis, hip, knee, ankle and foot."""

MOMENTS: tuple[tuple[str, ...], ...] = (
    ("hip_extensor_moment", "knee_extensor_moment", "ankle_plantarflexor_moment"),
    ("hip_abductor_moment", "knee_abductor_moment", "ankle_evertor_moment"),
    ("hip_rotator_moment", "knee_rotator_moment", "ankle_rotator_moment"),
)
"""Variables of the kinetics figure: a row for each plane; the powers stand below them."""

POWERS = ("hip_power", "knee_power", "ankle_power")

GROUND = ("ground_fore_aft", "ground_vertical", "ground_medial")

SCALES: dict[str, YAxis] = {
    "pelvic_tilt": YAxis("Pelvic tilt", "°", "Anterior", "Posterior", -10, 30),
    "pelvic_obliquity": YAxis("Pelvic obliquity", "°", "Up", "Down", -20, 20),
    "pelvic_rotation": YAxis("Pelvic rotation", "°", "Forward", "Backward", -30, 30),
    "hip_flexion": YAxis("Hip flexion", "°", "Flexion", "Extension", -20, 60),
    "hip_adduction": YAxis("Hip adduction", "°", "Adduction", "Abduction", -20, 20),
    "hip_rotation": YAxis("Hip rotation", "°", "Internal", "External", -30, 30),
    "knee_flexion": YAxis("Knee flexion", "°", "Flexion", "Extension", -10, 75),
    "knee_adduction": YAxis("Knee adduction", "°", "Varus", "Valgus", -20, 20),
    "knee_rotation": YAxis("Knee rotation", "°", "Internal", "External", -30, 30),
    "ankle_dorsiflexion": YAxis("Ankle dorsiflexion", "°", "Dorsi", "Plantar", -30, 30),
    "ankle_inversion": YAxis("Ankle inversion", "°", "Inversion", "Eversion", -20, 20),
    "foot_progression": YAxis("Foot progression", "°", "In", "Out", -30, 30),
    "hip_extensor_moment": YAxis("Hip extensor moment", "Nm/kg", "Extensor", "Flexor", -1.2, 1.2),
    "hip_abductor_moment": YAxis("Hip abductor moment", "Nm/kg", "Abductor", "Adductor", -0.4, 1.2),
    "hip_rotator_moment": YAxis("Hip rotator moment", "Nm/kg", "External", "Internal", -0.3, 0.3),
    "knee_extensor_moment": YAxis("Knee extensor moment", "Nm/kg", "Extensor", "Flexor", -0.8, 0.8),
    "knee_abductor_moment": YAxis("Knee abductor moment", "Nm/kg", "Abductor", "Adductor", -0.4, 0.8),
    "knee_rotator_moment": YAxis("Knee rotator moment", "Nm/kg", "External", "Internal", -0.3, 0.3),
    "ankle_plantarflexor_moment": YAxis("Plantarflexor moment", "Nm/kg", "Plantarfl.", "Dorsifl.", -0.5, 1.8),
    "ankle_evertor_moment": YAxis("Ankle evertor moment", "Nm/kg", "Evertor", "Invertor", -0.3, 0.3),
    "ankle_rotator_moment": YAxis("Ankle rotator moment", "Nm/kg", "External", "Internal", -0.3, 0.3),
    "hip_power": YAxis("Hip power", "W/kg", "Generation", "Absorption", -2, 2),
    "knee_power": YAxis("Knee power", "W/kg", "Generation", "Absorption", -2, 2),
    "ankle_power": YAxis("Ankle power", "W/kg", "Generation", "Absorption", -2, 4),
    "ground_fore_aft": YAxis("Fore-aft", "% BW", "Forward", "Backward", -25, 25),
    "ground_vertical": YAxis("Vertical", "% BW", "Up", "", 0, 125),
    "ground_medial": YAxis("Medio-lateral", "% BW", "Medial", "Lateral", -10, 10),
}
"""Panels by the name of their variable; signs as in `pipeline.analysis.variables`."""

CONTRIBUTIONS: dict[tuple[str, str], YAxis] = {
    ("ankle_plantarflexor_moment", "left"): YAxis("Ankle, left", "Nm/kg", "Plantarfl.", "Dorsifl.", -0.5, 1.8),
    ("ankle_plantarflexor_moment", "right"): YAxis("Ankle, right", "Nm/kg", "Plantarfl.", "Dorsifl.", -0.5, 1.8),
    ("knee_extensor_moment", "left"): YAxis("Knee, left", "Nm/kg", "Extensor", "Flexor", -0.8, 0.8),
    ("knee_extensor_moment", "right"): YAxis("Knee, right", "Nm/kg", "Extensor", "Flexor", -0.8, 0.8),
}
"""Panels of the sagittal moments whose parts are shown, by variable and side."""

UNITS = {"deg": "\N{DEGREE SIGN}", "%BW": "% BW"}
"""Units as pages write them, where they do so otherwise than files."""

_DECIMALS = {"deg": 1, "Nm/kg": 2, "W/kg": 2, "%BW": 1}


def title_of(name: str) -> str:
    """Title of a variable that stands alone, beside no figure's heading."""
    scale = SCALES.get(name)
    title = scale.title if scale else name.replace("_", " ").capitalize()
    return f"{title} ground reaction" if VARIABLES[name].quantity == "ground" else title


def units_of(name: str) -> str:
    """Units of a variable as pages write them."""
    return UNITS.get(VARIABLES[name].units, VARIABLES[name].units)


def decimals_of(name: str) -> int:
    """Decimals with which tables give values of a variable."""
    return _DECIMALS[VARIABLES[name].units]
