"""Which groups of walks are compared where no table says so, and what the table may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import load_study
from pipeline.errors import ConfigError
from tests.small_study import write_study

ROOT = Path(__file__).resolve().parents[2]

TRIALS = """trial	subject	session	condition	date	kind	file
a	Ann	pre	barefoot	2024-03-04	walk	a.c3d
b	Ann	pre	shoes	2024-03-04	walk	b.c3d
c	Ann	later	barefoot	2025-01-01	walk	c.c3d
d	Ann	post	barefoot	2024-09-16	walk	d.c3d
e	Bob	1			walk	e.c3d
"""


def study(folder: Path, comparisons: str | None = None, subjects: str = "subject\nAnn\nBob\n", trials: str = TRIALS):
    more = {} if comparisons is None else {"comparisons": comparisons}
    return load_study(write_study(folder, trials, subjects, **more), ROOT)


def test_consecutive_visits_of_like_condition_and_conditions_of_a_visit_are_compared(tmp_path):
    rows = {row.comparison: (row.first, row.second) for row in study(tmp_path).comparisons}
    assert rows == {
        "pre-post-barefoot": (("pre", "barefoot"), ("post", "barefoot")),
        "post-later-barefoot": (("post", "barefoot"), ("later", "barefoot")),
        "pre-barefoot-shoes": (("pre", "barefoot"), ("pre", "shoes")),
    }


def test_the_table_alone_counts_where_there_is_one(tmp_path):
    table = "comparison\tsubject\tfirst_session\tfirst_condition\tsecond_session\tsecond_condition\n"
    found = study(tmp_path, table + "year\tAnn\tpre\tbarefoot\tlater\tbarefoot\n")
    assert [row.comparison for row in found.comparisons] == ["year"]
    assert list(found.compared_sessions) == [("Ann", "later")]
    assert study(tmp_path, table).comparisons == ()


SIDES = (
    "comparison\tsubject\tfirst_session\tfirst_condition\tsecond_session\tsecond_condition\tfirst_side\tsecond_side\n"
)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("Ann\tpre\tbarefoot\tpst\tbarefoot", "did you mean 'post'"),
        ("Ann\tpre\tbarefot\tpost\tbarefoot", "did you mean 'barefoot'"),
        ("Ann\tpre\tbarefoot\t\tbarefoot", "choose one in 'second_session'"),
        ("Ann\tpre\tbarefoot\tpre\tbarefoot", "the same walks"),
        ("Bob\t\t\t\t", "the same walks"),
        ("Cid\tpre\t\tpost\t", "no walk in trials.tsv"),
        ("Ann\tpre\tbarefoot\tpre\tbarefoot\tleft\tleft", "are 'left' and 'right'"),
        ("Ann\tpre\tbarefoot\tpre\tbarefoot\tleft\t", "are 'left' and 'right'"),
        ("Ann\tpre\tbarefoot\tpost\tbarefoot\tleft\tright", "in the same walks"),
    ],
)
def test_a_mistake_in_the_table_is_named_with_its_line(tmp_path, cells, message):
    with pytest.raises(ConfigError, match=r"comparisons.tsv, line 2") as error:
        study(tmp_path, f"{SIDES}x\t{cells}\n")
    assert message in str(error.value)


def test_sides_of_the_same_walks_may_be_compared(tmp_path):
    (row,) = study(tmp_path, f"{SIDES}sides\tAnn\tpre\tbarefoot\tpre\tbarefoot\tleft\tright\n").comparisons
    assert row.first == row.second == ("pre", "barefoot")
    assert (row.first_side, row.second_side) == ("left", "right")


def test_a_visit_before_the_birth_is_a_mistake(tmp_path):
    with pytest.raises(ConfigError, match="before the subject's birth on 2024-05-01"):
        study(tmp_path, subjects="subject\tbirth_date\nAnn\t2024-05-01\nBob\t\n")


def test_two_visits_in_two_conditions_are_four_groups_together(tmp_path):
    row = "f\tAnn\tpost\tshoes\t2024-09-16\twalk\tf.c3d\ng\tAnn\tpost\tbraces\t2024-09-16\twalk\tg.c3d\n"
    assert study(tmp_path).crossed_comparisons == {}
    found = study(tmp_path, trials=TRIALS + row).crossed_comparisons
    ((session, (four,)),) = found.items()
    assert session == ("Ann", "post")
    assert four.groups == (("pre", "barefoot"), ("pre", "shoes"), ("post", "barefoot"), ("post", "shoes"))
    assert four.name == "pre-post.barefoot-shoes"
