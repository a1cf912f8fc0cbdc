"""Estimated loads of cycles without a plate in averages: only where asked for, and marked wherever they are shown."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import ValidationError

from pipeline.analysis import (
    CYCLE_VARIABLES,
    gait_cycles,
    kind_of_cycle,
    loads_of_cycles,
    summarise,
    walk_features,
    with_estimated_steps,
)
from pipeline.analysis.cycles import no_kinetics
from pipeline.analysis.mixed_steps import _seen_of_plates, estimated_counts
from pipeline.config import Configuration
from pipeline.reporting.figures import curves
from pipeline.results.tables.dictionary import KINDS
from pipeline.results.tables.walks import subject_tables
from tests.recordings import with_ground

MIXED = "estimated steps included"


@pytest.fixture(scope="module")
def walks(demo_walk, estimated):
    """The demo's cycles on plates, those of the same walk whose second and third had none, and these with estimates."""
    kinematics = demo_walk.kinematics
    first, second, *others = kinematics.cycles
    bare = replace(kinematics, cycles=(first, replace(second, plate=0), replace(others[0], plate=0), others[1]))
    every, some = gait_cycles(kinematics, demo_walk.loads), gait_cycles(bare, demo_walk.loads)
    return every, some, with_estimated_steps(some, estimated)


def test_cycles_without_a_plate_have_estimated_loads_near_the_measured_ones(walks):
    every, some, mixed = walks
    assert [c.estimated for c in mixed.cycles] == [False, True, True, False]
    assert not any(c.estimated for c in some.cycles)
    for of_plates, bare, own in zip(every.cycles, some.cycles, mixed.cycles, strict=True):
        if not own.estimated:
            assert own is bare
            continue
        assert not bare.moments
        # Bodies without noise: what is left is the learned split, 4.4 % and 0.11 to 0.15 Nm/kg on people.
        assert np.sqrt(np.nanmean((own.ground - of_plates.ground)[:, 1] ** 2)) < 0.08
        for joint, moments in of_plates.moments.items():
            assert np.sqrt(np.nanmean((own.moments[joint] - moments)[:, 0] ** 2)) < 0.2
            known = np.isfinite(own.powers[joint] + of_plates.powers[joint])
            assert known.sum() >= 98
            assert np.corrcoef(own.powers[joint][known], of_plates.powers[joint][known])[0, 1] > 0.85
        assert np.array_equal(own.angles["knee"], bare.angles["knee"])


def test_each_cycle_has_measured_or_estimated_loads_or_a_reason(walks, demo_walk):
    every, some, mixed = walks
    stances, plates = demo_walk.kinematics.stances, len(demo_walk.kinematics.plates)
    assert {one.loads for one in loads_of_cycles(every.cycles, stances, plates)} == {"measured"}
    found = list(loads_of_cycles(mixed.cycles, stances, plates))
    assert [one.loads for one in found] == ["measured", "estimated", "estimated", "measured"]
    rejected = [replace(s, rejected="two feet") for s in stances]
    for of_plates, count, reason in (([], 0, "no force plate"), ([], 3, "on no plate"), (rejected, 3, ": two feet")):
        found = list(loads_of_cycles(some.cycles, of_plates, count))
        assert [one.loads for one in found] == ["measured", "none", "none", "measured"]
        assert all(reason in one.reason for one in found[1:3])
    aside = [replace(some.cycles[0], set_aside="the plate is shifted")]
    assert [one.reason for one in loads_of_cycles(aside, stances, plates)] == ["the plate is shifted"]


def test_the_average_has_them_and_says_so(walks):
    _, some, mixed = walks
    apart, together = (summarise(own, 0.8, None) for own in (some, mixed))
    assert [own["ground_vertical"] for own in apart.count.values()] == [1, 1]
    assert [own["ground_vertical"] for own in together.count.values()] == [2, 2]
    assert [*apart.estimated_count.values(), *together.estimated_count.values()] == [0, 0, 1, 1]
    lines = [np.array([CYCLE_VARIABLES["ground_vertical"].of(c) for c in mixed.cycles[k::2]]) for k in range(2)]
    means = np.array([own["ground_vertical"] for own in together.mean.values()])
    np.testing.assert_allclose(means, [own.mean(axis=0) for own in lines])
    assert np.isfinite(means).sum(axis=1).min() >= 100  # as of the cycles on plates
    said = [note.text for note in together.notes if note.kind == "estimated"]
    assert len(said) == 2
    assert all(text.startswith("loads of 1 of its 2 cycles with loads are estimated") for text in said)
    assert not [note for note in apart.notes if note.kind == "estimated"]


