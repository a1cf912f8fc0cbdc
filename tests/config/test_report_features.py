"""Names of features in reports are those of the curves, phases and statistics that are computed."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pipeline.analysis import CYCLE_VARIABLES
from pipeline.analysis.features import Features, phases
from pipeline.config import validated
from pipeline.config.report_features import CURVES, DEFAULT_FEATURES, PHASES, STATISTICS, parsed
from pipeline.config.settings import Configuration
from pipeline.errors import ConfigError
from pipeline.trial import Cycle


def test_the_names_are_those_of_the_analysis():
    assert set(CURVES) == set(CYCLE_VARIABLES)
    assert set(PHASES) == set(phases(Cycle("left", 0.0, 0.6, 1.0, 0.1, 0.5, "", 0)))
    assert set(STATISTICS) <= {field.name for field in fields(Features)}
    assert parsed(DEFAULT_FEATURES[5]) == ("maximum", "knee_flexion", "swing")


@pytest.mark.parametrize(
    ("feature", "said"),
    [
        ("maximum knee_flexoin in swing", "did you mean 'knee_flexion'"),
        ("peak knee_flexion in swing", "unknown statistic 'peak'"),
        ("maximum knee_flexion in swings", "did you mean 'swing'"),
        ("knee_flexion", "of the form 'maximum knee_flexion in swing'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_one_that_is_meant(feature, said):
    with pytest.raises(ConfigError, match=said):
        validated(Configuration, {"report": {"features": [feature]}}, "config.yaml")
