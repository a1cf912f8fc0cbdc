"""Export the markers of a trial as recorded (not filtered, gaps not filled) as a TRC file, in mm and in G."""

from __future__ import annotations

from pathlib import Path

from pipeline.results.opensim import component_names, numbered_names, stored_results, trc_text
from pipeline.trial import RawTrial
from pipeline.whole_files import write_text


def write(session: Path, trial: str, path: Path) -> list[str]:
    """Write all markers and frames; return notes on their names.

    Raises:
        ResultsError: there is no such trial, or its recording could not be read.
    """
    raw = stored_results(session, trial, RawTrial)
    names = component_names(raw.marker_names)
    write_text(path, trc_text(path.name, raw.rate, raw.first_frame, raw.time, names.values(), raw.markers_G))
    return numbered_names(names)
