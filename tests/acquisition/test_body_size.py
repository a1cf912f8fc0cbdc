"""A recording whose declared unit of length is not that of its values is refused, not analysed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import check_size, read_trial
from pipeline.errors import AcquisitionError
from pipeline.trial import RawTrial

DEMO = Path(__file__).resolve().parents[2] / "data/demo"


@pytest.fixture(scope="module")
def walk() -> RawTrial:
    return read_trial(DEMO / "walk.c3d")


@pytest.mark.parametrize("factor", [25.4, 10.0, 0.1, 0.001, 1000.0], ids=["in", "mm as cm", "cm as mm", "m", "mm as m"])
def test_a_wrong_unit_is_named(walk: RawTrial, factor: float) -> None:
    with pytest.raises(AcquisitionError, match=r"m from their middle .*unit of length.*POINT:UNITS"):
        check_size(replace(walk, markers_G=factor * walk.markers_G))


def test_legs_alone_a_child_and_stray_or_missing_markers_pass(walk: RawTrial) -> None:
    """A child of 0.7 m; a marker of a light 50 m away; frames without any marker."""
    legs = [number for number, name in enumerate(walk.marker_names) if name[1:] in ("KNE", "ANK", "HEE", "TOE")]
    stray = walk.markers_G.copy()
    stray[:, 0] += 50.0
    stray[:20] = np.nan
    for markers_G in (walk.markers_G, 0.4 * walk.markers_G, walk.markers_G[:, legs], stray, stray[:20]):
        check_size(replace(walk, markers_G=markers_G))
