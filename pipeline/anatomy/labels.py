"""Map labels of a recording to a marker set's labels despite letter case, blanks, punctuation, prefixes and aliases."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pipeline.anatomy.alignment_device import with_device_corners
from pipeline.anatomy.marker_set import MarkerSet
from pipeline.trial import Note, RawTrial

_SEPARATORS = re.compile(r"[\s._:-]+")


def plain(label: str) -> str:
    """The label in lower case without blanks and punctuation, for comparison."""
    return _SEPARATORS.sub("", label).casefold()


def set_labels(labels: Iterable[str], marker_set: MarkerSet) -> dict[str, str]:
    """Labels of a recording that are written differently in the marker set, mapped to the set's spelling.

    Left out are labels that the set has as they stand, labels whose counterpart the recording has too, and labels of
    which several would become the same one. A prefix common to all labels, up to a separator, is ignored.
    """
    labels = list(labels)
    known = marker_set.all_labels
    meant = {plain(other): label for label, others in marker_set.aliases.items() for other in others}
    meant |= {plain(label): label for label in known}
    start = _prefix_length(labels)
    found: dict[str, list[str]] = {}
    for label in labels:
        other = meant.get(plain(label)) or meant.get(plain(label[start:]))
        if other is not None and label not in known and other not in labels:
            found.setdefault(other, []).append(label)
    return {written[0]: label for label, written in found.items() if len(written) == 1}


def _prefix_length(labels: list[str]) -> int:
    """Characters up to the last separator before which all labels are the same."""
    first, last = min(labels, default=""), max(labels, default="")  # all others are between them
    common = next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return max((match.end() for match in _SEPARATORS.finditer(first[:common])), default=0)


def with_set_labels(trial: RawTrial, marker_set: MarkerSet) -> RawTrial:
    """The recording with the marker set's labels and the markers that alignment devices replace, and notes on both."""
    renamed = set_labels(trial.marker_names, marker_set)
    if renamed:
        text = "; ".join(f"{label} read as {other}" for label, other in renamed.items())
        note = Note("info", "labels", f"by marker set {marker_set.name}: {text}")
        names = tuple(renamed.get(name, name) for name in trial.marker_names)
        trial = replace(trial, marker_names=names, notes=(*trial.notes, note))
    return with_device_corners(trial, marker_set)
