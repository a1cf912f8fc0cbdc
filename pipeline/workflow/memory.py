"""Keeps one damaged file from taking the memory of the whole batch."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


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
