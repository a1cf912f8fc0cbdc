"""Loading of a study: every mistake is reported with its position, limit and nearest valid name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import (
    Configuration,
    GivenEvent,
    GivenSteps,
    PlateContact,
    Prediction,
    SessionKey,
    Study,
    Trial,
    TrialKey,
    load_study,
)
from pipeline.errors import ConfigError
from tests.small_study import write_files, write_study

SUBJECTS = "subject\tsex\tmass_kg\theight_m\nAnn\tf\t60.3\t1.58\nBob\tm\t\t\n"
TRIALS = """trial\tsubject\tkind\tfile\tstatic\tfeet
a_static\tAnn\tstatic\ta static.c3d\t\t
a_walk\tAnn\twalk\ta_walk.c3d\t\t2:right; 1:left; 3:none
b_static\tBob\tstatic\tsub/b.c3d\t\t
b_static2\tBob\tstatic\tsub/b.c3d\t\t
b_walk\tBob\twalk\telsewhere/b.c3d\tb_static2\t
"""
STEPS = """trial\tsubject\tkind\tfile\tevents\trejected_steps
a_static\tAnn\tstatic\ta static.c3d\t\t
a_walk\tAnn\twalk\ta_walk.c3d\tleft foot off 1.18; left initial contact 0.52\t2:1.35; 3:2
"""
PREDICTIONS = """prediction\tsubject\tspeed_m_s\tstep_length_m\tdouble_support\tpreset
slow\tAnn\t0.8\t0.5\t\t
fast\tAnn\t1.5\t0.7\t0.15\thuman
as_published\tAnn\t1.2\t0.6\t\tthesis
bob\tBob\t1.2\t0.6\t\t
"""
WALKS = """prediction\ttrial\tsubject\tspeed_m_s\tpreset\tform\tstep_width_m\ttoe_out_deg
as_walked\ta_walk\t\t\t\t\t\t
faster\ta_walk\tAnn\t1.6\thuman\tstride\t0.1\t8
"""
SESSIONS = """trial\tsubject\tsession\tcondition\tdate\tkind\tfile\tstatic
still\tAnn\tday1\tbarefoot\t2024-05-31\tstatic\ta static.c3d\t
still_shod\tAnn\tday1\tshod\t2024-05-31\tstatic\ta static.c3d\t
walk01\tAnn\tday1\tbarefoot\t\twalk\ta_walk.c3d\t
walk02\tAnn\tday1\tshod\t\twalk\ta_walk.c3d\t
still\tAnn\tday2\t\t\tstatic\ta static.c3d\t
walk01\tAnn\tday2\torthosis\t\twalk\ta_walk.c3d\t
walk01\tBob\t\t\t\twalk\tsub/b.c3d\t
"""


class Folder:
    """A study's folder that a test can damage."""

    def __init__(self, root: Path) -> None:
        self.root, self.home = root / "study", root / "home"
        recordings = ("data/raw/a static.c3d", "data/raw/a_walk.c3d", "data/raw/sub/b.c3d", "elsewhere/b.c3d")
        write_files(write_study(self.root, TRIALS, SUBJECTS), recordings)
        shipped = ("marker_sets/plug_in_gait.yaml", "marker_sets/cleveland.yaml", "norms/schwartz2008.json")
        write_files(self.home / "config", shipped)

    def write(self, name: str, text: str) -> None:
        write_files(self.root, {name: text})

    def load(self) -> Study:
        return load_study(self.root, self.home)

    def refusal(self) -> str:
        with pytest.raises(ConfigError) as caught:
            self.load()
        return str(caught.value)


def of(study: Study, name: str) -> Trial:
    """The only trial of a name."""
    (trial,) = (trial for trial in study.trials.values() if trial.trial == name)
    return trial


