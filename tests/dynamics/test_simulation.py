"""Simulation: a pendulum of known period, events, controllers with states, loads in time, and failures."""

import numpy as np
import pytest
from scipy.special import ellipk

from pipeline.dynamics import Wrench
from pipeline.dynamics.simulation import simulate
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton
from tests.oracles.random_trees import random_tree


def one_joint(name, kind, theta=0.0, length=0.0, mass=1.0):
    """A point mass at the end of one link of the world."""
    return Skeleton(
        joint_names=(name,),
        parent=[-1],
        kind=(kind,),
        theta=[theta],
        d=[0.0],
        a=[length],
        alpha=[0.0],
        origin=[np.eye(4)],
        mass=[mass],
        com=np.zeros((1, 3)),
        inertia=np.zeros((1, 3, 3)),
    )


def point_pendulum(length=1.0):
    """A point mass of 1 kg on a massless rod, downward at q = 0, turning about Z."""
    return one_joint("hinge", "R", -np.pi / 2, length)


def slider():
    """A mass of 2 kg that slides along Z, where gravity does not act."""
    return one_joint("slide", "P", mass=2.0)


def passing_zero(**options):
    """An event at which the first coordinate is zero, with SciPy's attributes."""

    def event(t, q, qd):
        return q[0]

    vars(event).update(options)
    return event


def test_a_pendulum_of_large_swing_has_the_period_of_the_elliptic_integral():
    """T = 4 sqrt(l / g) K(sin^2(amplitude / 2)); the downward crossings are found as events."""
    motion = simulate(point_pendulum(), [2.0], [0.0], 10.0, events=[passing_zero(direction=-1.0)])
    period = 4 * np.sqrt(1 / 9.81) * ellipk(np.sin(1.0) ** 2)
    np.testing.assert_allclose(np.diff(motion.event_times[0]), period, rtol=1e-7)


@pytest.mark.parametrize("duration", [10.0, np.inf])
def test_a_terminal_event_ends_the_motion(duration):
    motion = simulate(point_pendulum(), [0.5], [0.0], duration, events=[passing_zero(terminal=True)])
    assert motion.time[-1] == motion.event_times[0][0]
    assert abs(motion.q[-1, 0]) < 1e-9


def test_the_dense_output_agrees_with_the_requested_times():
    times = np.linspace(0.0, 2.0, 37)
    motion = simulate(point_pendulum(), [1.0], [0.3], 2.0, times=times)
    q, qd = motion.at(times)
    np.testing.assert_allclose(motion.time, times)
    np.testing.assert_allclose(q, motion.q, atol=1e-12)
    np.testing.assert_allclose(qd, motion.qd, atol=1e-12)


def test_a_controller_with_two_states_of_its_own_is_integrated_with_the_motion():
    """A mass pushed by F = sin t, which the controller makes as the state of an oscillator: q = (t - sin t) / 2."""

    class Oscillator:
        initial_states = np.array([0.0, 1.0])

        def __call__(self, t, q, qd, states):
            return states[:1], np.array([states[1], -states[0]])

    motion = simulate(slider(), [0.0], [0.0], 5.0, controller=Oscillator())
    np.testing.assert_allclose(motion.states[:, 0], np.sin(motion.time), atol=1e-8)
    np.testing.assert_allclose(motion.q[:, 0], (motion.time - np.sin(motion.time)) / 2, atol=1e-8)
    np.testing.assert_allclose(motion.work, motion.energy.kinetic, atol=1e-8)


def test_an_external_load_in_time_moves_the_mass():
    """F = 6 t on 2 kg: q = t^3 / 2."""

    def push(t, q, qd):
        return {"slide": Wrench(np.array([[0.0, 0.0, 6.0 * t]]), np.zeros(3), np.zeros(3))}

    motion = simulate(slider(), [0.0], [0.0], 2.0, wrenches=push)
    np.testing.assert_allclose(motion.q[:, 0], motion.time**3 / 2, atol=1e-8)


