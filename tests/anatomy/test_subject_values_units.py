"""A value of the subject in another unit than it is asked in is refused with the unit that it is probably in."""

from __future__ import annotations

import pytest

from pipeline.anatomy.marker_set import SubjectValue
from pipeline.anatomy.subject_values import _check_range
from pipeline.errors import AnatomyError

HEIGHT = SubjectValue(unit="mm", minimum=0.5, maximum=2.5)
MASS = SubjectValue(unit="kg", minimum=5.0, maximum=300.0)


@pytest.mark.parametrize(
    ("stored", "definition", "meant"),
    [
        (1.72e-3, HEIGHT, "1.72 m would be in it"),
        (0.172, HEIGHT, "172 cm are 1.72 m"),
        (0.068, HEIGHT, "68 inches are 1.73 m"),
        (172.0, HEIGHT, "172 cm are 1.72 m"),
        (400.0, MASS, "400 pounds are 181 kg"),
    ],
)
def test_the_unit_that_was_meant_is_said(stored, definition, meant):
    """Of a file's number in mm, read as metres, and of a number in the table, which is in metres."""
    with pytest.raises(AnatomyError) as error:
        _check_range("value", stored, definition, "subject S")
    assert meant in str(error.value)


def test_a_value_within_its_range_is_taken():
    _check_range("height", 1.72, HEIGHT, "subject S")
