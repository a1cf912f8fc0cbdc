"""What the pipeline makes of planted faults: refused, named, mended, or silently wrong, and by how much.

    python -m tests.benchmarks.faults [--trial synthetic|HC032A|nantes|all] [--fault NAME] [--scale 0.5,1,2]

Each fault of `fault_list` is planted in the recordings as read, and the steps from kinematics to the summary of the
gait cycles run on them in process. Errors are the largest differences of the mean curves from those of the clean trial.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.analysis import CYCLE_VARIABLES, gait_cycles, mean_leg_length, summarise
from pipeline.anatomy import load_marker_set
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.errors import PipelineError
from pipeline.kinematics import kinematics
from pipeline.newton_euler import inverse_dynamics
from pipeline.plausibility import plausibility
from pipeline.results import load_norm
from pipeline.trial import GaitSummary, InverseDynamics, Kinematics
from tests.benchmarks.fault_list import FAULTS, Recordings

ROOT = Path(__file__).resolve().parents[2]

TRIALS = {
    "synthetic": (ROOT / "data/demo/walk.c3d", ROOT / "data/demo/static.c3d"),
    "HC032A": ("zoo_HC032A/HC032A03.c3d", "zoo_HC032A/HC032A01.c3d"),
    "nantes": ("nantes/PiG_Motion3_FF.c3d", "nantes/PiG_Calibration3_FF.c3d"),
}

MAX_ANGLE, MAX_MOMENT = 3.0, 0.1
"""Degrees and Nm/kg within which a result counts as right: what sessions of one person differ by (McGinley et al. 2009,
Gait and Posture 29, 360-369: 2 to 5 degrees)."""


@dataclass(frozen=True)
class Results:
    """What a walk was computed to."""

    motion: Kinematics
    loads: InverseDynamics
    summary: GaitSummary


@dataclass(frozen=True)
class Outcome:
    """A walk's results, None where it was refused, and what was said about them."""

    results: Results | None
    said: tuple[str, ...]


def recordings_of(name: str) -> Recordings:
    """The clean recordings of a trial."""
    walk, static = (read_trial(ROOT.parent / "shared/trials" / path) for path in TRIALS[name])
    return Recordings(walk, static)


def outcome(given: Recordings) -> Outcome:
    """Run the steps from kinematics to the summary."""
    marker_set = load_marker_set(ROOT / "config/marker_sets/plug_in_gait.yaml")
    subject = Subject.from_si("subject", "f", given.values)
    try:
        motion = kinematics(
            given.walk, given.static, marker_set, subject, AnatomySettings(), FilterSettings(), EventSettings()
        )
        loads = inverse_dynamics(motion)
        cycles = gait_cycles(motion, loads)
        norm = load_norm(ROOT / "config/norms/schwartz2008.json")
        summary = summarise(cycles, mean_leg_length(motion.calibration), norm)
    except PipelineError as error:
        return Outcome(None, (str(error),))
    looked_at = plausibility(motion, loads, summary, given.walk, given.static, marker_set)
    notes = (*motion.notes, *motion.calibration.notes, *loads.notes, *cycles.notes, *summary.notes)
    said = [f"{note.subject}: {note.text}" for note in notes if note.kind == "warning"]
    rejected = [f"plate {stance.plate}: {stance.rejected}" for stance in motion.stances if stance.rejected]
    found = [f"{f.grade}, {f.subject}: {f.sentence}" for f in looked_at.findings]
    results = None if looked_at.refused else Results(motion, loads, summary)
    return Outcome(results, tuple(dict.fromkeys([*found, *said, *rejected])))


@dataclass(frozen=True)
class Errors:
    """Largest differences from the clean trial: of the mean curves of angles (degrees), and of the moments (Nm/kg) over
    the clean trial's stances; infinite where a result is lost."""

    knee_flexion: float
    knee_moment: float
    angles: float
    moments: float

    @property
    def tolerated(self) -> bool:
        """Whether the results count as right."""
        return self.angles <= MAX_ANGLE and self.moments <= MAX_MOMENT


NO_RESULT = Errors(*[np.nan] * 4)


