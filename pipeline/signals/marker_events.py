"""Gait events from heel and toe markers: contacts by Hreljac and Marshall (2000), foot offs by Zeni et al. (2008).

Compared with the plates of eight published trials, at 60 to 120 frames a second, initial contacts are 5 ms late (median
absolute error 5 ms, maximum 17 ms) and foot offs 6 ms early (8 and 39 ms). All these subjects land on the heel or the
flat foot; no data on forefoot landing or running were available.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.conventions import SIDES, X, Y
from pipeline.signals.contact import Foot
from pipeline.trial import Event, Note

EVENT_CUTOFF = 10.0
"""Hz; low-pass filter of the points from which events are taken. At 6 Hz, as for joint moments, the heel's impact is
smoothed away; between 10 and 20 Hz the contacts change by less than 3 ms."""

KINDS = ("initial contact", "foot off")

SHIFTED = "markers, shifted"
"""Beginning of the source of a marker event that was shifted to agree with other events of its kind (`shifted_to`)."""

MIN_PROMINENCE = 0.3
"""Fraction of the foot's range along the progression, relative to the pelvis; a smaller advance is not a step."""

MIN_PERIOD = 0.4
"""s; minimum time between two steps of one foot."""

IMPACT = 0.15
"""s; the heel lands within this time after its foremost position: 0.03 to 0.065 s in healthy steps, 0.13 s in slow
ones."""

LANDING = 0.046
"""s from the heel's foremost position to contact: median over 73 plate contacts of the reference walks (standard
deviation 0.012 s). Used for motion from video, which is too smooth and too noisy to show the impact."""

IMPACT_OF_CYCLE = 0.12, 0.15
"""Fractions of the time between two steps of a foot within which `IMPACT` is kept: it is longer in very slow walking,
and ends before the heel rises in a run."""


def marker_events(side: str, foot: Foot, pelvis: np.ndarray, time: np.ndarray, *, impact: bool = True) -> list[Event]:
    """Initial contacts and foot offs of a foot from its heel and toe, interpolated between frames by a parabola.

    A step is found where the heel is foremost relative to the pelvis (Zeni, Richards and Higginson 2008, Gait and
    Posture 27(4), 710-714), on a treadmill as well as over ground. The heel lands after that, at its largest upward
    acceleration (Hreljac and Marshall 2000, Journal of Biomechanics 33(6), 783-786). The foot leaves the ground when
    the toe is rearmost relative to the pelvis (Zeni).

    Args:
        side: "left" or "right".
        foot: heel and toe, low-pass filtered at `EVENT_CUTOFF`.
        pelvis: (T, 3) m in G, filtered likewise.
        time: (T,) s, equidistant.
        impact: whether the heel's height shows its impact; otherwise contact is `LANDING` after the foremost position.
    """
    if len(time) < 10:
        return []
    period = time[1] - time[0]
    upward = np.full(len(time), np.nan)
    upward[1:-1] = np.diff(foot.heel[:, Y], 2) / period**2
    steps = _extremes((foot.heel - pelvis)[:, X], period)
    cycle = float(np.median(np.diff(steps))) if len(steps) > 1 else 0.0
    within = round(float(np.clip(IMPACT / period, *np.multiply(IMPACT_OF_CYCLE, cycle))) if cycle else IMPACT / period)
    if impact:
        contacts = [_landing(step, upward, within) for step in steps]
    else:
        contacts = [step + LANDING / period for step in steps if step + LANDING / period < len(time)]
    foot_offs = _extremes(-(foot.toe - pelvis)[:, X], period)
    return [
        Event(float(np.interp(frame, np.arange(len(time)), time)), side, kind, "markers")
        for kind, frames in zip(KINDS, (contacts, foot_offs), strict=True)
        for frame in frames
    ]


def _extremes(distance: np.ndarray, period: float) -> list[float]:
    """Frames, with fractions, at which a distance (T,) along the progression is largest in each step."""
    from scipy.signal import find_peaks

    seen = np.isfinite(distance)
    if seen.sum() < 10:
        return []
    filled = np.where(seen, distance, np.nanmin(distance))
    peaks, _ = find_peaks(
        filled, prominence=MIN_PROMINENCE * np.ptp(filled), distance=max(1, round(MIN_PERIOD / period))
    )
    # A peak at the edge of a gap exists only in the filled curve.
    return [_peak_near(distance, peak) for peak in peaks.tolist() if seen[peak - 1 : peak + 2].all()]


def _landing(step: float, upward: np.ndarray, within: int) -> float:
    """Frame of the largest upward acceleration (T,) after a step; the step itself if no height is seen."""
    first = int(np.ceil(step))
    window = upward[first : first + within + 1]
    if not np.isfinite(window).any() or np.ptp(window[np.isfinite(window)]) == 0.0:
        return step
    at = first + int(np.nanargmax(window))
    if not upward[at + 1] < upward[at]:  # it still grows where the window or the recording ends: the heel rises
        peaks = [frame for frame in range(first, at) if upward[frame - 1] < upward[frame] > upward[frame + 1]]
        at = max(peaks, key=upward.__getitem__, default=at)
    return _peak_near(upward, at)


def _peak_near(values: np.ndarray, frame: int) -> float:
    """Frame of the vertex of the parabola through a maximum, neither the first nor the last value, and its neighbours,
    at most half a frame away."""
    before, at, after = values[frame - 1 : frame + 2].tolist()
    bend = before - 2.0 * at + after
    return frame + float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < 0.0 else float(frame)


def shifted_to(accepted: Sequence[Event], found: Sequence[Event], within: float) -> list[Event]:
    """Marker events shifted by their median delay in this trial relative to the accepted events of their kind.

    The delay depends on shoe, marker and person, and is the same for all steps of a trial to within about 5 ms.
    """
    late = {kind: lateness(found, accepted, kind, within) for kind in KINDS}
    shifts = {kind: -float(np.median(values)) for kind, values in late.items() if values}

    def shifted(event: Event) -> Event:
        if event.kind not in shifts:
            return event
        shift = shifts[event.kind]
        return replace(event, time=event.time + shift, source=f"{SHIFTED} by {shift:+.3f} s")

    return [shifted(event) for event in found]


def marker_event_errors(found: Sequence[Event], plates: Sequence[Event], within: float) -> list[Note]:
    """A note on the delay of marker events relative to the trial's own plates, by kind."""
    parts = []
    for kind in KINDS:
        late = [1000.0 * value for value in lateness(found, plates, kind, within)]
        if late:
            middle = float(np.median(late))
            count = f" (median of {len(late)}, {min(late):+.0f} to {max(late):+.0f})" if len(late) > 1 else ""
            parts.append(f"{kind} {abs(middle):.0f} ms {'late' if middle > 0.0 else 'early'}{count}")
    if not parts:
        return []
    text = f"{', '.join(parts)} relative to this trial's plates; where no plate measured, they are shifted by that time"
    return [Note("info", "events of the markers", text)]


def lateness(found: Sequence[Event], reference: Sequence[Event], kind: str, within: float) -> list[float]:
    """Delays, s, of events of a kind relative to reference events of the same foot, where these are ``within`` s."""
    late = []
    for side in SIDES:
        own, others = (
            np.array([event.time for event in events if (event.side, event.kind) == (side, kind)])
            for events in (found, reference)
        )
        apart = own[:, None] - others
        late += apart[np.abs(apart) < within].tolist()
    return late
