"""From C3D files to the comparison by four `gait` commands: two subjects, two visits each, two conditions in each.

    python -m tests.benchmarks.two_visits FOLDER [--walks 1] [--cores 2]

The walks are synthetic (`tests.benchmarks.batch_study`), each with another place, scale and noise. Run from the
repository's root; it prints each command with its time, and its exit status is 1 if one fails or a comparison has no
page.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from pipeline.config import HOME, load_study
from tests.benchmarks.batch_study import ROOT, write_static, write_walk

SUBJECTS, VISITS, CONDITIONS = ("Ann", "Bob"), ("visit1", "visit2"), ("barefoot", "orthosis")


def write_recordings(folder: Path, walks: int) -> None:
    """C3D files as a laboratory keeps them: SUBJECT/VISIT/CONDITION, each with its static trial."""
    random = np.random.default_rng(0)
    for subject in SUBJECTS:
        for visit in VISITS:
            for condition in CONDITIONS:
                place = folder / subject / visit / condition
                place.mkdir(parents=True)
                write_static(place / "static.c3d", random)
                for number in range(walks):
                    write_walk(place / f"walk{number + 1}.c3d", random, back=number % 2 == 1)


def gait(*words: str) -> None:
    """Run a command of gait; ends the program if it fails."""
    began = time.perf_counter()
    print(f"$ gait {' '.join(words)}", flush=True)
    status = subprocess.run([sys.executable, "-m", "pipeline", *words], cwd=ROOT).returncode
    print(f"  status {status} after {time.perf_counter() - began:.1f} s", flush=True)
    if status:
        sys.exit(1)


def main() -> None:
    """Write the recordings, and go from them to the comparisons."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.two_visits", description=__doc__)
    parser.add_argument("folder", type=Path, help="new folder for the recordings and the study")
    parser.add_argument("--walks", type=int, default=1, help="walks of each condition")
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    recordings, study = options.folder.resolve() / "recordings", options.folder.resolve() / "study"
    write_recordings(recordings, options.walks)
    gait("new", str(study), "--from", str(recordings))
    gait("check", str(study))
    gait("run", str(study), "--cores", str(options.cores))
    gait("compare", str(study), "--cores", str(options.cores))
    rows = load_study(study, HOME).comparisons
    pages = [study / f"reports/{row.subject}/{row.second.session}/comparisons/{row.comparison}.html" for row in rows]
    missing = [str(page) for page in pages if not page.is_file()]
    print(f"{len(pages)} comparisons, {len(missing)} without a page")
    sys.exit(bool(missing or not pages))


if __name__ == "__main__":
    main()
