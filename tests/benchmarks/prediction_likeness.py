"""How like people the human preset walks: against the norms of Schwartz et al. (2008) at "free" speed.

The norm file lies in ``../shared/norms`` beside the repository and is not part of it:

    python -m tests.benchmarks.prediction_likeness [--speed 1.2 --step-length 0.6] [--preset human]

Plug-in Gait's pelvis is inclined by the line from PSIS to ASIS, about 11 degrees in standing, where the skeleton's
coordinates are zero: its hip angle is the skeleton's plus that inclination. Moments are internal, extension positive.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.prediction import GaitPrediction, GaitTask, predict_gait
from pipeline.prediction.gait.body import make_walker
from pipeline.skeleton import Skeleton, load_skeleton, merge_frozen

ROOT = Path(__file__).resolve().parents[2]
NORMS = ROOT.parent / "shared" / "norms" / "schwartz2008.csv"
PELVIC_INCLINATION = 11.0
FREE_SPEED, FREE_STEP = 0.429, 0.760
"""Speed over sqrt(g leg) and step length over leg, "free" (the norms' table)."""


def curves(skeleton: Skeleton, walk: GaitPrediction) -> dict[str, tuple[str, str, np.ndarray]]:
    """Quantity and variable of the norm, and our right leg's curve over the cycle, by name."""
    mass = skeleton.mass.sum()

    def both(values: np.ndarray, name: str) -> np.ndarray:
        right, left = (values[:, skeleton.index(f"{side}_{name}")] for side in ("right", "left"))
        return np.concatenate([right, left[1:]])

    def force(axis: int) -> np.ndarray:
        right, left = (walk.ground_reaction[side].force_G[:, axis] for side in ("right", "left"))
        return np.concatenate([right, left[1:]]) / (mass * 9.81)

    angles, moments = np.degrees(walk.q), -walk.tau / mass
    return {
        "hip angle": ("angle_deg", "Hip Flex/Extension", both(angles, "hip_flexion") + PELVIC_INCLINATION),
        "knee angle": ("angle_deg", "Knee Flex/Extension", both(angles, "knee_flexion")),
        "ankle angle": ("angle_deg", "Ankle Dorsi/Plantarflexion", both(angles, "ankle_flexion")),
        "fore-aft force": ("force_BW", "Anterior/Posterior", force(0)),
        "vertical force": ("force_BW", "Vertical", force(1)),
        "hip moment": ("moment_Nm_per_kg", "Hip Ext/Flexion", both(moments, "hip_flexion")),
        "knee moment": ("moment_Nm_per_kg", "Knee Ext/Flexion", both(moments, "knee_flexion")),
        "ankle moment": ("moment_Nm_per_kg", "Ankle Dorsi/Plantarflexion", both(moments, "ankle_flexion")),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", type=float)
    parser.add_argument("--step-length", type=float)
    parser.add_argument("--preset", default="human")
    asked = parser.parse_args()
    skeleton = load_skeleton(ROOT / "config" / "skeleton.yaml")
    leg = make_walker(merge_frozen(skeleton)).leg_length
    task = GaitTask(asked.speed or FREE_SPEED * np.sqrt(9.81 * leg), asked.step_length or FREE_STEP * leg)
    walk = predict_gait(skeleton, task, asked.preset)
    norms = pd.read_csv(NORMS)
    print(f"{task.speed:.3f} m/s, steps of {task.step_length:.3f} m, {walk.status}, {walk.cpu_seconds:.1f} s")
    cycle = np.concatenate([walk.time, walk.time[1:] + walk.time[-1]]) / (2.0 * walk.time[-1]) * 100.0
    print("                  RMSE  centred       r     ours from..to     norm from..to")
    for name, (quantity, variable, ours) in curves(skeleton, walk).items():
        rows = (norms.quantity == quantity) & (norms.variable == variable) & (norms.speed == "Free")
        norm = norms[rows].iloc[:51]
        mean = norm["mean"].to_numpy()
        gap = np.interp(norm.percent, cycle, ours) - mean
        r = np.corrcoef(gap + mean, mean)[0, 1]
        print(
            f"{name:15s} {np.sqrt(np.mean(gap**2)):6.3f}  {gap.std():7.3f}  {r:6.3f}  "
            f"{ours.min():8.2f} {ours.max():8.2f} {mean.min():8.2f} {mean.max():8.2f}"
        )
    hips = walk.qd[:, 0]
    print(f"pelvis: {hips.min():.2f} to {hips.max():.2f} m/s forwards, {np.ptp(walk.q[:, 1]):.3f} m up and down")


if __name__ == "__main__":
    main()
