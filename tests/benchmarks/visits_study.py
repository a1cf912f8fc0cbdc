"""A study of two subjects, two visits each, two conditions in each visit: eight sets of synthetic walks.

    python -m tests.benchmarks.visits_study FOLDER

The left leg swings stiffly in the first visit and less so in the second; the orthosis keeps the left foot from
plantarflexing at push-off. Walks of a set differ in time and arm swing, as those of one person do, and in marker noise.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.synthetic import Gait, standing, walk
from tests.benchmarks.batch_study import NOISE

SUBJECTS = {
    "Ann": ("f", "2013-04-02", "cerebral palsy, unilateral", "left"),
    "Bob": ("m", "1985-09-30", "stroke", "left"),
}
VISITS = {"pre": "2024-03-04", "post": "2024-09-16"}
CONDITIONS = ("barefoot", "orthosis")
WALKS = 3


def gait_of(visit: str, condition: str, random: np.random.Generator) -> Gait:
    """One walk's design: half way to the right leg's after treatment, with little variation."""
    usual = Gait()
    left, right = usual.steps["left"], usual.steps["right"]
    share = 0.6 if visit == "post" else 0.0
    pitch = _between(left.pitch, right.pitch, share)
    if condition == "orthosis":
        pitch = {at: 0.9 * value if 40 <= at <= 67 else value for at, value in pitch.items()}
    own = replace(left, pitch=pitch, lift=_between(left.lift, right.lift, share))
    cycle = usual.cycle * (1.0 - 0.03 * share) * (1.0 + 0.008 * random.standard_normal())
    waves = {
        name: (mean + 0.4 * random.standard_normal(), harmonics) for name, (mean, harmonics) in usual.waves.items()
    }
    steps = {"left": own, "right": right}
    return replace(usual, steps=steps, cycle=cycle, waves=waves, height=usual.height - 0.006)


def _between(one: Mapping[float, float], other: Mapping[float, float], share: float) -> dict[float, float]:
    """Part of the way from one curve's values to the other's, which is interpolated at the first one's places."""
    places = sorted(other)
    return {
        at: (1.0 - share) * y + share * float(np.interp(at, places, [other[p] for p in places]))
        for at, y in one.items()
    }


def write_study(folder: Path, walks: int = WALKS, subjects: tuple[str, ...] = tuple(SUBJECTS)) -> None:
    """Write C3D files and tables; ``walks`` of each set."""
    random = np.random.default_rng(0)
    (folder / "config").mkdir(parents=True)
    people = ["subject\tsex\tbirth_date\tdiagnosis\taffected_side"]
    trials = ["trial\tsubject\tsession\tcondition\tdate\tkind\tfile"]
    for subject in subjects:
        people.append("\t".join((subject, *SUBJECTS[subject])))
        for visit, date in VISITS.items():
            files = folder / "data/raw" / subject / visit
            files.mkdir(parents=True)
            standing().write(files / "static.c3d", noise=NOISE)
            trials.append(f"static\t{subject}\t{visit}\t\t{date}\tstatic\t{subject}/{visit}/static.c3d")
            for condition in CONDITIONS:
                for number in range(walks):
                    name = f"{condition}{number + 1}"
                    truth = walk(name, gait=gait_of(visit, condition, random))
                    truth.write(files / f"{name}.c3d", noise=NOISE)
                    row = (name, subject, visit, condition, date, "walk", f"{subject}/{visit}/{name}.c3d")
                    trials.append("\t".join(row))
    (folder / "config/subjects.tsv").write_text("\n".join(people) + "\n")
    (folder / "config/trials.tsv").write_text("\n".join(trials) + "\n")
    (folder / "config/config.yaml").write_text("study:\n  title: Two visits\n")


if __name__ == "__main__":
    write_study(Path(sys.argv[1]))