def test_a_side_with_estimated_loads_is_no_longer_without_kinetics(demo_walk, estimated):
    kinematics = demo_walk.kinematics
    cycles = tuple(replace(cycle, plate=0) for cycle in kinematics.cycles)
    bare = gait_cycles(replace(kinematics, cycles=cycles, stances=()), demo_walk.loads)
    assert {no_kinetics("left"), no_kinetics("right")} <= set(bare.notes)
    found = with_estimated_steps(bare, estimated)
    without = {no_kinetics(side) for side, count in estimated_counts(found.cycles).items() if not count}
    assert len(without) < 2
    assert set(bare.notes) - set(found.notes) == {no_kinetics("left"), no_kinetics("right")} - without


def test_tables_features_and_headings_mark_the_mixed_average(walks):
    _, some, mixed = walks
    for own, said in ((some, False), (mixed, True)):
        summary = summarise(own, 0.8, None)
        table = subject_tables(summary)["study_curves"]
        kinds = {name: set(of_name.kind.astype(str)) for name, of_name in table.groupby("variable", observed=True)}
        assert kinds["knee_flexion"] == {"mean", "sd"}
        suffix = f", {MIXED}" if said else ""
        assert f"mean{suffix}" in kinds["ground_vertical"]
        assert ("mean" in kinds["ground_vertical"]) != said
        found = {(f.kind, f.variable.is_kinetic) for f in walk_features(own) if f.kind != "sd"}
        loaded = {kind for kind, kinetic in found if kinetic}
        marked = {"cycle with estimated loads", f"mean, {MIXED}", f"sd, {MIXED}"}
        assert loaded == ({"cycle", *marked} if said else {"cycle", "mean"})
        assert {kind for kind, kinetic in found if not kinetic} == {"cycle", "mean"}
        sides = curves.trial_sides(own, summary)
        rows = curves.variable_rows(curves.KINETICS, sides, curves.no_norm, "", any(summary.estimated_count.values()))
        assert all(row.heading.endswith(f"({MIXED})") == said for row in rows)


def test_a_doubtful_curve_of_estimated_loads_says_both(walks):
    _, _, mixed = walks
    doubtful = replace(mixed.cycles[1], doubtful=("ground_vertical", "knee_flexion"))
    kinds = {name: kind_of_cycle(CYCLE_VARIABLES[name], doubtful) for name in ("ground_vertical", "knee_flexion")}
    assert kinds == {"ground_vertical": "cycle with estimated loads, set aside", "knee_flexion": "cycle, set aside"}
    assert set(kinds.values()) < set(KINDS["study_curves"])
    assert set(kinds.values()) < set(KINDS["study_features"])


def test_a_cycle_whose_loads_are_not_known_throughout_has_none(walks, estimated):
    _, some, _ = walks
    third = some.cycles[2].cycle
    early = estimated.time < 0.5 * (third.initial_contact + third.next_initial_contact)
    late = with_ground(estimated, lambda w: replace(w, force_G=np.where(early[:, None], np.nan, w.force_G)))
    found = with_estimated_steps(some, late)
    assert not found.cycles[2].estimated
    assert not found.cycles[2].moments


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"loads": {"estimated_steps": True, "axes": "global"}}, "moments in distal axes only, not in global ones"),
        ({"loads": {"estimated_steps": True}, "whole_body": {"enabled": False}}, "requires the skeleton"),
    ],
)
def test_what_cannot_be_estimated_is_refused(sections, message):
    with pytest.raises(ValidationError, match=message):
        Configuration.model_validate(sections)
    assert not Configuration.model_validate({}).loads.estimated_steps


def test_plates_show_the_percents_at_which_any_of_a_side_s_cycles_on_them_has_its_whole_load():
    def cycle(side, plate, first, last, lacking=()):
        ground = np.full((101, 3), np.nan)
        ground[first:last] = 1.0
        ground[list(lacking), 2] = np.nan
        return SimpleNamespace(cycle=SimpleNamespace(side=side, plate=plate), ground=ground)

    cycles = [
        cycle("left", 1, 0, 50),
        cycle("left", 2, 10, 60, lacking=(55,)),
        cycle("left", 3, 0, 0),
        cycle("left", 0, 0, 101),
        cycle("right", 4, 0, 101),
    ]
    seen = _seen_of_plates(cycles, "left")
    np.testing.assert_array_equal(np.flatnonzero(seen), [*range(55), *range(56, 60)])
    assert _seen_of_plates(cycles[2:4], "left") is None
    assert _seen_of_plates(cycles, "right").all()
