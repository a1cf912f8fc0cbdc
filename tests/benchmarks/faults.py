"""What the pipeline makes of planted faults: refused, named, mended, or silently wrong, and by how much.

    python -m tests.benchmarks.faults [--trial synthetic|HC032A|nantes|all] [--fault NAME] [--scale 0.5,1,2]
                                      [--skeleton] [--smallest] [--keep FILE] [--full] [--markdown]

Each fault of `fault_list` is planted in the recordings as read, each of `file_faults` in the walk's file, and the steps
from kinematics to the summary of the gait cycles run on them in process, with --skeleton also the walk on the skeleton.
Errors are the largest differences of the mean curves from those of the clean trial. --smallest searches the size from
which on each fault is found. With --keep a run that was stopped goes on where it was. The tables of docs/faults.md are
those of --trial all --scale 0.5,1,2 --markdown, and of --trial all --smallest.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.analysis import CYCLE_VARIABLES, gait_cycles, mean_leg_length, summarise
from pipeline.anatomy import load_marker_set
from pipeline.config import Subject
from pipeline.errors import PipelineError
from pipeline.newton_euler import inverse_dynamics
from pipeline.plausibility import plausibility
from pipeline.results import load_norm
from pipeline.trial import InverseDynamics, Kinematics, WholeBody
from tests.benchmarks.fault_list import FAULTS as IN_RECORDINGS
from tests.benchmarks.fault_list import Recordings
from tests.benchmarks.fault_rows import Row, markdown, store_row, stored_rows
from tests.benchmarks.file_faults import FILE_FAULTS
from tests.benchmarks.reference_walks import Results
from tests.walks import PUBLISHED, ROOT, kinematics_of, whole_body_of

FAULTS = IN_RECORDINGS | FILE_FAULTS

TRIALS = {
    "synthetic": (ROOT / "data/demo/walk.c3d", ROOT / "data/demo/static.c3d"),
    **{name: PUBLISHED[name] for name in ("HC032A", "nantes")},
}

MAX_ANGLE, MAX_MOMENT = 3.0, 0.1
"""Degrees and Nm/kg within which a result counts as right: what sessions of one person differ by (McGinley et al. 2009,
Gait and Posture 29, 360-369: 2 to 5 degrees)."""


@dataclass(frozen=True)
class Outcome:
    """A walk's results, None where it was refused, and what was said about them."""

    results: Results | None
    said: tuple[str, ...]


def recordings_of(name: str) -> Recordings:
    """The clean recordings of a trial."""
    return Recordings(*(read_trial(file) for file in TRIALS[name]), TRIALS[name][0])


def outcome(given: Recordings, *, skeleton: bool = False) -> Outcome:
    """Run the steps from kinematics to the summary, and on the skeleton."""
    marker_set = load_marker_set(ROOT / "config/marker_sets/plug_in_gait.yaml")
    subject = Subject.from_si("subject", "f", given.values)
    try:
        motion = kinematics_of(given.walk, given.static, marker_set, subject)
        loads = inverse_dynamics(motion)
        cycles = gait_cycles(motion, loads)
        norm = load_norm(ROOT / "config/norms/schwartz2008.json")
        summary = summarise(cycles, mean_leg_length(motion.calibration), norm)
        found = given.walk, given.static, motion, loads, marker_set
        body = whole_body_of(*found, sex="female", residual_reduction=False) if skeleton else None
    except PipelineError as error:
        return Outcome(None, (str(error),))
    looked_at = plausibility(motion, loads, summary, given.walk, given.static, marker_set)
    notes = (*motion.notes, *motion.calibration.notes, *loads.notes, *cycles.notes, *summary.notes)
    notes += body.notes if body else ()
    said = [f"{note.subject}: {note.text}" for note in notes if note.kind == "warning"]
    rejected = [f"plate {stance.plate}: {stance.rejected}" for stance in motion.stances if stance.rejected]
    found = [f"{f.grade}, {f.subject}: {f.sentence}" for f in looked_at.findings]
    results = None if looked_at.refused else Results(motion, loads, summary, body)
    return Outcome(results, tuple(dict.fromkeys([*found, *said, *rejected])))


