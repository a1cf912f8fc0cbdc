"""Muscles: Hill-type force, distribution of joint moments by static optimisation, fatigue."""

from pipeline.muscles.fatigue import RATES, Compartments, FatigueRates, endurance, fatigue, rates_of
from pipeline.muscles.hill import (
    Curves,
    activation_rate,
    active_force,
    force_velocity,
    passive_force,
    tendon_force,
)
from pipeline.muscles.static_optimisation import Distribution, static_optimisation

__all__ = [
    "RATES",
    "Compartments",
    "Curves",
    "Distribution",
    "FatigueRates",
    "activation_rate",
    "active_force",
    "endurance",
    "fatigue",
    "force_velocity",
    "passive_force",
    "rates_of",
    "static_optimisation",
    "tendon_force",
]
