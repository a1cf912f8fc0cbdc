"""Match a recording's labels to marker sets, and find the outputs for which its markers suffice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.anatomy.cluster import MIN_MARKERS
from pipeline.anatomy.labels import set_labels
from pipeline.anatomy.marker_set import MarkerSet
from pipeline.conventions import SIDES

RECOGNISED = 0.6
"""Minimum share of a set's labels for a recording to be recognised as having that set; sets share few labels."""


@dataclass(frozen=True)
class Match:
    """A recording's labels against a marker set.

    Attributes:
        marker_set: name of the set.
        found, wanted: of the set's labels that such a recording should have, the number found and the total.
        renamed: the recording's labels that are written differently in the set, mapped to the set's spelling.
        lacking: missing labels by output; empty for an output for which the markers suffice.
    """

    marker_set: str
    found: int
    wanted: int
    renamed: dict[str, str]
    lacking: dict[str, tuple[str, ...]]

    @property
    def recognised(self) -> bool:
        """Whether the recording has this set: most of its labels, and those for the angles of at least one joint."""
        joints = [
            labels for output, labels in self.lacking.items() if output.endswith(" angles") and "pelvis" not in output
        ]
        return self.found >= RECOGNISED * self.wanted and not all(joints)


def matches(labels: Iterable[str], marker_sets: Iterable[MarkerSet], *, walking: bool) -> list[Match]:
    """Matches with all sets, best first: by recognition, then number of labels, then share of the set's labels.

    Args:
        labels: of the markers seen in the recording.
        marker_sets: to choose from; at least one.
        walking: whether the recording is a walk, which does not need the markers used only in the static trial.
    """
    labels = list(labels)
    found = [match(labels, marker_set, walking=walking) for marker_set in marker_sets]
    return sorted(found, key=lambda m: (m.recognised, m.found, m.found / m.wanted), reverse=True)


def match(labels: Iterable[str], marker_set: MarkerSet, *, walking: bool) -> Match:
    """A recording's labels against one set; arguments as in `matches`."""
    labels = list(labels)
    renamed = set_labels(labels, marker_set)
    available = {renamed.get(label, label) for label in labels}
    available |= {label for label, device in marker_set.alignment_devices.items() if set(device.labels) <= available}
    outputs, lacks = _outputs(marker_set), _Lacks(marker_set, available, walking)
    wanted = _Lacks(marker_set, set(), walking)
    labels_wanted = {label for parts in outputs.values() for label in wanted.of(parts)}
    return Match(
        marker_set.name,
        len(labels_wanted & available),
        len(labels_wanted),
        renamed,
        {output: tuple(sorted(lacks.of(parts))) for output, parts in outputs.items()},
    )


def _outputs(marker_set: MarkerSet) -> dict[str, tuple[str, ...]]:
    """Points and frames from which each output is computed."""
    outputs: dict[str, tuple[str, ...]] = {"pelvis angles": ("pelvis",)}
    for name, joint in marker_set.joints.items():
        shown = name.replace("_", " ")
        outputs[f"{shown} angles"] = (joint.proximal, joint.distal)
        outputs[f"{shown} moments"] = (joint.centre, *_below(marker_set, joint.centre))
    for side in SIDES:
        if side in marker_set.feet:
            foot = marker_set.feet[side]
            outputs[f"{side} foot's contacts"] = (foot.heel, foot.toe)
    return outputs


def _below(marker_set: MarkerSet, centre: str) -> Iterator[str]:
    """Ends and frames of the segments from a joint's centre to the end of the leg."""
    for segment in marker_set.segments.values():
        if segment.proximal == centre:
            yield from (segment.frame, segment.distal)
            yield from _below(marker_set, segment.distal)


@dataclass(frozen=True)
class _Lacks:
    """Labels that points and frames need and that are not available.

    Attributes:
        known: cache of the labels by point, marker or frame, since many depend on the same ones.
    """

    marker_set: MarkerSet
    available: set[str]
    walking: bool
    known: dict[str, set[str]] = field(default_factory=dict)

    def of(self, names: Iterable[str]) -> set[str]:
        """Labels that any of these points, markers and frames lacks."""
        return {label for name in names for label in self._of(name)}

    def _of(self, name: str) -> set[str]:
        if name not in self.known:
            self.known[name] = self._found(name)
        return self.known[name]

    def _found(self, name: str) -> set[str]:
        if name in self.marker_set.points:
            return self._of_point(name)
        if name in self.marker_set.frames:
            return self._of_frame(name)
        return set() if name in self.available else {name}

    def _of_point(self, name: str) -> set[str]:
        point = self.marker_set.points[name]
        if point.fixed_in and self.walking:
            return self._of(point.fixed_in)
        if point.chord:
            lacking = self.of((point.chord.proximal, point.chord.marker, point.chord.wand))
        else:
            lacking = self.of(point.mean or (str(point.hip_regression),))
        return set() if point.otherwise and not self._of(point.otherwise) else lacking

    def _of_frame(self, name: str) -> set[str]:
        frame = self.marker_set.frames[name]
        if frame.cluster:
            seen = self.available.intersection(frame.cluster)
            return set() if len(seen) >= MIN_MARKERS else set(frame.cluster) - seen
        if frame.turned:
            return self._of(frame.turned.frame)
        directions = [*(frame.axes or {}).values(), *(() if self.walking else (frame.static or {}).values())]
        return self.of(end for d in directions for end in (d.start, d.end, d.axis) if end)


def outputs_in_words(lacking: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Lines that say for which outputs the markers suffice, and what the others lack."""
    given = [output for output, labels in lacking.items() if not labels]
    yield f"its markers suffice for {', '.join(given) or 'no output'}"
    without: dict[tuple[str, ...], list[str]] = {}
    for output, labels in lacking.items():
        if labels:
            without.setdefault(labels, []).append(output)
    for labels, outputs in without.items():
        yield f"not for {', '.join(outputs)}: it lacks {', '.join(labels)}"