def test_a_random_tree_in_three_dimensions_keeps_its_energy():
    skeleton = random_tree(np.random.default_rng(5), 6, massless=0.0)
    motion = simulate(skeleton, np.full(6, 0.3), np.full(6, -0.4), 1.0, gravity=(1.0, -9.0, 2.0))
    scale = (np.abs(motion.energy.kinetic) + np.abs(motion.energy.potential)).max()
    np.testing.assert_allclose(motion.energy.total, motion.energy.total[0], atol=1e-8 * scale)
    assert np.ptp(motion.energy.kinetic) > 1e-3 * scale


@pytest.mark.parametrize(
    ("force", "message"),
    [
        (lambda t, qd: np.nan if t > 0.5 else 1.0, "tau is nan"),
        (lambda t, qd: 2.0 + 2.0 * qd**2, "integrator stopped|not finite|is inf|is nan"),
    ],
    ids=["missing force", "velocity without bound"],
)
def test_a_motion_that_cannot_go_on_is_refused_and_not_returned(force, message):
    """The second: v' = 1 + v^2, so v = tan t, which has no value beyond t = pi / 2."""

    class Runaway:
        initial_states = np.empty(0)

        def __call__(self, t, q, qd, states):
            return np.array([force(t, qd[0])]), states

    with pytest.raises(DynamicsError, match=message):
        simulate(slider(), [0.0], [0.0], 2.0, controller=Runaway(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("q0", "qd0", "duration", "message"),
    [
        ([0.1, 0.2], [], 1.0, r"q0 is \[0.1, 0.2\], not 1 finite numbers"),
        ([0.1], [0.0, 0.0], 1.0, r"qd0 is \[0.0, 0.0\]"),
        ([[0.1]], [[0.0]], 1.0, "q0 is"),
        ([np.nan], [0.0], 1.0, r"q0 is \[nan\]"),
        ([0.1], [0.0], np.inf, "the duration is inf s"),
        ([0.1], [0.0], np.nan, "the duration is nan s"),
    ],
)
def test_a_malformed_start_or_an_endless_duration_is_refused(q0, qd0, duration, message):
    """Too long a q0 and too short a qd0 would otherwise be split at the wrong place."""
    with pytest.raises(DynamicsError, match=message):
        simulate(point_pendulum(), q0, qd0, duration)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"times": [0.0, 2.0]}, r"times is \[0.0, 2.0\].* from 0 to the duration, 1 s"),
        ({"times": [0.5, 0.2]}, "times is"),
        ({"times": []}, "times is"),
        ({"times": 0.5}, "times is"),
        ({"times": [np.nan]}, "times is"),
        ({"method": "Euler"}, "no method 'Euler'. Use one of DOP853"),
        ({"rtol": -1.0}, "rtol is -1.0, not a positive number"),
        ({"atol": np.nan}, "atol is nan"),
        ({"events": lambda t, q, qd: q[0]}, "events is .*Give a list"),
        ({"duration": "1"}, "the duration is 1 s"),
        ({"q0": "a"}, "q0 is a"),
        ({"gravity": "down"}, "gravity is down"),
    ],
)
def test_malformed_arguments_are_refused_before_the_integrator_sees_them(given, message):
    start = {"q0": [0.1], "qd0": [0.0], "duration": 1.0}
    with pytest.raises(DynamicsError, match=message):
        simulate(point_pendulum(), **start | given)


@pytest.mark.parametrize(
    ("states", "answer", "message"),
    [
        (np.empty(0), (0.0, np.empty(0)), "the torques at time 0 are 0.0"),
        (np.empty(0), (np.zeros(2), np.empty(0)), r"the torques at time 0 .* shape \(1,\)"),
        (np.zeros(1), (np.zeros(1), np.zeros(2)), "the states' rates"),
        (np.array([np.nan]), (np.zeros(1), np.zeros(1)), "initial_states"),
    ],
)
def test_a_controller_of_other_shapes_is_refused(states, answer, message):
    class Given:
        initial_states = states

        def __call__(self, t, q, qd, states):
            return answer

    with pytest.raises(DynamicsError, match=message):
        simulate(point_pendulum(), [0.1], [0.0], 1.0, controller=Given())