def names(trials: list[Trial]) -> list[str]:
    return [trial.trial for trial in trials]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_good_study_resolves_its_files_statics_feet_and_marker_sets(folder: Folder) -> None:
    study = folder.load()
    assert names(study.walks) == ["a_walk", "b_walk"]
    assert study.file_of(of(study, "a_static")) == folder.root / "data/raw/a static.c3d"
    assert study.file_of(of(study, "b_walk")) == folder.root / "elsewhere/b.c3d"
    own = [study.static_of(of(study, name)) for name in ("a_walk", "b_walk", "b_static")]
    assert names(own) == ["a_static", "b_static2", "b_static"]
    assert of(study, "a_walk").feet == {2: "right", 1: "left", 3: "none"}
    assert study.subjects[of(study, "a_walk").subject].mass_kg == 60.3
    assert study.subjects[of(study, "b_walk").subject].mass_kg is None
    assert study.marker_set_of(of(study, "a_walk")) == folder.home / "config/marker_sets/plug_in_gait.yaml"


def test_a_walk_without_a_static_trial_calibrates_itself_and_so_does_one_that_names_itself(folder: Folder) -> None:
    folder.write("config/trials.tsv", TRIALS.replace("a_static\tAnn\tstatic", "a_static\tAnn\twalk"))
    assert folder.load().static_of(of(folder.load(), "a_walk")).trial == "a_walk"
    folder.write("config/trials.tsv", TRIALS.replace("b.c3d\tb_static2", "b.c3d\tb_walk"))
    assert folder.load().static_of(of(folder.load(), "b_walk")).trial == "b_walk"


def test_a_marker_set_or_skeleton_of_the_study_comes_before_that_of_the_pipeline(folder: Folder) -> None:
    assert folder.load().skeleton == folder.home / "config/skeleton.yaml"
    folder.write("config/marker_sets/plug_in_gait.yaml", "")
    folder.write("config/skeleton.yaml", "")
    assert (
        folder.load().marker_set_of(of(folder.load(), "a_walk")) == folder.root / "config/marker_sets/plug_in_gait.yaml"
    )
    assert folder.load().skeleton == folder.root / "config/skeleton.yaml"


def test_a_trial_can_differ_from_the_study_in_axes_and_marker_set(folder: Folder) -> None:
    folder.write("config/config.yaml", "axes: {up: +z, progression: +y}")
    folder.write(
        "config/trials.tsv",
        "trial\tsubject\tkind\tfile\tprogression\tmarker_set\n"
        "s\tAnn\tstatic\ta static.c3d\t\t\nw\tAnn\twalk\ta_walk.c3d\t-y\tcleveland\n",
    )
    study = folder.load()
    walk, static = of(study, "w"), of(study, "s")
    assert (study.axes_of(walk).up, study.axes_of(walk).progression) == ("+z", "-y")
    assert study.axes_of(static).progression == "+y"
    assert study.marker_set_of(walk).stem == "cleveland"


@pytest.mark.parametrize("text", ["", "# only a remark\n", "filter:\n", "filter: {}\nstudy:\n"])
def test_what_is_absent_or_empty_has_all_its_defaults(folder: Folder, text: str) -> None:
    folder.write("config/config.yaml", text)
    assert folder.load().configuration == Configuration()


def test_a_spreadsheet_s_byte_order_mark_line_ends_quotes_and_blank_rows_are_read(folder: Folder) -> None:
    folder.write("config/subjects.tsv", '\ufeffsubject\tsex\r\n"Ann"\tf \r\n\t\r\nBob\tm\t\t\r\n')
    assert list(folder.load().subjects) == ["Ann", "Bob"]


def test_blank_lines_above_the_header_and_blank_columns_beside_it_are_read(folder: Folder) -> None:
    folder.write("config/subjects.tsv", "\t\n\nsubject\tsex\t\t\nAnn\tf\t\t\nBob\tx\n")
    assert "config/subjects.tsv, line 5: 'sex' should be" in folder.refusal()
    folder.write("config/subjects.tsv", "\nsubject\tsex\t\t\nAnn\tf\t\t\nBob\tm\n")
    assert list(folder.load().subjects) == ["Ann", "Bob"]


