"""Names of folders as visits or conditions, and their order, in English and German."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from pipeline.cli.draft import SESSION_NAME, in_time

PAIRS = (
    *(("pre", "post"), ("PRE", "POST1"), ("preOP", "postOP"), ("pre_op", "post-treatment"), ("preop", "postop_2")),
    *(("preintervention", "postinterventional"), ("Pretest", "Posttest"), ("preinj", "POSTINJ"), ("PREACL", "postACL")),
    *(("prereha", "POSTREHA"), ("preTKA", "posttka"), ("prestim", "poststim"), ("pre-fatigue", "postfatigue")),
    *(("baseline", "post6m"), ("baseline", "postmonth6"), ("baseline", "followup2"), ("before", "after_1")),
    *(("prae", "post"), ("präop", "postop"), ("pra\u0308_op", "post_op"), ("vor", "nach"), ("vorher", "nachher")),
    *(("vorOP", "nachOP"), ("vor_op", "nach-OP_2"), ("3.4.24", "02.03.25"), ("2024-05-03", "3.4.2025")),
)


@pytest.mark.parametrize(("first", "later"), PAIRS)
def test_visits_are_in_time(first, later):
    assert SESSION_NAME.fullmatch(first)
    assert SESSION_NAME.fullmatch(later)
    for order in itertools.permutations((first, later)):
        assert sorted((Path("Ann", visit, "walk.c3d") for visit in order), key=in_time)[0].parts[1] == first


@pytest.mark.parametrize(
    "name",
    [
        *("prefab", "posture", "preferred", "PREFERRED_speed", "press", "afternoon"),
        *("vorwärts", "VorFuss", "nachts", "nach_links", "nach rechts"),
    ],
)
def test_words_that_begin_like_visits_are_conditions(name):
    assert not SESSION_NAME.fullmatch(name)
