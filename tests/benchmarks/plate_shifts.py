"""How far each plate of a laboratory reads the centre of pressure along the walkway, from people who walk both ways.

    python -m tests.benchmarks.plate_shifts

In single support the zero-moment point of the whole body's motion lies at the centre of pressure, up to a distance that
the errors of a person's segment masses give. That goes with the person, while a plate's error goes with the walkway, so
that its sign in the frame of the walk changes with the direction of walking: least squares with one number for each
person and one for each plate. The same is found from the paths under the foot that were learned in the other
laboratories, which use no mass. Standard errors leave out one person at a time (jackknife).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import X
from pipeline.ground_from_motion.split import zero_moment_point
from tests.benchmarks.ground_from_motion import STARTING, Measured, left_out, measured_walks, own_path
from tests.benchmarks.reference_walks import BASEL, PLATE_AHEAD, walkway_direction

PLATES = tuple(PLATE_AHEAD)


@dataclass(frozen=True)
class Distance:
    """How far ahead a step's centre of pressure is, m: of the zero-moment point, and of the path learned elsewhere."""

    person: str
    plate: int
    direction: float
    of_point: float
    of_path: float


def distances(walks: Sequence[Measured]) -> list[Distance]:
    """Of every plate step of one laboratory, medians of single support."""
    learned = left_out(walks, STARTING)[BASEL]
    found = []
    for walk in walks:
        if walk.walk.laboratory != BASEL:
            continue
        bare = walk.bare
        points = zero_moment_point(bare.force_G, bare.moment_G, bare.floor)
        direction = walkway_direction(walk.plates)
        for number, stance in walk.steps.items():
            frames = np.arange(stance.start, stance.stop)
            for contact in bare.contacts:
                if contact.side != stance.side:
                    time = bare.time[frames]
                    frames = frames[
                        (time < contact.start - STARTING.widening) | (time > contact.stop + STARTING.widening)
                    ]
            frames = frames[bare.known[frames]]
            ahead = (walk.body.ground[stance.side].point_G - points)[frames, X]
            step, path = bare.step(number), own_path(walk, number, stance)
            of_path = float(np.mean((path - learned.path_of(step))[:, 0])) * step.frame.length
            found.append(Distance(walk.walk.person, stance.plates[0], direction, float(np.median(ahead)), of_path))
    return found


def plate_shifts(steps: Sequence[Distance], ahead: Sequence[float]) -> np.ndarray:
    """How far ahead each of `PLATES` reads, m from plate 1 towards plate 4, of distances in the frame of the walk."""
    people = sorted({step.person for step in steps})
    rows = np.zeros((len(steps), len(people) + len(PLATES)))
    for row, step in zip(rows, steps, strict=True):
        row[people.index(step.person)] = 1.0
        row[len(people) + PLATES.index(step.plate)] = step.direction
    return np.linalg.lstsq(rows, np.asarray(ahead), rcond=None)[0][len(people) :]


def main() -> None:
    """Print the shifts by both ways, with standard errors."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    steps = distances(list(measured_walks(STARTING, {})))
    people = sorted({step.person for step in steps})
    print(f"{len(steps)} steps of {len(people)} people; mm that plates {PLATES} read too far ahead")
    for name in ("of_point", "of_path"):
        values = plate_shifts(steps, [getattr(step, name) for step in steps])
        without = []
        for person in people:
            others = [step for step in steps if step.person != person]
            without.append(plate_shifts(others, [getattr(step, name) for step in others]))
        error = np.sqrt((len(people) - 1) * np.var(without, axis=0))
        print(f"{name:9}", np.round(1000.0 * values, 1), "standard errors", np.round(1000.0 * error, 1))


if __name__ == "__main__":
    main()
