"""Data on a subject in words, for the head of a page."""

import pytest

from pipeline.config import Subject
from pipeline.workflow.described import described


@pytest.mark.parametrize(("age", "text"), [(0.9, "0 years"), (1.0, "1 year"), (1.9, "1 year"), (12.0, "12 years")])
def test_an_age_is_in_whole_years_in_the_singular_or_plural(age, text):
    assert dict(described(Subject(subject="Ann", age_years=age), None)) == {"Age": text}
