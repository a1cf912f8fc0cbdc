"""The methods paragraph states the configured methods only; the quality section gives reasons for missing results."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.conventions import GRAVITY
from pipeline.reporting.notes import headline, leading
from pipeline.reporting.numbers import number
from pipeline.reporting.pages import _environment
from pipeline.reporting.references import REFERENCES
from pipeline.reporting.run import flat, setting
from pipeline.reporting.trial.methods import methods
from pipeline.reporting.trial.quality import assess
from pipeline.reporting.trial.tables import segment_rows, subject_rows
from pipeline.trial import Event, LowPass, Note
from tests.reporting.conftest import NOTHING_FOUND

CONFIGURATION = {
    "filter": {"markers": 7.0, "forces": 15.0, "order": 4, "max_gap": 0.25},
    "events": {"sources": ["plates", "markers"], "on_force": 25.0, "off_force": 12.0, "foot_distance": 0.11},
}


def test_the_paragraph_has_the_values_that_were_configured(walk):
    used = LowPass(7.0, 15.0, 4)
    text = methods(replace(walk[0], low_pass=used), walk[2], walk[3], CONFIGURATION).text
    for said in ("low-pass filtered at 7 Hz and plate loads at 15 Hz", "of order 4", "gaps up to 0.25 s"):
        assert said in text
    for said in ("above 25 N and ends below 12 N", "within 110 mm", "otherwise from the markers"):
        assert said in text
    for said in ("Harrington et al. (2007)", "de Leva (1996)", "axes of the distal segment", "70.0 kg", "100 Hz"):
        assert said in text
    assert "stored in the file" not in text


def test_thresholds_are_those_of_the_body_weight_and_events_of_the_table_are_named(walk):
    calibration = replace(walk[0].calibration, values=walk[0].calibration.values | {"mass": 250.0 / GRAVITY})
    given = (*walk[0].events, Event(0.1, "left", "foot off", "trials.tsv"))
    text = methods(replace(walk[0], calibration=calibration, events=given), walk[2], walk[3], CONFIGURATION).text
    assert "above 12.5 N and ends below 6 N" in text, "half of a body weight of 500 N"
    assert "come from trials.tsv, otherwise from the plates'" in text


def test_one_cutoff_for_both_is_stated_once(walk):
    text = methods(walk[0], walk[2], walk[3], {"filter": {"markers": 6.0, "forces": None}}).text
    assert "Markers and plate loads were low-pass filtered at 6 Hz" in text


def test_a_cutoff_from_the_data_is_stated_with_its_method_and_value(walk):
    gcv = replace(walk[0].cutoff, value=9.5, method="gcv")
    chosen = replace(walk[0], cutoff=gcv, low_pass=LowPass(9.5, 9.5, 4))
    found = methods(chosen, walk[2], walk[3], {"filter": {"markers": "gcv", "forces": None}})
    assert "low-pass filtered at 9.5 Hz" in found.text
    assert "generalised cross-validation (Craven and Wahba 1979)" in found.text
    assert any(reference.startswith("Craven") for reference in found.references)


def test_nothing_is_claimed_that_is_not_recorded(walk):
    text = methods(walk[0], walk[2], walk[3], {}).text
    for unknown in ("Butterworth", "Marker gaps", "Initial contacts", "None", "nan"):
        assert unknown not in text


@pytest.mark.parametrize(
    ("axes", "hip", "inertia", "cited"),
    [
        ("joint", "bell", "dempster", ("Bell AL", "Desroches G", "Winter DA")),
        ("proximal", "davis", "de_leva", ("Davis RB", "de Leva P")),
    ],
)
def test_works_that_the_paragraph_names_are_listed_and_only_those(walk, axes, hip, inertia, cited):
    calibration = replace(walk[0].calibration, hip_method=hip, inertia_table=inertia)
    found = methods(
        replace(walk[0], calibration=calibration), replace(walk[2], moment_axes=axes), walk[3], CONFIGURATION
    )
    listed = [reference.split(" ")[0] if reference[0].isupper() else "de Leva" for reference in found.references]
    for reference in REFERENCES.values():
        author = "de Leva" if reference.startswith("de ") else reference.split(" ")[0]
        assert (author in listed) == (author in found.text), author
    assert all(any(reference.startswith(author) for reference in found.references) for author in cited)


def test_notes_of_all_stages_are_grouped_with_warnings_first_and_none_twice(walk):
    kinematics, loads, cycles, summary = walk
    kinematics = replace(
        kinematics, notes=(*kinematics.notes, *kinematics.calibration.notes, Note("warning", "marker RHEE", "not seen"))
    )
    loads = replace(loads, notes=(Note("left out", "left leg", "no clean step"),))
    bands = SimpleNamespace(notes=(Note("left out", "uncertainty", "1 of 8 errors gives no body"),))
    quality = assess(kinematics, loads, cycles, summary, NOTHING_FOUND, uncertainty=bands)
    assert list(quality.notes) == ["Warnings", "Excluded", "Estimated", "Assumed", "Gaps filled"]
    assert [len(group) for group in quality.notes.values()] == [1, 2, 1, 1, 1]
    assert (quality.gaps, quality.filled_frames) == (3, 6)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"plates": ()}, "the recording has no force plate"),
        ({"stances": ()}, "the left foot did not contact a plate"),
        ({}, "plate 1: two feet on the plate"),
    ],
)
def test_the_nearest_reason_for_missing_kinetics_is_given(stepless, change, reason):
    quality = assess(replace(stepless[0], **change), *stepless[1:], NOTHING_FOUND)
    assert quality.no_kinetics["left"] == reason
    assert quality.without_kinetics.startswith(f"left: {reason}; right: ")


def test_a_clean_step_outside_a_complete_cycle_has_its_own_reason(walk):
    kinematics, loads, cycles, summary = walk
    none = assess(kinematics, loads, replace(cycles, cycles=()), summary, NOTHING_FOUND)
    assert none.no_cycle == ("left", "right")
    assert none.no_kinetics["left"] == "no complete gait cycle: two initial contacts and a foot off are needed"
    other = tuple(replace(c, cycle=replace(c.cycle, plate=0)) for c in cycles.cycles)
    outside = assess(kinematics, loads, replace(cycles, cycles=other), summary, NOTHING_FOUND)
    assert outside.no_cycle == ()
    assert outside.no_kinetics["left"] == "the clean step is not the stance of a complete gait cycle"
    assert assess(kinematics, loads, cycles, summary, NOTHING_FOUND).no_kinetics == {"left": "", "right": ""}


def test_configuration_is_flattened_in_its_order():
    nested = {"b": {"x": 6.0, "y": None, "z": {}}, "a": [True, "p"], "c": ()}
    assert flat(nested) == [("b.x", "6"), ("b.y", "not set"), ("b.z", "none"), ("a", "yes, p"), ("c", "none")]
    assert setting(nested, "b.x") == 6.0
    assert setting(nested, "a.x") is None


def test_subject_values_and_segments_are_in_the_laboratorys_units(walk):
    rows = subject_rows(walk[0].calibration)
    assert rows == [
        ("mass", "70.0", "kg", "subjects.tsv"),
        ("height", "1.75", "m", "static file"),
        ("leg length left", "900.0", "mm", "not recorded"),
        ("leg length right", "920.0", "mm", "not recorded"),
        ("knee width left", "101.0", "mm", "static file"),
        # -0.2 rad
        ("tibial torsion left", "\N{MINUS SIGN}11.5", "°", "not recorded"),
    ]
    assert segment_rows(walk[0].calibration) == [
        ("left foot", "0.90", "200", "50", "\N{MINUS SIGN}20", "0", "10.0", "40.0", "40.0")
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(-0.004, "0.00"), (-1.005, "\N{MINUS SIGN}1.00"), (np.nan, "\N{EN DASH}"), (12.0, "12.00")]
)
def test_numbers_have_fixed_decimals_and_no_negative_zero(value, text):
    assert number(value, 2) == text


@pytest.mark.parametrize(
    ("refused", "warned", "shown", "more"), [(0, 8, 8, ""), (2, 9, 6, "3 more"), (9, 1, 0, "1 more")]
)
def test_so_many_findings_of_a_walk_are_shown_and_the_rest_stay_in_its_notes(refused, warned, shown, more):
    notes = {
        "Not plausible": [Note("refusal", f"knee {k}", "is upside down") for k in range(refused)],
        "Warnings": [Note("warning", f"plate <{k}>", "is late") for k in range(warned)],
    }
    page = str(_environment().get_template("parts.html.j2").module.warnings(notes, most=8))
    assert page.count("is upside down") == refused, "no refusal is left out"
    assert page.count("is late") == shown
    assert ("more under" in page) == bool(more)
    assert more in page
    assert "plate <" not in page
    assert str(_environment().get_template("parts.html.j2").module.warnings(notes)).count("is late") == warned


LATE = "its force is 12 ms late, 3 after 2 s (limit 8 ms), probably as a filter delays it; likewise plate 2: check <it>"


def test_a_finding_shows_what_was_found_and_the_rest_on_request():
    page = str(_environment().get_template("parts.html.j2").module.finding("plate <1>", LATE))
    visible, _, folded = page.partition("</summary>")
    assert "its force is 12 ms late, 3 after 2 s" in visible
    assert "limit" not in visible
    assert "likewise plate 2: check &lt;it&gt;" in folded
    assert "plate &lt;1&gt;" in visible
    assert "details" not in str(_environment().get_template("parts.html.j2").module.finding("plate 1", "is late"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("values differ (a 1; b 2: in this order; limit 3): check", "values differ (a 1; b 2: in this order; limit 3)"),
        ("is 3 mm off (seen: twice) (limit 2), check", "is 3 mm off (seen: twice)"),
        ("an open ( bracket: check", "an open ( bracket"),
        ("is late", "is late"),
    ],
)
def test_what_is_in_brackets_is_shown_whole(text, shown):
    assert headline(text) == shown


def test_the_first_findings_are_shown_within_a_number_of_words_but_one_in_any_case():
    notes = [Note("warning", "plate 1", LATE) for _ in range(9)]
    assert len(leading(notes, 9, words=3 * 12)) == 3, "two of the subject and ten of the headline"
    assert len(leading(notes, 9, words=3 * 12 - 1)) == 2
    assert len(leading(notes, 2, words=1000)) == 2
    assert len(leading(notes, 4, words=1)) == 1
    assert leading(notes, 0) == ()