@pytest.mark.parametrize("end", ["", '\tof "them"\n'])
def test_a_quotation_mark_that_is_not_closed_is_reported(folder: Folder, end: str) -> None:
    """The rows up to the next mark, or to the end, are text of that cell."""
    header, *rows = TRIALS.splitlines()
    table = "\n".join([header + "\tnotes", rows[0] + '\t\t\t"5 steps', *rows[1:]]) + end
    folder.write("config/trials.tsv", table)
    assert f"config/trials.tsv, line 2: a cell continues to line {len(rows) + 1}" in folder.refusal()


def test_a_table_in_utf_16_is_named_with_and_without_its_mark(folder: Folder) -> None:
    for encoding in ("utf-16", "utf-16-le"):
        (folder.root / "config/subjects.tsv").write_bytes(SUBJECTS.encode(encoding))
        assert folder.refusal().endswith("config/subjects.tsv: is not UTF-8 text; save it as UTF-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("filter:\n  marker: 6", ["config/config.yaml, line 2, in filter", "unknown key 'marker'", "'markers'"]),
        ("filtre: {}", ["line 1", "unknown key 'filtre'", "did you mean 'filter'?"]),
        ("xyz: 1", ["unknown key 'xyz'", "known are anatomy, axes"]),
        ("\nfilter: {markers: 600}", ["line 2, in filter", "less than or equal to 100", "600", "in Hz"]),
        ("filter: {markers: '6'}", ["valid number", "'6'"]),
        ("filter: {markers: true}", ["'markers'", "True"]),
        ("filter: {markers: gvc}", ["'markers'", "'residual' or 'gcv'", "'gvc'"]),
        ("filter: {markers: .nan}", ["'markers'", "nan"]),
        ("filter: 6", ["'filter'", "mapping of keys"]),
        ("anatomy: {hip_centre: davies}", ["'davis', 'harrington', 'bell' or 'hara'", "did you mean 'davis'?"]),
        ("events: {on_force: 5}", ["line 1", "off_force (10 N) is above on_force (5 N)"]),
        ("events: {sources: [plates, plates]}", ["sources names a source twice"]),
        ("events: {sources: [plates, foto]}", ["'plates', 'file' or 'markers'", "foto"]),
        ("filter: {markers: 6}\nfilter: {}", ["line 2", "'filter' is given twice"]),
        ("filter: {markers: 6", ["config/config.yaml, line 1", "is not YAML"]),
        ("- a\n- b", ["mapping of keys"]),
        ("study: &a {title: x, more: *a}", ["line 1", "repeats a part by an alias"]),
        ("filter: &a [1]\nevents: [*a, *a]", ["line 2", "repeats a part by an alias"]),
        ("a: " + 200_000 * "[", ["line 1", "is nested more than 30 deep"]),
        (f"filter: {{max_gap: {6000 * '9'}}}", ["cannot be read", "6000 digits"]),
        (f"anatomy: {{hip_centre: {5000 * 'x'}}}", ["'hip_centre'", "(5002 characters)"]),
        ("study: {title: 2024-99-99}", ["cannot be read", "month must be in 1..12"]),
        ('study: {title: "\\e]0;x"}', ["has a control character in \\x1b]0;x; remove it"]),
        ('study: {title: "\\ud800"}', ["line 1", "is not YAML"]),
        ("anatomy: {marker_set: plug_in_gate}", ["no marker set 'plug_in_gate'", "did you mean 'plug_in_gait'?"]),
        ("anatomy: {marker_set: ../x}", ['may contain only letters, digits, "_" and "-"']),
        ("emg: {channels: {a: Soleus}}", ["emg.channels: 'a' should match pattern '^(none|(left|right)"]),
    ],
)
def test_a_mistake_in_config_yaml_is_named(folder: Folder, text: str, expected: list[str]) -> None:
    folder.write("config/config.yaml", text)
    message = folder.refusal()
    for part in expected:
        assert part in message


