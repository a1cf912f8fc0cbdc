"""The commands and their options. Each imports what it runs only when called, so that help appears at once."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline import __version__
from pipeline.cli.status import BusyError, Status, table
from pipeline.cli.terminal import complain, say
from pipeline.errors import PipelineError
from pipeline.workflow.machine import machine_failure

if TYPE_CHECKING:
    from pipeline.config import Study

app = typer.Typer(
    name="gait",
    help="Compute joint angles, moments and powers from a movement laboratory's C3D files, with a report of each walk.",
    epilog=f"Exit status:\n\n{table()}",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

StudyFolder = Annotated[Path, typer.Argument(help="The study's folder.", show_default="the current one")]
Cores = Annotated[int | None, typer.Option("--cores", "-c", min=1, help="Number of processors.", show_default="all")]
MarkerSetFile = Annotated[
    Path | None, typer.Option(help="File of the marker set.", show_default="recognised by the labels")
]
PASSED_ON: dict[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Options that a command does not know are passed on to Snakemake."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the process's exit status, one of `Status`.

    Names of files are UTF-8, also in a locale of another encoding, in which Python would not find those with other
    letters than A to Z: the process then starts again.
    """
    if arguments is None and sys.getfilesystemencoding() != "utf-8":
        words = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, words, {**os.environ, "PYTHONUTF8": "1"})
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files may have characters that its encoding lacks
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app(args=arguments, prog_name="gait")
    except BusyError as error:
        complain(str(error))
        return Status.BUSY
    except PipelineError as error:
        complain(str(error))
        return Status.NOT_STARTED
    except OSError as error:
        complain(machine_failure(error))
        return Status.STOPPED
    except SystemExit as end:  # every command ends with it
        return int(end.code or 0)
    return 0


def _version(asked: bool) -> None:
    if asked:
        say(f"gait-pipeline {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def new(
    study: Annotated[Path, typer.Argument(help="Folder of the new study.")],
    source: Annotated[Path, typer.Option("--from", help="Folder with the C3D or TRC files.")],
) -> None:
    """Draft a study's tables from a folder of recordings, and list what was found and what is missing."""
    from pipeline.cli.checklist import checklist
    from pipeline.cli.draft import draft_study
    from pipeline.cli.marker_sets import confirm, unconfirmed_sets

    say("\n".join(checklist(study, draft_study(study, source))))
    waiting = unconfirmed_sets(study) if sys.stdin.isatty() else []
    for path in waiting:
        if typer.confirm(f"Have you compared the labels of {path} with your protocol, and are they right?"):
            say("\n".join(confirm(study, (path.stem,))))


@app.command()
def add(
    study: Annotated[Path, typer.Argument(help="Folder of the study.")],
    source: Annotated[Path, typer.Option("--from", help="Folder with the C3D or TRC files to add.")],
    subject: Annotated[str | None, typer.Option(help="Their subject, if the folders do not say.")] = None,
    session: Annotated[str | None, typer.Option(help="Their session, if the folders do not say.")] = None,
) -> None:
    """Add new visits, conditions and walks from a folder to a study's tables; existing rows stay as they are."""
    from pipeline.cli.add import add_recordings

    say("\n".join(add_recordings(study, source, subject or "", session or "")))


@app.command(name="confirm")
def confirm_sets(
    study: StudyFolder = Path(),
    marker_sets: Annotated[list[str] | None, typer.Argument(help="Names of the sets.", show_default="all")] = None,
) -> None:
    """Confirm that the guessed labels of drafted marker sets were checked; pages no longer call them unconfirmed."""
    from pipeline.cli.marker_sets import confirm

    say("\n".join(confirm(study, tuple(marker_sets or ()))))


