"""Random points for small files, and what the reader notes on them."""

from __future__ import annotations

import numpy as np

from pipeline.trial import RawTrial


def positions(count: int, frames: int = 20) -> np.ndarray:
    return 500.0 + np.random.default_rng(5).normal(0.0, 50.0, (frames, count, 3))


def notes_of(trial: RawTrial, subject: str) -> str:
    return " ".join(f"{note.kind}: {note.text}" for note in trial.notes if note.subject == subject)
