"""Ranges of arms, trunk, toes and hip rotation in predicted walks, compared with measured ones on the same skeleton.

    python -m tests.benchmarks.body_ranges [--rows NAME ...] [--spread]

The measured walks are the three full-body trials of `tests.benchmarks.prediction_agreement`, fitted to the 55-joint
skeleton (`pipeline.stages.whole_body`), without what their markers do not show. Each prediction is of the same body at
the walk's own speed and step; the norm's five speeds come first. A value is bold if it exceeds the measured walks'
common range by more than 5 degrees. Rows are those of `tests.benchmarks.prediction_terms`. ``--spread`` also solves the
norm's walks from other starts (the walks of the neighbouring speeds, the solution moved at random, and the neutral
pose) and prints by how much hip rotation, and the worst joint, differ among solutions within 0.1 % of the best.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.resampling import resample
from pipeline.conventions import SIDES
from pipeline.optimisation import SolverError
from pipeline.prediction import GaitProblem, Preset, predict_gait
from tests.benchmarks.prediction_agreement import SPEEDS, WALKS, fitted_walk, norm_request, published_walk
from tests.benchmarks.prediction_terms import ROWS, thorax_attitude, walks
from tests.walks import MEASURED

JOINTS = {
    "shoulder flexion": "shoulder_flexion",
    "shoulder adduction": "shoulder_adduction",
    "shoulder rotation": "shoulder_rotation",
    "elbow flexion": "elbow_flexion",
    "hip adduction": "hip_adduction",
    "hip rotation": "hip_rotation",
    "toe extension": "toe_extension",
}
THORAX, RISE = ("thorax rotation", "thorax obliquity", "trunk tilt, back"), "rise of the pelvis, cm"

MARGIN = 5.0
"""Degrees beyond the measured range."""

ALIKE = 1e-3
"""Fraction of the best objective within which solutions count as equivalent."""

MOVED, SEEDS = 0.05, 3
"""rad or m, standard deviation of the noise added to the control points of a start; number of such starts."""


@dataclass(frozen=True)
class Ranges:
    """Minimum and maximum by name, degrees or cm."""

    values: dict[str, tuple[float, float]]

    @classmethod
    def of(cls, names: tuple[str, ...], q: np.ndarray, missing: frozenset[str] = frozenset()) -> Ranges:
        """Of coordinates (T, n) of both sides. Joints that are missing, as no marker shows them, are left out."""
        out = {}
        for label, joint in JOINTS.items():
            own = [name for side in SIDES if (name := f"{side}_{joint}") not in missing]
            if own:
                both = np.degrees(q[:, [names.index(name) for name in own]])
                out[label] = float(both.min()), float(both.max())
        for label, angle in zip(THORAX, np.degrees(thorax_attitude(names, q)).T, strict=True):
            out[label] = float(angle.min()), float(angle.max())
        out[RISE] = 0.0, float(100.0 * np.ptp(q[:, names.index("pelvis_ty")]))
        return cls(out)

    def text(self, known: dict[str, tuple[float, float]] | None = None) -> str:
        """Text for a row of the table; bold if outside the known range."""
        cells = []
        for label in (*JOINTS, *THORAX, RISE):
            if label not in self.values:
                cells.append("")
                continue
            low, high = self.values[label]
            text = f"{high:.1f}" if label == RISE else f"{low:.0f} to {high:.0f}"
            around = (known or {}).get(label)
            out = around is not None and label != RISE and (low < around[0] - MARGIN or high > around[1] + MARGIN)
            cells.append(f"**{text}**" if out else text)
        return " | ".join(cells)


def measured(name: str) -> Ranges:
    """Ranges of a published walk, over all its frames, of joints that the markers determine within 10 degrees."""
    _, whole, _ = fitted_walk(*published_walk(name))
    known = zip(whole.joint_names, whole.uncertainty, strict=True)
    unknown = frozenset(joint for joint, deviation in known if not deviation < np.radians(10.0))
    return Ranges.of(whole.joint_names, whole.kinematic.q, unknown)


def spread(preset: Preset) -> None:
    """Differences among solutions of the norm's walks within `ALIKE` of the best."""
    requests = {name: norm_request(name) for name in SPEEDS}
    own = {name: predict_gait(body.skeleton, task, preset) for name, (_, body, task, _) in requests.items()}
    for k, (name, (_, body, task, _)) in enumerate(requests.items()):
        found, first = [own[name]], own[name]
        problem = GaitProblem.make(body.skeleton, task, preset)
        size = len(first.result.x)
        moved = [first.result.x + MOVED * np.random.default_rng(seed).standard_normal(size) for seed in range(SEEDS)]
        beside = [walk for i, walk in enumerate(own.values()) if abs(i - k) == 1]
        for start in (*beside, *moved, problem.neutral_guess()):
            try:
                found.append(predict_gait(body.skeleton, task, preset, start=start))
            except SolverError:
                print(f"{name}: no solution from one start")
        best = min(one.objective for one in found)
        near = [one for one in found if one.objective <= (1.0 + ALIKE) * best]
        # At even times: nodes are added where a walk needs them, and differ.
        even = [resample(one.q, one.time, one.time[0], one.time[-1]) for one in near]
        apart = np.degrees(np.ptp(even, axis=0).max(axis=0))
        names = body.skeleton.joint_names
        apart[:3] = 0.0
        rotation = max(apart[names.index(f"{side}_hip_rotation")] for side in SIDES)
        worst = int(np.argmax(apart))
        objectives = ", ".join(f"{one.objective / best - 1.0:.2%}" for one in found)
        print(
            f"{name}: {len(near)} of {len(found)} within {ALIKE:.1%} (above the best by {objectives}); hip rotation "
            f"differs by {rotation:.1f} degrees, {names[worst]} by {apart[worst]:.1f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=["human"], metavar="NAME")
    parser.add_argument("--spread", action="store_true", help="differences among solutions of like objective")
    options = parser.parse_args()
    if options.spread:
        for row in options.rows:
            print(row)
            spread(ROWS[row])
        return
    print(f"| walk | {' | '.join((*JOINTS, *THORAX, RISE))} |")
    real = {name: measured(name) for name in (WALKS if MEASURED.is_dir() else ())}
    known: dict[str, tuple[float, float]] = {}
    for label in (*JOINTS, *THORAX):
        pairs = [one.values[label] for one in real.values() if label in one.values]
        if pairs:
            known[label] = min(low for low, _ in pairs), max(high for _, high in pairs)
    for name, ranges in real.items():
        print(f"| {name}, measured | {ranges.text()} |", flush=True)
    for row in options.rows:
        for name, walk in walks().items():
            found = predict_gait(walk.body.skeleton, walk.task, ROWS[row])
            ranges = Ranges.of(walk.body.skeleton.joint_names, found.q)
            print(f"| {row}, {name} | {ranges.text(known)} |", flush=True)


if __name__ == "__main__":
    main()
