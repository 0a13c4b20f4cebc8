"""Classes of elements: a group of a schema, written as a Python class.

Layer ``schema``. A class is checked when it is made and never changes; neither do its elements.
What its elements hold is checked where they are added (``validate``), not where they are made.
"""

from __future__ import annotations

import inspect
import sys
from abc import ABCMeta
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from lexigraph.errors import (
    AttributeNotFound,
    PropertyNotFound,
    SchemaError,
    ValidationError,
    nearest,
    show,
)
from lexigraph.schema import declare
from lexigraph.schema.fields import (
    DESTINATION,
    DIRECTED,
    EDGE_ID,
    FOUND,
    ID,
    NOTHING,
    PLAN_NAMES,
    SOURCE,
    VALUE,
    Field,
)
from lexigraph.schema.grouping import Declaration, defaults_of, group_from
from lexigraph.schema.model import EDGE, ONE, VERTEX, Group, History, Schema
from lexigraph.schema.records import OPTIONS, refuse_cuts

_TAKEN = {"kind", "group", "ids", "properties", "is_directed", "rules", "filled"}
_IDS = (ID, SOURCE, DESTINATION)
_EITHER = object()


class _NamesFields(ABCMeta):
    """Names the nearest field if a class is asked for one that it does not have.

    A metaclass of abstract classes, so that a class of elements may also have an abstract base.
    """

    if not TYPE_CHECKING:
        # Type checkers are to see the fields that there are, and no others.
        def __getattr__(cls, name: str) -> Any:
            """Raise: names the nearest field."""
            fields = cls.__dict__.get("_fields", {})
            if name.startswith("_") or not fields or name in _TAKEN:
                # Python and this package look for these, and need no advice.
                raise AttributeError(f"class {cls.__name__!r} has no attribute {name!r}")
            raise AttributeNotFound(
                f"class {cls.__name__!r} has no field {name!r}",
                near=nearest(name, fields),
                hint=f"Its fields are: {', '.join(fields)}.",
            )


