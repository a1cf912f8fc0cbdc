"""Each shipped set is recognised by its own labels, in both kinds of trial, and what is lacking is said by output."""

import pytest

from pipeline.anatomy import load_marker_set, matches, outputs_in_words

LEGS = ["ASI", "PSI", "THI", "KNE", "TIB", "ANK", "HEE", "TOE"]


@pytest.fixture(scope="module")
def marker_sets(request):
    return [load_marker_set(path) for path in sorted((request.config.rootpath / "config/marker_sets").glob("*.yaml"))]


@pytest.fixture(scope="module")
def plug_in_gait_labels():
    return [side + name for name in LEGS for side in "LR"]


@pytest.mark.parametrize("walking", [False, True])
def test_each_set_is_recognised_by_its_own_labels_written_anyhow(marker_sets, walking):
    for marker_set in marker_sets:
        labels = [f"Ann_{label.lower()}" for label in sorted(marker_set.all_labels)]
        found = matches(labels, marker_sets, walking=walking)[0]
        assert (found.marker_set, found.recognised) == (marker_set.name, True)
        assert found.found == found.wanted
        assert not any(found.lacking.values())


def test_a_walk_need_not_have_the_medial_markers(marker_sets):
    """CGM2 has all labels of Plug-in Gait, and more."""
    cgm2 = next(marker_set for marker_set in marker_sets if marker_set.name == "cgm2")
    labels = [label for label in cgm2.all_labels if label[1:] not in ("KNM", "MED")]
    assert matches(labels, marker_sets, walking=True)[0].marker_set == "cgm2"
    assert not any(matches(labels, marker_sets, walking=True)[0].lacking.values())
    static = matches(labels, [cgm2], walking=False)[0]
    assert static.lacking["left knee angles"] == ("LKNM", "LMED")
    assert not static.lacking["pelvis angles"]


def test_what_a_partial_leg_can_give(marker_sets, plug_in_gait_labels):
    """Without the right ankle's marker there is no shank: the thigh and the hip's angles stay."""
    found = matches([label for label in plug_in_gait_labels if label != "RANK"], marker_sets, walking=True)[0]
    assert (found.marker_set, found.recognised) == ("plug_in_gait", True)
    assert {output for output, labels in found.lacking.items() if labels} == {
        "right hip moments",
        "right knee angles",
        "right knee moments",
        "right ankle angles",
        "right ankle moments",
    }
    lines = list(outputs_in_words(found.lacking))
    assert lines[0].startswith("its markers suffice for pelvis angles, left hip angles")
    assert lines[1].endswith("it lacks RANK")
    assert len(lines) == 2


def test_the_sacrum_serves_in_place_of_both_spines(marker_sets, plug_in_gait_labels):
    labels = [label for label in plug_in_gait_labels if not label.endswith("PSI")] + ["SACR"]
    assert not any(matches(labels, marker_sets, walking=True)[0].lacking.values())


def test_foreign_labels_match_no_set(marker_sets):
    assert not matches([f"M{k}" for k in range(20)], marker_sets, walking=True)[0].recognised
