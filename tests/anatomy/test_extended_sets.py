"""A marker set may state only how it differs from another one, which it names under ``extends``."""

from pathlib import Path

import pytest
import yaml

from pipeline.anatomy import load_marker_set
from pipeline.config import HOME, extended_files, load_study
from pipeline.errors import ConfigError
from pipeline.workflow.jobs import JOBS


@pytest.fixture
def written(tmp_path):
    """Write sets by name, and load the first."""

    def write(**sets):
        for name, content in sets.items():
            (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return load_marker_set(tmp_path / f"{next(iter(sets))}.yaml")

    return write


def test_a_set_that_adds_nothing_is_the_one_that_it_extends_under_its_own_name(written, plug_in_gait):
    found = written(mine={"extends": "plug_in_gait"})
    assert found.name == "mine"
    assert found.model_copy(update={"name": "plug_in_gait"}) == plug_in_gait


def test_entries_replace_those_of_their_name_and_no_others(written, plug_in_gait):
    chord = {"proximal": "{side}_knee", "marker": "{S}MAL", "wand": "{S}TIB", "width": "ankle_width_{side}"}
    found = written(
        mine={
            "extends": "plug_in_gait",
            "marker_radius": 0.009,
            "aliases": {"LMAL": ["LLM"]},
            "points": {"{side}_ankle": {"chord": chord}},
            "skeleton": {"markers": {"{S}MAL": {"segment": "{side}_shank"}, "{S}ANK": None}},
        }
    )
    assert found.marker_radius == 0.009
    assert found.points["right_ankle"].chord.marker == "RMAL"
    assert found.points["right_knee"] == plug_in_gait.points["right_knee"]
    changed = set(found.skeleton.markers) ^ set(plug_in_gait.skeleton.markers)
    assert changed == {"LMAL", "RMAL", "LANK", "RANK"}
    assert found.skeleton.scale_factors == plug_in_gait.skeleton.scale_factors
    assert found.aliases["LMAL"] == ("LLM",)
    assert plug_in_gait.aliases.items() <= found.aliases.items()


def test_a_chain_of_sets_is_read_from_its_end(written):
    found = written(
        mine={"extends": "ours", "marker_radius": 0.005},
        ours={"extends": "plug_in_gait", "marker_radius": 0.01, "title": "Ours"},
    )
    assert (found.marker_radius, found.title, found.name) == (0.005, "Ours", "mine")


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ({"mine": {"extends": "plug_in_gate"}}, "'extends' names 'plug_in_gate'.* did you mean 'plug_in_gait'"),
        ({"mine": {"extends": ["plug_in_gait"]}}, "should be the name of a file"),
        ({"a": {"extends": "b"}, "b": {"extends": "a"}}, "b.yaml: 'extends' names 'a', which is not another file"),
        ({"mine": {"extends": "list"}, "list": ["points"]}, "not a mapping"),
        ({"mine": {"extends": "plug_in_gait", "points": {"left_hip": {"maen": ["LHJC"]}}}}, "did you mean 'mean'"),
        ({"mine": {"extends": "plug_in_gait", "frames": {"{side}_foot": None}}}, "segment left_foot names 'left_foot'"),
    ],
)
def test_what_cannot_be_extended_is_refused(sets, message, written):
    with pytest.raises(ConfigError, match=message):
        written(**sets)


def test_a_set_may_extend_the_one_that_ships_under_its_own_name(tmp_path):
    """A study's own plug_in_gait that extends the shipped one is no circle."""
    path = tmp_path / "plug_in_gait.yaml"
    path.write_text("extends: plug_in_gait\ntitle: Ours\n", encoding="utf-8")
    assert load_marker_set(path).title == "Ours"
    assert extended_files(path, HOME / "config/marker_sets", "x") == [
        path,
        HOME / "config/marker_sets/plug_in_gait.yaml",
    ]


def test_a_change_of_the_extended_set_changes_what_the_stages_read(tmp_path: Path):
    (tmp_path / "config/marker_sets").mkdir(parents=True)
    (tmp_path / "config/marker_sets/mine.yaml").write_text("extends: ours\n", encoding="utf-8")
    (tmp_path / "config/marker_sets/ours.yaml").write_text("extends: plug_in_gait\n", encoding="utf-8")
    (tmp_path / "config/config.yaml").write_text("anatomy: {marker_set: mine}\n", encoding="utf-8")
    (tmp_path / "config/subjects.tsv").write_text("subject\nAnn\n", encoding="utf-8")
    (tmp_path / "config/trials.tsv").write_text("subject\ttrial\tkind\tfile\nAnn\tw\twalk\tw.c3d\n", encoding="utf-8")
    study = load_study(tmp_path, HOME)
    (session,) = study.sessions
    for rule in ("ingest", "kinematics"):
        (stage,) = JOBS[rule](study, session)
        files = [path.stem for name, path in stage.trials["w"].inputs.items() if name.startswith("marker_set")]
        assert files == ["mine", "ours", "plug_in_gait"]
