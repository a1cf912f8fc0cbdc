"""Hip regressions by hand."""

import numpy as np
import pytest

from pipeline.anatomy import hip_centre_in_pelvis

VALUES = {
    "inter_asis": 0.240,
    "pelvis_depth": 0.160,
    "leg_length_left": 0.880,
    "leg_length_right": 0.900,
    "asis_trochanter_left": 0.066,
    "asis_trochanter_right": 0.068,
    "marker_radius": 0.007,
}


@pytest.mark.parametrize(
    ("method", "side", "expected"),
    [
        # C = 0.115 * 890 - 15.3 = 87.05 mm; C cos 0.5 = 76.3937, C sin 0.5 = 41.7340; cos 0.314 = 0.951106,
        # sin 0.314 = 0.308866; ASIS to trochanter plus radius: 73 and 75 mm.
        # x = 76.3937 * 0.308866 - 73 * 0.951106 = 23.5954 - 69.4307; y = -76.3937 * 0.951106 - 73 * 0.308866.
        ("davis", "left", (-45.8353, -95.2057, -78.2660)),
        ("davis", "right", (-47.7375, -95.8234, 78.2660)),
        # -0.24 * 160 - 9.9; -0.16 * 240 - 0.04 * 890 - 7.1; 0.28 * 160 + 0.16 * 240 + 7.9.
        ("harrington", "left", (-48.3, -81.1, -91.1)),
        ("harrington", "right", (-48.3, -81.1, 91.1)),
        # 19, 30 and 36 % of 240 mm.
        ("bell", "left", (-45.6, -72.0, -86.4)),
        ("bell", "right", (-45.6, -72.0, 86.4)),
        # 11 - 0.063 * 880, -9 - 0.078 * 880, 8 + 0.086 * 880: of the leg's own length.
        ("hara", "left", (-44.44, -77.64, -83.68)),
        ("hara", "right", (-45.7, -79.2, 85.4)),
    ],
)
def test_hip_regressions_by_hand(method, side, expected):
    """To a micrometre: the figures above are rounded to a tenth of that."""
    found = 1000.0 * hip_centre_in_pelvis(method, side, VALUES)
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_unknown_hip_methods_are_refused():
    with pytest.raises(ValueError, match="davis"):
        hip_centre_in_pelvis("guess", "left", VALUES)
