"""What the pieces of a key plan must have in common.

Layer ``keyplan``. After these checks every cell that fits a plan gives one element, and every
element of a listed group can be written: the decoder and the encoder rely on it.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.codec import codec_for
from lexigraph.errors import LexigraphError
from lexigraph.keyplan.model import (
    BUILT_IN_FIELDS,
    EDGE,
    EITHER,
    ENDS,
    ESCAPED,
    GROUP,
    IDENTITY,
    ORDERED,
    REST,
    VERTEX,
    Const,
    FieldPart,
    GroupPlan,
    Model,
    Parts,
    Shape,
    fields_in,
)
from lexigraph.keyplan.reader import JsonNode


def check_model(model: Model, node: JsonNode) -> None:
    """Refuse a plan that contradicts itself; ``node`` is its JSON, for the path in the error."""
    members = node.object()
    rows, family = members["rows"], members["family"]
    if not model.rows:
        rows.fail("a plan has at least one shape")
    if not model.groups:
        members["groups"].fail("a plan has at least one group")
    _check_parts(model.family, family)
    for shape, item in zip(model.rows, rows.items(), strict=True):
        _check_parts(shape.parts, item.object()["parts"])
        if shape.family is not None:
            _check_parts(shape.family, item.object()["family"])
    _check_family(model, family, rows)
    for group, item in zip(model.groups, members["groups"].object().values(), strict=True):
        _check_parts(group.qualifier, item.object()["qualifier"])
        _check_group(model, group, item, rows)


def _check_parts(parts: Parts, node: JsonNode) -> None:
    for at, (part, item) in enumerate(zip(parts, node.items(), strict=True)):
        if isinstance(part, Const):
            continue
        if part.field in BUILT_IN_FIELDS:
            item.fail(f"{part.field!r} is a field of every element and cannot be a part of the key")
        if part.field in (*IDENTITY, GROUP) and part.nulls is not None:
            item.fail(f"{part.field!r} identifies the element and cannot be null")
        following = parts[at + 1] if at + 1 < len(parts) else None
        if part.form == REST and following is not None:
            item.fail("a field of the form 'rest' takes all bytes and must come last")
        terminated = isinstance(following, Const) and following.data[:1] == b"\x00"
        if part.form == ESCAPED and following is not None and not terminated:
            item.fail(
                "after a field of the form 'escaped' comes the end, or a const that starts 00"
            )


def _check_family(model: Model, family: JsonNode, rows: JsonNode) -> None:
    if any(part.codec != "str" for part in _grouping(model.family)):
        family.fail("the field 'group' has the codec 'str'")
    for shape, item in zip(model.rows, rows.items(), strict=True):
        if shape.family is not None and _grouping(shape.family):
            item.fail("a shape with its own family must name the group itself")
        grouped = _grouping(model.family_of(shape))
        if grouped and shape.group is not None:
            item.fail("the family gives the group; the shape must not give it too")
        if not grouped and shape.group is None:
            item.fail("neither the family nor this shape names the group")


def _grouping(family: Parts) -> list[FieldPart]:
    return [part for part in fields_in(family) if part.field == GROUP]


def _check_group(model: Model, group: GroupPlan, node: JsonNode, rows: JsonNode) -> None:
    try:
        codec_for("str").encode(group.name)
    except LexigraphError as error:
        node.fail(str(error))
    shapes = model.shapes_of(group)
    if not group.name or not shapes:
        node.fail(f"no shape in {rows.path!r} is for {group.kind} group {group.name!r}")
    first = {part.field for part in _row_and_family(model, shapes[0])}
    for shape in shapes:
        where = rows.items()[model.rows.index(shape)]
        if {part.field for part in _row_and_family(model, shape)} != first:
            where.fail(f"its fields differ from those of the other shapes of {group.name!r}")
        _check_fields(model, group, shape, node)
        if shape.kind == EDGE:
            _check_ends(group, shape, where)
    _check_codecs([_row_and_family(model, shape) for shape in shapes], node)


def _row_and_family(model: Model, shape: Shape) -> list[FieldPart]:
    return fields_in((*shape.parts, *model.family_of(shape)))


def _check_fields(model: Model, group: GroupPlan, shape: Shape, node: JsonNode) -> None:
    key = [*_row_and_family(model, shape), *fields_in(group.qualifier)]
    in_key = [part.field for part in key]
    in_value = [one.field for one in group.value.properties]
    _refuse_twice([*in_key, *in_value], node)
    for name in in_value:
        if name in (*BUILT_IN_FIELDS, *IDENTITY, GROUP):
            node.fail(f"{name!r} is not a property and cannot be in the value")
    if any(part.field == GROUP for part in (*fields_in(shape.parts), *fields_in(group.qualifier))):
        node.fail("the field 'group' can only be in the family")
    wanted = {VERTEX} if group.kind == VERTEX else set(ENDS)
    identity = {name for name in in_key if name in IDENTITY}
    in_family = fields_in(model.family_of(shape))
    if identity != wanted or any(part.field in IDENTITY for part in in_family):
        node.fail(
            f"a group of kind {group.kind!r} has {' and '.join(sorted(wanted))} in row or "
            f"qualifier, not {', '.join(sorted(identity)) or 'nothing'}"
        )


def _refuse_twice(names: Iterable[str], node: JsonNode) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            node.fail(f"the field {name!r} comes twice in one cell")
        seen.add(name)


def _check_ends(group: GroupPlan, shape: Shape, node: JsonNode) -> None:
    ends = ends_of(shape, group)
    compared = shape.matched == EITHER or shape.once == ORDERED
    if compared and ends[0].codec != ends[1].codec:
        node.fail(
            "ends that are compared with each other ('either', 'ordered') must have the same codec"
        )
    if shape.matched == EITHER:
        if shape.directed:
            node.fail("a directed edge starts with its source or its destination, never 'either'")
    elif shape.matched != ends[0].field:
        node.fail(f"the row starts with {ends[0].field!r}, but 'matched' is {shape.matched!r}")


def ends_of(shape: Shape, group: GroupPlan) -> list[FieldPart]:
    """Give the two ends of an edge in the order of row, then qualifier."""
    parts = (*fields_in(shape.parts), *fields_in(group.qualifier))
    return [part for part in parts if part.field in ENDS]


def _check_codecs(shapes: list[list[FieldPart]], node: JsonNode) -> None:
    codecs: dict[str, str] = {}
    for parts in shapes:
        for part in parts:
            if codecs.setdefault(part.field, part.codec) != part.codec:
                node.fail(
                    f"{part.field!r} has the codec {part.codec!r} in one shape and "
                    f"{codecs[part.field]!r} in another"
                )
