"""From one row of an element to all of its rows, without decoding a field.

Layer ``keyplan``. Gives exactly the rows that the encoder gives. Fields are cut out of a row and
put into the other shapes as they are, so all shapes of a group have to hold a field in one form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexigraph.codec import codec_for
from lexigraph.keyplan.model import (
    DESTINATION,
    EITHER,
    ESCAPED,
    GROUP,
    IDENTITY,
    PART,
    SOURCE,
    VERTEX,
    Const,
    FieldPart,
    GroupPlan,
    Model,
    Part,
    Shape,
    fields_in,
)
from lexigraph.keyplan.parts import compile_writer

RowFamily = tuple[bytes, bytes]
"""Row and family."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A shape as bytes: how to take a row apart, and how to put one together."""

    shape: Shape
    family: bytes
    pattern: re.Pattern[bytes]
    pieces: tuple[bytes | str, ...]

    def row(self, fields: dict[str, bytes]) -> bytes:
        """Put a row together; names stand for fields."""
        return b"".join([fields[one] if isinstance(one, str) else one for one in self.pieces])


class AllRows:
    """Finds the rows of elements of one group.

    >>> from lexigraph.keyplan.model import Value
    >>> parts = [FieldPart("source", "str", "escaped"), Const(bytes(1))]
    >>> parts.append(FieldPart("destination", "str", "escaped"))
    >>> shape = Shape("edge", tuple(parts), directed=False, matched="either", once="ordered")
    >>> knows = GroupPlan("knows", "edge", (), Value("none"))
    >>> rows = AllRows(Model((shape,), (Const(b"f"),), (knows,)), knows)
    >>> rows.of(b"ann" + bytes(1) + b"bob", b"f")
    [(b'ann\\x00bob', b'f'), (b'bob\\x00ann', b'f')]
    """

    def __init__(self, model: Model, group: GroupPlan) -> None:
        self._group = group
        self._forms = [_form(model, group, shape) for shape in model.shapes_of(group)]

    def of(self, row: bytes, family: bytes) -> list[RowFamily]:
        """Return all rows of the element that has this one, with their families, this one first.

        What is not a row of the group has none.
        """
        own = (row, family)
        for form in self._forms:
            found = form.pattern.fullmatch(row) if form.family == family else None
            if found is None:
                continue
            fields = found.groupdict()
            if self._group.kind == VERTEX or fields[SOURCE] == fields[DESTINATION]:
                return [own]
            if not form.shape.directed:
                ends = {SOURCE: fields[DESTINATION], DESTINATION: fields[SOURCE]}
                return [own, (form.row({**fields, **ends}), family)]
            others = [one for one in self._forms if one.shape.directed and one is not form]
            return [own, *((one.row(fields), one.family) for one in others)]
        return []


def can_find_all_rows(model: Model, group: GroupPlan) -> bool:
    """Return whether one row of an element of the group has all that its others have."""
    if any(part.field in IDENTITY for part in fields_in(group.qualifier)):
        return False
    shapes = model.shapes_of(group)
    if group.kind == VERTEX:
        return len(shapes) == 1 and _is_plain(model, shapes[0])
    undirected = [shape for shape in shapes if not shape.directed]
    if len(undirected) > 1 or any(shape.matched != EITHER for shape in undirected):
        return False
    held = {frozenset(fields_in(shape.parts)) for shape in shapes if shape.directed}
    return len(held) <= 1 and all(_is_plain(model, shape) for shape in shapes)


def _is_plain(model: Model, shape: Shape) -> bool:
    names = [part.field for part in fields_in(shape.parts)]
    in_family = {part.field for part in fields_in(model.family_of(shape))}
    return (
        len(set(names)) == len(names)
        and in_family <= {GROUP}
        and all(_width(part) is not None for part in fields_in(shape.parts))
    )


def _width(part: FieldPart) -> bytes | None:
    """Return a pattern of the bytes that a field has in a row."""
    if part.form == ESCAPED:
        return rb"[^\0]*"
    width = codec_for(part.codec).width
    if part.form == PART and part.nulls is None and width is not None:
        return b".{%d}" % width
    return None


def _form(model: Model, group: GroupPlan, shape: Shape) -> _Form:
    family = compile_writer(model.family_of(shape))({GROUP: group.name})
    # By the field alone: all shapes have the same fields, in another order.
    fields = sorted({part.field for part in fields_in(shape.parts)} - {*IDENTITY})
    names = {name: f"f{at}" for at, name in enumerate(fields)} | {name: name for name in IDENTITY}
    pattern = b"".join(_pattern(part, names) for part in shape.parts)
    pieces = tuple(
        part.data if isinstance(part, Const) else names[part.field] for part in shape.parts
    )
    return _Form(shape, family, re.compile(pattern, re.DOTALL), pieces)


def _pattern(part: Part, names: dict[str, str]) -> bytes:
    if isinstance(part, Const):
        return re.escape(part.data)
    return b"(?P<%b>%b)" % (names[part.field].encode(), _width(part) or b"")