MISTAKES: dict[tuple[str, str], list[tuple[str, str, list[str]]]] = {
    ("config/subjects.tsv", SUBJECTS): [
        ("1.58", "158", ["subjects.tsv, line 2", "'height_m'", "less than or equal to 2.5", "158", "in m"]),
        ("60.3", "60,3", ["line 2", "'mass_kg'", "a number with a decimal point", "60,3"]),
        ("60.3", "-5", ["subjects.tsv, line 2", "'mass_kg'", "greater than or equal to 3", "in kg", "-5"]),
        ("60.3", 6000 * "9", ["line 2", "'mass_kg'", "(6002 characters)"]),
        ("60.3", "\x1b[31m", ["line 2", "'mass_kg' has a control character: \\x1b[31m; remove it"]),
        ("60.3", "nan", ["'mass_kg'", "finite"]),
        ("Ann\tf", "Ann\tfemale", ["'m' or 'f'", "female"]),
        ("Bob", "Ann", ["line 3", "subject 'Ann' is already in line 2"]),
        ("Bob", "ann", ["line 3", "upper and lower case must not be the only difference"]),
        ("Bob", "Bob Ray", ['may contain only letters, digits, "_" and "-"', "Bob Ray"]),
        ("mass_kg", "mas_kg", ["line 1", "unknown column 'mas_kg'", "did you mean 'mass_kg'?"]),
        ("height_m", "mass_kg", ["the column 'mass_kg' is given twice"]),
        ("60.3\t1.58", "60.3\t1.58\t9", ["line 2", "has 5 cells, but the header has 4"]),
        (SUBJECTS, SUBJECTS.replace("\t", ","), ["line 1", "separated by tabs"]),
        (SUBJECTS, "", ["subjects.tsv, line 1", "the column 'subject' is missing"]),
    ],
    ("config/trials.tsv", TRIALS): [
        ("a_walk.c3d", "a{1}.c3d", ["line 3", "has a brace"]),
        ("a_walk\tAnn", "a_walk\tAnne", ["line 3", "no subject 'Anne'", "did you mean 'Ann'?"]),
        ("a_walk\tAnn", "../x\tAnn", ["line 3", "'trial'", "../x"]),
        ("b_static2\t\n", "\t\n", ["line 6", "has 2 static trials for this walk; choose one of b_static, b_static2"]),
        ("c3d\tb_static2", "c3d\tb_statik2", ["line 6", "no trial 'b_statik2'", "did you mean 'b_static2'?"]),
        ("c3d\tb_static2", "c3d\ta_static", ["line 6", "no trial 'a_static' in session Bob/1"]),
        ("a static.c3d\t", "a static.c3d\tb_static", ["line 2", "leave 'static' blank"]),
        ("2:right", "2:rihgt", ["line 3", "rihgt", "'left', 'right' or 'none'"]),
        ("2:right", "2:Right", ["line 3, in feet: '2' should be 'left', 'right' or 'none'; it is 'Right'"]),
        ("2:right", "right", ["line 3", "column 'feet': 'right' is not of the form PLATE:FOOT"]),
        ("2:right", "1:right", ["line 3", "column 'feet': plate 1 is given twice"]),
        ("2:right", "01:right", ["line 3", "column 'feet': plate 1 is given twice"]),
        ("2:right", "0:right", ["line 3", "plates count from 1"]),
        ("b_static2\tBob", "b_static\tBob", ["line 5", "trial 'b_static' is already in line 4"]),
        (TRIALS, TRIALS.splitlines()[0], ["names no trial"]),
    ],
    ("config/trials.tsv", STEPS): [
        (
            "left foot off 1.18",
            "left toe off 1.18",
            ["line 3", "column 'events': 'left toe off 1.18'", "SIDE EVENT SEC"],
        ),
        ("contact 0.52", "contact 0,52", ["line 3", "column 'events': 'left initial contact 0,52'"]),
        ("2:1.35", "2", ["line 3", "column 'rejected_steps': '2' is not of the form PLATE:SECONDS"]),
        ("2:1.35", "2:x", ["line 3", "column 'rejected_steps': '2:x' is not of the form PLATE:SECONDS"]),
        ("2:1.35", "0:1.35", ["line 3", "column 'rejected_steps': plate 0 does not exist"]),
        ("static.c3d\t\t", "static.c3d\t\t1:0.5", ["line 2", "column 'rejected_steps': 'a_static' is a static trial"]),
    ],
    ("config/predictions.tsv", PREDICTIONS): [
        ("0.8", "8", ["predictions.tsv, line 2", "'speed_m_s'", "less than or equal to 6", "in m/s"]),
        ("0.5\t", "50\t", ["line 2", "'step_length_m'", "less than or equal to 2"]),
        ("0.15", "0.9", ["line 3", "'double_support'", "less than or equal to 0.6"]),
        ("thesis", "thesys", ["line 4", "'human', 'thesis' or 'running'", "thesys"]),
        ("fast\tAnn", "fast\tAnna", ["line 3", "no subject 'Anna'", "did you mean 'Ann'?"]),
        ("fast\t", "Slow\t", ["line 3", "upper and lower case must not be the only difference"]),
        ("speed_m_s", "speed", ["line 1", "unknown column 'speed'", "did you mean 'speed_m_s'?"]),
        (PREDICTIONS, "subject\ttrial\n", ["line 1", "the column 'prediction' is missing"]),
        ("slow\tAnn\t0.8\t0.5", "slow\tAnn\t0.8\t", ["line 2", "step_length_m must be given, or a measured walk"]),
    ],
    ("config/predictions.tsv", WALKS): [
        ("as_walked\ta_walk", "as_walked\ta_wlk", ["line 2", "'a_wlk' is not a trial", "did you mean 'a_walk'?"]),
        ("as_walked\ta_walk", "as_walked\ta_static", ["line 2", "'a_static' is not a walk"]),
        ("\tAnn", "\tBob", ["line 3", "'a_walk' is a walk of subject 'Ann', session '1', not of 'Bob'"]),
        ("stride", "run", ["line 3", "'form'", "'step' or 'stride'"]),
    ],
    ("config/trials.tsv", SESSIONS): [
        ("walk02\tAnn\tday1\tshod", "Walk01\tAnn\tday1\tshod", ["line 5", "upper and lower case", "for Ann/day1"]),
        ("walk02\tAnn\tday1\tshod", "walk02\tAnn\tday1\t", ["line 5", "has 2 static trials for this walk"]),
        ("walk02\tAnn\tday1", "walk02\tAnn\tDay1", ["line 5", "session 'Day1'", "differs from 'day1' only in case"]),
        ("shod\t2024-05-31", "shod\t2024-06-01", ["line 3", "already has the date 2024-05-31, not 2024-06-01"]),
        (
            "shod\t2024-05-31",
            "shod\t31.5.2024",
            ["line 3: column 'date': '31.5.2024' is not a date of the form 2024-05-31"],
        ),
        ("shod\t2024-05-31", "shod\t2024-02-31", ["line 3", "'date'", "2024-02-31"]),
        ("Ann\tday2\t\t", "Ann\tday 2\t\t", ["line 6", "'session'", 'may contain only letters, digits, "_" and "-"']),
        ("orthosis\t\twalk\ta_walk.c3d\t", "orthosis\t\twalk\ta_walk.c3d\tstill_shod", ["line 7", "no trial"]),
    ],
}
"""By file and its text in a good study: text that is replaced, a mistake in its place, and parts of the message."""


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "expected"),
    [(*where, *mistake) for where, mistakes in MISTAKES.items() for mistake in mistakes],
)
def test_a_mistake_in_a_table_is_named(folder, name, text, old, new, expected) -> None:
    assert old in text
    folder.write(name, text.replace(old, new))
    message = folder.refusal()
    assert not [part for part in expected if part not in message], message


