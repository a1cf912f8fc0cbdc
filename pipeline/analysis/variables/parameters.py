"""The registry of spatiotemporal parameters: one entry each, for cycles, tables, dictionary and pages."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.analysis.variables.units import Reported


@dataclass(frozen=True)
class Parameter(Reported):
    """A spatiotemporal parameter of a gait cycle.

    Attributes:
        units: as reported and stored in tables.
        sided: whether the sides of one walk can differ in it by more than the spread of strides; if not, it has no
            symmetry.
    """

    name: str
    units: str
    label: str
    definition: str
    sided: bool = True


_STRIDE = "forward distance of the heel between two initial contacts of the foot"
_STEP = "forward distance from the heel at the other foot's initial contact to this one's at the foot's next one"
_WIDTH = "distance of the other heel at its contact from the line between this heel's two (Huxham et al. 2006)"
_DOUBLE = "both feet on the ground, first and second together; needs the other foot's events"
_RATIO = (
    "half the stride length over the cadence (Sekiya and Nagasaki 1998); hardly changes with speed in healthy adults"
)
_TOE_OUT = "mean angle of the foot to the progression while it is flat, outwards"

_ENTRIES = (
    Parameter("speed", "m/s", "Speed", "stride length over stride time", sided=False),
    Parameter("cadence", "steps/min", "Cadence", "two steps over the stride time", sided=False),
    Parameter("stride_time", "s", "Stride time", "from an initial contact of the foot to its next one", sided=False),
    Parameter("stride_length", "m", "Stride length", _STRIDE, sided=False),
    Parameter("step_length", "m", "Step length between heels", _STEP),
    Parameter("step_time", "s", "Step time", "from the other foot's initial contact to this foot's next one"),
    Parameter("step_width", "m", "Step width between heels", _WIDTH),
    Parameter("stance", "%", "Stance", "part of the cycle with the foot on the ground"),
    Parameter("swing", "%", "Swing", "part of the cycle with the foot in the air"),
    Parameter("double_support", "%", "Double support", _DOUBLE, sided=False),
    Parameter("walk_ratio", "mm/(steps/min)", "Walk ratio", _RATIO, sided=False),
)

PARAMETERS: dict[str, Parameter] = {parameter.name: parameter for parameter in _ENTRIES}
"""The parameters of a cycle by name."""

TOE_OUT = Parameter("toe_out", "deg", "Toe-out", _TOE_OUT)
"""Parameter of a walk, the mean over a part of the foot progression curve, so not needed in `PARAMETERS`."""

_IMPLIED = ("stride_time", "step_time", "swing", "walk_ratio")

COMPARED_PARAMETERS = {p.name: p for p in (*_ENTRIES, TOE_OUT) if p.name not in _IMPLIED}
"""Parameters that measured and predicted walks both have by the same definition, without those that follow from
others."""
