"""Values that each plausibility check finds on clean walks, from which its limits are set.

    python -m tests.benchmarks.clean_walks [--skeleton]

Each check runs on the available clean walks with its limit set so that it always reports; the table has the number of
values (steps, knees, walks), minimum, maximum, mean and standard deviation next to the limit. Walks of other
laboratories whose files lack a static trial or subject values calibrate themselves: lengths from markers, mass from
steps. Residuals whose limits come from `config/residuals.json` are measured by `tests.benchmarks.residuals` instead.
The lines without a limit are values that no check uses, since their spread is too large: docs/faults.md says which
faults they hide. With --skeleton, the values of the walks with markers on the whole body are computed too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import ModuleType
from unittest.mock import patch

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.anatomy import MarkerSet, body_motion, load_marker_set
from pipeline.config import Subject
from pipeline.conventions import SIDES, Z
from pipeline.errors import PipelineError
from pipeline.newton_euler import inverse_dynamics
from pipeline.plausibility import load_limits
from pipeline.plausibility.balance import whole_body_balance
from pipeline.plausibility.body_sizes import leg_lengths
from pipeline.plausibility.foot_height import foot_heights
from pipeline.plausibility.knees import knee_clearance, knee_markers
from pipeline.plausibility.known_loads import pelvis_centre, windows
from pipeline.plausibility.plate_position import plate_position
from pipeline.plausibility.plates import plates
from pipeline.plausibility.rigid import segment_distances
from pipeline.plausibility.standing import knee_rotations, pelvic_tilt, standing_angles
from pipeline.plausibility.synchronisation import synchronisation
from pipeline.trial import Finding, InverseDynamics, Kinematics, RawTrial
from tests.benchmarks.fault_list import Recordings
from tests.benchmarks.faults import TRIALS, recordings_of
from tests.walks import MEASURED, PUBLISHED, ROOT, kinematics_of, whole_body_of

WITH_STATIC = (*TRIALS, "HC038A", "demo, backwards")
FILES = {
    "HC038A": PUBLISHED["HC038A"],
    "demo, backwards": (ROOT / "data/demo/walk_back.c3d", ROOT / "data/demo/static.c3d"),
}

_IST = {"VSAC": "SACR", "LSHA": "LTIB", "RSHA": "RTIB"} | {
    f"{side}{own}": f"{side}{other}" for side in "LR" for own, other in (("LFC", "KNE"), ("LMA", "ANK"), ("CAL", "HEE"))
}
ALONE = {
    "gait-raw": ("edge/labels_params/gait-raw.c3d", {}),
    "ist_metres": ("ist_metres/Gait with EMG.c3d", _IST),
}
"""File, and labels that stand for Plug-in Gait's."""


@dataclass(frozen=True)
class CleanWalk:
    """A walk with its recordings and results; without a static trial, the walk takes its place."""

    given: Recordings
    motion: Kinematics
    loads: InverseDynamics
    marker_set: MarkerSet


@dataclass(frozen=True)
class Statistic:
    """A value that a check judges, by its units where it judges several: the constants of the check's module that
    limit it, with values at which it always speaks."""

    name: str
    check: Callable[..., Iterable[Finding]]
    limits: Mapping[str, object]
    units: str = ""

    def values(self, walk: CleanWalk) -> list[float]:
        """Values that the check finds in a walk."""
        arguments = ARGUMENTS[self.check]
        known = {"motion": walk.motion, "loads": walk.loads, "set": walk.marker_set}
        known |= {"static": walk.given.static, "walk": walk.given.walk, "limits": load_limits()}
        if "standing" in arguments:
            known["standing"] = standing_angles(walk.motion.calibration, walk.given.static, walk.marker_set)
        with ExitStack() as stack:
            for name, value in self.limits.items():
                stack.enter_context(patch.object(self.module, name, value))
            found = self.check(*(known[name] for name in arguments.split()))
            return [finding.value for finding in found if self.units in ("", finding.units)]

    @property
    def limit(self) -> str:
        """The check's own limits."""
        return "; ".join(_shown(getattr(self.module, name)) for name in self.limits)

    @property
    def module(self) -> ModuleType:
        """The check's module."""
        return sys.modules[self.check.__module__]


def _shown(limit: object) -> str:
    if isinstance(limit, Mapping):
        return ", ".join(f"{name} {value:g}" for name, value in limit.items())
    return f"{limit:g}"


ALWAYS, NEVER_LESS = -1.0, np.inf

DELAYS = ("MAX_DELAY", "MAX_FEET_DELAY", "MAX_BODY_DELAY")

ARGUMENTS: dict[Callable[..., Iterable[Finding]], str] = {
    segment_distances: "motion static set",
    foot_heights: "motion static set",
    knee_rotations: "motion standing",
    pelvic_tilt: "motion standing",
    knee_markers: "motion set",
    knee_clearance: "motion set",
    leg_lengths: "motion static set",
    plates: "motion walk limits",
    synchronisation: "motion loads",
    plate_position: "motion loads static set",
    whole_body_balance: "motion loads",
}
"""What each check is given."""

