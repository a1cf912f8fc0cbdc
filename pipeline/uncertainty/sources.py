"""Sources of error, in the order in which pages and tables list them."""

HIP_CENTRE = "hip centre"
KNEE_AXIS = "knee axis"
ANKLE_CENTRE = "ankle centre"
MARKER_NOISE = "marker noise"
SOFT_TISSUE = "soft tissue"
CENTRE_OF_PRESSURE = "centre of pressure"
TIMING = "timing of the plates"
CUTOFF = "cut-off"
INERTIA = "segment inertia"
STRIDES = "stride to stride"

SOURCES = (
    *(HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE),
    *(MARKER_NOISE, SOFT_TISSUE),
    *(CENTRE_OF_PRESSURE, TIMING, CUTOFF, INERTIA),
    STRIDES,
)
