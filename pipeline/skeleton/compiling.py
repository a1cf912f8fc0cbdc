"""Compiled kernels, cached on disk under a key that changes with the source of any kernel.

numba caches a compiled function under the time stamp of its own file. If a kernel in another file that it calls has
changed, the cached caller is stale and computes with the old code. Therefore every kernel of this package is in a
module whose name ends in ``kernels.py``, and the cache folder is named by the digest of all of them together.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba
from numba.core import config, event

_PACKAGE = Path(__file__).resolve().parents[1]
_FASTMATH = {"contract", "nsz", "arcp", "reassoc"}
"""Fused multiply-add and reordering of sums are allowed, but infinities and NaN keep their meaning. `np.isnan` sees
NaN; `np.isfinite` of a sum is always true, since numba computes x - x for it, which is zero once reordered."""


def kernel_sources() -> list[Path]:
    """All files that contain kernels, in a fixed order."""
    return sorted(_PACKAGE.rglob("*kernels.py"))


@cache
def kernel_digest() -> str:
    """Hexadecimal digest of the sources of all kernels and of the way they are compiled."""
    digest = hashlib.sha256()
    layout = Path(__file__).resolve().with_name("arrays.py")  # fields are positional: swapping two keeps all types
    for path in [Path(__file__).resolve(), layout, *kernel_sources()]:
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Folder of this version's compiled kernels: under NUMBA_CACHE_DIR if set, else in the user's cache folder.

    None for an account without a home folder, as those of containers often are.
    """
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    base = base or os.path.expanduser("~/.cache")
    return None if base.startswith("~") else Path(base) / "gait-pipeline" / kernel_digest()


def kernel(function: Callable) -> Callable:
    """Compile a function with numba at its first call, single-threaded, cached on disk.

    Raises:
        ImportError: the function is not in a file named ``*kernels.py``, so the digest would not cover it.
    """
    if not function.__code__.co_filename.endswith("kernels.py"):
        raise ImportError(f"kernel {function.__qualname__} must live in a file whose name ends in kernels.py")
    dispatcher = numba.njit(fastmath=_FASTMATH, error_model="numpy")(function)
    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's switch NUMBA_DISABLE_JIT: the kernel runs as Python
        return dispatcher
    folder = cache_folder()
    if folder is None:
        return dispatcher
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):  # read-only, or another user's: compile in every process rather than fail
        return dispatcher
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]
    return dispatcher


inlined = numba.njit(fastmath=_FASTMATH, error_model="numpy", forceinline=True)
"""Decorator of small functions that kernels call: they become part of the calling kernel and are not cached alone."""


class _Announcement(event.Listener):
    """Prints once per process that kernels are being compiled, to explain the wait."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: event.Event) -> None:
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if not self.said and getattr(function, "__module__", "").startswith(__name__.split(".")[0] + "."):
            self.said = True
            print("Compiling the dynamics kernels, once for this version (up to a minute) ...", file=sys.stderr)

    def on_end(self, event: event.Event) -> None:
        pass


event.register("numba:compile", _Announcement())
