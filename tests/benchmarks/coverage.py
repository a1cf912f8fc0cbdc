"""Coverage of the uncertainty bands: ``python -m tests.benchmarks.coverage --trials 200 --seed 0`` (outside CI).

Errors are planted in the markers, plates and body values of synthetic trials, written as C3D files, and the whole
pipeline computes curves with their bands. The truth comes from the exact motion of the skeleton that made the trial and
from Newton's and Euler's laws written out (`tests.oracles.segment_loads`), over the cycle between the true contacts. A
nominal 95 % band should cover it in 90 to 98 % of the trials; with planted errors twice as large far less often.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from pipeline.acquisition import read_trial
from pipeline.anatomy import MarkerSet, load_marker_set
from pipeline.config import Subject, UncertaintySettings
from pipeline.conventions import LATERAL_SIGN
from pipeline.math3d import Wrench
from pipeline.newton_euler import inverse_dynamics
from pipeline.skeleton import point_motion
from pipeline.synthetic import ANALOG_RATE, PROCESSING, RATE, AnalogData, DemoTruth, standing, walk, write_c3d
from pipeline.uncertainty import RecordedWalk, curve_uncertainty
from pipeline.uncertainty.recorded_walk import VARIABLES
from tests.oracles.segment_loads import SegmentInertia, true_loads
from tests.walks import DEFAULTS, ROOT, kinematics_of

SUBJECT = Subject(subject="demo", sex="m")

DURATION = 2.2
"""s; one gait cycle of each side between contacts with plates."""

CONTACT_FORCE = 20.0
"""N; a contact begins where the true vertical force exceeds it, as events are defined for plates."""


@dataclass(frozen=True)
class Truth:
    """A synthetic walk and its static trial without errors."""

    walk: DemoTruth
    static: DemoTruth

    def contact(self, plate: int) -> float:
        """Begin of a contact, s."""
        vertical = self.walk.plate_loads_G[plate].force_G[:, 1]
        first = int(np.argmax(vertical > CONTACT_FORCE))
        share = (CONTACT_FORCE - vertical[first - 1]) / (vertical[first] - vertical[first - 1])
        return float(self.walk.analog_time[first - 1] + share / ANALOG_RATE)

    def curves(self, inertias: Mapping[str, SegmentInertia]) -> np.ndarray:
        """Curves (2, V, 101) over the cycle of each side between its contacts with two plates, as the walk's mean."""
        loads = true_loads(self.walk, inertias)
        rows = []
        for side, plates in (("left", (0, 2)), ("right", (1, 3))):
            at = np.linspace(*(self.contact(plate) for plate in plates), 101)
            values = self._over_time(side, loads)
            rows.append([CubicSpline(self.walk.time, values[name])(at) for name in VARIABLES])
        return np.array(rows)

    def _over_time(self, side: str, loads: Mapping[str, Wrench]) -> dict[str, np.ndarray]:
        """Curves (T,) by variable in reported units, with the clinical signs written out."""
        outward = LATERAL_SIGN[side]
        segments, mass = self.walk.segments, self.walk.subject.mass
        R = {name: segments[f"{side}_{name}"].R_GS for name in ("thigh", "tibia", "shank")}
        R |= {"pelvis": segments["pelvis"].R_GS, "foot": self._foot(self.walk, side) @ self._foot_turn(side)}
        tilt, obliquity, rotation = np.degrees(Rotation.from_matrix(R["pelvis"]).as_euler("ZXY")).T
        values = {
            "pelvic_tilt": -tilt,
            "pelvic_obliquity": -outward * obliquity,
            "pelvic_rotation": outward * rotation,
            "foot_progression": np.degrees(-outward * np.arcsin(R["foot"][:, 2, 0])),
        }
        names = {
            "hip": ("flexion", "adduction", "rotation", "extensor", "abductor"),
            "knee": ("flexion", "adduction", "rotation", "extensor", "abductor"),
            "ankle": ("dorsiflexion", "inversion", "rotation", "plantarflexor", "evertor"),
        }
        frames = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "tibia"), "ankle": ("shank", "foot")}
        for joint, (proximal, distal) in frames.items():
            forward = -1.0 if joint == "knee" else 1.0  # flexion turns the shank backwards, thigh and foot forwards
            between = Rotation.from_matrix(np.swapaxes(R[proximal], 1, 2) @ R[distal])
            if joint == "ankle":
                flexion, internal, adduction = between.as_euler("ZYX").T
            else:
                flexion, adduction, internal = between.as_euler("ZXY").T
            moment = np.einsum("tji,tj->ti", R[distal], loads[f"{side}_{joint}"].moment_G) / mass
            flex, adduct, rotate, extensor, abductor = (f"{joint}_{name}" for name in names[joint])
            values |= {
                flex: np.degrees(forward * flexion),
                adduct: np.degrees(outward * adduction),
                rotate: np.degrees(outward * internal),
                f"{extensor}_moment": -forward * moment[:, 2],
                f"{abductor}_moment": -outward * moment[:, 0],
                f"{joint}_rotator_moment": -outward * moment[:, 1],
            }
            turning = [segments[name if name == "pelvis" else f"{side}_{name}"].omega_G for name in frames[joint]]
            power = np.sum(loads[f"{side}_{joint}"].moment_G * (turning[1] - turning[0]), axis=1)
            values[f"{joint}_power"] = power / mass
        return values

    @staticmethod
    def _foot(trial: DemoTruth, side: str) -> np.ndarray:
        """Axes of Plug-in Gait's foot before its constant turn: x from ankle to toe marker, z near the knee's."""
        toe = trial.markers_G[side[0].upper() + "TOE"]
        return _axes(toe - trial.joint_centres_G[f"{side}_ankle"], trial.segments[f"{side}_tibia"].R_GS[:, :, 2])

    def _foot_turn(self, side: str) -> np.ndarray:
        """The constant turn that makes x level and along the sole in the static trial."""
        heel, toe = (self.static.markers_G[side[0].upper() + name] for name in ("HEE", "TOE"))
        tracked = self._foot(self.static, side)
        sole = _axes((toe - heel) * [1.0, 0.0, 1.0], tracked[:, :, 2])
        return tracked[0].T @ sole[0]


