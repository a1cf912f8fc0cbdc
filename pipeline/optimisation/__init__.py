"""Optimal control by direct B-spline transcription and sequential quadratic programming.

==================== ==========================================================================
module               responsibility
==================== ==========================================================================
`splines`            B-splines with derivatives by time and by knots
`affine_map`         elimination of equalities that are linear in the control points
`transcription`      from design variables to the motion at the nodes, with sparse derivatives
`node_values`        a quantity at the nodes with its partial derivatives
`quantities`         coordinates, their rates and torques as such quantities
`terms`, `problem`   objectives and constraints; the problem they define
`evaluation`         values, gradient, Gauss-Newton Hessian and Jacobian at a point
`qp`, `sqp`          elastic quadratic programs; sequential quadratic programming
`solution`           the interface of a solver, and the measures of its result
==================== ==========================================================================
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
