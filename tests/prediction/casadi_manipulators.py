"""Independent direct transcriptions of the two manipulators: own equations of motion, torques constant in each
interval, Runge-Kutta 4 between, solved by IPOPT through CasADi. Shares nothing with the pipeline."""

import casadi as ca
import numpy as np

L, M, INERTIA, LIMIT = 0.4, 0.5, 0.1, 10.0


def two_revolute_acceleration(q: ca.SX, qd: ca.SX, tau: ca.SX) -> ca.SX:
    """Planar double pendulum without gravity, relative angles."""
    r = L / 2
    c2, s2 = ca.cos(q[1]), ca.sin(q[1])
    m11 = 2 * INERTIA + M * r**2 + M * (L**2 + r**2 + 2 * L * r * c2)
    m12 = INERTIA + M * (r**2 + L * r * c2)
    m22 = INERTIA + M * r**2
    h = M * L * r * s2
    bias = ca.vertcat(-h * (2 * qd[0] * qd[1] + qd[1] ** 2), h * qd[0] ** 2)
    return ca.solve(ca.vertcat(ca.horzcat(m11, m12), ca.horzcat(m12, m22)), tau - bias)


def prismatic_revolute_acceleration(offset: float):
    """A cart that carries a bar turning about an axis across its travel; the bar's angle from its axis is q2 + offset.

    In the frame of link 1 the bar points along (cos, sin); travel is along that frame's y axis.
    """

    def acceleration(q: ca.SX, qd: ca.SX, tau: ca.SX) -> ca.SX:
        r, angle = L / 2, q[1] + offset
        m12 = M * r * ca.cos(angle)
        mass = ca.vertcat(ca.horzcat(2 * M, m12), ca.horzcat(m12, INERTIA + M * r**2))
        bias = ca.vertcat(-M * r * ca.sin(angle) * qd[1] ** 2, 0)
        return ca.solve(mass, tau - bias)

    return acceleration


def optimum(acceleration, begin, end, time_weight: float, effort_weight: float, n: int = 150) -> tuple[float, float]:
    """Objective and total time."""
    y, u, h = ca.SX.sym("y", 4), ca.SX.sym("u", 2), ca.SX.sym("h")

    def f(state):
        return ca.vertcat(state[2:], acceleration(state[:2], state[2:], u))

    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    step = ca.Function("step", [y, u, h], [y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])
    opti = ca.Opti()
    Y, U, T = opti.variable(4, n + 1), opti.variable(2, n), opti.variable()
    opti.subject_to(Y[:, 1:] == step.map(n)(Y[:, :-1], U, T / n))
    opti.subject_to(Y[:, 0] == ca.vertcat(*begin, 0, 0))
    opti.subject_to(Y[:, n] == ca.vertcat(*end, 0, 0))
    opti.subject_to(opti.bounded(-LIMIT, ca.vec(U), LIMIT))
    opti.subject_to(T >= 0.05)
    objective = time_weight * T + effort_weight * ca.sumsqr(U) * T / n
    opti.minimize(objective)
    opti.set_initial(T, 0.8)
    opti.set_initial(Y[:2, :], np.linspace(begin, end, n + 1).T)
    opti.solver("ipopt", {"print_time": False}, {"print_level": 0, "tol": 1e-9})
    solution = opti.solve()
    return float(solution.value(objective)), float(solution.value(T))