def test_events_and_rejected_steps_are_read_from_their_cells(folder: Folder) -> None:
    folder.write("config/trials.tsv", STEPS)
    steps = of(folder.load(), "a_walk").steps
    assert steps.events == (GivenEvent("left", "initial contact", 0.52), GivenEvent("left", "foot off", 1.18))
    assert steps.rejected == (PlateContact(2, 1.35), PlateContact(3, 2.0))
    assert of(folder.load(), "a_static").steps == GivenSteps()


def test_all_problems_of_all_files_are_listed_at_once(folder: Folder) -> None:
    folder.write("config/config.yaml", "filter: {marker: 6, order: 3}")
    folder.write("config/subjects.tsv", SUBJECTS.replace("60.3", "6030").replace("Bob\tm", "Bob\tx"))
    folder.write("config/trials.tsv", TRIALS.replace("2:right", "2"))
    message = folder.refusal()
    assert message.startswith("5 problems")
    assert len(message.splitlines()) == 6


def test_a_missing_file_and_a_file_in_another_encoding_are_named(folder: Folder) -> None:
    (folder.root / "config/subjects.tsv").unlink()
    (folder.root / "config/trials.tsv").write_bytes("trial\tM\xfcller".encode("latin-1"))
    message = folder.refusal()
    assert "config/subjects.tsv: cannot be read (No such file or directory)" in message
    assert "config/trials.tsv: is not UTF-8 text" in message


