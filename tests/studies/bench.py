"""Studies that tests run: the demo in a folder of its own, and small studies beside a copy of the workflow."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data/demo"
PARTS = ("Snakefile", "pipeline", "profiles", "config", "reports/templates")

QUICK = "whole_body: {enabled: false}\n"
"""Without the whole skeleton, which these tests do not need: it takes most of a walk's time."""


TRIALS = (
    "trial\tsubject\tsession\tcondition\tkind\tfile\n"
    "still\tAnn\tday1\t\tstatic\tstill.c3d\nw\tAnn\tday1\tbarefoot\twalk\tit's $HOME; 1.c3d\n"
    "still\tAnn\tday2\t\tstatic\tstill.c3d\nw\tAnn\tday2\t\twalk\tw2.c3d\n"
)
"""Two sessions."""

FIRST_DAY = TRIALS[: TRIALS.index("still\tAnn\tday2")]
"""One session."""


def run_study(folder: Path, *targets: str) -> Path:
    """Run the demo study in a folder of its own."""
    if not folder.joinpath("config").exists():
        shutil.copytree(ROOT / "config", folder / "config")
        shutil.copytree(ROOT / "data/demo", folder / "data/demo")
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]
    done = subprocess.run(
        [*command, "--cores", "2", *targets],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


OF_PAGES = ("SHA256SUMS", "page.sha256", "predicted.sha256")


def files_of(study: Path) -> dict[str, bytes]:
    """Content of every result and page by its name, but hidden files and the checksums of pages, which hold dates."""
    paths = [path for part in ("data/results", "reports") for path in (study / part).rglob("*") if path.is_file()]
    paths = [path for path in paths if path.name[0] != "." and path.name not in OF_PAGES]
    return {str(path.relative_to(study)): path.read_bytes() for path in paths}


def lasting(content: bytes) -> bytes:
    """A page without the marked block on this run: dates, host and times."""
    return re.sub(rb'<section id="run">.*?</section>', b"", content, flags=re.DOTALL)


@dataclass(frozen=True)
class Run:
    status: int
    text: str

    def jobs(self) -> dict[str, int]:
        """Number of jobs by rule, from the statistics that snakemake prints."""
        return {rule: int(count) for rule, count in re.findall(r"^([\w.]+) +(\d+)$", self.text, re.MULTILINE)}


@dataclass(frozen=True)
class Bench:
    """The workflow, or a copy of it that a test may edit, and a study elsewhere."""

    home: Path
    study: Path

    def run(self, *options: str) -> Run:
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(self.home / "Snakefile")]
        done = subprocess.run(
            [*command, "--directory", str(self.study), "--cores", "2", "--quiet", "rules", *options],
            cwd=self.study,
            env={**os.environ, "PYTHONPATH": ""},
            capture_output=True,
            text=True,
            timeout=900,
        )
        return Run(done.returncode, done.stdout + done.stderr)

    def file(self, session: str, stage: str, trial: str) -> Path:
        return self.study / f"data/results/Ann/{session}/{stage}/{trial}.h5"

    def page(self, session: str, name: str) -> str:
        return (self.study / f"reports/Ann/{session}/walks/{name}.html").read_text()

    @contextmanager
    def edited(self, module: str) -> Iterator[None]:
        """A module with another remark, and then as before: the workflow compares contents, not times."""
        path = self.home / "pipeline" / module
        source = path.read_text()
        path.write_text(source + "\n# a remark\n")
        yield
        path.write_text(source)


def copied_workflow(folder: Path) -> Path:
    """A copy of the workflow in a folder whose path holds blanks and a quotation mark."""
    home = folder / "pipeline's home"
    home.mkdir(parents=True)
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, home / name)
        else:
            shutil.copy(ROOT / name, home / name)
    return home


def make_bench(folder: Path, trials: str = TRIALS, *, home: Path = ROOT) -> Bench:
    """The workflow, and a study whose paths hold blanks and quotation marks."""
    bench = Bench(home, folder / "my study")
    config = bench.study / "config"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text(QUICK)
    (config / "subjects.tsv").write_text("subject\tsex\nAnn\tf\n")
    (config / "trials.tsv").write_text(trials)
    (bench.study / "data/raw").mkdir(parents=True)
    for source, name in (("static", "still"), ("walk", "it's $HOME; 1"), ("walk_back", "w2")):
        shutil.copy(DEMO / f"{source}.c3d", bench.study / f"data/raw/{name}.c3d")
    return bench
