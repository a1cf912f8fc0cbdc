"""Compiled kernels, kept on disk under a key that changes with every kernel's source.

numba stores a compiled function under the time stamp of its own file. When a kernel in another file that it calls has
changed, the stored caller is stale, and its numbers are those of the old code. So every kernel of this package lives in
a module whose name ends in ``kernels.py``, and the cache folder is named by the digest of all of them together.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba
from numba.core import config, event

_PACKAGE = Path(__file__).resolve().parents[1]
_FASTMATH = {"contract", "nsz", "arcp", "reassoc"}
"""Fused multiply-add and reordering of sums, but infinities and NaN keep their meaning. `np.isnan` sees NaN;
`np.isfinite` of a sum is always true, as numba computes x - x for it, which is zero once reordered."""


def kernel_sources() -> list[Path]:
    """All files that hold kernels, in a fixed order."""
    return sorted(_PACKAGE.rglob("*kernels.py"))


@cache
def kernel_digest() -> str:
    """Hexadecimal digest of the sources of all kernels and of how they are compiled."""
    digest = hashlib.sha256()
    layout = Path(__file__).resolve().with_name("arrays.py")  # fields are positional: swapping two keeps all types
    for path in [Path(__file__).resolve(), layout, *kernel_sources()]:
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where this version's compiled kernels lie: under NUMBA_CACHE_DIR where set, else in the user's cache folder."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache") / "gait-pipeline" / kernel_digest()


def kernel(function: Callable) -> Callable:
    """Compile a function with numba at its first call, one thread, cached on disk.

    Raises:
        ImportError: the function is not in a file named ``*kernels.py``, which the digest would not cover.
    """
    if not function.__code__.co_filename.endswith("kernels.py"):
        raise ImportError(f"kernel {function.__qualname__} must live in a file whose name ends in kernels.py")
    dispatcher = numba.njit(fastmath=_FASTMATH, error_model="numpy")(function)
    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's switch NUMBA_DISABLE_JIT: the kernel runs as Python
        return dispatcher
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a read-only home: compile in every process rather than fail
        return dispatcher
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]
    return dispatcher


inlined = numba.njit(fastmath=_FASTMATH, error_model="numpy", forceinline=True)
"""For the small functions that kernels call: they become part of the calling kernel and are not cached alone."""


class _Announcement(event.Listener):
    """Prints once in a process that kernels are being compiled, to explain the wait."""

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
