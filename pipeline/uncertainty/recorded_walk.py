"""A walk with everything from which its curves were computed, so that they can be computed again with errors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, averaged, gait_cycles
from pipeline.anatomy import MarkerSet, calibrate
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.conventions import SIDES
from pipeline.kinematics import displaced, without_jumps
from pipeline.newton_euler import inverse_dynamics
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics, RawTrial
from pipeline.uncertainty.attachment import attached_segments, orientations, shifted
from pipeline.uncertainty.body_errors import BodyPerturbation

VARIABLES = {
    name: variable
    for name, variable in CYCLE_VARIABLES.items()
    if variable.axis and variable.quantity in ("angles", "moments", "powers")
}
"""Curves that have an uncertainty: those of joints and segments that pages show."""


@dataclass(frozen=True)
class RecordedWalk:
    """A walk and its results.

    Attributes:
        recording, static: the walk, and the static trial or, if there is none, the walk again.
        kinematics, loads: its results.
        marker_set, subject: the labels' definitions, and the study's values of the subject.
        anatomy, filter, events: sections of the configuration.
        moment_axes: axes of the reported moments.
        cycles: with marks on those that are not averaged; computed, without marks, if omitted.
    """

    recording: RawTrial
    static: RawTrial
    kinematics: Kinematics
    loads: InverseDynamics
    marker_set: MarkerSet
    subject: Subject
    anatomy: AnatomySettings
    filter: FilterSettings
    events: EventSettings
    moment_axes: str = "distal"
    cycles: GaitCycles | None = None

    def curves(self, kinematics: Kinematics, loads: InverseDynamics | None = None) -> np.ndarray:
        """Mean curves (2, V, 101) of each side and variable in reported units, for the walk with errors.

        The means are taken over the same cycles as the walk's own means.

        Args:
            kinematics: of the walk with errors.
            loads: of the walk with errors; computed if omitted.
        """
        loads = inverse_dynamics(kinematics) if loads is None else loads
        cycles = gait_cycles(kinematics, loads, self.moment_axes).cycles
        of_cycles = np.array([[variable.of(c) for variable in VARIABLES.values()] for c in cycles])
        means = np.full((len(SIDES), *of_cycles.shape[1:]), np.nan)
        for (side, variable), used in self._averaged.items():
            if len(used):
                means[side, variable] = of_cycles[used, variable].mean(axis=0)
        return means

    @cached_property
    def mean_curves(self) -> np.ndarray:
        """The walk's own mean curves (2, V, 101)."""
        return self.curves(self.kinematics, self.loads)

    @property
    def strides(self) -> np.ndarray:
        """Numbers (2, V) of strides over which the walk's mean curves are taken."""
        return np.array([[len(self._averaged[row, v]) for v in range(len(VARIABLES))] for row in range(len(SIDES))])

    @cached_property
    def _averaged(self) -> dict[tuple[int, int], np.ndarray]:
        """Cycles over which the walk's mean of a side and variable is taken."""
        used = (self.cycles or gait_cycles(self.kinematics, self.loads, self.moment_axes)).cycles
        curves = np.array([[variable.averaged(c) for variable in VARIABLES.values()] for c in used])
        cycles = self.kinematics.cycles
        own = {row: np.flatnonzero([cycle.side == side for cycle in cycles]) for row, side in enumerate(SIDES)}
        return {
            (row, variable): numbers[averaged(curves[numbers, variable])]
            for row, numbers in own.items()
            for variable in range(len(VARIABLES))
        }

    @cached_property
    def attached_to(self) -> dict[str, str]:
        """Segment to which each marker is attached."""
        return attached_segments(self.marker_set, self.kinematics, self.static)

    @cached_property
    def _poses(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Orientations of the segments in walk and static trial."""
        walk, static = (
            orientations(self.marker_set, self.kinematics.calibration, of) for of in (self.kinematics, self._standing)
        )
        return walk, static

    @cached_property
    def _standing(self) -> RawTrial:
        return without_jumps(self.static)[0]

    def with_body_error(self, error: BodyPerturbation, moved_G: np.ndarray | float = 0.0) -> Kinematics:
        """The walk of a body calibrated with an error, which its markers have in the walk as well.

        Args:
            error: of the body; a value stays within the marker set's range.
            moved_G: further displacement (T, K, 3) m of the markers in the walk alone.
        """
        in_walk, in_static = self._poses
        motion, standing = self.kinematics, self._standing

        values = {}
        for name, change in error.values.items():
            allowed = self.marker_set.subject_values[name]
            values[name] = float(np.clip(motion.calibration.values[name] + change, allowed.minimum, allowed.maximum))
        calibration = calibrate(
            replace(standing, markers_G=shifted(standing, error.shifts, self.attached_to, in_static)),
            self.marker_set,
            Subject.from_si(self.subject.subject, self.subject.sex, self.subject.values_si() | values),
            other_parameters=self.recording.parameters,
            hip_method=self.anatomy.hip_centre,
            inertia_table=self.anatomy.inertia,
            walking=self.static.name == self.recording.name,
        )
        markers_G = shifted(motion, error.shifts, self.attached_to, in_walk) + moved_G
        return displaced(motion, self.marker_set, calibration, markers_G)
