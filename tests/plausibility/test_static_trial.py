"""Static trial and walk compared by the distances between markers of two rigid segments, which move apart."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.spatial.transform import Rotation

from pipeline.plausibility.static_trial import static_labels
from tests.recordings import recording_of

NAMES = tuple("ABCDEFGHIJ")
LEG = {"ABCDE": [0.0, 0.4, 0.0], "FGHIJ": [0.0, 0.0, 0.0]}
FRAMES = 60


@pytest.fixture
def positions(rng):
    """Where each of ten markers sits on its segment: 80 to 280 mm from one another."""
    box = [[1.0, 1.5, 1.0], [1.5, -1.0, -0.5], [-1.0, 0.5, -1.0], [-0.5, -1.0, 0.5], [2.0, 2.0, -1.5]]
    return {name: 0.06 * np.array(box[k % 5]) + rng.normal(0.0, 0.005, 3) for k, name in enumerate(NAMES)}


@pytest.fixture
def trial(rng):
    """A recording of the markers: standing, or swinging with 1 mm of noise."""

    def run(positions, name, swing=0.0):
        angle = swing * np.sin(np.linspace(0.0, 6.0, FRAMES))
        markers = {}
        for share, (names, middle) in zip((1.0, 2.5), LEG.items(), strict=True):
            R = Rotation.from_euler("z", share * angle[:, None]).as_matrix()
            for label in names:
                noise = rng.normal(0.0, 0.001, (FRAMES, 3))
                markers[label] = np.asarray(middle) + R @ positions[label] + noise
        return recording_of(markers, name)

    return run


def test_the_same_markers_on_the_same_body_give_no_warning(trial, positions):
    assert not list(static_labels(trial(positions, "static"), trial(positions, "walk", 0.6)))


def test_swapped_labels_are_named(trial, positions):
    swapped = positions | {"A": positions["B"], "B": positions["A"]}
    (finding,) = static_labels(trial(positions, "static"), trial(swapped, "walk", 0.6))
    assert (finding.grade, finding.subject) == ("warning", "markers A and B")
    place = {name: np.array(position) for name, position in positions.items()}
    apart = [abs(np.linalg.norm(place["A"] - place[c]) - np.linalg.norm(place["B"] - place[c])) for c in "CDE"]
    assert finding.value == pytest.approx(1000.0 * np.mean(apart), abs=1.0), "mm"
    assert finding.limit == 15.0


@pytest.mark.parametrize("size", [0.001, 0.9, 1.12])
def test_a_static_trial_of_another_body_or_in_other_units_is_named(trial, positions, size):
    """Distances of 80 to 280 mm change by a tenth, or the walk is a thousand times too small."""
    walk = trial({name: size * position for name, position in positions.items()}, "walk", 0.6)
    (finding,) = static_labels(trial(positions, "static"), walk)
    assert (finding.grade, finding.subject) == ("warning", "static trial static")
    assert "another person, other marker placements or other units" in finding.cause
    assert finding.limit == 8.0
    if size > 0.5:  # other pairs keep their distance in a walk of some tenths of a millimetre
        distances = [pdist([positions[name] for name in names]) for names in LEG]
        assert finding.value == pytest.approx(1000.0 * abs(1.0 - size) * np.median(distances), abs=1.0), "mm"
