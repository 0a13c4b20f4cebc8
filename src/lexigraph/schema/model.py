"""A schema as plain data: groups, their ids and properties, and how equal elements merge.

Layer ``schema``. Nothing here is derived: two schemas are equal when these are. A property's number
is permanent within its group and is what stored bytes name; 0 means that it has none yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lexigraph.errors import GroupNotFound, PropertyNotFound, SchemaError, nearest, show

VERTEX, EDGE = "vertex", "edge"
ONE, LIST, SET = "single", "list", "set"
STREAM = "stream"
"""The codec of streaming values, which only properties of records have."""
"""Cardinalities: one value, any number of values, any number of different values."""
MULTIPLICITIES = ("multi", "simple", "many2one", "one2many", "one2one")
"""How many edges of a label there may be: any number; one from a vertex to another; one out of each
vertex; one into each vertex; one out of and one into each vertex. The first is the default."""


@dataclass(frozen=True, slots=True)
class ValueType:
    """What an id or a property holds: the codec of its values and how wide they may be.

    ``bits`` limits an ``int``, and with 32 a ``float`` is rounded to what Java's float holds; the
    codec stays that of any width, so that sums never overflow. Of a property that collects values
    (a set, a sketch) this is the type of one of them. ``java`` is the class that Gaffer's JSON
    names, where the schema came from there. ``optional`` values may be absent.
    """

    codec: str
    bits: int | None = None
    optional: bool = False
    java: str | None = None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """How values of one property become one: an aggregator by name, with its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Agree with equality; options may hold what cannot be hashed."""
        return hash((self.name, *sorted(self.options)))


@dataclass(frozen=True, slots=True)
class Rule:
    """What elements must satisfy to be stored and seen.

    ``where`` is a predicate in its JSON form (``spec/scan.md`` section 7), over the fields that the
    properties and ids of its group have in a key plan (``keys.plan_field``). ``fields`` are their
    names in the schema; a rule that an element breaks names them and ``doc``.

    A rule about ids and group-by properties removes what breaks it when tables merge. A rule about
    values that merge only hides, unless ``remove`` is true: then answers depend on when merges run.
    ``checked`` says that every stored element passed the rule when it was added, because the rule
    is as old as its group; ``merge_stored`` sets it, whatever was given.
    """

    where: Mapping[str, Any]
    fields: tuple[str, ...]
    doc: str = ""
    remove: bool = False
    checked: bool = False

    def is_same(self, other: Rule) -> bool:
        """Return whether both ask for the same, whatever happens to what breaks them."""
        return (self.where, self.fields, self.doc) == (other.where, other.fields, other.doc)

    def __hash__(self) -> int:
        """Agree with equality; a predicate cannot be hashed."""
        return hash(self.fields)


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a group.

    Exactly one of these holds: it is in the group's ``group_by``, it is the group's ``visibility``
    or ``timestamp``, or it is a value. A value of a summary group has an ``aggregate``; the others
    may have one too, for views that merge over them.
    """

    name: str
    type: ValueType
    number: int = 0
    aggregate: Aggregate | None = None
    doc: str = ""
    later: bool = False
    """Whether it was added to a group that was stored already: elements may be older."""
    cardinality: str = ONE
    """How many values it has in a record."""


