"""The schemas of the tables: rows of subjects.tsv, trials.tsv, comparisons.tsv and predictions.tsv."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, ValidationInfo, model_validator

from pipeline.config.fields import Direction, Identifier, Row, setting
from pipeline.config.steps import (
    Foot,
    GivenEvent,
    GivenSteps,
    PlateContact,
    read_contacts,
    read_curves,
    read_events,
    read_feet,
    read_part,
)
from pipeline.conventions import HEIGHT_LIMITS, MASS_LIMITS, MAX_FRICTION
from pipeline.trial import Part


def _length(what: str, low: float, high: float) -> Any:
    return setting(None, f"{what}; from the C3D file if blank.", "mm", ge=low, le=high)


def _hip(side: str, direction: str, low: float, high: float) -> Any:
    what = f"{side} hip centre, {direction} from the middle of the pelvis' front, in the axes of its markers"
    return setting(None, f"{what} (`gait hips`, or imaging); a regression if blank.", "mm", ge=low, le=high)


def _axis(side: str) -> Any:
    what = f"{side} knee: turn of its flexion axis about the thigh, in sets with medial markers"
    return setting(None, f"{what} (`gait knees`); the axis of the epicondyles if blank.", "deg", ge=-45, le=45)


def _offset(what: str) -> Any:
    return setting(None, f"{what}, as in Plug-in Gait; from the C3D file if blank.", "deg", ge=-180, le=180)


def _abduction(side: str) -> Any:
    what = f"{side} ankle: how much the angle at its centre between marker and knee exceeds a right angle"
    return setting(None, f"{what}, as Plug-in Gait's AnkleAbAdd; from the C3D file if blank.", "deg", ge=-45, le=45)


def _foot(what: str) -> Any:
    text = f"{what}, as in Plug-in Gait, for a walk without a static trial; from the C3D file if blank."
    return setting(None, text, "deg", ge=-90, le=90)


RESULTS = Path("data/results")
"""Folder of the sessions' results, relative to the study's folder."""


class SessionKey(NamedTuple):
    """A session; its name is unique within its subject."""

    subject: str
    session: str

    def __str__(self) -> str:
        return "/".join(self)

    def folder(self, results: Path = RESULTS) -> Path:
        """Folder of its results, within that of all sessions."""
        return results.joinpath(*self)


class TrialKey(NamedTuple):
    """A trial or a prediction; its name is unique within its session."""

    subject: str
    session: str
    trial: str

    def __str__(self) -> str:
        return "/".join(self)


DAYS_OF_YEAR = 365.2425

MAX_AGE = 120
"""Highest age, years."""

_DESCRIPTION = ("birth_date", "age_years", "diagnosis", "affected_side")

_TO_SI = {"mm": 0.001, "m": 1.0, "kg": 1.0, "deg": math.pi / 180.0}


def _date(cell: object, info: ValidationInfo) -> object:
    """Refuse plain numbers, which would be read as seconds since 1970."""
    if isinstance(cell, str) and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", cell):
        remedy = "a spreadsheet program needs the date format YYYY-MM-DD in this column"
        raise ValueError(f"column '{info.field_name}': '{cell}' is not a date of the form 2024-05-31; {remedy}")
    return cell


class Subject(Row):
    """A person. Blank values are taken from the C3D file, or are estimated and noted."""

    subject: Identifier = setting(..., "Name of the subject, used in trials.tsv.")
    sex: Literal["m", "f"] | None = setting(
        None,
        "Sex, for the tables of segment inertia; if blank, the mean of both for the legs and a man's for the "
        "whole-body skeleton.",
    )
    birth_date: Annotated[datetime.date | None, BeforeValidator(_date)] = setting(
        None, "Date of birth, such as 2015-05-31; gives the age at sessions whose date is given, for norm and report."
    )
    age_years: float | None = setting(
        None, "Age, if the date of birth or the session's date is not given.", "years", ge=0, le=MAX_AGE
    )
    diagnosis: str = setting("", "Diagnosis, shown in the report.")
    affected_side: Literal["left", "right", "both", "none"] | None = setting(
        None, "Affected side, shown in the report."
    )
    mass_kg: float | None = setting(
        None, "Body mass; from the C3D file if blank.", "kg", ge=MASS_LIMITS[0], le=MASS_LIMITS[1]
    )
    height_m: float | None = setting(
        None, "Standing height; from the C3D file if blank.", "m", ge=HEIGHT_LIMITS[0], le=HEIGHT_LIMITS[1]
    )
    leg_length_left_mm: float | None = _length("Left leg, front of the pelvis to inner ankle", 200, 1300)
    leg_length_right_mm: float | None = _length("Right leg, front of the pelvis to inner ankle", 200, 1300)
    knee_width_left_mm: float | None = _length("Left knee width", 30, 250)
    knee_width_right_mm: float | None = _length("Right knee width", 30, 250)
    ankle_width_left_mm: float | None = _length("Left ankle width", 20, 150)
    ankle_width_right_mm: float | None = _length("Right ankle width", 20, 150)
    asis_trochanter_left_mm: float | None = _length("Left front of the pelvis to trochanter, sagittal", 1, 200)
    asis_trochanter_right_mm: float | None = _length("Right front of the pelvis to trochanter, sagittal", 1, 200)
    pelvis_depth_mm: float | None = setting(
        None, "Front to back of the pelvis, between its markers; from the static trial if blank.", "mm", ge=50, le=350
    )
    inter_asis_mm: float | None = _length("Distance between the front markers of the pelvis", 100, 500)
    hip_forward_left_mm: float | None = _hip("Left", "forward", -200, 100)
    hip_up_left_mm: float | None = _hip("Left", "up", -250, 50)
    hip_lateral_left_mm: float | None = _hip("Left", "outward", 20, 200)
    hip_forward_right_mm: float | None = _hip("Right", "forward", -200, 100)
    hip_up_right_mm: float | None = _hip("Right", "up", -250, 50)
    hip_lateral_right_mm: float | None = _hip("Right", "outward", 20, 200)
    foot_length_mm: float | None = setting(
        None, "Foot length, heel to toe tip; from the height if blank.", "mm", ge=100, le=400
    )
    knee_axis_left_deg: float | None = _axis("Left")
    knee_axis_right_deg: float | None = _axis("Right")
    thigh_rotation_left_deg: float | None = _offset("Left thigh wand's rotation offset")
    thigh_rotation_right_deg: float | None = _offset("Right thigh wand's rotation offset")
    shank_rotation_left_deg: float | None = _offset("Left shank wand's rotation offset")
    shank_rotation_right_deg: float | None = _offset("Right shank wand's rotation offset")
    tibial_torsion_left_deg: float | None = _offset("Left tibial torsion")
    tibial_torsion_right_deg: float | None = _offset("Right tibial torsion")
    ankle_abduction_left_deg: float | None = _abduction("Left")
    ankle_abduction_right_deg: float | None = _abduction("Right")
    static_plantarflexion_left_deg: float | None = _foot("Left foot's static plantarflexion offset")
    static_plantarflexion_right_deg: float | None = _foot("Right foot's static plantarflexion offset")
    static_rotation_left_deg: float | None = _foot("Left foot's static rotation offset")
    static_rotation_right_deg: float | None = _foot("Right foot's static rotation offset")
    marker_diameter_mm: float | None = setting(
        None, "Diameter of the markers, for joint centres; that of the marker set if blank.", "mm", ge=2, le=60
    )

    @property
    def body(self) -> Subject:
        """The row without age, diagnosis and affected side, which affect no result but the choice of the norm."""
        return self.model_copy(update={name: type(self).model_fields[name].default for name in _DESCRIPTION})

    def age_on(self, day: datetime.date | None) -> float | None:
        """Age in years on a day: from the two dates if both are known, otherwise `age_years`; None if not known."""
        if self.birth_date and day:
            born = self.birth_date
            completed = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
            return min(max((day - born).days / DAYS_OF_YEAR, completed), completed + 0.999)
        return self.age_years

    def values_si(self) -> dict[str, float]:
        """The given values in SI units, by name without unit, such as "knee_width_left" or "mass"."""
        named = [(*name.rpartition("_")[::2], value) for name, value in self.model_dump().items()]
        return {name: value * _TO_SI[unit] for name, unit, value in named if unit in _TO_SI and value is not None}

    @classmethod
    def units(cls) -> dict[str, str]:
        """Unit of each value's column, by the name without the unit."""
        named = (column.rpartition("_") for column in cls.model_fields)
        return {name: unit for name, _, unit in named if unit in _TO_SI}

    @classmethod
    def limits_si(cls) -> dict[str, tuple[float, float]]:
        """Least and largest value of each value's column, in SI units, by the name without the unit."""
        found = {}
        for name, unit in cls.units().items():
            limits = cls.model_fields[f"{name}_{unit}"].metadata
            low, high = (next(getattr(item, key) for item in limits if hasattr(item, key)) for key in ("ge", "le"))
            found[name] = (low * _TO_SI[unit], high * _TO_SI[unit])
        return found

    @classmethod
    def from_si(cls, subject: str, sex: Literal["m", "f"] | None, values: Mapping[str, float]) -> Subject:
        """A row from values in the form of `values_si`."""
        units = cls.units()
        given: dict[str, Any] = {f"{name}_{units[name]}": value / _TO_SI[units[name]] for name, value in values.items()}
        return cls(subject=subject, sex=sex, **given)


