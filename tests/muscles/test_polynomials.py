"""Polynomials of muscle lengths against the paths they are fitted to, at other postures."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.muscles import WALKING, fit_polynomials, path_geometry, polynomial_geometry
from pipeline.muscles.__main__ import main

RANGES = {f"{name}{side}": span for name, span in WALKING.items() for side in ("", "_r", "_l")}


@pytest.fixture(scope="module")
def few(model):
    """One muscle of each kind: of one joint, two, three; with moving and conditional points; of the trunk."""
    chosen = {"soleus_r", "vas_lat_r", "bifemlh_r", "psoas_r", "med_gas_r", "ercspn_l"}
    return replace(model, muscles=tuple(muscle for muscle in model.muscles if muscle.name in chosen))


@pytest.fixture(scope="module")
def fitted(few):
    return fit_polynomials(few, RANGES, postures=600)


def other_postures(model, frames: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(99)
    return {name: np.radians(rng.uniform(*RANGES[name], frames)) for name in model.coordinates}


def test_moment_arms_are_within_a_millimetre(few, fitted) -> None:
    q = other_postures(few, 300)
    ours, path = polynomial_geometry(fitted, few.coordinates, q), path_geometry(few, q)
    assert np.sqrt(np.mean((ours.arm - path.arm) ** 2, axis=0)).max() < 1e-3
    assert np.sqrt(np.mean((ours.length - path.length) ** 2, axis=0)).max() < 1e-3
    assert np.ptp(path.length, axis=0).min() > 0.02


def test_moment_arms_are_the_polynomials_derivatives(few, fitted) -> None:
    """Central differences of 1e-5 rad; the third derivatives, up to 1e2 m, leave errors of about 1e-9."""
    q = other_postures(few, 5)
    arm = polynomial_geometry(fitted, few.coordinates, q).arm
    for j, name in enumerate(few.coordinates):
        up, down = (polynomial_geometry(fitted, few.coordinates, q | {name: q[name] + h}).length for h in (1e-5, -1e-5))
        np.testing.assert_allclose(arm[:, j], -(up - down) / 2e-5, atol=1e-8)


def test_muscles_act_on_the_joints_that_they_cross(few, fitted) -> None:
    by_name = {muscle.name: p.coordinates for muscle, p in zip(few.muscles, fitted, strict=True)}
    assert by_name["vas_lat_r"] == ("knee_angle_r",)
    assert by_name["med_gas_r"] == ("knee_angle_r", "ankle_angle_r", "subtalar_angle_r")


def test_a_coordinate_without_a_range_is_refused(few) -> None:
    with pytest.raises(DynamicsError, match="lumbar_bending"):
        fit_polynomials(few, {name: span for name, span in RANGES.items() if name != "lumbar_bending"})


@pytest.mark.long
def test_the_command_fits_all_actuators_within_a_millimetre(model, tmp_path, monkeypatch, capsys) -> None:
    out = tmp_path / "polynomials.json"
    monkeypatch.setattr(sys, "argv", ["muscles", "fit", "--out", str(out)])
    main()
    written = json.loads(out.read_text())
    assert "CC BY 3.0" in written["credit"]
    assert len(written["muscles"]) == len(capsys.readouterr().out.splitlines()) == 92
    assert max(max(row["error"]) for row in written["muscles"].values()) < 1e-3
