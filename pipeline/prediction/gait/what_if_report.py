"""Stored result of a what-if prediction: the changes, and the curves of both walks over the gait cycle."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, predicted_cycle
from pipeline.config import Prediction
from pipeline.conventions import SIDES
from pipeline.prediction.gait.least_cost import cost_per_metre
from pipeline.prediction.gait.predict import GaitPrediction
from pipeline.prediction.gait.predicted_walk import predicted_walk
from pipeline.prediction.gait.subject_body import Body
from pipeline.prediction.gait.what_if import WhatIfPrediction
from pipeline.trial import WhatIfReport


def what_if_report(row: Prediction, body: Body, description: str, answer: WhatIfPrediction) -> WhatIfReport:
    """The report of a row's what-if case: curves (side, variable, percent) with and without its changes."""
    assert row.what_if is not None

    def curves(found: GaitPrediction) -> np.ndarray:
        walk = predicted_walk(row, body, "", found)
        return np.array(
            [[variable.of(predicted_cycle(walk, side)) for variable in CYCLE_VARIABLES.values()] for side in SIDES]
        )

    return WhatIfReport(
        case=row.what_if,
        description=description,
        changes=answer.changes,
        side_names=SIDES,
        variable_names=tuple(CYCLE_VARIABLES),
        percent=PERCENT,
        variable_units=tuple(variable.units for variable in CYCLE_VARIABLES.values()),
        changed=curves(answer.changed),
        unchanged=curves(answer.unchanged),
        cost=cost_per_metre(answer.changed),
        unchanged_cost=cost_per_metre(answer.unchanged),
    )
