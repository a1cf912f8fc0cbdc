"""A SLURM of one node on this computer's loopback, and what it costs to run a study there instead of locally.

    python -m tests.slurm.one_node FOLDER [--sessions 40] [--walks 4] [--seconds 2] [--group 8] [--python PYTHON]

PYTHON has the pipeline's libraries and snakemake-executor-plugin-slurm. A study of sessions of synthetic walks (of the
demo's duration with --seconds 0), with the skeleton, is run on two processors, locally and through `profiles/slurm`
with so many sessions to a cluster job; wall times, processor times and all files are compared. Needs root and Debian's
packages slurm-wlm, slurmdbd, munge and mariadb-server; the daemons have folders and ports of their own, and end with
the program. It ends with 1 if a file differs or the cluster takes more than 1.2 times as long.
"""

from __future__ import annotations

import argparse
import os
import resource
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.batch_study import ROOT, make_study
from tests.studies.bench import files_of, lasting

DAEMONS = ("munged", "mariadbd", "mariadb-install-db", "slurmdbd", "slurmctld", "slurmd")
ACCOUNT, PARTITION = "lab", "main"
"""As in the profile."""

USUAL_CONF = Path("/etc/slurm/slurm.conf")

MOST = 1.2
"""Wall time there as a multiple of that here."""

PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))


def missing() -> list[str]:
    """Daemons that are not installed."""
    return [name for name in DAEMONS if not shutil.which(name, path=PATH)]


@contextmanager
def slurm(folder: Path) -> Iterator[dict[str, str]]:
    """Within the block, a SLURM of one node; gives the environment in which its commands find it.

    Args:
        folder: empty folder for its configuration, state and logs, with a short path, as sockets need.
    """
    host, ports = socket.gethostname().partition(".")[0], [_free_port() for _ in range(4)]
    for name in ("mysql", "state", "spool"):
        (folder / name).mkdir(parents=True)
    _private(folder / "munge.key", secrets.token_bytes(1024))
    munge = folder / "munge.socket"
    password = secrets.token_hex(16)
    database = f"--socket={folder / 'mysql.socket'}"
    own = f"--no-defaults --datadir={folder / 'mysql'} --user=root".split()
    common = f"SlurmUser=root\nAuthType=auth/munge\nAuthInfo=socket={munge}\n"
    _private(
        folder / "slurmdbd.conf",
        f"{common}DbdHost=localhost\nDbdAddr=127.0.0.1\nDbdPort={ports[1]}\nPidFile={folder / 'slurmdbd.pid'}\n"
        f"StorageType=accounting_storage/mysql\nStorageHost=127.0.0.1\nStoragePort={ports[0]}\nStorageUser=slurm\n"
        f"StoragePass={password}\nStorageLoc=slurm\n".encode(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20 - 500
    (folder / "slurm.conf").write_text(
        f"{common}ClusterName=one\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={ports[2]}\nSlurmdPort={ports[3]}\n"
        f"SlurmdUser=root\nStateSaveLocation={folder / 'state'}\nSlurmdSpoolDir={folder / 'spool'}\n"
        f"SlurmctldPidFile={folder / 'slurmctld.pid'}\nSlurmdPidFile={folder / 'slurmd.pid'}\nMpiDefault=none\n"
        f"ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
        f"JobAcctGatherType=jobacct_gather/linux\n"
        f"SelectTypeParameters=CR_CPU_Memory\nReturnToService=2\nAccountingStorageType=accounting_storage/slurmdbd\n"
        f"AccountingStorageHost=127.0.0.1\nAccountingStoragePort={ports[1]}\nAccountingStoragePass={munge}\n"
        f"AccountingStorageEnforce=associations\n"
        f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} RealMemory={memory} State=UNKNOWN\n"
        f"PartitionName={PARTITION} Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
    )
    environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}

    def run(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, env=environment, capture_output=True, text=True, **options)  # type: ignore[call-overload]

    with ExitStack() as daemons:
        daemons.enter_context(_found_by_steps(folder / "slurm.conf"))

        def start(*words: str) -> None:
            daemons.enter_context(_daemon(folder, environment, *words))

        files = (f"--{name}-file={folder / f'munge.{name}'}" for name in ("key", "pid", "log", "seed"))
        start("munged", "--foreground", "--force", "--num-threads=10", f"--socket={munge}", *files)
        run("mariadb-install-db", *own, "--auth-root-authentication-method=normal", check=True)
        start("mariadbd", *own, database, f"--port={ports[0]}", "--bind-address=127.0.0.1")
        grant = f"CREATE USER slurm@'127.0.0.1' IDENTIFIED BY '{password}'; GRANT ALL ON slurm.* TO slurm@'127.0.0.1'"
        _wait("MariaDB", lambda: run("mariadb", "--no-defaults", database, "-e", grant).returncode == 0)
        start("slurmdbd", "-D")  # its configuration is beside slurm.conf
        _wait("slurmdbd", lambda: run("sacctmgr", "-n", "show", "cluster").returncode == 0)
        run("sacctmgr", "-i", "add", "cluster", "one")
        run("sacctmgr", "-i", "add", "account", ACCOUNT, check=True)
        run("sacctmgr", "-i", "add", "user", "root", f"account={ACCOUNT}", check=True)
        start("slurmctld", "-D", "-c", "-f", str(folder / "slurm.conf"))
        start("slurmd", "-D", "-N", host, "-f", str(folder / "slurm.conf"))
        _wait("the node", lambda: run("sinfo", "-h", "-o", "%T").stdout.strip() == "idle")
        yield environment


