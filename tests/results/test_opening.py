"""A trial's file opens as labelled arrays with everything in it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import h5py
import numpy as np
import pytest

import pipeline
from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import Failure, gather, write_failure, write_stage
from pipeline.trial import Axis, Note, Quantity


@dataclass(frozen=True)
class Motion:
    name: str
    time: Annotated[np.ndarray, Axis("time", "time", "s")]
    marker_names: Annotated[tuple[str, ...], Axis("marker", "marker label")]
    markers: Annotated[np.ndarray, Quantity("positions", "m", ("time", "marker", "xyz"), "G")]
    turns: dict[str, Annotated[np.ndarray, Quantity("turn", "1", ("row", "column"), "frame")]]
    notes: tuple[Note, ...]


@pytest.fixture
def trial(tmp_path: Path) -> tuple[Path, Motion]:
    values = np.random.default_rng(1).normal(size=(4, 2, 3))
    value = Motion("w", np.arange(4) / 10, ("A/B", "ü"), values, {"l/r": np.eye(3)}, (Note("info", "x", "y"),))
    write_stage(tmp_path / "motion.h5", value, Provenance("motion"))
    write_failure(tmp_path / "loads.h5", Failure("w", "loads", "no plate"), Provenance("loads"))
    stages = {"motion": tmp_path / "motion.h5", "loads": tmp_path / "loads.h5"}
    gather(tmp_path / "w.h5", stages, Provenance("gather"))
    return tmp_path / "w.h5", value


def test_arrays_have_labels_units_and_frames(trial):
    path, value = trial
    tree = pipeline.open_trial(path)
    markers = tree["motion/markers"]
    np.testing.assert_array_equal(markers, value.markers)
    assert markers.dims == ("time", "marker", "xyz")
    assert (markers.attrs["units"], markers.attrs["frame"], markers.attrs["long_name"]) == ("m", "G", "positions")
    np.testing.assert_array_equal(markers.sel(marker="ü", xyz="y", time=0.2), value.markers[2, 1, 1])
    assert markers.coords["time"].attrs["units"] == "s"
    assert tree["motion/turns/l%2Fr"].dims == ("row", "column")
    assert tree["motion/notes/text"].values.tolist() == ["y"]


def test_groups_say_what_became_of_their_stage(trial):
    tree = pipeline.open_trial(str(trial[0]))
    assert tree["motion"].attrs["status"] == "ok"
    assert tree["loads"].attrs["status"] == "failed"
    assert tree["loads"].attrs["reason"] == "no plate"


def test_nothing_in_the_file_is_left_out(trial):
    stored: set[str] = set()
    with h5py.File(trial[0]) as file:
        file.visititems(lambda name, item: stored.add(name) if isinstance(item, h5py.Dataset) else None)
    tree = pipeline.open_trial(trial[0])
    found = {f"{node.path.strip('/')}/{name}".strip("/") for node in tree.subtree for name in node.variables}
    assert len(stored) > 8
    assert stored <= found


def test_a_file_that_is_none_is_an_error_for_the_user(tmp_path):
    with pytest.raises(ResultsError, match=r"nothing\.h5"):
        pipeline.open_trial(tmp_path / "nothing.h5")
    with pytest.raises(AttributeError, match="open_walk"):
        pipeline.open_walk  # noqa: B018


def test_importing_the_package_stays_light():
    program = "import sys, pipeline; print(sorted({'xarray', 'h5py', 'numpy', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
