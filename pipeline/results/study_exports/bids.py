"""Export a study as a BIDS data set with Motion-BIDS (Jeung et al. 2024, Sci Data 11, 716): recordings as read.

Markers are one tracking system (``tracksys-markers``, channels POS). Force plates and other analog channels are another
one at their own rate (``tracksys-analog``, channels MISC with their units). Events are a table. A trial's results are
under derivatives/gait-pipeline in this pipeline's own HDF5 layout, which is not part of BIDS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import pipeline
from pipeline.config import Study, Trial, TrialKey
from pipeline.errors import ResultsError
from pipeline.results.exports import export_trial
from pipeline.results.reading import read_stage
from pipeline.results.study_exports.walks import computed
from pipeline.trial import Event, RawTrial

BIDS_VERSION = "1.10.0"

_AXES = {
    "reference_frame": {
        "Description": "Frame of the positions, forces and moments.",
        "Levels": {
            "global": {
                "Description": "X along the progression, Y up, Z to the subject's right",
                "RotationRule": "right-hand",
                "SpatialAxes": "ASR",
            }
        },
    }
}

_PARTICIPANTS = {
    "age": {"Description": "Age at the first session", "Units": "year"},
    "sex": {"Description": "Sex", "Levels": {"M": "male", "F": "female"}},
    "height": {"Description": "Standing height as entered in the study", "Units": "m"},
    "weight": {"Description": "Body mass as entered in the study", "Units": "kg"},
}

_EVENTS = {
    "trial_type": {
        "Description": "What happens",
        "Levels": {"initial contact": "the foot comes to the ground", "foot off": "the foot leaves the ground"},
    },
    "side": {"Description": "Side of the foot", "Levels": {"left": "left", "right": "right"}},
    "source": {"Description": "Where the event comes from: the file, a plate, or the markers"},
}


def write(study: Study, results: Path, folder: Path) -> dict[TrialKey, str]:
    """Write the data set; no walk is left out of it for its results.

    Raises:
        ResultsError: nothing was computed, or two names of the study would become the same label.
    """
    labels = _Labels()
    runs: dict[tuple[str, ...], int] = {}
    scans: dict[tuple[str, str], list[dict[str, object]]] = {}
    for trial, session in computed(study, results, "raw"):
        sub, ses = labels.of("sub", trial.subject), labels.of(f"ses of {trial.subject}", trial.session)
        entities: dict[str, str] = {"sub": sub, "ses": ses, "task": trial.kind or "unknown"}
        if trial.condition:
            entities["acq"] = labels.of("acq", trial.condition)
        run = runs[tuple(entities.values())] = runs.get(tuple(entities.values()), 0) + 1
        entities["run"] = f"{run:02d}"
        raw = read_stage(session / "raw" / f"{trial.trial}.h5", RawTrial)
        files = _write_recording(folder, entities, trial, raw)
        listed: list[dict[str, object]] = [
            {"filename": str(name), "trial": trial.trial, "source": trial.file} for name in files
        ]
        scans.setdefault((sub, ses), []).extend(listed)
        if trial.kind == "walk":
            place = folder / "derivatives/gait-pipeline" / f"sub-{sub}/ses-{ses}/motion"
            export_trial(session, trial.trial, place / f"{_name(entities)}_desc-results.h5")
    for (sub, ses), rows in scans.items():
        _tsv(folder / f"sub-{sub}/ses-{ses}/sub-{sub}_ses-{ses}_scans.tsv", rows)
    _write_participants(study, folder, {name: label for (kind, name), label in labels.known.items() if kind == "sub"})
    _write_descriptions(study, folder)
    return {}


class _Labels:
    """Labels made of letters and digits for the study's names."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], str] = {}

    def of(self, kind: str, name: str) -> str:
        """The label of a name. Raises ResultsError if another name of that kind has the same label."""
        label = re.sub(r"[^A-Za-z0-9]", "", name)
        same = [other for (of, other), known in self.known.items() if (of, known) == (kind, label) and other != name]
        if same:
            raise ResultsError(
                f"'{name}' and '{', '.join(same)}' are both '{label}' in BIDS, which allows only letters and digits",
                remedy="Rename one of them in the study's tables",
            )
        self.known[kind, name] = label
        return label


def _write_recording(folder: Path, entities: Mapping[str, str], trial: Trial, raw: RawTrial) -> list[Path]:
    """Write markers, analog channels and events of a trial; return motion files relative to the session's folder."""
    session = folder / f"sub-{entities['sub']}/ses-{entities['ses']}"
    rows = [
        {"name": f"{label}_{axis}", "component": axis, "type": "POS", "tracked_point": label, "units": "m"}
        for label in raw.marker_names
        for axis in "xyz"
    ]
    markers = raw.markers_G.reshape(len(raw.time), -1)
    written = [_motion(session, entities, "markers", trial, raw.rate, rows, markers)]
    channels, samples = _analog(raw)
    if channels:
        written.append(_motion(session, entities, "analog", trial, raw.analog_rate, channels, samples))
    if raw.events:
        path = session / "motion" / f"{_name(entities)}_events.tsv"
        _tsv(path, [_event(event) for event in raw.events])
        _json(path.with_suffix(".json"), _EVENTS)
    return [path.relative_to(session) for path in written]


