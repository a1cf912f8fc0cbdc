"""The muscle model that ships, OpenSim's stored answers about it, and walks with their muscle forces: a made-up one of
a few frames, for short tests, and the demo's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.conventions import GRAVITY, SIDES
from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.muscles import load_muscle_model, walk_muscles
from pipeline.muscles.paths import MuscleModel
from pipeline.skeleton import Skeleton, load_skeleton, scale_segments, segment_pose
from pipeline.trial import BodyDynamics, BodyModel, MuscleLoads, SegmentPose, WholeBody


@pytest.fixture(scope="session")
def model() -> MuscleModel:
    return load_muscle_model()


@pytest.fixture(scope="session")
def reference() -> dict:
    """OpenSim 4.6 on gait2392 at six postures, made by tests/oracles/opensim_muscles.py."""
    return json.loads(Path(__file__).with_name("gait2392_opensim.json").read_text())


@pytest.fixture(scope="session")
def postures(reference) -> dict[str, np.ndarray]:
    """Angles (6,) by coordinate, rad."""
    return dict(zip(reference["coordinates"], np.array([p["q"] for p in reference["postures"]]).T, strict=True))


@pytest.fixture(scope="session")
def human(request: pytest.FixtureRequest) -> Skeleton:
    """As heavy and tall as gait2392."""
    return load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=75.16, height=1.80, sex="male")


@pytest.fixture(scope="session")
def made_up(request: pytest.FixtureRequest) -> WholeBody:
    """Five frames, 10 ms apart, in which every joint moves, with the ground under both feet; legs of two lengths.

    Nothing is alike on both sides. Fields that no computation of muscles reads are None.
    """
    skeleton = load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=62.0, height=1.7, sex="female")
    skeleton = scale_segments(skeleton, {"left_thigh": np.full(3, 1.03), "left_foot": np.full(3, 0.96)})
    rng, time, pace = np.random.default_rng(11), 0.01 * np.arange(5), 3.0 * np.pi
    size, phase = rng.uniform(-0.15, 0.15, len(skeleton)), pace * time[:, None] + rng.uniform(0.0, 6.0, len(skeleton))
    q, qd, qdd = size * np.sin(phase), pace * size * np.cos(phase), -(pace**2) * size * np.sin(phase)
    for side in SIDES:
        q[:, [skeleton.index(f"{side}_{joint}_flexion") for joint in ("hip", "knee")]] += [0.3, 0.4]
    weight, ground = float(skeleton.mass.sum()) * GRAVITY, {}
    for side, part in zip(SIDES, ([0.04, 0.7, 0.02], [-0.03, 0.4, -0.05]), strict=True):
        under = segment_pose(skeleton, f"{side}_foot", q)[1] + [0.05, -0.06, 0.01]
        ground[side] = Wrench(np.tile(weight * np.array(part), (len(time), 1)), np.zeros((len(time), 3)), under)
    loads = rnea(skeleton, q, qd, qdd, wrenches={f"{side}_foot": ground[side] for side in SIDES})
    segments = {name: SegmentPose(*segment_pose(skeleton, name, q)) for name in skeleton.segments}
    kinematic = {"q": q, "qd": qd, "qdd": qdd, "segments": segments, **vars(loads)}
    own = {
        "name": "made up",
        "mass": float(skeleton.mass.sum()),
        "height": 1.7,
        "time": time,
        "joint_names": skeleton.joint_names,
        "model": BodyModel(**{name: getattr(skeleton, name) for name in BodyModel.__dataclass_fields__}),
        "marker_joints": skeleton.joint_names,
        "ground": ground,
        "loads_known": np.ones(len(time), dtype=bool),
        "kinematic": BodyDynamics(**dict.fromkeys(BodyDynamics.__dataclass_fields__) | kinematic),  # type: ignore[arg-type]
    }
    return WholeBody(**dict.fromkeys(WholeBody.__dataclass_fields__) | own)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def body(demo_walk) -> WholeBody:
    return demo_walk.body


@pytest.fixture(scope="session")
def loads(body) -> MuscleLoads:
    return walk_muscles(body)


@pytest.fixture(scope="session", params=["made_up", pytest.param("body", marks=pytest.mark.long)])
def walk(request: pytest.FixtureRequest) -> WholeBody:
    """The made-up walk, and in long tests the demo's."""
    found: WholeBody = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def walk_loads(walk) -> MuscleLoads:
    return walk_muscles(walk)
