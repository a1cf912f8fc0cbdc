"""Signals of a walk: gaps filled, filtered and differentiated; contacts with plates, gait events and cycles from them.

In: sampled trajectories and loads with gaps. Out: the same without gaps and noise, their derivatives, and the instants
at which feet touch and leave the ground. Independent of body models.
"""

from pipeline.signals.contact import Foot, contact_intervals, find_stances
from pipeline.signals.cutoff_choice import cutoff_evidence
from pipeline.signals.derivatives import angular_derivatives, derivatives
from pipeline.signals.emg import linear_envelope
from pipeline.signals.event_check import events_against_plates
from pipeline.signals.events import find_cycles, find_events, plate_events, plausible_events
from pipeline.signals.filters import MIN_RUN_S, high_pass, low_pass
from pipeline.signals.frozen_markers import remove_frozen
from pipeline.signals.gaps import fill_gaps
from pipeline.signals.given_steps import given_events, given_steps_notes, without_rejected
from pipeline.signals.ground import ground_load, swing_frames
from pipeline.signals.joined_plates import joined, load_of
from pipeline.signals.marker_events import EVENT_CUTOFF, marker_event_errors, marker_events
from pipeline.signals.marker_jumps import correct_jumps_and_swaps, jumps_of, label_order, off_trajectory
from pipeline.signals.plates import filtered_at_frames, plate_load
from pipeline.signals.runs import blocks, frame_ranges, runs_of

__all__ = [
    "EVENT_CUTOFF",
    "MIN_RUN_S",
    "Foot",
    "angular_derivatives",
    "blocks",
    "contact_intervals",
    "correct_jumps_and_swaps",
    "cutoff_evidence",
    "derivatives",
    "events_against_plates",
    "fill_gaps",
    "filtered_at_frames",
    "find_cycles",
    "find_events",
    "find_stances",
    "frame_ranges",
    "given_events",
    "given_steps_notes",
    "ground_load",
    "high_pass",
    "joined",
    "jumps_of",
    "label_order",
    "linear_envelope",
    "load_of",
    "low_pass",
    "marker_event_errors",
    "marker_events",
    "off_trajectory",
    "plate_events",
    "plate_load",
    "plausible_events",
    "remove_frozen",
    "runs_of",
    "swing_frames",
    "without_rejected",
]
