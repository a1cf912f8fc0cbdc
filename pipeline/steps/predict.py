"""Step: predicted walks of one subject with one preset, each started from its nearest solved neighbour.

One process for a sweep: the compiled kernels are loaded once. Every prediction has its own file, which holds the walk
or the reason why there is none. What differs from run to run, such as processor time, goes into the run log.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from pipeline.anatomy.calibration import calibrate
from pipeline.anatomy.marker_set import MarkerSet, load_marker_set
from pipeline.anatomy.pose import BodyPose
from pipeline.config import AnatomySettings, Prediction, Subject
from pipeline.conventions import X, Y
from pipeline.prediction import GaitPrediction, GaitTask, Progress, SolverError, predict_gait
from pipeline.prediction.gait.order import next_of_sweep
from pipeline.prediction.gait.presets import Preset
from pipeline.provenance import Provenance, file_digest, library_versions
from pipeline.results import Failure, read_stage, write_failure, write_stage
from pipeline.skeleton import Skeleton, load_skeleton
from pipeline.steps.framework import earlier_failure, guarded
from pipeline.steps.predicted_walk import Body, predicted_walk
from pipeline.steps.run_log import processor_seconds
from pipeline.steps.run_log import record as record_job
from pipeline.trial import Note, PredictedWalk, RawTrial

STEP = "predict"


class Settings(BaseModel):
    """The part of the study that a sweep uses."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: Subject
    anatomy: AnatomySettings
    predictions: tuple[Prediction, ...]


@dataclass
class Sweep:
    """Predictions of one body, solved so that each helps the next.

    Attributes:
        skeleton: scaled to the body, from the file with ``digest``.
        preset: of all of them; by default each row's own name.
        solved: what is solved so far, by name.
    """

    body: Body
    skeleton: Skeleton
    digest: str
    rows: Sequence[Prediction]
    preset: Preset | None = None
    solved: dict[str, GaitPrediction] = field(default_factory=dict)

    def run(self, record: Callable[[Prediction, PredictedWalk | Failure], None]) -> None:
        """Solve all, nearest neighbours after one another; ``record`` is called as each ends."""
        places = np.array([[row.speed_m_s, row.step_length_m] for row in self.rows])
        names = [row.prediction for row in self.rows]
        open_ = set(range(len(self.rows)))
        while open_:
            index, neighbour = next_of_sweep(places, map(names.index, self.solved), open_)
            open_.remove(index)
            row, start = self.rows[index], "" if neighbour is None else names[neighbour]
            record(row, self._walk_or_failure(row, start))

    def _walk_or_failure(self, row: Prediction, start: str) -> PredictedWalk | Failure:
        walks: list[PredictedWalk] = []
        return guarded(row.prediction, STEP, lambda: walks.append(self._walk(row, start))) or walks[0]

    def _walk(self, row: Prediction, start: str) -> PredictedWalk:
        task = GaitTask(row.speed_m_s, row.step_length_m, row.double_support)
        from_where = f"from {start}" if start else "from a standing body"
        told = f"{row.prediction}: {task.speed:g} m/s, steps of {task.step_length:g} m, preset {row.preset}"
        print(f"{told}, {from_where}", file=sys.stderr, flush=True)

        def solve(start: GaitPrediction | None) -> GaitPrediction:
            return predict_gait(
                self.skeleton, task, self.preset or row.preset, start=start, progress=_teller(row.prediction)
            )

        try:
            found = solve(self.solved[start] if start else None)
        except SolverError as error:
            if not start:
                raise
            print(f"{row.prediction}: {error}; once more from a standing body", file=sys.stderr, flush=True)
            start, found = "", solve(None)
        self.solved[row.prediction] = found
        return predicted_walk(
            row.prediction, row.subject, self.body, self.skeleton, self.digest, found, start, self.preset
        )


