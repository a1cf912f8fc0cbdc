"""Three walks with an instrumented knee: estimated contact forces of the knee against the measured ones.

    python -m tests.benchmarks.implant

The walks are subject 5 of the Grand Challenge competition (Fregly et al. 2012, J Orthop Res 30:503-513), as kept by
Modenese et al. (2021); they lie beside the repository (`../shared/trials/implant_gc5`) and are no part of it. Without
them the command says so and ends. They run from the files through labels, kinematics, inverse dynamics, skeleton and
muscles as any walk does; nothing is fitted to the implant.

For each walk and kind of tendon, by the configuration's defaults, with EMG of the left leg followed, and without parts
of the defaults: root mean square error over the left stance, first and second peak (the largest values before and after
the middle of the stance), errors of the medial and lateral part, peaks of hip and ankle.

The mass is that of the plates (the paper's, 75 kg, is 10 % less than the vertical force over a cycle). In the second
walk the tip of the toe is 45 mm beyond the plate, for which the step would have no loads; it is used here, as the next
plate bears nothing until the other foot is on it. In its first 0.16 s the tip of the right foot pushes off from the
same plate, whose load is then that of both feet: these frames are left out.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.analysis import muscle_activity, muscle_method, recorded_muscles
from pipeline.analysis.muscle_groups import contact_size
from pipeline.analysis.resampling import resample
from pipeline.anatomy import load_marker_set
from pipeline.config import EmgSettings, MuscleSettings, Subject
from pipeline.conventions import GRAVITY
from pipeline.muscles import RecordedMuscle, walk_muscles
from pipeline.newton_euler import inverse_dynamics
from pipeline.trial import AnalogSignals, Event, Kinematics, MuscleLoads, RawTrial, WalkCycles, WholeBody
from tests.walks import MEASURED, ROOT, kinematics_of, whole_body_of

FOLDER = MEASURED / "implant_gc5"
WALKS = ("PS_ngait_og_ss1", "PS_ngait_og_ss3", "PS_ngait_og_ss8")
SIDE = "left"
MASS = 83.4
"""kg."""

EDGE = "heel or toe beyond the plate's edge"

EMG_WEIGHTS = 1.0, 3.0, 10.0

CHANNELS = {
    "semimem": "semimembranosus", "bifeml": "biceps_femoris", "vasmed": "vastus_medialis", "vaslat": "vastus_lateralis",
    "rf": "rectus_femoris", "medgas": "gastrocnemius_medialis", "latgas": "gastrocnemius_lateralis",
    "tfl": "tensor_fasciae_latae", "tibant": "tibialis_anterior", "peronl": "peroneus_longus", "soleus": "soleus",
    "gmax": "gluteus_maximus", "gmed": "gluteus_medius",
}  # fmt: skip
"""Muscles of the left leg by label; those of gracilis, adductor magnus and sartorius have no group of actuators."""

ALONE_FROM = {"PS_ngait_og_ss3": 0.23}
"""s; until then the tip of the other foot is at rest 45 mm inside the plate, by its marker. The centre of pressure is
60 mm further back in the left foot than in the other two walks, up to 39 mm behind the heel's marker."""

LABELS = {
    "Asis": "{}.ASIS", "Shoulder": "{}.Acromium", "KneeLateral": "{}.Knee.Lat", "KneeMedial": "{}.Knee.Med",
    "AnkleLateral": "{}.Ankle.Lat", "AnkleMedial": "{}.Ankle.Med", "ankleMedial": "{}.Ankle.Med",
    "ThighSuperior": "{}.Thigh.Upper", "ThighLateral": "{}.Thigh.Front", "ThighInferior": "{}.Thigh.Rear",
    "ShankSuperior": "{}.Shank.Upper", "ShankLateral": "{}.Shank.Front", "ShankInferior": "{}.Shank.Rear",
    "Heel": "{}.Heel", "Toe": "{}.Toe.Tip", "ToeMedial": "{}.Toe.Med", "ToeLateral": "{}.Toe.Lat",
    "MidfootSuperior": "{}.Midfoot.Sup", "MidfootLateral": "{}.Midfoot.Lat",
    "Elbow": "{}.Elbow", "Radius": "{}.Wrist.Lat", "Ulna": "{}.Wrist.Med",
}  # fmt: skip
"""Labels of marker set gait2392 by those of this laboratory without the letter of the side."""


@dataclass(frozen=True)
class ImplantWalk:
    """A walk on the skeleton with the force that the implant measured.

    Attributes:
        events: of the file, by which the implant's percents count.
        body: on the skeleton.
        measured: (101, 3) N over the left gait cycle: medial, lateral and total.
        emg: of the left leg.
        alone_from: s; from when on the left foot has the plate to itself.
    """

    events: tuple[Event, ...]
    body: WholeBody
    measured: np.ndarray
    emg: list[RecordedMuscle]
    alone_from: float = 0.0

    @property
    def cycle(self) -> tuple[float, float]:
        """Initial contacts, s, of the left cycle that the implant's file is of."""
        first, second = (event.time for event in self.events if self._is(event, "initial contact"))
        return first, second

    @property
    def stance(self) -> int:
        """Last whole percent of the cycle before foot off."""
        first, second = self.cycle
        off = next(event.time for event in self.events if self._is(event, "foot off") and event.time > first)
        return int(100.0 * (off - first) / (second - first))

    @staticmethod
    def _is(event: Event, kind: str) -> bool:
        return event.side == SIDE and event.kind == kind


