from .carried import carrying
from .contact import MuscleLoad, beyond, contact_force, contact_moment, muscle_load
from .distribution import MuscleForces, muscle_forces
from .elastic import ELASTIC, Equilibrium, equilibrium
from .fatigue import RATES, Compartments, FatigueRates, endurance, fatigue, rates_of, repeated_fatigue
from .forces import Forces, rigid_tendon_forces
from .hill import Curves, activation_rate, active_force, force_velocity, passive_force, tendon_force
from .knee_parts import CONTACT_DISTANCE, knee_parts
from .linkage import Axis, BodyPose, Joint, body_poses
from .model_file import load_muscle_model, save_muscle_model
from .on_skeleton import SUBTALAR, counterparts, muscles_on_skeleton
from .osim import read_osim
from .paths import Muscle, MuscleModel, PathGeometry, PathPoint, path_geometry, path_lines
from .polynomials import WALKING, MusclePolynomial, fit_polynomials, polynomial_geometry
from .splines import Spline
from .static_optimisation import Distribution, static_optimisation
from .walk import muscle_loads, muscles_of, subtalar_moment, walk_muscles

__all__ = [
    "CONTACT_DISTANCE",
    "ELASTIC",
    "RATES",
    "SUBTALAR",
    "WALKING",
    "Axis",
    "BodyPose",
    "Compartments",
    "Curves",
    "Distribution",
    "Equilibrium",
    "FatigueRates",
    "Forces",
    "Joint",
    "Muscle",
    "MuscleForces",
    "MuscleLoad",
    "MuscleModel",
    "MusclePolynomial",
    "PathGeometry",
    "PathPoint",
    "Spline",
    "activation_rate",
    "active_force",
    "beyond",
    "body_poses",
    "carrying",
    "contact_force",
    "contact_moment",
    "counterparts",
    "endurance",
    "equilibrium",
    "fatigue",
    "fit_polynomials",
    "force_velocity",
    "knee_parts",
    "load_muscle_model",
    "muscle_forces",
    "muscle_load",
    "muscle_loads",
    "muscles_of",
    "muscles_on_skeleton",
    "passive_force",
    "path_geometry",
    "path_lines",
    "polynomial_geometry",
    "rates_of",
    "read_osim",
    "repeated_fatigue",
    "rigid_tendon_forces",
    "save_muscle_model",
    "static_optimisation",
    "subtalar_moment",
    "tendon_force",
    "walk_muscles",
]
