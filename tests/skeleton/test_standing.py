"""Heights of the leg in standing against published shares of stature."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.skeleton import ankle_height, leg_length, load_skeleton, passive_scale, segment_pose

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"


@pytest.mark.parametrize("height", [1.2, 1.8])
def test_ankle_and_hip_are_as_high_as_published(height: float) -> None:
    """Ankle 0.039 and greater trochanter, level with the hip, 0.530 of stature (Drillis and Contini 1966)."""
    skeleton = load_skeleton(SKELETON, mass=22.0 * height**2, height=height, sex="male")
    assert ankle_height(skeleton) == pytest.approx(0.039 * height, rel=0.02)
    assert leg_length(skeleton) == pytest.approx(0.530 * height, rel=0.03)
    hip, ankle = (
        segment_pose(skeleton, f"right_{name}", np.zeros((1, len(skeleton))))[1][0] for name in ("thigh", "foot")
    )
    assert leg_length(skeleton) - ankle_height(skeleton) == pytest.approx(hip[1] - ankle[1])


def test_an_adult_s_passive_moments_are_as_published() -> None:
    assert passive_scale(70.0, 0.92) == 1.0
    assert passive_scale(35.0, 0.46) == pytest.approx(0.25)
