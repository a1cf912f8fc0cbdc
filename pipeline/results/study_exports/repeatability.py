"""Export the repeatability of a study's values over the visits of its subjects, as one table with a row per value.

The study has to hold visits without treatment between them, or one session for each observer; only its user knows. The
value of a visit is the mean over its walks of a condition, in the columns of the wide export. As many visits are taken
of every subject, the first ones, as the subject with the fewest has, at least two; subjects with one are left out. A
subject's visits end before the first one without the value, so that first visits are compared with first ones.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.analysis import MIN_SUBJECTS, repeatability
from pipeline.config import Study, TrialKey, visits_in_time
from pipeline.errors import ResultsError
from pipeline.results.study_exports.walks import DESCRIBED
from pipeline.results.study_exports.wide import walks_table


def write(study: Study, results: Path, folder: Path) -> dict[TrialKey, str]:
    """Write ``repeatability`` as CSV and Parquet; the meaning of its columns is in `Repeatability`.

    Returns:
        By key, why walks are left out.

    Raises:
        ResultsError: no walk was computed, all were refused, or no condition has enough subjects with two visits.
    """
    walks, columns, reasons = walks_table(study, results)
    sessions = study.measured_sessions
    of_each = [[key for key in sessions if key.subject == subject] for subject in study.subjects]
    order = [key for own in of_each for key in visits_in_time({key: study.date_of(key) for key in own})]
    rank = {tuple(key): number for number, key in enumerate(order)}
    names = [name for name in columns if name not in DESCRIBED]
    rows = []
    for condition, own in walks.fillna({"condition": ""}).groupby("condition", sort=False):
        visits = own.groupby(["subject", "session"])[names].mean()
        visits = visits.loc[sorted(visits.index, key=rank.__getitem__)]
        for name in names:
            of_subjects = [list(takewhile(np.isfinite, values)) for _, values in visits[name].groupby(level="subject")]
            repeated = [values for values in of_subjects if len(values) > 1]
            if len(repeated) < MIN_SUBJECTS:
                continue
            count = min(map(len, repeated))
            found = repeatability(np.array([values[:count] for values in repeated]))
            unit, meaning = columns[name]
            rows.append({"condition": condition, "value": name, "unit": unit, **asdict(found), "meaning": meaning})
    if not rows:
        raise ResultsError(
            f"no condition has values of {MIN_SUBJECTS} subjects at two visits",
            where=str(results),
            remedy="Repeatability needs several subjects who were measured twice, with a session for each visit",
        )
    folder.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(rows)
    table.to_parquet(folder / "repeatability.parquet", index=False)
    table.to_csv(folder / "repeatability.csv", index=False, float_format="%.6g")
    return reasons