@dataclass(frozen=True)
class Errors:
    """Largest differences from the clean trial: of the mean curves of angles (degrees), and of the moments (Nm/kg) over
    the clean trial's stances, in matrix form and, where it was fitted, on the skeleton; infinite where one is lost."""

    knee_flexion: float
    knee_moment: float
    angles: float
    moments: float
    on_skeleton: float

    @property
    def tolerated(self) -> bool:
        """Whether the results count as right."""
        return self.angles <= MAX_ANGLE and max(self.moments, self.on_skeleton) <= MAX_MOMENT


NO_RESULT = Errors(*[np.nan] * 5)


def errors_of(found: Results, clean: Results) -> Errors:
    """Errors of a walk that was not refused."""
    names = [name for name, variable in CYCLE_VARIABLES.items() if variable.units == "deg"]
    curves = [[np.array([own[name] for own in of.summary.mean.values()]) for of in (found, clean)] for name in names]
    angles = [_apart(*both) for both in curves]
    moments = _moment_errors(found.loads, clean.loads, clean.motion)
    fitted = _moment_errors(found.body, clean.body, clean.motion) if found.body and clean.body else {}
    sagittal = max((error[2] for joint, error in moments.items() if joint.endswith("knee")), default=0.0)
    largest = max((max(error) for error in moments.values()), default=0.0)
    on_skeleton = max((max(error) for error in fitted.values()), default=0.0)
    return Errors(angles[names.index("knee_flexion")], sagittal, max(angles), largest, on_skeleton)


def _moment_errors(
    found: InverseDynamics | WholeBody, clean: InverseDynamics | WholeBody, motion: Kinematics
) -> dict[str, list[float]]:
    """By joint, about the three axes of the distal segment, over the stances of the clean trial's motion."""
    own, expected, errors = _moments(found), _moments(clean), {}
    for joint, moment in expected.items():
        frames = np.zeros(len(motion.time), dtype=bool)
        for stance in motion.stances:
            if joint.startswith(stance.side or "none") and not stance.rejected:
                frames[stance.start : stance.stop] = True
        if frames.any():
            errors[joint] = [_apart(own[joint][frames, k], moment[frames, k]) for k in range(3)]
    return errors


def _moments(of: InverseDynamics | WholeBody) -> dict[str, np.ndarray]:
    """Moments (T, 3) Nm/kg by joint, in the distal segment's axes."""
    if isinstance(of, WholeBody):
        return {joint: moment / of.mass for joint, moment in of.kinematic.joint_moments.items()}
    return {joint: load.moment_distal / of.mass for joint, load in of.joints.items()}


def _apart(found: np.ndarray, clean: np.ndarray) -> float:
    """Largest difference where the clean values are known; infinite where most of them are lost."""
    known = np.isfinite(clean)
    if not known.any():
        return 0.0
    both = known & np.isfinite(found)
    return float(np.abs(found - clean)[both].max()) if both.sum() > 0.9 * known.sum() else np.inf


def verdict(found: Outcome, clean: Outcome) -> tuple[str, Errors, tuple[str, ...]]:
    """Refused, named, right or silent; the errors; and what was said that is not said of the clean trial."""
    known = {without_numbers(text) for text in clean.said}
    new = tuple(text for text in found.said if without_numbers(text) not in known)
    if found.results is None:
        return "refused", NO_RESULT, found.said
    assert clean.results, "the clean trial itself was refused"
    errors = errors_of(found.results, clean.results)
    if errors.tolerated:
        return "right", errors, new
    return ("named" if new else "SILENT"), errors, new


def without_numbers(text: str) -> str:
    return re.sub(r"\d+", "", text)


def rows(
    trials: Sequence[str], faults: Sequence[str], scales: Sequence[float], *, skeleton: bool, keep: Path | None
) -> Iterator[Row]:
    """A row for each trial, fault and scale; those of the file ``keep`` are taken from it, others added."""
    known = stored_rows(keep)
    for trial in trials:
        wanted = [(trial, fault, scale) for fault in faults for scale in scales]
        if any(key not in known for key in wanted):
            recordings = recordings_of(trial)
            clean = outcome(recordings, skeleton=skeleton)
        for key in wanted:
            if key not in known:
                kind, errors, said = verdict(outcome(FAULTS[key[1]](recordings, key[2]), skeleton=skeleton), clean)
                known[key] = Row(*key, kind, **asdict(errors), said=said)
                store_row(keep, known[key])
            yield known[key]


