"""Labels written otherwise than in the marker set are found; none is guessed where two could be meant."""

import pytest

from pipeline.anatomy import set_labels, with_set_labels


@pytest.fixture
def marker_set(plug_in_gait):
    return plug_in_gait.model_copy(update={"aliases": {"SACR": ("Sacrum", "VSAC"), "RKNE": ("RKNEE",)}})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["lasi", "R ASI", "LKNE"], {"lasi": "LASI", "R ASI": "RASI"}),
        (["Matt_LASI", "Matt_rasi", "Matt_SACR"], {"Matt_LASI": "LASI", "Matt_rasi": "RASI", "Matt_SACR": "SACR"}),
        (["v-sac", "LASI"], {"v-sac": "SACR"}),
        (["LKNE", "RKNEE"], {"RKNEE": "RKNE"}),  # misspelt on one side only
        (["RKNE", "RKNEE"], {}),  # both are there: neither is renamed
        (["l.kne", "L_KNE"], {}),  # two for one label
        (["LKNX", "other"], {}),
    ],
)
def test_labels_as_the_set_has_them(marker_set, written, meant):
    assert set_labels(written, marker_set) == meant


def test_a_recording_takes_the_sets_labels_and_says_so(person, record, marker_set):
    markers = {("Sacrum" if name == "SACR" else name.lower()): track for name, track in person.pose({})[0].items()}
    trial = with_set_labels(record(markers), marker_set)
    assert {"LASI", "RKNE"} <= set(trial.marker_names)
    assert (trial.marker("LASI") == markers["lasi"]).all()
    assert "lasi read as LASI" in trial.notes[-1].text
    assert with_set_labels(trial, marker_set) is trial
