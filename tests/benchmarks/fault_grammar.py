"""Random faults: kind, place, size and time, drawn from a seeded generator and planted in recordings in memory.

Sizes are spread by a factor of two to either side of those that occur in laboratories. A kind draws what it needs from
the recording (a marker, a plate with a foot on it, a time within the walk), and reports what it drew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.signal import butter, filtfilt

from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import ForcePlate, RawTrial
from tests.benchmarks.fault_list import Recordings, moved_plate, with_plates
from tests.recordings import with_markers

Draw = np.random.Generator
Plant = Callable[[Recordings, Draw, float], tuple[Recordings, str]]
"""Recordings with a fault of a multiple of its size, and what was planted."""

MARKERS = ("ASI", "KNE", "THI", "TIB", "ANK", "HEE", "TOE")


def _marker(walk: RawTrial, draw: Draw) -> tuple[str, np.ndarray]:
    name = str(draw.choice([side + m for side in "LR" for m in MARKERS if side + m in walk.marker_names]))
    return name, walk.marker(name).copy()


def _with_marker(given: Recordings, name: str, track: np.ndarray) -> Recordings:
    return replace(given, walk=with_markers(given.walk, **{name: track}))


def _direction(draw: Draw) -> np.ndarray:
    vector = draw.normal(size=3)
    return vector / np.linalg.norm(vector)


def _middle(walk: RawTrial, draw: Draw) -> int:
    """A frame in the middle three fifths of those that show the body."""
    seen = np.flatnonzero(np.isfinite(walk.markers_G).all(axis=2).mean(axis=1) > 0.5)
    return int(seen[round(draw.uniform(0.2, 0.8) * (len(seen) - 1))])


def bump(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A marker that is displaced for 60 ms."""
    name, track = _marker(given.walk, draw)
    first, count = _middle(given.walk, draw), max(1, round(0.06 * given.walk.rate))
    track[first : first + count] += 0.025 * size * _direction(draw)
    return _with_marker(given, name, track), f"{name} {25 * size:.0f} mm off for 60 ms"


