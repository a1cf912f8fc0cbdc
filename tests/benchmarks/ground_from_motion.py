"""Fit the parameters that split the ground reaction between the feet, and test them with one laboratory left out.

    python -m tests.benchmarks.ground_from_motion [--write]

Walks with markers on the whole body, without their plates and with events from markers, are estimated with the
parameters of the other laboratories, and compared with their plates, filtered alike (6 Hz): root mean square errors of
all steps, of the same with the walk's other plate steps known (personal), and, on the same walks, of the smooth
transition of Ren, Jones and Howard (2008, Journal of Biomechanics 41(12), 2750-2759) and of least effort over contact
points (`least_effort`). The plates of one laboratory are corrected first (`tests.benchmarks.plate_shifts`); a row has
the errors against them without the correction. With --write the file `config/ground_from_motion.json` is replaced.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import process_time

import numpy as np

from pipeline.conventions import BAND_95, GRAVITY, SIDES, Y
from pipeline.dynamics import rnea
from pipeline.errors import PipelineError
from pipeline.ground_from_motion.contacts import foot_frame
from pipeline.ground_from_motion.estimate import (
    LEG_JOINTS,
    WalkingBody,
    estimate,
    joint_loads,
    measured_path,
    measured_steps,
    walking_body,
)
from pipeline.ground_from_motion.learned import SHIPPED, LearnedSplit
from pipeline.ground_from_motion.noise import by_position, usable
from pipeline.ground_from_motion.split import SplitLoads
from pipeline.ground_from_motion.walk import MIN_FORCE, cop_errors, error_curves, personal_correction
from pipeline.signals import low_pass
from pipeline.trial import ForcePlate, Stance, WholeBody
from tests.benchmarks.least_effort import least_effort
from tests.benchmarks.reference_walks import (
    BASEL,
    PLATE_AHEAD,
    ReferenceWalk,
    compute,
    recordings,
    reference_walks,
    with_plates_put_right,
)
from tests.walks import whole_body_of

WRONG_PLATE = {"NP1010": 3, "NP1011": 3, "NP1014": 3, "NP1013": 3, "func": 3}
"""Plates that are known to be wrong, by the beginning of the walk's name (`reference_walks`)."""

