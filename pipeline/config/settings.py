"""The schema of config.yaml: small frozen sections, each passed alone to the stage that uses it."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator
from pydantic_core import to_jsonable_python

from pipeline.config.fields import Direction, Identifier, Section, setting
from pipeline.config.report_features import DEFAULT_FEATURES, FeatureName
from pipeline.trial import LowPass

EventSource = Literal["plates", "file", "markers"]


class StudySettings(Section):
    """Name of the study."""

    title: str = setting("Gait study", "Title of the report's pages.")


class AxesSettings(Section):
    """Directions of the laboratory's axes, if the files' own evidence is wrong; trials.tsv can give others."""

    up: Direction | None = setting(None, "Laboratory axis that points up; found from the file if absent.")
    progression: Direction | None = setting(
        None, "Laboratory axis along which the subject walks; found from the file if absent."
    )


def _cutoff(value: object) -> object:
    """Check both kinds of value with one message; a union would give a message for each kind."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value in ("residual", "gcv") or (number and 0 < value <= 100):  # type: ignore[operator]
        return value
    raise ValueError(
        "'markers' should be a valid number above 0 and less than or equal to 100, in Hz, or 'residual' or 'gcv'; "
        f"it is {value!r}"
    )


class FilterSettings(Section):
    """Low-pass filter of markers and forces (zero-lag Butterworth), and gap filling."""

    markers: Annotated[Annotated[float, Field(gt=0, le=100)] | Literal["residual", "gcv"], BeforeValidator(_cutoff)] = (
        setting(
            6.0,
            "Cut-off frequency of the markers, or the method that finds it from each walk's marker noise: residual "
            "analysis (Winter), or generalised cross-validation of the filter (least expected error if the noise is "
            "white).",
            "Hz",
        )
    )
    forces: float | None = setting(
        None, "Cut-off frequency of the force plates; that of the markers if absent.", "Hz", gt=0, le=1000
    )
    order: Literal[2, 4, 6, 8] = setting(4, "Order of both passes together; each pass has half of it.")
    max_gap: float = setting(0.2, "Longest gap of a marker that is filled; longer gaps stay missing.", "s", ge=0, le=2)

    def low_pass(self, markers: float) -> LowPass:
        """The filter for a known cut-off frequency (Hz) of the markers; forces use it too if none is given for them."""
        return LowPass(markers, markers if self.forces is None else self.forces, self.order)


FULL_WEIGHT = 500.0
"""N; for lighter subjects the force thresholds are reduced in proportion: 20 N is a sixth of a small child's weight."""


class EventSettings(Section):
    """Initial contacts and foot offs, and which foot stands on which plate.

    The three force thresholds hold for body weights of 500 N or more; for lighter subjects they are reduced in
    proportion.
    """

    sources: tuple[EventSource, ...] = setting(
        ("plates", "file", "markers"),
        "Sources of events, in order of priority.",
        min_length=1,
        strict=False,
    )
    on_force: float = setting(20.0, "Vertical force above which a foot is on a plate.", "N", gt=0, le=200)
    off_force: float = setting(
        10.0, "Vertical force below which the foot has left the plate; at most on_force.", "N", gt=0, le=200
    )
    min_contact: float = setting(0.1, "Shortest time on a plate that counts as a step.", "s", ge=0, le=2)
    cop_force: float = setting(50.0, "Vertical force below which the centre of pressure is missing.", "N", gt=0, le=500)
    foot_distance: float = setting(
        0.10, "Largest median distance of the centre of pressure from the heel-toe line of its foot.", "m", gt=0, le=0.5
    )

    min_peak: float = setting(
        0.6, "Smallest peak of the vertical force of a whole step, as a fraction of body weight.", "1", ge=0, le=1
    )
    same_event: float = setting(
        0.2,
        "Events of one foot and kind closer than this are one event; the source named first takes precedence.",
        "s",
        gt=0,
        le=0.5,
    )
    min_cycle: float = setting(0.4, "Shortest gait cycle.", "s", gt=0, le=5)
    max_cycle: float = setting(6.0, "Longest gait cycle.", "s", gt=0, le=20)

    def for_weight(self, body_weight: float) -> EventSettings:
        """The settings with force thresholds for a body weight, N; unchanged if it is not known."""
        share = min(1.0, body_weight / FULL_WEIGHT)
        if not 0.0 < share < 1.0:
            return self
        forces = ("on_force", "off_force", "cop_force")
        return self.model_copy(update={name: share * getattr(self, name) for name in forces})

    @model_validator(mode="after")
    def _check(self) -> EventSettings:
        if self.off_force > self.on_force:
            raise ValueError(f"off_force ({self.off_force:g} N) is above on_force ({self.on_force:g} N)")
        if len(set(self.sources)) < len(self.sources):
            raise ValueError("sources names a source twice")
        return self