def errors_of(found: Results, clean: Results) -> Errors:
    """Errors of a walk that was not refused."""
    names = [name for name, variable in CYCLE_VARIABLES.items() if variable.units == "deg"]
    rows = [list(CYCLE_VARIABLES).index(name) for name in names]
    angles = [_apart(found.summary.mean[:, row], clean.summary.mean[:, row]) for row in rows]
    moments = _moment_errors(found, clean)
    sagittal = max((error[2] for joint, error in moments.items() if joint.endswith("knee")), default=0.0)
    largest = max((max(error) for error in moments.values()), default=0.0)
    return Errors(angles[names.index("knee_flexion")], sagittal, max(angles), largest)


def _moment_errors(found: Results, clean: Results) -> dict[str, list[float]]:
    """By joint, about the three axes of the distal segment, over the stances of the clean trial."""
    errors = {}
    for joint, load in clean.loads.joints.items():
        frames = np.zeros(len(clean.motion.time), dtype=bool)
        for stance in clean.motion.stances:
            if joint.startswith(stance.side or "none") and not stance.rejected:
                frames[stance.start : stance.stop] = True
        if frames.any():
            own = found.loads.joints[joint].moment_distal / found.loads.mass
            errors[joint] = [_apart(own[frames, k], load.moment_distal[frames, k] / clean.loads.mass) for k in range(3)]
    return errors


def _apart(found: np.ndarray, clean: np.ndarray) -> float:
    """Largest difference where the clean values are known; infinite where most of them are lost."""
    known = np.isfinite(clean)
    if not known.any():
        return 0.0
    both = known & np.isfinite(found)
    return float(np.abs(found - clean)[both].max()) if both.sum() > 0.9 * known.sum() else np.inf


def verdict(found: Outcome, clean: Outcome) -> tuple[str, Errors, tuple[str, ...]]:
    """Refused, named, right or silent; the errors; and what was said that is not said of the clean trial."""
    known = {_without_numbers(text) for text in clean.said}
    new = tuple(text for text in found.said if _without_numbers(text) not in known)
    if found.results is None:
        return "refused", NO_RESULT, found.said
    assert clean.results, "the clean trial itself was refused"
    errors = errors_of(found.results, clean.results)
    if errors.tolerated:
        return "right", errors, new
    return ("named" if new else "SILENT"), errors, new


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "", text)


def table(trials: Sequence[str], faults: Sequence[str], scales: Sequence[float], *, full: bool) -> list[str]:
    """Lines of the table, a row for each trial, fault and scale, and the counts."""
    columns = f"{'knee fl.':>9}{'knee Nm/kg':>11}{'angles':>8}{'moments':>8}"
    lines, counts = [f"{'trial':10} {'fault':38}{'scale':>6}  {'outcome':8}{columns}  first finding"], Counter[str]()
    for trial in trials:
        recordings = recordings_of(trial)
        clean = outcome(recordings)
        lines += [f"{trial:10} {'none':38}{'':>6}  {'':8}{'':36}  {text}" for text in clean.said or ("nothing said",)]
        for fault in faults:
            for scale in scales:
                kind, e, said = verdict(outcome(FAULTS[fault](recordings, scale)), clean)
                counts[kind] += 1
                shown = f"{e.knee_flexion:9.1f}{e.knee_moment:11.2f}{e.angles:8.1f}{e.moments:8.2f}"
                told = said if full else said[:1]
                lines.append(f"{trial:10} {fault:38}{scale:>6g}  {kind:8}{shown}  {told[0] if told else ''}")
                lines += [f"{'':103}{text}" for text in told[1:]]
    return [*lines, "", ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trial", choices=(*TRIALS, "all"), default="synthetic")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="may be given several times")
    parser.add_argument("--scale", default="1", help="magnitudes, separated by commas")
    parser.add_argument("--full", action="store_true", help="all findings of a row")
    options = parser.parse_args()
    trials = tuple(TRIALS) if options.trial == "all" else (options.trial,)
    scales = [float(scale) for scale in options.scale.split(",")]
    sys.stdout.write("\n".join(table(trials, options.fault or tuple(FAULTS), scales, full=options.full)) + "\n")


if __name__ == "__main__":
    main()
