"""Random trees and states in general position, for comparisons with independent references."""

from __future__ import annotations

import numpy as np

from pipeline.skeleton import Skeleton


def random_rotation(rng):
    """Uniform rotation (3, 3) from a normalised quaternion."""
    w, x, y, z = (v := rng.normal(size=4)) / np.linalg.norm(v)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def random_tree(rng, n, prismatic=0.3, massless=0.3, identity_origins=0.3):
    """Random tree of n joints whose numbering is, on purpose, not depth first."""
    parent = np.array([-1] + [int(rng.integers(max(0, j - 5), j)) for j in range(1, n)])
    origin = np.tile(np.eye(4), (n, 1, 1))
    for j in range(n):
        if rng.random() > identity_origins:
            origin[j, :3, :3], origin[j, :3, 3] = random_rotation(rng), rng.normal(scale=0.3, size=3)
    mass = rng.uniform(0.2, 10.0, n)
    has_child = np.isin(np.arange(n), parent)
    mass[has_child & (rng.random(n) < massless)] = 0.0
    inertia = np.zeros((n, 3, 3))
    for j in np.flatnonzero(mass):
        R = random_rotation(rng)
        spread = np.diag(rng.uniform(0.001, 0.05, 3))  # second moments: any positive ones give a physical body
        inertia[j] = mass[j] * (R @ (np.trace(spread) * np.eye(3) - spread) @ R.T)
    inertia = (inertia + np.swapaxes(inertia, 1, 2)) / 2
    return Skeleton(
        joint_names=tuple(f"joint_{j}" for j in range(n)),
        parent=parent,
        kind=tuple(rng.choice(["P", "R"], p=[prismatic, 1 - prismatic], size=n)),
        theta=rng.uniform(-3, 3, n),
        d=rng.normal(scale=0.3, size=n),
        a=rng.normal(scale=0.3, size=n),
        alpha=rng.uniform(-3, 3, n),
        origin=origin,
        mass=mass,
        com=np.where(mass[:, None] > 0, rng.normal(scale=0.2, size=(n, 3)), 0.0),
        inertia=inertia,
        q_lower=np.full(n, -np.inf),
        q_upper=np.full(n, np.inf),
        tau_limit=np.full(n, np.inf),
        frozen=np.zeros(n, dtype=bool),
    )


def random_state(rng, n, frames, spread=1.0):
    """Coordinates, velocities and accelerations (T, n) each."""
    return spread * rng.normal(size=(frames, n)), 2.0 * rng.normal(size=(frames, n)), 5.0 * rng.normal(size=(frames, n))
