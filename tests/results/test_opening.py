"""A trial's file opens as labelled arrays with everything in it."""

from __future__ import annotations

import shutil
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
from pipeline.results import DamagedFileError, Failure, export_trial, write_failure, write_stage
from pipeline.trial import Axis, Note, Quantity


@dataclass(frozen=True)
class Motion:
    name: str
    time: Annotated[np.ndarray, Axis("time", "time", "s")]
    marker_names: Annotated[tuple[str, ...], Axis("marker", "marker label")]
    markers: Annotated[np.ndarray, Quantity("positions", "m", ("time", "marker", "xyz"), "G")]
    turns: dict[str, Annotated[np.ndarray, Quantity("turn", "1", ("row", "column"), "frame")]]
    notes: tuple[Note, ...]


@pytest.fixture(params=["folder", "export"])
def trial(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, Motion]:
    """A trial in its session's folder, and as a self-contained file."""
    values = np.random.default_rng(1).normal(size=(4, 2, 3))
    value = Motion("w", np.arange(4) / 10, ("A/B", "ü"), values, {"l/r": np.eye(3)}, (Note("info", "x", "y"),))
    session = tmp_path / "Ann/day1"
    write_stage(session / "kinematics/w.h5", value, Provenance("kinematics"))
    write_failure(session / "inverse_dynamics/w.h5", Failure("w", "loads", "no plate"), Provenance("loads"))
    if request.param == "folder":
        return session / "w", value
    export_trial(session, "w", tmp_path / "w.h5")
    return tmp_path / "w.h5", value


def test_arrays_have_labels_units_and_frames(trial):
    path, value = trial
    tree = pipeline.open_trial(path)
    markers = tree["kinematics/markers"]
    np.testing.assert_array_equal(markers, value.markers)
    assert markers.dims == ("time", "marker", "xyz")
    assert (markers.attrs["units"], markers.attrs["frame"], markers.attrs["long_name"]) == ("m", "G", "positions")
    np.testing.assert_array_equal(markers.sel(marker="ü", xyz="y", time=0.2), value.markers[2, 1, 1])
    assert markers.coords["time"].attrs["units"] == "s"
    assert tree["kinematics/turns/l%2Fr"].dims == ("row", "column")
    assert tree["kinematics/notes/text"].values.tolist() == ["y"]


def test_groups_have_the_status_of_their_stage(trial):
    tree = pipeline.open_trial(str(trial[0]))
    assert tree["kinematics"].attrs["status"] == "ok"
    assert tree["inverse_dynamics"].attrs["status"] == "failed"
    assert tree["inverse_dynamics"].attrs["reason"] == "no plate"


def test_nothing_in_the_files_is_left_out(trial):
    path = trial[0]
    files = [path] if path.is_file() else sorted(path.parent.glob(f"*/{path.name}.h5"))
    stored: set[str] = set()
    for source in files:
        above = "" if source == path else f"{source.parent.name}/"
        with h5py.File(source) as file:
            names: list[str] = []
            file.visititems(
                lambda name, item, names=names: names.append(name) if isinstance(item, h5py.Dataset) else None
            )
        stored |= {f"{above}{name}" for name in names}
    tree = pipeline.open_trial(path)
    found = {f"{node.path.strip('/')}/{name}".strip("/") for node in tree.subtree for name in node.variables}
    assert len(stored) > 8
    assert stored <= found


def test_a_file_that_is_none_is_an_error_for_the_user(tmp_path):
    with pytest.raises(ResultsError, match=r"nothing\.h5"):
        pipeline.open_trial(tmp_path / "nothing.h5")
    with pytest.raises(ResultsError, match="has no trial 'walk'"):
        pipeline.open_trial(tmp_path / "walk")
    with pytest.raises(AttributeError, match="open_walk"):
        pipeline.open_walk  # noqa: B018


def test_importing_the_package_stays_light():
    program = "import sys, pipeline; print(sorted({'xarray', 'h5py', 'numpy', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_file_of_another_trial_is_not_opened_under_this_one_s_name(tmp_path):
    """In the folder of a stage; a copy elsewhere has no trial to be of."""
    own = tmp_path / "Ann/day1/kinematics/w.h5"
    value = Motion("w", np.arange(4) / 10, ("A",), np.zeros((4, 1, 3)), {}, ())
    write_stage(own, value, Provenance("kinematics", trial_key="Ann/day1/w"))
    for place in ("Ann/day1/kinematics/v.h5", "Ann/day2/kinematics/w.h5", "Bob/day1/kinematics/w.h5"):
        copy = tmp_path / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(own, copy)
        with pytest.raises(DamagedFileError, match=r"belongs to Ann/day1/w, not to"):
            pipeline.open_trial(copy.parents[1] / copy.stem)
    shutil.copy(own, tmp_path / "copy.h5")
    assert pipeline.open_trial(tmp_path / "copy.h5").attrs["trial_key"] == "Ann/day1/w"
    assert "kinematics" in pipeline.open_trial(tmp_path / "Ann/day1/w").children
