"""What a class of records says besides its properties: sort key, signature, multiplicity, history.

Layer ``schema``. A record has an identity of its own. The sort key and the signature of an edge are
part of its shape: they stand in its references, so that neighbours are found without its row. Times
to live are whole microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from lexigraph.errors import SchemaError, UnsupportedError, nearest, show
from lexigraph.schema.fields import EDGE_ID, SIGNATURE, SORT_KEY, Field
from lexigraph.schema.model import (
    EDGE,
    MULTIPLICITIES,
    ONE,
    STREAM,
    VERTEX,
    Group,
    History,
    Property,
    Record,
    Schema,
    SortPart,
    ValueType,
)

OPTIONS = ("multiplicity", "unidirected", "history", "ttl", "static")
"""Keywords of a class of records."""
_CUTS = ("shards", "cut", "cut_vertices", "partitioned")
"""What people would call an option that spreads the edges of one vertex over several places."""
_MOST: Final = 1 << 62
_MICROSECOND: Final = timedelta(microseconds=1)


def keep(*, days: float | None = None, versions: int | None = None) -> History:
    """Limit the history of a class of records: to some days, or to some versions of each value.

    >>> keep(days=30)
    History(days=30, versions=None)
    """
    if (days is None) == (versions is None):
        raise SchemaError(
            "lg.keep() takes either days or versions",
            hint="Write history=lg.keep(days=30) or history=lg.keep(versions=5).",
        )
    if days is not None and (isinstance(days, bool) or not isinstance(days, int | float)):
        raise SchemaError(f"days is a number, not {show(days)}")
    if versions is not None and (isinstance(versions, bool) or not isinstance(versions, int)):
        raise SchemaError(f"versions is a whole number, not {show(versions)}")
    # Also refuses what is not a number at all, NaN.
    if (days is not None and not days > 0) or (versions is not None and versions < 1):
        raise SchemaError(
            "a history keeps more than 0 days, and at least one version",
            hint="Leave history out to keep everything.",
        )
    return History(days, versions)


def time_to_live(**parts: Any) -> int:
    """Return a time to live in microseconds, given in days, hours, minutes and seconds.

    >>> time_to_live(days=1, hours=12)
    129600000000
    """
    for name, part in parts.items():
        if isinstance(part, bool) or not isinstance(part, int | float):
            raise SchemaError(f"{name} is a number, not {show(part)}")
    try:
        return _checked(timedelta(**parts), parts)
    except (OverflowError, ValueError):
        # Also what is not a number at all, NaN.
        return _checked(timedelta(), parts)


def shown_ttl(micros: int | None) -> str:
    """Return a time to live as people read it.

    >>> shown_ttl(90_000_000)
    '0:01:30'
    """
    return "without end" if micros is None else str(timedelta(microseconds=micros))


def record_from(
    kind: str,
    fields: Mapping[str, Field[Any]],
    types: Mapping[str, ValueType],
    properties: Iterable[Property],
    options: Mapping[str, Any],
    what: str,
) -> Record:
    """Return what a class says of its records; refuse what does not fit together."""
    named = {one.name: one for one in properties}
    for field in fields.values():
        if field.role in (SORT_KEY, SIGNATURE):
            _check_shape(kind, field, named[field.name], what)
    edge_ids = [types[field.name] for field in fields.values() if field.role == EDGE_ID]
    return Record(
        tuple(
            SortPart(field.name, field.descending)
            for field in fields.values()
            if field.role == SORT_KEY
        ),
        tuple(field.name for field in fields.values() if field.role == SIGNATURE),
        _multiplicity(kind, options.get("multiplicity"), what),
        _unidirected(kind, options.get("unidirected"), what),
        _history(options.get("history"), what),
        # Whether an id may be left out says nothing about those that are stored.
        replace(edge_ids[0], optional=False) if edge_ids else None,
        _ttl(options.get("ttl"), what),
        tuple((one.name, one.ttl) for one in fields.values() if one.ttl is not None),
        _static(kind, options.get("static"), what),
    )


def refuse_record_options(
    fields: Mapping[str, Field[Any]], options: Mapping[str, Any], what: str
) -> None:
    """Refuse what only records have, in a class whose elements merge."""
    given = [name for name in OPTIONS if options.get(name) is not None]
    marked = [
        one.attribute
        for one in fields.values()
        if one.role in (SORT_KEY, SIGNATURE) or one.ttl is not None
    ]
    if given or marked:
        raise SchemaError(
            f"{what}: {', '.join([*given, *marked])}: only classes of records have this",
            hint="Leave summary=True out, or use lg.group_by() for what keeps elements apart.",
        )


def check_records(schema: Schema) -> None:
    """Refuse groups of records that do not go together: they share vertices, edges and names."""
    for group in schema.groups.values():
        _check_streams(group)
    groups = schema.records.groups.values()
    for group in groups:
        if group.rules:
            raise UnsupportedError(
                f"class {group.name!r} has rules, which classes of records do not have yet",
                hint="Leave rules and check=[...] out of the class.",
            )
    known: dict[str, tuple[str, Property]] = {}
    for group in groups:
        for one in group.properties:
            if one.name in (group.visibility, group.timestamp):
                continue
            home, first = known.setdefault(one.name, (group.name, one))
            if _value_of(first) != _value_of(one):
                raise SchemaError(
                    f"the property {one.name!r} is {_said(first)} in {home!r} and {_said(one)} in "
                    f"{group.name!r}: a name has one type in all classes of records",
                    hint="Give both the same type, or rename one of them.",
                )
    for kind in (VERTEX, EDGE):
        _check_histories([one for one in groups if one.kind == kind])
        _check_lifetimes([one for one in groups if one.kind == kind])


def _check_streams(group: Group) -> None:
    """Refuse streaming values where values are compared or merged."""
    record = group.record
    edge_id = None if record is None else record.edge_id
    ids = {**group.ids, **({} if edge_id is None else {"id": edge_id})}
    wrong = [name for name, kind in ids.items() if kind.codec == STREAM]
    shape = () if record is None else (*(one.name for one in record.sort_key), *record.signature)
    wrong += [
        one.name
        for one in group.properties
        if one.type.codec == STREAM and (record is None or one.name in shape)
    ]
    if wrong:
        raise SchemaError(
            f"{', '.join(map(repr, wrong))} of {group.name!r}: a streaming value is a property of "
            "a record; it is not an id, not in a sort key or signature, and does not merge",
            hint="Leave summary=True out, and keep what is compared in a property of its own.",
        )


def _check_histories(groups: list[Group]) -> None:
    kept = {one.name: one.record.history for one in groups if one.record and one.record.history}
    by_days = [name for name, one in kept.items() if one.days is not None]
    by_versions = [name for name, one in kept.items() if one.versions is not None]
    if by_days and by_versions:
        raise SchemaError(
            f"the history of {by_days[0]!r} is kept by days, that of {by_versions[0]!r} by versions"
            ", and elements may have both labels",
            hint="Use lg.keep(days=...) for all of them, or lg.keep(versions=...).",
        )


def _check_lifetimes(groups: list[Group]) -> None:
    """Refuse a property whose values would live for different times, in groups of one kind.

    An element may be in several groups, and then it could not be said how long a value lives.
    """
    known: dict[str, tuple[str, int | None]] = {}
    for group in groups:
        own = dict((group.record or Record()).ttls)
        for one in group.properties:
            home, first = known.setdefault(one.name, (group.name, own.get(one.name)))
            if first != own.get(one.name):
                raise SchemaError(
                    f"values of {one.name!r} live {shown_ttl(first)} in {home!r} and "
                    f"{shown_ttl(own.get(one.name))} in {group.name!r}",
                    hint="Give both the same lg.expires(...), or rename one of them.",
                )


def _value_of(one: Property) -> tuple[str, int | None, str]:
    return one.type.codec, one.type.bits, one.cardinality


def _said(one: Property) -> str:
    codec, bits, cardinality = _value_of(one)
    kind = codec if bits is None else f"{codec} of {bits} bits"
    return kind if cardinality == ONE else f"a {cardinality} of {kind}"


def _check_shape(kind: str, field: Field[Any], found: Property, what: str) -> None:
    where = f"{what}, field {field.attribute!r}"
    if kind != EDGE:
        raise SchemaError(
            f"{where}: a {field.role} belongs to edges",
            hint=f"Leave lg.{field.role.replace('-', '_')}() out.",
        )
    if found.cardinality != ONE:
        raise SchemaError(f"{where}: a {field.role} has one value, not a {found.cardinality}")


def _multiplicity(kind: str, given: Any, what: str) -> str:
    if given is None:
        return MULTIPLICITIES[0]
    if kind != EDGE:
        raise SchemaError(f"{what}: a multiplicity belongs to edges")
    if given not in MULTIPLICITIES:
        raise SchemaError(
            f"{what}: there is no multiplicity {show(given)}",
            near=nearest(given, MULTIPLICITIES),
            hint=f"Available: {', '.join(MULTIPLICITIES)}.",
        )
    return str(given)


def _unidirected(kind: str, given: Any, what: str) -> bool:
    if given is None:
        return False
    if kind != EDGE:
        raise SchemaError(f"{what}: unidirected belongs to edges")
    if not isinstance(given, bool):
        raise SchemaError(f"{what}: unidirected is True or False, not {show(given)}")
    return given


def _ttl(given: Any, what: str) -> int | None:
    """Read the keyword ``ttl`` of a class."""
    if given is None:
        return None
    if not isinstance(given, timedelta):
        raise SchemaError(
            f"{what}: ttl is a timedelta, not {show(given)}",
            hint="Write ttl=timedelta(days=7).",
        )
    return _checked(given, given)


def _checked(given: timedelta, shown: Any) -> int:
    micros = given // _MICROSECOND
    if not 0 < micros < _MOST:
        raise SchemaError(
            f"a time to live is above 0 and below {_MOST // 86_400_000_000:,} days, "
            f"not {show(shown)}",
            hint="Leave it out for what does not expire.",
        )
    return micros


def _static(kind: str, given: Any, what: str) -> bool:
    if given is None:
        return False
    if kind != VERTEX:
        raise SchemaError(f"{what}: static belongs to vertices")
    if not isinstance(given, bool):
        raise SchemaError(f"{what}: static is True or False, not {show(given)}")
    return given


def _history(given: Any, what: str) -> History | None:
    if given is not None and not isinstance(given, History):
        raise SchemaError(
            f"{what}: history is lg.keep(...), not {show(given)}",
            hint="Write history=lg.keep(days=30).",
        )
    return given


def refuse_cuts(name: str, keyword: str) -> None:
    """Refuse a class whose vertices are to be cut, by the keyword that asks for it."""
    if keyword in _CUTS:
        raise UnsupportedError(
            f"class {name!r}: vertices are not cut, so there is no keyword {keyword!r}",
            hint="Leave it out. Each edge has rows of its own at both ends, so a server can split "
            "a table between the edges of one vertex.",
        )
