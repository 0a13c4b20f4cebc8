"""Paths, related edges and words of visibilities in the model of Vertexium, quirk by quirk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from lexigraph.security import Authorizations, Visibility
from tests.conformance.vertexium.driver import VERTEX, Reader, Step
from tests.conformance.vertexium.given import read_hints
from tests.conformance.vertexium.loaded import Element
from tests.conformance.vertexium.model.cells import ModelCell, ModelTable
from tests.conformance.vertexium.model.read import ModelReader

_FAMILIES = {
    "ELEMENT": ("V", "E"),
    "PROPERTY": ("PROP",),
    "PROPERTY_METADATA": ("PROPMETA",),
}
"""Where Vertexium looks for the visibilities of the parts of elements."""
_ENDED = ("EOUTD", "EOUTH")
_JOINTS = re.compile(r"[^A-Za-z0-9_.-]")
"""What stands between the words of a visibility."""


class ModelPaths:
    """Answers questions that look at many rows at once."""

    def __init__(
        self, tables: dict[str, ModelTable], rows: ModelReader, fixed: frozenset[str]
    ) -> None:
        self._tables, self._rows, self._fixed = tables, rows, fixed

    def paths(self, ends: tuple[str, str], hops: int, step: Step) -> list[list[str]]:
        """Return the paths over vertices that are seen, along edges in either direction."""
        reader = Reader(tuple(step["auths"]), read_hints("EDGE_REFS"))
        labels, excluded = step.get("labels") or None, step.get("excludedLabels") or ()
        source, destination = ends

        @cache
        def seen(id_: str) -> Element | None:
            return self._rows.read(VERTEX, id_, reader)

        @cache
        def neighbours(id_: str) -> frozenset[str]:
            vertex = seen(id_)
            held = vertex.references("BOTH", labels) if vertex else ()
            ends = {one.other for one in held if one.label not in excluded}
            return frozenset(one for one in ends if seen(one))

        def extend(path: list[str]) -> Iterator[list[str]]:
            for other in sorted(neighbours(path[-1]) - set(path)):
                if other == destination:
                    yield [*path, other]
                elif len(path) < hops:
                    yield from extend([*path, other])

        if "loops in paths" in self._fixed or (hops > 2 and source != destination):
            return list(extend([source]))
        if hops > 2:
            return [[source]]
        between = neighbours(source) & neighbours(destination) if hops == 2 else ()
        direct = [[*ends]] if destination in neighbours(source) else []
        return direct + [[source, one, destination] for one in between]

    # Edges within a set

    def related(self, ids: set[str], reader: Reader) -> list[tuple[str, str, str, str]]:
        """Return the edges within a set: id, label, source, destination."""
        if "related edges of rows" in self._fixed:
            return [
                (one.edge, one.label, id_, one.other)
                for id_ in ids
                for one in self._rows.references(id_, reader)
                if one.direction == "OUT" and one.other in ids
            ]
        ended: dict[str, int] = {}
        for _, one in self._cells(ids, reader):
            if one.place.family in _ENDED:
                edge = one.place.qualifier[0]
                ended[edge] = max(one.time, ended.get(edge, 0))
        listed = list(self._listed(ids, reader))
        # One reference that is newer than the marks keeps them all.
        kept = {
            one.place.qualifier[0]
            for _, one in listed
            if one.time > ended.get(one.place.qualifier[0], 0)
        }
        found = ((one.place.qualifier[0], id_, *one.value) for id_, one in listed)
        return [(edge, label, id_, end) for edge, id_, label, end in found if edge in kept]

    def related_ids(self, ids: set[str], reader: Reader) -> list[str]:
        """Return the ids of the edges within a set."""
        if "related edges of rows" in self._fixed:
            return [edge for edge, *_ in self.related(ids, reader)]
        return [one.place.qualifier[0] for _, one in self._listed(ids, reader)]

    def _listed(self, ids: set[str], reader: Reader) -> Iterator[tuple[str, ModelCell]]:
        """Yield the cells that say that an edge leads from one of these vertices to another."""
        for id_, one in self._cells(ids, reader):
            if one.place.family == "EOUT" and one.value[1] in ids:
                yield id_, one

    def _cells(self, ids: set[str], reader: Reader) -> Iterator[tuple[str, ModelCell]]:
        auths = Authorizations(reader.auths)
        for id_ in ids:
            for one in self._tables[VERTEX].newest(id_, auths, reader.end):
                yield id_, one

    # Words of visibilities

    def guarded(self, kind: str, ids: Iterable[str], step: Step) -> list[str]:
        """Return the elements of which some part has a visibility with a word in it."""
        parts, read = set(step.get("filter") or _FAMILIES), self._visibilities
        if "guards of what was" not in self._fixed:
            read = self._written
        word: str = step["authorization"]
        return [
            id_
            for id_ in sorted(set(ids))
            if any(self._names(text, word) for text in read(kind, id_, step, parts))
        ]

    def _names(self, visibility: str, word: str) -> bool:
        if "words of visibilities" in self._fixed:
            return word.encode() in Visibility(visibility).tokens
        return bool(visibility) and (not word or word in _JOINTS.split(visibility))

    def _written(self, kind: str, id_: str, step: Step, parts: set[str]) -> Iterator[str]:
        families = {family for part in parts for family in _FAMILIES[part]}
        for one in self._tables[kind].newest(id_, Authorizations(step["auths"]), None):
            if one.place.family in families:
                yield one.place.visibility

    def _visibilities(self, kind: str, id_: str, step: Step, parts: set[str]) -> Iterator[str]:
        one = self._rows.read(kind, id_, Reader(tuple(step["auths"]), read_hints(None)))
        if one is not None and "ELEMENT" in parts:
            yield one.visibility
        for value in one.values if one is not None else ():
            if "PROPERTY" in parts:
                yield value.visibility
            if "PROPERTY_METADATA" in parts:
                yield from (entry.visibility for entry in value.metadata or ())