def test_values_of_a_subject_are_in_si_units(folder: Folder) -> None:
    columns = "subject\tsex\tknee_width_left_mm\tmass_kg\tthigh_rotation_left_deg\n"
    folder.write("config/subjects.tsv", columns + "Ann\tf\t124\t60.5\t-90e-1\nBob\tm\t\t\t\n")
    values = folder.load().subjects["Ann"].values_si()
    assert values == {
        "knee_width_left": pytest.approx(0.124),
        "mass": 60.5,
        "thigh_rotation_left": pytest.approx(-0.15707963),
    }
    assert folder.load().subjects["Bob"].values_si() == {}


def test_a_norm_of_the_study_comes_before_that_of_the_pipeline_and_may_be_none(folder: Folder) -> None:
    session = SessionKey("Ann", "1")
    assert folder.load().norm_of(session) == folder.home / "config/norms/schwartz2008.json"
    folder.write("config/norms/schwartz2008.json", "")
    assert folder.load().norm_of(session) == folder.root / "config/norms/schwartz2008.json"
    folder.write("config/config.yaml", "comparison: {norm: null}\n")
    assert folder.load().norm_of(session) is None
    folder.write("config/config.yaml", "comparison: {norm: schwarz2008}\n")
    assert "no norm 'schwarz2008'; did you mean 'schwartz2008'?" in folder.refusal()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"ages": ["a", 3]}', '{"ages": [3]}', '{"ages": 3}', '{"ages": {}}'])
def test_a_norm_that_cannot_be_read_is_not_chosen_by_age(folder: Folder, text: str) -> None:
    folder.write("config/norms/own.json", text)
    folder.write("config/subjects.tsv", "subject\tage_years\nAnn\t10\nBob\t10\n")
    found = folder.load().norm_of(SessionKey("Ann", "1"))
    assert found is not None
    assert found.stem == "schwartz2008"


@pytest.mark.parametrize(
    ("person", "day", "norm"),
    [
        ("2010-06-01\t", "2020-06-02", "children"),
        ("2002-06-01\t", "2020-06-02", "adults"),
        ("2002-06-03\t", "2020-06-02", "children"),
        ("2001-06-02\t", "2019-06-02", "adults"),
        ("2001-06-02\t", "2019-06-01", "children"),
        ("\t40", "", "adults"),
        ("2002-06-01\t40", "", "adults"),
        ("\t", "2020-06-02", "schwartz2008"),
        ("\t2", "", "schwartz2008"),
    ],
)
def test_the_norm_is_that_of_the_subjects_age_at_the_session(folder: Folder, person, day, norm) -> None:
    folder.write("config/norms/children.json", '{"ages": [4, 18]}')
    folder.write("config/norms/adults.json", '{"ages": [18, 120]}')
    folder.write("config/subjects.tsv", f"subject\tbirth_date\tage_years\nAnn\t{person}\n")
    folder.write("config/trials.tsv", f"trial\tsubject\tkind\tfile\tdate\nw\tAnn\twalk\ta.c3d\t{day}\n")
    found = folder.load().norm_of(SessionKey("Ann", "1"))
    assert found is not None
    assert found.stem == norm