def _axes(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    y = np.cross(z, x)
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=2)


@cache
def truth() -> Truth:
    return Truth(walk(seconds=DURATION), standing())


@cache
def marker_set() -> MarkerSet:
    return load_marker_set(ROOT / "config" / "marker_sets" / "plug_in_gait.yaml")


class PlantedErrors:
    """Errors of one session, drawn apart from the bands: ``scale`` times the standard deviations of the settings."""

    def __init__(self, rng: np.random.Generator, settings: UncertaintySettings, scale: float = 1.0) -> None:
        self.rng, self.scale, self.settings = rng, scale, settings
        markers = truth().walk.subject.markers
        shared = self.normal(settings.hip_centre, 3)
        self.places = {}
        for name, (segment, place) in markers.items():
            wand = name[1:] in ("THI", "TIB")  # their offsets are body values
            shift = np.zeros(3) if wand else self.normal(settings.placement, 3)
            self.places[name] = (segment, place + shift + (shared if segment == "pelvis" else 0.0))
        self.delay = float(self.normal(settings.timing, 1)[0])

    def normal(self, sd: float, *shape: int) -> np.ndarray:
        return self.scale * sd * self.rng.standard_normal(shape)

    def parameters(self) -> dict[str, float]:
        """Body values of the file: mm and rad."""
        values = dict(truth().walk.subject.parameters())
        for name in values:
            if name.endswith("Width"):
                values[name] += 1000.0 * float(self.normal(self.settings.width, 1)[0])
            elif name.endswith(("Rotation", "Torsion")):
                values[name] += float(np.radians(self.normal(self.settings.offset, 1)[0]))
        return values

    def inertias(self, table: Mapping[str, SegmentInertia], length: Mapping[str, float]) -> dict[str, SegmentInertia]:
        """The subject's own inertia, of which the table is off."""
        own = {}
        for name, segment in table.items():
            mass, gyration = (
                1.0 + self.normal(sd, 1)[0] for sd in (self.settings.segment_mass, self.settings.segment_gyration)
            )
            along = segment.com_S / np.linalg.norm(segment.com_S)
            com = segment.com_S + self.normal(self.settings.segment_com, 1)[0] * length[name] * along
            own[name] = SegmentInertia(mass * segment.mass, com, mass * gyration**2 * segment.inertia_S)
        return own

    def write(self, path: Path, trial: DemoTruth, parameters: Mapping[str, float], moving: bool) -> None:
        """The trial's C3D file as a laboratory with these errors would have recorded it."""
        names, settings = list(self.places), self.settings
        positions = np.array([place for _, place in self.places.values()])
        motion = point_motion(trial.subject.skeleton, [s for s, _ in self.places.values()], positions, trial.q)
        markers_L = motion.position_G @ trial.R_LG.T + self.normal(settings.marker_noise, *motion.position_G.shape)
        if moving:
            waves = _soft_tissue(self.rng, len(names), trial.time)
            thigh = [segment.endswith("thigh") for segment, _ in self.places.values()]
            sd = np.where(thigh, settings.soft_tissue_thigh, settings.soft_tissue)
            markers_L = markers_L + self.scale * sd[:, None] * waves
        loads_L = [self._measured(load, trial.analog_time).rotated(trial.R_LG) for load in trial.plate_loads_G]
        write_c3d(
            path,
            marker_names=names,
            markers_L=markers_L,
            rate=RATE,
            analog=AnalogData(ANALOG_RATE, trial.plates, loads_L),
            parameters={PROCESSING: parameters},
            screen_axes=("+Y", "+Z"),
        )

    def _measured(self, load: Wrench, instants: np.ndarray) -> Wrench:
        """Later by the delay, and at another place of the floor."""
        fixed = load.about(np.zeros(3))
        force, moment = (
            np.stack([np.interp(instants - self.delay, instants, column) for column in part.T], axis=1)
            for part in (fixed.force_G, fixed.moment_G)
        )
        return Wrench(force, moment, self.normal(self.settings.centre_of_pressure, 3) * [1.0, 0.0, 1.0])


