"""The methods paragraph of a trial, from its configuration and its results.

A sentence whose values are not recorded is omitted rather than filled with defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.config import EventSettings
from pipeline.conventions import GRAVITY
from pipeline.reporting.references import MOMENT_AXES, REFERENCES, Methods
from pipeline.reporting.run import setting
from pipeline.signals import GIVEN
from pipeline.trial import CUTOFF_METHODS, GaitCycles, GaitSummary, Kinematics

HIP_METHODS = {
    "davis": ("the regression of Davis et al. (1991)", "davis"),
    "harrington": ("the regression of Harrington et al. (2007)", "harrington"),
    "bell": ("the regression of Bell et al. (1990)", "bell"),
    "given": ("positions measured in the subject", ""),
    "hara": ("the regression of Hara et al. (2016)", "hara"),
}

CENTRE_RULES = {
    "chord": ("the chord construction (Kadaba et al. 1990; Davis et al. 1991)", ("kadaba", "davis")),
    "mean": ("the midpoints between lateral and medial markers", ()),
}

INERTIA_TABLES = {
    "de_leva": ("de Leva (1996)", "de_leva"),
    "dempster": ("Dempster as tabulated by Winter (2009)", "winter"),
}

CUTOFF_REFERENCES = {"residual": ("Winter 2009", "winter"), "gcv": ("Craven and Wahba 1979", "craven")}

SOURCES = {
    "plates": "the plates' unfiltered vertical force",
    "file": "the events stored in the file",
    "markers": "the markers (contact: largest upward acceleration of the heel, Hreljac and Marshall 2000; foot off: "
    "toe rearmost relative to the pelvis, Zeni et al. 2008)",
}


def methods(
    kinematics: Kinematics, cycles: GaitCycles, summary: GaitSummary, configuration: Mapping[str, Any]
) -> Methods:
    """Write the paragraph for one trial."""
    cited: list[str] = []
    sentences = [
        *_recording(kinematics),
        *_filter(kinematics, configuration, cited),
        *_anatomy(kinematics, cited),
        *_contacts(kinematics, configuration, cited),
        *_mechanics(kinematics, cycles, cited),
        *_averages(summary, cited),
    ]
    references = [REFERENCES[key] for key in sorted(set(cited))]
    return Methods(" ".join(sentences), tuple(references + [summary.norm_source] * bool(summary.norm)))


def _recording(kinematics: Kinematics) -> list[str]:
    count = len(kinematics.plates)
    plates = {0: "no force plate", 1: "one force plate"}.get(count, f"{count} force plates")
    calibration = kinematics.calibration
    static = "no static trial" if calibration.static == kinematics.name else f"static trial {calibration.static}"
    return [
        f"Markers were recorded at {kinematics.rate:g} Hz with {plates}; marker set {calibration.marker_set}, {static}."
    ]


def _filter(kinematics: Kinematics, configuration: Mapping[str, Any], cited: list[str]) -> list[str]:
    sentences = []
    if setting(configuration, "filter.markers") is not None:
        filter = kinematics.low_pass
        cited.append("robertson")
        found, method = "", kinematics.cutoff.method
        if method in CUTOFF_METHODS:
            source, reference = CUTOFF_REFERENCES[method]
            found = f"cut-off of the markers by {CUTOFF_METHODS[method]} ({source}), "
            cited.append(reference)
        kind = f"zero-lag Butterworth filter of order {filter.order}"
        cutoffs = (
            f"Markers and plate loads were low-pass filtered at {filter.markers:g} Hz"
            if filter.forces == filter.markers
            else f"Markers were low-pass filtered at {filter.markers:g} Hz and plate loads at {filter.forces:g} Hz"
        )
        sentences.append(
            f"{cutoffs} ({kind}, {found}cut-off corrected for the double pass; Robertson and Dowling 2003); force and "
            "moment of a plate were filtered about its centre, the centre of pressure computed afterwards."
        )
    longest = setting(configuration, "filter.max_gap")
    if longest is not None:
        sentences.append(f"Marker gaps up to {longest:g} s were filled by cubic splines; longer ones stayed missing.")
    return sentences


def _anatomy(kinematics: Kinematics, cited: list[str]) -> list[str]:
    calibration = kinematics.calibration
    hip, hip_reference = HIP_METHODS.get(calibration.hip_method, (f"the method {calibration.hip_method}", ""))
    table, table_reference = INERTIA_TABLES.get(calibration.inertia_table, (calibration.inertia_table, ""))
    rules = {rule for point, rule in calibration.centre_rules.items() if not point.endswith("hip")}
    centres = [CENTRE_RULES[rule] for rule in CENTRE_RULES if rule in rules]
    cited += [key for key in (hip_reference, table_reference, "wu", "grood") if key]
    cited += [key for _, keys in centres for key in keys]
    carried = []
    if calibration.point_offsets:
        cited.append("soderkvist")
        carried = [
            "Landmarks seen only in the static trial keep their positions relative to the segment's other markers, "
            "with three or more as a rigid cluster by least squares (Söderkvist and Wedin 1993)."
        ]
    knees = f"knee and ankle centres from {' or '.join(text for text, _ in centres)}, " if centres else ""
    return [
        f"Hip joint centres come from {hip}, {knees}segment masses and inertia from {table}.",
        *carried,
        "Segment axes follow the ISB pattern (x forward, y up, z to the right; Wu and Cavanagh 1995); joint angles are "
        "Cardan angles in the order flexion, adduction, rotation (Grood and Suntay 1983), pelvis angles refer to the "
        "direction of progression.",
    ]


def _contacts(kinematics: Kinematics, configuration: Mapping[str, Any], cited: list[str]) -> list[str]:
    sources = setting(configuration, "events.sources")
    if not sources:
        return []
    given = [GIVEN] * any(event.source == GIVEN for event in kinematics.events)
    known = [*given, *(SOURCES.get(source, str(source)) for source in sources)]
    if "markers" in sources:
        cited += ["zeni", "hreljac"]
    sentence = f"Initial contacts and foot offs come from {', otherwise from '.join(known)}"
    on, off = setting(configuration, "events.on_force"), setting(configuration, "events.off_force")
    if "plates" in sources and on is not None and off is not None:
        weight = kinematics.calibration.values["mass"] * GRAVITY
        used = EventSettings(on_force=on, off_force=off).for_weight(weight)
        sentence += f"; contact with a plate begins above {used.on_force:.3g} N and ends below {used.off_force:.3g} N"
    distance = setting(configuration, "events.foot_distance")
    if distance is not None:
        near = f"within {1000 * distance:.0f} mm of its heel-toe line (median)"
        sentence += f"; a contact belongs to the foot that has the centre of pressure {near}"
    return [sentence + "."]


def _mechanics(kinematics: Kinematics, cycles: GaitCycles, cited: list[str]) -> list[str]:
    cited.append("erdemir")
    if cycles.moment_axes == "joint":
        cited.append("desroches")
    axes = MOMENT_AXES.get(cycles.moment_axes, f"{cycles.moment_axes} axes")
    return [
        "Joint forces and moments solve the Newton-Euler equations of foot, shank and thigh as one linear system per "
        "leg and frame (after Erdemir et al. 2007), with the plate's free moment.",
        f"Moments are internal, of the proximal on the distal segment, about {axes}, per body mass "
        f"({kinematics.calibration.values['mass']:.1f} kg); power is the moment times the joint's angular velocity.",
        "A gait cycle runs from a foot's initial contact to its next one and is resampled to 101 points.",
    ]


def _averages(summary: GaitSummary, cited: list[str]) -> list[str]:
    cited.append("robinson")
    sentences = [
        "Averages are over the cycles of a side; the symmetry index is left minus right over their mean (Robinson et "
        "al. 1987)."
    ]
    if summary.norm:
        cited += ["baker", "hof"]
        sentences.append(
            f"The norm is that of {summary.norm} ({summary.norm_sample}), mean ± one standard deviation, interpolated "
            f"to a dimensionless speed of {summary.norm_speed:.3f} (speed over the square root of gravity times leg "
            "length; Hof 1996). Movement Analysis Profile and Gait Profile Score are root mean square differences from "
            "its mean (Baker et al. 2009); the norm's own values are their root mean squares over its sample."
        )
    return sentences
