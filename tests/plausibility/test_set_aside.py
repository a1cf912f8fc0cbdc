"""Which steps and curves are set aside, by findings with given effects."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.plausibility import contradicted_steps, doubtful_curves
from pipeline.plausibility.effects import BodyChanges
from pipeline.plausibility.limits import Limits, Spread
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError, PlateError
from pipeline.trial import Finding, Stance

LIMITS = Limits({"r": Spread(0.0, 1.0, 1.0, False, 1, 1, 1, 1)}, 3.0, 2.0, 0.05)
"""A residual of 2.5 gives a note, and one of 3.5 a warning."""

MODULE = sys.modules[contradicted_steps.__module__]
A, B, C, D, E, F = (Stance(k, "left", 0, 9, 0.0, 0.1, 0.0, "") for k in range(1, 7))
OF_STEPS = ("force_motion", "plates", "heel_contact", "push_off", "plates_by_motion")


def found(text, effect, error, *, residual="", value=3.5, grade="warning"):
    return FindingWithError(
        *(text, text, value, 3.0, "mm", "a test", "by a test", "none"),
        grade=grade,
        moment_error=effect,
        moment_of=f"{text} moment",
        residual=residual,
        error=error,
    )


@pytest.mark.parametrize("check", OF_STEPS)
def test_a_step_is_contradicted_by_the_finding_with_the_largest_moment_beyond_the_limit(monkeypatch, check):
    """0.2 Nm/kg; a note, an error of which of two steps is unknown and an error of the body do not count."""
    findings = [
        found("first", 0.25, PlateError((A,))),
        found("larger", 0.5, PlateError((A, C)), residual="r"),
        found("smaller", 0.4, PlateError((A,))),
        found("within", 0.19, PlateError((B,))),
        found("unknown", 0.9, PlateError((B,), known=False)),
        found("noted", 0.9, PlateError((B,)), residual="r", value=2.5),
        found("body", 0.9, BodyError()),
        found("below", 0.6, PlateError((E,))),
        found("beyond", 0.8, PlateError((F,))),
        Finding("no error", "is off", 1.0, 0.5, "mm", "", "", "", 0.9),
    ]
    for name in OF_STEPS:
        monkeypatch.setattr(MODULE, name, lambda *_, own=findings if name == check else []: iter(own))
    monkeypatch.setattr(MODULE, "with_effects", lambda some, *_: list(some))
    fore_aft = [(D, 0.21), (B, 0.19), (E, 0.7), (F, 0.7)]
    errors = [(SimpleNamespace(stance=stance), error) for stance, error in fore_aft]
    monkeypatch.setattr(MODULE, "fore_aft_errors", lambda _: errors)
    contradicted = contradicted_steps(None, None, None, None, LIMITS)
    texts = {stance: (why.text, why.moment_of, why.moment_error) for stance, why in contradicted.items()}
    motion = "its force contradicts the body's motion", "hip's moment"
    assert texts == {
        A: ("larger", "larger moment", 0.5),
        C: ("larger", "larger moment", 0.5),
        D: (*motion, 0.21),
        E: (*motion, 0.7),
        F: ("beyond", "beyond moment", 0.8),
    }


@pytest.mark.parametrize("check", ["knee_markers", "crosstalk", "shank_axes"])
def test_curves_are_doubtful_whose_change_is_beyond_what_a_clinician_decides_on(monkeypatch, check):
    """5 degrees and 0.2 Nm/kg, of the finding that changes them most; moments are given about the distal axes."""
    small, large, noted, moments = (BodyError(values={name: 1.0}) for name in ("s", "l", "n", "m"))
    changes = {
        "s": BodyChanges({"left_knee": np.array([6.0, 4.9, 0.0])}, {}),
        "l": BodyChanges({"left_knee": np.array([7.0, 0.0, 0.0]), "pelvis": np.array([0.0, 5.1, 0.0])}, {}),
        "n": BodyChanges({"right_hip": np.array([9.0, 9.0, 9.0])}, {}),
        "m": BodyChanges({}, {"right_hip": np.array([0.19, 0.0, 0.21])}),
    }
    findings = [
        found("small", 0.0, small),
        found("large", 0.0, large, residual="r"),
        found("small again", 0.0, small),
        found("noted", 0.0, noted, residual="r", value=2.5),
        found("a note", 0.0, noted, grade="note"),
        found("plate", 0.0, PlateError()),
        found("moments", 0.0, moments),
    ]
    for name in ("knee_markers", "crosstalk", "shank_axes"):
        monkeypatch.setattr(MODULE, name, lambda *_, own=findings if name == check else []: iter(own))
    monkeypatch.setattr(MODULE, "body_changes", lambda error, *_: changes[next(iter(error.values))])
    doubtful = doubtful_curves(None, None, None, LIMITS)
    assert {curve: (why.text, why.size, why.unit, why.limit) for curve, why in doubtful.items()} == {
        ("left", "knee_flexion"): ("large: large", 7.0, "degrees", 5.0),
        ("left", "pelvic_obliquity"): ("large: large", 5.1, "degrees", 5.0),
        ("right", "pelvic_obliquity"): ("large: large", 5.1, "degrees", 5.0),
        ("right", "hip_extensor_moment"): ("moments: moments", 0.21, "Nm/kg", 0.2),
    }
    monkeypatch.setattr(MODULE, "body_changes", lambda *_: None)
    assert not doubtful_curves(None, None, None, LIMITS), "where no walk without the error can be computed"
