"""Flushes and compactions of some files: whatever the servers merge, the answers stay."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from lexigraph.store import (
    AccumuloEngine,
    ManualClock,
    MemoryEngine,
    Mutations,
    StageSpec,
    TableSettings,
)
from lexigraph.store.clock import MAX_AHEAD
from lexigraph.testing.duplicates import open_keeping
from tests.accumulo.engines import beside, fresh_engine
from tests.accumulo.files import Files

pytestmark = pytest.mark.accumulo

START = 2_000_000_000_000_000


class Heard(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)
    first: str = lg.first()
    last: str = lg.last()
    label: str | None = lg.visibility(default=None)


class Note(lg.Vertex, summary=True, aggregates=False):
    id: str
    text: str


def heard(text: str, count: int, label: str | None = None) -> Heard:
    return Heard("p", "q", count=count, first=text, last=text, label=label)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def engine(clock: ManualClock) -> Iterator[AccumuloEngine]:
    with fresh_engine(clock=clock) as made:
        yield made


def answers(graph: lg.Graph) -> list[list[str]]:
    """Return what everybody sees, from both ends."""
    return [
        sorted(map(repr, question.to_list()))
        for session in map(graph.session, ((), ("a",), ("b",), ("a", "b")))
        for question in (session.all(), session.get("q"), session.all(Heard).roll_up())
    ]


Step = Callable[[lg.Graph], object]
STEPS: list[Step] = [
    lambda graph: graph.add([heard("one", 1), heard("two", 2, "a"), Note("n", text="x")]),
    lambda graph: graph.delete([heard("", 0)]),
    lambda graph: graph.add([heard("three", 4), heard("four", 8, "b"), Note("n", text="x")]),
    lambda graph: graph.delete([{"group": "Note", "vertex": "n"}]),
    lambda graph: graph.add([heard("five", 16, "a&b"), heard("six", 32), Note("n", text="y")]),
]


def test_what_is_deleted_and_added_again_survives_every_partial_compaction(
    engine: AccumuloEngine,
) -> None:
    """Each step is a file; any two are merged without those between, until one is left."""
    chance = random.Random(1)
    how: dict[str, Any] = {"name": "partial", "authorizations": lg.ALL}
    with (
        open_keeping(engine, [Heard, Note], **how) as ours,
        open_keeping(":memory:", [Heard, Note], **how) as memory,
        Files(engine, "partial.elements") as files,
    ):
        for step in STEPS * 2:
            for graph in (ours, memory):
                step(graph)
            files.flush()
        expected = answers(memory)
        assert answers(ours) == expected
        # The first and the last of three, the delete between them left out.
        chosen = [files.names()[at] for at in (0, 2)]
        for left in range(len(STEPS * 2) - 1, 0, -1):
            files.compact(chosen)
            names = files.names()
            assert len(names) == left
            assert answers(ours) == expected, chosen
            chosen = chance.sample(names, min(2, left))
        ours.admin.compact()
        assert answers(ours) == expected


def test_a_flush_combines_nothing_across_a_marker_in_a_file(engine: AccumuloEngine) -> None:
    """What is older than a marker stays hidden, however late a slow clock brought it."""
    settings = TableSettings.with_stages(
        ("sum", {"encoding": "text", "columns": [["n"]]}), max_versions=None
    )
    table = engine.create_table("late", settings)
    with Files(engine, "late") as files:
        table.write(Mutations().put("r", "n", "", "1", timestamp=100))
        table.write(Mutations().delete("r", "n", "", timestamp=300))
        files.flush()
        table.write(Mutations().put("r", "n", "", "10", timestamp=200))
        table.write(Mutations().put("r", "n", "", "100", timestamp=400))
        for _ in range(2):
            assert [cell.value for cell in table.scan()] == [b"100"]
            files.flush()
        table.compact()
        assert [cell.value for cell in table.scan()] == [b"100"]


def test_a_flush_combines_where_nothing_was_ever_deleted(engine: AccumuloEngine) -> None:
    settings = TableSettings.with_stages(
        ("sum", {"encoding": "text", "columns": [["n"]]}), max_versions=None
    )
    table = engine.create_table("never", settings)
    for _ in range(20):
        table.put("r", "n", "", "1")
    assert table.stats().cells == 1
    table.delete("s", "n", "")
    for _ in range(20):
        table.put("r", "n", "", "1")
    assert table.stats().cells == 22
    # Other settings do not make it forget.
    engine.configure_table("never", replace(settings, max_clock_jump=5))
    for _ in range(20):
        table.put("r", "n", "", "1")
    assert table.stats().cells == 42
    table.compact()
    assert [cell.value for cell in table.scan()] == [b"60"]


class Count(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum()


def test_a_delete_takes_what_it_saw_of_a_client_whose_clock_is_ahead(
    engine: AccumuloEngine, clock: ManualClock
) -> None:
    with lg.open(engine, [Count], name="ahead") as graph:
        clock.advance(5_000_000)
        graph.add([Count("v", count=1)])
        # Another client of the same tables, five seconds behind.
        slow = beside(engine, ManualClock(START))
        with slow, lg.open(slow, [Count], name="ahead") as other:
            assert other.delete([Count("v", count=0)]) == 1
            assert other.count() == 0
            other.add([Count("v", count=10)])
            assert [one.count for one in other.all(Count)] == [10]
        graph.add([Count("v", count=100)])
        assert [one.count for one in graph.all(Count)] == [110]


def test_a_clock_that_is_far_ahead_is_not_followed(
    engine: AccumuloEngine, clock: ManualClock
) -> None:
    with lg.open(engine, [Count], name="far") as graph:
        clock.advance(MAX_AHEAD + 1)
        graph.add([Count("v", count=1)])
        with (
            beside(engine, ManualClock(START)) as slow,
            lg.open(slow, [Count], name="far") as other,
            pytest.raises(UnsupportedError, match="60 s ahead of this clock"),
        ):
            other.delete([Count("v", count=0)])
        assert graph.count() == 1


@pytest.mark.parametrize("name", ["first-in-row", "large-row", "row-delete", "whole-row"])
def test_stages_that_need_whole_rows_are_refused_where_compactions_see_parts(
    engine: AccumuloEngine, name: str
) -> None:
    options = {"max_columns": 1} if name == "large-row" else {}
    merging = TableSettings(max_versions=None, merge_stages=[StageSpec(name, options)])
    groups = {"one": [b"f"]}
    with pytest.raises(UnsupportedError, match="locality groups"):
        engine.create_table("parted", replace(merging, locality_groups=groups))
    assert engine.tables() == []
    engine.create_table("whole", merging)


@pytest.mark.parametrize("name", ["first-in-row", "large-row", "whole-row", "whole-family"])
def test_stages_that_need_whole_rows_leave_flushes_alone(engine: AccumuloEngine, name: str) -> None:
    options = {"max_columns": 2} if name == "large-row" else {}
    settings = TableSettings(max_versions=None, merge_stages=[StageSpec(name, options)])
    both = [MemoryEngine(), engine]
    tables = [one.create_table("rows", settings) for one in both]
    for family in "fgh":
        for table in tables:
            table.write(Mutations().put("r", family, "", family, timestamp=1))
        engine._admin.flush(engine._remote("rows"))
        assert [list(table.scan()) for table in tables][1] == list(tables[0].scan())
    for table in tables:
        table.compact()
    assert list(tables[1].scan()) == list(tables[0].scan())
    assert len(list(tables[0].scan())) < 3 or name == "whole-family"