def _file(name: str) -> str:
    if set(name) & set("{}"):
        raise ValueError(f"'{name}' has a brace, which is a wildcard in the workflow; rename the file")
    return name


class Trial(Row):
    """A recording."""

    trial: Identifier = setting(..., "Name of the trial, and of its files; unique within its session.")
    subject: Identifier = setting(..., "The recorded person, a subject of subjects.tsv.")
    session: Identifier = setting(
        "1", "Visit in which the trial was recorded; unique within its subject. Its trials are computed together."
    )
    condition: Identifier | None = setting(
        None,
        "How the subject walked, such as barefoot. Walks of one session and condition are averaged together.",
    )
    date: Annotated[datetime.date | None, BeforeValidator(_date)] = setting(
        None, "Date of the session, such as 2024-05-31; the same in all of its trials that give it."
    )
    kind: Literal["static", "walk"] | None = setting(
        None, "A static trial (standing) or a walk; a row in which it is blank is skipped, and the verdict names it."
    )
    file: Annotated[str, AfterValidator(_file)] = setting(
        ..., "The C3D or TRC file, in data/raw or as a path relative to the study's folder."
    )
    forces: Annotated[str, AfterValidator(_file)] = setting(
        "",
        "The storage file (.mot, .sto) with the ground reactions of a TRC file; if blank, the one next to it whose "
        "name continues with _grf or _forces. Blank for a C3D file.",
    )
    part: Annotated[Part | None, BeforeValidator(read_part)] = setting(
        None,
        'The part of the recording that is the trial, such as "0-3.5" or "4.2-" (up to its end), in seconds from its '
        "first frame; all of it if blank. A walk there and back is two trials of one file.",
    )
    static: Identifier | None = setting(
        None,
        "The static trial of the same session that calibrates a walk; if blank, the only one of its session and "
        "condition, or otherwise the session's only one. A walk that names itself here, or whose session has no static "
        "trial, calibrates itself; then ankle angles may be off by some degrees. Blank for a static trial.",
    )
    marker_set: Identifier | None = setting(None, "Marker set; that of config.yaml if blank.")
    up: Direction | None = setting(None, "Laboratory axis that points up; as in config.yaml if blank.")
    progression: Direction | None = setting(None, "Laboratory axis of progression; as in config.yaml if blank.")
    feet: Annotated[dict[int, Foot], BeforeValidator(read_feet)] = setting(
        {}, 'Foot on each plate, such as "2:right; 1:left; 3:none"; found from the markers if blank.'
    )
    events: Annotated[tuple[GivenEvent, ...], BeforeValidator(read_events)] = setting(
        (),
        'Events of a walk that take precedence over all others, such as "left initial contact 0.52; left foot off '
        '1.18", in seconds from the first frame of the trial.',
    )
    rejected_steps: Annotated[tuple[PlateContact, ...], BeforeValidator(read_contacts("rejected_steps"))] = setting(
        (),
        'Contacts with plates that are not used, each given by a time within it: "2:1.35" is the contact with plate 2 '
        "at 1.35 s.",
    )
    kept_steps: Annotated[tuple[PlateContact, ...], BeforeValidator(read_contacts("kept_steps"))] = setting(
        (),
        "Contacts with plates that are averaged although their loads are found to be wrong, written as in "
        "`rejected_steps`.",
    )
    kept_curves: Annotated[tuple[tuple[str, str], ...], BeforeValidator(read_curves)] = setting(
        (),
        'Curves that are averaged although the walk shows that they are off, such as "left hip_rotation; left '
        'knee_adduction"; the page names those that are set aside.',
    )
    notes: str = setting("", "Notes, shown in the report.")

    @property
    def key(self) -> TrialKey:
        """Unique within the study."""
        return TrialKey(self.subject, self.session, self.trial)

    def file_of(self, stage: str, results: Path) -> Path:
        """Its file of a stage, in the folder of all sessions' results."""
        return self.session_key.folder(results) / stage / f"{self.trial}.h5"

    @property
    def steps(self) -> GivenSteps:
        """What the row decides about the walk's steps."""
        return GivenSteps(self.feet, self.events, self.rejected_steps, self.kept_steps, self.kept_curves)

    @model_validator(mode="after")
    def _check(self) -> Trial:
        for name in ("events", "rejected_steps", "kept_steps", "kept_curves"):
            if self.kind == "static" and getattr(self, name):
                raise ValueError(
                    f"column '{name}': '{self.trial}' is a static trial, which has no steps; leave it blank"
                )
        return self

    @property
    def session_key(self) -> SessionKey:
        """Session in which the trial was recorded."""
        return SessionKey(self.subject, self.session)


