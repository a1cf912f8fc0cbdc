"""The rate of a table by its times, which may be rounded."""

import numpy as np
import pytest

from pipeline.acquisition.text_tables import even_rate, number, text_lines
from pipeline.errors import AcquisitionError


@pytest.mark.parametrize("decimals", [2, 3, 4, 6])
def test_a_whole_rate_is_found_whatever_the_decimals_of_the_times(decimals):
    """60 Hz in hundredths of a second is off by up to a third of an interval, at the end too."""
    for count in (98, 99, 100):
        assert even_rate(np.round(0.5 + np.arange(count) / 60.0, decimals), "walk.trc") == 60.0


def test_a_rate_that_is_no_whole_number_is_kept_as_it_is():
    assert even_rate(np.arange(2000) / 59.94, "walk.trc") == pytest.approx(59.94, abs=1e-9)


def test_a_lost_frame_is_more_than_rounding():
    time = np.delete(np.round(np.arange(100) / 60.0, 3), 40)
    with pytest.raises(AcquisitionError, match="ms off even spacing"):
        even_rate(time, "walk.trc")


@pytest.mark.parametrize(("faster", "expected"), [(0.5e-6, 100.0), (1.5e-6, 100.00015), (-1.5e-6, 99.99985)])
def test_digits_beyond_the_microsecond_are_rounded_to_a_microsecond_at_most(faster, expected):
    """One second at a rate that is faster than 100 Hz by a share: it ends half a microsecond early, or one and a half.

    The digits are those of a clock, so that the times have no last decimal place.
    """
    time = 1.0 / 3.0 + np.arange(101) / 100.0 / (1.0 + faster)
    assert even_rate(time, "walk.trc") == pytest.approx(expected, rel=1e-9)


def test_a_byte_order_mark_is_no_text_whatever_the_encoding():
    for label in ("Hüfte".encode(), "Hüfte".encode("latin-1")):
        assert text_lines(b"\xef\xbb\xbfPathFileType\n" + label, "walk.trc") == ["PathFileType", "Hüfte"]


def test_a_decimal_comma_is_told():
    with pytest.raises(AcquisitionError, match=r"holds '0,01', not a number.*with decimal points instead of commas"):
        number("0,01", "walk.trc, line 6, column 2")
    with pytest.raises(AcquisitionError, match=r"holds 'x', not a number\. Export it again$"):
        number("x", "walk.trc")
