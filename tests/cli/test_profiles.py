"""Profiles by name from any folder, and what keeps a study from being ready."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from snakemake.cli import get_profile_dir

from pipeline.cli import main
from pipeline.cli.profiles import check_executors, with_profiles
from pipeline.cli.status import Status
from pipeline.config import HOME
from pipeline.errors import ConfigError
from tests.small_study import write_files
from tests.studies.bench import make_bench

SLURM = str((HOME / "profiles/slurm").resolve())


@pytest.mark.parametrize(
    "options",
    [
        ["--workflow-profile", "slurm"],
        ["--workflow-profile", "profiles/slurm"],
        ["--workflow-profile", SLURM],
        ["--workflow-profile=slurm", "--jobs", "3"],
        ["--keep-going", "--workflow-profile", "slurm"],
    ],
)
def test_a_profile_that_ships_is_found_from_any_folder(options: list[str], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found, folders = with_profiles(options)
    assert folders == [Path(SLURM)]
    assert " ".join(found).replace("=", " ").count(f"--workflow-profile {SLURM}") == 1
    assert [word for word in found if "profile" not in word] == [
        word for word in options if "slurm" not in word and "profile" not in word
    ]


def test_a_profile_of_the_user_comes_before_one_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"slurm/config.yaml": "jobs: 2\n"})
    monkeypatch.chdir(tmp_path)
    assert with_profiles(["--workflow-profile", "slurm"]) == (
        ["--workflow-profile", str(tmp_path / "slurm")],
        [tmp_path / "slurm"],
    )
    assert with_profiles(["--workflow-profile", "none"])[0] == ["--workflow-profile", "none"]


@pytest.mark.parametrize("name", ["profile.yaml", "profile.v9+.yaml", "config.v8+.yaml", "config.yaml"])
def test_a_profile_is_a_folder_with_any_file_that_snakemake_reads_or_that_file(tmp_path: Path, name: str) -> None:
    (tmp_path / f".{name}").write_text("jobs: 1\n")
    with pytest.raises(ConfigError, match="there is no profile"):
        with_profiles(["--workflow-profile", str(tmp_path)])
    (tmp_path / name).write_text("executor: nowhere\n")
    for profile in (tmp_path, tmp_path / name):
        found, profiles = with_profiles(["--workflow-profile", str(profile)])
        assert (found[1], profiles) == (str(profile), [profile])
        assert get_profile_dir(found[1])[1] == tmp_path / name
        with pytest.raises(ConfigError, match="executor 'nowhere' is not installed"):
            check_executors(profiles)


@pytest.mark.skipif(find_spec("snakemake_executor_plugin_slurm") is not None, reason="SLURM's executor is installed")
def test_a_profile_without_its_executor_stops_a_run_and_names_the_package(tmp_path: Path, capsys) -> None:
    study = make_bench(tmp_path).study
    for options in (["--workflow-profile", "slurm"], ["--workflow-profile=slurm"]):
        assert main(["run", str(study), *options]) == Status.NOT_STARTED
        told = capsys.readouterr().err
        assert "executor 'slurm' is not installed" in told
        assert "pip install snakemake-executor-plugin-slurm" in told


def test_executors_that_are_there_are_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("executor: dryrun\n")
    check_executors(with_profiles(["--workflow-profile", str(tmp_path), "--jobs", "3"])[1])
    (tmp_path / "config.yaml").write_text("executor: cluster-generic\n")
    check_executors(with_profiles([f"--profile={tmp_path}"])[1])
    (tmp_path / "config.yaml").write_text("")
    check_executors(with_profiles(["--profile", str(tmp_path)])[1])
    check_executors(with_profiles(["--workflow-profile", "none"])[1])
    check_executors([])


def test_a_profile_that_is_not_yaml_is_named_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("jobs: 2\nexecutor: slurm: x\n")
    with pytest.raises(ConfigError, match=r"config\.yaml: is not YAML: .* line 2"):
        check_executors([tmp_path])


def test_a_study_whose_labels_are_still_to_be_named_is_not_ready(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    study = make_bench(tmp_path).study
    text = (HOME / "config/marker_sets/plug_in_gait.yaml").read_text(encoding="utf-8")
    files = {"marker_sets/drafted.yaml": text.replace("TOE", "TO_BE_NAMED_toe")}
    write_files(study / "config", files | {"config.yaml": "anatomy: {marker_set: drafted}\n"})
    assert main(["check", str(study)]) == Status.NOT_STARTED
    told = capsys.readouterr().err
    assert "TO_BE_NAMED_toe" in told
    assert "drafted.yaml" in told
    write_files(study / "config", {"marker_sets/drafted.yaml": text})
    assert main(["check", str(study)]) == Status.COMPLETE


def test_a_profile_that_neither_ships_nor_is_snakemakes_is_refused(tmp_path: Path, monkeypatch) -> None:
    for option, name in (("--profile", "nowhere"), ("--workflow-profile", "")):
        with pytest.raises(ConfigError, match=f"there is no profile '{name}'"):
            with_profiles([f"{option}={name}"])
    monkeypatch.setattr("snakemake.cli.get_profile_dir", lambda name: (tmp_path, tmp_path / "profile.yaml"))
    assert with_profiles(["--profile", "own"])[0] == ["--profile", "own"]
