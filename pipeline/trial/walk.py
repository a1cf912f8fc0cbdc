"""Kinematics of a walk: filtered markers, plate loads, stances, events, cycles, segment motion and joint angles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.body import Calibration, JointPose, SegmentMotion
from pipeline.trial.declarations import Axis, ByAngle, ByJoint, ByPoint, BySegment, Note, Quantity
from pipeline.trial.recording import Event


@dataclass(frozen=True)
class PlateLoad:
    """The load of one plate on the subject, filtered like the markers, at the marker rate.

    Attributes:
        number: of the plate, from 1.
        wrench: about the centre of the plate's surface; zero outside contact.
        contact: (T,) whether the unfiltered vertical force was above the threshold.
        cop_G: centre of pressure; missing where the force is too small to define one.
        free_moment: moment about the plate's normal at the centre of pressure.
    """

    number: int
    corners_G: Annotated[np.ndarray, Quantity("plate corners", "m", ("corner", "xyz"), "G")]
    wrench: Annotated[Wrench, Quantity("load on the subject", "N, Nm, m", ("time", "xyz"), "G")]
    contact: Annotated[np.ndarray, Quantity("unfiltered vertical force above threshold", "1", ("time",))]
    cop_G: Annotated[np.ndarray, Quantity("centre of pressure", "m", ("time", "xyz"), "G")]
    free_moment: Annotated[np.ndarray, Quantity("free moment, upward positive", "Nm", ("time",), "G")]


class _OnPlates:
    """A contact with one plate, or across two."""

    plate: int
    second_plate: int

    @property
    def plates(self) -> tuple[int, ...]:
        """Numbers of the plates; empty for none."""
        return tuple(number for number in (self.plate, self.second_plate) if number)

    @property
    def on(self) -> str:
        """The plates in words, such as "plate 1" or "plates 1 and 2"; empty for none."""
        if not self.plate:
            return ""
        return f"plates {self.plate} and {self.second_plate}" if self.second_plate else f"plate {self.plate}"


@dataclass(frozen=True)
class Stance(_OnPlates):
    """One contact of a foot with a plate, or across two plates.

    Attributes:
        plate: number from 1.
        side: "left", "right", or "" if the foot could not be identified.
        start, stop: frames, counted from 0 within the trial; stop is the first frame without contact.
        onset, end: s from the first frame, at the resolution of the analog samples.
        distance: median distance of the centre of pressure from that foot's heel-toe line, m (NaN without a foot).
        rejected: why the contact cannot be used; empty for a clean step.
        second_plate: number of the other plate if the foot is across two, whose loads are then added; 0 for none.
        rejection: a kind of rejection that checks tell from the others: "excluded" by the study, or the foot is "above"
            or "below" the plate's surface; empty for all others and for a clean step.
    """

    plate: int
    side: str
    start: int
    stop: int
    onset: Annotated[float, Quantity("beginning of contact", "s")]
    end: Annotated[float, Quantity("end of contact", "s")]
    distance: Annotated[float, Quantity("distance of the centre of pressure from the heel-toe line", "m")]
    rejected: str
    second_plate: int = 0
    rejection: str = ""


@dataclass(frozen=True)
class Cycle(_OnPlates):
    """A gait cycle: from a foot's initial contact to its next one.

    Attributes:
        side: "left" or "right".
        initial_contact, foot_off, next_initial_contact: s from the first frame.
        opposite_foot_off, opposite_initial_contact: the contralateral foot's events within the cycle, s from the first
            frame; NaN if not seen.
        source: where its three events come from.
        plate: number of the plate that the cycle's stance is cleanly on; 0 for none, and then there are no kinetics.
        second_plate: number of the other plate if the foot is across two; 0 for none.
    """

    side: str
    initial_contact: Annotated[float, Quantity("initial contact", "s")]
    foot_off: Annotated[float, Quantity("foot off", "s")]
    next_initial_contact: Annotated[float, Quantity("next initial contact of the same foot", "s")]
    opposite_foot_off: Annotated[float, Quantity("foot off of the other foot", "s")]
    opposite_initial_contact: Annotated[float, Quantity("initial contact of the other foot", "s")]
    source: str
    plate: int
    second_plate: int = 0


@dataclass(frozen=True)
class LowPass:
    """The zero-lag Butterworth filter of a walk.

    Attributes:
        order: of both passes together.
    """

    markers: Annotated[float, Quantity("cut-off frequency of the markers", "Hz")]
    forces: Annotated[float, Quantity("cut-off frequency of the plate loads", "Hz")]
    order: int


CUTOFF_METHODS = {"residual": "residual analysis", "gcv": "generalised cross-validation"}
"""Names of the methods that choose the cut-off frequency of the markers from their noise."""


@dataclass(frozen=True)
class CutoffEvidence:
    """Cut-off frequency of the markers, and the evidence for its choice.

    Attributes:
        method: "given", "residual" or "gcv".
        score: what generalised cross-validation minimises, as a root mean square; NaN if the cut-off was given.
    """

    value: Annotated[float, Quantity("cut-off frequency of the markers", "Hz")]
    method: str
    tried: Annotated[np.ndarray, Axis("cutoff", "cut-off frequency that was tried", "Hz")]
    residual: Annotated[np.ndarray, Quantity("root mean square of what the filter removes", "m", ("cutoff",))]
    score: Annotated[np.ndarray, Quantity("root of the generalised cross-validation score", "m", ("cutoff",))]


@dataclass(frozen=True)
class MotionAndPlates:
    """The part of `Kinematics` that a whole-body model needs; it can be read alone, since `Kinematics` is large."""

    name: str
    subject: str
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    points: ByPoint[Annotated[np.ndarray, Quantity("point of the body", "m", ("time", "xyz"), "G")]]
    joints: ByJoint[JointPose]
    plates: Annotated[tuple[PlateLoad, ...], Axis("plate", "number of the plate in the file's order")]
    events: tuple[Event, ...]
    stances: tuple[Stance, ...]
    calibration: Calibration
    cutoff: CutoffEvidence
    low_pass: LowPass


@dataclass(frozen=True)
class Kinematics(MotionAndPlates):
    """A walk after filtering: motion of the body, loads on it, gait events and cycles.

    Attributes:
        recordings: SHA-256 digests of the recordings of walk and static trial, by file name.
    """

    recordings: dict[str, str]
    rate: float
    marker_names: Annotated[tuple[str, ...], Axis("marker", "marker label")]
    markers_G: Annotated[np.ndarray, Quantity("filtered markers", "m", ("time", "marker", "xyz"), "G")]
    filled: Annotated[np.ndarray, Quantity("marker was filled over a gap", "1", ("time", "marker"))]
    segments: BySegment[SegmentMotion]
    angles: ByAngle[
        Annotated[np.ndarray, Quantity("joint angles: flexion, adduction, internal rotation", "rad", ("time", "plane"))]
    ]
    cycles: tuple[Cycle, ...]
    notes: tuple[Note, ...]
