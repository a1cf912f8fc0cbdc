"""The measured trials as one study: what the check foresees is what the run finds, and what is exported opens."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import c3d
import ezc3d
import h5netcdf
import h5py
import numpy as np
import pandas
import pytest
import xarray
from scipy.io import loadmat

from pipeline.acquisition import read_trial
from pipeline.config import HOME, load_study
from pipeline.errors import ResultsError
from pipeline.results import export_trial
from pipeline.workflow.outcomes import reason_alone
from tests.studies.bench import QUICK

pytestmark = pytest.mark.long

Trial = tuple[str, str, str]

RECORDINGS = {".c3d", ".trc"}

OF_ALIKE = {"calibration/basel": 2, "edge/byteorder": 1, "edge/platetype": 3}
"""Recordings that are analysed of folders whose others add no case to a study: walks of one laboratory, one trial in
seven encodings, and trials with other types of plates, which `tests/acquisition` reads one by one."""


def gait(*words: str | Path) -> tuple[int, str]:
    """Status and messages of a command."""
    command = [sys.executable, "-m", "pipeline", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def study(trials: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `gait new` drafts it from a copy in which each folder with recordings is a subject; legs only."""
    folder = tmp_path_factory.mktemp("shared")
    left_out = [path for alike, count in OF_ALIKE.items() for path in sorted((trials / alike).iterdir())[count:]]
    for path in sorted(trials.rglob("*")):
        if path.suffix.lower() in RECORDINGS and path not in left_out:
            subject = "_".join(path.parent.relative_to(trials).parts)
            (folder / "files" / subject).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / "files" / subject / path.name)
    status, text = gait("new", folder / "study", "--from", folder / "files")
    assert status == 0, text
    with (folder / "study/config/config.yaml").open("a") as file:
        file.write(QUICK)
    return folder / "study"


@pytest.fixture(scope="module")
def foreseen(study: Path) -> tuple[int, str]:
    return gait("check", study)


@pytest.fixture(scope="module")
def found(study: Path, foreseen: tuple[int, str]) -> tuple[int, str]:
    return gait("run", study)


@pytest.fixture(scope="module")
def walks(study: Path, found: tuple[int, str]) -> list[Trial]:
    """Walks that have results."""
    failed = {one for one, _ in failed_in(found[1])}
    known = [(walk.subject, walk.session, walk.trial) for walk in load_study(study, HOME).walks]
    return [key for key in known if "/".join(key) not in failed]


@pytest.fixture(scope="module")
def one_of_each(walks: list[Trial]) -> list[Trial]:
    """A walk of each folder of trials, the last of its subfolders."""
    return list({walk[0].partition("_")[0]: walk for walk in walks}.values())


def failing_in(text: str) -> Iterator[tuple[str, str]]:
    """Trials that the check lists, with stage and reason."""
    for session, names, reason in re.findall(r"^  (\S+/\S+): (.+?) at (\w+: .*)$", text, re.MULTILINE):
        yield from ((f"{session}/{name}", reason) for name in names.split(", "))


def failed_in(text: str) -> Iterator[tuple[str, str]]:
    """Trials that the verdict of a run lists, with stage and reason."""
    for first, reason, _, more in re.findall(
        r"^  (\S+) failed at (\w+: .*)$(\n    \d+ more failed for the same reason: (.*)$)?", text, re.MULTILINE
    ):
        stage, _, text = reason.partition(": ")
        alone = f"{stage}: {reason_alone(text, first.rpartition('/')[2])}"
        yield from ((name, alone) for name in (first, *(more.split(", ") if more else ())))


def test_the_check_foresees_each_failure_of_the_run_and_no_other(foreseen, found, walks) -> None:
    expected, seen = dict(failing_in(foreseen[1])), dict(failed_in(found[1]))
    assert len(walks) >= 15
    assert len(seen) >= 5, "some of these recordings cannot be analysed"
    assert f"{len(seen)} of " in found[1], "the verdict's own count"
    assert expected == seen
    assert foreseen[0] == found[0] == 1


