"""Measured walks: a plate whose loads are known to be wrong, and markers that are seen for half of the time."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, summarise
from pipeline.plausibility import contradicted_steps, load_limits, without_contradicted
from tests.benchmarks.reference_walks import Computed, compute, recordings, reference_walks


def computed(shared, name: str) -> Computed:
    walk = next((walk for walk in reference_walks() if walk.name == name), None)
    if walk is None:
        pytest.skip(f"no walk {name} beside the repository")
    return compute(walk, recordings(walk))


@pytest.mark.long
@pytest.mark.parametrize("name", ["NP1010a15", "NP1011a17", "NP1014a05"])
def test_a_plate_with_wrong_loads_is_in_no_average(shared, name):
    """The stored hip moments of these walks' steps on plate 3 reach 2.3 Nm/kg and more, on plate 4 0.7."""
    walk = computed(shared, name)
    cycles = gait_cycles(walk.motion, walk.loads)
    contradicted = contradicted_steps(walk.motion, walk.loads, walk.given.walk, walk.walk.marker_set, load_limits())
    found = without_contradicted(cycles, walk.motion, contradicted)
    aside = {c.cycle.plate for c in found.cycles if c.set_aside} | {
        s.stance.plate for s in found.stances if s.set_aside
    }
    assert aside == {3}
    means = (summarise(c, 0.8, None).mean["right"]["hip_extensor_moment"] for c in (cycles, found))
    before, after = (np.nanmax(np.abs(mean)) for mean in means)
    assert np.isnan(after) or after < min(before, 1.1)


@pytest.mark.long
def test_a_walk_whose_markers_are_seen_in_less_than_half_of_the_frames_runs(shared):
    """Its progression is found, -x of the laboratory; the stored angles are those of a healthy walker."""
    walk = computed(shared, "helen_hayes")
    assert any("progression is -x" in note.text for note in walk.given.walk.notes)
    assert {cycle.side for cycle in walk.motion.cycles} == {"left", "right"}
