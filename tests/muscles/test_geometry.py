"""Paths of gait2392 against OpenSim's stored answers, and identities of lengths, moment arms and forces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from pipeline.errors import DynamicsError
from pipeline.muscles import load_muscle_model
from pipeline.muscles.forces import rigid_tendon_forces
from pipeline.muscles.hill import Curves
from pipeline.muscles.model_file import save_muscle_model
from pipeline.muscles.osim import read_osim
from pipeline.muscles.paths import path_geometry
from pipeline.muscles.splines import Spline


@pytest.fixture(scope="module")
def geometry(model, postures):
    return path_geometry(model, postures)


@pytest.fixture(scope="module")
def speeds(model, reference) -> np.ndarray:
    """(6, J) rad/s, in the model's order."""
    order = [reference["coordinates"].index(name) for name in model.coordinates]
    return np.array([posture["qd"] for posture in reference["postures"]])[:, order]


def test_all_actuators_are_there_with_credit(model, reference) -> None:
    assert [muscle.name for muscle in model.muscles] == reference["muscles"]
    assert len(model.muscles) == 92
    assert sum(bool(point.mover) for muscle in model.muscles for point in muscle.points) == 8
    assert sum(point.condition is not None for muscle in model.muscles for point in muscle.points) == 26
    assert "Delp" in model.credit
    assert "CC BY 3.0" in model.credit


def test_lengths_are_those_of_opensim(geometry, reference) -> None:
    """Within 1e-8 m, to which the reference is stored."""
    np.testing.assert_allclose(geometry.length, [p["length"] for p in reference["postures"]], atol=2e-8)


def test_moment_arms_are_those_of_opensim(model, geometry, reference) -> None:
    """All 92 muscles about all 17 coordinates, with the knee's translation, moving and conditional points."""
    expected = np.array(
        [
            [[p["arm"][c].get(m.name, 0.0) for m in model.muscles] for c in model.coordinates]
            for p in reference["postures"]
        ]
    )
    assert np.abs(expected).max() > 0.05
    np.testing.assert_allclose(geometry.arm, expected, atol=2e-8)


def test_active_forces_are_those_of_opensim(model, geometry, reference, speeds) -> None:
    """Rigid tendon at full activation and the speeds of the postures; stored to 0.001 N."""
    speed = -np.einsum("tjm,tj->tm", geometry.arm, speeds)
    forces = rigid_tendon_forces(model.muscles, Curves.gait2392(), geometry.length, speed)
    expected = np.array([p["active"] for p in reference["postures"]])
    assert (expected == 0).any(), "no muscle is slack"
    np.testing.assert_allclose(forces.active, expected, atol=1e-3)


def test_moment_arms_are_minus_the_derivatives_of_length(model, geometry, postures) -> None:
    """Central differences of 1e-6 rad, at postures that are not on the edge of a conditional point."""
    for j, name in enumerate(model.coordinates[:7]):
        up, down = (path_geometry(model, postures | {name: postures[name] + h}).length for h in (1e-6, -1e-6))
        np.testing.assert_allclose(geometry.arm[:, j], -(up - down) / 2e-6, atol=1e-8)


def test_passive_force_is_that_of_the_stretched_fibre_along_the_tendon(model, geometry) -> None:
    """Exponential in the stretch (Thelen 2003, equation 3, with the parameters of gait2392); none of short fibres."""
    forces = rigid_tendon_forces(model.muscles, Curves.gait2392(), geometry.length, np.zeros(geometry.length.shape))
    for m, muscle in enumerate(model.muscles):
        along = geometry.length[:, m] - muscle.tendon_length
        fibre = np.hypot(along, muscle.fibre_length * np.sin(muscle.pennation))
        stretch = np.maximum(fibre / muscle.fibre_length - 1.0, 0.0)
        expected = muscle.maximum_force * np.expm1(4.0 * stretch / 0.6) / np.expm1(4.0) * along / fibre
        np.testing.assert_allclose(forces.passive[:, m], expected, atol=1e-9)
    assert (forces.passive > 1.0).any()


def test_splines_end_like_a_cubic_and_go_on_straight() -> None:
    """Through points of a cubic the spline is that cubic, whose third derivative the ends take; beyond, a line."""
    x = np.array([-1.0, -0.4, 0.1, 0.7, 1.5])
    spline = Spline(x, 2 * x**3 - x)
    inside = np.linspace(-1, 1.5, 20)
    np.testing.assert_allclose(spline(inside), 2 * inside**3 - inside, atol=1e-12)
    np.testing.assert_allclose(spline(np.array([2.5])), 2 * 1.5**3 - 1.5 + (6 * 1.5**2 - 1))
    rough = Spline(x, [0.0, 1.0, -1.0, 2.0, 0.5])
    ends = CubicSpline(x, rough.y, bc_type=((1, float(rough(x[0], 1))), (1, float(rough(x[-1], 1)))))
    np.testing.assert_allclose(rough(inside), ends(inside), atol=1e-12)


def test_a_model_is_the_same_after_its_file(model, geometry, postures, tmp_path: Path) -> None:
    save_muscle_model(model, tmp_path / "copy.json")
    again = path_geometry(load_muscle_model(tmp_path / "copy.json"), postures)
    np.testing.assert_array_equal(again.arm, geometry.arm)


def test_the_source_gives_what_ships(model, geometry, postures, shared: Path) -> None:
    """The model's own file, where it is at hand."""
    source = read_osim(shared / "models" / "gait2392_thelen2003muscle.osim")
    np.testing.assert_array_equal(path_geometry(source, postures).arm, geometry.arm)
    assert [m.maximum_force for m in source.muscles] == [m.maximum_force for m in model.muscles]


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "a.osim").write_text("<OpenSimDocument><Model/></OpenSimDocument>")
    with pytest.raises(DynamicsError, match="no OpenSim model"):
        read_osim(tmp_path / "a.osim")
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(DynamicsError, match="not a muscle model"):
        load_muscle_model(tmp_path / "a.json")
