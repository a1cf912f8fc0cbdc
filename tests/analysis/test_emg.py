"""Muscle activity over the gait cycle from synthetic EMG of known bursts, and the labels that name muscles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pipeline.analysis import muscle_activity, pooled_activity, recorded_muscles
from pipeline.analysis.muscles import MUSCLES, muscle_of
from pipeline.config import EmgSettings
from pipeline.trial import AnalogSignals, Cycle, MuscleActivity, WalkCycles

RATE, SECONDS = 1000.0, 5.0
STARTS = {"left": (0.6, 1.7, 2.8), "right": (1.15, 2.25, 3.35)}
STRIDE = 1.1
DEFAULT = EmgSettings()


def burst(side: str, at: float, amplitude: float) -> np.ndarray:
    """A carrier of 130 Hz in V, whose amplitude rises to a peak once in each cycle, at a percent of it."""
    time = np.arange(int(RATE * SECONDS)) / RATE
    phase = (time - STARTS[side][0]) / STRIDE - at / 100.0
    return amplitude * (0.55 + 0.45 * np.cos(2.0 * np.pi * phase)) * np.sin(2.0 * np.pi * 130.0 * time)


def signals(channels: dict[str, np.ndarray], units: str = "V", rate: float = RATE, plates=()) -> AnalogSignals:
    names, values = tuple(channels), np.stack(list(channels.values()), axis=1)
    plate = np.array([1 if name in plates else 0 for name in names])
    return AnalogSignals("w", rate, names, (units,) * len(names), np.arange(len(values)) / rate, values, plate)


@pytest.fixture
def activity(walk: WalkCycles) -> Callable[..., MuscleActivity]:
    """Muscle activity from channels, with settings and arguments of `signals`."""

    def run(channels: dict[str, np.ndarray], settings: EmgSettings = DEFAULT, **given: Any) -> MuscleActivity:
        return muscle_activity(signals(channels, **given), walk, settings)

    return run


@pytest.fixture
def walk() -> WalkCycles:
    cycles = [
        Cycle(side, start, start + 0.66, start + STRIDE, np.nan, np.nan, "markers", 0)
        for side, starts in STARTS.items()
        for start in starts
    ]
    return WalkCycles("w", "s", np.arange(int(100 * SECONDS)) / 100.0, tuple(cycles))


def test_bursts_come_out_at_their_percent_and_amplitude(activity, walk):
    """Peak at 50 % left and 15 % right; its amplitude is the reference, so that the mean's peak is 1 and its least 0.1.

    Tolerances: the envelope's cut-off of 3 Hz takes 0.7 % of the part at 0.91 Hz (one cycle a stride).
    """
    found = activity(
        {"L Tib Ant": burst("left", 50.0, 2e-4), "RTA": burst("right", 15.0, 1e-4), "Fz1": burst("left", 0, 9.0)}
    )
    assert found.muscle_names == ("tibialis_anterior",)
    assert [channel.label for channel in found.channels] == ["L Tib Ant", "RTA"]
    np.testing.assert_array_equal(found.count, [[3], [3]])
    np.testing.assert_allclose(found.reference, 2 / np.pi * np.array([[2e-4], [1e-4]]), rtol=0.01)
    assert found.mean[:, 0].argmax(axis=1).tolist() == pytest.approx([50, 15], abs=1)
    np.testing.assert_allclose(found.mean[:, 0].max(axis=1), 1.0)
    np.testing.assert_allclose(found.mean[:, 0].min(axis=1), 0.1, atol=0.01)
    assert np.nanmax(found.sd) < 0.01, "all cycles are alike"
    assert found.envelope.shape == (2, len(walk.time))


def test_a_recorded_muscle_is_from_none_to_full_activity_whatever_the_noise_beneath(activity):
    found = activity({"LSOL": burst("left", 40.0, 1e-4)})
    for noise in (0.0, 3e-5):
        (muscle,) = recorded_muscles(replace(found, envelope=found.envelope + noise), found.time)
        assert muscle.envelope.min() == pytest.approx(0.0, abs=1e-3)
        assert muscle.envelope.max() == pytest.approx(1.0)


def test_the_mean_may_be_the_reference(activity):
    """Then the mean over the cycle is 1."""
    found = activity({"LSOL": burst("left", 40.0, 1.0)}, EmgSettings(normalise="mean"), units="mV")
    assert found.mean[0, 0].mean() == pytest.approx(1.0)
    assert found.reference[0, 0] == pytest.approx(2 / np.pi * 0.55e-3, rel=0.02)
    assert np.isnan(found.mean[1]).all(), "no right channel"


def test_several_walks_have_one_reference(activity):
    """A walk of twice the amplitude: the reference is the mean of both, and the spread is theirs."""
    weak, strong = (activity({"LSOL": burst("left", 40.0, amplitude)}) for amplitude in (1e-4, 2e-4))
    found = pooled_activity("average", [weak, strong])
    assert found.count[0, 0] == 6
    assert [cycle.number for cycle in found.cycles] == [*range(1, 13)]
    assert found.reference[0, 0] == pytest.approx((weak.reference[0, 0] + strong.reference[0, 0]) / 2, rel=1e-6)
    assert found.sd[0, 0, 40] == pytest.approx(np.std([2 / 3] * 3 + [4 / 3] * 3, ddof=1), rel=0.01)


def test_walks_of_several_rates_are_averaged_with_the_lowest_rate_and_band(activity):
    slow, fast, same = (activity({"LSOL": burst("left", 40.0, 1e-4)}) for _ in range(3))
    slow = replace(slow, rate=1000.0, low_pass=450.0)
    fast, same = replace(fast, rate=2000.0, low_pass=500.0), replace(same, rate=4000.0, low_pass=500.0)
    for walks, rate, band, kinds in (
        ([fast, slow], 1000.0, 450.0, ["warning"]),
        ([same, fast], 2000.0, 500.0, ["info"]),
        ([fast, fast], 2000.0, 500.0, []),
    ):
        found = pooled_activity("average", walks)
        assert (found.rate, found.low_pass) == (rate, band)
        assert [note.kind for note in found.notes] == kinds


def test_channels_that_are_not_used_are_named(activity):
    """Plate channels and other volts are no EMG; unknown, constant and second ones are left out with a reason."""
    good = burst("left", 40.0, 1e-4)
    channels = {
        "LSOL": good,
        "L_Soleus": good,
        "RSOL": 0 * good,
        "RTA": np.where(np.arange(len(good)) == 7, np.nan, good),
        "EMG7": good,
        "EMG8": good,
        "SOL": 2.0 * good,
        "Trigger": good,
        "VL": good,
    }
    settings = EmgSettings(channels={"EMG7": "right vastus_medialis", "EMG8": "none"})
    found = activity(channels, settings, plates=("VL",))
    assert [(c.label, c.side, c.muscle) for c in found.channels] == [
        ("LSOL", "left", "soleus"),
        ("EMG7", "right", "vastus_medialis"),
    ]
    assert (found.high_pass, found.low_pass) == (settings.high_pass, min(settings.low_pass, 0.45 * RATE))
    assert [cycle.number for cycle in found.cycles] == [*range(1, 7)]
    told = " ".join(note.text for note in found.notes)
    assert "the labels of SOL do not give the side or muscle" in told
    assert "L_Soleus is a second left soleus" in told
    assert "RSOL is constant" in told
    assert "RTA is constant or not finite" in told
    assert "not taken as EMG: Trigger;" in told
    found = activity(channels)
    assert "EMG7, EMG8, SOL, VL" in next(note.text for note in found.notes if "side or muscle" in note.text)


def test_channels_named_emg_in_another_unit_are_named(activity):
    """A unit that is not volts leaves a channel out whose label is EMG's or a muscle's; others are not named."""
    channels = {"LSOL": burst("left", 40.0, 1e-4), "EMG7": burst("left", 40.0, 1e-4), "Goniometer": np.ones(5000)}
    found = activity(channels, EmgSettings(channels={"LSOL": "left soleus"}), units="a.u.")
    assert not found.channels
    assert "whose unit is not volts: LSOL (a.u.), EMG7 (a.u.);" in " ".join(note.text for note in found.notes)
    found = activity(channels, EmgSettings(channels={"EMG7": "none"}), units="a.u.")
    assert "whose unit is not volts: LSOL (a.u.);" in " ".join(note.text for note in found.notes)
    neither = EmgSettings(channels={"EMG7": "none", "LSOL": "none"})
    assert not activity(channels, neither, units="a.u.").notes
    microvolts = {"LSOL": burst("left", 40.0, 100.0)}
    found = activity(microvolts, units="microVolts")
    np.testing.assert_allclose(found.reference[0], 2 / np.pi * 1e-4, rtol=0.01)


def test_a_channel_of_noise_has_no_average_and_is_named(activity):
    """White noise of any amplitude is a dead channel; a burst with noise of a tenth of it is a muscle."""
    noise = np.random.default_rng(4).normal(size=burst("left", 30.0, 1.0).size)
    alive = burst("right", 30.0, 1e-4) + 1e-5 * noise
    found = activity({"L Soleus": 2e-6 * noise, "R Soleus": alive})
    assert np.isnan(found.mean[0]).all()
    assert np.isfinite(found.mean[1]).all()
    (told,) = [note.text for note in found.notes if "varies by less than" in note.text]
    assert told.startswith("the left soleus varies by less than 15 % over the gait cycle")


def test_a_clipped_channel_and_one_with_hum_of_the_mains_are_named(activity, rng):
    """Noise of the band with bursts; hum of a third of its standard deviation has a tenth of the power."""
    size = int(RATE * SECONDS)
    clean, other, third = rng.standard_normal((3, size)) * (1.0 + burst("left", 40.0, 1.0) ** 2) * 1e-4
    hum = np.sin(2.0 * np.pi * 50.0 * np.arange(size) / RATE)
    channels = {"LSOL": clean, "RSOL": np.clip(other, -2e-4, 2e-4), "LTA": third + 1e-4 * hum}
    notes = [n.text for n in activity(channels).notes if n.kind == "warning"]
    assert len(notes) == 2
    assert f"RSOL is at its largest or smallest value in {np.sum(np.abs(other) >= 2e-4)} of 5000 samples" in notes[0]
    assert "of the power of LTA is at multiples of 50 Hz (limit 10 %)" in notes[1]


def test_power_at_the_mains_in_half_of_a_recording_is_no_hum(activity, rng):
    """As a burst of a short recording has it by chance; hum is always there."""
    noise = 1e-4 * rng.standard_normal(int(RATE * SECONDS))
    hum = 1e-4 * np.sin(2.0 * np.pi * 50.0 * np.arange(noise.size) / RATE)
    first_half = np.arange(noise.size) < noise.size // 2
    for added, count in ((hum, 1), (hum * first_half, 0), (hum * ~first_half, 0)):
        notes = activity({"LSOL": noise + added}).notes
        assert sum("hum of the mains" in note.text for note in notes) == count


def test_sides_of_very_different_strength_are_named(activity):
    """By the ratio of their amplitudes, as an amplifier that is off, or hum, makes them."""
    channels = {"LSOL": burst("left", 40.0, 1e-4), "RSOL": burst("right", 40.0, 5e-3)}
    (note,) = (n for n in activity(channels).notes if n.kind == "warning")
    assert "the right soleus is 50 times stronger" in note.text
    channels["RSOL"] = burst("right", 40.0, 1e-3)
    assert not [n for n in activity(channels).notes if n.kind == "warning"]


def test_slow_channels_are_no_emg(activity):
    """At 200 Hz nothing of the band is left; at 600 Hz there is a warning."""
    slow = activity({"LSOL": burst("left", 40.0, 1e-4)[::5]}, rate=200.0)
    assert not slow.channels
    assert "too slowly" in slow.notes[0].text
    assert slow.mean.shape == (2, 0, 101)
    some = activity({"LSOL": np.ones(3000) + burst("left", 4, 1e-4)[:3000]}, rate=600.0)
    assert any(note.kind == "warning" for note in some.notes)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("LTA", ("left", "tibialis_anterior")),
        ("R Tib Ant", ("right", "tibialis_anterior")),
        ("EMG.left_soleus", ("left", "soleus")),
        ("Voltage.LRF", ("left", "rectus_femoris")),
        ("TA_R", ("right", "tibialis_anterior")),
        ("TibAntL", ("left", "tibialis_anterior")),
        ("SoleusRight", ("right", "soleus")),
        ("R Rect", ("right", "rectus_femoris")),
        ("L Hams", ("left", "hamstrings")),
        ("RGAS", ("right", "gastrocnemius")),
        ("Sensor 3 Right Gluteus Maximus", ("right", "gluteus_maximus")),
        ("SOL", ("", "soleus")),
        ("LPER", ("left", "peroneus_longus")),
        ("RF", ("", "rectus_femoris")),
        ("Fz1", None),
        ("RLAT", None),
        ("L Spare", None),
        ("Trigger", None),
    ],
)
def test_muscles_are_known_by_their_labels(label, expected):
    """As laboratories write them; what could be several muscles is none."""
    assert muscle_of(label) == expected


def test_no_label_means_two_muscles():
    labels = [label for labels in MUSCLES.values() for label in labels]
    assert len(labels) == len(set(labels))
