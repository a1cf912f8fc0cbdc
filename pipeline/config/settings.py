"""The schema of config.yaml: small frozen sections, each handed alone to the step that uses it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from pipeline.config.fields import Direction, Identifier, Section, setting
from pipeline.config.report_features import DEFAULT_FEATURES, FeatureName
from pipeline.trial import LowPass

EventSource = Literal["plates", "file", "markers"]


class StudySettings(Section):
    """What the study is called."""

    title: str = setting("Gait study", "Title of the report's pages.")


class AxesSettings(Section):
    """Directions of the laboratory's axes, where the files' own evidence is wrong; trials.tsv can differ by trial."""

    up: Direction | None = setting(None, "Laboratory axis that points up; found from the file if absent.")
    progression: Direction | None = setting(
        None, "Laboratory axis along which the subject walks; found from the file if absent."
    )


def _cutoff(value: object) -> object:
    """One message for both kinds of value, where a union would give one for each."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value in ("residual", "gcv") or (number and 0 < value <= 100):  # type: ignore[operator]
        return value
    raise ValueError(
        "'markers' should be a valid number above 0 and less than or equal to 100, in Hz, or 'residual' or 'gcv'; "
        f"it is {value!r}"
    )


class FilterSettings(Section):
    """Low-pass filter of markers and forces (zero-lag Butterworth), and the filling of gaps."""

    markers: Annotated[Annotated[float, Field(gt=0, le=100)] | Literal["residual", "gcv"], BeforeValidator(_cutoff)] = (
        setting(
            6.0,
            "Cut-off frequency of the markers, or how each walk's is found from its markers' noise: residual analysis "
            "(Winter), or generalised cross-validation of the filter (least expected error where the noise is white).",
            "Hz",
        )
    )
    forces: float | None = setting(
        None, "Cut-off frequency of the force plates; that of the markers if absent.", "Hz", gt=0, le=1000
    )
    order: Literal[2, 4, 6, 8] = setting(4, "Order over both passes; each pass has half of it.")
    max_gap: float = setting(
        0.2, "Longest gap of a marker that is filled; a longer one stays missing.", "s", ge=0, le=2
    )

    def low_pass(self, markers: float) -> LowPass:
        """The filter where the markers' cut-off frequency (Hz) is known; forces take it where none is given."""
        return LowPass(markers, markers if self.forces is None else self.forces, self.order)


FULL_WEIGHT = 500.0
"""N; of lighter subjects the force thresholds are smaller in proportion: 20 N are a sixth of a small child's weight."""


class EventSettings(Section):
    """Initial contacts and foot offs, and which foot stands on which plate.

    The three forces are for body weights of 500 N and more, and smaller in proportion for lighter subjects.
    """

    sources: tuple[EventSource, ...] = setting(
        ("plates", "file", "markers"),
        "Where events are taken from, the first that has them.",
        min_length=1,
        strict=False,
    )
    on_force: float = setting(20.0, "Vertical force above which a foot is on a plate.", "N", gt=0, le=200)
    off_force: float = setting(10.0, "Vertical force below which it has left; at most on_force.", "N", gt=0, le=200)
    min_contact: float = setting(0.1, "Shortest time on a plate that counts as a step.", "s", ge=0, le=2)
    cop_force: float = setting(50.0, "Vertical force below which the centre of pressure is missing.", "N", gt=0, le=500)
    foot_distance: float = setting(
        0.10, "Largest median distance of the centre of pressure from the heel-toe line of its foot.", "m", gt=0, le=0.5
    )

    min_peak: float = setting(
        0.6, "Least peak of the vertical force of a whole step, as a fraction of body weight.", "1", ge=0, le=1
    )
    same_event: float = setting(
        0.2, "Events of one foot and kind nearer than this are one; the source named first counts.", "s", gt=0, le=0.5
    )
    min_cycle: float = setting(0.4, "Shortest gait cycle.", "s", gt=0, le=5)
    max_cycle: float = setting(6.0, "Longest gait cycle.", "s", gt=0, le=20)

    def for_weight(self, body_weight: float) -> EventSettings:
        """The settings with the force thresholds of a subject of that weight, N; as they are where it is not known."""
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
        "Whether cycles without a plate enter averages, comparisons and features with loads estimated from motion, "
        "marked as such; needs the skeleton and distal axes.",
    )

    @model_validator(mode="after")
    def _check(self) -> LoadSettings:
        if self.estimated_steps and self.axes != "distal":
            raise ValueError(f"estimated_steps has moments in distal axes, not in {self.axes} ones: leave one of both")
        return self