HEADER = (
    f"{'trial':10} {'fault':38}{'scale':>6}  {'outcome':8}"
    f"{'knee fl.':>9}{'knee Nm/kg':>11}{'angles':>8}{'moments':>8}{'skeleton':>9}  first finding"
)


def table(found: Iterable[Row], *, full: bool) -> Iterator[str]:
    """Lines of the table, and the counts."""
    counts = Counter[str]()
    yield HEADER
    for row in found:
        counts[row.kind] += 1
        yield row.line(len(row.said) if full else 1)
    yield ""
    yield ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))


SIZE = re.compile(r"([\d.]+) (mm|ms|%|degrees)")
"""Size and unit of a fault in its name."""

LARGEST, HALVINGS = 4.0, 6
"""Multiple of a fault's size that is tried first, and how often the interval is halved from there."""


def smallest(trials: Sequence[str], faults: Sequence[str], *, skeleton: bool, keep: Path | None) -> Iterator[str]:
    """Lines of a table of the size from which on each fault with a size is found in each trial; the clean trials say
    nothing of it. Sizes in the file ``keep`` are taken from it, the others are added to it."""
    known = json.loads(keep.read_text(encoding="utf-8")) if keep and keep.is_file() else {}
    given: dict[str, tuple[Recordings, Outcome]] = {}
    yield f"| fault | {' | '.join(trials)} |"
    yield f"|---|{'---|' * len(trials)}"
    for fault in faults:
        size = SIZE.search(fault)
        if size is None:
            continue
        cells = []
        for trial in trials:
            key = f"{trial}: {fault}"
            if key not in known:
                if trial not in given:
                    given[trial] = recordings_of(trial), outcome(recordings_of(trial), skeleton=skeleton)
                known[key] = _smallest_scale(fault, *given[trial], skeleton=skeleton)
                if keep:
                    keep.write_text(json.dumps(known), encoding="utf-8")
            cells.append(f"{known[key] * float(size[1]):.2g} {size[2]}" if known[key] else "never")
        yield f"| {fault} | {' | '.join(cells)} |"


def _smallest_scale(fault: str, recordings: Recordings, clean: Outcome, *, skeleton: bool) -> float | None:
    """Multiple of its size from which on a fault is found; None where it is not up to `LARGEST`."""

    def is_found(scale: float) -> bool:
        kind, _, new = verdict(outcome(FAULTS[fault](recordings, scale), skeleton=skeleton), clean)
        return kind == "refused" or bool(new)

    if not is_found(LARGEST):
        return None
    low, high = 0.0, LARGEST
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trial", choices=(*TRIALS, "all"), default="synthetic")
    parser.add_argument(
        "--fault", choices=FAULTS, metavar="NAME", action="append", help="fault of `fault_list`; may be repeated"
    )
    parser.add_argument("--scale", default="1", help="magnitudes, separated by commas")
    parser.add_argument("--full", action="store_true", help="all findings of a row")
    parser.add_argument("--skeleton", action="store_true", help="the walk on the skeleton, too")
    parser.add_argument("--smallest", action="store_true", help="the size from which on each fault is found")
    parser.add_argument("--keep", type=Path, help="file of the rows: a run that was stopped goes on with it")
    parser.add_argument("--markdown", action="store_true", help="the tables as in docs/faults.md")
    options = parser.parse_args()
    trials = tuple(TRIALS) if options.trial == "all" else (options.trial,)
    faults = options.fault or tuple(FAULTS)
    scales = [float(scale) for scale in options.scale.split(",")]
    found = rows(trials, faults, scales, skeleton=options.skeleton, keep=options.keep)
    if options.smallest:
        lines = smallest(trials, faults, skeleton=options.skeleton, keep=options.keep)
    else:
        lines = markdown(found, trials) if options.markdown else table(found, full=options.full)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
