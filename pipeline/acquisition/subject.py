"""Subject parameters stored in a C3D file."""

from __future__ import annotations

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile

_GROUPS = ("PROCESSING", "SUBJECTS", "SUBJECT", "ANALYSIS")
_BOOKKEEPING = {"USED", "IS_STATIC", "USES_PREFIXES"}


def read_parameters(file: C3DFile) -> dict[str, float]:
    """Single numbers in the groups that describe the subject, by name without ``$`` signs, in the file's units.

    If names are then the same, the first is kept; case is ignored, since C3D parameter names are case-insensitive.
    """
    parameters: dict[str, float] = {}
    taken: set[str] = set()
    for group in _GROUPS:
        for (owner, key), entry in file.parameters.entries.items():
            values = file.numbers(owner, key)
            if owner != group or key in _BOOKKEEPING or values.size != 1:
                continue
            name = entry.spelling.strip("$")
            if np.isfinite(values).all() and name.lower() not in taken:
                taken.add(name.lower())
                parameters[name] = values.item()
    return parameters