def test_a_walk_of_each_folder_opens_as_labelled_arrays(study: Path, one_of_each, tmp_path: Path) -> None:
    """Without this package: the tree of plain xarray has every array of the file, and h5netcdf every group."""
    seen: list[set[str]] = []
    for subject, session, name in one_of_each:
        path = tmp_path / f"{subject}.{session}.{name}.h5"
        export_trial(study / "data/results" / subject / session, name, path)
        groups, arrays = contents_of(path)
        if groups in seen:  # a second for each tree that plain xarray opens
            continue
        seen.append(groups)
        with xarray.open_datatree(path) as tree:
            assert {node.path.strip("/") for node in tree.subtree} == {"", *groups}, path.name
            assert arrays == {
                f"{node.path}/{key}".lstrip("/") for node in tree.subtree for key in node.to_dataset(False).variables
            }, path.name
            markers = tree["raw/markers_G"]
            assert markers.dims == ("time", "marker", "xyz")
            assert markers.attrs["units"] == "m"
            assert np.isfinite(markers).any()
        with h5netcdf.File(path) as plain:
            assert {at for at in groups if "/" not in at} == set(plain.groups)
            assert plain["raw/markers_G"].shape == markers.shape
        path.unlink()


def contents_of(path: Path) -> tuple[set[str], set[str]]:
    """Names of an HDF5 file's groups and arrays."""
    found: dict[type, set[str]] = {h5py.Group: set(), h5py.Dataset: set()}
    with h5py.File(path) as file:
        file.visititems(lambda at, item: found[type(item)].add(at))
    return found[h5py.Group], found[h5py.Dataset]


def test_every_walk_exported_as_c3d_is_read_by_two_libraries(study: Path, walks, tmp_path: Path) -> None:
    """Both find the same points as this package, and values of an analysis; a walk of TRC files has no C3D export."""
    known, read = load_study(study, HOME), 0
    for subject, session, name in walks:
        path = tmp_path / f"{subject}.{session}.{name}.c3d"
        recording = known.file_of(known.trials[subject, session, name])
        export_trial(study / "data/results" / subject / session, name, path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the C3D library of PyPI warns of each blank in a label
            first = ezc3d.c3d(str(path))
            with path.open("rb") as file:
                second = c3d.Reader(file)
                frames = np.stack([points[:, :3] for _, points, _ in second.read_frames()])
        points = first["data"]["points"][:3].transpose(2, 1, 0)
        assert frames.shape == points.shape, path.name
        seen = np.isfinite(points).all(axis=2)
        np.testing.assert_allclose(frames[seen], points[seen], rtol=1e-6, atol=1e-4)
        own = read_trial(path)
        assert [label.strip() for label in second.point_labels][: len(own.marker_names)] == [*own.marker_names]
        assert len(own.markers_G) == len(read_trial(recording).markers_G)
        read += 1
    assert read == len(walks)


def test_a_walk_of_each_folder_exported_for_matlab_is_read_by_scipy(study: Path, one_of_each, tmp_path: Path) -> None:
    for subject, session, name in one_of_each:
        path = tmp_path / f"{subject}.{session}.{name}.mat"
        export_trial(study / "data/results" / subject / session, name, path)
        found = loadmat(path, simplify_cells=True)
        assert (found["subject"], found["session"], found["trial"]) == (subject, session, name)
        assert {"raw", "kinematics", "inverse_dynamics", "cycles", "summary"} <= set(found), path.name
        assert found["units"]["raw"]["markers_G"] == "m"
        assert found["raw"]["markers_G"].shape[1:] == (len(found["raw"]["marker"]), 3)


def test_the_wide_table_has_a_row_for_each_walk(study: Path, walks, tmp_path: Path) -> None:
    status, text = gait("export", study, tmp_path / "wide", "--as", "wide")
    assert status == 0, text
    for table in (pandas.read_csv(tmp_path / "wide/walks.csv"), pandas.read_parquet(tmp_path / "wide/walks.parquet")):
        rows = {(row.subject, str(row.session), row.trial) for row in table.itertuples()}
        assert rows == set(walks)


def test_a_trial_without_results_is_not_exported_as_c3d(study: Path, found, tmp_path: Path) -> None:
    subject, session, name = next(failed_in(found[1]))[0].split("/")
    with pytest.raises(ResultsError, match=f"trial '{re.escape(name)}' has no results of kinematics"):
        export_trial(study / "data/results" / subject / session, name, tmp_path / "x.c3d")
    assert not list(tmp_path.iterdir())