def body_of(
    subject: Subject, static: RawTrial | None = None, marker_set: MarkerSet | None = None, hip_method: str = "davis"
) -> Body:
    """The subject's mass and height, from the table where given, else from the static trial, and the standing pelvis.

    Raises:
        AnatomyError: the static trial or the subject's values do not make a body.
    """
    assert subject.sex is not None  # the study was checked
    if static is None or marker_set is None:
        assert subject.mass_kg is not None
        assert subject.height_m is not None
        why = "no static trial: the pelvis is taken as upright in standing, so tilt and hip flexion have an offset"
        return Body(subject.mass_kg, subject.height_m, subject.sex, notes=(Note("assumed", "pelvis", why),))
    values = (calibration := calibrate(static, marker_set, subject, hip_method=hip_method)).values
    markers = {name: static.marker(name) for name in static.marker_names}
    forward = BodyPose(marker_set, markers, values, hip_method).frame("pelvis")[:, :, X]
    # How far the pelvis' forward axis points down, whichever way the subject faces.
    tilt = float(np.nanmean(np.arcsin(-forward[:, Y])))
    notes = [
        Note("info", name, f"{values[name]:.4g} {unit} from {calibration.sources[name]}")
        for name, unit in (("mass", "kg"), ("height", "m"))
    ]
    told = f"tilted forward by {np.degrees(tilt):.1f} degrees in {static.name}, added to the skeleton's upright pelvis"
    return Body(values["mass"], values["height"], subject.sex, tilt, (*notes, Note("info", "pelvis", told)))


def _teller(name: str) -> Callable[[Progress], None]:
    def tell(at: Progress) -> None:
        print(
            f"{name}: iteration {at.iteration}, objective {at.objective:.5g}, "
            f"violation {at.excess:.3g} of its tolerance, optimality {at.optimality:.1e}",
            file=sys.stderr,
            flush=True,
        )

    return tell


def solve_sweep(
    settings: Settings,
    inputs: Mapping[str, Path],
    provenance: Provenance,
    results: Path,
    preset: Preset | None = None,
) -> None:
    """Solve a sweep and write a file for each prediction.

    Args:
        settings: subject and rows.
        inputs: files ``skeleton`` and, where the subject has a static trial, ``static`` and ``marker_set``.
        provenance: of the files written.
        results: folder for NAME.h5.
        preset: in place of the rows' own, for a coarser problem.
    """
    before = 0.0
    sweeps: list[Sweep] = []

    def record(row: Prediction, walk: PredictedWalk | Failure) -> None:
        nonlocal before
        now = processor_seconds()
        solved = sweeps[0].solved.get(row.prediction) if sweeps else None
        outcome = "failed" if isinstance(walk, Failure) else walk.solver.ended
        record_job(STEP, row.prediction, outcome, now - before, solved.cpu_seconds if solved else None)
        before = now
        path = results / f"{row.prediction}.h5"
        if isinstance(walk, Failure):
            write_failure(path, walk, provenance)
        else:
            write_stage(path, walk, provenance)

    failure = earlier_failure(inputs.values()) or guarded(
        settings.predictions[0].prediction, STEP, lambda: sweeps.append(_sweep(settings, inputs, preset))
    )
    if failure:
        for row in settings.predictions:
            record(row, Failure(row.prediction, failure.step, _told(failure, settings), failure.defect))
    else:
        sweeps[0].run(record)


def _sweep(settings: Settings, inputs: Mapping[str, Path], preset: Preset | None) -> Sweep:
    static, marker_set = None, None
    if "static" in inputs:
        static, marker_set = read_stage(inputs["static"], RawTrial), load_marker_set(inputs["marker_set"])
    body = body_of(settings.subject, static, marker_set, settings.anatomy.hip_centre)
    skeleton = load_skeleton(
        inputs["skeleton"], mass=body.mass, height=body.height, sex="male" if body.sex == "m" else "female"
    )
    return Sweep(body, skeleton, file_digest(inputs["skeleton"]), settings.predictions, preset)


def _told(failure: Failure, settings: Settings) -> str:
    own = {row.prediction for row in settings.predictions}
    return failure.reason if failure.trial in own else f"{failure.trial}: {failure.reason}"


def main() -> None:
    """Predict; a failure is in its file, so the process ends well unless the machine fails."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.steps.predict", description=__doc__)
    parser.add_argument("inputs", nargs="*", metavar="NAME=FILE", help="skeleton, static and marker_set")
    parser.add_argument("--settings", required=True, help="JSON object: subject, anatomy and predictions")
    parser.add_argument("--code", default="", help="digest of the step's code, for the outputs' provenance")
    parser.add_argument("--results", required=True, type=Path, help="folder of the predictions' files")
    options = parser.parse_intermixed_args()
    inputs = {name: Path(file) for name, _, file in (item.partition("=") for item in options.inputs)}
    digests = {name: file_digest(path) for name, path in inputs.items()}
    provenance = Provenance(STEP, digests, options.settings, options.code, library_versions())
    settings = Settings.model_validate_json(options.settings)
    solve_sweep(settings, inputs, provenance, options.results)


if __name__ == "__main__":
    main()
