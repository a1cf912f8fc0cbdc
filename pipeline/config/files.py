"""Read YAML files and tables into their schemas, recording every problem with its line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from pipeline.config.fields import Row
from pipeline.config.problems import Location, Problems, nearest
from pipeline.errors import printable

_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""LibYAML's loader, ten times as fast, if PyYAML was built with it."""


class Loader(_BASE):
    """Reads ``1e-4`` as a number, as YAML 1.2 does; PyYAML follows YAML 1.1, in which it is text without a point."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)

MAX_DEPTH = 30
"""Largest depth of nested sections in a YAML file; those of this program have at most six levels."""

R = TypeVar("R", bound=Row)
M = TypeVar("M", bound=BaseModel)


def load_yaml(path: Path, shown: str, model: type[M], completed: Callable[[Any], Any] = lambda content: content) -> M:
    """Read a YAML file, ``shown`` by this name in messages, into a model.

    If other files contribute to its content, ``completed`` makes the complete one from the file's own.

    Raises:
        ConfigError: lists everything that is wrong, with lines: not YAML, an unknown key (with the nearest known one),
            a missing or contradictory entry.
    """
    problems = Problems()
    found = read_yaml(path, shown, model, problems, completed)
    problems.raise_if_any()
    assert found is not None  # else there was a problem
    return found


def read_json(path: Path) -> Any:
    """Content of a JSON file. Raises OSError, or ValueError if it is not JSON or is nested too deep to be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def yaml_content(path: Path, shown: str) -> Any:
    """Content of a YAML file. Raises ConfigError if it is not YAML."""
    problems = Problems()
    node = _node(path, shown, problems)
    problems.raise_if_any()
    assert node is not None
    return node[1]


def read_yaml(
    path: Path,
    shown: str,
    model: type[M],
    problems: Problems,
    completed: Callable[[Any], Any] = lambda content: content,
) -> M | None:
    """Read a YAML file into a model; None if something is wrong, which is then recorded in ``problems``."""
    node = _node(path, shown, problems)
    if node is None:
        return None
    root, content = node[0], completed(node[1])
    lines: dict[Location, int] = {}
    repeated = _index_lines(root, (), lines) if root else []

    def place(location: Location) -> str:
        known = next((location[:size] for size in range(len(location), 0, -1) if location[:size] in lines), ())
        line = f", line {lines[known]}" if known else ""
        section = ".".join(_words(location[:-1], content))
        return f"{shown}{line}" + (f", in {section}" if section else "")

    for location in repeated:
        problems.add(place(location), f"'{location[-1]}' is given twice")
    try:
        return model.model_validate(_without_blank_keys(content, model))
    except ValidationError as error:
        problems.add_all(error, model, place)
        return None


def _node(path: Path, shown: str, problems: Problems) -> tuple[yaml.Node | None, Any] | None:
    """The root of a file's nodes, and its content; None if something is wrong, which is then recorded."""
    text = _text(path, shown, problems)
    if text is None:
        return None
    found = _parsed(text)
    if isinstance(found, _Unreadable):
        problems.add(shown + (f", line {found.line}" if found.line else ""), found.reason)
        return None
    return found


@dataclass(frozen=True)
class _Unreadable:
    """Why a text cannot be read: a line from 1, or 0 for the whole text, and a reason that follows the file's name."""

    line: int
    reason: str


@lru_cache(maxsize=32)
def _parsed(text: str) -> tuple[yaml.Node | None, Any] | _Unreadable:
    """The root of a text's nodes, and its content, which callers must not change: it is cached, since every stage of
    every walk reads the same few files."""
    loader = Loader(text)
    try:
        refused = _refused(text)
        if refused:
            return _Unreadable(*refused)
        root = loader.get_single_node()
        return root, loader.construct_document(root) if root else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        # LibYAML counts the end of the text as another line.
        line = min(mark.line + 1, len(text.splitlines())) if mark else 0
        return _Unreadable(line, f"is not YAML: {getattr(error, 'problem', error)}")
    except ValueError as error:  # an impossible date, or thousands of digits
        return _Unreadable(0, f"has a value that cannot be read ({error})")


