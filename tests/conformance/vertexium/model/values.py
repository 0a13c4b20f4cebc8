"""Changes of properties in the model of Vertexium."""

from __future__ import annotations

from typing import Any

from tests.conformance.vertexium.driver import VERTEX, Step
from tests.conformance.vertexium.given import read_value
from tests.conformance.vertexium.loaded import Element, Refused, Value
from tests.conformance.vertexium.model.read import SHOWN
from tests.conformance.vertexium.model.state import ModelState


class ModelValues(ModelState):
    """Sets, ends, moves and hides values, and sets their metadata."""

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


def _held(element: Element | None, name: str, key: str) -> list[Value]:
    if element is None:
        return []
    return [one for one in element.values if (one.name, one.key) == (name, key)]


class _Shown:
    """A value in the form in which it is compared."""

    def __init__(self, shown: Any, data: Any = None) -> None:
        self.shown, self.data = shown, data
