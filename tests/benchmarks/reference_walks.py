"""The reference walks on which residuals are measured, each with its laboratory, person and known faults.

The measured ones are next to the repository (`../shared/trials`) and not part of it; a walk without its file is left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.analysis import gait_cycles, mean_leg_length, summarise
from pipeline.anatomy import MarkerSet, load_marker_set, with_set_labels
from pipeline.config import Subject
from pipeline.conventions import X
from pipeline.newton_euler import inverse_dynamics
from pipeline.trial import ForcePlate, GaitSummary, InverseDynamics, Kinematics, WholeBody
from tests.benchmarks.fault_list import Recordings, moved_plate, with_plates
from tests.walks import MEASURED, PUBLISHED, ROOT, kinematics_of

BASEL = "basel"
PLATES = ("force", "centre", "moment", "load", "gap", "by the body's motion")
"""Parts of the names of residuals that follow from plates."""

LATERAL = "left strike 3: 19 N of lateral force in the unloaded plate"

TORSION = "tibial torsion of 12 and 18 degrees, stored with another walk of the same person, is not entered"

PLATE_AHEAD = {1: -0.002, 3: 0.012, 4: 0.008}
"""m by which plates of the laboratory `basel` read the centre of pressure too far along the walkway from plate 1 to
plate 4, by their distance from the zero-moment points of people who walk both ways (`plate_shifts`)."""

KNOWN_IN_BASEL = {
    "NP1010": ("plate 3: moments", PLATES),
    "NP1011": ("plate 3: moments", PLATES),
    "NP1014": ("plate 3: moments", PLATES),
    "NP1013a16": ("plate 3: its fore-aft force is half of that on the others, as in the walks before", PLATES),
    "NP1002": ("mass of the file is not the walker's", PLATES),
}


@dataclass(frozen=True)
class ReferenceWalk:
    """A walk of the reference set.

    Attributes:
        laboratory, person, name: of the walk; persons' names are those of one laboratory.
        walk, static: files; the same one where there is no static trial.
        set_name: of the marker set, whose file ships.
        wrong: what is known to be wrong in it; empty for a walk without a known fault.
        affected: parts of the names of residuals for which it is no reference for that.
        values: in place of subjects.tsv, in SI.
    """

    laboratory: str
    person: str
    name: str
    walk: Path
    static: Path
    set_name: str = "plug_in_gait"
    wrong: str = ""
    affected: tuple[str, ...] = ()
    values: dict[str, float] = field(default_factory=dict)

    @property
    def marker_set(self) -> MarkerSet:
        """Of its labels."""
        return load_marker_set(ROOT / f"config/marker_sets/{self.set_name}.yaml")


@dataclass(frozen=True)
class Results:
    """What a walk was computed to; ``body`` where it was fitted to the skeleton."""

    motion: Kinematics
    loads: InverseDynamics
    summary: GaitSummary
    body: WholeBody | None = None


@dataclass(frozen=True, kw_only=True)
class Computed(Results):
    """Results of a reference walk, with its recordings."""

    walk: ReferenceWalk
    given: Recordings


def reference_walks() -> list[ReferenceWalk]:
    """The reference walks whose files are available."""
    found = [*_basel(), *_others(), *_pairs()]
    return [walk for walk in found if walk.walk.is_file() and walk.static.is_file()]


def _basel() -> Iterator[ReferenceWalk]:
    for file in sorted((MEASURED / "calibration/basel").glob("*.c3d")):
        person = file.stem[:6]
        wrong, affected = KNOWN_IN_BASEL.get(file.stem, KNOWN_IN_BASEL.get(person, ("", ())))
        yield ReferenceWalk(BASEL, person, file.stem, file, file, wrong=wrong, affected=affected)


def _others() -> Iterator[ReferenceWalk]:
    known = {
        "func": ("func", "f1", f"{LATERAL}; RHEE is 20 mm off its path in frame 29", (*PLATES, "third")),
        "kad": ("kad", "k1", f"mass of the file; {TORSION}", (*PLATES, "shank")),
        "kadmed": ("kad", "k1", "plates late", PLATES),
        "kadmed2": ("kad", "k2", "markers smoothed before export", ("5 to 9 Hz", "on a line")),
        "pig4": ("pig", "p1", "knee axes turned", ("varus", "axis", "moment")),
        "pigff": ("pig", "p2", "knee axes turned", ("varus", "axis", "moment")),
    }
    for folder, (laboratory, person, wrong, affected) in known.items():
        own = MEASURED / "calibration/others" / folder
        yield ReferenceWalk(
            laboratory, person, folder, own / "walk.c3d", own / "static.c3d", wrong=wrong, affected=affected
        )
    own = MEASURED / "calibration/others/helen_hayes"
    yield ReferenceWalk("hh", "h1", "helen_hayes", own / "walk.c3d", own / "static.c3d", "helen_hayes")


def _pairs() -> Iterator[ReferenceWalk]:
    for name, files in PUBLISHED.items():
        laboratory = "zoo" if name.startswith("HC") else name
        wrong, affected = ("tibiae twisted by 20 to 40 degrees", ("shank",)) if name == "nantes" else ("", ())
        yield ReferenceWalk(laboratory, name, name, *files, wrong=wrong, affected=affected)


def recordings(walk: ReferenceWalk) -> Recordings:
    """Read the files of a walk."""
    read = with_set_labels(read_trial(walk.walk), walk.marker_set)
    static = read if walk.static == walk.walk else with_set_labels(read_trial(walk.static), walk.marker_set)
    return Recordings(read, static, walk.walk, dict(walk.values))


def with_plates_put_right(given: Recordings, ahead: Mapping[int, float]) -> Recordings:
    """A walk of the laboratory `basel` with its plates moved back by their errors along the walkway, m by number."""
    direction = walkway_direction(given.walk.plates)
    return with_plates(
        given, lambda plate: moved_plate(plate, np.array([-direction * ahead.get(plate.number, 0.0), 0.0, 0.0]))
    )


def walkway_direction(plates: Sequence[ForcePlate]) -> float:
    """1 for a walk from plate 1 towards plate 4 along G's X, -1 for the opposite direction."""
    at = {plate.number: plate.corners_G[:, X].mean() for plate in plates}
    return float(np.sign(at[4] - at[1]))


def compute(walk: ReferenceWalk, given: Recordings) -> Computed:
    """The stages up to the summary. Raises PipelineError if a stage fails."""
    motion = kinematics_of(given.walk, given.static, walk.marker_set, Subject.from_si("subject", None, given.values))
    loads = inverse_dynamics(motion)
    summary = summarise(gait_cycles(motion, loads), mean_leg_length(motion.calibration), None)
    return Computed(motion, loads, summary, walk=walk, given=given)
