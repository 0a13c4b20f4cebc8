"""The tables of the model of Vertexium: what is written to them and what is read."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, Self

from lexigraph.security import Authorizations, Visibility
from tests.conformance.vertexium.answers import normal_visibility
from tests.conformance.vertexium.driver import EDGE, VERTEX, Reader, Step
from tests.conformance.vertexium.given import Ticks, read_hints, show_value
from tests.conformance.vertexium.loaded import Element, Refused
from tests.conformance.vertexium.model.cells import ModelTable, Place
from tests.conformance.vertexium.model.events import VertexiumEvents
from tests.conformance.vertexium.model.fact_events import FactEvents
from tests.conformance.vertexium.model.history import ModelHistory
from tests.conformance.vertexium.model.paths import ModelPaths
from tests.conformance.vertexium.model.read import SHOWN, ModelReader, is_undone


class ModelState:
    """Tables, clock and caller; ``fixed`` are the quirks it does not have."""

    def __init__(self, config: dict[str, Any], fixed: Iterable[str] = ()) -> None:
        self._fixed = frozenset(fixed)
        one = config.get("maxVersions") == 1 and "one version" not in self._fixed
        self._tables = {kind: ModelTable(keeps_one=one) for kind in (VERTEX, EDGE)}
        self._reader = ModelReader(self._tables, self._fixed)
        self._ticks = Ticks(0)
        self._auths: tuple[str, ...] = ()
        self._said: set[tuple[str, ...]] = set()
        """The values that the step has set."""
        self._graph_metadata: dict[str, Any] = {}

    def copied(self) -> Self:
        """Return a copy, to try something."""
        other = copy(self)
        other._tables = {kind: table.copied() for kind, table in self._tables.items()}
        other._graph_metadata = dict(self._graph_metadata)
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
        auths = Authorizations(reader.auths)
        found: list[dict[str, Any]] = []
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

    def paths(self, ends: tuple[str, str], hops: int, step: Step) -> list[list[str]]:
        """Return the paths between two vertices."""
        return self._many().paths(ends, hops, step)

    def related(self, ids: Iterable[str], reader: Reader) -> list[tuple[str, str, str, str]]:
        """Return the edges between vertices of a set."""
        return self._many().related(set(ids), reader)

    def related_ids(self, ids: Iterable[str], reader: Reader) -> list[str]:
        """Return the ids of the edges between vertices of a set."""
        return self._many().related_ids(set(ids), reader)

    def guarded(self, kind: str, ids: Iterable[str], step: Step) -> list[str]:
        """Return the elements with something that an authorization guards."""
        return self._many().guarded(kind, ids, step)

    def metadata(self, step: Step) -> dict[str, Any]:
        """Return the metadata of the graph; it has no visibilities, so ``step`` says nothing."""
        return {key: show_value(value) for key, value in self._graph_metadata.items()}

    def _many(self) -> ModelPaths:
        return ModelPaths(self._tables, self._reader, self._fixed)

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

    def _loaded(self, kind: str, id_: str, hints: Any) -> Element:
        found = self.load(kind, [id_], Reader(self._auths, read_hints(hints)))
        if not found:
            raise Refused("not found")
        return found[0]

    def _vis(self, text: str | None) -> str:
        if text is None:
            raise Refused("incomplete")
        if not Visibility.is_valid(text):
            raise Refused("bad visibility")
        return normal_visibility(text) if "raw visibilities" in self._fixed else text
