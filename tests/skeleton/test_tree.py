"""The skeleton refuses malformed trees and keeps what it is given."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.skeleton import Segment, Skeleton


def chain(n=3):
    """A chain of n unit rods of 1 kg that turn about z."""
    return Skeleton(
        joint_names=tuple(f"j{k}" for k in range(n)),
        parent=np.arange(n) - 1,
        kind=("R",) * n,
        theta=np.zeros(n),
        d=np.zeros(n),
        a=np.ones(n),
        alpha=np.zeros(n),
        origin=np.tile(np.eye(4), (n, 1, 1)),
        mass=np.ones(n),
        com=np.tile([-0.5, 0.0, 0.0], (n, 1)),
        inertia=np.tile(np.diag([0.0, 1 / 12, 1 / 12]), (n, 1, 1)),
    )


def changed(name, index, value):
    array = getattr(chain(), name).copy()
    array[index] = value
    return {name: array}


MALFORMED = [
    (changed("parent", 0, 2), "j0: .*cycle"),
    (changed("parent", 1, 1), "j1: .*cycle"),
    (changed("parent", 2, -1), "j2: there are 2 roots: j0, j2"),
    (changed("parent", 1, 3), "j1: parent is 3"),
    ({"parent": [2, -1, 1]}, "j0: it comes before its parent j2"),
    ({"joint_names": ("j0", "j1", "j1")}, "two joints are called 'j1'"),
    ({"kind": ("R", "R", "S")}, "j2: kind is 'S'"),
    ({"kind": ("R", "R")}, "kind has 2 entries"),
    (changed("mass", 1, -2.0), "j1: mass is -2.0 kg"),
    (changed("mass", 1, 0.0), "j1: mass is zero but inertia"),
    ({**changed("mass", 2, 0.0), **changed("inertia", 2, 0.0)}, "j2: neither its link nor any descendant has mass"),
    (changed("inertia", 1, np.diag([-0.01, 0.1, 0.1])), "j1: .*negative principal moment, -0.01"),
    (changed("inertia", 1, np.diag([0.1, 0.1, 0.3])), "j1: principal moments .*triangle"),
    (changed("inertia", (1, 0, 1), 0.01), "j1: inertia is not symmetric"),
    (changed("com", (2, 1), np.nan), "j2: com is nan"),
    (changed("theta", 2, np.inf), "j2: theta is inf"),
    (changed("origin", (1, 0, 0), -1.0), "j1: origin is not a rigid transform"),
    (changed("q_lower", 1, np.nan), "j1: limits"),
    (changed("tau_limit", 1, 0.0), "j1: tau_limit is 0.0"),
    ({"com": np.zeros((3, 2))}, r"com has shape \(3, 2\), expected \(3, 3\)"),
    ({"mass": ["heavy", 1, 1]}, "mass is not an array of numbers"),
    ({"parent": [-1, None, 1]}, "parent is not an array of numbers .a value is missing"),
    ({"frozen": [False, None, False]}, "frozen is not an array of numbers .a value is missing"),
    ({"parent": [-1, 0.5, 1]}, "parent has 0.5, which is not a whole number"),
    ({"parent": [-1, 0, np.inf]}, "parent has inf, which is not a whole number"),
    ({"frozen": [0, 2, 0]}, "frozen has 2, which is not True or False"),
    ({"segments": {"foot": Segment(7, np.eye(4))}}, "segment 'foot' is on joint 7"),
    ({"segments": {"foot": Segment(0.5, np.eye(4))}}, "segment 'foot' is on joint 0.5"),
    ({"segments": {"foot": Segment(1.0, np.eye(4))}}, "segment 'foot' is on joint 1.0"),
    ({"segments": {"j1": Segment(2, np.eye(4))}}, "segment 'j1' has the name"),
]


@pytest.mark.parametrize(("change", "message"), MALFORMED, ids=[message[:40] for _, message in MALFORMED])
def test_a_malformed_skeleton_is_refused_with_joint_value_and_remedy(change, message):
    with pytest.raises(DynamicsError, match=message) as caught:
        replace(chain(), **change)
    assert caught.value.remedy


def test_a_rod_whose_smallest_moment_is_zero_only_to_rounding_is_accepted():
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    inertia = chain().inertia.copy()
    inertia[1] = turned @ inertia[1] @ turned.T
    replace(chain(), inertia=inertia)


def test_the_arrays_of_a_skeleton_are_read_only_copies():
    mass = np.ones(3)
    skeleton = replace(chain(), mass=mass)
    mass[0] = 5.0
    assert skeleton.mass[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        skeleton.mass[0] = 5.0


def test_a_skeleton_survives_pickling():
    skeleton = replace(chain(), segments={"tip": Segment(2, np.eye(4))})
    again = pickle.loads(pickle.dumps(skeleton))
    assert again.joint_names == skeleton.joint_names
    assert again.segment("tip").joint == 2
    np.testing.assert_array_equal(again.inertia, skeleton.inertia)


def test_an_unknown_segment_is_refused_with_the_known_ones():
    with pytest.raises(DynamicsError, match=r"'elbow'.*j0, j1, j2"):
        chain().segment("elbow")


def test_ancestors_follow_the_parents():
    skeleton = replace(chain(), parent=[-1, 0, 0])
    np.testing.assert_array_equal(skeleton.is_ancestor, [[1, 1, 1], [0, 1, 0], [0, 0, 1]])