class _RecordPart:
    """What an element that was read as a record has besides its fields; a field hides it."""

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name of the attribute."""
        self._name = name

    def __get__(self, element: Any, owner: type) -> Any:
        """Return what was found of the record."""
        found = None if element is None else element.__dict__.get(FOUND)
        if found is None:
            # Of a class, this makes its metaclass name the nearest field.
            raise AttributeNotFound(
                f"{owner.__name__!r} has no {self._name!r}: only records that were read have it",
                hint="Read the record first: graph.vertex(id).one().",
            )
        return getattr(found, self._name)


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        declare.id,
        declare.group_by,
        declare.sort_key,
        declare.signature,
        declare.expires,
        declare.visibility,
        declare.timestamp,
        declare.aggregate,
        declare.sum,
        declare.product,
        declare.min,
        declare.max,
        declare.all_of,
        declare.any_of,
        declare.first,
        declare.last,
        declare.count,
        declare.set_of,
        declare.list_of,
        declare.concat,
        declare.frequencies,
        declare.top,
        declare.hll,
        declare.theta,
        declare.quantiles,
        declare.frequent,
        declare.bitmap,
        declare.time_series,
        declare.reservoir,
    ),
)
class ClassElement(metaclass=_NamesFields):
    """What vertices and edges have in common: a group, ids and properties."""

    kind: ClassVar[str]
    group: ClassVar[str]
    rules: ClassVar[Iterable[Any] | Mapping[str, Any]]
    _fields: ClassVar[dict[str, Field[Any]]] = {}
    _id_names: ClassVar[list[tuple[str, str]]] = []
    _property_names: ClassVar[list[tuple[str, str]]] = []
    _defaults: ClassVar[dict[str, Any]] = {}
    _summary: ClassVar[bool] = False
    _aggregates: ClassVar[bool | None] = None
    _directed: ClassVar[Any] = _EITHER
    _options: ClassVar[dict[str, Any]] = {}
    _hints: ClassVar[dict[str, Any] | None] = None
    _scopes: ClassVar[tuple[Mapping[str, Any], ...]] = ()
    _made: ClassVar[Group | None] = None

    def __init_subclass__(
        cls,
        *,
        group: str | None = None,
        summary: bool | None = None,
        aggregates: bool | None = None,
        directed: bool | None = None,
        multiplicity: str | None = None,
        unidirected: bool | None = None,
        history: History | None = None,
        ttl: timedelta | None = None,
        static: bool | None = None,
        _kind: str | None = None,
        **unknown: Any,
    ) -> None:
        """Take the fields; keywords that are not given are those of the parent class."""
        for one in unknown:
            refuse_cuts(cls.__name__, one)
            known = ("group", "summary", "aggregates", "directed", *OPTIONS)
            raise SchemaError(
                f"class {cls.__name__!r}: there is no keyword {one!r}",
                near=nearest(one, known),
                hint=f"Available: {', '.join(known)}.",
            )
        super().__init_subclass__()
        if _kind is not None:
            cls.kind = _kind
            return
        cls.group = cls.__name__ if group is None else group
        cls._summary = cls._summary if summary is None else summary
        cls._aggregates = cls._aggregates if aggregates is None else aggregates
        cls._directed = cls._directed if directed is None else directed
        given = {
            **{"multiplicity": multiplicity, "unidirected": unidirected},
            **{"history": history, "ttl": ttl, "static": static},
        }
        cls._options = cls._options | {at: one for at, one in given.items() if one is not None}
        cls._fields = {**cls._fields, **_own_fields(cls)}
        named = [(one.role, attribute, one.name) for attribute, one in cls._fields.items()]
        cls._id_names = [(at, name) for role, at, name in named if role in _IDS]
        cls._property_names = [(at, name) for role, at, name in named if role not in PLAN_NAMES]
        cls._defaults = defaults_of(cls._fields)
        cls.__match_args__ = tuple(cls._fields)  # type: ignore[misc, attr-defined]
        cls._made = cls._hints = None
        # A class inside a function may name types that only the function knows, and the module of
        # one that was made by exec or importlib need not be registered.
        outside = sys._getframe(1)
        while outside.f_back is not None and outside.f_globals.get("__name__") == "abc":
            outside = outside.f_back
        cls._scopes = (outside.f_globals, outside.f_locals)
        try:
            _made_group(cls)
        except NameError:
            return  # a type that is defined further down: asked for again when it is needed
        cls._scopes = ()

    def __init__(self, *values: Any, **named: Any) -> None:
        """Take the values of the fields, in their order or by name."""
        fields, own = self._fields, self.__dict__
        own.update(zip(fields, values, strict=False))
        if len(values) > len(fields) or not own.keys().isdisjoint(named):
            raise ValidationError(
                f"{self.group} got a field twice, or more values than it has fields"
            )
        own.update(named)
        if len(own) != len(fields) or not named.keys() <= fields.keys():
            self._complete(named)

    def _complete(self, named: Mapping[str, Any]) -> None:
        for name in named:
            if name not in self._fields:
                raise PropertyNotFound(
                    f"{self.group} has no field {name!r}", near=nearest(name, self._fields)
                )
        types, given = group_of(type(self)), frozenset(self.__dict__)
        # A property of any number of values may have none.
        many = {one.name for one in types.properties if one.cardinality != ONE}
        optional = many | {one.name for one in types.properties if one.type.optional}
        for attribute, field in self._fields.items():
            if attribute not in self.__dict__:
                if attribute not in self._defaults and field.name not in optional:
                    raise ValidationError(
                        f"{self.group} needs a value for {attribute!r}",
                        property=field.name,
                        hint=self._partly(types, attribute, field.name),
                    )
                self.__dict__[attribute] = self._defaults.get(attribute)
        if types.record is not None:
            own = (one.name for at, one in self._fields.items() if at not in given)
            self.__dict__["_filled"] = frozenset(own)

    @property
    def filled(self) -> frozenset[str]:
        """The fields that were not given, by their names in the schema; for records.

        They show their defaults, which are not stored with a record.
        """
        found: frozenset[str] = self.__dict__.get("_filled", frozenset())
        return found

    def _partly(self, group: Group, attribute: str, name: str) -> str:
        """Return how to name elements without one of their group-by properties."""
        if name not in group.group_by:
            return ""
        ids = {at: self.__dict__[at] for at, _ in self._id_names if at in self.__dict__}
        return (
            f"Pass {attribute}=... To delete elements of every {attribute!r}, pass a dict: "
            f"graph.delete([{show({'group': group.name, **ids}, 120)}])."
        )

    @property
    def ids(self) -> dict[str, Any]:
        """The vertex, or source and destination."""
        own = self.__dict__
        return {name: own[attribute] for attribute, name in self._id_names}

    @property
    def properties(self) -> dict[str, Any]:
        """Everything else that is there, by its name in the schema."""
        own = self.__dict__
        named = ((name, own[attribute]) for attribute, name in self._property_names)
        return {name: value for name, value in named if value is not None}

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: elements do not change."""
        raise AttributeError(f"elements are immutable: {name!r} cannot be set")

    def __eq__(self, other: object) -> bool:
        """Compare group, ids and properties."""
        if not isinstance(other, ClassElement) or self.group != other.group:
            return NotImplemented if not isinstance(other, ClassElement) else False
        return self._identity() == other._identity() and self.properties == other.properties

    def __hash__(self) -> int:
        """Agree with equality; properties may hold what cannot be hashed."""
        return hash((self.group, *self._identity()))

    def _identity(self) -> tuple[Any, ...]:
        return tuple(self.ids.values())

    def __repr__(self) -> str:
        """Show the ids, then the rest by name."""
        parts = [
            ("" if one.role in _IDS else f"{name}=") + show(self.__dict__[name])
            for name, one in self._fields.items()
            if self.__dict__[name] is not None
        ]
        return f"{type(self).__name__}({', '.join(parts)})"

    def __str__(self) -> str:
        """Show a record that was read with visibilities, times and metadata; else as ``repr``."""
        found = self.__dict__.get(FOUND)
        return repr(self) if found is None else str(found)

    def _repr_html_(self) -> str | None:
        found = self.__dict__.get(FOUND)
        return None if found is None else found._repr_html_()

    if TYPE_CHECKING:
        # Fields of the same names take their places, which type checkers allow for properties.
        @property
        def visibility(self) -> Any:
            """Who may see a record that was read."""

        @property
        def time(self) -> Any:
            """Since when it exists."""

        @property
        def hidden(self) -> Any:
            """Whether it is hidden."""

        @property
        def labels(self) -> Any:
            """Its labels."""

        @property
        def values(self) -> Any:
            """A method: all values of a property."""

        @property
        def value(self) -> Any:
            """A method: the newest value of a property."""

    else:
        visibility = _RecordPart()
        time = _RecordPart()
        hidden = _RecordPart()
        labels = _RecordPart()
        values = _RecordPart()
        value = _RecordPart()


