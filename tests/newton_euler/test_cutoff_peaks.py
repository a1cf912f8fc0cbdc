"""Peak moments at other cut-offs are those of the walk computed with these cut-offs from the start."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.analysis.clinical import clinical_moments
from pipeline.config import EventSettings, FilterSettings
from pipeline.newton_euler import cutoff_peaks

DEMO = Path(__file__).resolve().parents[2] / "data/demo"


@pytest.fixture(scope="module")
def trials_of_demo():
    return [read_trial(DEMO / f"{name}.c3d") for name in ("walk", "static")]


@pytest.mark.parametrize(("forces", "order"), [(None, 4), (9.0, 2)])
def test_each_value_is_the_peak_of_a_walk_analysed_with_that_cut_off(
    forces, order, trials_of_demo, analyse, plug_in_gait
):
    """Every joint's curve over its side's clean stances, at 6 Hz (used), 10 and 20."""
    walk, static = trials_of_demo
    settings = FilterSettings(forces=forces, order=order)
    kinematics = analyse(walk, static, sex="f", filter=settings.model_dump()).kinematics
    found = cutoff_peaks(walk, kinematics, plug_in_gait, settings, EventSettings())
    assert found.used == 6.0
    assert list(found.cutoffs) == [4.0, 6.0, 10.0, 15.0, 20.0]
    assert found.moments
    for cutoff in (6.0, 10.0, 20.0):
        other = analyse(walk, static, sex="f", filter=settings.model_dump() | {"markers": cutoff})
        for name, peaks in found.moments.items():
            curve = clinical_moments(name, other.loads.joints[name].moment_distal)[:, 0] / other.loads.mass
            clean = [s for s in kinematics.stances if s.side == name.split("_")[0] and not s.rejected]
            expected = np.nanmax(np.concatenate([curve[s.start : s.stop] for s in clean]))
            assert peaks[list(found.cutoffs).index(cutoff)] == pytest.approx(expected, rel=1e-9)


def test_an_unusual_cut_off_that_is_used_is_among_the_others(trials_of_demo, analyse, plug_in_gait):
    walk, static = trials_of_demo
    kinematics = analyse(walk, static, sex="f", filter={"markers": 7.3}).kinematics
    found = cutoff_peaks(walk, kinematics, plug_in_gait, FilterSettings(markers=7.3), EventSettings())
    assert found.used == 7.3
    assert list(found.cutoffs) == [4.0, 6.0, 7.3, 10.0, 15.0, 20.0]
