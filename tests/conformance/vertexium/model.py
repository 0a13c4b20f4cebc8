"""A small model of Vertexium on Accumulo, with its quirks, each of which can be fixed.

It explains where Vertexium's answers differ from ours: an answer that the model gives with a quirk
and not without it is due to this quirk. The quirks and their reasons are in ``deviations.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any

from lexigraph.security import Authorizations, Visibility
from tests.conformance.vertexium.answers import normal_visibility
from tests.conformance.vertexium.driver import EDGE, VERTEX, Reader, Step
from tests.conformance.vertexium.given import Ticks, read_hints, read_value
from tests.conformance.vertexium.loaded import Element, Refused, Value, ordered
from tests.conformance.vertexium.model_cells import ModelCell, ModelTable, Place, can_see
from tests.conformance.vertexium.model_events import VertexiumEvents
from tests.conformance.vertexium.model_fact_events import FactEvents
from tests.conformance.vertexium.model_history import ModelHistory
from tests.conformance.vertexium.model_read import SHOWN, ModelReader, is_undone
from tests.conformance.vertexium.questions import Questions

_FACTS = ("V", "E", "D", "EOUT", "EIN", "PROP", "PROPD", "PROPMETA")
_SIDES = (("EOUT", 1, 2), ("EIN", 2, 1))
"""Family of a reference, and where the shape has its vertex and the other one."""


class VertexiumModel:
    """Does steps and loads elements as Vertexium does, except for the quirks that are fixed."""

    def __init__(self, config: dict[str, Any], fixed: Iterable[str] = ()) -> None:
        self._fixed = frozenset(fixed)
        one = config.get("maxVersions") == 1 and "one version" not in self._fixed
        self._tables = {kind: ModelTable(keeps_one=one) for kind in (VERTEX, EDGE)}
        self._reader = ModelReader(self._tables, self._fixed)
        self._ticks = Ticks(0)
        self._auths: tuple[str, ...] = ()
        self._said: set[tuple[str, ...]] = set()
        """The values that the step has set."""

    def copied(self) -> VertexiumModel:
        """Return a copy, to try something."""
        other = copy(self)
        other._tables = {kind: table.copied() for kind, table in self._tables.items()}
        other._reader = ModelReader(other._tables, self._fixed)
        return other

    def load(self, kind: str, ids: Iterable[str] | None, reader: Reader) -> list[Element]:
        """Return elements by id."""
        asked = self._tables[kind].rows if ids is None else set(ids)
        found = (self._reader.read(kind, id_, reader) for id_ in sorted(asked))
        return [one for one in found if one is not None]

    def past_values(self, id_: str, reader: Reader, start: int | None) -> list[dict[str, Any]]:
        """Return the values that a vertex has had."""
        return ModelHistory(self._tables, self._fixed).past_values(id_, reader, start)

    def events(
        self, ids: list[list[str]], reader: Reader, start: int | None
    ) -> list[dict[str, Any]]:
        """Return what happened to elements."""
        auths, found = Authorizations(reader.auths), []
        for kind, id_ in ids:
            if "events of cells" in self._fixed:
                found += FactEvents(self._tables, self._fixed, auths).events(kind, id_)
            else:
                cells = self._tables[kind].history(id_, auths, None)
                found += VertexiumEvents(kind, id_).events(cells)
        return [
            one
            for one in found
            if (start or 0) <= one["timestamp"]
            and (reader.end is None or one["timestamp"] <= reader.end)
        ]

    def change(self, number: int, step: Step) -> None:
        """Do a step that Vertexium does not refuse, or the part before it does."""
        self._ticks, self._auths = Ticks(number), tuple(step["auths"])
        self._said = set()
        what = step["do"]
        if what in ("addVertex", "addEdge"):
            self._build(step)
        elif what == "saveElementMutations":
            for built in step["builders"]:
                self._build(built)
        elif what == "mutate":
            self._mutate(step)
        elif "Propert" in what and what != "defineProperty":
            self._property_change(what, step)
        elif what[:4] in ("mark", "soft", "dele") and "Extended" not in what:
            self._element_change(what, step)

    # Building

    def _build(self, built: Step) -> None:
        id_, cv = built["id"], self._vis(built["visibility"])
        edge = "out" in built
        if edge and None in (built["out"], built["in"], built["label"]):
            raise Refused("incomplete")
        time = self._ticks.tick(built.get("timestamp"))
        if edge:
            self._ticks.tick()
            shape = (built["label"], built["out"], built["in"])
            for op in built.get("ops") or ():
                if op["op"] == "alterEdgeLabel":
                    shape = (op["label"], *shape[1:])
            self._say_edge(id_, shape, cv, time)
        else:
            self._put(VERTEX, id_, ("V", (), cv), time)
        for op in built.get("ops") or ():
            self._operate(EDGE if edge else VERTEX, id_, op, None)

    def _say_edge(self, id_: str, shape: tuple[str, str, str], cv: str, time: int) -> None:
        self._put(EDGE, id_, ("E", (shape[0],), cv), time)
        self._put(EDGE, id_, ("EOUT", (shape[1],), cv), time)
        self._put(EDGE, id_, ("EIN", (shape[2],), cv), time)
        self._refer(id_, shape, cv, time)

    def _refer(self, id_: str, shape: tuple[str, str, str], cv: str, time: int) -> None:
        dated = time if "server dates references" in self._fixed else self._ticks.server
        for family, own, other in _SIDES:
            self._put(VERTEX, shape[own], (family, (id_,), cv), dated, (shape[0], shape[other]))

    def _put(
        self,
        kind: str,
        row: str,
        place: tuple[str, tuple[str, ...], str],
        time: int,
        value: Any = None,
        *,
        deleted: bool = False,
    ) -> None:
        shows = isinstance(value, tuple) and value[0] == SHOWN and place[0] in ("H", "PROPH")
        if shows and "shows of nothing" in self._fixed:
            held = {one.place: one for one in self._tables[kind].left(row)}.get(Place(*place))
            if held is None or is_undone(held):
                return
        self._tables[kind].put(row, Place(*place), time, value, deleted=deleted)

    # Existing elements

    def _loaded(self, kind: str, id_: str, hints: Any) -> Element:
        found = self.load(kind, [id_], Reader(self._auths, read_hints(hints)))
        if not found:
            raise Refused("not found")
        return found[0]

    def _mutate(self, step: Step) -> None:
        kind, id_ = step["element"], step["id"]
        element = self._loaded(kind, id_, step.get("fetchHints"))
        last = []
        ops = sorted(step["ops"], key=lambda one: one["op"] != "setPropertyMetadata")
        if "last value of a mutation" not in self._fixed:
            ops = [one for place, one in enumerate(ops) if not _replaced(one, ops[place + 1 :])]
        for op in ops:
            if op["op"] != "setPropertyMetadata":
                # What follows sees the metadata that the same mutation set.
                element = self._loaded(kind, id_, step.get("fetchHints"))
                break
            self._operate(kind, id_, op, element)
        for op in ops:
            if op["op"] == "setPropertyMetadata":
                continue
            if op["op"] in ("alterElementVisibility", "alterEdgeLabel"):
                last.append(op)
                if op["op"] == "alterEdgeLabel":
                    self._ticks.tick()
            else:
                self._operate(kind, id_, op, element)
        for op in sorted(last, key=lambda one: one["op"], reverse=True):
            if op["op"] == "alterEdgeLabel":
                self._relabel(element, op)
            elif self._vis(op["visibility"]) != element.visibility:
                self._move(kind, element, op)
                element = self._moved(element, self._vis(op["visibility"]))

    def _vis(self, text: str | None) -> str:
        if text is None:
            raise Refused("incomplete")
        if not Visibility.is_valid(text):
            raise Refused("bad visibility")
        return normal_visibility(text) if "raw visibilities" in self._fixed else text

    @staticmethod
    def _moved(element: Element, visibility: str) -> Element:
        return Element(element.id, visibility, element.time, element.hints, element.shape)

    def _relabel(self, element: Element, op: Step) -> None:
        shape = element.shape or ("", "", "")
        time = self._ticks.tick()
        if op["label"] == shape[0] and "same label" in self._fixed:
            return
        self._put(EDGE, element.id, ("E", (op["label"],), element.visibility), time)
        self._refer(element.id, (op["label"], *shape[1:]), element.visibility, time)

    def _move(self, kind: str, element: Element, op: Step) -> None:
        old, new = element.visibility, self._vis(op["visibility"])
        data = op.get("eventData")
        ended, time = self._ticks.tick(), self._ticks.tick()
        at_once = "one existence" in self._fixed
        if at_once:
            ended = time
        if element.shape is None:
            self._put(kind, element.id, ("V", (), old), ended, (SHOWN, data))
            self._put(kind, element.id, ("V", (), new), time, data)
            return
        shape, server = element.shape, self._ticks.server
        self._put(kind, element.id, ("E", (shape[0],), old), ended, (SHOWN, data))
        self._put(kind, element.id, ("E", (shape[0],), new), time, data)
        for family, own, other in _SIDES:
            end = shape[own]
            gone, back = self._ticks.tick(), self._ticks.tick()
            if at_once:
                back = time
            if end is None:
                continue
            if "moves delete ends" not in self._fixed:
                self._put(kind, element.id, (family, (end,), old), gone, deleted=True)
            self._put(kind, element.id, (family, (end,), new), back)
            self._put(VERTEX, end, (family, (element.id,), old), server, deleted=True)
            value = (shape[0], shape[other])
            self._put(VERTEX, end, (family, (element.id,), new), server, value)

    def _operate(self, kind: str, id_: str, op: Step, element: Element | None) -> None:
        what = op["op"]
        if what in ("addPropertyValue", "setProperty"):
            self._set(kind, id_, op)
        elif what in ("deleteProperty", "softDeleteProperty"):
            self._end(kind, id_, op, element, hard=what == "deleteProperty")
        elif what in ("deleteProperties", "softDeleteProperties") and element is not None:
            for one in element.properties(op.get("name"), op.get("key")):
                named = {"name": one.name, "key": one.key, "visibility": one.visibility}
                self._end(kind, id_, named, element, hard=what == "deleteProperties")
        elif what == "setPropertyMetadata" and element is not None:
            self._set_metadata(kind, id_, op, self._found(element, op))
        elif what == "alterPropertyVisibility" and element is not None:
            self._move_value(kind, id_, op, self._found(element, op))

    def _set(self, kind: str, id_: str, op: Step) -> None:
        if None in (op.get("key", ""), op["name"], read_value(op["value"])):
            raise Refused("incomplete")
        time, cv = self._ticks.tick(op.get("timestamp")), self._vis(op["visibility"])
        named = (op["name"], op.get("key", ""))
        self._put(kind, id_, ("PROP", named, cv), time, op["value"])
        self._said.add((*named, cv))
        for one in op.get("metadata", ()):
            visibility = self._vis(one["visibility"])
            place = ("PROPMETA", (*named, cv, one["key"], str(time)), visibility)
            self._put(kind, id_, place, time, one["value"])

    def _end(self, kind: str, id_: str, op: Step, element: Element | None, *, hard: bool) -> None:
        cv, named = self._vis(op["visibility"]), (op["name"], op["key"])
        held = [one for one in _held(element, *named) if one.visibility == cv]
        unseen = element is not None and not held
        if unseen and "mutations see what was" not in self._fixed:
            return
        time = self._ticks.tick()
        if unseen and (*named, cv) not in self._said:
            return
        if not hard:
            self._put(kind, id_, ("PROPD", named, cv), time, op.get("eventData"))
            return
        self._put(kind, id_, ("PROP", named, cv), time, deleted=True)
        if "deletes for all" in self._fixed:
            self._put(kind, id_, ("PROPD", named, cv), time, deleted=True)
        for value in held:
            for one in value.metadata or ():
                place = ("PROPMETA", (*named, cv, one.key, str(value.time)), one.visibility)
                self._put(kind, id_, place, self._ticks.tick(), deleted=True)

    def _set_metadata(self, kind: str, id_: str, op: Step, value: Value) -> None:
        named = (value.name, value.key, value.visibility, op["metadataKey"], str(value.time))
        place = ("PROPMETA", named, self._vis(op["visibility"]))
        gone = op["value"] is None or op["value"] == {"null": 1}
        if "metadata has no time" not in self._fixed:
            self._put(kind, id_, place, value.time, op["value"], deleted=gone)
        else:
            time = max(self._ticks.start, value.time)
            self._put(kind, id_, place, time, (SHOWN,) if gone else op["value"])

    def _move_value(self, kind: str, id_: str, op: Step, value: Value) -> None:
        time, to = self._ticks.tick(), self._vis(op["visibility"])
        self._ticks.tick()
        if to == value.visibility:
            return
        named = (value.name, value.key)
        before = 0 if "gap of a moved value" in self._fixed else 1
        data = op.get("eventData")
        self._put(kind, id_, ("PROPD", named, value.visibility), time - before, data)
        self._put(kind, id_, ("PROP", named, to), time, _Shown(value.value, data))
        for one in value.metadata or ():
            place = ("PROPMETA", (*named, to, one.key, str(time)), one.visibility)
            self._put(kind, id_, place, time, _Shown(one.value))

    def _found(self, element: Element, op: Step) -> Value:
        visibility = op.get("propertyVisibility")
        for one in element.properties(op["name"], op["key"]):
            if visibility is None or self._vis(visibility) == one.visibility:
                return one
        raise Refused("no property")

    def _property_change(self, what: str, step: Step) -> None:
        kind, id_ = step.get("element", VERTEX), step["id"]
        shows = what == "markPropertyVisible"
        hints = step.get("fetchHints") or ("ALL_INCLUDING_HIDDEN" if shows else "ALL")
        element = self._loaded(kind, id_, hints)
        if not what.startswith("mark"):
            self._operate(kind, id_, {**step, "op": what}, element)
            return
        value = self._found(element, step)
        place = (value.name, value.key, value.visibility)
        time = self._ticks.tick(step.get("timestamp"))
        visibility = self._vis(step["visibility"])
        data = step.get("eventData")
        self._put(kind, id_, ("PROPH", place, visibility), time, (SHOWN, data) if shows else data)

    # Hides and deletes

    def _element_change(self, what: str, step: Step) -> None:
        shows = what.endswith("Visible")
        kind = EDGE if "Edge" in what else VERTEX
        hints = step.get("fetchHints") or ("ALL_INCLUDING_HIDDEN" if shows else "ALL")
        element = self._loaded(kind, step["id"], hints)
        time = self._ticks.tick(step.get("timestamp"))
        cause = element.id if kind == VERTEX and "hides forget their cause" in self._fixed else "H"
        for edge in self._edges(element, hidden=shows) if kind == VERTEX else [element]:
            self._change_edge(what, step, edge, time, cause)
        if kind == EDGE:
            return
        if what.startswith("mark"):
            visibility, data = self._vis(step["visibility"]), step.get("eventData")
            value = (SHOWN, data) if shows else data
            self._put(VERTEX, element.id, ("H", ("H",), visibility), self._ticks.server, value)
        else:
            self._delete(VERTEX, element.id, step, time, hard=what.startswith("delete"))

    def _edges(self, element: Element, *, hidden: bool) -> Iterator[Element]:
        if "cascades skip hidden" in self._fixed and not hidden:
            hidden, element = True, self._loaded(VERTEX, element.id, "ALL_INCLUDING_HIDDEN")
        hints = read_hints("ALL_INCLUDING_HIDDEN" if hidden else "ALL")
        ids = {one.edge for one in element.held}
        yield from self.load(EDGE, ids, Reader(self._auths, hints))

    def _change_edge(self, what: str, step: Step, edge: Element, time: int, cause: str) -> None:
        shape = edge.shape or ("", "", "")
        shows = what.endswith("Visible")
        if not what.startswith("mark"):
            hard = what.startswith("delete")
            for family, own, _ in _SIDES:
                place = (edge.id,)
                if hard:
                    where = (family, place, edge.visibility)
                    self._put(VERTEX, shape[own], where, self._ticks.server, deleted=True)
                else:
                    where = (family + "D", place, edge.visibility)
                    self._put(VERTEX, shape[own], where, time, step.get("eventData"))
            self._delete(EDGE, edge.id, step, time, hard=hard)
            return
        for _, own, _ in _SIDES:
            hints = read_hints("ALL_INCLUDING_HIDDEN" if shows else "ALL")
            ends = self.load(VERTEX, [shape[own]], Reader(self._auths, hints))
            if not ends and "both ends needed" not in self._fixed:
                raise Refused("an end is missing")
        visibility, server = self._vis(step["visibility"]), self._ticks.server
        data = step.get("eventData")
        if what == "markVertexVisible" and "events of cells" not in self._fixed:
            # The edges are shown without it.
            data = None
        value = (SHOWN, data) if shows else data
        self._put(EDGE, edge.id, ("H", (cause,), visibility), server, value)
        for family, own, _ in _SIDES:
            twisted = family == "EIN" and "shown edges" not in self._fixed
            mark = None if twisted else value
            self._put(VERTEX, shape[own], (family + "H", (edge.id,), visibility), server, mark)

    def _delete(self, kind: str, id_: str, step: Step, time: int, *, hard: bool) -> None:
        auths, table = Authorizations(self._auths), self._tables[kind]
        own = "deletes for all" in self._fixed
        if hard:
            if not own:
                table.drop(id_, self._ticks.server)
                return
            table.remove(id_, _FACTS, self._ticks.server, auths)
            if not any(one.place.family in "VE" for one in table.left(id_)):
                # Hides protect what is left for others.
                table.remove(id_, ("H", "PROPH"), self._ticks.server, auths)
            return
        data = step.get("eventData")
        if not own:
            self._put(kind, id_, ("D", ("D",), ""), time, data)
            return
        left = {one.place: one for one in table.left(id_)}
        newest: dict[Place, ModelCell] = {}
        for (family, qualifier, cv), one in left.items():
            if family in ("V", "E", "PROP") and can_see(cv, auths):
                place = (
                    Place("PROPD", qualifier, cv) if family == "PROP" else Place("D", ("D",), cv)
                )
                if place not in newest or newest[place].time < one.time:
                    newest[place] = one
        for place, one in newest.items():
            ended = left.get(place)
            if not is_undone(one) and (ended is None or ended.time < one.time):
                self._put(kind, id_, place, time, data)


def _replaced(op: Step, later: list[Step]) -> bool:
    names = ("op", "name", "key", "visibility")
    return op["op"] == "addPropertyValue" and any(
        all(op.get(name) == one.get(name) for name in names) for one in later
    )


def _held(element: Element | None, name: str, key: str) -> list[Value]:
    if element is None:
        return []
    return [one for one in element.values if (one.name, one.key) == (name, key)]


class _Shown:
    """A value in the form in which it is compared."""

    def __init__(self, shown: Any, data: Any = None) -> None:
        self.shown, self.data = shown, data


class VertexiumQuestions(Questions):
    """Questions as Vertexium answers them, with the quirks of its interface."""

    def __init__(self, model: VertexiumModel, fixed: Iterable[str] = ()) -> None:
        super().__init__(model)
        self._fixed = frozenset(fixed)

    def _get_edge(self, step: Step) -> Any:
        if step["id"] is None and "null edge" not in self._fixed:
            raise Refused("VertexiumException")
        return super()._get_edge(step)

    def _edge_vertex_pairs(self, step: Step) -> Any:
        seen, pairs = self._pairs(step)
        if "pairs need both" not in self._fixed and any(end not in seen for _, end in pairs):
            raise Refused("an end is missing")
        return super()._edge_vertex_pairs(step)

    def _vertex_vertex_ids(self, step: Step) -> Any:
        try:
            return super()._vertex_vertex_ids(step)
        except Refused as error:
            if error.why != "not fetched" or "unfetched is empty" in self._fixed:
                raise
            return self._fetched(step, "other")

    def _vertex_edge_infos(self, step: Step) -> Any:
        try:
            return super()._vertex_edge_infos(step)
        except Refused as error:
            labels = read_hints(step.get("loadFetchHints")).out_edges
            if "unfetched is empty" in self._fixed or not isinstance(labels, frozenset):
                raise
            if error.why != "not fetched":
                raise
            return []

    def _fetched(self, step: Step, what: str) -> Any:
        hints = read_hints(step.get("loadFetchHints"))
        if hints.counts and not (hints.out_edges or hints.in_edges):
            raise Refused("not fetched")
        vertex = self._one(VERTEX, step, step.get("loadFetchHints"))
        return ordered(getattr(one, what) for one in vertex.held)
