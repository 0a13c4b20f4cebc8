"""How the names and values of a schema look in a key plan: fields and key forms.

Layer ``schema``. Rules, conditions and layouts all ask here, so that a property and the predicates
about it always mean the same field. The label and the time of an element are fields that every
plan has; a property whose name a plan keeps for itself gets a dot in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP
from lexigraph.codec import Codec, codec_for
from lexigraph.codec.selfdescribing import MAX_DEPTH
from lexigraph.errors import (
    InvalidOption,
    InvalidValue,
    InvalidVisibility,
    LexigraphError,
    PropertyNotFound,
    nearest,
    show,
)
from lexigraph.functions import aggregator_for
from lexigraph.keyplan.model import BUILT_IN_FIELDS, GROUP, IDENTITY
from lexigraph.schema.model import Group, ValueType
from lexigraph.security import Visibility

RESERVED = frozenset({*BUILT_IN_FIELDS, *IDENTITY, GROUP})
"""Names that a property's field in a key plan cannot have."""

EDGE_FIELD = "edge"
"""The field that the id of an edge has in conditions."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BUILT_IN_TYPES = {
    "directed": ValueType("bool"),
    "matched": ValueType("str", optional=True),
    GROUP: ValueType("str"),
}


def plan_field(group: Group, name: str) -> str:
    """Return the field that a property or id of the group has in a key plan.

    >>> text = ValueType("str")
    >>> from lexigraph.schema.model import Property
    >>> properties = (Property("label", text), Property("kind", text))
    >>> group = Group("p", "vertex", {"vertex": text}, properties, visibility="label")
    >>> [plan_field(group, name) for name in ("label", "kind", "vertex")]
    ['visibility', '.kind', 'vertex']
    """
    if any(one.name == name for one in group.properties):
        if name == group.visibility:
            return "visibility"
        if name == group.timestamp:
            return "timestamp"
        return f".{name}" if name in RESERVED else name
    type_of(group, name)
    return name


def type_of(group: Group, name: str) -> ValueType:
    """Return the type of a property or id; a property hides an id of the same name."""
    for one in group.properties:
        if one.name == name:
            return one.type
    found = group.ids.get(name) or _BUILT_IN_TYPES.get(name)
    if found is None and group.record is not None:
        found = _record_type(group, name)
    if found is None:
        names = [*(one.name for one in group.properties), *group.ids]
        raise PropertyNotFound(
            f"group {group.name!r} has no property {name!r}",
            near=nearest(name, names),
            hint=f"Available: {', '.join(names)}.",
        )
    return found


def _record_type(group: Group, name: str) -> ValueType | None:
    """Return the type of what only records have: the id of an edge, and undeclared properties."""
    if name == EDGE_FIELD and group.kind == "edge":
        held = group.record.edge_id if group.record is not None else None
        return held or ValueType("any")
    return ValueType("any", optional=True) if group.open else None


def compared_by(group: Group, name: str, *, member: bool = False) -> Codec[Any]:
    """Return the codec that a plan compares a property or id by, or the ``member`` of a collection.

    >>> from lexigraph.schema.model import Aggregate, Property
    >>> tags = Property("tags", ValueType("str"), aggregate=Aggregate("set"))
    >>> group = Group("p", "vertex", {"vertex": ValueType("int")}, (tags,))
    >>> compared_by(group, "tags", member=True)
    <codec str>
    >>> compared_by(group, "tags")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: 'tags' of group 'p' holds a collection, which cannot be compared
    """
    kind = type_of(group, name)
    if name in (group.visibility, group.timestamp):
        return codec_for("bytes" if name == group.visibility else "int64")
    for one in () if member else group.values:
        if one.name == name and one.aggregate is not None:
            how = one.aggregate
            result = aggregator_for(how.name, codec_for(kind.codec), how.options).result
            if result is None:
                where = f"{name!r} of group {group.name!r}"
                raise InvalidOption(
                    f"{where} holds a collection, which cannot be compared",
                    hint="Ask for .exists(), .contains() or .length, or compare another property.",
                )
            return result
    return codec_for(kind.codec)


def key_form(group: Group, name: str, value: Any, *, member: bool = False) -> bytes:
    """Return the bytes that a plan compares a property or id by; refuse values of another type.

    >>> group = Group("p", "vertex", {"vertex": ValueType("int")})
    >>> key_form(group, "vertex", "ann")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidValue: 'vertex' of group 'p': it takes int, not str: 'ann'
    """
    kind, codec = type_of(group, name), compared_by(group, name, member=member)
    try:
        if name == group.visibility:
            return label_of(value)
        if name == group.timestamp:
            return codec.encode(time_of(value))
        if codec.name != kind.codec:
            kind = ValueType(codec.name)
        return codec.encode(plain(kind, fitted(kind, value)))
    except LexigraphError as error:
        why = misfit(error)
        raise InvalidValue(f"{name!r} of group {group.name!r}: {why}", hint=error.hint) from None


def misfit(error: LexigraphError) -> str:
    """Return why a value does not fit its property, in words of types and not of codecs.

    >>> try:
    ...     codec_for("float").encode("3")
    ... except InvalidValue as error:
    ...     misfit(error)
    "it takes float, not str: '3'"
    """
    expected, value = error.context.get("expected"), error.context.get("value")
    if isinstance(error, InvalidVisibility) and "inside quotes" in error.message:
        return f"{error}\n  One name with such characters is lexigraph.security.quote(name)"
    if expected is None:
        return str(error)
    if expected == "an aware datetime" and isinstance(value, datetime):
        return (
            f"it needs a time zone: datetime(..., tzinfo=timezone.utc), or assume_timezone= "
            f"when loading: {show(value)}"
        )
    day = expected == "date" and isinstance(value, datetime)
    fix = "; use .date()" if day else ""
    return f"it takes {expected}, not {type(value).__name__}{fix}: {show(value)}"


def fitted(kind: ValueType, value: Any) -> Any:
    """Return the value as it is stored: an ``int`` where a ``float`` is meant becomes one.

    >>> fitted(ValueType("float"), 3), fitted(ValueType("float", bits=32), 0.1)
    (3.0, 0.10000000149011612)
    """
    if kind.codec == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        if kind.bits == 32:
            from lexigraph.types import Float32

            return float(Float32(value))
        return _as_float(value)
    bits = kind.bits
    if bits is not None and isinstance(value, int) and not isinstance(value, bool):
        top = 1 << bits - 1
        if not -top <= value < top:
            raise InvalidValue(
                f"{show(value)} does not fit into {bits} bits",
                hint=f"Its type holds -2**{bits - 1} to 2**{bits - 1} - 1.",
            )
    return value


def plain(kind: ValueType, value: Any) -> Any:
    """Return a whole set or map as a value that can be stored: in the order of its keys.

    >>> plain(ValueType("any"), {"b", "a"}), plain(ValueType("any"), {"b": 1, "a": {2}})
    (('a', 'b'), (('a', (2,)), ('b', 1)))
    """
    return _plain(value) if kind.codec == "any" else value


def _plain(value: Any, depth: int = 0) -> Any:
    # The codec says how deep values nest; what is much deeper would exhaust Python's stack here.
    if depth > 2 * MAX_DEPTH:
        raise InvalidValue(f"tuples and lists nest at most {MAX_DEPTH} deep")
    below = partial(_plain, depth=depth + 1)
    if isinstance(value, set | frozenset):
        return in_order(map(below, value))
    if isinstance(value, Mapping):
        return in_order((below(name), below(one)) for name, one in value.items())
    if type(value) in (tuple, list):
        return type(value)(map(below, value))
    return value


def in_order(members: Iterable[Any]) -> tuple[Any, ...]:
    """Return distinct members in the order of their keys, as sets are held.

    >>> in_order(["b", "a", "b"])
    ('a', 'b')
    """
    encode = codec_for("any").encode
    keyed = {encode(one): one for one in members}
    return tuple(keyed[key] for key in sorted(keyed))


def label_of(value: Any) -> bytes:
    """Return a label as cells of a graph have it: normalised, empty for none."""
    if type(value) is str:
        return _normal_label(value)
    return b"" if value is None else bytes(Visibility(value).normalise())


@lru_cache(maxsize=4096)  # a graph has few labels and many elements
def _normal_label(label: str) -> bytes:
    return bytes(Visibility(label).normalise())


def time_of(value: Any) -> int:
    """Return the timestamp of a cell: an ``int`` as it is, an aware datetime in microseconds.

    >>> time_of(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000000
    """
    if isinstance(value, datetime) and value.tzinfo is not None:
        return (value - _EPOCH) // timedelta(microseconds=1)
    if isinstance(value, int) and not isinstance(value, bool):
        if MIN_TIMESTAMP <= value <= MAX_TIMESTAMP:
            return value
        raise InvalidValue(f"{show(value)} does not fit into 64 bits")
    raise InvalidValue(f"a timestamp is an int or an aware datetime, not {show(value)}")


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        raise InvalidValue(f"{show(value)} is too large for a float") from None