def _soft_tissue(rng: np.random.Generator, markers: int, instants: np.ndarray) -> np.ndarray:
    """Displacements (T, K, 3) of standard deviation one along each axis: two loops of each marker.

    Each is along a random direction and follows the flexion of the knee over the cycle at a delay of its own.
    """
    walked = truth().walk
    begin, end = truth().contact(1), truth().contact(3)
    phase = np.linspace(0.0, 1.0, 201)
    flexion = walked.q[:, walked.subject.skeleton.index("right_knee_flexion")]
    over_cycle = np.interp(begin + phase * (end - begin), walked.time, flexion)
    over_cycle = (over_cycle - over_cycle[:-1].mean()) / over_cycle[:-1].std()
    direction = rng.standard_normal((2, markers, 3))
    direction *= np.sqrt(1.5) / np.linalg.norm(direction, axis=2, keepdims=True)
    at = instants[:, None, None] / (end - begin) + rng.uniform(size=(2, markers))
    return np.einsum("tlk,lkx->tkx", np.interp(at % 1.0, phase, over_cycle), direction)


def trial_errors(
    rng: np.random.Generator, settings: UncertaintySettings, scale: float, folder: Path
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Errors (2, V, 101) of a planted trial's curves, the standard deviations that the pipeline gives them, and how far
    its bands reach below and above the curves."""
    planted = PlantedErrors(rng, settings, scale)
    parameters = planted.parameters()
    planted.write(folder / "static.c3d", truth().static, parameters, moving=False)
    planted.write(folder / "walk.c3d", truth().walk, parameters, moving=True)
    recording, static = (read_trial(folder / f"{name}.c3d") for name in ("walk", "static"))
    motion = kinematics_of(recording, static, marker_set(), SUBJECT)
    walked = RecordedWalk(recording, static, motion, inverse_dynamics(motion), marker_set(), SUBJECT, *DEFAULTS)
    own = planted.inertias(*_table())
    estimated = walked.curves(walked.kinematics, walked.loads)
    bands = curve_uncertainty(walked, settings)
    return estimated - truth().curves(own), bands.sd, bands.band_below, bands.band_above


@cache
def _table() -> tuple[dict[str, SegmentInertia], dict[str, float]]:
    """Inertia by the table of the pipeline, and lengths, of the body without errors."""
    recordings = []
    with tempfile.TemporaryDirectory() as folder:
        for name, trial in (("walk", truth().walk), ("static", truth().static)):
            trial.write(Path(folder) / f"{name}.c3d")
            recordings.append(read_trial(Path(folder) / f"{name}.c3d"))
    body = kinematics_of(*recordings, marker_set(), SUBJECT).calibration.segments
    inertias = {name: SegmentInertia(s.mass, s.com_S, s.inertia_S) for name, s in body.items()}
    return inertias, {name: segment.length for name, segment in body.items()}


def planted_trials(
    trials: int, seed: int, scale: float = 1.0, keep: Path | None = None, **changes: float
) -> np.ndarray:
    """`trial_errors` of planted trials, (N, 4, 2, V, 101).

    Args:
        trials: number N of planted trials.
        seed: of the planted errors.
        scale: planted errors over those that the bands assume.
        keep: folder of each trial's arrays, with which a run that was stopped goes on.
        changes: settings of the bands.
    """
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for trial in range(trials):
            # Samples of its own: one set for all trials would add its own sampling error to the bands of each.
            settings = UncertaintySettings(**{"seed": trial, "strides": 0.0, **changes})
            kept = keep / f"seed{seed}_scale{scale:g}_trial{trial}.npy" if keep else None
            if kept and kept.is_file():
                found.append(np.load(kept))
                continue
            found.append(np.stack(trial_errors(np.random.default_rng([seed, trial]), settings, scale, Path(folder))))
            if kept:
                np.save(kept, found[-1])
            if not (trial + 1) % 10:
                print(f"{trial + 1} of {trials} trials", file=sys.stderr, flush=True)
    return np.array(found)


def coverage(planted: np.ndarray) -> np.ndarray:
    """Part (V, 10) of the sides of `planted_trials` and percents of each tenth of the cycle that the bands cover."""
    error, _, below, above = planted.swapaxes(0, 1)
    known = np.isfinite(error) & np.isfinite(below)
    inside = np.where(known, (error <= below) & (-error <= above), np.nan)
    # Percent 0 and 100 are the contacts, at which a load that appears within a frame has no value.
    tenths = inside[..., 1:100]
    bins = np.minimum(np.arange(1, 100) // 10, 9)
    return np.stack([np.nanmean(tenths[..., bins == k], axis=(0, 1, 3)) for k in range(10)], axis=1)


def widths(planted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By variable (V,): root mean square error over that of the standard deviations, and the correlation of both over
    the sides of all trials: bands that widen with their own trial's error cover more than their mean width says."""
    error, sd = np.sqrt(np.nanmean(planted[:, :2, ..., 1:100] ** 2, axis=-1)).swapaxes(0, 1)
    alike = [np.corrcoef(error[..., v].ravel(), sd[..., v].ravel())[0, 1] for v in range(error.shape[-1])]
    return np.sqrt(np.mean(error**2, axis=(0, 1)) / np.mean(sd**2, axis=(0, 1))), np.array(alike)


def table(planted: np.ndarray) -> Iterator[str]:
    """Lines: coverage in percent by variable and tenth of the cycle with `widths`, then the extremes."""
    covered = coverage(planted)
    yield f"{'':28s}" + "".join(f"{10 * k:>4d}-" for k in range(10)) + "   all error/sd  alike"
    for name, row, ratio, alike in zip(VARIABLES, covered, *widths(planted), strict=True):
        cells = "".join(f"{100 * x:5.0f}" for x in row)
        yield f"{name:28s}{cells}{100 * row.mean():6.1f}{ratio:9.2f}{alike:7.2f}"
    within = np.mean((covered >= 0.9) & (covered <= 0.98))
    yield f"between 90 and 98 %: {round(within * covered.size)} of {covered.size} cells"
    for what, index in (("least", np.argmin(covered)), ("most", np.argmax(covered))):
        variable, tenth = np.unravel_index(index, covered.shape)
        place = f"{list(VARIABLES)[variable]}, {10 * tenth} to {10 * tenth + 10} % of the cycle"
        yield f"{what}: {100 * covered.flat[index]:.1f} % ({place})"
    yield f"all: {100 * covered.mean():.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200, help="number of synthetic trials")
    parser.add_argument("--seed", type=int, default=0, help="seed of the planted errors")
    parser.add_argument("--scale", type=float, nargs="+", default=[1.0, 2.0], help="planted errors over assumed ones")
    parser.add_argument("--keep", type=Path, help="folder of each trial's errors: a run that was stopped goes on")
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    for scale in options.scale:
        began = time.perf_counter()
        planted = planted_trials(options.trials, options.seed, scale, options.keep)
        seconds = (time.perf_counter() - began) / options.trials
        print(f"planted errors times {scale:g}, {options.trials} trials, {seconds:.1f} s each: coverage of 95 % bands")
        print("\n".join(table(planted)), flush=True)


if __name__ == "__main__":
    main()
