"""The registry of spatiotemporal parameters: one entry each, for cycles, tables, dictionary and pages."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.analysis.variables.units import Reported


@dataclass(frozen=True)
class Parameter(Reported):
    """A spatiotemporal parameter of a gait cycle.

    Attributes:
        units: as reported and stored in tables.
        compared: whether a predicted walk has it too, by the same definition.
    """

    name: str
    units: str
    label: str
    definition: str
    compared: bool = False


_ENTRIES = (
    Parameter("speed", "m/s", "Speed", "stride length over stride time", compared=True),
    Parameter("cadence", "steps/min", "Cadence", "two steps over the stride time", compared=True),
    Parameter("stride_time", "s", "Stride time", "from an initial contact of the foot to its next one"),
    Parameter(
        *(
            "stride_length",
            "m",
            "Stride length",
            "forward distance of the heel between two initial contacts of the foot",
        ),
        compared=True,
    ),
    Parameter(
        *("step_length", "m", "Step length between heels"),
        "forward distance from the other foot's heel to this one at the cycle's second initial contact",
        compared=True,
    ),
    Parameter("step_time", "s", "Step time", "from the other foot's initial contact to this foot's next one"),
    Parameter(
        *("step_width", "m", "Step width between heels"),
        "sideways distance between the heels at the two initial contacts of that step",
        compared=True,
    ),
    Parameter("stance", "%", "Stance", "part of the cycle with the foot on the ground", compared=True),
    Parameter("swing", "%", "Swing", "part of the cycle with the foot in the air"),
    Parameter(
        *("double_support", "%", "Double support"),
        "both feet on the ground, first and second together; needs the other foot's events",
        compared=True,
    ),
)

PARAMETERS: dict[str, Parameter] = {parameter.name: parameter for parameter in _ENTRIES}
"""The parameters of a cycle by name."""

TOE_OUT = Parameter(
    "toe_out", "deg", "Toe-out", "mean angle of the foot to the progression while it is flat, outwards", compared=True
)
"""Of a walk: the mean over a part of the foot progression's curve, which `PARAMETERS` need not repeat."""

COMPARED_PARAMETERS = {p.name: p for p in (*_ENTRIES, TOE_OUT) if p.compared}
"""Parameters that a measured and a predicted walk both have."""
