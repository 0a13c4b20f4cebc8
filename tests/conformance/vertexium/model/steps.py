"""A small model of Vertexium on Accumulo, with its quirks, each of which can be fixed.

It explains where Vertexium's answers differ from ours: an answer that the model gives with a quirk
and not without it is due to this quirk. The quirks and their reasons are in ``deviations.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

from lexigraph.security import Authorizations
from tests.conformance.vertexium.driver import EDGE, VERTEX, Reader, Step
from tests.conformance.vertexium.given import Ticks, read_hints, read_value
from tests.conformance.vertexium.loaded import Element, Refused
from tests.conformance.vertexium.model.cells import ModelCell, Place, can_see
from tests.conformance.vertexium.model.read import SHOWN, is_undone
from tests.conformance.vertexium.model.values import ModelValues

_FACTS = ("V", "E", "D", "EOUT", "EIN", "PROP", "PROPD", "PROPMETA")
_SIDES = (("EOUT", 1, 2), ("EIN", 2, 1))
"""Family of a reference, and where the shape has its vertex and the other one."""


class VertexiumModel(ModelValues):
    """Does steps and loads elements as Vertexium does, except for the quirks that are fixed."""

    def change(self, number: int, step: Step, *, dry: bool = False) -> None:
        """Do a step, or the part of it before it is refused; if ``dry``, on a copy."""
        if dry:
            self.copied().change(number, step)
            return
        self._ticks, self._auths = Ticks(number), tuple(step["auths"])
        self._said = set()
        for table in self._tables.values():
            table.step = number
        what = step["do"]
        if what in ("addVertex", "addEdge"):
            self._build(step)
        elif what == "saveElementMutations":
            for built in step["builders"]:
                self._build(built)
        elif what == "setMetadata":
            self._graph_metadata[step["key"]] = read_value(step["value"])
        elif what == "mutate":
            self._mutate(step)
        elif "Propert" in what and what != "defineProperty":
            self._property_change(what, step)
        elif what[:4] in ("mark", "soft", "dele") and "Extended" not in what:
            self._element_change(what, step)

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

    @staticmethod
    def _moved(element: Element, visibility: str) -> Element:
        return Element(element.id, visibility, element.time, element.hints, element.shape)

    def _relabel(self, element: Element, op: Step) -> None:
        shape = element.shape or ("", "", "")
        time = self._ticks.tick()
        if op["label"] == shape[0] and "same label" in self._fixed:
            return
        visibilities = {element.visibility}
        if "one existence" in self._fixed:
            visibilities = self._reader.existences(EDGE, element.id, self._auths)
        for visibility in visibilities:
            self._put(EDGE, element.id, ("E", (op["label"],), visibility), time)
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
