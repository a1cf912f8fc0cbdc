"""Decode the integers and real numbers of a C3D file in the format of its processor: PC, DEC or SGI.

Formats after the C3D file format user guide (Motion Lab Systems), "Number formats".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_DEC, _MIPS = 85, 86


@dataclass(frozen=True)
class NumberFormat:
    """How a processor stores 16-bit integers and 32-bit real numbers.

    Attributes:
        order: "<" least significant byte first, ">" most significant byte first.
        is_dec: whether real numbers are VAX F: two 16-bit words, the more significant one first, and an exponent larger
            by two.
    """

    order: str
    is_dec: bool

    @classmethod
    def of_processor(cls, number: int) -> NumberFormat:
        """Format of processor 84 (PC), 85 (DEC) or 86 (SGI/MIPS)."""
        return cls(">" if number == _MIPS else "<", number == _DEC)

    def integers(self, content: bytes, start: int = 0, count: int = -1, *, signed: bool = True) -> np.ndarray:
        """16-bit integers (count,), as stored."""
        return np.frombuffer(content, f"{self.order}{'i' if signed else 'u'}2", count, start)

    def reals(self, content: bytes, start: int = 0, count: int = -1) -> np.ndarray:
        """32-bit real numbers (count,)."""
        if not self.is_dec:
            return np.frombuffer(content, f"{self.order}f4", count, start)
        words = np.frombuffer(content, "<u2", count if count < 0 else 2 * count, start).reshape(-1, 2).astype(np.uint32)
        with np.errstate(invalid="ignore"):  # a damaged number may be a signalling NaN
            return (words[:, 0] << 16 | words[:, 1]).view(np.float32) / np.float32(4.0)

    def word(self, content: bytes, start: int) -> int:
        """One unsigned 16-bit integer."""
        return int(self.integers(content, start, 1, signed=False)[0])

    def real(self, content: bytes, start: int) -> float:
        """One real number."""
        return float(self.reals(content, start, 1)[0])
