"""A prediction's row on the study's page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PredictionEntry:
    """A prediction's row on the study's page.

    Attributes:
        page: address from the study's page.
        walk: the measured walk that was asked for, empty for none.
        speed, step_length: NaN where they were to be those of the measured walk and there is no prediction.
        failed_step, reason: where and why there is no walk; empty if there is one.
        ended: how the solver ended, in its words.
        warnings: what people do not show of the walk.
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
