"""Mutants that no test can see, and why."""

UNSEEN: dict[tuple[str, str], str] = {}
"""The reason, by the file and the line as changed."""