@pytest.mark.parametrize(("born", "expected"), [("1015-05-31", "at most 120"), ("2025-05-31", "before the subject's")])
def test_a_birth_that_no_age_at_the_session_fits_is_refused(folder: Folder, born: str, expected: str) -> None:
    folder.write("config/subjects.tsv", f"subject\tbirth_date\nAnn\t{born}\nBob\t\n")
    folder.write("config/trials.tsv", "trial\tsubject\tdate\tkind\tfile\nw\tAnn\t2024-05-31\twalk\tw.c3d\n")
    refusal = folder.refusal()
    assert "trials.tsv, line 2: the date 2024-05-31" in refusal
    assert expected in refusal


def test_emg_is_compared_with_a_norm_that_has_some(folder: Folder) -> None:
    """A child's own norm has no EMG; one that the settings name is the only one."""
    folder.write("config/norms/adults.json", '{"ages": [18, 120], "muscles": {"soleus": {}}}')
    folder.write("config/norms/children.json", '{"ages": [4, 18]}')
    folder.write("config/subjects.tsv", "subject\tage_years\nAnn\t9\nBob\t\n")
    session = SessionKey("Ann", "1")
    study = folder.load()
    assert (study.norm_of(session).stem, study.emg_norm_of(session).stem) == ("children", "adults")
    folder.write("config/config.yaml", "comparison: {norm: children}\n")
    assert folder.load().emg_norm_of(session).stem == "children"
    folder.write("config/config.yaml", "comparison: {norm: null}\n")
    assert folder.load().emg_norm_of(session) is None


def test_predictions_of_one_subject_and_preset_are_solved_together(folder: Folder) -> None:
    assert folder.load().predictions == {}, "a study without the table predicts nothing"
    folder.write("config/predictions.tsv", PREDICTIONS)
    study = folder.load()
    ann, bob = SessionKey("Ann", "1"), SessionKey("Bob", "1")
    assert list(study.predicted_sessions) == [ann, bob]
    assert {name: [row.prediction for row in rows] for name, rows in study.sweeps_of(ann).items()} == {
        "human_step": ["slow", "fast"],
        "thesis_step": ["as_published"],
    }
    assert [row.prediction for row in study.sweeps_of(bob)["human_step"]] == ["bob"]
    assert study.predictions[TrialKey(*ann, "slow")].double_support is None
    assert study.predictions[TrialKey(*ann, "fast")].double_support == 0.15
    assert names(study.walks_of(ann)) == ["a_walk"]


def test_a_prediction_needs_a_sex_and_a_mass_and_height_or_a_static_trial(folder: Folder) -> None:
    folder.write("config/subjects.tsv", SUBJECTS.replace("Bob\tm", "Bob\t") + "Cal\tm\t80\t\nDee\tf\t60\t1.7\n")
    rows = PREDICTIONS + "cal\tCal\t1\t0.6\t\t\ndee\tDee\t1\t0.6\t\t\n"
    folder.write("config/predictions.tsv", rows)
    message = folder.refusal()
    assert "line 5: subject 'Bob' has no sex" in message
    assert "line 6: subject 'Cal' has no height_m in config/subjects.tsv, nor a static trial to take it from" in message
    assert "Dee" not in message, "a table's mass and height do without a static trial"


def test_no_subject_or_trial_takes_a_name_that_other_pages_have(folder: Folder) -> None:
    folder.write("config/trials.tsv", TRIALS.replace("a_walk\t", "Average\t"))
    assert "line 3: 'Average' is the page of the averages" in folder.refusal()
    folder.write("config/subjects.tsv", SUBJECTS + "Templates\tf\t\t\n")
    assert "line 4: 'Templates' is the folder of other pages" in folder.refusal()


def test_a_prediction_of_a_measured_walk_needs_only_what_differs(folder: Folder) -> None:
    folder.write("config/predictions.tsv", WALKS)
    study = folder.load()
    ann = SessionKey("Ann", "1")
    row = study.predictions[TrialKey(*ann, "as_walked")]
    assert (row.subject, row.session, row.speed_m_s, row.form) == ("Ann", "1", None, "step")
    assert names([study.standing_of(row)]) == ["a_static"]
    assert list(study.sweeps_of(ann)) == ["human_step.a_walk", "human_stride.a_walk"], "a form is its own sweep"
    faster = study.predictions[TrialKey(*ann, "faster")]
    assert (faster.speed_m_s, faster.step_width_m, faster.toe_out_deg) == (1.6, 0.1, 8.0)


