"""The curves of a gait cycle by name, in the units in which laboratories report them: said once for figures, norms,
profiles, tables and measures of agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.trial import CycleCurves

Quantity = Literal["angles", "moments", "powers", "ground"]


@dataclass(frozen=True)
class Variable:
    """One curve of a cycle.

    Attributes:
        name: such as "knee_flexion"; a positive value is what the name says.
        units: as reported.
        quantity, joint, column: where it stands in `pipeline.trial.CycleCurves`; powers have no column, the ground
            reaction no joint.
        factor: reported value over stored value.
    """

    name: str
    units: str
    quantity: Quantity
    joint: str = ""
    column: int | None = None
    factor: float = 1.0

    def of(self, curves: CycleCurves) -> np.ndarray:
        """Values (101,) over one cycle; NaN where the cycle has none."""
        stored = getattr(curves, self.quantity)
        values = stored.get(self.joint) if self.joint else stored
        if values is None:
            return np.full(len(curves.percent), np.nan)
        return self.factor * (values if self.column is None else values[:, self.column])


_DEGREES = 180.0 / np.pi

_ANGLES = {
    "pelvis": ("pelvic_tilt", "pelvic_obliquity", "pelvic_rotation"),
    "hip": ("hip_flexion", "hip_adduction", "hip_rotation"),
    "knee": ("knee_flexion", "knee_adduction", "knee_rotation"),
    "ankle": ("ankle_dorsiflexion", "ankle_inversion", "ankle_rotation"),
    "foot": ("foot_pitch", "", "foot_progression"),
}
_MOMENTS = {
    "hip": ("hip_extensor_moment", "hip_abductor_moment", "hip_rotator_moment"),
    "knee": ("knee_extensor_moment", "knee_abductor_moment", "knee_rotator_moment"),
    "ankle": ("ankle_plantarflexor_moment", "ankle_evertor_moment", "ankle_rotator_moment"),
}
_GROUND = ("ground_fore_aft", "ground_vertical", "ground_medial")

VARIABLES: dict[str, Variable] = {
    variable.name: variable
    for variable in (
        *(
            Variable(name, "deg", "angles", joint, column, _DEGREES)
            for joint, names in _ANGLES.items()
            for column, name in enumerate(names)
            if name
        ),
        *(
            Variable(name, "Nm/kg", "moments", joint, column)
            for joint, names in _MOMENTS.items()
            for column, name in enumerate(names)
        ),
        *(Variable(f"{joint}_power", "W/kg", "powers", joint) for joint in _MOMENTS),
        *(Variable(name, "%BW", "ground", "", column, 100.0) for column, name in enumerate(_GROUND)),
    )
}
"""All curves by name. Angles in degrees, moments internal, rotations inward positive (rotator moments outward), the
ground reaction in percent of body weight with forward, up and towards the midline positive."""
