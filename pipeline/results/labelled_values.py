"""Read a stage's value back from its labelled arrays, the inverse of `pipeline.results.opening`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pipeline.results.declarations import declared_fields
from pipeline.results.reading import Reader
from pipeline.results.status import Failure, needed

if TYPE_CHECKING:
    import xarray

T = TypeVar("T")


def has_value(walk: xarray.DataTree, stage: str) -> bool:
    """Whether a stage was computed and did not fail."""
    return stage in walk.children and walk[stage].attrs.get("status") == "ok"


def value_of(walk: xarray.DataTree, stage: str, cls: type[T]) -> T:
    """A stage's value, as the stages exchange it, from the tree of `pipeline.analyse` or `pipeline.open_trial`.

    It is read as the dataclass that the stage returned, or as one with some of its fields.

    Raises:
        ResultsError: the tree has no such stage, the stage failed, or its value is of another version.
    """
    return needed(outcome_of(walk, stage, cls), stage)


def outcome_of(walk: xarray.DataTree, stage: str, cls: type[T]) -> T | Failure | None:
    """A stage's value, or its failure; None if there is no such stage. Raises ResultsError for another version."""
    if stage not in walk.children or "status" not in walk[stage].attrs:
        return None
    if not has_value(walk, stage):
        found = walk[stage].attrs
        step, reason = found.get("failed_step", stage), found.get("reason", "it has no value")
        return Failure(found.get("failed_trial", ""), step, reason, bool(found.get("defect", False)))
    return _LabelledReader(f"the stage '{stage}'").dataclass(walk[stage], cls, declared_fields(cls))


def session_of(walk: xarray.DataTree) -> str:
    """The session of a walk, from its cycles; "1" for a walk outside a study, or without cycles."""
    cycles = walk["cycles"].attrs if "cycles" in walk.children else {}
    return (str(cycles.get("trial_key", "")).split("/")[1:2] or ["1"])[0]


class _LabelledReader(Reader):
    """Reads nodes of a tree instead of groups of a file."""

    def array(self, group: Any, name: str) -> np.ndarray:
        return group[name].to_numpy()

    def scalars(self, dataset: Any, scalar: type) -> Any:
        return dataset.to_numpy().tolist()
