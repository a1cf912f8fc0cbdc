"""Read the declarations of a stage's dataclass: the kind of each field, and its units, frame and axes."""

from __future__ import annotations

import types
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from pipeline.trial import Axis, Quantity

SCALARS = (str, bool, int, float)

Kind = Literal["attribute", "array", "axis", "group", "records", "items", "mapping", "table", "stack"]


@dataclass(frozen=True)
class Field:
    """How one declared value is stored.

    Attributes:
        name: of the field.
        kind: attribute (undeclared scalar), array (also a declared scalar, or a tuple of scalars), axis, group (a
            dataclass), records (a tuple of flat dataclasses, stored column by column), items (a tuple of other
            dataclasses), mapping (text to array or dataclass), table (text to scalar) or stack (a mapping, or a tuple
            of dataclasses, with an axis: its entries are stored along one more dimension).
        type: of the value, or of the entries of a tuple or mapping.
        quantity: units, frame and dimensions, if declared; of a stack, those of its labels.
        dim: the dimension that an axis labels, or along which the entries of a stack are stored.
        optional: whether the value may be None.
        as_tuple: whether an array is read back as a tuple.
        entry: how an entry of a mapping or stack is stored.
        keyed: whether a stack is a mapping.
    """

    name: str
    kind: Kind
    type: Any
    quantity: Quantity | None = None
    dim: str = ""
    optional: bool = False
    as_tuple: bool = False
    entry: Field | None = None
    keyed: bool = False

    def along(self, *dims: str) -> Quantity:
        """Its declaration, or one without a unit, with other dimensions."""
        return replace(self.quantity or _undeclared(self.name), dims=dims)


def _undeclared(name: str) -> Quantity:
    return Quantity(name.replace("_", " "), "")


_declared: dict[type, tuple[Field, ...]] = {}


def declared_fields(cls: type) -> tuple[Field, ...]:
    """Fields of a dataclass, axes first, since the arrays refer to them.

    Raises:
        TypeError: a field has a type that results files cannot hold, or an array has no units: a defect of the code.
    """
    if cls not in _declared:
        hints = get_type_hints(cls, include_extras=True)
        found = [describe(field.name, hints[field.name]) for field in fields(cls)]
        _declared[cls] = tuple(sorted(found, key=lambda field: field.kind != "axis"))
    return _declared[cls]


def inner_fields(field: Field) -> tuple[Field, ...]:
    """Fields of the dataclass that a field holds. Raises TypeError as `declared_fields` does."""
    return parts_of(field.type, field.quantity) if field.quantity else declared_fields(field.type)


def parts_of(cls: type, whole: Quantity) -> tuple[Field, ...]:
    """Fields of a dataclass of plain arrays (such as a wrench) declared as a whole: one unit each, same dimensions."""
    names = [field.name for field in fields(cls)]
    units = [unit.strip() for unit in whole.units.split(",")]
    if len(units) == 1:
        units *= len(names)
    if len(units) != len(names):
        raise TypeError(f"{cls.__name__} has {len(names)} fields and its declaration {len(units)} units")
    return tuple(
        Field(name, "array", np.ndarray, Quantity(f"{whole.long_name}: {name}", unit, whole.dims, whole.frame))
        for name, unit in zip(names, units, strict=True)
    )


def describe(name: str, hint: Any) -> Field:
    """Classify one annotation. Raises TypeError as `declared_fields` does."""
    bare, optional = _without_none(hint)
    bare, marks = _without_annotation(bare)
    if not optional:
        bare, optional = _without_none(bare)
    quantity = next((mark for mark in marks if isinstance(mark, Quantity)), None)
    axis = next((mark for mark in marks if isinstance(mark, Axis)), None)
    origin, arguments = get_origin(bare), get_args(bare)
    if origin is Literal:
        bare = type(arguments[0])

    if axis is not None and (origin is dict or _holds_dataclasses(arguments)):
        return _describe_stack(name, axis, bare, optional)
    if axis is not None:
        label = Quantity(axis.long_name, axis.units, (axis.dim,))
        item = arguments[0] if origin is tuple else np.ndarray
        return Field(name, "axis", item, label, axis.dim, optional, as_tuple=origin is tuple)
    if bare in SCALARS:
        return Field(name, "array" if quantity else "attribute", bare, quantity, optional=optional)
    if bare is np.ndarray or origin is np.ndarray:
        if quantity is None:
            raise TypeError(f"array '{name}' has no declared units: annotate it with a Quantity")
        return Field(name, "array", np.ndarray, quantity, optional=optional)
    if isinstance(bare, type) and is_dataclass(bare):
        return Field(name, "group", bare, quantity, optional=optional)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _describe_tuple(name, arguments[0], quantity, optional)
    if origin is dict and arguments[0] is str:
        entry = describe(name, arguments[1])
        entry = Field(name, entry.kind, entry.type, entry.quantity or quantity, optional=entry.optional)
        kind: Kind = "table" if entry.type in SCALARS else "mapping"
        if kind == "mapping" and entry.kind not in {"array", "group"}:
            raise TypeError(f"'{name}': a mapping holds scalars, arrays or dataclasses, not {entry.type}")
        return Field(name, kind, entry.type, entry.quantity, optional=optional, entry=entry)
    raise TypeError(f"'{name}' has a type that results files do not hold: {hint}")


def _describe_tuple(name: str, item: Any, quantity: Quantity | None, optional: bool) -> Field:
    item, marks = _without_annotation(item)
    if get_origin(item) is Literal:
        item = type(get_args(item)[0])
    if item in SCALARS:
        inner = next((mark for mark in marks if isinstance(mark, Quantity)), None)
        label = quantity or inner or _undeclared(name)
        if not label.dims:
            label = replace(label, dims=(f"{name}_index",))
        return Field(name, "array", item, label, optional=optional, as_tuple=True)
    if isinstance(item, type) and is_dataclass(item):
        flat = all(field.type in SCALARS for field in declared_fields(item))
        return Field(name, "records" if flat else "items", item, quantity, optional=optional)
    raise TypeError(f"'{name}' has a type that results files do not hold: tuple of {item}")


def _holds_dataclasses(arguments: tuple[Any, ...]) -> bool:
    return bool(arguments) and isinstance(arguments[0], type) and is_dataclass(arguments[0])


def _describe_stack(name: str, axis: Axis, hint: Any, optional: bool) -> Field:
    keyed = get_origin(hint) is dict
    item = get_args(hint)[1 if keyed else 0]
    entry = describe(name, item)
    nested = inner_fields(entry) if entry.kind == "group" else ()
    unfit = {field.kind for field in (entry, *nested)} - {"attribute", "array", "axis", "group", "stack"}
    if unfit or entry.kind == "axis" or optional:
        raise TypeError(f"'{name}' holds {item}; along '{axis.dim}' are scalars, arrays, and mappings of them")
    label = Quantity(axis.long_name, axis.units, (axis.dim,))
    return Field(name, "stack", entry.type, label, axis.dim, entry=entry, keyed=keyed)


def _without_annotation(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        return inner, tuple(marks)
    return hint, ()


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, types.UnionType):
        rest = [argument for argument in get_args(hint) if argument is not type(None)]
        if len(rest) == 1 and len(get_args(hint)) == 2:
            return rest[0], True
    return hint, False
