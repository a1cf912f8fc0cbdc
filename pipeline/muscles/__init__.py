"""Muscles: paths and their moment arms, Hill-type force, distribution of joint moments to muscles, fatigue."""

from pipeline.muscles.contact import MuscleLoad, beyond, contact_force, muscle_load
from pipeline.muscles.distribution import MuscleForces, muscle_forces
from pipeline.muscles.fatigue import RATES, Compartments, FatigueRates, endurance, fatigue, rates_of
from pipeline.muscles.forces import Forces, rigid_tendon_forces
from pipeline.muscles.hill import Curves, activation_rate, active_force, force_velocity, passive_force, tendon_force
from pipeline.muscles.linkage import Axis, BodyPose, Joint, body_poses
from pipeline.muscles.model_file import load_muscle_model, save_muscle_model
from pipeline.muscles.on_skeleton import counterparts, muscles_on_skeleton
from pipeline.muscles.osim import read_osim
from pipeline.muscles.paths import Muscle, MuscleModel, PathGeometry, PathPoint, path_geometry, path_lines
from pipeline.muscles.polynomials import WALKING, MusclePolynomial, fit_polynomials, polynomial_geometry
from pipeline.muscles.splines import Spline
from pipeline.muscles.static_optimisation import Distribution, static_optimisation
from pipeline.muscles.walk import walk_muscles

__all__ = [
    "RATES",
    "WALKING",
    "Axis",
    "BodyPose",
    "Compartments",
    "Curves",
    "Distribution",
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
    "contact_force",
    "counterparts",
    "endurance",
    "fatigue",
    "fit_polynomials",
    "force_velocity",
    "load_muscle_model",
    "muscle_forces",
    "muscle_load",
    "muscles_on_skeleton",
    "passive_force",
    "path_geometry",
    "path_lines",
    "polynomial_geometry",
    "rates_of",
    "read_osim",
    "rigid_tendon_forces",
    "save_muscle_model",
    "static_optimisation",
    "tendon_force",
    "walk_muscles",
]
