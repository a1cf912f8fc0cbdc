"""The scale of a force channel from the momentum of the whole body, on a force of known size."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.math3d import Wrench
from pipeline.whole_body.force_scale import force_scale_notes, force_scales
from pipeline.whole_body.ground import GroundReactions

MASS, WEIGHT, FRAMES, RATE = 60.0, 60.0 * 9.81, 200, 100.0


def walk(scales):
    """Both feet's load, one channel of each plate scaled, and the residual that it leaves; forces over body weight."""
    t = np.arange(FRAMES) / RATE
    needed = WEIGHT * np.column_stack(
        [0.1 * np.sin(12.0 * t), 1.0 + 0.2 * np.cos(12.0 * t), 0.06 * np.sin(6.0 * t + 0.4)]
    )
    measured = needed * np.array(scales)
    shared = {f"{side}_foot": Wrench(0.5 * measured, np.zeros((FRAMES, 3)), np.zeros(3)) for side in ("left", "right")}
    known = np.ones(FRAMES, dtype=bool)
    motion = SimpleNamespace(residual_force=(needed - measured) / WEIGHT)
    return motion, GroundReactions(shared, {}, known)


@pytest.mark.parametrize(
    ("scales", "named"),
    [
        ((1.1, 1.0, 1.0), []),
        ((1.1, 1.0, 0.8), ["mediolateral"]),
        ((0.88, 1.0, 1.0), ["fore-aft"]),
        ((1.1, 0.8, 1.2), ["vertical", "mediolateral"]),
    ],
)
def test_a_channel_of_another_scale_is_named(scales, named):
    motion, ground = walk(scales)
    np.testing.assert_allclose(force_scales(motion, ground, MASS), scales, rtol=1e-9)
    texts = [note.text for note in force_scale_notes(motion, ground, MASS, 1.0, RATE)]
    assert [text.split()[1] for text in texts] == named


def test_nothing_is_said_without_the_trunk_or_where_the_force_does_not_follow():
    motion, ground = walk((1.0, 1.0, 0.5))
    assert not list(force_scale_notes(motion, ground, MASS, 0.54, RATE))
    swapped = SimpleNamespace(residual_force=np.roll(motion.residual_force, 1, axis=1) * 20.0)
    assert np.isnan(force_scales(swapped, ground, MASS)).any()


def test_a_direction_of_little_force_has_no_scale_and_a_short_time_no_note():
    """Less than 2 % of body weight in standard deviation: 0.06 times a sine's 0.7, times 0.4; 0.5 s are 50 frames."""
    motion, ground = walk((0.88, 1.0, 0.4))
    np.testing.assert_allclose(force_scales(motion, ground, MASS), [0.88, 1.0, np.nan], rtol=1e-9)
    for frames in (49, 50):
        known = np.arange(FRAMES) % 4 == 0
        known[np.flatnonzero(known)[frames:]] = False
        assert known.sum() == frames
        told = list(force_scale_notes(motion, replace(ground, all_known=known), MASS, 1.0, RATE))
        assert len(told) == (frames >= 50)
