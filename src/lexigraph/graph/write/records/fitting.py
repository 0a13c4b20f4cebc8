"""From what was given to changes that add records, checked by what classes declare.

Layer ``graph``. Says which element, which property and why. Defaults of a class are not stored: a
property that is not given is not written. Names that no class declares are learnt or refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from lexigraph.codec import codec_for
from lexigraph.errors import (
    GroupNotFound,
    LexigraphError,
    PropertyNotFound,
    UnsupportedError,
    ValidationError,
    nearest,
    show,
)
from lexigraph.graph.write.records.given import fit, read_text, read_values, type_name
from lexigraph.graph.write.records.options import RecordOptions
from lexigraph.graph.write.records.places import RecordPlace
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.write.changes import AddEdge, AddVertex, GivenValue
from lexigraph.layout.records.write.ids import generate_id
from lexigraph.layout.stored.id_blocks import EDGE_IDS, VERTEX_IDS, IdBlocks
from lexigraph.layout.stored.record_names import (
    LABEL_OF_EDGES,
    LABEL_OF_VERTICES,
    PROPERTY,
    UsedName,
)
from lexigraph.layout.write.given import read_given
from lexigraph.plan import FoundRecord
from lexigraph.schema import ClassElement, Group, Property, ValueType
from lexigraph.schema.fields import EDGE_ID, FOUND, is_text
from lexigraph.schema.keys import fitted, label_of, misfit, plain, time_of
from lexigraph.schema.model import EDGE, ONE, VERTEX

_GENERATED = {"str": str, "uuid": UUID, "any": UUID}
"""What a generated id is, by the codec of ids."""
_NUMBERS = {"int", "int32", "int64"}
"""The codecs of ids that are numbered."""


class RecordFitter:
    """Makes the changes that add records to one graph."""

    def __init__(self, bound: BoundRecords, numbers: IdBlocks, *, learns: bool) -> None:
        self._bound, self._numbers, self._learns = bound, numbers, learns
        self._groups = bound.schema.groups
        self._ids = ValueType(bound.rows.vertex_codec)
        self._properties: dict[str, dict[str, Property]] = {VERTEX: {}, EDGE: {}}
        for group in self._groups.values():
            special = (group.visibility, group.timestamp)
            own = {one.name: one for one in group.properties if one.name not in special}
            self._properties[group.kind] |= own
        self.used: list[UsedName] = []
        """Names that changes use and no class declares; whoever stores them takes them along."""

    def is_record(self, item: Any) -> bool:
        """Return whether an element that was given is one of a group of records."""
        if isinstance(item, type):
            return False
        named = item.get("group") if isinstance(item, Mapping) else getattr(item, "group", None)
        return isinstance(named, str) and named in self._groups

    def element(self, item: Any, how: RecordOptions, number: int | None) -> AddVertex | AddEdge:
        """Return the change that adds an instance of a class, or a dict with its group."""
        given = read_given(item, self._bound.schema, number)
        group = self._groups[given.group]
        place = RecordPlace(group.kind, show(item), number)
        properties = dict(given.properties)
        edge_id = None
        if group.kind == EDGE and all(one.name != "edge" for one in group.properties):
            edge_id = properties.pop("edge", None)
        found = found_in(item)
        if found is not None:
            _refuse_widening(item, how, number)
            edge_id = found.edge
            properties = {name: one for name, one in properties.items() if name in found.stored}
        elif isinstance(item, ClassElement):
            edge_id = class_edge_id(item)
            for name in item.filled:
                properties.pop(name, None)
        options = self._own(group, properties, how, place)
        if group.kind == VERTEX:
            vertex = self._id(given.ids.get("vertex"), group.ids["vertex"], "vertex", place)
            values = self._values([group], properties, place)
            return AddVertex(id=vertex, labels=(group.name,), values=values, **options.of_change())
        ends = {name: self._id(given.ids.get(name), group.ids[name], name, place) for name in _ENDS}
        directed = given.is_directed
        if not isinstance(directed, bool):
            raise place.error("directed", f"directed is true or false, not {show(directed)}")
        shape = self._shape(group, ends, directed=directed, given=properties, place=place)
        values = self._values([group], properties, place)
        options = _of_generated(options) if edge_id is None else options
        edge_id = self._edge_id(edge_id, group, place)
        return AddEdge(id=edge_id, shape=shape, values=values, **options.of_change())

    def vertex(
        self, given_id: Any, labels: Iterable[Any], given: Mapping[str, Any], how: RecordOptions
    ) -> AddVertex:
        """Return the change that adds a vertex with some labels; a missing id is generated."""
        place = RecordPlace(VERTEX, f"vertex {show(given_id)}")
        named = tuple(self.label(one, VERTEX) for one in labels)
        groups = [self._groups[one] for one in named if one in self._groups]
        own = given_id
        if own is None:
            own = self._generated(self._ids.codec, VERTEX_IDS, place)
            how = _of_generated(how)
        for kind in [one.ids["vertex"] for one in groups] or [self._ids]:
            own = self._id(own, kind, "id", place)
        properties = dict(given)
        for group in groups:
            how = self._own(group, properties, how, place)
        values = self._values(groups, properties, place)
        return AddVertex(id=own, labels=named, values=values, **how.of_change())

    def edge(
        self,
        source: Any,
        label: Any,
        destination: Any,
        given_id: Any,
        properties: Mapping[str, Any],
        how: RecordOptions,
        *,
        directed: bool | None,
    ) -> AddEdge:
        """Return the change that adds an edge; a missing id is generated."""
        shown = f"edge {show(label)} from {show(source)} to {show(destination)}"
        place = RecordPlace(EDGE, shown)
        group = self._groups.get(self.label(label, EDGE))
        said = True if directed is None else directed
        if group is not None and group.directed is not None:
            if directed is not None and directed != group.directed:
                raise place.error("directed", "the edges of its class all have the opposite value")
            said = group.directed
        given, ends = dict(properties), {}
        for name, end in zip(_ENDS, (source, destination), strict=True):
            ends[name] = self._id(end, group.ids[name] if group else self._ids, name, place)
        groups = [] if group is None else [group]
        for one in groups:
            how = self._own(one, given, how, place)
        if group is None:
            shape = EdgeShape(label, ends["source"], ends["destination"], said)
        else:
            shape = self._shape(group, ends, directed=said, given=given, place=place)
        own, values = self._edge_id(given_id, group, place), self._values(groups, given, place)
        if given_id is None:
            how = _of_generated(how)
        return AddEdge(id=own, shape=shape, values=values, **how.of_change())

    def label(self, label: Any, kind: str) -> str:
        """Return a label that records may have; a class or its name."""
        name: str = getattr(label, "group", label)
        if not is_text(name) or not name:
            raise ValidationError(f"a label is a class of records or text, not {show(label)}")
        group = self._groups.get(name)
        if group is not None and group.kind == kind:
            return name
        whole = self._bound.schema.whole
        if group is not None or (whole is not None and name in whole.groups):
            what = "another kind" if group is not None else "summaries"
            raise GroupNotFound(
                f"{name!r} is a group of {what}, not a label of records of the kind {kind}"
            )
        if not self._learns:
            known = [one.name for one in self._groups.values() if one.kind == kind]
            raise GroupNotFound(
                f"the schema has no {kind} group {name!r}",
                near=nearest(name, known),
                hint=f"Available: {', '.join(known) or 'none'}. Open the graph with strict=False "
                "to take any label.",
            )
        self.used.append(UsedName(LABEL_OF_VERTICES if kind == VERTEX else LABEL_OF_EDGES, name))
        return name

    def holds_many(self, kind: str, name: str) -> bool:
        """Return whether a class declares a property as a list or a set."""
        found = self._properties[kind].get(read_text(name, "the name of a property"))
        return found is not None and found.cardinality != ONE

    def values(self, kind: str, name: str, given: Any) -> list[GivenValue]:
        """Return the values that are given for one name of an element that is there."""
        place = RecordPlace(kind, f"a {kind}")
        return self._read(name, given, self._declared(kind, name, None, place), place)

    def _read(
        self, name: str, given: Any, declared: Property | None, place: RecordPlace
    ) -> list[GivenValue]:
        try:
            found = list(read_values(name, given, declared))
        except UnsupportedError:
            raise
        except LexigraphError as error:
            raise place.error(name, misfit(error)) from None
        if declared is None:
            self.used += [UsedName(PROPERTY, name, type_name(one.value)) for one in found]
        return found

    def _values(
        self, groups: list[Group], given: Mapping[str, Any], place: RecordPlace
    ) -> tuple[GivenValue, ...]:
        found: list[GivenValue] = []
        for name, value in given.items():
            declared = self._declared(place.kind, name, groups, place)
            found += self._read(name, value, declared, place)
        for group in groups:
            for one in _own_properties(group):
                needed = one.cardinality == ONE and not one.type.optional
                if needed and given.get(one.name) is None:
                    raise place.error(one.name, "it is missing")
        return tuple(found)

    def _declared(
        self, kind: str, name: Any, groups: list[Group] | None, place: RecordPlace
    ) -> Property | None:
        if not is_text(name) or not name:
            raise place.error(show(name), "the name of a property is text")
        known = self._properties[kind]
        if groups:
            known = {one.name: one for group in groups for one in _own_properties(group)}
        if name in known:
            return known[name]
        if self._learns:
            return self._properties[kind].get(name)
        of = f"group {groups[0].name!r} has" if groups else f"no {kind} group has"
        what = "no such property" if groups else "such a property"
        raise PropertyNotFound(
            f"{place.shown}: property {name!r}: {of} {what}", near=nearest(name, list(known))
        )

    def _shape(
        self,
        group: Group,
        ends: Mapping[str, Any],
        *,
        directed: bool,
        given: dict[str, Any],
        place: RecordPlace,
    ) -> EdgeShape:
        """Return the shape of an edge, and take its properties out of those that are given."""
        record, held = group.record, {}
        assert record is not None
        for name in sorted({*(one.name for one in record.sort_key), *record.signature}):
            value, kind = given.pop(name, None), group.property(name).type
            if value is None:
                if not kind.optional:
                    raise place.error(name, "it is missing")
                continue
            try:
                held[name] = fit(kind, value)
                if any(one.name == name for one in record.sort_key):
                    codec_for(kind.codec).encode(held[name])
            except LexigraphError as error:
                raise place.error(name, misfit(error)) from None
        pairs = tuple(sorted(held.items(), key=lambda pair: pair[0].encode()))
        return EdgeShape(group.name, ends["source"], ends["destination"], directed, pairs)

    def _own(
        self, group: Group, given: dict[str, Any], how: RecordOptions, place: RecordPlace
    ) -> RecordOptions:
        """Return the options with the visibility and time that fields of the class give."""
        name = group.visibility
        try:
            if name is not None and (seen_by := given.pop(name, None)) is not None:
                how = replace(how, visibility=label_of(seen_by))
            name = group.timestamp
            if name is not None and (time := given.pop(name, None)) is not None:
                how = replace(how, time=time_of(time))
        except LexigraphError as error:
            raise place.error(name or "", misfit(error)) from None
        return how

    def _id(self, given: Any, kind: ValueType, name: str, place: RecordPlace) -> Any:
        if given is None:
            raise place.error(name, "it is missing", kind="id")
        try:
            found = plain(kind, fitted(kind, given))
            codec_for(kind.codec).encode(found)
            codec_for(self._ids.codec).encode(found)
        except LexigraphError as error:
            raise place.error(name, misfit(error), kind="id") from None
        if kind.codec == "any" and isinstance(found, bool | float):
            raise place.error(name, f"{show(given)} is not an id: give text or a number", kind="id")
        return found

    def _edge_id(self, given: Any, group: Group | None, place: RecordPlace) -> Any:
        kind = group.record.edge_id if group is not None and group.record is not None else None
        if given is None:
            return self._generated("any" if kind is None else kind.codec, EDGE_IDS, place)
        try:
            codec_for("any").encode(given)
            return given if kind is None else fit(kind, given)
        except LexigraphError as error:
            raise place.error("id", misfit(error), kind="id") from None

    def _generated(self, codec: str, kind: str, place: RecordPlace) -> Any:
        """Return a new id: a number, if ids of this codec are numbers, else of a UUID."""
        if codec in _NUMBERS:
            return self._numbers.next(kind)
        made = _GENERATED.get(codec)
        if made is None:
            needed = "only text, UUIDs and whole numbers are generated"
            raise place.error("id", f"it is missing, and {needed}")
        return generate_id() if made is UUID else str(generate_id())


def _of_generated(how: RecordOptions) -> RecordOptions:
    """Refuse an id that is there: somebody gave the number by hand."""
    return how if how.blind else replace(how, new=True, replace=False, generated=True)


_ENDS = ("source", "destination")


def _own_properties(group: Group) -> list[Property]:
    record = group.record
    shape = {*(one.name for one in record.sort_key), *record.signature} if record else set()
    elsewhere = {group.visibility, group.timestamp, *shape}
    return [one for one in group.properties if one.name not in elsewhere]


def found_in(item: Any) -> FoundRecord | None:
    """Return what was read of a record, if an element comes from an answer."""
    held = getattr(item, "__dict__", {}).get(FOUND, item)
    return held if isinstance(held, FoundRecord) else None


def _refuse_widening(item: Any, how: RecordOptions, number: int | None) -> None:
    # Values that it read under a visibility of their own would be stored for everybody.
    if how.visibility is None:
        raise ValidationError(
            f"{show(item)} was read from a graph: its values have visibilities of their own",
            element=item if number is None else number,
            reason="it was read from a graph",
            hint="Change it by its id: graph.vertex(id).set(...); or say visibility=... for all "
            "that it holds.",
        )


def class_edge_id(item: ClassElement) -> Any:
    """Return the id that an edge of a class says; ``None`` if it says none."""
    fields = type(item)._fields.items()
    return next((item.__dict__[at] for at, one in fields if one.role == EDGE_ID), None)