class AnatomySettings(Section):
    """Joint centres and segment inertia."""

    marker_set: Identifier = setting(
        "plug_in_gait", "Name of a file in config/marker_sets, of the study or of the pipeline, without .yaml."
    )
    hip_centre: Literal["davis", "harrington", "bell", "hara"] | None = setting(
        None, "Regression for the hip joint centre; that of the marker set if absent (Plug-in Gait: davis)."
    )
    inertia: Literal["de_leva", "dempster"] = setting(
        "de_leva", "Table of segment masses, centres and inertia: de Leva (by sex), or Dempster as in Winter."
    )


class LoadSettings(Section):
    """How joint loads are expressed."""

    axes: Literal["proximal", "distal", "global", "joint"] = setting(
        "distal", "Axes of the reported moments and forces: of a segment, of G, or of the joint coordinate system."
    )
    estimated_steps: bool = setting(
        False,
        "Whether cycles without a plate enter averages, comparisons and features, with loads estimated from motion and "
        "marked as such; requires the skeleton and distal axes.",
    )

    @model_validator(mode="after")
    def _check(self) -> LoadSettings:
        if self.estimated_steps and self.axes != "distal":
            raise ValueError(f"estimated_steps gives moments in distal axes only, not in {self.axes} ones: change one")
        return self


class WholeBodySettings(Section):
    """Every walk on the 55-joint skeleton: scaled by the static trial, fitted to the markers, loaded by the plates."""

    enabled: bool = setting(True, "Whether walks are fitted to the 55-joint skeleton.")
    symmetric: bool = setting(False, "Whether left and right limbs get the same dimensions, the mean of both.")
    centre_weight: float = setting(
        0.7,
        "Weight of the anatomical model's joint centres relative to the markers in the fit; 0 leaves them out. They "
        "keep the knees where that model has them although soft tissue moves the markers.",
        "1",
        ge=0,
        le=10,
    )
    refined: bool = setting(
        True,
        "Whether joints and marker positions that the static trial alone does not determine well are calibrated from "
        "the walk.",
    )
    residual_reduction: bool = setting(
        True,
        "Whether masses are adjusted slightly, and the motion within marker error, to reduce pelvis residuals; the "
        "kinematic result is kept too.",
    )
    balance_weight: float = setting(
        1.0,
        "Weight of balance in residual reduction: a residual of one body weight costs as much as one marker off by "
        "this distance.",
        "m",
        gt=0,
        le=100,
    )


MuscleName = Literal[
    "tibialis_anterior", "soleus", "gastrocnemius_medialis", "peroneus_longus", "rectus_femoris", "vastus_medialis",
    "biceps_femoris", "gluteus_maximus", "gluteus_medius", "vastus_lateralis", "semitendinosus", "iliopsoas",
    "gastrocnemius_lateralis", "semimembranosus", "vastus_intermedius", "tibialis_posterior", "adductor_longus",
    "tensor_fasciae_latae", "erector_spinae",
]  # fmt: skip
"""Muscle groups over which estimated forces are summed (`pipeline.analysis.GROUPS`)."""


