"""Errors of a requested motion."""

from pipeline.errors import PipelineError


class PredictionError(PipelineError):
    """A requested motion is impossible or not fully specified, or the body cannot walk."""
