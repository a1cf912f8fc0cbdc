"""Numbers that split the ground reaction between the feet, learned on plates: one file; the walks are not distributed.

`python -m tests.benchmarks.ground_from_motion --write` fits them, and evaluates them with one laboratory left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config import HOME
from pipeline.errors import DynamicsError
from pipeline.ground_from_motion.contacts import StepOnGround

SHIPPED = HOME / "config" / "ground_from_motion.json"


@dataclass(frozen=True)
class LearnedSplit:
    """The learned numbers.

    Attributes:
        source: walks and steps to which they were fitted, and the command.
        phases: (P,) fractions of the contact at which the path is given.
        path: (P, 2) m/m, mean path of the centre of pressure along the foot, from heel to toe, and laterally, in foot
            lengths.
        pitch_phases, centre_phases: fractions of the contact at which the path depends on the foot's pitch, and on the
            position of the body's centre of mass over the foot.
        input_mean: (K,) means of these pitches, of these positions, and of the foot's length over stature.
        input_gain: (K, P) path along the foot per difference from the mean (ridge regression).
        zmp_gain: fraction of the distance from the path to the zero-moment point by which the centre of pressure
            follows it along the foot in single support.
        share_gain: weight of the zero-moment point in the share of the feet; the rest is a smooth step in time.
        pivot_height: (3,) height of the virtual pivot to which the forces of both feet point, over stature, for the
            force along X and Z of G; the one along Y is not used.
        widening: s by which the smooth motion's load reaches beyond the contact.
        balance_gain: (3,) fraction of the zero-moment point's distance from the feet by which the force is corrected.
        centre_height: of the centre of mass, over stature.
        heel_height: of the heel above the floor while the foot is flat, in foot lengths.
        force_sd: (P, 3) body weights, standard deviation of the force's error along X, Y and Z of G, over the contact;
            1.96 times it holds 95 %.
        moment_sd: (P, 3) Nm/kg, the same for the sagittal moments of hip, knee and ankle.
        position_widening, position_force_sd, position_moment_sd: the same for estimates without the body's acceleration
            along the floor (`noise.by_position`).
        position_cutoff: Hz, low-pass filter of the body's vertical acceleration in these estimates.
        vertical_cutoff: Hz, the filter in use; 0 for none besides that of the markers.
    """

    source: str
    phases: np.ndarray
    path: np.ndarray
    pitch_phases: np.ndarray
    centre_phases: np.ndarray
    input_mean: np.ndarray
    input_gain: np.ndarray
    zmp_gain: float
    share_gain: float
    pivot_height: np.ndarray
    widening: float
    balance_gain: np.ndarray
    centre_height: float
    heel_height: float
    force_sd: np.ndarray
    moment_sd: np.ndarray
    position_widening: float
    position_force_sd: np.ndarray
    position_moment_sd: np.ndarray
    position_cutoff: float
    vertical_cutoff: float

    def path_of(self, step: StepOnGround) -> np.ndarray:
        """Path of the centre of pressure (P, 2) in foot lengths."""
        path = self.path.copy()
        path[:, 0] += self.deviation(step) @ self.input_gain
        return path

    def deviation(self, step: StepOnGround) -> np.ndarray:
        """Inputs (K,) minus those of the mean path; zero where they are not seen."""
        frame, phase = step.frame, step.contact.phase(step.time)
        centre = frame.on_foot(step.centre_G, step.time)[:, 0]
        inputs = [
            *_at(self.pitch_phases, phase, frame.pitch),
            *_at(self.centre_phases, phase, centre),
            frame.length / step.height,
        ]
        return np.nan_to_num(np.array(inputs) - self.input_mean)


def _at(phases: np.ndarray, phase: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (T,) at phases (K,) of the contact; NaN outside the known ones."""
    seen = np.isfinite(values)
    if not seen.any():
        return np.full(len(phases), np.nan)
    return np.interp(phases, phase[seen], values[seen], left=np.nan, right=np.nan)


@lru_cache(maxsize=4)
def load_learned(path: Path = SHIPPED) -> LearnedSplit:
    """The numbers from a file. Raises DynamicsError if it lacks one."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        values: dict[str, Any] = {
            field.name: np.array(stored[field.name], dtype=float)
            if isinstance(stored[field.name], list)
            else stored[field.name]
            for field in fields(LearnedSplit)
        }
    except (OSError, ValueError, KeyError) as error:
        raise DynamicsError(
            f"cannot be read: {type(error).__name__} {error}",
            where=str(path.name),
            remedy="Restore the original file, or fit it again",
        ) from error
    return LearnedSplit(**values)
