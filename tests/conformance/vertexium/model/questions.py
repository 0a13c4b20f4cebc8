"""Questions as Vertexium answers them, with the quirks of its interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.conformance.vertexium.driver import VERTEX, Reader, Step
from tests.conformance.vertexium.given import read_hints
from tests.conformance.vertexium.loaded import Refused, ordered
from tests.conformance.vertexium.model.steps import VertexiumModel
from tests.conformance.vertexium.questions import Questions


class VertexiumQuestions(Questions):
    """Questions as Vertexium answers them, with the quirks of its interface."""

    def __init__(self, model: VertexiumModel, fixed: Iterable[str] = ()) -> None:
        super().__init__(model)
        self._model = model
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

    def _find_related_edge_ids(self, step: Step) -> Any:
        reader = Reader(tuple(step["auths"]), read_hints(None), step.get("endTime"))
        return ordered(self._model.related_ids(step["ids"], reader))

    def _fetched(self, step: Step, what: str) -> Any:
        hints = read_hints(step.get("loadFetchHints"))
        if hints.counts and not (hints.out_edges or hints.in_edges):
            raise Refused("not fetched")
        vertex = self._one(VERTEX, step, step.get("loadFetchHints"))
        return ordered(getattr(one, what) for one in vertex.held)
