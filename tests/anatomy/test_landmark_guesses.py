"""Guessing landmarks of labels that tell little or nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import yaml

from pipeline.anatomy import drafted_set, guess_landmarks
from tests.anatomy.conftest import recording

HEIGHTS = {
    "asi": 0.95,
    "thi": 0.7,
    "kne": 0.5,
    "knem": 0.5,
    "tib": 0.3,
    "ank": 0.08,
    "q": 0.08,
    "hee": 0.03,
    "toe": 0.02,
}
"""m, of plain names."""

MEDIAL = {"knem": 0.08, "q": 0.08}
"""m towards the middle."""


def markers(sides: str, heights: dict[str, float] = HEIGHTS) -> dict[str, np.ndarray]:
    """Places of a standing person's markers, 0.2 m apart from side to side; with one side only, or none."""
    lateral = {"l": -1.0, "r": 1.0}
    return {
        f"{side}{name}".upper(): np.array([0.0, height, lateral[side] * (0.1 - MEDIAL.get(name, 0.0))])
        for side in sides
        for name, height in heights.items()
    }


def guessed(standing: dict[str, np.ndarray], walking: dict[str, np.ndarray]) -> dict[str, tuple[str, str]]:
    still, moving = (
        recording({name: np.tile(at, (20, 1)) for name, at in places.items()}) for places in (standing, walking)
    )
    return {guess.label: (guess.side, guess.landmark) for guess in guess_landmarks(still, moving)}


def test_a_medial_marker_is_told_by_its_place_where_both_sides_are_named() -> None:
    whole = markers("lr")
    worn = {name: at for name, at in whole.items() if not name.endswith("Q")}
    found = guessed(whole, worn)
    assert found["LQ"] == ("left", "medial_ankle")
    assert found["RQ"] == ("right", "medial_ankle")


NOTHING: dict[str, np.ndarray] = {}


@pytest.mark.parametrize(
    "standing",
    [
        NOTHING,
        {"": np.zeros(3)},
        {"LASI": np.array([0.0, 1.0, 0.1])},
        markers("l"),
        markers("r"),
        {f"*{k}": at for k, at in enumerate(markers("lr").values())},
        {name + "_1": at for name, at in markers("lr").items()},
        {name: np.array([0.0, at[1], 0.0]) for name, at in markers("lr").items()},
        {name: np.array([at[0], 0.5, at[2]]) for name, at in markers("lr").items()},
        {name: np.full(3, np.nan) for name in markers("lr")},
    ],
    ids=["none", "blank", "one", "left", "right", "numbers", "doubled", "a line", "a height", "unseen"],
)
@pytest.mark.parametrize("walking", [NOTHING, markers("lr")], ids=["unlabelled walk", "walk"])
def test_labels_that_tell_nothing_give_no_guess_of_a_medial_marker(
    standing: dict[str, np.ndarray], walking: dict[str, np.ndarray]
) -> None:
    """Without two sides apart from each other there is no inside of a knee or ankle."""
    found = guessed(standing, walking)
    assert set(found) <= set(standing)
    assert not {label for label in found if label.endswith("Q")}


def test_a_marker_never_seen_with_the_pelvis_is_found_by_the_segment_it_is_seen_with() -> None:
    """The marker XX of the left thigh is hidden whenever the pelvis' markers are seen, which come first."""
    standing = markers("lr") | {"XX": np.array([0.05, 0.6, -0.1])}
    swing = {"LTHI": 0.1, "LKNE": 0.1, "LKNEM": 0.1, "XX": 0.1, "LTIB": 0.3, "LANK": 0.5, "LHEE": 0.5, "LTOE": 0.5}
    wave = np.sin(np.linspace(0.0, 6.0, 40))[:, None] * [1.0, 0.0, 0.0]
    walking = {name: at + swing.get(name, 0.0) * wave for name, at in standing.items()}
    walking["XX"][20:] = walking["LASI"][:20] = walking["RASI"][:20] = np.nan
    still = recording({name: np.tile(at, (20, 1)) for name, at in standing.items()})
    (found,) = [guess for guess in guess_landmarks(still, recording(walking)) if guess.label == "XX"]
    assert (found.side, found.landmark) == ("left", "thigh")


def test_labels_with_quotes_and_backslashes_are_kept_by_a_drafted_set() -> None:
    guesses = guess_landmarks(*[recording({name: np.tile(at, (20, 1)) for name, at in markers("lr").items()})] * 2)
    odd = [replace(guess, label=f'{guess.label}"\\x') for guess in guesses]
    drafted = yaml.safe_load(drafted_set("drafted", odd, [guess.label for guess in odd], []))
    assert set(drafted["skeleton"]["markers"]) == {guess.label for guess in odd}