AGAINST_STATIC = {foot_heights, knee_rotations, leg_lengths, pelvic_tilt, plate_position}
"""Checks that compare with a static trial."""

STATISTICS = (
    Statistic(
        "change of distances in a segment, mm", segment_distances, {"MAX_CHANGE": {}, "MAX_OTHER_CHANGE": ALWAYS}
    ),
    Statistic("variation of these distances, mm", segment_distances, {"MAX_SPREAD": ALWAYS}),
    Statistic("height of heel and toe against standing, mm", foot_heights, {"MAX_CHANGE": 0.0}),
    Statistic("rotation of the knee in stance, degrees", knee_rotations, {"MAX_KNEE_ROTATION": 0.0}),
    Statistic("pelvic tilt, walking less standing, degrees", pelvic_tilt, {"MAX_PELVIC_TILT": ALWAYS}),
    Statistic("knee marker in front of the axis, mm", knee_markers, {"MAX_OFFSET": 0.0}),
    Statistic("room between the knees, mm", knee_clearance, {"MIN_CLEARANCE": NEVER_LESS}),
    Statistic("leg length over that of the markers, mm", leg_lengths, {"MAX_DIFFERENCE": ALWAYS}),
    Statistic("height of the flat foot's markers, mm", plates, {"MIN_HEIGHT": NEVER_LESS}),
    Statistic("delay of the plates, ms", synchronisation, dict.fromkeys(DELAYS, ALWAYS)),
    Statistic("centre of mass ahead, walking to standing, mm (leg lengths)", plate_position, {"MAX_CHANGE": ALWAYS}),
    Statistic("body mass by both feet's plates, %", whole_body_balance, {"MAX_MASS_ERROR": ALWAYS}, "%"),
    Statistic(
        "acceleration, pelvis over plates", whole_body_balance, {"MIN_RATIO": NEVER_LESS, "MAX_RATIO": NEVER_LESS}, "1"
    ),
)


def standing_varus(walk: CleanWalk) -> list[float]:
    """Degrees of both knees in the static trial."""
    static = walk.given.static
    if static.name == walk.given.walk.name:
        return []
    markers = {name: static.marker(name) for name in static.marker_names}
    angles = body_motion(markers, static.rate, walk.marker_set, walk.motion.calibration).angles
    return [float(np.degrees(np.nanmedian(angles[f"{side}_knee"][:, 1]))) for side in SIDES]


def knee_width(walk: CleanWalk) -> list[float]:
    """Percent of stature, of both knees whose width the file states."""
    values = walk.motion.calibration.values
    names = [f"knee_width_{side}" for side in SIDES]
    return [100.0 * values[name] / values["height"] for name in names if name not in walk.given.values]


def sideways_of_pelvis(walk: CleanWalk) -> list[float]:
    """Mediolateral displacement of the pelvis over that of the centre of mass from the plates."""
    fitted = _sideways_fit(walk, together=True)
    return fitted[:1]


def sideways_of_plates(walk: CleanWalk) -> list[float]:
    """The same for each plate, over the mean of all."""
    fitted = _sideways_fit(walk, together=False)
    return [value / float(np.mean(fitted)) for value in fitted]


def _sideways_fit(walk: CleanWalk, *, together: bool) -> list[float]:
    """Factors of the twice integrated mediolateral forces over body mass, of all plates together or each, that fit the
    way of the pelvis best, with a free start and speed, over the longest time with known loads."""
    centre, spans = pelvis_centre(walk.motion), windows(walk.motion, walk.loads)
    if centre is None or not spans:
        return []
    start, stop = max(spans, key=lambda span: span[1] - span[0])
    forces = [np.nan_to_num(plate.wrench.force_G[start:stop, Z]) for plate in walk.motion.plates]
    forces = [force for force in forces if np.abs(force).max() > MIN_SIDEWAYS]
    forces = [np.sum(forces, axis=0)] if together else forces
    ways = [np.cumsum(np.cumsum(force)) / (walk.loads.mass * walk.motion.rate**2) for force in forces]
    time = np.arange(stop - start)
    return np.linalg.lstsq(np.stack([*ways, 0 * time + 1, time], axis=1), centre[start:stop, Z], rcond=None)[0][
        : len(ways)
    ].tolist()


MIN_SIDEWAYS = 8.0
"""N, minimum force on a plate with a foot on it."""


