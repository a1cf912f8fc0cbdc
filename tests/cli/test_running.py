"""What `gait run` shows of a run, when it may release a lock, and what it refuses before a job starts."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.cli.following import KILLED, follow
from pipeline.cli.running import caches, command, release_stale_lock, why_not_writable
from pipeline.cli.status import BusyError
from pipeline.config import check_home
from pipeline.errors import ConfigError, printable
from pipeline.workflow.lock_owner import LOCKS, OWNER, is_locked, reason_to_keep, this_process, write_owner
from pipeline.workflow.machine import machine_failure, memory_limit, reason_at_exit
from pipeline.workflow.progress import Ended, Progress, read_line
from tests.small_study import write_files

JOB = "Command 'set -euo pipefail;  /x/python -S -P /x/job_client.py pipeline.{} --job 1 --log l' {}."


def followed(tmp_path: Path, *lines: str):
    text = "\n".join(lines)
    with subprocess.Popen([sys.executable, "-c", f"print({text!r})"], stdout=subprocess.PIPE) as process:
        return follow(process, tmp_path / "logs/snakemake.log")


def test_a_line_of_progress_is_read_as_it_was_meant(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    Progress(sys.stderr).trial("whole_body", "Ann/day1", "w", 2, 3, failed=True)
    Progress(sys.stderr).stopped("whole_body", "Ann/day1", "no\n  space")
    first, second = capsys.readouterr().err.splitlines()
    assert read_line(first) == Ended("whole body", "Ann/day1", "w", failed=True)
    assert read_line(second) == Ended("whole body", "Ann/day1", reason="no space")
    assert read_line("Select jobs to execute...") is None


def test_a_stopped_job_is_named_with_its_own_reason(tmp_path: Path) -> None:
    write_files(tmp_path, {"logs/tables.log": "Traceback\nValueError: odd\n"})
    stops = followed(
        tmp_path,
        "kinematics, A/1: stopped: the memory is used up",
        JOB.format("workflow kinematics A 1", "returned non-zero exit status 1"),
        JOB.format("workflow whole_body B 2", "returned non-zero exit status 137"),
        JOB.format("workflow cycles B 2", "died with <Signals.SIGKILL: 9>"),
        JOB.format("workflow report B 3", "died with <Signals.SIGSEGV: 11>"),
        JOB.format("stages.study tables", "returned non-zero exit status 1"),
    ).stops
    assert [(stop.job, stop.session, stop.reason) for stop in stops] == [
        ("kinematics", ("A", "1"), "the memory is used up"),
        ("whole body", ("B", "2"), KILLED),
        ("cycles", ("B", "2"), KILLED),
        ("report", ("B", "3"), "crashed (SIGSEGV)"),
        ("tables", None, f"ValueError: odd (see {tmp_path / 'logs/tables.log'})"),
    ]
    assert "non-zero" in (tmp_path / "logs/snakemake.log").read_text(), "snakemake's own words are kept"


def test_a_verdict_that_not_all_is_complete_is_no_stop(tmp_path: Path) -> None:
    told = followed(tmp_path, JOB.format("stages.study verdict", "returned non-zero exit status 1"))
    assert told.judged
    assert not told.stops


def locked(study: Path, **changes: object) -> str:
    (study / LOCKS).mkdir(parents=True, exist_ok=True)
    (study / LOCKS / "0.input.lock").write_text("")
    time.sleep(0.01)
    write_owner(study)
    (study / OWNER).write_text(json.dumps(asdict(replace(this_process(), **changes))))
    return reason_to_keep(study)


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_lock_is_released_only_where_its_process_is_known_to_have_ended(tmp_path: Path) -> None:
    assert f"process {os.getpid()} runs it now" in locked(tmp_path)
    assert locked(tmp_path, process=ended_process()) == ""
    assert locked(tmp_path, started="1") == "", "the number is another process's now"
    assert "on elsewhere" in locked(tmp_path, process=ended_process(), host="elsewhere")
    assert "holds its lock" in locked(tmp_path, process=ended_process(), namespace="of a container")
    with pytest.raises(BusyError, match="gait unlock"):
        release_stale_lock(tmp_path)
    os.utime(tmp_path / OWNER, (1e9, 1e9))
    assert "did not record its process" in reason_to_keep(tmp_path), "the lock is of a later run"
    (tmp_path / OWNER).unlink()
    assert "did not record its process" in reason_to_keep(tmp_path)


def test_unlock_has_snakemake_release_the_lock_of_that_study_whoever_holds_it(tmp_path, monkeypatch, capsys) -> None:
    assert "runs it now" in locked(tmp_path), "gait run would keep it"
    asked: list[list[str]] = []

    def release(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        (tmp_path / LOCKS / "0.input.lock").unlink()
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(subprocess, "run", release)
    assert main(["unlock", str(tmp_path)]) == 0
    assert asked == [command(tmp_path, 1, "--unlock")]
    assert asked[0][asked[0].index("--directory") + 1] == str(tmp_path)
    assert capsys.readouterr().out == "The study is not locked.\n"
    assert not is_locked(tmp_path)


def test_a_lock_that_cannot_be_released_is_told_with_snakemake_s_reason(tmp_path: Path, monkeypatch, capsys) -> None:
    words = "Traceback (most recent call last):\n\n  File x, line 1\n\nOSError: [Errno 13] Permission denied\n"
    refused = subprocess.CompletedProcess([], 1, "", words)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: refused)
    assert main(["unlock", str(tmp_path)]) == 4
    told = capsys.readouterr()
    assert f"{tmp_path}: cannot be unlocked: OSError: [Errno 13] Permission denied" in told.err
    assert told.out == ""


def test_a_folder_that_is_not_there_is_not_made_by_unlock(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["unlock", str(tmp_path / "nowhere")]) == 2
    assert "there is no such folder" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()


def test_a_lock_is_kept_while_a_job_of_the_ended_run_works(tmp_path: Path) -> None:
    waiting = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)", "pipeline.workflow"]
    with subprocess.Popen(waiting, cwd=tmp_path, stdout=subprocess.PIPE) as job:
        assert job.stdout is not None
        job.stdout.readline()
        assert f"its job {job.pid} is still at work" in locked(tmp_path, process=ended_process())
        job.kill()
    assert locked(tmp_path, process=ended_process()) == ""


def test_a_folder_in_which_nothing_can_be_written_is_found_even_by_root(tmp_path: Path) -> None:
    assert why_not_writable(tmp_path / "not/yet/there") == ""
    (tmp_path / "results").symlink_to("/proc")
    assert "cannot be written" in why_not_writable(tmp_path / "results")


def test_a_folder_within_one_that_may_not_be_entered_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the home folder of another user; simulated, since root may enter any."""
    (tmp_path / "home").mkdir()
    stat = os.stat

    def refused(path, *args, **kwargs):
        if str(path).startswith(str(tmp_path / "home/x")[:-1]):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, *args, **kwargs)

    monkeypatch.setattr(os, "stat", refused)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda dir: refused(dir / "new"))
    assert why_not_writable(tmp_path / "home/.cache") == "cannot be written (Permission denied)"