class Vertex(ClassElement, _kind=VERTEX):
    """Base class of vertices; its id is the field ``id`` or the one marked ``lg.id()``.

    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     age: int | None = declare.last()
    >>> Person("ann").properties, Person.age > 3
    ({}, age > 3)
    """

    if TYPE_CHECKING:

        @property
        def out_edges(self) -> Any:
            """Its edges that lead away from it, if they were fetched."""

        @property
        def in_edges(self) -> Any:
            """Its edges that lead to it, if they were fetched."""

    else:
        out_edges = _RecordPart()
        in_edges = _RecordPart()


class Edge(ClassElement, _kind=EDGE):
    """Base class of edges; directed unless ``directed=False``, or by a field ``directed: bool``.

    >>> class Meets(Edge, summary=True, directed=False):
    ...     source: str
    ...     destination: str
    ...     times: int = declare.sum(default=1)
    >>> Meets("ann", "bob") == Meets("bob", "ann")
    True
    """

    if TYPE_CHECKING:

        @property
        def id(self) -> Any:
            """The id of an edge that was read."""

    else:
        id = _RecordPart()

    @property
    def is_directed(self) -> bool:
        """Whether it leads from source to destination only."""
        return bool(self.__dict__[DIRECTED] if self._directed is None else self._directed)

    def _identity(self) -> tuple[Any, ...]:
        ends = tuple(self.ids.values())
        return (True, *ends) if self.is_directed else (False, frozenset(ends))


def class_defaults(cls: type[ClassElement]) -> dict[str, Any]:
    """Return what elements of a class have where nothing is said, by the names of the schema.

    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     seen: int = declare.sum(default=1)
    >>> class_defaults(Person)
    {'seen': 1}
    """
    return {cls._fields[at].name: value for at, value in cls._defaults.items()}


def class_names(cls: type[ClassElement]) -> dict[str, str]:
    """Return the names of the schema for attributes that are called otherwise.

    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     seen: int = declare.sum()
    >>> class_names(Person)
    {'id': 'vertex'}
    """
    named = {field.name for field in cls._fields.values()}
    return {at: field.name for at, field in cls._fields.items() if at not in named}


def group_of(cls: type[ClassElement]) -> Group:
    """Return the group that a class of elements describes.

    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     seen: int = declare.sum()
    >>> group_of(Person).property("seen").aggregate.name
    'sum'
    """
    if not _is_class_of_elements(cls):
        raise SchemaError(f"a subclass of lg.Vertex or lg.Edge is needed, not {show(cls)}")
    try:
        return _made_group(cls)
    except NameError as failure:
        raise SchemaError(
            f"a type of the class {cls.__name__} cannot be read: {failure}",
            hint="Import the type in the module of the class, not only under TYPE_CHECKING.",
        ) from None


def _made_group(cls: type[ClassElement]) -> Group:
    if cls._made is None:
        hints: dict[str, Any] = {}
        for one in reversed(cls.__mro__):
            if issubclass(one, ClassElement) and hasattr(one, "group"):
                one._hints = one._hints if one._hints is not None else _own_hints(one)
                hints |= one._hints
        aggregates = cls._summary if cls._aggregates is None else cls._aggregates
        declaration = Declaration(
            cls.group,
            cls.kind,
            cls._fields,
            summary=cls._summary,
            aggregates=aggregates and cls._summary,
            directed=cls._directed if cls.kind == EDGE else None,
            rules=_rules(cls),
            doc=cls.__dict__.get("__doc__") or "",
            options=cls._options,
        )
        cls._made = group_from(declaration, hints)
    return cls._made


