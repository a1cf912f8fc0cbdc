"""Events from markers alone against the force plates of published trials, at their own rate and at 60 Hz."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from pipeline.config import EventSettings
from pipeline.signals import (
    EVENT_CUTOFF,
    Foot,
    contact_intervals,
    fill_gaps,
    find_stances,
    low_pass,
    marker_events,
    plate_load,
)
from pipeline.trial import Stance

pytestmark = pytest.mark.long

TRIALS = {
    "zoo_HC032A/HC032A03.c3d": ("HEE", "TOE"),
    "zoo_HC038A/HC038A11.c3d": ("HEE", "TOE"),
    "nantes/PiG_Motion3_FF.c3d": ("HEE", "TOE"),
    "ist_metres/Gait with EMG.c3d": ("CAL", "TOE"),
    "edge/platetype/TYPE-3.c3d": ("HEE", "TOE"),
    "edge/platetype/analogfpscale03.c3d": ("HEE", "TOE"),
    "edge/platetype/analogfpscale04.c3d": ("HEE", "TOE"),
}
"""Labels of heel and toe after the side's letter. Healthy and pathological walks at 60 to 120 Hz."""

MAX_MEDIAN = {"initial contact": 0.020, "foot off": 0.015}
"""s, of the signed and of the absolute errors over all contacts."""

TWO_FRAMES = 2.0 / 60.0


def on_treadmill(trials):
    """The walk of opensim_subject01 on a treadmill of two belts, like an entry of `walks`: TRC markers in mm, Y up."""
    from pipeline.acquisition import read_trial

    folder = trials / "opensim_subject01"
    trial = read_trial(folder / "subject01_walk1.trc", forces=folder / "subject01_walk1_grf.mot")
    feet = {
        s: Foot(*(trial.marker(f"{s[0].upper()}.{part}") for part in ("Heel", "Toe.Tip"))) for s in ("left", "right")
    }
    stances = []
    for side, plate in zip(("right", "left"), trial.plates, strict=True):
        for start, stop in contact_intervals(plate.wrench.force_G[:, 1], trial.analog_rate, EventSettings()):
            if start > 0 and trial.analog_time[stop - 1] < trial.time[-1] - 0.1:
                stances.append(Stance(1, side, 0, 0, trial.analog_time[start], trial.analog_time[stop - 1], 0.0, ""))
    return trial.time, feet, 0.5 * (trial.marker("L.ASIS") + trial.marker("R.ASIS")), stances


@pytest.fixture(scope="module")
def walks(trials):
    """Time, rate, heel, toe and pelvis of each foot, with the contacts that a plate measured whole."""
    from pipeline.acquisition import read_trial

    found = {}
    for file, labels in TRIALS.items():
        trial = read_trial(trials / file)
        markers_G, _, _ = fill_gaps(trial.markers_G, trial.marker_names, trial.rate, 0.2)
        of = {name: markers_G[:, k] for k, name in enumerate(trial.marker_names)}
        feet = {side: Foot(*(of[side[0].upper() + label] for label in labels)) for side in ("left", "right")}
        settings = EventSettings()
        loads, contacts = zip(
            *(plate_load(p, trial.analog_rate, trial.time, 20.0, 4, settings) for p in trial.plates), strict=True
        )
        weight = max(np.nanmax(load.wrench.force_G[:, 1]) for load in loads) / 1.15
        stances = find_stances(loads, contacts, feet, trial.time, weight, settings)
        whole = [s for s in stances if s.side and s.start > 0 and s.stop < len(trial.time)]
        found[file] = (trial.time, feet, 0.5 * (of["LASI"] + of["RASI"]), whole)
    return found | {"opensim_subject01 (treadmill)": on_treadmill(trials)}


def errors(walks, rate=None):
    """Errors in s by file and kind; positive where the markers' event is late."""
    found = {}
    for file, (time, feet, pelvis, stances) in walks.items():
        own = round(1.0 / (time[1] - time[0]))
        grid = np.arange(0.0, time[-1], 1.0 / rate) if rate and rate < own else time
        used = round(1.0 / (grid[1] - grid[0]))

        def sampled(points, time=time, grid=grid, used=used):
            """Fewer frames, as from slower cameras, then the filter."""
            at = np.stack([CubicSpline(time, np.nan_to_num(c))(grid) for c in points.T], axis=1)
            at[np.interp(grid, time, np.isnan(points).any(axis=1)) > 0.0] = np.nan
            return low_pass(at, used, min(EVENT_CUTOFF, 0.4 * used))

        for side, foot in feet.items():
            events = marker_events(side, Foot(sampled(foot.heel), sampled(foot.toe)), sampled(pelvis), grid)
            for stance in (s for s in stances if s.side == side):
                for kind, instant in (("initial contact", stance.onset), ("foot off", stance.end)):
                    late = min((e.time - instant for e in events if e.kind == kind), key=abs, default=np.nan)
                    found.setdefault((file, kind), []).append(late)
    return found


@pytest.mark.parametrize("rate", [None, 60.0])
def test_contacts_are_within_20_ms_and_foot_offs_within_15_ms_of_the_plates(walks, rate, record_property):
    """Nothing is fitted: the constants are published or physical, and no event is shifted towards the plates."""
    found = errors(walks, rate)
    lines = [f"{'trial':36}{'kind':17}errors, ms (late positive)"]
    lines += [
        f"{file:36}{kind:17}{' '.join(f'{1000 * e:+4.0f}' for e in late)}" for (file, kind), late in found.items()
    ]
    for kind, limit in MAX_MEDIAN.items():
        all_late = np.array([e for (_, k), late in found.items() if k == kind for e in late])
        assert len(all_late) >= 16, "contacts that plates measured whole"
        bias, absolute = float(np.mean(all_late)), float(np.median(np.abs(all_late)))
        lines.append(
            f"{'all':36}{kind:17}bias {1000 * bias:+.0f}, median absolute {1000 * absolute:.0f}, "
            f"largest {1000 * np.abs(all_late).max():.0f} of {len(all_late)}"
        )
        assert abs(bias) < limit
        assert absolute < limit
    record_property("table", "\n".join(lines))
    for (file, kind), late in found.items():
        assert abs(np.median(late)) < TWO_FRAMES, (file, kind)