@app.command()
def check(
    path: Annotated[Path, typer.Argument(help="A C3D or TRC file, or a study's folder.")],
    tables: Annotated[
        bool, typer.Option("--tables", help="Read only a study's tables and marker sets, no recordings.")
    ] = False,
) -> None:
    """Show what is read from a file, or whether a study is ready to run, which trials would fail, and why."""
    from pipeline.acquisition import check_size, read_trial
    from pipeline.cli.check import check_study, describe
    from pipeline.config.study import forces_beside

    if path.is_dir() or (not path.exists() and not path.suffix):
        raise typer.Exit(check_study(path, recordings=not tables))
    trial = read_trial(path, forces=forces_beside(path))
    say("\n".join(describe(trial)))
    check_size(trial)


@app.command(context_settings=PASSED_ON)
def run(
    context: typer.Context,
    study: StudyFolder = Path(),
    cores: Cores = None,
    target: Annotated[list[str] | None, typer.Option(help="Make only this file or rule; can be repeated.")] = None,
) -> None:
    """Compute what is missing or out of date, with Snakemake. Further options, such as --dry-run, are passed on to it.

    Damaged results are set aside and computed again. The exit status is 0 only if all trials are complete; `gait
    --help` lists the others.
    """
    from pipeline.cli.running import available_cores, run_study

    raise typer.Exit(run_study(study, cores or available_cores(), target or [], context.args))


@app.command(context_settings=PASSED_ON)
def compare(context: typer.Context, study: StudyFolder = Path(), cores: Cores = None) -> None:
    """Compare sessions and conditions of each subject, and list the pages; comparisons.tsv chooses other groups."""
    from pipeline.cli.parts_of_study import compare as compare_walks
    from pipeline.cli.running import available_cores

    raise typer.Exit(compare_walks(study, cores or available_cores(), context.args))


@app.command()
def predict(
    study: Annotated[Path, typer.Argument(help="The study's folder; or a task's YAML file, see config/tasks.")],
    walks: Annotated[
        list[str] | None,
        typer.Argument(help="Measured walks: SUBJECT/SESSION/WALK.", show_default="those of predictions.tsv"),
    ] = None,
    cores: Cores = None,
    to: Annotated[
        Path | None,
        typer.Option(help="Folder for the results of a task.", show_default="next to its file, with its name"),
    ] = None,
) -> None:
    """Predict measured walks at their speed and compare both; or predict the motion of a task: an arm, a lift, a walk.

    Walks that are not in predictions.tsv are added to it.
    """
    from pipeline.cli.parts_of_study import predict as predict_walks
    from pipeline.cli.running import available_cores
    from pipeline.cli.task import is_task, predict_task

    if is_task(study):
        for path in predict_task(study, to, walks or []):
            say(f"Written: {path}")
        return
    raise typer.Exit(predict_walks(study, walks or [], cores or available_cores()))


def _study_with_results(folder: Path, where: str = "") -> Study:
    """Read a study, and warn if its results are not up to date; ``where`` is put before the warning."""
    from pipeline.config import HOME, load_study
    from pipeline.workflow.audit import outdated

    study = load_study(folder, HOME)
    if warning := outdated(study):
        complain(f"warning: {where}{warning}")
    return study


@app.command()
def weights(
    study: Annotated[Path, typer.Argument(help="Folder of a study that was run.")],
    name: Annotated[str, typer.Argument(help="Name of the weights.")],
    walks: Annotated[list[str], typer.Argument(help="Measured walks to fit to: SUBJECT/SESSION/WALK.")],
    judge: Annotated[list[str] | None, typer.Option(help="Walks to judge the weights on, without fitting.")] = None,
) -> None:
    """Fit the weights of predictions to measured walks, in minutes; write config/weights/NAME.yaml."""
    from pipeline.cli.own_weights import store_weights

    _study_with_results(study)
    say(f"Written: {store_weights(study, name, walks, judge or [])}")


