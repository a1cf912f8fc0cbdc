from .affine_map import AffineMap, Ties
from .errors import OptimisationError, SolverError
from .evaluation import Evaluation
from .node_values import NodeValues
from .problem import Bounds, Problem
from .qp import QPSolution, solve_elastic_qp
from .quantities import Quantity, coordinates, difference, torques
from .solution import Progress, Solver, SolverResult, optimality, require_success, summarise
from .sparse_rows import SparseRows, Support
from .splines import Spline
from .sqp import SQP
from .terms import Duration, LinearConstraint, NodeConstraint, SquaredIntegral
from .transcription import States, Transcription

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
