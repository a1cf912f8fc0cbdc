"""The memory limit under which files are read: a damaged header cannot exhaust the memory."""

import resource

import pytest

from pipeline.workflow.memory import memory_limit


def test_an_allocation_beyond_the_limit_fails_and_the_limit_ends_with_the_block() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(MemoryError), memory_limit(64 * 2**30):
        bytearray(65 * 2**30)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
