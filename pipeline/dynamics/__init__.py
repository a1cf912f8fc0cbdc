"""Dynamics of Denavit-Hartenberg trees: inverse and forward, with analytic sensitivities.

Simulation is imported from `pipeline.dynamics.simulation`; SciPy's integrators are loaded when it is called.
"""

from pipeline.dynamics.balance import ResidualForce
from pipeline.dynamics.equations import Energy, EquationsOfMotion, energy, equations_of_motion, mass_matrix
from pipeline.dynamics.forward import forward_dynamics
from pipeline.dynamics.loads import Wrenches, at_frames
from pipeline.dynamics.rnea import JointLoads, rnea
from pipeline.dynamics.sensitivities import InternalSensitivities, Sensitivities, rnea_sensitivities
from pipeline.math3d import Wrench