class GroupKey(NamedTuple):
    """Session and condition of walks that are averaged together."""

    session: str
    condition: str | None


class Comparison(Row):
    """Two groups of walks of one subject to compare, such as two visits, or barefoot and with an orthosis. Changes are
    those from the first to the second. Without the table, each visit is compared with the next one of the same
    condition, and all conditions of a visit with each other. A row that names sides compares left with right in the
    same walks.
    """

    comparison: Identifier = setting(..., "Name of the comparison, and of its page; unique within its subject.")
    subject: Identifier = setting(..., "Subject of the walks, as in subjects.tsv.")
    first_session: Identifier | None = setting(None, "Session of the first walks; may be blank if there is only one.")
    first_condition: Identifier | None = setting(None, "Condition of the first walks; blank for walks without one.")
    second_session: Identifier | None = setting(None, "Session of the second walks.")
    second_condition: Identifier | None = setting(None, "Condition of the second walks.")
    first_side: Literal["left", "right"] | None = setting(
        None, "Side with which the other side is compared, in the same session and condition."
    )
    second_side: Literal["left", "right"] | None = setting(None, "The other side.")

    @property
    def first(self) -> GroupKey:
        """The first walks; the session is filled in when the study is checked."""
        return GroupKey(self.first_session or "", self.first_condition)

    @property
    def second(self) -> GroupKey:
        """The second walks, in the same way."""
        return GroupKey(self.second_session or "", self.second_condition)


