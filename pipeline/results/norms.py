"""Norm files: curves of a reference sample by walking speed, as JSON."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import Norm, norm_from, not_a_norm
from pipeline.config import read_json


def load_norm(path: Path) -> Norm:
    """Read a norm.

    Raises:
        ConfigError: the file is not a norm, or has a variable that is not in the registry or has other units.
    """
    try:
        stored = read_json(path)
    except (OSError, ValueError) as error:
        raise not_a_norm(error, str(path)) from error
    return norm_from(stored, str(path))
