"""Legs in general three-dimensional motion, exact in every derivative."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.math3d import Wrench, rotation_about
from pipeline.newton_euler import SegmentState


class Harmonic:
    """A smooth vector function of time (T, 3) with its first two derivatives."""

    def __init__(self, rng: np.random.Generator, scale: float) -> None:
        self.amplitude, self.phase = scale * rng.normal(size=(3, 3)), rng.uniform(0, 6, (3, 3))
        self.frequency = np.array([2.0, 4.5, 7.0])[:, None]

    def __call__(self, t: np.ndarray, order: int = 0) -> np.ndarray:
        angle = self.frequency * t[:, None, None] + self.phase + order * np.pi / 2
        return np.sum(self.amplitude * self.frequency**order * np.sin(angle), axis=1)


def orientation(angles: Harmonic, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """R_GS, omega_G and alpha_G of R = Rx(a) Ry(b) Rz(c): each rate turns about an axis that the ones before carry."""
    q, q_dot, q_ddot = (angles(t, order) for order in range(3))
    R = np.broadcast_to(np.eye(3), (len(t), 3, 3))
    omega, alpha = np.zeros((len(t), 3)), np.zeros((len(t), 3))
    for k in range(3):
        axis = R[:, :, k]
        alpha = alpha + q_ddot[:, k : k + 1] * axis + np.cross(omega, q_dot[:, k : k + 1] * axis)
        omega = omega + q_dot[:, k : k + 1] * axis
        R = R @ rotation_about(np.eye(3)[k], q[:, k])
    return R, omega, alpha


class Leg:
    """Thigh, shank and foot below a moving hip; every inertia is full, every centre of mass off its axis."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.hip = Harmonic(rng, 0.05)
        self.angles = [Harmonic(rng, 0.25) for _ in range(3)]
        self.lengths = [np.array([0.02, -0.4, 0.01]), np.array([0.01, -0.38, -0.02])]
        self.com = [np.array([0.03, -0.18, 0.02]), np.array([-0.02, -0.17, 0.01]), np.array([0.07, -0.03, 0.01])]
        self.mass = [8.0, 3.2, 1.1]
        self.inertia = []
        for mass, size in zip(self.mass, (0.13, 0.1, 0.05), strict=True):
            A = rng.normal(size=(3, 3))
            self.inertia.append(mass * size**2 * (np.eye(3) + 0.2 * A @ A.T))

    def at(self, t: np.ndarray) -> list[SimpleNamespace]:
        """Thigh, shank and foot with pose, velocities and accelerations of joint and centre of mass."""
        joint, velocity, acceleration = (self.hip(t, order) for order in range(3))
        out = []
        for k in range(3):
            R, omega, alpha = orientation(self.angles[k], t)

            def point(r_S, R=R, w=omega, dw=alpha, p=joint, v=velocity, a=acceleration):
                r = R @ r_S
                return p + r, v + np.cross(w, r), a + np.cross(dw, r) + np.cross(w, np.cross(w, r))

            com, com_velocity, com_acceleration = point(self.com[k])
            out.append(
                SimpleNamespace(
                    mass=self.mass[k],
                    inertia=self.inertia[k],
                    R=R,
                    omega=omega,
                    alpha=alpha,
                    joint=joint,
                    joint_velocity=velocity,
                    com=com,
                    com_velocity=com_velocity,
                    com_acceleration=com_acceleration,
                )
            )
            if k < 2:
                joint, velocity, acceleration = point(self.lengths[k])
        return out

    def states(self, t: np.ndarray) -> list[SegmentState]:
        """The same as the solver takes them: from the foot upwards."""
        return [
            SegmentState(s.mass, s.inertia, s.R, s.com, s.com_acceleration, s.omega, s.alpha, s.joint)
            for s in reversed(self.at(t))
        ]

    def kinetic_energy(self, t: np.ndarray) -> np.ndarray:
        energy = np.zeros(len(t))
        for s in self.at(t):
            omega_S = np.einsum("tji,tj->ti", s.R, s.omega)
            energy += 0.5 * s.mass * np.sum(s.com_velocity**2, axis=1)
            energy += 0.5 * np.einsum("ti,ij,tj->t", omega_S, s.inertia, omega_S)
        return energy


@pytest.fixture
def leg(rng):
    return Leg(rng)


@pytest.fixture
def time():
    return np.linspace(0.0, 1.0, 41)


@pytest.fixture
def ground(rng, time):
    """A load with all six components, about a point that moves over the floor."""
    force = np.array([50.0, 700.0, -30.0]) + 40 * rng.normal(size=(len(time), 3))
    point = 0.1 * rng.normal(size=(len(time), 3))
    return Wrench(force, 8 * rng.normal(size=(len(time), 3)), point)
