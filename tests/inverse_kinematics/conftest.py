"""A human of average proportions with the markers of Plug-in Gait, and a made-up walk of known coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.anatomy import load_marker_set
from pipeline.inverse_kinematics import ModelMarkers
from pipeline.skeleton import load_skeleton

RATE, FRAMES, STATURE = 100.0, 120, 1.7


@pytest.fixture(scope="package")
def human(request):
    return load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=70.0, height=STATURE, sex="male")


@pytest.fixture(scope="package")
def definition(request):
    return load_marker_set(request.config.rootpath / "config" / "marker_sets" / "plug_in_gait.yaml").skeleton


@pytest.fixture(scope="package")
def regularisation(human, definition):
    return definition.regularisation(human.joint_names)


@pytest.fixture(scope="package")
def attach(human):
    """Model markers at the positions that the file states: ``attach(sites)``."""

    def at(sites):
        carriers = [human.segment(site.segment) for site in sites.values()]
        points = [
            c.pose[:3, :3] @ (STATURE * np.array(s.at)) + c.pose[:3, 3]
            for c, s in zip(carriers, sites.values(), strict=True)
        ]
        joints = np.array([c.joint for c in carriers])
        return ModelMarkers(tuple(sites), joints, np.array(points), tuple(s.segment for s in sites.values()))

    return at


@pytest.fixture(scope="package")
def marks(attach, definition):
    return attach(definition.markers)


@pytest.fixture(scope="package")
def walk(human, regularisation):
    """A made-up walk (T, n) in all coordinates, away from their limits, facing backwards in the laboratory."""
    rng = np.random.default_rng(7)
    t = np.arange(FRAMES) / RATE
    lower, upper = np.maximum(human.q_lower, -1.0), np.minimum(human.q_upper, 1.5)
    middle, swing = 0.5 * (lower + upper), 0.2 * (upper - lower)
    q = middle + swing * np.sin(2 * np.pi * (1.0 * t[:, None] + rng.uniform(size=len(human))))
    hidden = regularisation > 1.0  # weakly observable coordinates stay at the reference
    q[:, hidden] = 0.0
    q[:, :6] = 0.05 * np.sin(2 * np.pi * (1.5 * t[:, None] + rng.uniform(size=6)))
    q[:, 0] -= 1.2 * t
    q[:, 3] += np.pi - 0.3
    return q
