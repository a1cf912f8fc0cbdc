"""A step gets the inputs of its annotations, and every failure is recorded in its output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import h5py
import numpy as np
import pytest

from pipeline.config import FilterSettings, settings_json
from pipeline.errors import SignalError
from pipeline.provenance import Provenance, file_digest
from pipeline.results import Failure, read_failure, read_stage, verified_digest, write_failure, write_stage
from pipeline.results.status import read_header
from pipeline.trial import Axis, Quantity
from pipeline.workflow.framework import Gathered, Request, execute


@dataclass(frozen=True)
class Signal:
    time: Annotated[np.ndarray, Axis("time", "time", "s")]
    value: Annotated[np.ndarray, Quantity("value", "N", ("time",))]


@dataclass(frozen=True)
class Scale:
    factor: float


SIGNAL = Signal(np.array([0.0, 0.1]), np.array([1.0, np.nan]))


@pytest.fixture
def define(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes functions the module of the step "example"."""
    module = "pipeline.stages.example"
    return lambda **functions: monkeypatch.setitem(sys.modules, module, SimpleNamespace(**functions))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write_stage(tmp_path / "source.h5", SIGNAL, Provenance("before"))
    return tmp_path / "source.h5"


def request_for(source: Path, settings: str = "{}") -> Request:
    return Request("example", "walk", {"signal": source}, source.with_name("out.h5"), settings=settings, code="c0de")


@dataclass(frozen=True)
class Both(Gathered):
    """What two parameters of a stage would be."""

    signal: Signal
    scale: Scale


def test_a_gathered_dataclass_takes_its_fields_as_parameters_are_taken(define, source: Path) -> None:
    def run(both: Both) -> Signal:
        return Signal(both.signal.time, both.signal.value * both.scale.factor)

    define(run=run)
    request = request_for(source, settings_json(scale=Scale(3.0)))
    assert execute(request) is None
    np.testing.assert_array_equal(read_stage(request.output, Signal).value, [3.0, np.nan])


def test_a_step_gets_stages_paths_sections_dataclasses_and_numbers(define, source: Path, tmp_path: Path) -> None:
    marker_set = tmp_path / "set.yaml"
    marker_set.write_text("{}")

    def run(signal: Signal, marker_set: Path, filter: FilterSettings, scale: Scale, side: str = "left") -> Signal:
        assert marker_set.read_text() == "{}"
        assert side == "left"
        return Signal(signal.time, signal.value * scale.factor * filter.markers)

    define(run=run)
    settings = settings_json(filter=FilterSettings(markers=5.0), scale=Scale(2.0))
    inputs = {"signal": source, "marker_set": marker_set}
    request = Request("example", "walk", inputs, tmp_path / "a/b.h5", settings=settings, code="c0de")
    assert execute(request) is None
    np.testing.assert_array_equal(read_stage(request.output, Signal).value, [10.0, np.nan])
    with h5py.File(request.output) as file:
        provenance, _ = read_header(file, "b.h5")
    assert provenance.step == "example"
    assert provenance.settings == settings
    assert provenance.code == "c0de"
    assert provenance.inputs == {"signal": verified_digest(source), "marker_set": file_digest(marker_set)}


def test_an_error_of_the_data_is_the_recorded_reason(define, source: Path, capsys) -> None:
    def run(signal: Signal) -> Signal:
        raise SignalError("2 frames, at least 10 are needed", where="walk")

    define(run=run)
    failure = execute(request_for(source))
    assert failure == Failure("walk", "example", "walk: 2 frames, at least 10 are needed", defect=False)
    assert read_failure(source.with_name("out.h5")) == failure
    assert "Traceback" not in capsys.readouterr().err


def test_an_unexpected_exception_is_a_recorded_defect_with_its_traceback_in_the_log(define, source, capsys) -> None:
    def run(signal: Signal) -> Signal:
        return signal.value[7]

    define(run=run)
    failure = execute(request_for(source))
    assert failure is not None
    assert failure.defect
    assert "IndexError" in failure.reason
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("error", [MemoryError, PermissionError])
def test_a_failure_of_the_machine_is_not_recorded_as_the_trials(define, source: Path, error: type[Exception]) -> None:
    def run(signal: Signal) -> Signal:
        raise error

    define(run=run)
    with pytest.raises(error):
        execute(request_for(source))
    assert [path.name for path in source.parent.iterdir()] == ["source.h5"]


def test_a_step_after_a_failure_does_not_run_and_passes_the_reason_on(define, source: Path) -> None:
    def run(signal: Signal) -> Signal:
        raise AssertionError("must not run")

    define(run=run)
    reason = Failure("static", "ingest", "static.c3d: is empty")
    write_failure(source, reason, Provenance("ingest"))
    assert execute(request_for(source)) == reason
    assert read_failure(source.with_name("out.h5")) == reason


def test_a_step_that_can_do_without_a_stage_gets_its_failure_in_place_of_the_value(define, source, tmp_path) -> None:
    def run(signal: Signal, other: Signal | Failure | None, path: Path, output: Path) -> None:
        assert isinstance(signal, Signal)
        assert read_failure(path) is not None, "a path is handed over as it is"
        output.write_text(other.reason if isinstance(other, Failure) else "a value")

    define(run=run, MAY_FAIL=("other", "path"))
    failed = tmp_path / "failed.h5"
    write_failure(failed, Failure("walk", "before", "too few markers"), Provenance("before"))
    page = tmp_path / "page.html"
    for other, text in ((source, "a value"), (failed, "too few markers")):
        inputs = {"signal": source, "other": other, "path": failed}
        assert execute(Request("example", "walk", inputs, page)) is None
        assert page.read_text() == text
    needed = execute(Request("example", "walk", {"signal": failed, "other": source, "path": failed}, page))
    assert needed is not None, "what it cannot do without still stops it"


def test_a_step_may_write_its_output_itself_and_it_appears_whole_or_as_its_failure(define, source: Path) -> None:
    def run(signal: Signal, output: Path, fail: bool) -> None:
        output.write_text("half")
        if fail:
            raise SignalError("no")
        output.write_text("whole")

    define(run=run, on_failure=lambda output, failure: output.write_text(f"failed: {failure.reason}"))
    page = source.with_name("page.html")
    for fail, text in ((False, "whole"), (True, "failed: no")):
        execute(Request("example", "walk", {"signal": source}, page, settings=settings_json(fail=fail)))
        assert page.read_text() == text
    assert sorted(path.name for path in source.parent.iterdir()) == ["page.html", "source.h5"]


def test_a_rule_without_a_needed_parameter_is_a_defect_that_names_it(define, source: Path) -> None:
    def run(signal: Signal, scale: Scale) -> Signal:
        return signal

    define(run=run)
    failure = execute(request_for(source))
    assert failure is not None
    assert "no 'scale'" in failure.reason


def test_settings_are_the_same_text_for_the_same_values() -> None:
    assert settings_json(b=1, a=FilterSettings()) == settings_json(a=FilterSettings(markers=6.0), b=1)
