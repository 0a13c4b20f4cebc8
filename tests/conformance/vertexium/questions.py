"""The questions of the scenarios, asked of any driver. Answers are in canonical form.

What is not asked is in ``left_out.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.conformance.vertexium.driver import EDGE, VERTEX, Driver, Reader, Step
from tests.conformance.vertexium.given import read_hints
from tests.conformance.vertexium.loaded import Element, Reference, Refused, Value, ordered


class Questions:
    """Asks one driver."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def answer(self, step: Step) -> Any:
        """Return the answer to a question; raise Refused if there is none."""
        name = re.sub("[A-Z]", lambda found: "_" + found[0].lower(), step["ask"])
        return getattr(self, f"_{name}")(step)

    def _all(self, kind: str, step: Step, ids: Any = None) -> list[Element]:
        reader = Reader(
            tuple(step["auths"]), read_hints(step.get("fetchHints")), step.get("endTime")
        )
        return self._driver.load(kind, step.get("ids") if ids is None else ids, reader)

    def _one(self, kind: str, step: Step, hints: Any = None) -> Element:
        reader = Reader(tuple(step["auths"]), read_hints(hints), step.get("endTime"))
        found = self._driver.load(kind, [step["id"]], reader)
        if not found:
            raise Refused("not found")
        return found[0]

    # Elements

    def _get_vertex(self, step: Step) -> Any:
        return self._get(VERTEX, step)

    def _get_edge(self, step: Step) -> Any:
        return self._get(EDGE, step)

    def _get(self, kind: str, step: Step) -> Any:
        found = self._all(kind, step, [step["id"]]) if step["id"] is not None else []
        return found[0].shown() if found else None

    def _get_vertices(self, step: Step) -> Any:
        return [one.shown() for one in self._all(VERTEX, step)]

    def _get_edges(self, step: Step) -> Any:
        return [one.shown() for one in self._all(EDGE, step)]

    def _get_vertex_ids(self, step: Step) -> Any:
        return ordered(one.id for one in self._all(VERTEX, step))

    def _get_edge_ids(self, step: Step) -> Any:
        return ordered(one.id for one in self._all(EDGE, step))

    def _get_vertices_in_order(self, step: Step) -> Any:
        found = {one.id for one in self._all(VERTEX, step)}
        return [one for one in dict.fromkeys(step["ids"]) if one in found]

    def _do_vertices_exist(self, step: Step) -> Any:
        found = {one.id for one in self._all(VERTEX, step)}
        return {one: one in found for one in step["ids"]}

    def _do_edges_exist(self, step: Step) -> Any:
        found = {one.id for one in self._all(EDGE, step)}
        return {one: one in found for one in step["ids"]}

    def _get_vertices_with_prefix(self, step: Step) -> Any:
        return self._ids(VERTEX, step, lambda id_: id_.startswith(step["prefix"].encode()))

    def _get_vertices_in_range(self, step: Step) -> Any:
        return self._ids(VERTEX, step, _within(step))

    def _get_edges_in_range(self, step: Step) -> Any:
        return self._ids(EDGE, step, _within(step))

    def _ids(self, kind: str, step: Step, within: Callable[[bytes], bool]) -> Any:
        return ordered(one.id for one in self._all(kind, step) if within(one.id.encode()))

    # Edges of a vertex

    def _references(self, step: Step, labels: list[str] | None) -> list[Reference]:
        vertex = self._one(VERTEX, step, step.get("loadFetchHints"))
        found = vertex.references(step.get("direction", "BOTH"), labels)
        return [one for one in found if step.get("other") in (None, one.other)]

    def _chosen(self, step: Step) -> list[Reference]:
        # No labels are all labels, except where whole references or pairs are asked for.
        return self._references(step, step.get("labels") or None)

    def _vertex_edge_ids(self, step: Step) -> Any:
        return ordered(one.edge for one in self._chosen(step))

    def _vertex_edge_infos(self, step: Step) -> Any:
        return ordered(one.shown() for one in self._references(step, step.get("labels")))

    def _vertex_vertex_ids(self, step: Step) -> Any:
        return ordered(one.other for one in self._chosen(step))

    def _vertex_edges(self, step: Step) -> Any:
        ids = {one.edge for one in self._chosen(step)}
        return ordered(one.id for one in self._all(EDGE, step, ids))

    def _vertex_vertices(self, step: Step) -> Any:
        ids = {one.other for one in self._chosen(step)}
        return ordered(one.id for one in self._all(VERTEX, step, ids))

    def _edge_vertex_pairs(self, step: Step) -> Any:
        seen, pairs = self._pairs(step)
        return ordered(pair for pair in pairs if pair[1] in seen)

    def _pairs(self, step: Step) -> tuple[set[str], list[list[str]]]:
        """Return the neighbours that are seen, and each edge with its neighbour."""
        ids = {one.edge for one in self._references(step, step.get("labels"))}
        pairs = []
        for edge in self._all(EDGE, step, ids):
            _, out, in_ = edge.shape or ("", "", "")
            pairs.append([edge.id, in_ if out == step["id"] else out])
        return {one.id for one in self._all(VERTEX, step, {end for _, end in pairs})}, pairs

    def _edges_summary(self, step: Step) -> Any:
        return self._one(VERTEX, step, step.get("loadFetchHints")).summary()

    def _edge_vertices(self, step: Step) -> Any:
        _, out, in_ = self._one(EDGE, step).shape or ("", "", "")
        seen = {one.id for one in self._all(VERTEX, step, {out, in_})}
        ends = {"out": out, "in": in_}
        shown = {name: end if end in seen else None for name, end in ends.items()}
        return {**shown, "otherOfOut": in_}

    def _edge_other_vertex_id(self, step: Step) -> Any:
        _, *ends = self._one(EDGE, step).shape or ("", "", "")
        if step["vertexId"] not in ends:
            raise Refused("no such end")
        return ends[1 - ends.index(step["vertexId"])]

    # Paths and sets

    def _find_paths(self, step: Step) -> Any:
        if step["maxHops"] < 1:
            raise Refused("too few hops")
        found = self._driver.paths((step["source"], step["dest"]), step["maxHops"], step)
        # Which one is found is not promised if any one will do.
        return {"count": min(len(found), 1)} if step.get("anyPath") else ordered(found)

    def _find_related_edge_ids(self, step: Step) -> Any:
        return ordered(one for one, *_ in self._related(step))

    def _find_related_edge_summary(self, step: Step) -> Any:
        return ordered(list(one) for one in self._related(step))

    def _related(self, step: Step) -> list[tuple[str, str, str, str]]:
        reader = Reader(tuple(step["auths"]), read_hints(None), step.get("endTime"))
        return self._driver.related(step["ids"], reader)

    def _filter_vertex_ids_by_authorization(self, step: Step) -> Any:
        return ordered(self._driver.guarded(VERTEX, step["ids"], step))

    def _filter_edge_ids_by_authorization(self, step: Step) -> Any:
        return ordered(self._driver.guarded(EDGE, step["ids"], step))

    # The graph itself

    def _get_metadata(self, step: Step) -> Any:
        return self._driver.metadata(step).get(step["key"])

    def _get_metadata_with_prefix(self, step: Step) -> Any:
        held = self._driver.metadata(step).items()
        return {key: value for key, value in held if key.startswith(step["prefix"])}

    # Properties

    def _element(self, step: Step, hints: Any = None) -> Element:
        return self._one(step.get("element", VERTEX), step, hints or step.get("fetchHints"))

    def _properties(self, step: Step) -> Any:
        found = self._element(step).properties(step.get("name"), step.get("key"))
        return [one.shown() for one in found]

    def _matching(self, step: Step) -> list[Value]:
        visibility = step.get("propertyVisibility")
        # Without a key, a property that is named with its visibility has the empty one.
        key = step.get("key", None if visibility is None else "")
        found = self._element(step).properties(step["name"], key)
        return [one for one in found if visibility in (None, one.visibility)]

    def _property(self, step: Step) -> Any:
        found = self._matching(step)
        return found[0].shown() if found else None

    def _property_value(self, step: Step) -> Any:
        found, index = self._matching(step), step.get("index", 0)
        return found[index].value if 0 <= index < len(found) else None

    def _property_values(self, step: Step) -> Any:
        return [one.value for one in self._matching(step)]

    def _metadata(self, step: Step) -> Any:
        found = self._matching(step)
        if not found:
            raise Refused("no property")
        hints = read_hints(step.get("fetchHints")).metadata
        key = step.get("metadataKey")
        if not hints or (key and hints is not True and key not in hints):
            raise Refused("not fetched")
        entries = [
            one
            for one in found[0].metadata or ()
            if key in (None, one.key) and step.get("metadataVisibility") in (None, one.visibility)
        ]
        entries.sort(key=lambda one: (one.key, one.visibility))
        if step.get("all"):
            return [_text(one.value) for one in entries]
        if key is None:
            return [one.shown() for one in entries]
        if len(entries) > 1:
            raise Refused("several entries")
        return entries[0].shown() if entries else None

    # Hiding and history

    def _is_hidden(self, step: Step) -> Any:
        element = self._element(step, "ALL_INCLUDING_HIDDEN")
        hides = element.hides
        if "name" in step:
            named = (step["name"], step["key"], step["propertyVisibility"])
            found = [one for one in element.values if (one.name, one.key, one.visibility) == named]
            if not found:
                raise Refused("no property")
            hides = found[0].hides
        return {"hidden": bool(hides), "hiddenVisibilities": sorted(hides)}

    def _historical_property_values(self, step: Step) -> Any:
        self._one(VERTEX, {**step, "endTime": None})
        reader = Reader(tuple(step["auths"]), read_hints(None), step.get("endTime"))
        found = self._driver.past_values(step["id"], reader, step.get("startTime"))
        wanted = [("name", "name"), ("key", "key"), ("visibility", "propertyVisibility")]
        return [
            one
            for one in found
            if all(name not in step or one[field] == step[name] for field, name in wanted)
        ]

    def _historical_events(self, step: Step) -> Any:
        reader = Reader(tuple(step["auths"]), read_hints(None), step.get("endTime"))
        return self._driver.events(step["ids"], reader, step.get("startTime"))


def _within(step: Step) -> Callable[[bytes], bool]:
    start, end = ((step.get(name) or "").encode() for name in ("start", "end"))
    if end and start > end:
        raise Refused("no range")
    return lambda id_: start <= id_ and (not end or id_ < end)


def _text(value: Any) -> Any:
    return next(iter(value.values())) if isinstance(value, dict) else value
