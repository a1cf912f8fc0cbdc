"""Values passed from stage to stage: frozen dataclasses whose fields declare units, frame and axes.

A field annotated with `Quantity` is an array that the package `results` stores with those attributes; a field annotated
with `Axis` names the entries of a dimension. Files, reports and loaders all use these declarations.
"""

from pipeline.trial.body import Calibration, JointPose, SegmentInertia, SegmentMotion
from pipeline.trial.cycles import NORM_ZEROS, CycleCurves, GaitCycles, GaitSummary, StanceCurves
from pipeline.trial.declarations import Axis, Note, NoteKind, Quantity
from pipeline.trial.emg import AnalogSignals, EmgChannel, EmgCycle, MuscleActivity, WalkCycles
from pipeline.trial.estimated_loads import EstimatedStep, GroundFromMotion
from pipeline.trial.findings import Finding, Findings, Grade
from pipeline.trial.group_comparison import GroupComparison, ScalarChange, WalkGroup
from pipeline.trial.loads import (
    BodyMass,
    CutoffPeaks,
    InverseDynamics,
    JointLoad,
    JointMoment,
    JointMoments,
    LegEquations,
)
from pipeline.trial.muscles import MuscleFatigue, MuscleLoads
from pipeline.trial.predicted_comparison import (
    CurveAgreement,
    MotionCurves,
    PredictedComparison,
    PredictedSample,
    PredictedStudy,
    SharedParameter,
)
from pipeline.trial.prediction import (
    MEASURED_WALK,
    ActiveLimit,
    PredictedJoint,
    PredictedWalk,
    PredictionTask,
    SolverReport,
    Violation,
    WhatIfReport,
)
from pipeline.trial.recording import Event, ForcePlate, MarkersAndPlates, ModelOutput, Part, RawTrial
from pipeline.trial.statistical_mapping import Cluster, PairedMap, StatisticalMap
from pipeline.trial.task_motion import RepeatedTask, TaskMotion
from pipeline.trial.uncertainty import CurveUncertainty
from pipeline.trial.walk import (
    CUTOFF_METHODS,
    CutoffEvidence,
    Cycle,
    Kinematics,
    LowPass,
    MotionAndPlates,
    PlateLoad,
    Stance,
)
from pipeline.trial.whole_body import (
    BodyDynamics,
    BodyModel,
    ForwardCheck,
    LinkSegment,
    MomentComparison,
    SegmentPose,
    WholeBody,
)