class WholeBodySettings(Section):
    """Every walk on the whole skeleton: sized by the static trial, fitted to the markers, driven by the plates."""

    enabled: bool = setting(True, "Whether walks are put on the whole skeleton.")
    symmetric: bool = setting(False, "Give left and right limbs the same sizes, the mean of both.")
    centre_weight: float = setting(
        0.7,
        "Weight of the anatomical model's joint centres beside the markers' in the fit; 0 leaves them out. They keep "
        "the knees where that model has them while soft tissue carries the markers about.",
        "1",
        ge=0,
        le=10,
    )
    refined: bool = setting(
        True, "Let the walk correct joints and markers' places that the standing posture alone got wrong."
    )
    residual_reduction: bool = setting(
        True,
        "Also adjust masses slightly and the motion within marker error to reduce pelvis residuals; the kinematic "
        "result is kept.",
    )
    balance_weight: float = setting(
        1.0,
        "How much balance counts there: a residual of one body weight costs as much as one marker off by this much.",
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
"""Muscles that estimated forces are summed up by (`pipeline.analysis.GROUPS`)."""


class MuscleSettings(Section):
    """Muscle forces that give the joint moments of walks on the skeleton, and joint contact forces (estimated)."""

    enabled: bool = setting(True, "Whether muscle forces are estimated; they need the skeleton.")
    tendons: Literal["rigid", "elastic"] = setting(
        "elastic", "Tendons of soleus and gastrocnemii; all others are rigid."
    )
    dynamic: bool = setting(
        False, "Let activations change no faster than muscles can be switched on and off; with `tendons: rigid` only."
    )
    carried: float | None = setting(
        None,
        "Mass carried on the trunk where fatigue with a load is compared with the walk's; 20 kg if absent, or three "
        "tenths of the body mass where that is less; 0 for none.",
        "kg",
        ge=0,
        le=100,
    )
    weak: dict[MuscleName, Annotated[float, Field(gt=0, le=1)]] = setting(
        {"soleus": 0.5},
        "Strength of muscles on both sides, of their own, where fatigue with weak muscles is compared; `{}` for none.",
    )
    weights: dict[MuscleName, Annotated[float, Field(gt=0, le=100)]] = setting(
        {
            "gastrocnemius_medialis": 7.0,
            "gastrocnemius_lateralis": 7.0,
            "biceps_femoris": 3.0,
            "semitendinosus": 3.0,
            "semimembranosus": 3.0,
        },
        "Weights of muscles' squared activations in what is minimised, 1 for those left out (Steele et al. 2012); `{}` "
        "for equal ones, which overestimate the knee's contact force at push-off.",
    )
    passive_moments: bool = setting(
        True,
        "Whether ligaments and capsules give, beside the muscles, the passive moments of hip, knee and ankle that "
        "Riener and Edrich (1999) measured.",
    )

    emg_weight: float = setting(
        0.0,
        "Weight of squared differences of activations from recorded EMG, beside those of `weights`: above 0 muscles "
        "with a channel follow its course, in a size that follows from the moments.",
        ge=0,
        le=100,
    )

    @model_validator(mode="after")
    def _check(self) -> MuscleSettings:
        if self.dynamic and self.tendons == "elastic":
            raise ValueError("dynamic goes with rigid tendons only: set tendons to rigid, or dynamic to false")
        if self.dynamic and self.emg_weight:
            raise ValueError("dynamic does not go with emg_weight: leave out one of both")
        return self


class EmgSettings(Section):
    """Surface EMG among the analog channels of the recordings: filters, and what its amplitude is a fraction of."""

    channels: dict[str, Annotated[str, StringConstraints(pattern=r"^(none|(left|right) [a-z][a-z_]*)$")]] = setting(
        {},
        "Side and muscle of channels by label where the label does not say them, such as `{EMG1: left soleus}`; `none` "
        "for a channel that is no EMG. Muscles with a norm: tibialis_anterior, soleus, gastrocnemius_medialis, "
        "peroneus_longus, rectus_femoris, vastus_medialis, biceps_femoris, gluteus_maximus.",
    )
    high_pass: float = setting(20.0, "Lower limit of the band (De Luca et al. 2010).", "Hz", ge=1, le=100)
    low_pass: float = setting(450.0, "Upper limit of the band; at most 0.45 of the rate.", "Hz", ge=150, le=1000)
    envelope: float = setting(3.0, "Low-pass of the rectified signal (Winter and Yack 1987).", "Hz", ge=1, le=50)
    normalise: Literal["peak", "mean"] = setting(
        "peak", "Amplitudes are fractions of the peak or the mean of each muscle's mean envelope over the gait cycle."
    )


class ComparisonSettings(Section):
    """What the walks are compared with."""

    norm: Identifier | None = setting(
        "auto",
        "Name of a file in config/norms, of the study or of the pipeline, without .json; `auto` for the first one of "
        "the subject's age, the study's before the pipeline's, or else schwartz2008; null for no norm. It is evaluated "
        "at the walk's dimensionless speed.",
    )


class ReportSettings(Section):
    """What the reports on paper show."""

    features: list[FeatureName] = setting(
        list(DEFAULT_FEATURES),
        "Features of curves in the reports of comparisons, each as `maximum knee_flexion in swing`: minimum, maximum, "
        "range or mean of a curve of the table of cycles in a phase of the gait cycle.",
        max_length=14,
    )
    parameter_norm: Identifier | None = setting(
        None,
        "Norm of spatiotemporal parameters beside those of comparisons: name of a file in config/norms of the study, "
        "without .csv, with the columns parameter, mean and sd, or those of Bovi et al. (2011); null for none.",
    )
    parameter_task: str = setting("Natural", "Task whose rows of that file are the norm, where it has tasks.")


class PredictionSettings(Section):
    """Which measured walks are predicted. Other walks to predict stand in predictions.tsv."""

    walks: Literal["listed", "all"] = setting(
        "listed",
        "Measured walks that are predicted and compared with: those that predictions.tsv names in its column 'trial', "
        "or every walk, by default under its own name.",
    )


class UncertaintySettings(Section):
    """Uncertainty of angles, moments and powers: standard deviations of errors, with sources in docs/uncertainty.md."""

    enabled: bool = setting(False, "Whether uncertainty bands are computed, for some seconds a walk.")
    hip_centre: float = setting(
        0.009, "Hip centre in the pelvis against its regression, along each axis.", "m", ge=0, le=0.1
    )
    placement: float = setting(0.005, "Place of each marker on the body, along each axis.", "m", ge=0, le=0.1)
    width: float = setting(0.003, "Measured widths of knee and ankle.", "m", ge=0, le=0.1)
    offset: float = setting(3.0, "Rotation offsets and tibial torsion.", "deg", ge=0, le=45)
    marker_noise: float = setting(0.0005, "White noise of each marker along each axis.", "m", ge=0, le=0.1)
    soft_tissue_thigh: float = setting(
        0.004, "Motion of the thigh's markers on the bone along each axis.", "m", ge=0, le=0.1
    )
    soft_tissue: float = setting(0.0025, "Motion of the other markers on the bone along each axis.", "m", ge=0, le=0.1)
    centre_of_pressure: float = setting(
        0.005, "Horizontal place of each plate's loads against the markers, along each axis.", "m", ge=0, le=0.1
    )
    timing: float = setting(0.003, "Delay of the plates against the markers.", "s", ge=0, le=0.1)
    cutoff: float = setting(
        0.667,
        "Cut-off frequency, of the walk's own, whose effect on the curves is one standard deviation; 1 for none.",
        "1",
        gt=0.3,
        le=1,
    )
    segment_mass: float = setting(0.1, "Mass of each segment, of itself.", "1", ge=0, le=1)
    segment_com: float = setting(
        0.03, "Centre of mass of each segment along it, of the segment's length.", "1", ge=0, le=1
    )
    segment_gyration: float = setting(0.1, "Radii of gyration of each segment, of themselves.", "1", ge=0, le=1)
    strides: float = setting(
        1.0, "Spread of strides about the person's mean, of that on reference walks; 0 for none.", "1", ge=0, le=10
    )
    draws: int = setting(
        48,
        "Samples of soft-tissue motion, and pairs of samples of body and soft tissue; of marker noise a third as many, "
        "at least 8.",
        "1",
        ge=8,
        le=10000,
    )
    seed: int = setting(0, "Seed of these samples.", "1", ge=0)


class Configuration(Section):
    """The whole of config.yaml; a section that is absent has all its defaults."""

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
            raise ValueError("estimated_steps (loads) needs the skeleton: leave whole_body enabled, or estimated_steps")
        return self

    @property
    def muscle_forces(self) -> bool:
        """Whether muscle forces are estimated, which takes the skeleton."""
        return self.whole_body.enabled and self.muscles.enabled
