"""Rules about age: refused at ingest, hidden when their time has come, removed by merges."""

from __future__ import annotations

from collections.abc import Iterator
from time import time_ns

import pytest

import lexigraph as lg
from lexigraph.errors import ValidationError
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import schema_of
from lexigraph.store import Engine, ScanSpec
from tests.unit.graph.stored_graphs import add, held
from tests.unit.layout.engines import ENGINES

DAY_MS = 24 * 3600 * 1000


class Seen(lg.Edge, summary=True, directed=True):
    """Grouped by the midnight of its day, in milliseconds, and gone after a hundred days."""

    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum(default=1)
    rules = {"too old": lg.field("day").age_off(days=100)}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as engine:
        yield engine


def midnight(days_ago: int) -> int:
    today = time_ns() // 1_000_000 // DAY_MS
    return (today - days_ago) * DAY_MS


def test_what_is_too_old_is_refused_and_says_why(engine: Engine) -> None:
    graph = StoredGraph.create(engine, "g", schema_of(Seen))
    with pytest.raises(ValidationError, match="'day': too old"):
        add(graph, Seen("a", "b", day=midnight(101)))
    assert add(graph, Seen("a", "b", day=midnight(99))).added == 1


def test_what_comes_of_age_is_hidden_and_then_removed_for_ever(engine: Engine) -> None:
    graph = StoredGraph.create(engine, "g", schema_of(Seen))
    add(graph, [Seen("a", "b", day=midnight(ago)) for ago in (1, 50, 99)])
    assert len(held(graph)) == 3
    table = graph.tables["elements"]
    later = time_ns() // 1000 + 60 * DAY_MS * 1000
    cells = [cell for batch in engine.scan(table, ScanSpec(now=later)) for cell in batch]
    assert len(cells) == 2
    report = engine.compact(table, now=later)
    assert sum(stage.cells_in - stage.cells_out for stage in report.stages) == 4
    assert len(held(graph)) == 1
    assert engine.stats(table).cells == 2


def test_the_owner_gives_a_merge_its_time(engine: Engine) -> None:
    with lg.open(engine, [Seen], name="timed") as graph:
        graph.add([Seen("a", "b", day=midnight(ago)) for ago in (1, 50, 99)])
        later = time_ns() // 1000 + 60 * DAY_MS * 1000
        [report] = graph.admin.compact(now=later)
        assert report.now == later
        assert [edge.day for edge in graph.all(Seen)] == [midnight(1)]


def test_a_rule_without_words_is_told_in_days() -> None:
    class Passing(lg.Vertex, summary=True):
        id: str
        day: int = lg.max(check=[lg.this.age_off(days=400)])

    with (
        lg.open(":memory:", [Passing]) as graph,
        pytest.raises(ValidationError, match=r"breaks the rule day\.age_off\(days=400\)"),
    ):
        graph.add([Passing("a", day=midnight(401))])