def relabelled(trial: RawTrial) -> RawTrial:
    """The recording with labels of marker set gait2392; the others keep theirs."""
    names = {f"{side}{name}": ours.format(side) for name, ours in LABELS.items() for side in "LR"}
    names["Sacral"] = "V.Sacral"
    return replace(trial, marker_names=tuple(names.get(name, name) for name in trial.marker_names))


def implant_walks() -> list[ImplantWalk]:
    """The walks up to the skeleton's dynamics. Raises PipelineError where a stage fails."""
    marker_set = load_marker_set(ROOT / "config/marker_sets/gait2392.yaml")
    static, forces, found = relabelled(read_trial(FOLDER / "static.trc")), _measured(), []
    for name in WALKS:
        walk = relabelled(read_trial(FOLDER / f"{name}.c3d"))
        subject = Subject(subject="gc5", sex="m", mass_kg=MASS)
        motion = kinematics_of(walk, static, marker_set, subject)
        kept = tuple(replace(stance, rejected="") if stance.rejected == EDGE else stance for stance in motion.stances)
        motion = replace(motion, stances=kept)
        body = whole_body_of(walk, static, motion, inverse_dynamics(motion), marker_set, residual_reduction=False)
        found.append(ImplantWalk(walk.events, body, forces[name], _emg(walk, motion), ALONE_FROM.get(name, 0.0)))
    return found


def _emg(walk: RawTrial, motion: Kinematics) -> list[RecordedMuscle]:
    settings = EmgSettings(channels={label: f"{SIDE} {muscle}" for label, muscle in CHANNELS.items()})
    analog = AnalogSignals(
        walk.name, walk.analog_rate, walk.analog_names, walk.analog_units, walk.analog_time, walk.analog,
        walk.analog_plate,
    )  # fmt: skip
    activity = muscle_activity(analog, WalkCycles(walk.name, motion.subject, motion.time, motion.cycles), settings)
    return recorded_muscles(activity, motion.time)


def _measured() -> dict[str, np.ndarray]:
    """Medial, lateral and total force (101, 3) N by walk."""
    rows = defaultdict(list)
    with (FOLDER / "knee_force.csv").open() as file:
        for row in csv.DictReader(file):
            rows[row["trial"]].append([float(row[f"{part}_N"]) for part in ("medial", "lateral", "total")])
    return {name: np.array(values) for name, values in rows.items()}


def compare(walk: ImplantWalk, loads: MuscleLoads) -> str:
    """A line on one walk's estimate, with the measured peaks in brackets."""
    weight, stance = MASS * GRAVITY, walk.stance + 1
    size = resample(contact_size(loads, SIDE, "knee"), loads.time, *walk.cycle)[:stance]
    size[np.linspace(*walk.cycle, 101)[:stance] < walk.alone_from] = np.nan
    measured = walk.measured[:stance, 2] / weight
    known, half = np.isfinite(size), stance // 2
    error = np.sqrt(np.mean((size - measured)[known] ** 2))
    peaks = ((np.nanmax(size[part]), measured[part].max()) for part in (slice(half), slice(half, stance)))
    columns = [loads.compartments.index(f"{SIDE}_knee_{part}") for part in ("medial", "lateral")]
    parts = resample(loads.compartment_force[:, columns], loads.time, *walk.cycle)[:stance]
    of_parts = np.sqrt(np.mean((weight * parts - walk.measured[:stance, :2])[known] ** 2, axis=0))
    others = (np.nanmax(contact_size(loads, SIDE, joint)) for joint in ("hip", "ankle"))
    return (
        f"{walk.body.name:16} {loads.tendons:8} {error * weight:5.0f} N {error:5.2f} "
        + "".join(f"{ours:7.2f} ({theirs:.2f})" for ours, theirs in peaks)
        + "".join(f"{value:6.0f} N" for value in of_parts)
        + "".join(f"{peak:7.2f}" for peak in others)
    )


def main() -> None:
    """Print a line for each walk and kind of tendon."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    if not FOLDER.is_dir():
        print(f"left out: {FOLDER.name} is not there")
        return
    print(
        f"{'walk':16} {'tendons':8} {'RMSE':>7} {'BW':>5} {'first peak':>14}{'second peak':>14}{'medial':>8}"
        f"{'lateral':>8}{'hip':>7}{'ankle':>7}"
    )
    usual, walks = muscle_method(MuscleSettings()), implant_walks()
    for title, method in (
        ("defaults", usual),
        *((f"EMG followed with weight {weight:g}", replace(usual, emg_weight=weight)) for weight in EMG_WEIGHTS),
        ("no passive moments of ligaments", replace(usual, passive_joints=False)),
        ("equal weights", replace(usual, weights={})),
        ("neither", replace(usual, weights={}, passive_joints=False)),
    ):
        print(title)
        for walk in walks:
            for tendons in ("rigid", "elastic"):
                loads = walk_muscles(walk.body, replace(method, tendons=tendons), recorded=walk.emg)
                print(compare(walk, loads), flush=True)


if __name__ == "__main__":
    main()
