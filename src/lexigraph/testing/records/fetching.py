"""What was not fetched cannot be read: behaviour 70 of Vertexium's tests.

Layer ``testing``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError
from lexigraph.testing.records.base import RecordTests

READS: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "property": (lambda one: one["p"], ("labels",)),
    "values": (lambda one: one.values("p"), ("labels",)),
    "metadata": (lambda one: one.values("p")[0].metadata, ("properties",)),
    "labels": (lambda one: one.labels, ("properties",)),
    "edges away": (lambda one: one.out_edges, ("in_edges",)),
    "edges here": (lambda one: one.in_edges, ("out_edges",)),
}
"""What is read, and hints that do not fetch it."""


class RecordFetching(RecordTests):
    """Fetch hints."""

    @pytest.fixture
    def filled(self, graph: lg.Graph) -> lg.Graph:
        """Return a graph with one of each thing that can be fetched."""
        graph.add_vertex("v", "Person", p=lg.value(1, metadata={"m": 1, "n": 2}), q=2)
        for label in ("KNOWS", "LIKES"):
            graph.add_edge("v", label, "w", id=f"to {label}")
            graph.add_edge("w", label, "v", id=f"from {label}")
        return graph

    @pytest.mark.parametrize("what", READS)
    def test_reading_what_was_not_fetched_names_the_hint(self, filled: lg.Graph, what: str) -> None:
        """70: an error, not an empty answer; with the hint it is there."""
        read, other = READS[what]
        with pytest.raises(UsageError, match="not fetched") as refused:
            read(filled.vertex("v").fetch(*other).one())
        assert ".fetch(" in (refused.value.hint or "")
        every = ("properties", "metadata", "labels", "out_edges", "in_edges")
        assert read(filled.vertex("v").fetch(*every).one())

    def test_names_choose_properties_metadata_and_labels(self, filled: lg.Graph) -> None:
        """70: other properties are an error, other metadata and labels are not there."""
        one = filled.vertex("v").fetch(properties=["p"], metadata=["m"], out_edges=["KNOWS"]).one()
        assert one["p"] == 1
        assert one.values("p")[0].metadata == {"m": 1}
        assert [each.id for each in one.out_edges] == ["to KNOWS"]
        with pytest.raises(UsageError, match="'q'"):
            one.values("q")