@dataclass(frozen=True, slots=True)
class SortPart:
    """A property that the edges of a vertex are sorted by."""

    name: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """How long the earlier values of records are kept: some days, or some versions of each."""

    days: float | None = None
    versions: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What a group of records has besides.

    ``sort_key`` and ``signature`` are properties of edges that stand in their references. An edge
    that is ``unidirected`` is found from its source only. Without ``history`` everything is kept.
    ``edge_id`` is the type of the ids of edges; without it they are generated. ``ttl`` is the time
    to live of its elements, and ``ttls`` has those of single properties, in microseconds. Vertices
    that are ``static`` never change.
    """

    sort_key: tuple[SortPart, ...] = ()
    signature: tuple[str, ...] = ()
    multiplicity: str = MULTIPLICITIES[0]
    unidirected: bool = False
    history: History | None = None
    edge_id: ValueType | None = None
    ttl: int | None = None
    ttls: tuple[tuple[str, int], ...] = ()
    static: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Elements of one kind with one set of properties.

    ``ids`` holds the type of ``vertex``, or of ``source`` and ``destination``. ``directed`` is
    ``None`` where every edge says so itself. A group that does not ``aggregate`` keeps duplicates.
    ``last_number`` is the highest number that one of its properties ever had.
    """

    name: str
    kind: str
    ids: Mapping[str, ValueType]
    properties: tuple[Property, ...] = ()
    group_by: tuple[str, ...] = ()
    visibility: str | None = None
    timestamp: str | None = None
    directed: bool | None = None
    summary: bool = True
    aggregates: bool = True
    rules: tuple[Rule, ...] = ()
    doc: str = ""
    last_number: int = 0
    record: Record | None = None
    """What it has as a group of records; ``None`` for a summary group."""
    of_class: bool = field(default=False, compare=False, repr=False)
    """Whether a Python class describes it; not stored."""
    open: bool = field(default=False, compare=False, repr=False)
    """Whether its records have any property; not stored."""

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash((self.name, self.kind, self.properties))

    @property
    def values(self) -> tuple[Property, ...]:
        """The properties that are stored in the value of a cell."""
        elsewhere = {*self.group_by, self.visibility, self.timestamp}
        return tuple(one for one in self.properties if one.name not in elsewhere)

    def property(self, name: str) -> Property:
        """Return the property of that name.

        >>> text = ValueType("str")
        >>> group = Group("p", VERTEX, {"vertex": text}, (Property("title", text),))
        >>> group.property("titel")
        Traceback (most recent call last):
            ...
        lexigraph.errors.PropertyNotFound: group 'p' has no property 'titel' (did you mean: title?)
        """
        for one in self.properties:
            if one.name == name:
                return one
        if self.open:
            return Property(name, ValueType("any", optional=True))
        names = [one.name for one in self.properties]
        raise PropertyNotFound(
            f"group {self.name!r} has no property {name!r}", near=nearest(name, names)
        )


@dataclass(frozen=True, slots=True)
class Schema:
    """All groups of a graph. ``version`` counts its changes; 0 is not stored yet.

    ``config`` holds what Gaffer's JSON says besides.
    """

    groups: Mapping[str, Group]
    version: int = 0
    config: Mapping[str, Any] = field(default_factory=dict)
    doc: str = ""
    whole: Schema | None = field(default=None, compare=False, repr=False)
    """The schema of the graph, of which this has some groups; not stored."""

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash((self.version, *sorted(self.groups)))

    def part(self, groups: Iterable[str]) -> Schema:
        """Return a schema of some of the groups, which knows the ids of all."""
        held = {name: self.groups[name] for name in groups if name in self.groups}
        return replace(self, groups=held, whole=self.whole or self)

    @property
    def summaries(self) -> Schema:
        """The groups whose elements merge or keep duplicates: all but those of records."""
        if not any(one.record is not None for one in self.groups.values()):
            return self
        return self.part(name for name, one in self.groups.items() if one.record is None)

    @property
    def records(self) -> Schema:
        """The groups of records."""
        return self.part(name for name, one in self.groups.items() if one.record is not None)

    @property
    def id_types(self) -> frozenset[tuple[str, int | None]]:
        """Codec and bits of the ids of all groups of the graph."""
        groups = (self.whole or self).groups.values()
        return frozenset((kind.codec, kind.bits) for one in groups for kind in one.ids.values())

    def group(self, name: str) -> Group:
        """Return the group of that name."""
        found = self.groups.get(name) if isinstance(name, str) else None
        if found is None:
            raise GroupNotFound(
                f"the schema has no group {show(name)}", near=nearest(name, list(self.groups))
            )
        return found

    def __repr__(self) -> str:
        """Show a table of groups, ids and properties."""
        from lexigraph.schema.table import text_schema

        return text_schema(self)

    def _repr_html_(self) -> str:
        from lexigraph.schema.table import html_schema

        return html_schema(self)

    def groups_of(self, kind: str) -> tuple[Group, ...]:
        """Return the groups of vertices, or those of edges."""
        return tuple(group for group in self.groups.values() if group.kind == kind)


def check_schema(schema: Any) -> None:
    """Refuse what is no schema."""
    if not isinstance(schema, Schema):
        raise SchemaError(
            f"a Schema is needed, not {show(schema)}",
            hint="Turn classes into a schema with schema_of(...).",
        )
