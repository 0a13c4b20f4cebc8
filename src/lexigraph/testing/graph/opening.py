"""Opening with less of a schema, and counting: behaviours 26 and 27 of Gaffer's tests.

Layer ``testing``. Files of CSV (also 27) come with the interchange layer and are not asked here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError
from lexigraph.testing.graph.base import (
    Event,
    GraphTests,
    Link,
    MakeGraph,
    Seen,
    Trip,
    link,
    seen,
    shapes,
)


class Opening(GraphTests):
    """Graphs that are opened again, and group counts."""

    def test_a_graph_opened_with_a_part_of_its_schema_works_for_that_part(
        self, make: MakeGraph
    ) -> None:
        """26: reading and adding; what the part leaves out is kept."""
        make(Seen, Link, Event).add([seen("a"), link("a", "b"), Event("a", what="x")])
        part = make(Link)
        assert [one.count for one in part.all(Link)] == [1]
        part.add([link("a", "b")])
        assert part.get("a").edges(Link).to_list() == [link("a", "b", count=2)]
        whole = make(Seen, Link, Event)
        assert shapes(whole.all()) == shapes([seen("a"), link("a", "b"), Event("a", what="x")])

    def test_a_part_brings_its_own_classes_and_the_rest_comes_as_plain_elements(
        self, make: MakeGraph
    ) -> None:
        """26: nothing is hidden by leaving it out: labels hide, schemas do not."""
        make(Seen, Link).add([seen("a"), link("a", "b")])
        part = make(Link)
        assert {type(one) for one in part.all()} == {Link, lg.Element}
        assert set(part.schema.groups) == {"Seen", "Link"}

    def test_a_group_with_fewer_properties_is_read_whole(self, make: MakeGraph) -> None:
        """26: a narrower class adds without the properties that it leaves out."""

        class Wide(lg.Vertex, summary=True, group="wide"):
            id: str
            count: int = lg.sum(default=1)
            longest: int | None = lg.max(default=None)

        class Narrow(lg.Vertex, summary=True, group="wide"):
            id: str
            count: int = lg.sum(default=1)

        make(Wide).add([Wide("a", count=2, longest=7)])
        make(Narrow).add([Narrow("a", count=3)])
        assert make(Wide).all().to_list() == [Wide("a", count=5, longest=7)]
        assert make(Narrow).all().to_list() == [Narrow("a", count=5)]

    def test_a_schema_that_disagrees_is_refused_and_changes_nothing(self, make: MakeGraph) -> None:
        """26: and says where."""

        class Other(lg.Edge, summary=True, group="Link"):
            source: str
            destination: str
            directed: bool
            count: int = lg.max(default=1)

        make(Link).add([link("a", "b")])
        with pytest.raises(SchemaError, match=r"Link\.count"):
            make(Other)
        assert make(Link).all().to_list() == [link("a", "b")]

    def test_groups_are_counted(self, make: MakeGraph) -> None:
        """27: each by itself, all together, and with a limit."""
        graph = make(Seen, Link, Event, Trip)
        graph.add([seen("a"), seen("a", 2), seen("b"), link("a", "b"), link("b", "a")])
        graph.add([Event("a", what="x")] * 3 + [Trip("a", "b", what="x")])
        counts = {"Seen": 3, "Link": 2, "Event": 3, "Trip": 1}
        assert {name: graph.count(name) for name in counts} == counts
        assert Counter(one.group for one in graph.all()) == counts
        assert graph.count() == 9
        for limit in (0, 1, 5, 9, 100):
            limited = graph.all().limit(limit)
            assert len(limited.to_list()) == limited.count() == min(limit, 9)

    def test_elements_may_come_from_a_generator(self, make: MakeGraph) -> None:
        """27: of objects, mappings and elements alike; answers become other objects in turn."""

        def given() -> Iterator[Any]:
            for line in ("a,b", "b,c"):
                source, destination = line.split(",")
                yield Trip(source, destination, what="line")
            yield {"group": "Trip", "source": "c", "destination": "d", "what": "mapping"}

        graph, copy = make(Trip), make(Trip, name="copy")
        assert graph.add(given()).added == 3
        copy.add(graph.all().elements())
        assert shapes(copy.all()) == shapes(graph.all())
        lines = sorted(f"{one.source},{one.destination}" for one in copy.all(Trip))
        assert lines == ["a,b", "b,c", "c,d"]