class Prediction(Row):
    """A walk or run to predict. Rows of one subject or measured walk with the same preset and form are a sweep: each
    starts from its nearest solved neighbour.

    A row that names a measured walk takes from it the speed, step length, double support, step width and toe-out that
    the row leaves blank; it is predicted on the skeleton fitted to that walk and compared with the walk. For other
    rows, the skeleton is scaled by the subject's mass, height and sex; mass and height that are blank in subjects.tsv
    come from the session's first static trial, which also gives the tilt of the pelvis in standing.
    """

    prediction: Identifier = setting(..., "Name of the prediction, and of its files; unique within its session.")
    subject: Identifier = setting(
        "", "The person who walks, a subject of subjects.tsv whose sex is given; that of the measured walk if blank."
    )
    session: Identifier | None = setting(
        None,
        "Session of the measured walk, or of the static trial that gives the standing posture; may be blank if only "
        "one fits.",
    )
    trial: Identifier | None = setting(None, "Measured walk to predict and to compare with, a walk of trials.tsv.")
    speed_m_s: float | None = setting(None, "Speed; that of the measured walk if blank.", "m/s", ge=0.1, le=6)
    step_length_m: float | None = setting(
        None,
        "Distance between the positions of the two feet; that of the measured walk if blank.",
        "m",
        ge=0.05,
        le=2.5,
    )
    double_support: float | None = setting(
        None,
        "Fraction of a step with both feet on the ground; if blank, that of the measured walk, or otherwise that of "
        "people at the same dimensionless speed.",
        ge=0.02,
        le=0.6,
    )
    step_width_m: float | None = setting(
        None,
        "Distance between the lines on which the ankles walk; if blank, that of the measured walk, or otherwise 0.11 "
        "of the leg length.",
        "m",
        ge=0,
        le=0.6,
    )
    toe_out_deg: float | None = setting(
        None,
        "Angle of the feet to the progression; if blank, that of the measured walk, or otherwise 7.",
        "deg",
        ge=-30,
        le=45,
    )
    friction: float = setting(0.6, "Coefficient of friction between foot and ground.", ge=0.05, le=MAX_FRICTION)
    preset: Literal["human", "thesis", "running"] = setting(
        "human", "Objective, weights and constraints: of walks, or running for a run."
    )
    flight: float | None = setting(
        None,
        "Fraction of a step with neither foot on the ground, of the preset running; if blank, that of the measured "
        "run, or otherwise 0.3.",
        ge=0.05,
        le=0.5,
    )
    form: Literal["step", "stride"] = setting(
        "step", "One step, continued by its mirror image, or a stride whose two steps may differ."
    )
    what_if: Identifier | None = setting(
        None,
        "A case in which body, ground or task differ from the subject's own: a file config/what_if/NAME.yaml. If it "
        "makes the sides differ, the form must be stride.",
    )
    weights: Identifier | None = setting(
        None,
        "Weights of the preset human fitted to a walk: a file config/weights/NAME.yaml.",
    )

    @property
    def key(self) -> TrialKey:
        """Unique within the study; the session is filled in when the study is checked."""
        return TrialKey(self.subject, self.session or "", self.prediction)

    @model_validator(mode="after")
    def _check(self) -> Prediction:
        if self.trial is None:
            lacking = [name for name in ("subject", "speed_m_s", "step_length_m") if getattr(self, name) in (None, "")]
            if lacking:
                raise ValueError(f"{' and '.join(lacking)} must be given, or a measured walk in 'trial'")
        runs = self.preset == "running"
        wrong = "double_support" if runs else "flight"
        if getattr(self, wrong) is not None:
            raise ValueError(f"{wrong} is given, but the preset {self.preset} predicts {'runs' if runs else 'walks'}")
        if self.weights and self.preset != "human":
            raise ValueError(f"weights are those of the preset human, but the preset is {self.preset}")
        return self