def _refused(text: str) -> tuple[int, str] | None:
    """Line and reason of content that could exhaust memory or the stack when read, or control the terminal later."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            return line, "repeats a part by an alias (*name), which is not read; write it out"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            return line, f"is nested more than {MAX_DEPTH} deep"
        if isinstance(event, yaml.ScalarEvent) and not event.value.replace("\n", " ").isprintable():
            return line, f"has a control character in {printable(event.value)[:80]}; remove it"
    return None


def read_table(path: Path, shown: str, model: type[R], problems: Problems) -> list[tuple[int, R]]:
    """Read a tab-separated table with a header; return valid rows with their line numbers, record ``problems``."""
    text = _text(path, shown, problems)
    if text is None:
        return []
    table = filled_lines(text, shown, problems)
    line, header = next(table, (1, []))
    if not _header_fits(header, f"{shown}, line {line}", model, problems):
        return []
    rows: list[tuple[int, R]] = []
    for line, values in table:
        where = f"{shown}, line {line}"
        if len(values) > len(header):
            problems.add(where, f"has {len(values)} cells, but the header has {len(header)}: check its tabs")
            continue
        given = {name: value for name, value in zip(header, values, strict=False) if value}
        hidden = [name for name, value in given.items() if not value.replace("\n", " ").isprintable()]
        for name in hidden:
            problems.add(where, f"'{name}' has a control character: {printable(given[name])[:80]}; remove it")
        if hidden:
            continue
        try:
            rows.append((line, model.model_validate(given)))
        except ValidationError as error:
            problems.add_all(error, model, lambda location, where=where: _in_column(where, location))  # type: ignore[misc]
    return rows


def _in_column(where: str, location: Location) -> str:
    """Where a value is in a table; its column is named if the value is only a part of its cell."""
    return where + (f", in {location[0]}" if len(location) > 1 else "")


def filled_lines(text: str, shown: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is not blank, without blanks around cells and without blank cells at the end.

    A cell that spans lines is a problem: an unclosed quotation mark would swallow the lines up to the next mark or to
    the end.
    """
    reader = csv.reader(io.StringIO(text), delimiter="\t")
    first = 1
    try:
        for cells in reader:
            if reader.line_num > first:
                text = (
                    f'a cell continues to line {reader.line_num}; close its quotation mark ("), or write it on one line'
                )
                problems.add(f"{shown}, line {first}", text)
            values = [cell.strip() for cell in cells]
            while values and not values[-1]:
                values.pop()
            if values:
                yield first, values
            first = reader.line_num + 1
    except csv.Error as error:
        problems.add(f"{shown}, line {first}", f"cannot be read as a table ({error})")


def _header_fits(header: list[str], where: str, model: type[Row], problems: Problems) -> bool:
    known = model.model_fields
    if len(header) == 1 and header[0] not in known:
        problems.add(where, "has one column only; the columns must be separated by tabs")
        return False
    wrong = [name for name in header if name not in known]
    for name in wrong:
        problems.add(where, f"unknown column '{name}'; {nearest(name, known)}")
    repeated = {name for name in header if header.count(name) > 1}
    for name in sorted(repeated):
        problems.add(where, f"the column '{name}' is given twice")
    absent = [name for name, field in known.items() if field.is_required() and name not in header]
    for name in absent:
        problems.add(where, f"the column '{name}' is missing")
    return not (wrong or repeated or absent)


def _text(path: Path, shown: str, problems: Problems) -> str | None:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if "\0" not in text:  # UTF-16 without a byte-order mark looks like UTF-8 with zeros
            return text
        problems.add(shown, "is not UTF-8 text; save it as UTF-8")
    except UnicodeDecodeError:
        problems.add(shown, "is not UTF-8 text; save it as UTF-8")
    except OSError as error:
        problems.add(shown, f"cannot be read ({error.strerror})")
    return None


def _index_lines(node: yaml.Node, path: Location, lines: dict[Location, int]) -> list[Location]:
    """Fill in the line of each key path; return the paths that occur twice."""
    repeated: list[Location] = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            location = (*path, key.value)
            if location in lines:
                repeated.append(location)
            lines[location] = key.start_mark.line + 1
            repeated += _index_lines(value, location, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            lines[(*path, index)] = value.start_mark.line + 1
    return repeated


def _words(location: Location, content: Any) -> list[str]:
    """A key path in words; entries of lists are given by their names if they have any."""
    words = []
    for key in location:
        try:
            content = content[key]
        except (TypeError, LookupError):
            content = None
        name = content.get("name") if isinstance(content, dict) else None
        words.append(str(name if isinstance(key, int) and name else key))
    return words


def _without_blank_keys(content: object, model: type[BaseModel]) -> object:
    """The content without keys whose value or section is blank, which means the default; an empty file is blank."""
    if content is None:
        return {}
    if not isinstance(content, dict):
        return content
    return {key: value for key, value in content.items() if value is not None or key not in model.model_fields}
