"""Muscle activity as drawn: fractions of its own peak, beside the norm's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.conventions import SIDES
from pipeline.reporting.figures.muscles import emg_norm_text, emg_speed, muscle_row
from pipeline.results import load_norm
from pipeline.trial import EmgCycle, MuscleActivity

PERCENT = np.arange(101.0)


def activity_of(*sides: str) -> MuscleActivity:
    """Two cycles of each side named, of the soleus: 1 V and 3 V times a curve with a peak of 1 at 45 %."""
    curve = np.exp(-((PERCENT - 45.0) ** 2) / 200.0)
    cycles = tuple(EmgCycle(side, k, size * curve[None]) for side in sides for k, size in enumerate((1.0, 3.0)))
    mean = np.array([[curve if side in sides else np.full(101, np.nan)] for side in SIDES])
    reference = np.array([[2.0 if side in sides else np.nan] for side in SIDES])
    return MuscleActivity(
        *("w", "S", 1000.0, 20.0, 450.0, 3.0, "peak", np.zeros(0), PERCENT, SIDES, ("soleus",), ()),
        *(np.zeros((0, 0)), cycles, reference, mean, 0.1 * mean, np.ones((2, 1)), ()),
    )


def test_muscles_are_drawn_as_fractions_of_their_peak_beside_the_norm_of_its_own(walk):
    norm = load_norm(Path(__file__).resolve().parents[2] / "config/norms/bovi2011_adults.json")
    row = muscle_row(activity_of("left"), walk[2].cycles, norm, 0.409)
    (panel,) = row.panels
    assert panel.axis.title == "Soleus"
    assert [curve.style for curve in panel.curves] == ["left single", "left single", "left"]
    assert [float(curve.y.max()) for curve in panel.curves] == pytest.approx([0.5, 1.5, 1.0], abs=1e-3)
    (band,) = panel.bands
    middle = 0.5 * (band.low + band.high)
    assert 30 < np.argmax(middle) < 50, "the soleus pushes before foot off"
    assert middle.max() == pytest.approx(1.0, abs=0.02)
    assert [style for style, _ in panel.verticals] == ["left foot-off"]
    assert muscle_row(replace(activity_of(), muscle_names=()), (), norm, 0.4) is None
    assert muscle_row(activity_of("left"), walk[2].cycles, None, 0.4).panels[0].bands == ()


def test_a_norm_of_other_people_than_that_of_the_curves_is_named(walk):
    folder = Path(__file__).resolve().parents[2] / "config/norms"
    adults, children = (load_norm(folder / f"{name}.json") for name in ("bovi2011_adults", "schwartz2008"))
    summary = walk[3]
    assert "adults of 22 to 72 years" in emg_norm_text(adults, replace(summary, norm=children.name))
    assert emg_norm_text(adults, replace(summary, norm=adults.name)) == adults.name
    assert not emg_norm_text(children, summary)
    assert emg_speed(adults, replace(summary, speed=0.3)) == 0.3
    assert emg_speed(adults, replace(summary, speed=np.nan)) == adults.free
