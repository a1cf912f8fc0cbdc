"""A study that asks for uncertainty bands has them in its files, tables and pages."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pipeline
from pipeline.results import read_stage
from pipeline.trial import CurveUncertainty
from tests.studies.bench import QUICK, Bench

pytestmark = pytest.mark.long


def test_bands_are_in_the_file_the_table_and_the_page(one_session: Bench) -> None:
    bench = one_session
    (bench.study / "config/config.yaml").write_text(QUICK + "uncertainty: {enabled: true, draws: 8}\n")
    run = bench.run()
    assert run.status == 0, run.text
    stored = read_stage(bench.file("day1", "uncertainty", "w"), CurveUncertainty)
    tree = pipeline.open_trial(bench.study / "data/results/Ann/day1/w")
    labelled = tree["uncertainty/by_source"].sel(source="hip centre", side="right", variable="hip_extensor_moment")
    np.testing.assert_array_equal(labelled, stored.by_source[0, 1, stored.variable_names.index("hip_extensor_moment")])
    curves = pd.read_parquet(bench.study / "data/results/study_curves.parquet").astype({"kind": str, "variable": str})
    own = curves[(curves.session == "day1") & (curves.trial == "w") & (curves.kind == "uncertainty")]
    right = own[(own.variable == "knee_flexion") & (own.side == "right")]
    np.testing.assert_allclose(right.value, stored.sd[1, stored.variable_names.index("knee_flexion")], rtol=1e-6)
    page = bench.page("day1", "w")
    assert "95 % uncertainty" in page
    assert "the largest source is for angles" in page