def test_the_doctor_says_if_a_folder_is_no_study(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["doctor", str(tmp_path)]) == 0
    assert f"folder, which is no study: {tmp_path}, " in " ".join(capsys.readouterr().out.split())
    write_files(tmp_path, ["config/config.yaml"])
    assert main(["doctor", str(tmp_path)]) == 0
    assert f" study: {tmp_path}, " in " ".join(capsys.readouterr().out.split())


def test_caches_are_in_the_study_if_there_is_no_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert caches(tmp_path / "study") == {}
    monkeypatch.delenv("XDG_CACHE_HOME")
    in_study = {"XDG_CACHE_HOME": str(tmp_path / "study/.snakemake/cache")}
    monkeypatch.setenv("HOME", "/proc/nobody")
    assert caches(tmp_path / "study") == in_study
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # of an account that the system does not know
    assert caches(tmp_path / "study") == in_study


def test_the_command_is_plain_snakemake(tmp_path: Path) -> None:
    words = command(tmp_path, 2, "-n")
    assert words[2:4] == ["-m", "snakemake"]
    assert Path(words[words.index("--snakefile") + 1]).is_file()
    assert words[-2:] == ["2", "-n"]
    words = command(Path("-pilot"), 1)
    assert words[words.index("--directory") + 1] == "./-pilot", "a name that begins with a dash is no option"


def test_a_brace_in_the_path_of_the_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="without braces"):
        check_home(tmp_path / "{new}")
    check_home(tmp_path / "it's new")


def test_control_characters_and_lone_surrogates_are_shown_as_escapes() -> None:
    assert printable("\x1b]0;evil\x07 \u202e\udc80\n\u00e9[red]") == "\\x1b]0;evil\\x07 \\u202e\\udc80\n\u00e9[red]"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device", "x.h5"), "x.h5: No space left on device. Free space"),
        (OSError("Can't write (errno = 28, error message = 'No space left on device')"), "Free space"),
        (OSError(30, "Read-only file system", "d"), "writable"),
        (MemoryError(), "fewer cores"),
    ],
)
def test_a_failure_of_the_machine_says_what_to_do(error: BaseException, words: str) -> None:
    assert words in machine_failure(error)


def test_a_step_of_the_study_ends_with_the_reason_why_the_machine_could_not_go_on() -> None:
    with pytest.raises(SystemExit, match="Free space on the disk"), reason_at_exit():
        raise OSError(28, "No space left on device")


def test_an_allocation_beyond_the_limit_fails_and_the_limit_ends_with_the_block() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(MemoryError), memory_limit(64 * 2**30):
        bytearray(65 * 2**30)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
