"""Muscle forces of a walk in one call: known forces give moments that are distributed back."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.muscles.distribution import History, muscle_forces
from pipeline.muscles.forces import rigid_tendon_forces
from pipeline.muscles.hill import Curves
from pipeline.muscles.paths import path_geometry


@pytest.fixture(scope="module")
def walk(model, reference, postures):
    """Postures of the reference with its speeds, and the moments of all muscles a tenth active, passive force too."""
    qd = dict(zip(reference["coordinates"], np.array([p["qd"] for p in reference["postures"]]).T, strict=True))
    geometry = path_geometry(model, postures)
    speed = -np.einsum("tjm,tj->tm", geometry.arm, np.stack([qd[name] for name in model.coordinates], axis=1))
    forces = rigid_tendon_forces(model.muscles, Curves.gait2392(), geometry.length, speed)
    moment = np.einsum("tjm,tm->tj", geometry.arm, 0.1 * forces.active + forces.passive)
    return postures, qd, dict(zip(model.coordinates, moment.T, strict=True)), forces


def test_moments_are_given_at_a_lower_cost(model, walk) -> None:
    """Reserves below 1 Nm, moments closed, and a sum of squares below that of the activations they were made with."""
    q, qd, moment, forces = walk
    ours = muscle_forces(model, q, qd, moment)
    given = np.einsum("tjm,tm->tj", ours.arm, ours.force) + ours.reserve
    np.testing.assert_allclose(given, np.stack(list(moment.values()), axis=1), atol=1e-6)
    assert np.abs(ours.reserve).max() < 1.0
    assert (np.sum(ours.activation**2, axis=1) < 92 * 0.01).all()
    np.testing.assert_array_equal(ours.passive, forces.passive)


@pytest.mark.parametrize("elastic", [(), ("soleus", "med_gas")])
def test_passive_moments_are_given_once(model, walk, elastic) -> None:
    """Of 20 Nm about a hip the stretched fibres give a part and what is not muscle the rest; the active muscles give
    what is left of the moment, and the joint's other coordinates are as they were."""
    q, qd, moment, forces = walk
    k, passive = model.coordinates.index("hip_flexion_r"), np.full(len(forces.active), 20.0)
    frames = np.arange(len(passive))
    times = {"history": History(0.01 * frames, frames == 0, elastic)} if elastic else {}
    ours = muscle_forces(model, q, qd, moment, passive_moment={"hip_flexion_r": passive}, **times)
    of_fibres = np.einsum("tm,tm->t", ours.arm[:, k], forces.passive)
    np.testing.assert_allclose(ours.other[:, k] + of_fibres, 20.0)
    assert not np.delete(ours.other, k, axis=1).any()
    given = np.einsum("tjm,tm->tj", ours.arm, ours.force) + ours.other + ours.reserve
    np.testing.assert_allclose(given, np.stack(list(moment.values()), axis=1), atol=1e-6)
    without = muscle_forces(model, q, qd, moment, **times)
    assert np.abs(ours.force - without.force).max() > 20


def test_a_missing_moment_is_named(model, walk) -> None:
    q, qd, moment, _ = walk
    with pytest.raises(DynamicsError, match="no mtp_angle_l"):
        muscle_forces(model, q, qd, {name: values for name, values in moment.items() if name != "mtp_angle_l"})
