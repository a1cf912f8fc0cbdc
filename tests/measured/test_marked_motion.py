"""Measured walks with labels exchanged, markers that jump and markers that vanish: found, named, and put right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.config import FilterSettings
from pipeline.skeleton import load_skeleton
from pipeline.skeleton.fit_markers import Site, load_attachments
from pipeline.skeleton.fit_standing import fit_standing
from pipeline.steps.markers_on_skeleton import MarkedMotion, standing_places


class Measured:
    """A walk of a woman, and its markers on her skeleton."""

    def __init__(self, folder, walk, static, analyse, marker_set, root):
        self.raw, self.static = read_trial(folder / walk), read_trial(folder / static)
        self.analyse = analyse
        self.kinematics = analyse(self.raw, self.static, sex="f").kinematics
        self.definition = load_attachments(root / "config" / "marker_attachments" / "plug_in_gait.yaml")
        values = self.kinematics.calibration.values
        self.skeleton = load_skeleton(
            root / "config" / "skeleton.yaml", mass=values["mass"], height=values["height"], sex="female"
        )
        self.marker_set = marker_set

    def marked(self, definition=None, **columns):
        """The motion with other trajectories, by label, and other attachments where given."""
        definition = definition or self.definition
        markers = self.raw.markers_G.copy()
        for name, values in columns.items():
            markers[:, self.raw.marker_names.index(name)] = values
        places, _ = standing_places(self.static, self.marker_set, definition, self.kinematics)
        person = fit_standing(self.skeleton, definition, places, self.kinematics.calibration.values["height"])
        walk = replace(self.raw, markers_G=markers)
        kinematics = self.analyse(walk, self.static, sex="f").kinematics
        return MarkedMotion(walk, kinematics, definition, person, FilterSettings(), 0.7)

    def track(self, name):
        return self.raw.marker(name).copy()


@pytest.fixture(scope="module")
def measured(trials, analyse, plug_in_gait, request):
    root = request.config.rootpath
    return Measured(trials / "zoo_HC038A", "HC038A11.c3d", "HC038A01.c3d", analyse, plug_in_gait, root)


def test_the_measured_walk_needs_nothing(measured):
    motion = measured.marked()
    assert not motion.exchanges
    assert not motion.notes


def test_the_markers_that_were_exchanged_in_a_published_trial_are_found_by_the_fit(
    trials, analyse, plug_in_gait, request
):
    """Head of the fibula and tuberosity of the tibia lie on each other in the whole walk."""
    root = request.config.rootpath
    trial = Measured(trials / "zoo_HC032A", "HC032A03.c3d", "HC032A01.c3d", analyse, plug_in_gait, root)
    sites = {
        f"{side[0].upper()}{name}": Site(segment=f"{side}_shank", at=at, landmark=0.02)
        for side, sign in (("left", -1), ("right", 1))
        for name, at in (("HFB", (-0.01, -0.03, 0.03 * sign)), ("TUB", (0.03, -0.03, 0.01 * sign)))
    }
    definition = trial.definition.model_copy(update={"markers": {**trial.definition.markers, **sites}})
    motion = trial.marked(definition)
    (found,) = motion.exchanges
    assert set(found.pairs[0]) == {"LHFB", "LTUB"}
    assert found.frames.all()
    assert found.exchanged < 0.5 * found.named
    assert any("LHFB and LTUB" in note.subject for note in motion.notes)


def test_planted_exchanges_are_put_right(measured):
    """A pair of one leg, and both legs, in a third of a second: the motion is that of the right labels."""
    good = measured.marked()
    frames = np.zeros(len(measured.raw.time), dtype=bool)
    frames[60:93] = True
    legs = [("L" + name, "R" + name) for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")]
    for pairs in ([("LKNE", "LTIB")], legs):
        columns = {}
        for a, b in pairs:
            columns[a] = np.where(frames[:, None], measured.track(b), measured.track(a))
            columns[b] = np.where(frames[:, None], measured.track(a), measured.track(b))
        motion = measured.marked(**columns)
        (found,) = motion.exchanges
        assert set(found.pairs) == set(pairs)
        np.testing.assert_array_equal(found.frames, frames)
        count = len(motion.labels)
        np.testing.assert_array_equal(motion.markers[:, :count], good.markers[:, :count])
        assert "61-93" in motion.notes[0].text


@pytest.mark.parametrize("name", ["LFIN", "RWRB", "LTOE", "STRN", "LSHO", "LELB", "RKNE", "SACR"])
def test_a_marker_that_jumps_by_ten_centimetres_is_left_out_and_reported(measured, name):
    """Also the last marker of a limb, which the skeleton would simply follow."""
    track = measured.track(name)
    track[100:110] += 0.1 / np.sqrt(3.0)
    motion = measured.marked(**{name: track})
    left_out = motion.frames.left_out[:, : len(motion.labels)]
    expected = np.zeros_like(left_out)
    expected[100:110, motion.labels.index(name)] = True
    np.testing.assert_array_equal(left_out, expected)
    assert any(note.subject == f"marker {name}" and "101-110" in note.text for note in motion.notes)


def test_long_gaps_are_reported_with_what_is_bridged(measured):
    """Half a second without a shank's and foot's markers: knee and ankle are named; others stand in for a toe's."""
    columns = {name: measured.track(name) for name in ("RKNE", "RTIB", "RANK", "RHEE", "RTOE", "LTOE")}
    for name, track in columns.items():
        track[slice(100, 150) if name[0] == "R" else slice(20, 60)] = np.nan
    notes = {note.subject: note for note in measured.marked(**columns).notes}
    leg = notes["markers RKNE, RTIB, RANK, RHEE, RTOE"]
    assert leg.kind == "warning"
    assert "101-150" in leg.text
    assert "right_knee_flexion" in leg.text
    assert "left" not in leg.text
    assert "21-60" in notes["marker LTOE"].text


def test_gaps_that_are_short_enough_to_fill_are_not_reported_here(measured):
    track = measured.track("LTOE")
    track[50:58] = np.nan
    assert not measured.marked(LTOE=track).notes