def test_a_controller_may_return_lists_and_begins_with_copies_of_floats():
    q0 = np.array([0.1])

    class Listing:
        initial_states = (1,)

        def __call__(self, t, q, qd, states):
            assert states.dtype == float
            assert not np.shares_memory(q, q0)
            return [0.0], [-float(states[0])]

    motion = simulate(slider(), q0, [0.0], 1.0, controller=Listing(), times=[1.0])
    assert motion.states[0] == pytest.approx(np.exp(-1.0))


def test_tolerances_of_single_states_and_numbers_in_arrays_are_taken():
    given = {"atol": np.full(3, 1e-10), "rtol": 1e-10}
    one = simulate(point_pendulum(), [0.5], [0.0], 1.0)
    np.testing.assert_array_equal(simulate(point_pendulum(), [0.5], [0.0], np.array(1.0), **given).q, one.q)


@pytest.mark.parametrize("given", [{"times": [0]}, {"times": (0,)}, {}])
def test_a_motion_without_duration_is_its_first_state(given):
    """SciPy returns no array if it reaches no output time, and both ends of the motion otherwise."""
    motion = simulate(point_pendulum(), (1,), [0], 0, **given)
    assert motion.time.tolist() == [0.0]
    assert motion.q.tolist() == [[1.0]]
    assert motion.work.tolist() == [0.0]


def test_output_times_after_a_terminal_event_are_left_out():
    down = passing_zero(terminal=True)
    motion = simulate(point_pendulum(), [0.5], [0.0], 5.0, events=[down], times=[0.1, 4.0])
    assert motion.time.tolist() == [0.1]
    none = simulate(point_pendulum(), [0.5], [0.0], 5.0, events=[down], times=[4.0])
    assert none.q.shape == none.tau.shape == (0, 1)
    with pytest.raises(DynamicsError, match=r"time is \[1.0\].*Give times from 0 to 0.5"):
        motion.at([1.0])  # the pendulum was not integrated beyond the event at 0.51 s


def test_an_event_may_be_infinite_at_the_start():
    def late(t, q, qd):
        return np.inf if t < 0.3 else q[0]

    (found,) = simulate(point_pendulum(), [0.5], [0.0], 1.0, events=[late]).event_times
    (expected,) = simulate(point_pendulum(), [0.5], [0.0], 1.0, events=[passing_zero()]).event_times
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_states_are_known_within_the_motion_alone():
    """Beyond it, the integrator's polynomial would be continued: 1e5 rad after ten seconds."""
    motion, back = (simulate(point_pendulum(), [0.5], [0.0], duration) for duration in (1.0, -1.0))
    assert motion.at((0, 1))[0].shape == (2, 1)
    assert motion.at([])[1].shape == (0, 1)
    assert motion.at([1.0 + 1e-12])[0] == pytest.approx(motion.q[-1:])
    assert back.at(np.float32([-0.5]))[0] == pytest.approx(motion.at([0.5])[0])
    for time in ([1.1], [-0.1], [np.nan], 0.5, "a", [1j], [[0.1]]):
        with pytest.raises(DynamicsError, match="Give times from 0 to 1 s"):
            motion.at(time)
    with pytest.raises(DynamicsError, match="Give times from -1 to 0 s"):
        back.at([0.5])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q0": [[1.0], [1.0, 2.0]]}, "q0 is"),
        ({"times": [[0.1], [0.1, 0.2]]}, "times is"),
        ({"atol": [1e-8, 1e-8]}, "atol is .*or 3: of coordinates, velocities, work and states"),
        ({"controller": lambda t, q, qd, states: (q, states)}, "controller: it is .*with initial_states"),
        ({"wrenches": {"hinge": None}}, "wrenches is .*Give a function of time"),
        (
            {"wrenches": lambda t, q, qd: Wrench(np.zeros((1, 3)), np.zeros(3), np.zeros(3))},
            "Give a dictionary of Wrench",
        ),
        ({"events": [lambda t, q, qd: None]}, "event 0: it is None at time 0"),
        ({"events": [lambda t, q, qd: q[0] > 0.0]}, "event 0: it is True at time 0"),
    ],
)
def test_what_is_no_function_or_returns_something_else_is_named(given, message):
    with pytest.raises(DynamicsError, match=message):
        simulate(point_pendulum(), **{"q0": [0.1], "qd0": [0.0], "duration": 1.0} | given)
