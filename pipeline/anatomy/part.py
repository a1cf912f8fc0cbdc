"""Base of the parts of a marker set."""

from pydantic import ConfigDict

from pipeline.config import Section


class Part(Section):
    """A part of a marker set: unknown keys are refused; lists are read as tuples."""

    model_config = ConfigDict(strict=False)
