"""The history of an element in the model of Vertexium."""

from __future__ import annotations

from typing import Any

from lexigraph.security import Authorizations
from tests.conformance.vertexium.driver import VERTEX, Reader
from tests.conformance.vertexium.given import read_value, show_value
from tests.conformance.vertexium.loaded import Entry
from tests.conformance.vertexium.model.cells import ModelCell, ModelTable
from tests.conformance.vertexium.model.read import is_undone


class ModelHistory:
    """Reads all versions; ``fixed`` are the quirks it does not have."""

    def __init__(self, tables: dict[str, ModelTable], fixed: frozenset[str]) -> None:
        self._tables, self._fixed = tables, fixed

    def past_values(self, id_: str, reader: Reader, start: int | None) -> list[dict[str, Any]]:
        """Return the values that a vertex has had, in canonical form."""
        auths = Authorizations(reader.auths)
        cells = self._tables[VERTEX].history(id_, auths, reader.end)
        if "history of equal times" not in self._fixed:
            first: dict[Any, ModelCell] = {}
            for one in sorted(cells, key=lambda cell: cell.order):
                first.setdefault((one.place, one.time), one)
            cells = list(first.values())
        values = [one for one in cells if one.place.family == "PROP"]
        found = [self._value(one, cells, deleted=None) for one in values]
        for one in cells:
            if one.place.family == "PROPD":
                found += self._deletion(one, values, cells)
        return [one for one in found if start is None or one["timestamp"] >= start]

    def _deletion(
        self, one: ModelCell, values: list[ModelCell], cells: list[ModelCell]
    ) -> list[dict[str, Any]]:
        place = one.place._replace(family="PROP")
        before = [value for value in values if value.place == place and value.time <= one.time]
        if not before:
            return []
        last = max(before, key=lambda value: (value.time, value.order))
        return [self._value(last, cells, deleted=one.time)]

    def _value(
        self, one: ModelCell, cells: list[ModelCell], *, deleted: int | None
    ) -> dict[str, Any]:
        (name, key), visibility = one.place.qualifier, one.place.visibility
        shown: dict[str, Any] = {
            "name": name,
            "key": key,
            "visibility": visibility,
            "timestamp": one.time if deleted is None else deleted,
            "value": show_value(read_value(one.value)),
            "deleted": deleted is not None,
        }
        metadata = self.metadata(one, cells)
        if metadata and (deleted is None or "deletions have metadata" not in self._fixed):
            shown["metadata"] = metadata
        return shown

    def metadata(self, value: ModelCell, cells: list[ModelCell]) -> list[dict[str, Any]]:
        """Return the metadata of a version of a value, in canonical form."""
        named = (*value.place.qualifier, value.place.visibility)
        found: dict[tuple[str, str], ModelCell] = {}
        for one in cells:
            if one.place.family != "PROPMETA":
                continue
            *of, entry, time = one.place.qualifier
            held = found.get((entry, one.place.visibility))
            joined = "joined names" not in self._fixed and "".join(of) == "".join(named)
            if not (joined or tuple(of) == named) or int(time) != value.time:
                continue
            if "old metadata" in self._fixed and one.order < value.order:
                continue
            if held is None or (held.time, held.order) < (one.time, one.order):
                found[entry, one.place.visibility] = one
        entries = [
            Entry(entry, visibility, show_value(read_value(one.value))).shown()
            for (entry, visibility), one in found.items()
            if not is_undone(one)
        ]
        return sorted(entries, key=lambda one: (one["key"], one["visibility"]))