def schema_of(
    classes: Schema | Iterable[type[ClassElement] | Group] | type[ClassElement],
) -> Schema:
    """Make a schema of classes; a schema stays as it is.

    >>> class Person(Vertex, summary=True):
    ...     id: str
    >>> list(schema_of([Person]).groups)
    ['Person']
    """
    if isinstance(classes, Schema):
        return classes
    listed = isinstance(classes, Iterable) and not isinstance(classes, Mapping | str | bytes)
    if not listed and not isinstance(classes, type):
        raise SchemaError(
            f"a schema is a list of classes or a Schema, not {show(classes)}",
            hint="Gaffer's JSON is read by lexigraph.schema.schema_from_gaffer(...), our own by "
            "lexigraph.schema.schema_from_json(...).",
        )
    several = [classes] if isinstance(classes, type) else list(classes)
    groups = [one if isinstance(one, Group) else group_of(one) for one in several]
    names = [group.name for group in groups]
    for name in names:
        if names.count(name) > 1:
            raise SchemaError(
                f"two classes describe the group {name!r}",
                hint="Rename one of them: class Calls(lg.Edge, group='phone-calls').",
            )
    return Schema({group.name: group for group in groups})


def _is_class_of_elements(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, ClassElement) and hasattr(cls, "group")


def _own_hints(cls: type[ClassElement]) -> dict[str, Any]:
    # Not get_type_hints: it would read what parents in other modules say with the names of this.
    module = getattr(sys.modules.get(cls.__module__), "__dict__", {})
    known = dict(module)
    for scope in cls._scopes:
        known |= scope
    given = inspect.get_annotations(cls).items()
    return {
        name: _read_hint(cls, name, one, known) if isinstance(one, str) else one
        for name, one in given
        if name in cls._fields
    }


def _read_hint(cls: type[ClassElement], name: str, text: str, known: dict[str, Any]) -> Any:
    try:
        return eval(text, known)
    except NameError:
        raise
    except AttributeError as failure:
        # A module that is not complete yet may have it later.
        raise NameError(str(failure)) from None
    except Exception as failure:
        raise SchemaError(
            f"class {cls.__name__!r}, field {name!r}: the type {text!r} cannot be read: {failure}",
            hint="Write a type that Python can evaluate where the class is.",
        ) from None


def _rules(cls: type[ClassElement]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for base in reversed(cls.__mro__):
        rules = base.__dict__.get("rules", ())
        found += rules.items() if isinstance(rules, Mapping) else [("", one) for one in rules]
    return found


def _own_fields(cls: type[ClassElement]) -> dict[str, Field[Any]]:
    annotations = inspect.get_annotations(cls)
    for attribute, value in vars(cls).items():
        if isinstance(value, Field) and attribute not in annotations:
            raise SchemaError(
                f"class {cls.__name__!r}: the field {attribute!r} has no type",
                hint=f"Annotate it: {attribute}: int = ...",
            )
    names = [name for name, one in annotations.items() if not _is_class_variable(name, one)]
    for attribute in names:
        if attribute in _TAKEN:
            raise SchemaError(
                f"class {cls.__name__!r}: {attribute!r} is an attribute of every element and "
                "cannot be a field",
                hint=f"Rename the attribute: {attribute}_: ... = ...(name={attribute!r}).",
            )
    marked = any(isinstance(vars(cls).get(n), Field) and vars(cls)[n].role == ID for n in names)
    fields = {}
    for attribute in names:
        value = cls.__dict__.get(attribute, NOTHING)
        if not isinstance(value, Field):
            value = Field(_plain_role(cls, attribute, marked=marked), default=value)
            value.__set_name__(cls, attribute)
            setattr(cls, attribute, value)
        if cls.kind == EDGE and value.role == ID:
            value.role = EDGE_ID
        fields[attribute] = value
    if cls.kind == EDGE and cls._directed is _EITHER:
        cls._directed = None if DIRECTED in fields else True
    return fields


def _plain_role(cls: type[ClassElement], attribute: str, *, marked: bool) -> str:
    # The id of an edge is a property like others where edges merge.
    if cls.kind == VERTEX or not cls._summary:
        if attribute == "id" and not marked:
            return ID
        if cls.kind == VERTEX:
            return VALUE
    return attribute if attribute in (SOURCE, DESTINATION, DIRECTED) else VALUE


def _is_class_variable(name: str, annotation: Any) -> bool:
    text = annotation if isinstance(annotation, str) else str(annotation)
    return name.startswith("_") or text.removeprefix("typing.").startswith("ClassVar")
