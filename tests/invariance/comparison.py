"""All matrix-form results of a walk by name, and their largest difference as a part of each one's range."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np

from pipeline.analysis import gait_cycles
from pipeline.sides import other_side


def frame_results(found: SimpleNamespace) -> dict[str, np.ndarray]:
    """Joint angles, moments in the distal segment's axes, powers and speeds by frame, (T,) or (T, 3).

    None of them refers to the laboratory's axes.
    """
    results: dict[str, np.ndarray] = {}
    for joint, pose in found.kinematics.joints.items():
        load = found.loads.joints[joint]
        results |= {f"{joint} angles": found.kinematics.angles[joint], f"{joint} power": load.power / found.loads.mass}
        results |= {f"{joint} moments": load.moment_distal / found.loads.mass}
        results[f"{joint} angular speed"] = np.linalg.norm(pose.omega_G, axis=1)
    for segment, motion in found.kinematics.segments.items():
        results[f"{segment} acceleration"] = np.linalg.norm(motion.com_acceleration_G, axis=1)
    return results


def cycle_results(found: SimpleNamespace) -> dict[str, np.ndarray]:
    """Curves over the gait cycle, (101,) or (101, 3), and parameters (1,), by side and beginning of the cycle."""
    results: dict[str, np.ndarray] = {}
    for own in gait_cycles(found.kinematics, found.loads).cycles:
        name = f"{own.cycle.side} cycle at {own.cycle.initial_contact:.2f} s"
        curves = {"angles": own.angles, "moments": own.moments, "power": own.powers}
        results |= {f"{name}, {joint} {kind}": c for kind, of in curves.items() for joint, c in of.items()}
        results |= {f"{name}, ground": own.ground}
        results |= {f"{name}, {key}": np.array([value]) for key, value in own.parameters.items()}
    return results


def swapped(results: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Results under the names of the other side."""
    return {other_side(name): values for name, values in results.items()}


def worst(found: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]) -> tuple[float, str]:
    """Largest difference over the range of the expected values, and of what.

    The range is that of the plane that has the largest: a hinge has none in the others. One value has its size.
    """
    assert set(found) == set(expected), sorted(set(found) ^ set(expected))[:5]
    differences = []
    for name, values in expected.items():
        np.testing.assert_array_equal(np.isfinite(found[name]), np.isfinite(values), err_msg=name)
        seen = np.isfinite(values)
        ranges = np.max(values, axis=0, where=seen, initial=-np.inf) - np.min(
            values, axis=0, where=seen, initial=np.inf
        )
        scale = np.max(ranges) if len(values) > 1 else np.abs(values[seen]).max(initial=0.0)
        if scale > 1e-12:
            differences.append((float(np.abs(found[name] - values)[seen].max() / scale), name))
    assert len(differences) > 20, "little is left to compare"
    return max(differences)