class MuscleSettings(Section):
    """Estimated muscle forces that produce the joint moments of walks on the skeleton, and joint contact forces."""

    enabled: bool = setting(True, "Whether muscle forces are estimated; requires the skeleton.")
    tendons: Literal["rigid", "elastic"] = setting(
        "elastic", "Tendons of soleus and gastrocnemii; all others are rigid."
    )
    dynamic: bool = setting(
        False,
        "Whether activations change no faster than muscles can activate and deactivate; only with `tendons: rigid`.",
    )
    carried: float | None = setting(
        None,
        "Mass carried on the trunk when fatigue with a load is compared with the walk's; if absent, 20 kg or three "
        "tenths of the body mass, whichever is less; 0 for none.",
        "kg",
        ge=0,
        le=100,
    )
    weak: dict[MuscleName, Annotated[float, Field(gt=0, le=1)]] = setting(
        {"soleus": 0.5},
        "Strength of muscles on both sides, as a fraction of their own, when fatigue with weak muscles is compared; "
        "`{}` for none.",
    )
    weights: dict[MuscleName, Annotated[float, Field(gt=0, le=100)]] = setting(
        {
            "gastrocnemius_medialis": 7.0,
            "gastrocnemius_lateralis": 7.0,
            "biceps_femoris": 3.0,
            "semitendinosus": 3.0,
            "semimembranosus": 3.0,
        },
        "Weights of muscles' squared activations in the objective, 1 for muscles not named (Steele et al. 2012); `{}` "
        "for equal weights, which overestimate the knee's contact force at push-off.",
    )
    passive_moments: bool = setting(
        True,
        "Whether ligaments and capsules provide, in addition to the muscles, the passive moments of hip, knee and "
        "ankle measured by Riener and Edrich (1999).",
    )

    emg_weight: float = setting(
        0.0,
        "Weight of squared differences of activations from recorded EMG, relative to those of `weights`: above 0, "
        "muscles with a channel follow its pattern, with a magnitude determined by the moments.",
        ge=0,
        le=100,
    )

    @model_validator(mode="after")
    def _check(self) -> MuscleSettings:
        if self.dynamic and self.tendons == "elastic":
            raise ValueError("dynamic requires rigid tendons: set tendons to rigid, or dynamic to false")
        if self.dynamic and self.emg_weight:
            raise ValueError("dynamic cannot be combined with emg_weight: leave out one of the two")
        return self


class EmgSettings(Section):
    """Surface EMG among the analog channels of the recordings: filters, and the reference of its amplitude."""

    channels: dict[str, Annotated[str, StringConstraints(pattern=r"^(none|(left|right) [a-z][a-z_]*)$")]] = setting(
        {},
        "Side and muscle of channels by label, if the label does not say them, such as `{EMG1: left soleus}`; `none` "
        "for a channel that is not EMG. Muscles with a norm: tibialis_anterior, soleus, gastrocnemius_medialis, "
        "peroneus_longus, rectus_femoris, vastus_medialis, biceps_femoris, gluteus_maximus.",
    )
    high_pass: float = setting(20.0, "Lower limit of the band (De Luca et al. 2010).", "Hz", ge=1, le=100)
    low_pass: float = setting(450.0, "Upper limit of the band; at most 0.45 of the rate.", "Hz", ge=150, le=1000)
    envelope: float = setting(3.0, "Low-pass of the rectified signal (Winter and Yack 1987).", "Hz", ge=1, le=50)
    normalise: Literal["peak", "mean"] = setting(
        "peak", "Amplitudes are fractions of the peak or the mean of each muscle's mean envelope over the gait cycle."
    )


class ComparisonSettings(Section):
    """The norm with which the walks are compared."""

    norm: Identifier | None = setting(
        "auto",
        "Name of a file in config/norms, of the study or of the pipeline, without .json; `auto` for the first one that "
        "covers the subject's age, the study's before the pipeline's, or schwartz2008 if there is none; null for no "
        "norm. It is evaluated at the walk's dimensionless speed.",
    )


class ReportSettings(Section):
    """Content of the printed reports."""

    features: list[FeatureName] = setting(
        list(DEFAULT_FEATURES),
        "Features of curves in the reports of comparisons, each written as `maximum knee_flexion in swing`: minimum, "
        "maximum, range or mean of a curve of the table of cycles in a phase of the gait cycle.",
        max_length=14,
    )
    parameter_norm: Identifier | None = setting(
        None,
        "Norm shown next to the spatiotemporal parameters of comparisons: name of a file in config/norms of the study, "
        "without .csv, with the columns parameter, mean and sd, or those of Bovi et al. (2011); null for none.",
    )
    parameter_task: str = setting("Natural", "Task whose rows of that file are the norm, if it has tasks.")


class PredictionSettings(Section):
    """Which measured walks are predicted. Other walks to predict are listed in predictions.tsv."""

    walks: Literal["listed", "all"] = setting(
        "listed",
        "Measured walks that are predicted and compared with the prediction: those named in the column 'trial' of "
        "predictions.tsv, or every walk, by default under its own name.",
    )


