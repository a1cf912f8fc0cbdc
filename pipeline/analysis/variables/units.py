"""Units of reported values: how pages write them, and with how many decimals."""

from __future__ import annotations

DISPLAY_UNITS = {"deg": "\N{DEGREE SIGN}", "%BW": "% BW", "%BW*height": "% BW\N{MIDDLE DOT}height"}
"""Units as pages write them, if different from tables."""

DECIMALS = {
    **{"deg": 1, "Nm/kg": 2, "W/kg": 2, "BW": 2, "%BW": 1, "%BW*height": 2, "mm": 1},
    **{"m/s": 2, "steps/min": 1, "mm/(steps/min)": 2, "s": 2, "m": 3, "%": 1},
}
"""Decimals with which pages give values, by unit."""


class Reported:
    """A quantity of the registry with its units."""

    units: str

    @property
    def display_units(self) -> str:
        """Units as pages write them."""
        return DISPLAY_UNITS.get(self.units, self.units)

    @property
    def decimals(self) -> int:
        """Decimals with which pages give values."""
        return DECIMALS[self.units]
