"""Why the machine could not go on with a job, in one sentence: memory, disk, permissions, a damaged file."""

from __future__ import annotations

import errno
import resource
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.results import DamagedFileError

SUFFIX = ".damaged"
"""Of the names of folders and files that are set aside, to be computed again in the next run."""

MACHINE_ERRORS = (OSError, MemoryError, BrokenProcessPool)
"""Failures that do not concern a trial: its session is computed in the next run."""

_REMEDIES = {
    errno.ENOSPC: "Free space on the disk and run again",
    errno.EDQUOT: "Free space in your quota and run again",
    errno.EROFS: "Make the study's folder writable and run again",
    errno.EACCES: "Make it readable and its folder writable, and run again",
    errno.EPERM: "Make it readable and its folder writable, and run again",
    errno.EMFILE: "Raise the limit of open files (ulimit -n) and run again",
}


@contextmanager
def reason_at_exit() -> Iterator[None]:
    """End the program with the reason of an error that a user can mend; a damaged file's folder is set aside."""
    try:
        yield
    except DamagedFileError as error:
        sys.exit(set_aside(error))
    except PipelineError as error:
        sys.exit(str(error))
    except MACHINE_ERRORS as error:
        sys.exit(machine_failure(error))


def machine_failure(error: BaseException) -> str:
    """What failed, with the file if it is known, and what to do."""
    if isinstance(error, BrokenProcessPool):
        return "a process was killed, perhaps since the memory is used up. Run with fewer cores, or with more memory"
    if isinstance(error, MemoryError):
        return "the memory is used up. Run with fewer cores, or on a machine with more memory"
    number = getattr(error, "errno", None)
    if number is None and "No space left on device" in str(error):  # as HDF5 reports it
        number = errno.ENOSPC
    remedy = _REMEDIES.get(number or 0, "Run again")
    name = getattr(error, "filename", None)
    what = getattr(error, "strerror", None) or str(error)
    return f"{name}: {what}. {remedy}" if name else f"{what}. {remedy}"


def set_aside(error: DamagedFileError) -> str:
    """Rename the folder of the stage in which a damaged file lies, and report it in one sentence.

    The workflow keeps records of folders: if one is missing, its session's stage is computed again.
    """
    return f"{error}; its folder was set aside as {set_aside_path(error.path.parent)}"


def set_aside_path(path: Path) -> Path:
    """Rename a folder or file, replacing one set aside there before; the new name."""
    aside = path.with_name(path.name + SUFFIX)
    with suppress(FileNotFoundError):  # another job found it first
        if aside.is_dir():
            shutil.rmtree(aside, ignore_errors=True)
        path.replace(aside)
    return aside


@contextmanager
def memory_limit(size: int) -> Iterator[None]:
    """Within the block, an allocation that would raise the process's address space above ``size`` bytes fails.

    Raises:
        MemoryError: in the block, at such an allocation.
    """
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = min(limit for limit in (size, before, hard) if limit != resource.RLIM_INFINITY)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    except ValueError:  # systems without this limit, such as macOS
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
