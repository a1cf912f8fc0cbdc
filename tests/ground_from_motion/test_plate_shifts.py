"""Plates that read the centre of pressure elsewhere along the walkway are told from people whose masses are off."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.benchmarks.plate_shifts import PLATES, Distance, plate_shifts
from tests.benchmarks.reference_walks import walkway_direction, with_plates_put_right

SHIFT = dict(zip(PLATES, (-0.002, 0.012, 0.008), strict=True))


def test_planted_shifts_are_found_whatever_each_person_has():
    people = {"a": -0.03, "b": 0.01, "c": 0.002}
    steps = [
        Distance(person, plate, direction, offset + direction * SHIFT[plate], 0.0)
        for person, offset in people.items()
        for direction in (1.0, -1.0)
        for plate in PLATES
    ]
    assert plate_shifts(steps, [step.of_point for step in steps]) == pytest.approx(list(SHIFT.values()), abs=1e-12)


@dataclass(frozen=True)
class Point:
    point_G: np.ndarray


@dataclass(frozen=True)
class Plate:
    number: int
    corners_G: np.ndarray
    wrench: Point


@dataclass(frozen=True)
class Walk:
    plates: tuple[Plate, ...]


@dataclass(frozen=True)
class Given:
    walk: Walk


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_plates_are_moved_against_what_they_read_too_far(direction):
    plates = tuple(
        Plate(number, np.tile([direction * at, 0.0, 0.3], (4, 1)), Point(np.zeros((1, 3))))
        for number, at in ((3, 0.0), (1, 0.6), (4, 1.2))
    )
    assert walkway_direction(plates) == direction
    moved = with_plates_put_right(Given(Walk(plates)), SHIFT).walk.plates
    for before, after in zip(plates, moved, strict=True):
        back = [-direction * SHIFT[before.number], 0.0, 0.0]
        np.testing.assert_allclose(after.corners_G - before.corners_G, np.tile(back, (4, 1)), atol=1e-15)
        np.testing.assert_allclose(after.wrench.point_G, [back], atol=1e-15)