def from_then_on(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A marker that is displaced from a frame onwards."""
    name, track = _marker(given.walk, draw)
    track[_middle(given.walk, draw) :] += 0.02 * size * _direction(draw)
    return _with_marker(given, name, track), f"{name} {20 * size:.0f} mm off from then on"


def line(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A gap that was filled by a straight line."""
    name, track = _marker(given.walk, draw)
    first, count = _middle(given.walk, draw), round(0.3 * size * given.walk.rate)
    last = min(first + count, len(track) - 1)
    track[first : last + 1] = np.linspace(track[first], track[last], last - first + 1)
    return _with_marker(given, name, track), f"{name} on a line for {300 * size:.0f} ms"


def smoothed(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """All markers filtered before export."""
    b, a = butter(2, (3.0 / size) / (0.5 * given.walk.rate))
    markers = given.walk.markers_G.copy()
    for k in range(markers.shape[1]):
        seen = np.flatnonzero(np.isfinite(markers[:, k]).all(axis=1))
        if len(seen) > 30 and np.all(np.diff(seen) == 1):
            markers[seen, k] = filtfilt(b, a, markers[seen, k], axis=0)
    return replace(given, walk=replace(given.walk, markers_G=markers)), f"markers filtered at {3 / size:.1f} Hz"


def _loaded(walk: RawTrial, draw: Draw) -> ForcePlate:
    return walk.plates[int(draw.choice([k for k, p in enumerate(walk.plates) if p.wrench.force_G[:, 1].max() > 150.0]))]


def _within(walk: RawTrial, plate: ForcePlate, draw: Draw) -> int:
    """A sample in the middle of the time for which a plate is loaded."""
    on = np.flatnonzero(plate.wrench.force_G[:, 1] > 100.0)
    return int(on[round(draw.uniform(0.2, 0.8) * (len(on) - 1))])


def _with_plate(given: Recordings, changed: ForcePlate) -> Recordings:
    return with_plates(given, lambda plate: changed if plate.number == changed.number else plate)


def _with_load(given: Recordings, plate: ForcePlate, force: np.ndarray, moment: np.ndarray) -> Recordings:
    return _with_plate(given, replace(plate, wrench=Wrench(force, moment, plate.wrench.point_G)))


def _with_force(given: Recordings, plate: ForcePlate, force: np.ndarray) -> Recordings:
    return _with_load(given, plate, force, plate.wrench.moment_G)


def spike(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A force in one channel for 60 ms."""
    plate, axis = _loaded(given.walk, draw), int(draw.integers(3))
    at, count = _within(given.walk, plate, draw), round(0.06 * given.walk.analog_rate)
    force = plate.wrench.force_G.copy()
    force[at : at + count, axis] += 100.0 * size * draw.choice([-1.0, 1.0])
    return _with_force(given, plate, force), f"plate {plate.number}, {100 * size:.0f} N along {'XYZ'[axis]} for 60 ms"


def dropped(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """Samples of one plate that are zero."""
    plate = _loaded(given.walk, draw)
    at, count = _within(given.walk, plate, draw), max(1, round(5 * size))
    force, moment = plate.wrench.force_G.copy(), plate.wrench.moment_G.copy()
    force[at : at + count], moment[at : at + count] = 0.0, 0.0
    return _with_load(given, plate, force, moment), f"plate {plate.number}, {count} samples lost"


def moments_lost(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """Moments of one plate that are zero for a time."""
    plate = _loaded(given.walk, draw)
    at, count = _within(given.walk, plate, draw), round(0.06 * size * given.walk.analog_rate)
    moment = plate.wrench.moment_G.copy()
    moment[at : at + count] = 0.0
    text = f"plate {plate.number}, moments lost for {60 * size:.0f} ms"
    return _with_load(given, plate, plate.wrench.force_G, moment), text


def late(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """One plate that is late or early."""
    plate, sign = _loaded(given.walk, draw), draw.choice([-1, 1])
    count = int(sign * round(0.03 * size * given.walk.analog_rate))
    force, moment = (np.roll(part, count, axis=0) for part in (plate.wrench.force_G, plate.wrench.moment_G))
    return _with_load(given, plate, force, moment), f"plate {plate.number}, {sign * 30 * size:.0f} ms late"


def scaled(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """One direction of one plate's force with another scale."""
    plate, axis = _loaded(given.walk, draw), int(draw.integers(3))
    factor = 1.0 + 0.2 * size * draw.choice([-1.0, 1.0])
    force = plate.wrench.force_G.copy()
    force[:, axis] *= factor
    return _with_force(given, plate, force), f"plate {plate.number}, force along {'XYZ'[axis]} times {factor:.2f}"


def offset(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A force that is added while a plate is loaded."""
    plate, axis = _loaded(given.walk, draw), int(draw.integers(3))
    force = plate.wrench.force_G.copy()
    added = 25.0 * size * draw.choice([-1.0, 1.0])
    force[force[:, 1] > 20.0, axis] += added
    return _with_force(given, plate, force), f"plate {plate.number}, {added:.0f} N along {'XYZ'[axis]} while loaded"


def shifted(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """One plate at a wrong position, along or across the walkway."""
    plate, axis = _loaded(given.walk, draw), int(draw.choice([0, 2]))
    by = 0.03 * size * draw.choice([-1.0, 1.0]) * np.eye(3)[axis]
    text = f"plate {plate.number} shifted by {1000 * by[axis]:.0f} mm along {'XYZ'[axis]}"
    return _with_plate(given, moved_plate(plate, by)), text


def yawed(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """One plate that is turned about the vertical, with its force."""
    plate, degrees = _loaded(given.walk, draw), 6.0 * size * draw.choice([-1.0, 1.0])
    R = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    force, moment = plate.wrench.force_G @ R.T, plate.wrench.moment_G @ R.T
    return _with_load(given, plate, force, moment), f"plate {plate.number} turned by {degrees:.0f} degrees"


def crosstalk(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A fraction of one plate's vertical force in another channel."""
    plate, axis = _loaded(given.walk, draw), int(draw.choice([0, 2]))
    share = 0.04 * size * draw.choice([-1.0, 1.0])
    force = plate.wrench.force_G.copy()
    force[:, axis] += share * force[:, 1]
    text = f"plate {plate.number}, {100 * share:.0f} % of the vertical force along {'XYZ'[axis]}"
    return _with_force(given, plate, force), text


def partly_off(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A forefoot that is half off its plate: the load of the last two fifths of a stance falls short."""
    plate = _loaded(given.walk, draw)
    on = np.flatnonzero(plate.wrench.force_G[:, 1] > 20.0)
    phase = (np.arange(len(plate.wrench.force_G)) - on[0]) / (on[-1] - on[0])
    lost = min(0.3 * size, 0.9) * np.clip((phase - 0.6) / 0.2, 0.0, 1.0)[:, None]
    force, moment = (part * (1.0 - lost) for part in (plate.wrench.force_G, plate.wrench.moment_G))
    text = f"plate {plate.number} lacks {100 * lost.max():.0f} % of the push-off"
    return _with_load(given, plate, force, moment), text


def cane(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A walking aid during one step that carries a part of body weight, most in midstance."""
    plate, weight = _loaded(given.walk, draw), 9.81 * _mass(given)
    on = np.flatnonzero(plate.wrench.force_G[:, 1] > 20.0)
    force = plate.wrench.force_G.copy()
    force[on[0] : on[-1], 1] -= 0.12 * size * weight * np.sin(np.linspace(0.0, np.pi, on[-1] - on[0])) ** 2
    return _with_force(given, plate, force), f"plate {plate.number}, an aid carries {12 * size:.0f} % of body weight"


def clock(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """Analog samples at a higher or lower rate than the file states."""
    faster = 1.0 + 0.02 * size * draw.choice([-1.0, 1.0])
    at = np.arange(len(given.walk.plates[0].wrench.force_G)) / faster

    def taken(values: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(at, np.arange(len(values)), column) for column in values.T], axis=1)

    def slower(plate: ForcePlate) -> ForcePlate:
        load = plate.wrench
        return replace(plate, wrench=Wrench(taken(load.force_G), taken(load.moment_G), load.point_G))

    return with_plates(given, slower), f"analog clock {100 * (faster - 1):+.1f} %"


def rolled(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """The cameras' volume rotated about the walkway's axis relative to the plates."""
    degrees = 4.0 * size * draw.choice([-1.0, 1.0])
    R = rotation_about(np.array([1.0, 0.0, 0.0]), np.radians(degrees))
    walk, static = (replace(trial, markers_G=trial.markers_G @ R.T) for trial in (given.walk, given.static))
    return replace(given, walk=walk, static=walk if given.static is given.walk else static), (
        f"volume rolled by {degrees:.0f} degrees"
    )


def _mass(given: Recordings) -> float:
    return float(next(v for k, v in _stored(given).items() if k.lower() == "bodymass"))


def _with_value(given: Recordings, values: dict[str, float]) -> Recordings:
    return replace(given, values=given.values | values)


def widths_exchanged(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """Widths of knee and ankle exchanged."""
    own = _stored(given)
    values = {}
    for side in ("left", "right"):
        values |= {f"knee_width_{side}": own[f"{side[0].upper()}AnkleWidth"] / 1000.0}
        values |= {f"ankle_width_{side}": own[f"{side[0].upper()}KneeWidth"] / 1000.0}
    return _with_value(given, values), "widths of knee and ankle exchanged"


def width_wrong(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """One joint's width by a factor."""
    side, joint = str(draw.choice(["left", "right"])), str(draw.choice(["Knee", "Ankle"]))
    factor = float(np.exp(draw.choice([-0.5, 0.5]) * size))
    width = _stored(given)[f"{side[0].upper()}{joint}Width"] / 1000.0
    text = f"{side} {joint.lower()} width times {factor:.2f}"
    return _with_value(given, {f"{joint.lower()}_width_{side}": width * factor}), text


def _stored(given: Recordings) -> dict[str, float]:
    return {**given.walk.parameters, **{k: v for k, v in given.static.parameters.items() if v}}


def asis_wrong(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """The distance of the ASIS entered wrongly."""
    asis = given.static.marker("LASI") - given.static.marker("RASI")
    apart = float(np.nanmedian(np.linalg.norm(asis, axis=1)))
    wrong = 0.05 * size * draw.choice([-1.0, 1.0])
    return _with_value(given, {"inter_asis": apart + wrong}), f"ASIS {1000 * wrong:.0f} mm"


def turned(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """Rotation offset of a thigh or shank."""
    side, part = str(draw.choice(["left", "right"])), str(draw.choice(["Thigh", "Shank"]))
    degrees = 15.0 * size * draw.choice([-1.0, 1.0])
    name = f"{side[0].upper()}{part}Rotation"
    own = _stored(given).get(name, 0.0)
    return _with_value(given, {f"{part.lower()}_rotation_{side}": own + np.radians(degrees)}), (
        f"{side} {part.lower()} rotation {degrees:+.0f} degrees"
    )


def mass_wrong(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A body mass that is not the subject's."""
    factor = 1.0 + 0.12 * size * draw.choice([-1.0, 1.0])
    return _with_value(given, {"mass": _mass(given) * factor}), f"mass times {factor:.2f}"


def mass_in_pounds(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """Pounds entered as kilograms."""
    return _with_value(given, {"mass": _mass(given) / 0.45359237}), "mass in pounds"


def moved_since(given: Recordings, draw: Draw, size: float) -> tuple[Recordings, str]:
    """A marker at another place on the skin throughout the walk, displaced in a fixed direction of the laboratory."""
    name, track = _marker(given.walk, draw)
    by = 0.02 * size * _direction(draw)
    return _with_marker(given, name, track + by), f"{name} {20 * size:.0f} mm off in the whole walk"


PLANTS: tuple[Plant, ...] = (
    *(bump, from_then_on, line, smoothed, moved_since, spike, dropped, moments_lost, late, scaled, offset, shifted),
    *(yawed, crosstalk, partly_off, cane, clock, rolled, widths_exchanged, width_wrong, asis_wrong, turned),
    *(mass_wrong, mass_in_pounds),
)
KINDS = {plant.__name__: plant for plant in PLANTS}


@dataclass(frozen=True)
class RandomFault:
    """A kind, the multiple of its size, and the seed for everything else that it draws."""

    kind: str
    size: float
    seed: int

    def plant(self, given: Recordings) -> tuple[Recordings, str]:
        """The recordings with the fault, and its description."""
        return KINDS[self.kind](given, np.random.default_rng(self.seed), self.size)


def random_faults(count: int, seed: int) -> Iterator[RandomFault]:
    """Faults of all kinds in turn, in a random order."""
    draw = np.random.default_rng(seed)
    kinds = [kind for k in range(count) for kind in [list(KINDS)[k % len(KINDS)]]]
    for kind in draw.permutation(kinds):
        yield RandomFault(str(kind), float(2.0 ** draw.uniform(-1.0, 1.0)), int(draw.integers(2**31)))
