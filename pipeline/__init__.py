"""Gait analysis from C3D files to joint loads, and predicted against measured gait.

Rooms, from the bottom layer up (a module imports only from rooms below or to its left):

    errors, conventions
    math3d, trial, config, provenance
    acquisition, signals, anatomy, skeleton
    newton_euler | dynamics
    prediction
    results, comparison
    reporting, examples, synthetic
    steps, rules, cli
"""

__version__ = "0.1.0"
