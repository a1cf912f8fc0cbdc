"""Peak joint moments of a walk at several cut-off frequencies, to show the effect of the filter."""

from __future__ import annotations

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.config import EventSettings, FilterSettings
from pipeline.conventions import Z, clinical_signs
from pipeline.kinematics import refiltered
from pipeline.newton_euler.legs import CHAIN, inverse_dynamics
from pipeline.signals import MAX_OF_RATE
from pipeline.trial import CutoffPeaks, Kinematics, RawTrial, Stance

COMPARED = (4.0, 6.0, 10.0, 15.0, 20.0)
"""Hz; cut-offs compared with the one used, up to `MAX_OF_RATE`."""


def cutoff_peaks(
    walk: RawTrial, kinematics: Kinematics, marker_set: MarkerSet, filter: FilterSettings, events: EventSettings
) -> CutoffPeaks:
    """Peak extensor (plantarflexor) moments over the clean stances of each side, in the distal segment's axes.

    Args:
        walk: recording.
        kinematics: of the same walk.
        marker_set: the set used for its calibration.
        filter, events: sections of the configuration; the forces' cut-off is the markers' unless given there.
    """
    cutoffs = sorted({kinematics.cutoff.value, *(value for value in COMPARED if value <= MAX_OF_RATE * walk.rate)})
    clean = {side: [s for s in kinematics.stances if s.side == side and not s.rejected] for side in ("left", "right")}
    peaks: dict[str, list[float]] = {f"{side}_{joint}": [] for side in clean if clean[side] for _, joint in CHAIN}
    for motion in refiltered(walk, kinematics, marker_set, filter, cutoffs, events):
        loads = inverse_dynamics(motion)
        for name, values in peaks.items():
            extensor = -clinical_signs(name)[0] * loads.joints[name].moment_distal[:, Z] / loads.mass
            values.append(_peak(extensor, clean[name.split("_")[0]]))
    return CutoffPeaks(
        used=kinematics.cutoff.value,
        cutoffs=np.array(cutoffs),
        moments={name: np.array(values) for name, values in peaks.items()},
    )


def _peak(curve: np.ndarray, stances: list[Stance]) -> float:
    inside = np.concatenate([curve[stance.start : stance.stop] for stance in stances])
    seen = inside[np.isfinite(inside)]
    return float(seen.max()) if len(seen) else np.nan
