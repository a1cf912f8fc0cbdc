"""A finished study of which any one file is damaged: one run makes it whole, or says why it does not."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.results import seal_folder
from pipeline.workflow.machine import SUFFIX
from pipeline.workflow.origin import read_origin, write_origin
from pipeline.workflow.previous import PREVIOUS
from tests.studies.bench import ROOT, files_of, lasting, make_bench

pytestmark = pytest.mark.long

SEED, DRAWN = 20, 3
"""Of the draw of files, and how many are damaged in each way."""


def gait_run(study: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "pipeline", "run", str(study), "--cores", "2"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def whole(study: Path) -> dict[str, bytes]:
    """Content of every result and page but for the marked block of pages, which differs between runs."""
    return {name: lasting(content) for name, content in files_of(study).items() if SUFFIX not in name}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its second recording comes from a computer whose clock is two hours ahead."""
    study = make_bench(tmp_path_factory.mktemp("repair")).study
    os.utime(study / "data/raw/w2.c3d", (time.time() + 7200.0,) * 2)
    status, text = gait_run(study)
    assert status == 0, text
    assert "Ann/day2/w: the time of w2.c3d is 2.0 h in the future" in text
    return study


def test_a_finished_study_is_compared_with_its_lists_and_snakemake_is_not_started(finished: Path) -> None:
    before = whole(finished)
    status, text = gait_run(finished)
    assert (status, "snakemake" in text) == (0, False), text
    assert "all 4 trials are complete" in text
    assert whole(finished) == before
    os.utime(finished / "config/config.yaml")  # a time is no change
    assert "snakemake" not in gait_run(finished)[1]
    with (finished / "config/config.yaml").open("a") as file:
        file.write("# a remark\n")
    status, text = gait_run(finished)
    assert (status, "snakemake" in text) == (0, True), text


def keeping_times(path: Path, content: bytes) -> None:
    status = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def delete(path: Path, study: Path) -> None:
    path.unlink()


def flip(path: Path, study: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    keeping_times(path, bytes(content))


def truncate(path: Path, study: Path) -> None:
    keeping_times(path, path.read_bytes()[:-9])


def swap(path: Path, study: Path) -> None:
    """Another walk's file under this name."""
    other = Path(str(path).replace("day1", "\0").replace("day2", "day1").replace("\0", "day2"))
    keeping_times(path, other.read_bytes() if other != path and other.is_file() else b"another file")


def age(path: Path, study: Path) -> None:
    os.utime(path, (1e9, 1e9))


def postdate(path: Path, study: Path) -> None:
    os.utime(path, (time.time() + 7200.0,) * 2)


CONTENTS, TIMES = (delete, flip, truncate, swap), (age, postdate)


@pytest.mark.parametrize("ways", [CONTENTS, pytest.param(TIMES, marks=pytest.mark.exhaustive)])
def test_any_files_and_folders_are_mended_by_one_run(finished: Path, ways: tuple[Callable, ...]) -> None:
    """Files of every kind (stage, page, table, verdict), drawn at random; the bytes are as before."""
    before = whole(finished)
    by_kind: dict[tuple[str, ...], list[str]] = {}
    for name in sorted(before):
        by_kind.setdefault((*Path(name).parts[-2:-1], Path(name).suffix), []).append(name)
    draw = random.Random(f"{SEED} {len(ways)}")
    chosen = [draw.choice(by_kind[kind]) for kind in draw.sample(sorted(by_kind), DRAWN * len(ways))]
    for number, name in enumerate(chosen):
        ways[number % len(ways)](finished / name, finished)
    if ways is CONTENTS:
        days = finished / "data/results/Ann"
        shutil.rmtree(days / "day1/summary")
        (days / "day1/plausibility").rename(finished / "other")
        (days / "day2/plausibility").rename(days / "day1/plausibility")
        (finished / "other").rename(days / "day2/plausibility")
        (days / "day2/report/SHA256SUMS").unlink(missing_ok=True)
    status, text = gait_run(finished)
    assert status == 0, f"{chosen}\n{text}"
    after = whole(finished)
    assert [name for name in before | after if before.get(name) != after.get(name)] == [], chosen
    assert "Traceback" not in text
    assert ("set aside" in text) is (ways is CONTENTS)


def test_results_of_another_run_and_of_a_clock_that_was_ahead_are_mended_by_one_run(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole in themselves, as from a backup: of other settings, of another table; and lists and scripts are gone."""
    before = whole(finished)
    monkeypatch.chdir(finished)
    pages, tables = Path("reports/Ann/day1/walks"), Path("data/results/tables.sha256")
    origin = read_origin(pages)
    assert origin is not None
    write_origin(pages, replace(origin, job="another"))
    (pages / "w.html").write_text("the page of other settings")
    seal_folder(pages)
    listed = tables.read_text()
    tables.write_text(re.sub(".{64}  config/trials.tsv", f"{'0' * 64}  config/trials.tsv", listed))
    assert tables.read_text() != listed
    for name in ("reports/page.sha256", "reports/scene.js"):
        Path(name).unlink()
    stamps = [path for part in ("data/results", "reports") for path in Path(part).rglob(".snakemake_timestamp")]
    assert len(stamps) > 20
    for path in stamps:
        postdate(path, finished)
    status, text = gait_run(finished)
    assert status == 0, text
    assert "raw/.snakemake_timestamp: its time was 2.0 h in the future; it is set to now" in text
    assert "reports/Ann/day1/walks: was made with other settings; set aside" in text
    assert "tables.sha256: was not made from the present config/trials.tsv" in text
    after = whole(finished)
    assert [name for name in before | after if before.get(name) != after.get(name)] == []


def test_recordings_that_change_are_read_again_and_a_failed_trial_keeps_its_status(finished: Path) -> None:
    """Also one replaced by another of its size and time."""
    recording, verdict = finished / "data/raw/w2.c3d", finished / "data/results/verdict.txt"
    kept, before = recording.read_bytes(), whole(finished)
    changed = bytearray(kept)
    changed[-400] ^= 1  # a sample of the last frame
    keeping_times(recording, bytes(changed))
    raw = [finished / f"data/results/Ann/day2/raw/{name}.h5" for name in ("still", "w")]
    files = [path.stat().st_ino for path in raw]
    status, text = gait_run(finished)
    assert status == 0, text
    assert whole(finished) != before
    assert [path.stat().st_ino == file for path, file in zip(raw, files, strict=True)] == [True, False], "taken over"
    assert not (finished / PREVIOUS).exists()
    recording.write_bytes(b"garbage")
    for _ in range(2):  # the second has nothing to compute
        status, text = gait_run(finished)
        assert status == 1, text
        assert "1 of 4 trials failed" in text
        assert not verdict.exists()
    keeping_times(recording, kept)
    status, text = gait_run(finished)
    assert status == 0, text
    assert whole(finished) == before
