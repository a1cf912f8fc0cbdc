"""Numbers that split the ground reaction between the feet, learned on plates: one file, whose walks do not ship.

`python -m tests.benchmarks.ground_from_motion --write` fits them, and judges them with one laboratory left out.
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
from pipeline.ground_from_motion.contacts import Contact, FootFrame

SHIPPED = HOME / "config" / "ground_from_motion.json"


@dataclass(frozen=True)
class LearnedSplit:
    """The learned numbers.

    Attributes:
        source: walks and steps that they were fitted to, and the command.
        phases: (P,) parts of the contact at which the path is given.
        path: (P, 2) m/m, mean path of the centre of pressure along the foot, from heel to toe, and laterally, in
            lengths of the foot.
        pitch_phases: (K,) parts of the contact at which the foot's pitch changes the path.
        pitch_mean: (K,) pitch of the mean path.
        pitch_gain: (K, P) path along the foot for a pitch (ridge regression).
        zmp_gain: part of the distance from the path to the zero-moment point by which the centre of pressure follows
            it along the foot in single support.
        share_gain: weight of the zero-moment point in the share of the feet; the rest is a smooth step in time.
        pivot_height: of the virtual pivot that the forces of both feet point to, over stature.
        widening: s by which the smooth motion's load reaches beyond the contact.
        heel_height: of the heel above the floor while the foot is flat, in lengths of the foot.
        force_sd: (P, 3) body weights, error of the force along X, Y and Z of G, over the contact.
        moment_sd: (P, 3) Nm/kg, error of the sagittal moments of hip, knee and ankle.
    """

    source: str
    phases: np.ndarray
    path: np.ndarray
    pitch_phases: np.ndarray
    pitch_mean: np.ndarray
    pitch_gain: np.ndarray
    zmp_gain: float
    share_gain: float
    pivot_height: float
    widening: float
    heel_height: float
    force_sd: np.ndarray
    moment_sd: np.ndarray

    def path_of(self, contact: Contact, frame: FootFrame, time: np.ndarray) -> np.ndarray:
        """Path of the centre of pressure (P, 2) in lengths of the foot, of a contact whose foot has some pitch."""
        path = self.path.copy()
        path[:, 0] += self.deviation(contact, frame, time) @ self.pitch_gain
        return path

    def deviation(self, contact: Contact, frame: FootFrame, time: np.ndarray) -> np.ndarray:
        """Pitch of the foot (K,) less that of the mean path; zero where it is not seen."""
        phase, seen = contact.phase(time), np.isfinite(frame.pitch)
        reached = (self.pitch_phases >= phase[seen].min()) & (self.pitch_phases <= phase[seen].max())
        pitch = np.interp(self.pitch_phases, phase[seen], frame.pitch[seen])
        return np.where(reached, pitch - self.pitch_mean, 0.0)


@lru_cache(maxsize=4)
def load_learned(path: Path = SHIPPED) -> LearnedSplit:
    """The numbers of a file. Raises DynamicsError if it lacks one."""
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
            remedy="Restore the file that ships, or fit it again",
        ) from error
    return LearnedSplit(**values)