WRONG_MASS = ("NP1002",)
PHASES = np.linspace(0.0, 1.0, 21)
PITCH_PHASES = np.array([0.0, 0.2, 0.5, 0.7])
CENTRE_PHASES = np.array([0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
INPUTS = len(PITCH_PHASES) + len(CENTRE_PHASES) + 1
RIDGE = 1.0
"""Penalty of the ridge regression per step, of standardised inputs: 0.5 to 2 leave the same error."""

VIDEO_NOISE = np.array([0.8, 0.23, 0.3])
"""Standard deviations of the acceleration that all of the body has in common, over gravity, along X, Y and Z of G: that
of OpenCap's walk of two phones at 6 Hz, whose body would need up to 2.4 body weights along the floor."""

WIDENED = 0.05
"""s by which contacts are widened for the smooth transition; with 0.03 s its vertical error is larger."""

K1 = np.exp(4.0 / 9.0)
K2 = K1 / 2.0 * np.exp(-16.0 / 9.0)
"""Of the fore-aft force in the smooth transition."""

COLUMNS = ("fore-aft", "vertical", "lateral", "along", "across", *LEG_JOINTS)


@dataclass(frozen=True)
class Measured:
    """A walk with its plate steps, and the same walk without plates."""

    walk: ReferenceWalk
    body: WholeBody
    bare: WalkingBody
    steps: dict[int, Stance]
    feet: dict[str, tuple[np.ndarray, np.ndarray]]
    plates: tuple[ForcePlate, ...]


def measured_walks(start: LearnedSplit, ahead: Mapping[int, float] = PLATE_AHEAD) -> Iterator[Measured]:
    """Reference walks with markers on the whole body and clean steps on plates.

    Args:
        start: for the height of the floor.
        ahead: m by number, put right at the plates of one laboratory (`PLATE_AHEAD`).
    """
    for walk in reference_walks():
        if walk.name.startswith(WRONG_MASS):
            continue
        try:
            given = recordings(walk)
            if walk.laboratory == BASEL:
                given = with_plates_put_right(given, ahead)
            computed = compute(walk, given)
            motion = computed.motion
            values = motion.calibration.values
            if not np.isfinite(values["mass"]):
                print(f"{walk.name}: left out, the mass is not known")
                continue
            alone = replace(walk, values={**walk.values, "mass": values["mass"], "height": values["height"]})
            bare = replace(given, walk=replace(given.walk, plates=(), events=()), values=alone.values)
            events = compute(alone, bare).motion.events
            found = given.walk, given.static, motion, computed.loads, walk.marker_set
            body = whole_body_of(*found, residual_reduction=False)
            if body.mass_tracked < 0.9:
                continue
            points, sides = motion.points, walk.marker_set.feet
            feet = {side: (points[foot.heel], points[foot.toe]) for side, foot in sides.items()}
            own = walking_body(body, motion, feet, events, start)
        except PipelineError as error:
            print(f"{walk.name}: left out, {error}")
            continue
        wrong = {plate for name, plate in WRONG_PLATE.items() if walk.name.startswith(name)}
        steps = {n: s for n, s in measured_steps(own, motion.stances).items() if not wrong & set(s.plates)}
        if steps:
            yield Measured(walk, body, own, steps, feet, given.walk.plates)


def learn(walks: Sequence[Measured], fixed: LearnedSplit) -> LearnedSplit:
    """The path under the foot of some walks; the constants of the split, which are four, are those of ``fixed``."""
    paths, inputs, heels = [], [], []
    blank = replace(fixed, input_mean=np.zeros(INPUTS))
    for walk in walks:
        for number, stance in walk.steps.items():
            path = own_path(walk, number, stance)
            if path is None:
                continue
            step = walk.bare.step(number)
            paths.append(path)
            inputs.append(blank.deviation(step))
            heels.append((step.frame.heel_G[Y] - walk.bare.floor) / step.frame.length)
    path, given = np.array(paths), np.array(inputs)
    spread = given.std(axis=0) + 1e-9
    standard = (given - given.mean(axis=0)) / spread
    normal = standard.T @ standard + RIDGE * len(given) * np.eye(INPUTS)
    gain = np.linalg.solve(normal, standard.T @ (path[:, :, 0] - path[:, :, 0].mean(axis=0)))
    return replace(
        fixed,
        phases=PHASES,
        path=path.mean(axis=0),
        input_mean=given.mean(axis=0),
        input_gain=gain / spread[:, None],
        heel_height=float(np.median(heels)),
    )


def own_path(walk: Measured, number: int, stance: Stance) -> np.ndarray | None:
    """The path of the centre of pressure that a plate measured."""
    least = MIN_FORCE * walk.bare.mass * GRAVITY
    return measured_path(walk.bare.step(number), stance, walk.body.ground[stance.side], PHASES, least)


@dataclass(frozen=True)
class StepError:
    """Errors of one step: by curve (F, 6) at phases (F,), and of the centre of pressure (F, 2)."""

    walk: ReferenceWalk
    curves: np.ndarray
    phase: np.ndarray
    cop: np.ndarray


Method = Callable[[Measured, LearnedSplit, int], tuple[SplitLoads, dict[str, np.ndarray]]]


def from_motion(walk: Measured, learned: LearnedSplit, number: int) -> tuple[SplitLoads, dict[str, np.ndarray]]:
    """The method of the package, without the walk's plates."""
    return estimate(walk.bare, learned)[:2]


def personal(walk: Measured, learned: LearnedSplit, number: int) -> tuple[SplitLoads, dict[str, np.ndarray]]:
    """The same with one other plate step of the same walk known."""
    others = [n for n in walk.steps if n != number][:1]
    paths = [own_path(walk, n, walk.steps[n]) - learned.path_of(walk.bare.step(n)) for n in others]
    return estimate(walk.bare, learned, personal_correction(paths))[:2]


def positions_alone(walk: Measured, learned: LearnedSplit, number: int) -> tuple[SplitLoads, dict[str, np.ndarray]]:
    """The method of the package for motions whose accelerations along the floor are noise."""
    return estimate(walk.bare, by_position(learned))[:2]


def as_by_video(walk: Measured, rng: np.random.Generator) -> Measured:
    """A walk that shakes as that of two phones does: all of the body together, feet included, by white noise of
    position whose power falls with the frequency and that the filter of 6 Hz has passed."""
    bare, time = walk.bare, walk.bare.time
    rate, beyond = (len(time) - 1) / (time[-1] - time[0]), int(2.0 / (time[1] - time[0]))
    white = np.fft.rfft(rng.standard_normal((len(time) + 2 * beyond, 3)), axis=0)
    fall = np.maximum(np.fft.rfftfreq(len(time) + 2 * beyond, 1.0 / rate), 0.5) ** -0.5
    moved = low_pass(np.fft.irfft(white * fall[:, None], len(time) + 2 * beyond, axis=0), rate, 6.0)
    speed = np.gradient(moved, 1.0 / rate, axis=0)
    acceleration = np.gradient(speed, 1.0 / rate, axis=0)
    scale = VIDEO_NOISE * GRAVITY / acceleration.std(axis=0)
    moved, speed, acceleration = (part[beyond:-beyond] * scale for part in (moved, speed, acceleration))
    q, qd, qdd = bare.q.copy(), bare.qd.copy(), bare.qdd.copy()
    for values, added in ((q, moved), (qd, speed), (qdd, acceleration)):
        values[:, :3] += np.where(bare.valid[:, None], added, 0.0)
    feet = {side: tuple(point + moved for point in points) for side, points in walk.feet.items()}
    loads = rnea(bare.skeleton, q, qd, qdd)
    shaken = replace(
        bare,
        q=q,
        qd=qd,
        qdd=qdd,
        centre_G=bare.centre_G + moved,
        force_G=loads.force_G[:, 0],
        moment_G=loads.moment_G[:, 0],
        frames=tuple(foot_frame(contact, *feet[contact.side], time) for contact in bare.contacts),
    )
    return replace(walk, bare=shaken, feet=feet)


def inside_of_video(walks: Sequence[Measured], steps: Sequence[StepError], quiet: Sequence[StepError]) -> np.ndarray:
    """Fraction of the values (6,) of shaken walks within the bands that the package gives them, by what their flat feet
    move by and the errors of the other people's quiet walks."""
    inside = []
    for walk in walks:
        person = (walk.walk.laboratory, walk.walk.person)
        sd = by_phase([step for step in quiet if (step.walk.laboratory, step.walk.person) != person])
        bands = replace(STARTING, position_force_sd=sd[:, :3], position_moment_sd=sd[:, 3:])
        found, notes = usable(walk.bare, bands, walk.feet)
        assert notes, "not noisy"
        both = np.hstack([found.force_sd, found.moment_sd])
        for step in (step for step in steps if step.walk is walk.walk):
            band = BAND_95 * np.stack([np.interp(step.phase, PHASES, both[:, k]) for k in range(6)], axis=1)
            inside.append(np.abs(step.curves) <= band)
    return np.mean(np.concatenate(inside), axis=0)


def smooth_transition(walk: Measured, learned: LearnedSplit, number: int) -> tuple[SplitLoads, dict[str, np.ndarray]]:
    """Ren's: from opposite contact on, the trailing foot's force falls by a function of time; paths as of the package.

    Contacts are widened like the package's, without which the forces of the smooth motion outside them are lost.
    """
    split = estimate(walk.bare, replace(learned, zmp_gain=0.0, balance_gain=np.zeros(3)))[0]
    time, contacts = walk.bare.time, walk.bare.contacts
    forces = {side: split.ground[side].force_G.copy() for side in SIDES}
    for trailing in contacts:
        leading = next((c for c in contacts if c.side != trailing.side and c.start > trailing.start), None)
        if leading is None or leading.start >= trailing.stop:
            continue
        begin, end = leading.start - WIDENED, trailing.stop + WIDENED
        frames = np.flatnonzero((time >= begin) & (time <= end) & walk.bare.known)
        if not len(frames):
            continue
        half = (end - begin) / 2.0
        passed = (time[frames] - begin) / half
        vertical, horizontal = np.exp(-(passed**3)), K1 * np.exp(-((passed - 2.0 / 3.0) ** 2)) - K2 * passed
        fall = np.stack([horizontal, vertical, vertical], axis=1)
        total = walk.bare.force_G[frames]
        forces[trailing.side][frames] = walk.bare.force_G[frames[0]] * fall
        forces[leading.side][frames] = total - forces[trailing.side][frames]
    ground = {side: replace(split.ground[side], force_G=forces[side]) for side in SIDES}
    return replace(split, ground=ground), joint_loads(walk.bare, ground)[0]


def points_of_least_effort(
    walk: Measured, learned: LearnedSplit, number: int
) -> tuple[SplitLoads, dict[str, np.ndarray]]:
    """Fluit's, with the package's offset of the zero-moment point; nothing else of it is learned."""
    if walk.walk.name not in EFFORT:  # the same for all steps of a walk
        split = estimate(walk.bare, learned)[0]
        EFFORT[walk.walk.name] = replace(split, ground=least_effort(walk.bare, walk.feet, split.zmp_offset_G))
    split = EFFORT[walk.walk.name]
    return split, joint_loads(walk.bare, split.ground)[0]


EFFORT: dict[str, SplitLoads] = {}


def errors(walks: Sequence[Measured], method: Method, learned: dict[str, LearnedSplit]) -> list[StepError]:
    """Errors of every plate step with the parameters of the other laboratories."""
    found = []
    for walk in walks:
        own = learned[walk.walk.laboratory]
        for number, stance in walk.steps.items():
            split, moments = method(walk, own, number)
            contact, frame = walk.bare.contacts[number], walk.bare.frames[number]
            frames = np.arange(stance.start, stance.stop)
            frames = frames[walk.bare.known[frames]]
            curves = error_curves(walk.bare, contact.side, frames, walk.body, split, moments)
            cop = cop_errors(walk.bare, contact.side, frame, frames, walk.body, split)
            found.append(StepError(walk.walk, curves, contact.phase(walk.bare.time[frames]), cop))
    return found


def summary(steps: Sequence[StepError]) -> np.ndarray:
    """Root mean squares (8,) over the steps: % of body weight, mm, Nm/kg."""
    each = [
        np.concatenate([100.0 * _rms(step.curves[:, :3]), 1000.0 * _rms(step.cop), _rms(step.curves[:, 3:])])
        for step in steps
    ]
    return _rms(np.array(each))


def by_phase(steps: Sequence[StepError]) -> np.ndarray:
    """Root mean square of the error (P, 6) over the contact, so scaled that 1.96 times it holds 95 % of each curve's
    values when each person's steps are judged by those of the others."""
    used = [step for step in steps if np.isfinite(step.curves).all()]
    curves = np.array([np.stack([np.interp(PHASES, s.phase, s.curves[:, k]) for k in range(6)], axis=1) for s in used])
    people = np.array([f"{step.walk.laboratory} {step.walk.person}" for step in used])
    ratios = [np.abs(curves[people == person]) / _rms(curves[people != person]) for person in np.unique(people)]
    return np.quantile(np.concatenate(ratios), 0.95, axis=(0, 1)) / BAND_95 * _rms(curves)


def coverage(steps: Sequence[StepError], group: Callable[[ReferenceWalk], str]) -> np.ndarray:
    """Fraction of the values (6,) within the 95 % bands of the other groups of walks."""
    inside = []
    for left_out_group in dict.fromkeys(group(step.walk) for step in steps):
        sd = by_phase([step for step in steps if group(step.walk) != left_out_group])
        for step in steps:
            if group(step.walk) == left_out_group:
                bands = BAND_95 * np.stack([np.interp(step.phase, PHASES, sd[:, k]) for k in range(6)], axis=1)
                inside.append(np.abs(step.curves) <= bands)
    return np.mean(np.concatenate(inside), axis=0)


def left_out(walks: Sequence[Measured], fixed: LearnedSplit) -> dict[str, LearnedSplit]:
    """Parameters for each laboratory, learned on the others."""
    laboratories = dict.fromkeys(walk.walk.laboratory for walk in walks)
    return {name: learn([walk for walk in walks if walk.walk.laboratory != name], fixed) for name in laboratories}


def stored(learned: LearnedSplit) -> str:
    """The file's text."""
    values = {
        name: np.round(value, 5).tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(learned).items()
    }
    return json.dumps({name: round(v, 5) if isinstance(v, float) else v for name, v in values.items()}) + "\n"


def table(rows: dict[str, np.ndarray]) -> Iterator[str]:
    """One line for each method."""
    yield f"| method | {' | '.join(COLUMNS)} |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    for name, row in rows.items():
        yield f"| {name} | {' | '.join(f'{v:.1f}' if k < 5 else f'{v:.3f}' for k, v in enumerate(row))} |"


def _rms(values: np.ndarray) -> np.ndarray:
    return np.sqrt(np.nanmean(values**2, axis=0))


STARTING = LearnedSplit(
    source="",
    phases=PHASES,
    path=np.zeros((21, 2)),
    pitch_phases=PITCH_PHASES,
    centre_phases=CENTRE_PHASES,
    input_mean=np.zeros(INPUTS),
    input_gain=np.zeros((INPUTS, 21)),
    zmp_gain=0.1,
    share_gain=0.8,
    pivot_height=np.array([0.65, 1.0, 1.5]),
    widening=0.03,
    balance_gain=np.array([0.7, 0.0, 0.7]),
    centre_height=0.55,
    heel_height=0.2,
    force_sd=np.zeros((21, 3)),
    moment_sd=np.zeros((21, 3)),
    position_widening=0.08,
    position_force_sd=np.zeros((21, 3)),
    position_moment_sd=np.zeros((21, 3)),
    position_cutoff=3.0,
    vertical_cutoff=0.0,
)
"""The constants of the split, chosen on these walks with one laboratory left out: see docs/theory."""


def main() -> None:
    """Print the tables, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace config/ground_from_motion.json")
    options = parser.parse_args()
    walks = list(measured_walks(STARTING))
    learned = left_out(walks, STARTING)
    begin = process_time()
    found = errors(walks, from_motion, learned)
    each = (process_time() - begin) / sum(len(walk.steps) for walk in walks)
    rows = {"from motion": summary(found)}
    for laboratory in learned:
        rows[f"of them, {laboratory}"] = summary([step for step in found if step.walk.laboratory == laboratory])
    as_they_are = list(measured_walks(STARTING, {}))
    rows["against plates as they are"] = summary(errors(as_they_are, from_motion, left_out(as_they_are, STARTING)))
    rows["one plate step of the person known"] = summary(errors(walks, personal, learned))
    alone = errors(walks, positions_alone, learned)
    rows["without accelerations along the floor"] = summary(alone)
    rng = np.random.default_rng(0)
    shaken = [as_by_video(walk, rng) for walk in walks]
    by_video = errors(shaken, positions_alone, learned)
    rows["the same with the noise of video"] = summary(by_video)
    rows["smooth transition (Ren 2008)"] = summary(errors(walks, smooth_transition, learned))
    rows["least effort over contact points (Fluit 2014)"] = summary(errors(walks, points_of_least_effort, learned))
    people = {(walk.walk.laboratory, walk.walk.person) for walk in walks}
    counted = f"{len(found)} steps of {len(walks)} walks of {len(people)} people in {len(learned)} laboratories"
    print(f"{counted}; % of body weight, mm, Nm/kg")
    print("\n".join(table(rows)))
    groups: dict[str, Callable[[ReferenceWalk], str]] = {
        "laboratories": lambda walk: walk.laboratory,
        "people": lambda walk: f"{walk.laboratory} {walk.person}",
    }
    for name, group in groups.items():
        inside = coverage(found, group)
        print(f"within the 95 % bands of other {name} (X, Y, Z, hip, knee, ankle):", np.round(inside, 3), end=", ")
        print(f"of all values {np.mean(inside):.3f}")
    video = inside_of_video(shaken, by_video, alone)
    print(f"with the noise of video, of other people: {np.round(video, 3)}, of all values {np.mean(video):.3f}")
    print(f"{1000.0 * each:.0f} ms of processor time for an estimate")
    if options.write:
        sd, of_positions = by_phase(found), by_phase(alone)
        source = f"{counted}; bands with one laboratory left out; python -m tests.benchmarks.ground_from_motion"
        bands = {"force_sd": sd[:, :3], "moment_sd": sd[:, 3:]}
        bands |= {"position_force_sd": of_positions[:, :3], "position_moment_sd": of_positions[:, 3:]}
        final = replace(learn(walks, STARTING), source=source, **bands)
        SHIPPED.write_text(stored(final), encoding="utf-8")


if __name__ == "__main__":
    main()