def _analog(raw: RawTrial) -> tuple[list[dict[str, str]], np.ndarray]:
    """Channels and samples (Ta, n) of the plates, and of analog channels that belong to no plate."""
    rows, columns = [], []
    for plate in raw.plates:
        parts = (("force", "N", plate.wrench.force_G), ("moment", "Nm", plate.wrench.moment_G))
        for what, unit, values in parts:
            for k, axis in enumerate("xyz"):
                name = f"plate{plate.number}_{what}_{axis}"
                rows.append(_misc(name, axis, unit, "global", "load on the subject; moments about the plate's centre"))
                columns.append(values[:, k])
    for k in np.flatnonzero(raw.analog_plate == 0).tolist():
        label = raw.analog_names[k] or f"channel{k + 1}"
        rows.append(_misc(label, "n/a", raw.analog_units[k] or "n/a", "n/a", "as recorded"))
        columns.append(raw.analog[:, k])
    return rows, np.column_stack(columns) if columns else np.zeros((0, 0))


def _misc(name: str, component: str, unit: str, frame: str, text: str) -> dict[str, str]:
    row = {"name": name, "component": component, "type": "MISC", "tracked_point": "n/a", "units": unit}
    return row | {"reference_frame": frame, "description": text}


def _motion(
    session: Path,
    entities: Mapping[str, str],
    system: str,
    trial: Trial,
    rate: float,
    channels: Sequence[Mapping[str, str]],
    values: np.ndarray,
) -> Path:
    """Write a tracking system's motion table with its JSON file and its table of channels."""
    own = {key: value for key, value in entities.items() if key in ("sub", "ses", "task")} | {"tracksys": system}
    own |= {key: value for key, value in entities.items() if key in ("acq", "run")}
    names = [channel["name"] for channel in channels]
    described = [{"reference_frame": "global", **channel} for channel in channels]
    rows = [
        {key: name if key == "name" else row[key] for key in _COLUMNS if key in row}
        for row, name in zip(described, _unique(names), strict=True)
    ]
    path = session / "motion" / f"{_name(own)}_motion.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ("\t".join("n/a" if np.isnan(value) else f"{value:.6g}" for value in row) for row in values)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    types = [row["type"] for row in rows]
    _json(
        path.with_suffix(".json"),
        {
            "TaskName": entities["task"],
            "TaskDescription": "Standing for calibration" if trial.kind == "static" else "Walking",
            "SamplingFrequency": rate,
            "TrackingSystemName": system,
            "MotionChannelCount": len(rows),
            "POSChannelCount": types.count("POS"),
            "MISCChannelCount": types.count("MISC"),
            "TrackedPointsCount": len({row["tracked_point"] for row in rows} - {"n/a"}),
            "RecordingDuration": len(values) / rate,
            "MissingValues": "n/a",
        },
    )
    listed = path.with_name(path.name.replace("_motion.tsv", "_channels.tsv"))
    _tsv(listed, rows)
    _json(listed.with_suffix(".json"), _AXES)
    return path


_COLUMNS = ("name", "component", "type", "tracked_point", "units", "reference_frame", "description")
"""Columns of a table of channels, in the order required by BIDS."""


def _unique(names: Sequence[str]) -> list[str]:
    """Names, with a number added to repeated ones."""
    return [name if names.index(name) == k else f"{name}_{k + 1}" for k, name in enumerate(names)]


def _event(event: Event) -> dict[str, object]:
    onset = round(event.time, 6)
    return {"onset": onset, "duration": 0, "trial_type": event.kind, "side": event.side, "source": event.source}


def _write_participants(study: Study, folder: Path, labels: Mapping[str, str]) -> None:
    rows = []
    for name, label in labels.items():
        subject = study.subjects[name]
        days = [trial.date for trial in study.trials.values() if trial.subject == name and trial.date]
        rows.append(
            {
                "participant_id": f"sub-{label}",
                "age": subject.age_on(min(days, default=None)),
                "sex": subject.sex.upper() if subject.sex else None,
                "height": subject.height_m,
                "weight": subject.mass_kg,
            }
        )
    _tsv(folder / "participants.tsv", rows)
    _json(folder / "participants.json", _PARTICIPANTS)


def _write_descriptions(study: Study, folder: Path) -> None:
    generator = {"Name": "gait-pipeline", "Version": pipeline.__version__}
    common = {"Name": study.configuration.study.title, "BIDSVersion": BIDS_VERSION, "GeneratedBy": [generator]}
    _json(folder / "dataset_description.json", common | {"DatasetType": "raw"})
    (folder / "README").write_text(
        f"{study.configuration.study.title}\n\nRecordings as read by gait-pipeline {pipeline.__version__}: markers and "
        "forces in SI units, nothing filtered or filled; axes X forward, Y up, Z to the right.\nThe column source of "
        "each scans.tsv names the original file. Results are in derivatives/gait-pipeline.\n",
        encoding="utf-8",
    )
    derived = folder / "derivatives/gait-pipeline"
    if derived.is_dir():
        _json(derived / "dataset_description.json", common | {"DatasetType": "derivative"})
        (derived / "README").write_text(
            "Results of each walk in the HDF5 layout of gait-pipeline, which is its own and not part of BIDS; every "
            "array has units, frame and labels.\nThe groups ground_from_motion and muscles hold estimates.\n",
            encoding="utf-8",
        )


def _name(entities: Mapping[str, str]) -> str:
    return "_".join(f"{key}-{value}" for key, value in entities.items())


def _tsv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a table with a header. Unknown values are n/a; tabs and line ends in a cell become blanks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(rows[0]), *("\t".join(_cells(row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _cells(values: Iterable[object]) -> list[str]:
    return ["n/a" if value is None or value == "" else re.sub(r"\s", " ", str(value)) for value in values]


def _json(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