@contextmanager
def _found_by_steps(conf: Path) -> Iterator[None]:
    """The configuration at its usual place too: the executor removes SLURM's variables from the steps of a job."""
    if USUAL_CONF.exists():
        raise FileExistsError(f"{USUAL_CONF}: this computer has a SLURM of its own")
    USUAL_CONF.parent.mkdir(parents=True, exist_ok=True)
    USUAL_CONF.symlink_to(conf)
    try:
        yield
    finally:
        USUAL_CONF.unlink()


def _private(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)


def _free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@contextmanager
def _daemon(folder: Path, environment: Mapping[str, str], *words: str) -> Iterator[None]:
    with (folder / f"{words[0]}.log").open("w") as log:
        process = subprocess.Popen(words, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            yield
        finally:
            process.terminate()
            process.wait(60)


def _wait(what: str, ready: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not start within {seconds:.0f} s")
        time.sleep(0.5)


@dataclass(frozen=True)
class Cost:
    """Wall time and processor time of a run, s."""

    wall: float
    processor: float


def cost(python: str, study: Path, environment: Mapping[str, str], *options: str) -> Cost:
    """Run the workflow; what it and its own processes took. Ends the program if it fails."""
    words = [python, "-m", "snakemake", "--snakefile", f"{ROOT}/Snakefile", "--directory", str(study), *options]
    began, used = time.perf_counter(), _processor_time()
    with (study / "console.log").open("w") as log:
        status = subprocess.run(words, env=environment, cwd=ROOT, stdout=log, stderr=log).returncode
    if status:
        sys.exit(f"the workflow failed: see {study / 'console.log'}")
    return Cost(time.perf_counter() - began, _processor_time() - used)


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def accounted(environment: Mapping[str, str]) -> tuple[int, float]:
    """Number of cluster jobs so far, and the processor time of all their steps, s, by SLURM's accounting."""
    words = ["sacct", "-n", "-P", "-o", "JobID,TotalCPU"]
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.split()
    rows = [row.split("|") for row in told]
    return sum("." not in job for job, _ in rows), sum(_seconds(used) for job, used in rows if "." in job)


def _seconds(told: str) -> float:
    """Of [DAYS-][HOURS:]MINUTES:SECONDS."""
    days, _, clock = told.rpartition("-")
    return 86400.0 * float(days or 0) + sum(
        60.0**power * float(part) for power, part in enumerate(reversed(clock.split(":")))
    )


def main() -> None:
    """Run a study here and there, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.slurm.one_node", description=__doc__)
    parser.add_argument("folder", type=Path, help="new folder for the daemons and the studies, with a short path")
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--walks", type=int, default=4, help="of a session")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a walk")
    parser.add_argument("--group", type=int, default=8, help="sessions of a cluster job")
    parser.add_argument("--python", default=sys.executable, help="with snakemake-executor-plugin-slurm")
    options = parser.parse_args()
    if missing():
        sys.exit(f"not installed: {', '.join(missing())}")
    folder = options.folder.resolve()
    here, there = folder / "here", folder / "there"
    make_study(here, options.sessions * options.walks, seconds=options.seconds or None, session=options.walks)
    shutil.copytree(here, there)
    local = cost(options.python, here, os.environ, "--cores", "2")
    profile = ["--workflow-profile", f"{ROOT}/profiles/slurm"]
    with slurm(folder / "slurm") as environment:
        groups = ["--group-components", f"session={options.group}"]
        cluster = cost(options.python, there, environment, *profile, *groups)
        jobs, processor = accounted(environment)
    expected, found = files_of(here), files_of(there)
    names = sorted(expected.keys() ^ found.keys())
    names += [name for name in expected.keys() & found.keys() if lasting(expected[name]) != lasting(found[name])]
    more = cluster.wall - local.wall
    both = cluster.processor + processor
    print(f"{options.sessions} sessions of {options.walks} walks, {options.group} to a job, {jobs} jobs")
    print(f"wall time: {local.wall:.0f} s here, {cluster.wall:.0f} s there, {more / local.wall:+.0%}")
    print(f"  {more / jobs:.1f} s a job, {more / options.sessions:.1f} s a session more")
    print(f"processor time: {local.processor:.0f} s here, {both:.0f} s there, {both / local.processor - 1.0:+.0%}")
    print(f"{len(names)} of {len(expected)} files differ {names[:5]}")
    sys.exit(bool(names) or cluster.wall > MOST * local.wall)


if __name__ == "__main__":
    main()
