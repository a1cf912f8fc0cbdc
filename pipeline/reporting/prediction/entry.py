"""A prediction's row on the study's page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PredictionEntry:
    """A prediction's row on the study's page.

    Attributes:
        page: address relative to the study's page.
        walk: the measured walk to be predicted; empty for none.
        speed, step_length: m/s and m; NaN if they were to be taken from the measured walk and the prediction failed.
        failed_step, reason: where and why the prediction failed; empty if it did not.
        ended: how the solver ended, in its words.
        warnings: features of the walk that people do not show.
    """

    prediction: str
    subject: str
    session: str
    page: str
    speed: float
    step_length: float
    preset: str
    form: str = "step"
    walk: str = ""
    failed_step: str = ""
    reason: str = ""
    ended: str = ""
    warnings: tuple[str, ...] = ()
    iterations: int = 0