def test_all_walks_can_be_predicted_without_a_row_for_each(folder: Folder) -> None:
    folder.write("config/config.yaml", "prediction: {walks: all}\n")
    folder.write("config/predictions.tsv", WALKS)
    study = folder.load()
    # Ann's walk has rows of its own already.
    own = TrialKey("Bob", "1", "b_walk")
    assert list(study.predictions) == [TrialKey("Ann", "1", "as_walked"), TrialKey("Ann", "1", "faster"), own]
    assert study.predictions[own].trial == "b_walk"
    assert list(study.sweeps_of(SessionKey("Bob", "1"))) == ["human_step.b_walk"]
    assert names([study.standing_of(study.predictions[own])]) == ["b_static2"]
    folder.write("config/predictions.tsv", PREDICTIONS.replace("bob\t", "B_Walk\t"))
    assert "walk 'b_walk' would be predicted under its own name" in folder.refusal()


def test_a_trial_is_unique_within_its_session_and_takes_its_condition_s_static_trial(folder: Folder) -> None:
    folder.write("config/trials.tsv", SESSIONS)
    study = folder.load()
    first, second, other = (SessionKey(*key) for key in (("Ann", "day1"), ("Ann", "day2"), ("Bob", "1")))
    assert {key: names(trials) for key, trials in study.sessions.items()} == {
        first: ["still", "still_shod", "walk01", "walk02"],
        second: ["still", "walk01"],
        other: ["walk01"],
    }
    statics = {str(walk.key): str(study.static_of(walk).key) for walk in study.walks}
    assert statics == {
        "Ann/day1/walk01": "Ann/day1/still",
        "Ann/day1/walk02": "Ann/day1/still_shod",
        "Ann/day2/walk01": "Ann/day2/still",
        "Bob/1/walk01": "Bob/1/walk01",
    }
    assert {name: names(walks) for name, walks in study.conditions_of(first).items()} == {
        "barefoot": ["walk01"],
        "shod": ["walk02"],
    }
    assert str(study.trials[TrialKey("Ann", "day1", "still")].date) == "2024-05-31"


def test_a_prediction_names_its_walk_s_session_where_several_fit(folder: Folder) -> None:
    folder.write("config/trials.tsv", SESSIONS)
    folder.write("config/predictions.tsv", "prediction\tsubject\tsession\ttrial\nown\tAnn\t\twalk01\n")
    assert "line 2: Ann/day1, Ann/day2 each have a walk 'walk01'" in folder.refusal()
    folder.write("config/predictions.tsv", "prediction\tsubject\tsession\ttrial\nown\t\tday2\twalk01\n")
    (row,) = folder.load().predictions.values()
    assert row.key == ("Ann", "day2", "own")
    rows = "prediction\tsubject\tspeed_m_s\tstep_length_m\nfast\tAnn\t1.4\t0.7\n"
    folder.write("config/predictions.tsv", rows)
    assert "subject 'Ann' has sessions day1, day2; choose one in 'session'" in folder.refusal()


def test_a_c3d_file_may_be_missing(folder: Folder) -> None:
    """It fails its own trial, not the study."""
    (folder.root / "data/raw/a_walk.c3d").unlink()
    study = folder.load()
    assert not study.file_of(of(study, "a_walk")).exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "human", "flight": 0.3}, "flight is given, but the preset human predicts walks"),
        ({"preset": "thesis", "flight": 0.3}, "flight is given, but the preset thesis predicts walks"),
        ({"preset": "running", "double_support": 0.2}, "double_support is given, but the preset running predicts runs"),
        ({"preset": "running", "weights": "own"}, "weights are those of the preset human, but the preset is running"),
    ],
)
def test_what_a_preset_does_not_have_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Prediction(prediction="p", subject="Ann", trial="w", **given)
    assert Prediction(prediction="p", subject="Ann", trial="w", preset="running", flight=0.3).flight == 0.3
