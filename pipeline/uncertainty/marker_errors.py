"""Errors of the markers during the walk: white noise, and soft-tissue motion of the markers relative to the bones.

Both are sampled, since kinematics are not linear and each instant has an error of its own. Noise passes the walk's
filter. Soft tissue moves at the frequencies of the movement (Leardini et al. 2005, Gait Posture 21(2), 212-225). Each
marker moves along each axis by harmonics of the gait cycle with random amplitudes and phases. The harmonics' shares are
those of the walk's knee flexion, which the artefact of the thigh follows (Barre et al. 2017, J Biomech 62, 21-26).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.config import UncertaintySettings
from pipeline.kinematics import displaced
from pipeline.signals import low_pass
from pipeline.trial import Kinematics
from pipeline.uncertainty.recorded_walk import VARIABLES, RecordedWalk

NORMAL_KNEE = (0.58, 0.39, 0.03)
"""Shares of the first harmonics of the gait cycle in the variance of knee flexion (mean of Schwartz et al. 2008), for
walks without a knee."""

LEAST_DRAWS = 8
"""Smallest number of noise samples; otherwise a third of those of soft tissue, since noise is some percent of the
variance."""


def with_noise(walk: RecordedWalk, settings: UncertaintySettings) -> Iterator[Kinematics]:
    """Samples of the walk with marker noise."""
    motion = walk.kinematics
    for sample in range(max(LEAST_DRAWS, settings.draws // 3)):
        white = np.random.default_rng([settings.seed, 0, sample]).standard_normal(motion.markers_G.shape)
        noise = low_pass(settings.marker_noise * white, motion.rate, motion.cutoff.value, walk.filter.order)
        yield displaced(motion, walk.marker_set, motion.calibration, motion.markers_G + noise)


def with_soft_tissue(walk: RecordedWalk, settings: UncertaintySettings) -> Iterator[Kinematics]:
    """Samples of the walk with soft-tissue motion."""
    motion = walk.kinematics
    for moved_G in soft_tissue_motion(walk, settings, settings.draws):
        yield displaced(motion, walk.marker_set, motion.calibration, motion.markers_G + moved_G)


def soft_tissue_motion(
    walk: RecordedWalk, settings: UncertaintySettings, samples: int, *, stream: int = 1
) -> Iterator[np.ndarray]:
    """Samples of the markers' displacement (T, K, 3) m by soft tissue, from one stream of the seed's random numbers."""
    motion = walk.kinematics
    cycle = np.mean([c.next_initial_contact - c.initial_contact for c in motion.cycles])
    phase, sizes = 2.0 * np.pi / cycle * np.outer(motion.time, 1 + np.arange(len(NORMAL_KNEE))), harmonics(walk)
    waves = np.concatenate([np.cos(phase) * sizes, np.sin(phase) * sizes], axis=1)
    on_thigh = [walk.attached_to.get(name, "").endswith("thigh") for name in motion.marker_names]
    sd = np.where(on_thigh, settings.soft_tissue_thigh, settings.soft_tissue)
    for sample in range(samples):
        rng = np.random.default_rng([settings.seed, stream, sample])
        amplitude = sd[:, None] * rng.standard_normal((waves.shape[1], len(sd), 3))
        yield np.einsum("th,hkx->tkx", waves, amplitude)


def harmonics(walk: RecordedWalk) -> np.ndarray:
    """Standard deviations (3,) of the first harmonics of the walk's knee flexion, scaled such that their sum has one.

    The variances of both sides are added; a side without a complete cycle contributes none.
    """
    flexion = walk.mean_curves[:, list(VARIABLES).index("knee_flexion"), :-1]
    variances = np.nansum(np.abs(np.fft.rfft(flexion, axis=1)[:, 1 : 1 + len(NORMAL_KNEE)]) ** 2, axis=0)
    return np.sqrt(variances / variances.sum() if variances.any() else NORMAL_KNEE)
