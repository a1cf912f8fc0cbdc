"""Fibres in equilibrium with elastic tendons, against a root finder, an integrator of differential equations, stiff
tendons and finite differences."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from pipeline.errors import DynamicsError
from pipeline.muscles.distribution import History, muscle_forces
from pipeline.muscles.elastic import ELASTIC, ElasticParameters, curve_parameters
from pipeline.muscles.elastic_kernels import equilibrium_kernel
from pipeline.muscles.forces import LARGEST_PENNATION, rigid_tendon_forces
from pipeline.muscles.hill import Curves, active_force, force_velocity, passive_force, tendon_force
from pipeline.muscles.paths import path_geometry
from pipeline.muscles.static_optimisation import Criterion

CURVES = Curves.gait2392()


def equilibrium(muscles, curves: Curves, length, activation, before, dt: float) -> SimpleNamespace:
    """Fibre lengths, forces and slopes at the end of a step."""
    found = {name: np.empty(len(muscles)) for name in ("length", "force", "slope")}
    parameters = ElasticParameters.of(muscles).arrays
    equilibrium_kernel(curve_parameters(curves), *parameters, length, activation, before, dt, *found.values())
    return SimpleNamespace(**found)


@pytest.fixture(scope="module")
def calf(model):
    """The six actuators of both sides."""
    return [muscle for muscle in model.muscles if muscle.name[:-2] in ELASTIC]


def test_the_shortest_fibres_have_the_largest_pennation_and_others_a_hundredth_of_the_optimal_length(calf):
    """The thickness of a muscle is constant: it is fibre length times the sine of pennation."""
    *_, thickness, shortest = ElasticParameters.of(calf).arrays
    pennated = thickness > 0.01
    assert pennated.any()
    np.testing.assert_allclose(np.arcsin(thickness[pennated] / shortest[pennated]), LARGEST_PENNATION)
    np.testing.assert_allclose(thickness, np.sin([muscle.pennation for muscle in calf]))
    straight = ElasticParameters.of([SimpleNamespace(**vars(calf[0]) | {"pennation": 0.0})]).arrays[-1]
    np.testing.assert_array_equal(straight, 0.01)


def test_fibres_beyond_the_largest_pennation_have_no_force(calf) -> None:
    """Of thickness 0.8 of the optimal length, on a rigid tendon, just this side of that pennation and beyond it."""
    muscle = SimpleNamespace(**vars(calf[0]) | {"pennation": np.arcsin(0.8)})
    along = 0.8 * muscle.fibre_length / np.tan(LARGEST_PENNATION) * np.array([[1.001], [0.999]])
    taut, slack = rigid_tendon_forces([muscle], CURVES, muscle.tendon_length + along, np.zeros((2, 1))).active[:, 0]
    assert taut > 0.01 * muscle.maximum_force
    assert slack == 0.0


def lengths(calf, share: float) -> np.ndarray:
    """Of muscles whose fibres would be a share of their optimal lengths with slack tendons, m."""
    return np.array([m.tendon_length + m.fibre_length * np.sqrt(share**2 - np.sin(m.pennation) ** 2) for m in calf])


@pytest.mark.parametrize("share", [0.9, 1.0, 1.2])
@pytest.mark.parametrize("activation", [0.05, 0.6, 1.0])
def test_isometric_forces_are_those_of_a_root_finder(calf, share: float, activation: float) -> None:
    """After a step of a thousand seconds the fibre stands; the balance is written here anew, in metres and newtons."""
    length = lengths(calf, share)
    found = equilibrium(calf, CURVES, length, np.full(6, activation), np.full(6, share), 1000.0)
    for k, muscle in enumerate(calf):

        def excess(fibre: float, muscle=muscle, k=k) -> float:
            along = np.sqrt(fibre**2 - (muscle.fibre_length * np.sin(muscle.pennation)) ** 2)
            lam = fibre / muscle.fibre_length
            pull = activation * active_force(CURVES, lam)[0] + passive_force(CURVES, lam)[0]
            strain = (length[k] - along) / muscle.tendon_length - 1.0
            return float(pull * along / fibre - tendon_force(CURVES, strain)[0])

        fibre = brentq(excess, 0.5 * muscle.fibre_length, share * muscle.fibre_length, xtol=1e-13)
        assert found.length[k] == pytest.approx(fibre / muscle.fibre_length, abs=2e-3)  # slow creep of the last step
        along = np.sqrt(fibre**2 - (muscle.fibre_length * np.sin(muscle.pennation)) ** 2)
        strain = (length[k] - along) / muscle.tendon_length - 1.0
        expected = muscle.maximum_force * tendon_force(CURVES, strain)[0]
        assert found.force[k] == pytest.approx(expected, abs=0.002 * muscle.maximum_force)


def test_fibres_that_move_pull_as_much_as_their_tendons_which_are_never_slack(calf) -> None:
    """In steps of 10 ms from 300 states, also of muscles that shorten faster than their fibres can; lengths are known
    to 1e-11, forces to some hundred times that."""
    rng, muscles = np.random.default_rng(8), calf * 50
    optimal, slack = (np.array([getattr(m, name) for m in muscles]) for name in ("fibre_length", "tendon_length"))
    length = slack * rng.uniform(1.0, 1.06, 300) + optimal * rng.uniform(0.6, 1.4, 300)
    a, before = rng.uniform(0.01, 1.0, 300), rng.uniform(0.5, 1.5, 300)
    lam = equilibrium(muscles, CURVES, length, a, before, 0.01).length
    along = np.sqrt(lam**2 - np.sin([m.pennation for m in muscles]) ** 2)
    strain, speed = (length - along * optimal) / slack - 1.0, (lam - before) / 0.01
    pull = a * active_force(CURVES, lam)[0] * force_velocity(CURVES, speed / CURVES.maximum_velocity)[0]
    pull += passive_force(CURVES, lam)[0]
    np.testing.assert_allclose(pull * along / lam, tendon_force(CURVES, strain)[0], atol=1e-8)
    assert strain.min() > -1e-9


def test_the_slope_is_the_derivative_by_the_activation(calf) -> None:
    """Central differences of 1e-5, in a step of 10 ms that shortens fibres."""
    a, length, before = np.full(6, 0.4), lengths(calf, 1.1), np.full(6, 1.09)
    up, down = (equilibrium(calf, CURVES, length, a + h, before, 0.01).force for h in (1e-5, -1e-5))
    slope = equilibrium(calf, CURVES, length, a, before, 0.01).slope
    np.testing.assert_allclose(slope, (up - down) / 2e-5, rtol=1e-4)  # curvature over the step
    assert slope.min() > 50


@pytest.mark.long
def test_fibres_move_as_an_integrator_of_their_differential_equation_says(calf) -> None:
    """Soleus, stretched and released within 0.4 s at an activation of a half: steps of 0.5 ms, error of first order."""
    soleus = next(muscle for muscle in calf if muscle.name == "soleus_r")
    rest = lengths([soleus], 1.0)[0]
    h, a, dt = np.sin(soleus.pennation), 0.5, 5e-4

    def length(t):
        return rest + 0.012 * np.sin(2 * np.pi * t / 0.4)

    def rate(t, y):
        lam = y[0]
        along = np.sqrt(lam**2 - h**2)
        strain = (length(t) - along * soleus.fibre_length) / soleus.tendon_length - 1.0
        pull = tendon_force(CURVES, strain)[0] * lam / along - passive_force(CURVES, lam)[0]
        wanted = pull / (a * active_force(CURVES, lam)[0])
        speed = brentq(lambda v: force_velocity(CURVES, v)[0] - wanted, -1.0, 50.0)
        return [speed * CURVES.maximum_velocity]

    exact = solve_ivp(rate, (0, 0.4), [0.95], rtol=1e-8, atol=1e-10, dense_output=True)
    lam, worst = np.array([0.95]), 0.0
    for t in np.arange(dt, 0.4, dt):
        lam = equilibrium([soleus], CURVES, np.array([length(t)]), np.array([a]), lam, dt).length
        worst = max(worst, abs(lam[0] - exact.sol(t)[0]))
    assert np.ptp(exact.y[0]) > 0.1
    assert worst < 0.003


def test_a_stiff_tendon_is_a_rigid_one(calf) -> None:
    """A strain of 1e-5 under maximum force: the fibre moves as the muscle, by backward differences."""
    stiff = Curves(*[getattr(CURVES, k) if k != "tendon_strain" else 1e-5 for k in Curves.__dataclass_fields__])
    dt, activation = 0.01, np.full(6, 0.7)
    before, after = lengths(calf, 1.0), lengths(calf, 1.02)
    found = equilibrium(calf, stiff, after, activation, np.full(6, 1.0), dt)
    optimal = np.array([m.fibre_length for m in calf])
    slack = np.array([m.tendon_length for m in calf])
    cosine = (after - slack) / (1.02 * optimal)
    speed = 0.02 * optimal / dt / cosine
    rigid = rigid_tendon_forces(calf, stiff, after[None], speed[None])
    assert (after > before).all()
    np.testing.assert_allclose(found.force, (0.7 * rigid.active + rigid.passive)[0], rtol=0.01)


def test_other_muscles_are_as_with_rigid_tendons(model, postures) -> None:
    """In postures held still: the moments are given, and a muscle outside the calf pulls as its activation says."""
    still = {name: np.repeat(values[:1], 4) for name, values in postures.items()}
    qd = {name: np.zeros(4) for name in still}
    geometry = path_geometry(model, still)
    rigid = rigid_tendon_forces(model.muscles, CURVES, geometry.length, np.zeros_like(geometry.length))
    moment = np.einsum("tjm,tm->tj", geometry.arm, 0.2 * rigid.active + rigid.passive)
    asked = dict(zip(model.coordinates, moment.T, strict=True))
    found = muscle_forces(model, still, qd, asked, history=History(0.01 * np.arange(4), np.arange(4) == 0, ELASTIC))
    others = np.array([muscle.name[:-2] not in ELASTIC for muscle in model.muscles])
    np.testing.assert_allclose(found.force[:, others], (found.activation * rigid.active + rigid.passive)[:, others])
    given = np.einsum("tjm,tm->tj", geometry.arm, found.force) + found.reserve
    np.testing.assert_allclose(given, moment, atol=1e-9)
    assert np.abs(found.reserve).max() < 0.05 * np.abs(moment).max()


def test_activations_that_give_the_moments_are_kept_if_they_are_the_target(model, postures) -> None:
    """In a posture held still for so long that fibres stand, whatever their start: the objective is then zero."""
    frames = 3
    still = {name: np.repeat(values[:1], frames) for name, values in postures.items()}
    qd, time = {name: np.zeros(frames) for name in still}, 1000.0 * np.arange(frames)
    history, geometry = History(time, np.arange(frames) == 0, ELASTIC), path_geometry(model, still)

    def moments(force: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip(model.coordinates, np.einsum("tjm,tm->jt", geometry.arm, force), strict=True))

    own = np.array([muscle.name[:-2] in ELASTIC for muscle in model.muscles])
    pulls = np.random.default_rng(4).uniform(50.0, 300.0, len(own)) * np.where(own, 4.0, 1.0)
    wanted = muscle_forces(model, still, qd, moments(np.tile(pulls, (frames, 1))), history=history)
    target = wanted.activation
    assert target[:, own].max() > 0.2
    found = muscle_forces(model, still, qd, moments(wanted.force), Criterion(target=target), history=history)
    np.testing.assert_allclose(found.activation, target, atol=2e-3)  # activations settle to 1e-3
    assert np.abs(found.reserve).max() < 0.01


def fibres_at_the_start(model, q, qd, asked, own, interval: float) -> np.ndarray:
    """Normal lengths an interval before the first frame: under the force of rigid tendons, moving as the muscles."""
    low = np.where(np.isin(np.arange(len(model.muscles)), own), 0.01, 0.0)
    force = muscle_forces(model, q, qd, asked, Criterion(low=low)).force[0, own]
    geometry = path_geometry(model, q)
    speed = -np.einsum("tjm,jt->tm", geometry.arm, np.array([qd[name] for name in model.coordinates]))[0, own]
    lengths = []
    for k, index in enumerate(own):
        muscle, share = model.muscles[index], force[k] / model.muscles[index].maximum_force
        strain = brentq(lambda e, share=share: float(tendon_force(CURVES, e)[0]) - share, 0.0, 0.1, xtol=1e-12)
        along = geometry.length[0, index] - muscle.tendon_length * (1.0 + strain)
        lengths.append(np.hypot(along / muscle.fibre_length, np.sin(muscle.pennation)))
        lengths[-1] -= interval * speed[k] / muscle.fibre_length
    return np.array(lengths)


def test_fibres_go_on_from_the_frame_before_and_begin_anew_after_a_gap(model, postures) -> None:
    """Each is in equilibrium by its own interval; frames after a gap are those of the same frames alone."""
    time = np.array([0.0, 0.01, 0.015, 0.035, 0.5, 0.51, 0.52])
    q = {name: values[0] + 0.1 * np.sin(9.0 * time + k) for k, (name, values) in enumerate(postures.items())}
    qd = {name: 0.9 * np.cos(9.0 * time + k) for k, name in enumerate(postures)}
    geometry = path_geometry(model, q)
    asked = dict(zip(model.coordinates, np.einsum("tjm->jt", 30.0 * geometry.arm), strict=True))
    begins = np.isin(np.arange(7), [0, 4])
    found = muscle_forces(model, q, qd, asked, history=History(time, begins, ELASTIC))
    own = [k for k, muscle in enumerate(model.muscles) if muscle.name[:-2] in ELASTIC]
    calf = [model.muscles[k] for k in own]
    for t in (1, 2, 3, 5, 6):
        a, before = found.activation[t, own], found.fibre_length[t - 1, own]
        expected = equilibrium(calf, CURVES, geometry.length[t, own], a, before, time[t] - time[t - 1])
        np.testing.assert_allclose(found.fibre_length[t, own], expected.length, atol=1e-10)
        np.testing.assert_allclose(found.force[t, own], expected.force, rtol=1e-8)
    before = fibres_at_the_start(model, q, qd, asked, own, interval=0.01)
    first = found.activation[0, own]
    expected = equilibrium(calf, CURVES, geometry.length[0, own], first, before, 0.01)
    np.testing.assert_allclose(found.fibre_length[0, own], expected.length, atol=1e-6)  # from a table of the tendon
    part = [{name: values[4:] for name, values in of.items()} for of in (q, qd, asked)]
    alone = muscle_forces(model, *part, history=History(time[4:] - 0.5, begins[4:], ELASTIC))
    np.testing.assert_allclose(found.force[4:], alone.force, rtol=1e-6, atol=0.05)  # N; activations settle to 1e-3
    through = muscle_forces(model, q, qd, asked, history=History(time, np.arange(7) == 0, ELASTIC))
    assert np.abs(through.force[4:] - alone.force).max() > 1.0


def test_elastic_tendons_do_not_go_with_activation_dynamics() -> None:
    with pytest.raises(DynamicsError, match="dynamics"):
        History(np.zeros(2), np.zeros(2, dtype=bool), ELASTIC, dynamic=True)
