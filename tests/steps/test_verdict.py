"""The verdict names each failed trial with its reason."""

from pipeline.results import Failure
from pipeline.steps.verdict import sentence


def test_a_failure_names_the_trial_the_step_and_the_reason() -> None:
    assert sentence("w", Failure("w", "ingest", "w.c3d: is empty")) == "w failed at ingest: w.c3d: is empty"


def test_a_failure_of_the_static_trial_is_told_as_such() -> None:
    assert sentence("w", Failure("s", "ingest", "s.c3d: is empty")) == "w failed at ingest, as s did: s.c3d: is empty"


def test_a_defect_points_to_the_log() -> None:
    assert sentence("w", Failure("w", "loads", "a defect", defect=True)).endswith("(see logs/w/loads.log)")