def skeleton_of_plates(walk: CleanWalk) -> list[float]:
    """Mediolateral force required by the skeleton's momentum over that of each plate, by least squares."""
    if walk.motion.name not in FULL_BODY:
        return []
    found = walk.given.walk, walk.given.static, walk.motion, walk.loads, walk.marker_set
    body = whole_body_of(*found, sex="female", residual_reduction=False)
    known = body.loads_known
    forces = {side: np.nan_to_num(load.force_G[:, Z]) for side, load in body.ground.items()}
    needed = sum(forces.values()) + body.kinematic.residual_force[:, Z] * body.mass * 9.80665
    rows = []
    for stance in walk.motion.stances:
        near = np.zeros(len(known), dtype=bool)
        near[max(0, stance.start - 4) : stance.stop + 4] = not stance.rejected
        rows.append(np.where(near, forces[stance.side], 0.0)[known] if stance.side else np.zeros(known.sum()))
    rows = [row for row in rows if np.abs(row).max() > MIN_SIDEWAYS]
    return np.linalg.lstsq(np.stack(rows, axis=1), needed[known], rcond=None)[0].tolist()


FULL_BODY = {"walk", "HC032A03", "HC038A11"}

UNLIMITED = {
    "varus of the standing knee, degrees": standing_varus,
    "knee width, % of stature": knee_width,
    "sideways way, pelvis over plates": sideways_of_pelvis,
    "the same, each plate over their mean": sideways_of_plates,
}


def clean_walks() -> Iterator[CleanWalk]:
    """The available clean walks; a file that is missing, or is no walk, is left out."""
    marker_set = load_marker_set(ROOT / "config/marker_sets/plug_in_gait.yaml")
    for name in (*WITH_STATIC, *ALONE):
        try:
            given = _recordings(name)
            subject = Subject.from_si("subject", "f", given.values)
            motion = kinematics_of(given.walk, given.static, marker_set, subject)
            yield CleanWalk(given, motion, inverse_dynamics(motion), marker_set)
        except PipelineError as error:
            print(f"{name}: {error}")


def _recordings(name: str) -> Recordings:
    if name in TRIALS:
        return recordings_of(name)
    if name in FILES:
        return Recordings(*(read_trial(file) for file in FILES[name]), FILES[name][0])
    path, labels = ALONE[name]
    walk = read_trial(MEASURED / path)
    seen = [k for k, label in enumerate(walk.marker_names) if label not in labels.values()]
    names = tuple(labels.get(walk.marker_names[k], walk.marker_names[k]) for k in seen)
    walk = replace(walk, marker_names=names, markers_G=walk.markers_G[:, seen])
    return Recordings(walk, walk, MEASURED / path, _values(walk))


def _values(walk: RawTrial) -> dict[str, float]:
    """Subject values that a file lacks: lengths from its markers, widths of average size."""
    own = {}
    for side in ("left", "right"):
        thigh, knee, ankle = (walk.marker(side[0].upper() + name) for name in ("ASI", "KNE", "ANK"))
        parts = [np.linalg.norm(a - b, axis=1) for a, b in ((thigh, knee), (knee, ankle))]
        own[f"leg_length_{side}"] = float(sum(np.nanmedian(part) for part in parts))
        own |= {f"knee_width_{side}": 0.105, f"ankle_width_{side}": 0.07}
    own["height"] = own["leg_length_left"] / 0.53
    stored = {"height": "Height"}
    stored |= {f"{part}_{side}": side[0].upper() + key for side in ("left", "right") for part, key in _PARAMETERS}
    return {value: size for value, size in own.items() if not walk.parameters.get(stored[value])}


_PARAMETERS = (("leg_length", "LegLength"), ("knee_width", "KneeWidth"), ("ankle_width", "AnkleWidth"))


def table(*, skeleton: bool) -> Iterator[str]:
    """One line for each statistic."""
    walks = list(clean_walks())
    yield f"| on {len(walks)} clean walks | values | lowest | highest | mean | SD | limit in the module |"
    yield "|---|---|---|---|---|---|---|"
    for statistic in STATISTICS:
        alone = statistic.check not in AGAINST_STATIC
        own = [walk for walk in walks if alone or walk.given.static.name != walk.given.walk.name]
        yield from _line(statistic.name, [v for walk in own for v in statistic.values(walk)], statistic.limit)
    on_bones = {"mediolateral force, skeleton over each plate": skeleton_of_plates} if skeleton else {}
    for name, values in (UNLIMITED | on_bones).items():
        yield from _line(name, [v for walk in walks for v in values(walk)], "")


def _line(name: str, found: Sequence[float], limit: str) -> Iterator[str]:
    values = np.array([value for value in found if np.isfinite(value)])
    if len(values):
        spread = f"{values.min():.3g} | {values.max():.3g} | {values.mean():.3g} | {values.std():.2g}"
        yield f"| {name} | {len(values)} | {spread} | {limit} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skeleton", action="store_true", help="also what the whole skeleton's momentum shows")
    for line in table(skeleton=parser.parse_args().skeleton):
        print(line, flush=True)


if __name__ == "__main__":
    main()
