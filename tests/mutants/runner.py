"""Runs pytest in forks of one process that has loaded the libraries, but nothing of the project.

Most mutants die in a test of milliseconds, while numpy, scipy, numba and pytest take seconds to load. Each line of the
standard input is a run in JSON: folder, words, environment, seconds and the file of its output. The answer is a line
with its exit status, or "time" where it did not end.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from importlib import import_module

LOADED = ("pytest", "scipy.signal", "scipy.optimize", "scipy.spatial.transform", "scipy.stats", "scipy.interpolate")
LOADED += ("scipy.sparse.linalg", "numba", "numba.core.event", "h5py", "yaml", "xarray", "pandas")


def run(folder: str, words: list[str], environment: dict[str, str], seconds: float, output: str) -> str:
    """Exit status of pytest, or "time"."""
    child = os.fork()
    if not child:
        os.setsid()
        opened = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, 1)
        os.dup2(opened, 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        if "numba.core.config" in sys.modules:  # read when it was loaded, before the run's environment
            sys.modules["numba.core.config"].reload_config()  # type: ignore[attr-defined]
        status = 70
        try:
            status = int(import_module("pytest").main(words))
        except BaseException:  # a fork never returns into the loop that made it
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return str(os.waitstatus_to_exitcode(status))
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "time"


if __name__ == "__main__":
    sys.path.pop(0)
    for name in LOADED:
        try:
            import_module(name)
        except ImportError:  # not every version of the environment has it
            continue
    for line in sys.stdin:
        print(run(**json.loads(line)), flush=True)
