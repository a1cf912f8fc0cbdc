"""Estimated muscle forces as the page of a walk shows them, and their curves over the cycle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.analysis import (
    AS_WALKED,
    GROUPS,
    KNEE_PARTS,
    PUBLISHED,
    WITH_LOAD,
    fatigue_of,
    mean_curves,
    muscle_averages,
    muscle_curves,
)
from pipeline.conventions import SIDES
from pipeline.muscles import load_muscle_model
from pipeline.reporting import FurtherResults, ReportRun, write_trial_report
from pipeline.reporting.numbers import number
from pipeline.reporting.trial.muscles import MuscledWalk, muscle_section
from pipeline.trial import MuscleLoads, Note
from tests.reporting.test_muscles import activity_of

from .conftest import NOTHING_FOUND

TIME = np.linspace(0.0, 5.0, 501)


@pytest.fixture(scope="module")
def loads() -> MuscleLoads:
    return made_loads()


def made_loads() -> MuscleLoads:
    """A walk of 50 kg: all muscles active by a tenth but gluteus maximus 2 by 0.4; each pulls with 98.1 N (0.2 BW), the
    right ones not known; contact forces of 3, 4 and 12 body weights' components."""
    names = tuple(muscle.name for muscle in load_muscle_model().muscles)
    activation, force = np.full((2, len(TIME), len(names)), 0.1)
    activation[:, names.index("glut_max2_l")] = 0.4
    force[:] = 98.1
    right = [k for k, name in enumerate(names) if name.endswith("r")]
    activation[:, right], force[:, right] = np.nan, np.nan
    joints = tuple(f"{side}_{joint}" for side in SIDES for joint in PUBLISHED)
    contact = np.full((len(TIME), len(joints), 3), np.nan)
    contact[:, :3] = [3.0, 4.0, 0.0]
    strength = np.where([name.startswith("glut_max2") for name in names], 200.0, 50.0)
    return MuscleLoads(
        *(
            "w",
            "S",
            50.0,
            "gait2392",
            "rigid",
            TIME,
            names,
            joints,
            ("left_knee_flexion",),
            strength,
            activation,
            force,
            contact,
            tuple(f"{side}_knee_{part}" for side in SIDES for part in KNEE_PARTS),
            np.full((len(TIME), 4), [2.0, 1.0, np.nan, np.nan]),
        ),
        *(np.full((len(TIME), 1), -2.0), np.array([30.0]), (Note("left out", "muscles", "no muscle forces of it"),)),
    )


def test_every_muscle_is_in_the_model(loads):
    assert {f"{name}_{side}" for names in GROUPS.values() for name in names for side in "lr"} <= set(loads.muscle_names)


def test_curves_of_a_cycle(loads, walk):
    """Activation weighted by strength: (0.1 x 50 + 0.4 x 200 + 0.1 x 50) / 300 = 0.3; force 3 x 98.1 N over 490.5 N;
    contact 5 body weights."""
    cycle = next(c.cycle for c in walk[2].cycles if c.cycle.side == "left")
    found = muscle_curves(loads, cycle)
    for name, value in (
        ("gluteus_maximus_activation", 0.3),
        ("gluteus_maximus_force", 0.6),
        ("soleus_force", 0.2),
        ("knee_contact_force", 5.0),
    ):
        np.testing.assert_allclose(found[name][0], value)
    assert mean_curves(loads, (cycle,), "right") == {}


def test_curves_are_not_negative_where_they_are_extrapolated_to_the_end_of_a_cycle(loads, walk):
    """Activation that falls to zero by the last known frame, before the end of the cycle."""
    cycle = next(c.cycle for c in walk[2].cycles if c.cycle.side == "left")
    last = np.flatnonzero(cycle.next_initial_contact > TIME)[-1]
    falling = loads.activation * np.clip((TIME[last] - TIME) / 0.1, 0.0, 1.0)[:, None]
    falling[last + 1 :] = np.nan
    found = muscle_curves(replace(loads, activation=falling), cycle)["soleus_activation"][0]
    assert found[-1] == 0.0
    assert np.nanmin(found) == 0.0


def test_the_section_names_what_is_above_published_peaks_and_what_is_not_known(loads, walk):
    cycles = walk[2].cycles
    section = muscle_section(MuscledWalk("", loads, cycles), activity_of("left"), None, 0.4)
    assert [row[0] for row in section.contacts] == ["Hip", "Knee", "Ankle", "Knee, medial", "Knee, lateral"]
    assert section.contacts[1][1] == "5.0"
    assert section.contacts[1][3:] == ("", "", "2.6")
    assert [row[1:] for row in section.contacts[3:]] == [("2.0", "0", "", "", ""), ("1.0", "0", "", "", "")]
    assert section.above == (
        "left hip 5.0 BW (published up to 4.8)",
        "left knee 5.0 BW (published up to 2.6)",
        "left ankle 5.0 BW (published up to 3.9)",
    )
    assert section.reserves == (("Left knee flexion", "2.00", "30.0"),)
    assert section.lacks == ("No muscle forces of it.",)
    method = Note("info", "muscles", "weights of squared activations other than 1: soleus 2")
    told = muscle_section(MuscledWalk("", replace(loads, notes=(*loads.notes, method)), cycles))
    assert told.lacks == section.lacks
    assert told.method == ("Weights of squared activations other than 1: soleus 2.",)
    soleus = next(panel for panel in section.activations.panels if panel.axis.title == "Soleus")
    assert [curve.style for curve in soleus.curves] == ["left dashed", "left"]
    assert soleus.curves[0].y.max() == pytest.approx(1.0)
    assert section.has_emg
    assert not muscle_section(MuscledWalk("", loads, cycles)).has_emg