@app.command()
def norm(
    name: Annotated[str, typer.Argument(help="Name of the norm.")],
    study: StudyFolder = Path(),
    condition: Annotated[str | None, typer.Option(help="Only walks of this condition.", show_default="all")] = None,
) -> None:
    """Make a speed-dependent norm from the healthy subjects of a study that was run: config/norms/NAME.json."""
    from pipeline.cli.norm import make_norm

    _study_with_results(study)
    for line in make_norm(study, name, condition):
        say(line)


@app.command()
def unlock(study: StudyFolder = Path()) -> None:
    """Release the lock of a run that was killed, if `gait run` cannot tell whether it has ended."""
    from pipeline.cli.running import unlock as release

    release(study)
    say("The study is not locked.")


@app.command()
def hips(
    file: Annotated[Path, typer.Argument(help="C3D file of a trial in which both hips are moved.")],
    marker_set: MarkerSetFile = None,
) -> None:
    """Compute hip centres from a trial of hip movement, as columns of subjects.tsv."""
    from pipeline.acquisition import read_trial
    from pipeline.cli.functional import hip_lines

    say("\n".join(hip_lines(read_trial(file), marker_set)))


@app.command()
def knees(
    file: Annotated[Path, typer.Argument(help="C3D file of a trial in which both knees are bent.")],
    static: Annotated[Path, typer.Option(help="C3D file of the static trial.")],
    marker_set: MarkerSetFile = None,
) -> None:
    """Compute the knees' flexion axes from a trial of knee flexion, as columns of subjects.tsv."""
    from pipeline.acquisition import read_trial
    from pipeline.cli.functional import knee_lines

    say("\n".join(knee_lines(read_trial(file), read_trial(static), marker_set)))


@app.command()
def export(
    source: Annotated[Path, typer.Argument(help="A trial: data/results/SUBJECT/SESSION/TRIAL; or a study's folder.")],
    target: Annotated[
        Path,
        typer.Argument(help="For a trial NAME.h5, .mat, .c3d, .trc, .osim, .mot, .sto or .xml; for a study a folder."),
    ],
    kind: Annotated[
        str | None,
        typer.Option("--as", help="For a study: bids, tidy, wide (one row per walk) or repeatability."),
    ] = None,
) -> None:
    """Export the results of a trial as one file, or those of a study as a folder of files, for other programs."""
    from pipeline.cli.exports import warning_before
    from pipeline.config import RESULTS
    from pipeline.results import export_study, export_trial

    if kind is None:
        if warning := warning_before(source, target):
            complain(f"warning: {warning}")
        for note in export_trial(source.parent, source.name, target):
            complain(note)
    else:
        for walk, reason in export_study(_study_with_results(source), source / RESULTS, target, kind).items():
            complain(f"left out: {walk}: {reason}")
    say(f"Written: {target}")


@app.command()
def collect(
    target: Annotated[Path, typer.Argument(help="Folder for the joined tables.")],
    studies: Annotated[list[Path], typer.Argument(help="Folders of complete studies.")],
) -> None:
    """Join the tidy tables of studies that were run as parts of one study."""
    from pipeline.cli.collect import collect as join
    from pipeline.cli.collect import differences

    for part in studies:
        _study_with_results(part, f"{part}: ")
    say("\n".join(f"Written: {path}" for path in join(target, studies)))
    for warning in differences(studies):
        complain(f"warning: {warning}")


@app.command()
def doctor(study: StudyFolder = Path()) -> None:
    """Show which installation and workflow are in use, and what could keep them from running."""
    from pipeline.cli.doctor import findings

    lines, sound = findings(study)
    say("\n".join(lines))
    raise typer.Exit(Status.COMPLETE if sound else Status.NOT_STARTED)


@app.command(name="open")
def open_report(study: StudyFolder = Path()) -> None:
    """Show the study's report in a browser."""
    from pipeline.cli.running import INDEX
    from pipeline.errors import ResultsError

    index = (study / INDEX).resolve()
    if not index.is_file():
        raise ResultsError("there is no report", where=str(index), remedy="Make it with: gait run")
    say(str(index))
    typer.launch(index.as_uri())
