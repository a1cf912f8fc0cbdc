"""Errors of loads: centre of pressure, timing of the plates and segment inertia, linear through the block matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pipeline.config import UncertaintySettings
from pipeline.conventions import SIDES, X, Z
from pipeline.newton_euler import CHAIN, ground_change, inertia_changes, load_changes
from pipeline.signals import SHIFTED, step_frames
from pipeline.trial import Cycle
from pipeline.uncertainty.recorded_walk import VARIABLES, RecordedWalk
from pipeline.uncertainty.sources import CENTRE_OF_PRESSURE, INERTIA, TIMING

_KINETIC = np.array([variable.quantity != "angles" for variable in VARIABLES.values()])

RightSides = dict[str, np.ndarray]
"""By side (T, 18): the right side of ``A dF = ...`` for one error of one standard deviation."""


def load_errors(walk: RecordedWalk, settings: UncertaintySettings) -> Iterator[tuple[str, np.ndarray]]:
    """Source and change of the mean curves (2, V, 101) of each independent error."""
    errors = [
        *((CENTRE_OF_PRESSURE, right) for right in _pressure(walk, settings.centre_of_pressure)),
        *((INERTIA, right) for right in _inertia(walk, settings)),
        (TIMING, _delay(walk, settings.timing)),
    ]
    together = {side: np.stack([right[side] for _, right in errors], axis=2) for side in SIDES}
    changes = load_changes(walk.kinematics, walk.loads, together)
    shifted = _later_cycles(walk, settings.timing) - _later_cycles(walk, -settings.timing)
    for (source, _), change in zip(errors, changes, strict=True):
        # Only loads change: the angles among these curves are the walk's own.
        curves = np.where(_KINETIC[:, None], walk.curves(walk.kinematics, change), 0.0)
        yield source, curves + (0.5 * shifted if source == TIMING else 0.0)


def _pressure(walk: RecordedWalk, sd: float) -> Iterator[RightSides]:
    """Each plate's loads shifted along X and Z: the moment about a fixed point changes by the shift times the force."""
    feet = {side: walk.kinematics.segments[f"{side}_foot"] for side in SIDES}
    for plate in walk.kinematics.plates:
        for axis in (X, Z):
            right = {}
            for side in SIDES:
                force_G = np.where(_on_plate(walk, side, plate.number)[:, None], plate.wrench.force_G, 0.0)
                moment_G = np.cross(sd * np.eye(3)[axis], force_G)
                right[side] = ground_change(feet[side], np.zeros_like(force_G), moment_G)
            yield right


def _on_plate(walk: RecordedWalk, side: str, plate: int) -> np.ndarray:
    """Frames (T,) of the clean steps of a side on a plate, including steps across it and another one."""
    on_plate = [stance for stance in walk.kinematics.stances if plate in stance.plates]
    return step_frames(side, on_plate, walk.kinematics.time)


def _delay(walk: RecordedWalk, sd: float) -> RightSides:
    """Change of the loads on the feet if they come later by one standard deviation."""
    time, right = walk.kinematics.time, {}
    delays = (sd, 0.0, -sd)
    for side in SIDES:
        about_origin = walk.loads.ground[side].about(np.zeros(3))
        six = np.hstack([about_origin.force_G, about_origin.moment_G])
        later, now, earlier = (
            np.stack([np.interp(time - delay, time, column) for column in six.T], axis=1) for delay in delays
        )
        # Next to frames with unknown loads, use the difference on the other side.
        change = np.where(np.isfinite(later), later, now) - np.where(np.isfinite(earlier), earlier, now)
        change *= np.where(np.isfinite(later) & np.isfinite(earlier), 0.5, 1.0)
        right[side] = ground_change(walk.kinematics.segments[f"{side}_foot"], change[:, :3], change[:, 3:])
    return right


def _later_cycles(walk: RecordedWalk, delay: float) -> np.ndarray:
    """The walk's mean curves over cycles with later events, for events that come from plates.

    Events from markers that were shifted to agree with those of plates move too.
    """
    by_plates = {
        (event.side, event.kind, event.time)
        for event in walk.kinematics.events
        if event.source.startswith(("plate", SHIFTED))
    }

    def later(cycle: Cycle) -> Cycle:
        moved = {}
        for name, kind in _OWN_EVENTS.items():
            instant = getattr(cycle, name)
            moved[name] = instant + delay * ((cycle.side, kind, instant) in by_plates)
        return replace(cycle, **moved)

    motion = replace(walk.kinematics, cycles=tuple(map(later, walk.kinematics.cycles)))
    return walk.curves(motion, walk.loads)


_OWN_EVENTS = {"initial_contact": "initial contact", "foot_off": "foot off", "next_initial_contact": "initial contact"}
"""Kinds of the events at the instants of a cycle's own foot."""


def _inertia(walk: RecordedWalk, settings: UncertaintySettings) -> Iterator[RightSides]:
    """Mass, radii of gyration and centre of mass of each segment of both legs."""
    for index, (segment, _) in enumerate(CHAIN):
        inertias = {side: walk.kinematics.calibration.segments[f"{side}_{segment}"] for side in SIDES}
        changes = {
            side: inertia_changes(
                walk.loads.equations[side], index, inertia, walk.kinematics.segments[f"{side}_{segment}"]
            )
            for side, inertia in inertias.items()
        }
        yield {side: settings.segment_mass * mass for side, (mass, _, _) in changes.items()}
        yield {side: settings.segment_gyration * gyration for side, (_, gyration, _) in changes.items()}
        yield {side: settings.segment_com * inertias[side].length * com for side, (_, _, com) in changes.items()}
