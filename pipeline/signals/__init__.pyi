from .contact import Foot, contact_intervals, find_stances
from .cutoff_choice import cutoff_evidence
from .derivatives import angular_derivatives, derivatives
from .emg import linear_envelope
from .event_check import events_against_plates
from .events import find_cycles, find_events, plate_events, plausible_events
from .filters import MIN_RUN_S, high_pass, low_pass
from .frozen_markers import remove_frozen
from .gaps import fill_gaps
from .given_steps import given_events, given_steps_notes, meant_stances, without_rejected
from .ground import ground_load, swing_frames
from .joined_plates import joined, load_of
from .marker_events import EVENT_CUTOFF, KINDS, lateness, marker_event_errors, marker_events
from .marker_jumps import correct_jumps_and_swaps, jumps_of, label_order, off_trajectory
from .plates import filtered_at_frames, plate_load
from .runs import blocks, frame_ranges, runs_of

__all__ = [
    "EVENT_CUTOFF",
    "KINDS",
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
    "lateness",
    "linear_envelope",
    "load_of",
    "low_pass",
    "marker_event_errors",
    "marker_events",
    "meant_stances",
    "off_trajectory",
    "plate_events",
    "plate_load",
    "plausible_events",
    "remove_frozen",
    "runs_of",
    "swing_frames",
    "without_rejected",
]