class UncertaintySettings(Section):
    """Uncertainty of angles, moments and powers: standard deviations of errors, with sources in docs/uncertainty.md."""

    enabled: bool = setting(False, "Whether uncertainty bands are computed, which takes some seconds per walk.")
    hip_centre: float = setting(
        0.009, "Hip centre in the pelvis relative to its regression, along each axis.", "m", ge=0, le=0.1
    )
    placement: float = setting(0.005, "Placement of each marker on the body, along each axis.", "m", ge=0, le=0.1)
    width: float = setting(0.003, "Measured widths of knee and ankle.", "m", ge=0, le=0.1)
    offset: float = setting(3.0, "Rotation offsets and tibial torsion.", "deg", ge=0, le=45)
    marker_noise: float = setting(0.0005, "White noise of each marker along each axis.", "m", ge=0, le=0.1)
    soft_tissue_thigh: float = setting(
        0.004, "Motion of the thigh's markers on the bone along each axis.", "m", ge=0, le=0.1
    )
    soft_tissue: float = setting(0.0025, "Motion of the other markers on the bone along each axis.", "m", ge=0, le=0.1)
    centre_of_pressure: float = setting(
        0.005,
        "Horizontal position of each plate's loads relative to the markers, along each axis.",
        "m",
        ge=0,
        le=0.1,
    )
    timing: float = setting(0.003, "Delay of the plates relative to the markers.", "s", ge=0, le=0.1)
    cutoff: float = setting(
        0.667,
        "Cut-off frequency, as a fraction of the walk's own, whose effect on the curves is one standard deviation; 1 "
        "for none.",
        "1",
        gt=0.3,
        le=1,
    )
    segment_mass: float = setting(0.1, "Mass of each segment, as a fraction of itself.", "1", ge=0, le=1)
    segment_com: float = setting(
        0.03, "Centre of mass of each segment along it, as a fraction of the segment's length.", "1", ge=0, le=1
    )
    segment_gyration: float = setting(
        0.1, "Radii of gyration of each segment, as fractions of themselves.", "1", ge=0, le=1
    )
    strides: float = setting(
        1.0,
        "Spread of strides about the person's mean, as a fraction of that on reference walks; 0 for none.",
        "1",
        ge=0,
        le=10,
    )
    draws: int = setting(
        48,
        "Number of samples of soft-tissue motion, and of pairs of samples of body and soft tissue; a third as many of "
        "marker noise, at least 8.",
        "1",
        ge=8,
        le=10000,
    )
    seed: int = setting(0, "Seed of these samples.", "1", ge=0)


class Configuration(Section):
    """All of config.yaml; a section that is absent has its defaults."""

    study: StudySettings = Field(default_factory=StudySettings)
    axes: AxesSettings = Field(default_factory=AxesSettings)
    filter: FilterSettings = Field(default_factory=FilterSettings)
    events: EventSettings = Field(default_factory=EventSettings)
    anatomy: AnatomySettings = Field(default_factory=AnatomySettings)
    loads: LoadSettings = Field(default_factory=LoadSettings)
    whole_body: WholeBodySettings = Field(default_factory=WholeBodySettings)
    muscles: MuscleSettings = Field(default_factory=MuscleSettings)
    uncertainty: UncertaintySettings = Field(default_factory=UncertaintySettings)
    emg: EmgSettings = Field(default_factory=EmgSettings)
    comparison: ComparisonSettings = Field(default_factory=ComparisonSettings)
    report: ReportSettings = Field(default_factory=ReportSettings)
    prediction: PredictionSettings = Field(default_factory=PredictionSettings)

    @model_validator(mode="after")
    def _check(self) -> Configuration:
        if self.loads.estimated_steps and not self.whole_body.enabled:
            raise ValueError("estimated_steps (loads) requires the skeleton: enable whole_body or drop estimated_steps")
        return self

    @property
    def muscle_forces(self) -> bool:
        """Whether muscle forces are estimated, which requires the skeleton."""
        return self.whole_body.enabled and self.muscles.enabled

    def asks_for(self, stage: str) -> bool:
        """Whether results of a stage belong to the study; files of others may remain from a run with other settings."""
        asked = {
            "uncertainty": self.uncertainty.enabled,
            "whole_body": self.whole_body.enabled,
            "whole_body_report": self.whole_body.enabled,
            "ground_from_motion": self.whole_body.enabled,
            "muscles": self.muscle_forces,
        }
        return asked.get(stage, True)


def settings_json(**parts: object) -> str:
    """JSON object of the named parts; equal values give equal text; models become objects."""
    return as_json(parts, sort_keys=True)


def as_json(value: object, sort_keys: bool = False) -> str:
    """JSON text of any value, by default in its own order; models become objects."""
    return json.dumps(to_jsonable_python(value), sort_keys=sort_keys, separators=(",", ":"))
