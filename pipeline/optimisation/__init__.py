"""Optimal control by B-spline transcription: problems as terms, sequential quadratic programming."""
