"""Mass distributions found from the pelvis' residual, planted in a human of known masses."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.dynamics import rnea
from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench
from pipeline.skeleton import link_poses, load_skeleton
from pipeline.whole_body import mass_adjustment, reduced_skeleton
from pipeline.whole_body.mass_adjustment import MASS_GROUPS, MASS_SD, SHIFT_SD, TRUNK, _changed, fit_mass_distribution
from pipeline.whole_body.walk import _at_limit
from tests.whole_body.balanced import balancing_load

RATE, FRAMES, HEIGHT = 100.0, 200, 1.7

GROUPS = {
    "trunk": ("pelvis", *TRUNK),
    "thighs": ("left_thigh", "right_thigh"),
    "arms": tuple(f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "hand")),
}
UNCHANGED = dict.fromkeys(GROUPS, 1.0)


@pytest.fixture(autouse=True)
def few_groups(monkeypatch):
    monkeypatch.setattr(mass_adjustment, "MASS_GROUPS", GROUPS)


@pytest.fixture(scope="module")
def human(request):
    return load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=70.0, height=HEIGHT, sex="female")


@pytest.fixture(scope="module")
def motion(human):
    """Coordinates and rates (T, n) of a lively motion that also turns the trunk."""
    rng = np.random.default_rng(3)
    t = np.arange(FRAMES)[:, None] / RATE
    omega = 2 * np.pi * rng.uniform(0.7, 1.6, len(human))
    size, phase = rng.uniform(0.05, 0.3, len(human)), rng.uniform(0, 2 * np.pi, len(human))
    size[:3] = 0.05
    return tuple(size * omega**k * np.sin(omega * t + phase + 0.5 * np.pi * k) for k in range(3))


def balancing(skeleton, motion):
    """The load on the left foot for which pelvis residuals vanish."""
    return {"left_foot": balancing_load(skeleton, motion, "left_foot", motion[0][:, :3] - [0.0, 0.9, 0.0])}


def fit(human, motion, load, frames):
    return fit_mass_distribution(human, *motion, load, frames, RATE, HEIGHT)


def test_zero_residuals_give_no_change(human, motion):
    found = fit(human, motion, balancing(human, motion), np.ones(FRAMES, dtype=bool))
    np.testing.assert_allclose(found.shift, 0.0, atol=1e-9)
    assert found.factors == pytest.approx(UNCHANGED, abs=1e-9)
    np.testing.assert_allclose(found.skeleton.mass, human.mass, rtol=1e-9)


def test_planted_changes_are_recovered_and_also_fit_other_frames(human, motion):
    """The trunk's centre of mass 40 mm back and 10 mm aside, thighs 8 % heavier, from half of the frames.

    The changes are held to zero: the shift comes back to 4 mm, the thighs' mass to 3 %. The residual of the other half
    falls to a third, and the body's mass stays.
    """
    true = _changed(human, np.array([-0.04, 0.01]), UNCHANGED | {"thighs": 1.08})
    load = balancing(true, motion)
    half = np.arange(FRAMES) < FRAMES // 2
    found = fit(human, motion, load, half)
    np.testing.assert_allclose(found.shift, [-0.04, 0.01], atol=0.004)
    ratio = found.factors["thighs"] / found.factors["trunk"]
    assert ratio == pytest.approx(1.08, abs=0.03)
    assert found.skeleton.mass.sum() == pytest.approx(human.mass.sum())
    left = [
        np.sqrt(np.mean(rnea(body, *motion, wrenches=load).tau[~half, :6] ** 2, axis=0))
        for body in (human, found.skeleton)
    ]
    assert (left[1] < left[0] / 3.0).all(), left


def test_the_distribution_is_the_most_probable_one_with_errors_in_body_weights_and_statures(human, motion):
    """Loads that no masses explain: forces and moments are weighed by 3 % and 0.6 % of body weight (and stature)."""
    load = balancing(human, motion)
    foot = load["left_foot"]
    wrong = Wrench(foot.force_G + np.array([15.0, 0.0, 5.0]), foot.moment_G + np.array([0.0, 4.0, 9.0]), foot.point_G)
    found = fit(human, motion, {"left_foot": wrong}, np.ones(FRAMES, dtype=bool))
    weight = human.mass.sum() * 9.81

    def cost(shift, factors):
        tau = rnea(_changed(human, shift, factors), *motion, wrenches={"left_foot": wrong}).tau
        force, moment = tau[:, :3] / (0.03 * weight), tau[:, 3:6] / (0.006 * weight * HEIGHT)
        independent = 10.0 / RATE
        prior = np.sum((shift / SHIFT_SD) ** 2) + sum(((factor - 1.0) / MASS_SD) ** 2 for factor in factors.values())
        return independent * (np.sum(force**2) + np.sum(moment**2)) + prior

    def from_least(along):
        """How far the lowest point of the parabola through the cost at -1, 0 and 1 is from 0."""
        below, at, above = map(along, (-1.0, 0.0, 1.0))
        assert below + above > 2.0 * at
        return 0.5 * (below - above) / (below + above - 2.0 * at)

    for k in range(2):
        step = 0.01 * np.eye(2)[k]
        assert abs(from_least(lambda size, step=step: cost(found.shift + size * step, found.factors))) < 0.15
    for name in GROUPS:
        for size in (-0.1, 0.1):
            assert cost(found.shift, found.factors | {name: found.factors[name] + size}) > cost(
                found.shift, found.factors
            )


def test_impossible_mass_changes_are_refused_with_their_size(human, motion):
    """The loads of a body with thighs of five times their mass: they are heavier, and all else is lighter."""
    heavy = _changed(human, np.zeros(2), UNCHANGED | {"thighs": 5.0})
    with pytest.raises(DynamicsError, match=r"the mass of the (thighs changes by|(trunk|arms) changes by -)\s?\d+ %"):
        fit(human, motion, balancing(heavy, motion), np.ones(FRAMES, dtype=bool))


def test_changed_links_are_physically_possible_bodies(human):
    """Mass times a factor takes the inertia about the centre of mass with it; first moments move with the shift."""
    body = _changed(human, np.array([0.02, -0.013]), UNCHANGED | {"thighs": 1.5})
    scale = body.mass / np.where(human.mass > 0, human.mass, 1.0)
    np.testing.assert_allclose(body.inertia, scale[:, None, None] * human.inertia, rtol=1e-12)
    thigh, trunk = human.segment("left_thigh").joint, human.segment("upper_thorax").joint
    assert scale[thigh] / scale[trunk] == pytest.approx(1.5)
    R, _ = link_poses(human, np.zeros((1, len(human))))
    for name in ("lower_abdomen", "upper_thorax"):  # x forward, z to the right
        j = human.segment(name).joint
        np.testing.assert_allclose(R[0, j] @ (body.com[j] - human.com[j]), [0.02, 0.0, -0.013], atol=1e-12)


def test_stored_factors_give_the_masses_and_leave_the_body_s_mass_as_it_is(human, monkeypatch) -> None:
    """Segments of no group, here the feet too, share what the groups leave, in proportion to their own masses."""
    factors = {name: 1.0 + 0.01 * (-1) ** number for number, name in enumerate(MASS_GROUPS)}
    monkeypatch.setattr(
        mass_adjustment, "MASS_GROUPS", {name: part for name, part in MASS_GROUPS.items() if name != "feet"}
    )
    monkeypatch.setattr(mass_adjustment, "skeleton_of", lambda _: human)
    found = reduced_skeleton(SimpleNamespace(mass_factors=factors, trunk_com_shift=np.zeros(3)))
    assert found.mass.sum() == pytest.approx(human.mass.sum(), rel=1e-12)
    changed = found.mass / np.where(human.mass > 0.0, human.mass, np.nan)
    grouped = {human.segment(one).joint: factors[name] for name in ("arms", "shanks") for one in MASS_GROUPS[name]}
    np.testing.assert_allclose(changed[list(grouped)], list(grouped.values()), rtol=1e-12)
    feet = [human.segment(one).joint for one in MASS_GROUPS["feet"]]
    assert changed[feet[0]] == pytest.approx(changed[feet[1]], rel=1e-12)


def test_frames_at_a_joint_s_limit_are_counted_at_both_ends(human) -> None:
    """Within a thousandth of a radian, of four frames: at the lower end, at the upper one, and a tenth within each."""
    knee = human.index("left_knee_flexion")
    low, high = human.q_lower[knee], human.q_upper[knee]
    q = np.tile(np.clip(0.0, human.q_lower + 0.01, human.q_upper - 0.01), (4, 1))
    q[:, knee] = [low + 5e-4, high - 5e-4, low + 0.1, high - 0.1]
    share = _at_limit(human, q)
    assert share[knee] == 0.5
    assert np.delete(share, knee).max() == 0.0
