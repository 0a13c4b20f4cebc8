"""The events of an element as ``spec/facts.md`` defines them, made of the cells of the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lexigraph.security import Authorizations
from tests.conformance.vertexium.driver import EDGE, VERTEX
from tests.conformance.vertexium.given import read_value, show_value
from tests.conformance.vertexium.model.cells import ModelCell, ModelTable
from tests.conformance.vertexium.model.history import ModelHistory
from tests.conformance.vertexium.model.read import data_of, is_undone

Event = dict[str, Any]
Shape = tuple[str, Any, Any]
SAID, MOVED, DELETED = "said", "moved", "deleted"
_Version = tuple[int, str, ModelCell, Shape | None]
"""Time, state, cell, shape."""


class FactEvents:
    """One event for each version of each fact that a reader sees."""

    def __init__(
        self, tables: dict[str, ModelTable], fixed: frozenset[str], auths: Authorizations
    ) -> None:
        self._tables, self._auths = tables, auths
        self._history = ModelHistory(tables, fixed)

    def events(self, kind: str, id_: str) -> Iterator[Event]:
        """Yield the events of an element."""
        cells = self._tables[kind].history(id_, self._auths, None)
        yield from self._existences(kind, id_, cells)
        yield from self._values(kind, id_, cells)
        for one in cells:
            mark = "Visible" if is_undone(one) else "Hidden"
            visibility = {"hiddenVisibility": one.place.visibility}
            if one.place.family == "H":
                yield _event(kind, id_, f"Mark{mark}", one, **visibility)
            elif one.place.family == "PROPH":
                named = _named(*one.place.qualifier)
                yield _event(kind, id_, f"MarkProperty{mark}", one, **named, **visibility)
        if kind == VERTEX:
            for edge in self._tables[EDGE].rows:
                yield from self._references(id_, edge)

    def _existences(self, kind: str, id_: str, cells: list[ModelCell]) -> Iterator[Event]:
        columns = _columns(cells)
        name = kind.capitalize()
        listed = [
            (version[0], column, before, *version[1:])
            for column, versions in columns.items()
            for before, version in zip([None, *versions], versions, strict=False)
        ]
        shapes: Shape | None = None
        for time, column, before, state, one, shape in sorted(listed, key=lambda each: each[:2]):
            if shape is not None:
                shapes = shape
            shown = {} if shapes is None else _shown(shapes)
            if state == DELETED:
                yield _event(kind, id_, f"SoftDelete{name}", one, **shown)
            elif state == MOVED:
                if not _others(columns, column, time, SAID):
                    yield _event(kind, id_, f"Delete{name}", one, **shown)
            elif old := _others(columns, column, time, MOVED):
                moved = {"oldVisibility": old[0], "newVisibility": column}
                yield _event(kind, id_, f"Alter{name}Visibility", one, **shown, **moved)
            elif before is not None and before[1] == SAID and before[3] != shape:
                yield _event(kind, id_, "AlterEdgeLabel", one, newEdgeLabel=(shape or ("",))[0])
            else:
                yield _event(kind, id_, f"Add{name}", one, **shown, visibility=column)

    def _references(self, vertex: str, edge: str) -> Iterator[Event]:
        """Yield the events of the references of an edge at a vertex: they follow the edge."""
        columns = _columns(self._tables[EDGE].history(edge, self._auths, None))
        places: dict[tuple[str, str, str], None] = {}
        for versions in columns.values():
            for *_, shape in versions:
                if shape is not None and shape[1] == vertex:
                    places["OUT", shape[0], shape[2]] = None
                if shape is not None and shape[2] == vertex:
                    places["IN", shape[0], shape[1]] = None
        for direction, label, other in places:
            ends = (vertex, other) if direction == "OUT" else (other, vertex)
            own = (label, *ends)
            for column, versions in columns.items():
                first = next((n for n, each in enumerate(versions) if each[3] == own), None)
                for _, state, one, shape in versions[first:] if first is not None else ():
                    name = "AddEdgeToVertex"
                    if state == DELETED or (state == SAID and shape != own):
                        name = "SoftDeleteEdgeToVertex"
                    if state == MOVED:
                        continue
                    yield _event(
                        VERTEX,
                        vertex,
                        name,
                        one,
                        edgeDirection=direction,
                        edgeId=edge,
                        edgeLabel=label,
                        otherVertexId=other,
                        edgeVisibility=column,
                    )

    def _values(self, kind: str, id_: str, cells: list[ModelCell]) -> Iterator[Event]:
        columns: dict[Any, list[ModelCell]] = {}
        for one in cells:
            if one.place.family in ("PROP", "PROPD"):
                place = (*one.place.qualifier, one.place.visibility)
                columns.setdefault(place, []).append(one)
        for place, versions in columns.items():
            versions.sort(key=lambda one: (one.time, one.order))
            for before, one in zip([None, *versions], versions, strict=False):
                if one.place.family == "PROPD":
                    yield _event(kind, id_, "SoftDeleteProperty", one, **_named(*place))
                    continue
                shown = _event(kind, id_, "AddProperty", one, **_named(*place))
                note = getattr(one.value, "data", None)
                shown["data"] = show_value(read_value(note))
                if note is None:
                    del shown["data"]
                shown["value"] = show_value(read_value(one.value))
                if before is not None and before.place.family == "PROP":
                    shown["previousValue"] = show_value(read_value(before.value))
                metadata = self._history.metadata(one, cells)
                if metadata:
                    shown["metadata"] = metadata
                yield shown


def _columns(cells: list[ModelCell]) -> dict[str, list[_Version]]:
    """Return the versions of each existence, oldest first, by visibility."""
    found: dict[str, list[_Version]] = {}
    ends = [one for one in cells if one.place.family in ("EOUT", "EIN")]
    for one in sorted(cells, key=lambda each: (each.time, each.order)):
        visibility = one.place.visibility
        if one.place.family == "D":
            found.setdefault(visibility, []).append((one.time, DELETED, one, None))
        elif one.place.family in ("V", "E"):
            state = MOVED if is_undone(one) else SAID
            shape = None
            if one.place.family == "E" and state == SAID:
                shape = (one.place.qualifier[0], *_ends_at(ends, one))
            found.setdefault(visibility, []).append((one.time, state, one, shape))
    return found


def _ends_at(ends: list[ModelCell], said: ModelCell) -> tuple[Any, Any]:
    found: dict[str, ModelCell] = {}
    for one in sorted(ends, key=lambda each: (each.time, each.order)):
        until = (one.time, one.step) <= (said.time, said.step)
        if one.place.visibility == said.place.visibility and until:
            found[one.place.family] = one
    out, in_ = (found.get(family) for family in ("EOUT", "EIN"))
    return out and out.place.qualifier[0], in_ and in_.place.qualifier[0]


def _others(columns: dict[str, list[_Version]], column: str, time: int, state: str) -> list[str]:
    return [
        other
        for other, versions in columns.items()
        if other != column and any(each[:2] == (time, state) for each in versions)
    ]


def _shown(shape: Shape) -> dict[str, Any]:
    return dict(zip(("edgeLabel", "outVertexId", "inVertexId"), shape, strict=True))


def _named(name: str, key: str, visibility: str) -> dict[str, Any]:
    return {"propertyName": name, "propertyKey": key, "propertyVisibility": visibility}


def _event(kind: str, id_: str, name: str, one: ModelCell, **more: Any) -> Event:
    found = {
        "event": f"Historical{name}Event",
        "elementType": kind.upper(),
        "elementId": id_,
        "timestamp": one.time,
        **more,
    }
    data = data_of(one)
    return found if data is None else {**found, "data": show_value(read_value(data))}
