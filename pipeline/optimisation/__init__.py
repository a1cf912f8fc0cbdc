"""Optimal control by direct B-spline transcription and sequential quadratic programming.

==================== ==========================================================================
module               responsibility
==================== ==========================================================================
`splines`            B-splines with derivatives by time and by knots
`affine_map`         elimination of equalities that are linear in the control points
`transcription`      from design variables to the motion at the nodes, with sparse derivatives
`node_values`        a quantity at the nodes with its partial derivatives
`quantities`         coordinates, their rates, and torques as such quantities
`terms`, `problem`   objectives and constraints; the problem that they make
`evaluation`         values, gradient, Gauss-Newton Hessian and Jacobian at a point
`qp`, `sqp`          elastic quadratic programs; sequential quadratic programming
`solution`           the interface of a solver, and the measures of its result
==================== ==========================================================================
"""

from pipeline.optimisation.affine_map import AffineMap, Ties
from pipeline.optimisation.errors import OptimisationError, SolverError
from pipeline.optimisation.evaluation import Evaluation
from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.problem import Bounds, Problem
from pipeline.optimisation.qp import QPSolution, solve_elastic_qp
from pipeline.optimisation.quantities import Quantity, coordinates, difference, torques
from pipeline.optimisation.solution import Progress, Solver, SolverResult, optimality, require_success, summarise
from pipeline.optimisation.sparse_rows import SparseRows, Support
from pipeline.optimisation.splines import Spline
from pipeline.optimisation.sqp import SQP
from pipeline.optimisation.terms import Duration, LinearConstraint, NodeConstraint, SquaredIntegral
from pipeline.optimisation.transcription import States, Transcription

__all__ = [
    "SQP",
    "AffineMap",
    "Bounds",
    "Duration",
    "Evaluation",
    "LinearConstraint",
    "NodeConstraint",
    "NodeValues",
    "OptimisationError",
    "Problem",
    "Progress",
    "QPSolution",
    "Quantity",
    "Solver",
    "SolverError",
    "SolverResult",
    "SparseRows",
    "Spline",
    "SquaredIntegral",
    "States",
    "Support",
    "Ties",
    "Transcription",
    "coordinates",
    "difference",
    "optimality",
    "require_success",
    "solve_elastic_qp",
    "summarise",
    "torques",
]
