"""Each exit status, from a command that ends with it; and that help and documentation list them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cli import main, running
from pipeline.cli.following import Followed, Stop
from pipeline.cli.status import Status
from tests.studies.bench import make_bench

STUDY_PAGE = Path(__file__).parents[2] / "docs/howto/study.md"
STOP = Stop("ingest", None, "was killed")


@pytest.mark.parametrize(
    ("complete", "judged", "stops", "snakemake", "status"),
    [
        (True, False, [], 0, Status.COMPLETE),
        (False, False, [], 0, Status.INCOMPLETE),  # nothing was to do, and not all is complete
        (False, True, [], 1, Status.INCOMPLETE),
        (False, True, [STOP], 1, Status.STOPPED),
        (True, False, [STOP], 1, Status.STOPPED),
        (True, False, [], 1, Status.STOPPED),  # it ended early, for a reason of its own
        (True, False, [], 2, Status.NOT_STARTED),  # Snakemake does not know an option
    ],
)
def test_the_verdict_decides_and_not_how_snakemake_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complete: bool, judged: bool, stops: list, snakemake: int, status
) -> None:
    study = make_bench(tmp_path).study
    whole = running.ready_study(study)
    monkeypatch.setattr(running, "verdict", lambda *_: (["1 of 2 trials failed"] * (not complete), complete))
    followed = Followed(stops=stops, judged=judged)
    (study / running.VERDICT).parent.mkdir(parents=True)
    (study / running.VERDICT).write_text("all complete, as of an earlier run")
    assert running._tell_verdict(whole, followed, snakemake) == status
    assert (study / running.VERDICT).exists() == (status in (Status.COMPLETE, Status.NOT_STARTED)), (
        "an earlier verdict does not outlive its truth, which a run that never began leaves as it was"
    )


def test_what_is_wrong_before_a_run_is_another_status_than_a_failed_trial(tmp_path: Path, monkeypatch) -> None:
    study = make_bench(tmp_path).study
    assert main(["run", str(tmp_path / "nowhere")]) == Status.NOT_STARTED
    assert main(["run", str(study), "--cores", "none"]) == Status.NOT_STARTED
    assert main(["no-such-command"]) == Status.NOT_STARTED
    (study / "config/config.yaml").write_text("filter: {marker: 5}\n")
    assert main(["run", str(study)]) == Status.NOT_STARTED
    (study / "config/config.yaml").write_text("")
    monkeypatch.setattr(running, "why_not_writable", lambda folder: "cannot be written (Read-only file system)")
    assert main(["run", str(study)]) == Status.BUSY


def test_an_interrupted_run_and_a_failing_machine_have_their_own(tmp_path: Path, monkeypatch) -> None:
    study = make_bench(tmp_path).study
    monkeypatch.setattr(running, "follow", lambda process, log: Followed(interrupted=True))
    monkeypatch.setattr(running, "command", lambda *_: ["true"])
    assert main(["run", str(study)]) == Status.INTERRUPTED

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(running, "audit", full)
    assert main(["run", str(study)]) == Status.STOPPED


def test_help_and_documentation_have_every_status(capsys: pytest.CaptureFixture, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    main(["--help"])
    told, page = capsys.readouterr().out, STUDY_PAGE.read_text(encoding="utf-8")
    for status in Status:
        assert f"{status.value}: {status.meaning}." in told
        assert f"| {status.value} | {status.meaning} |" in page