def test_what_is_known_in_swing_alone_has_no_peak(loads, walk):
    """As of a walk without plates: the peaks of swing are not those of the cycle, and enter no average of peaks."""
    cycles = walk[2].cycles
    own = [c.cycle for c in cycles if c.cycle.side == "left"]
    stance = np.any([(loads.time >= c.initial_contact) & (loads.time <= c.foot_off) for c in own], axis=0)
    cycle = own[0]
    swing = replace(
        loads,
        activation=np.where(stance[:, None], np.nan, loads.activation),
        force=np.where(stance[:, None], np.nan, loads.force),
        contact_force=np.where(stance[:, None, None], np.nan, loads.contact_force),
        compartment_force=np.where(stance[:, None], np.nan, loads.compartment_force),
    )
    section = muscle_section(MuscledWalk("", swing, cycles))
    assert all(row[1:3] == ("", "") for row in section.contacts)
    assert all(row[1:] == ("", "", "", "") for row in section.muscles)
    assert section.above == ()
    expected = "Left side: the load on its foot in stance is not known, so there are values only in swing, no peaks."
    assert section.lacks[-1] == expected
    both = muscle_averages([(loads, (cycle,)), (swing, (cycle,))], "left")
    assert both.peaks["knee_contact_force"] == pytest.approx([5.0])
    assert "knee_contact_force" not in muscle_averages([(swing, (cycle,))], "left").peaks
    assert np.isfinite(both.mean["knee_contact_force"]).all()


def test_fatigue_of_a_walk_and_of_a_load_that_asks_for_twice_as_much(loads, walk):
    """Gluteus medius active by a tenth, and by two: without rest d(f)/dt = F a - R f, so that the capacity after an
    hour is 1 - F a / R (1 - exp(-3600 R)), by hand with the general rates; soleus likewise with the ankle's."""
    heavy = replace(loads, activation=2 * loads.activation)
    cycles = tuple(c.cycle for c in walk[2].cycles)
    found = fatigue_of({AS_WALKED: ("as walked", loads), WITH_LOAD: ("carrying 20 kg", heavy)}, cycles)
    assert found is not None
    for muscle, fast, slow in (("gluteus_medius", 0.0097, 0.00091), ("soleus", 0.00589, 0.00058)):
        m = found.muscles.index(muscle)
        for c, a in enumerate((0.1, 0.2)):
            full = 1 - fast * a / slow * -np.expm1(-3600 * slow)
            limited = fast / (fast + slow)  # where all that is not fatigued is active
            expected = full if full > a else 1 - limited
            # At its limit the muscle approaches the end within the hour but for a hundredth.
            assert found.capacity[c, 0, m, -1] == pytest.approx(expected, abs=1e-3 if full > a else 0.02)
            assert found.peak_load[c, 0, m] == pytest.approx(a)
    assert np.isnan(found.capacity[:, 1, found.muscles.index("soleus")]).all()  # the right side is not known
    assert found.held[0, 0, found.muscles.index("soleus")] == 60.0  # 0.11 are left after the hour
    # -ln(1 - R (1 - a) / (F a)) / R, the endurance time of the closed form; between values a minute apart a line.
    expected = -np.log1p(-0.00091 * 0.8 / (0.0097 * 0.2)) / 0.00091 / 60
    assert found.held[1, 0, found.muscles.index("gluteus_medius")] == pytest.approx(expected, abs=0.05)
    section = muscle_section(MuscledWalk("", replace(loads, fatigue=found), walk[2].cycles))
    assert section.cases == (("dashed", "Carrying 20 kg"),)
    assert [row[:2] for row in section.endurance[:2]] == [("Soleus", "as walked"), ("", "carrying 20 kg")]
    assert section.endurance[0][3] == section.endurance[0][5] == number(np.nan, 0)


@pytest.mark.parametrize("missing", ["cycles of a side", "muscles in frames", "muscles in all frames", "all cycles"])
def test_fatigue_of_a_walk_that_lacks_something_lacks_that_alone(loads, walk, missing):
    """Of the other side, or of the muscles that were solved, it is that of the whole walk."""
    cycles = tuple(c.cycle for c in walk[2].cycles)
    whole = fatigue_of({AS_WALKED: ("as walked", loads)}, cycles)
    activation = loads.activation.copy()
    if missing == "cycles of a side":
        cycles = tuple(cycle for cycle in cycles if cycle.side == "left")
    elif missing == "all cycles":
        cycles = ()
    else:
        activation[: 60 if missing == "muscles in frames" else None, loads.muscle_names.index("soleus_l")] = np.nan
    found = fatigue_of({AS_WALKED: ("as walked", replace(loads, activation=activation))}, cycles)
    if missing == "all cycles":
        assert found is None
        return
    assert found is not None
    medius = whole.muscles.index("gluteus_medius")
    np.testing.assert_array_equal(found.capacity[0, 0, medius], whole.capacity[0, 0, medius])
    assert np.isfinite(found.capacity[0, 0, medius]).all()
    if missing == "muscles in all frames":
        assert np.isnan(found.held[0, 0, found.muscles.index("soleus")])


@pytest.mark.long
def test_a_page_without_muscle_forces_says_why(page_of, walk):
    """Escaped, and beside the other results."""

    def write(path: Path) -> None:
        write_trial_report(path, *walk, NOTHING_FOUND, ReportRun("Study"), FurtherResults(muscles="frame 3: <b>no</b>"))

    page = page_of(write)
    assert "not computed: frame 3: <b>no</b>" in page.visible
    assert "Kinetics" in page.visible
