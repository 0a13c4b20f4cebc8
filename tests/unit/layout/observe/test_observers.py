"""The contract of observers: their cells are in the commit of the changes, or nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, UnsupportedError, UsageError
from lexigraph.graph.write.add import Adder
from lexigraph.graph.write.transactions import Transaction
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.context import Context
from lexigraph.layout.observe.contract import Observed, Observer, Phase, Reader
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.security import ALL
from lexigraph.store import Condition, ConditionalMutation, Engine, MemoryEngine
from tests.unit.graph.stored_graphs import DAY, Calls, add, delete, held, make
from tests.unit.layout.observe.row_engine import RowEngine

SHADOW = "g.shadow"


class Shadow(Observer):
    """Repeats the keys of all cells in a table of its own: puts before, markers after."""

    def observe(self, changed: Changed, context: Context) -> Iterable[Observed]:
        for put in (changed.added, changed.restored):
            for batch in put.values():
                yield Observed({SHADOW: _bare(batch)}, Phase.BEFORE)
        for batch in changed.deleted.values():
            yield Observed({SHADOW: _bare(batch)}, Phase.AFTER)


def _bare(batch: MutationBatch) -> MutationBatch:
    cells = [cell._replace(value=b"", timestamp=0) for cell in batch.cells]
    return MutationBatch(CellBatch.from_cells(cells), bytes(len(cells)))


@pytest.fixture(params=["memory", "embedded", "rows"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "embedded":
        with lg.EmbeddedEngine(tmp_path / "db", create=True) as opened:
            yield opened
        return
    with MemoryEngine() if request.param == "memory" else RowEngine() as made:
        yield made


def watched(engine: Engine, *observers: Observer) -> StoredGraph:
    graph = make(engine)
    engine.create_table(SHADOW)
    graph.listeners.added.extend(observers)
    return graph


def keys(engine: Engine, table: str) -> set[tuple[bytes, ...]]:
    spec = lg.ScanSpec(authorizations=ALL)
    return {cell[:4] for batch in engine.scan(table, spec) for cell in batch}


def call(source: str, **more: Any) -> Calls:
    return Calls(source, "w", day=DAY, **more)


def test_cells_of_observers_follow_every_change(engine: Engine) -> None:
    graph = watched(engine, Shadow())
    add(graph, [call("a"), call("b", label="x"), call("b", label="y"), call("c")])
    assert keys(engine, SHADOW) == keys(engine, graph.table_of("Calls"))
    delete(graph, [call("b")])
    assert keys(engine, SHADOW) == keys(engine, graph.table_of("Calls"))
    assert len(keys(engine, SHADOW)) == 4


def test_a_row_engine_writes_entries_first_and_removes_them_last() -> None:
    with RowEngine() as engine:
        graph = watched(engine, Shadow())
        engine.written.clear()
        add(graph, [call("a")])
        delete(graph, [call("a")])
        table = graph.table_of("Calls")
        assert [list(one) for one in engine.written] == [[SHADOW], [table], [table], [SHADOW]]


def test_an_observer_that_refuses_stores_nothing(engine: Engine) -> None:
    class Refusing(Observer):
        def observe(self, changed: Changed, context: Context) -> Iterable[Observed]:
            raise UsageError("refused by the observer")

    graph = watched(engine, Shadow(), Refusing())
    with pytest.raises(UsageError, match="refused"):
        add(graph, [call("a")])
    assert keys(engine, SHADOW) == keys(engine, graph.table_of("Calls")) == set()


def test_a_transaction_reads_what_observers_will_add() -> None:
    with MemoryEngine() as engine:
        graph = watched(engine, Shadow())
        add(graph, [call("a")])
        transaction = Transaction(graph, ALL)
        transaction.add([call("b")])
        transaction.delete([call("a")])
        held = transaction.held
        spec = lg.ScanSpec(authorizations=ALL)
        inside = {
            cell[:4]
            for batch in held.engine.scan(SHADOW, spec, snapshot=held.snapshot)
            for cell in batch
        }
        before = keys(engine, SHADOW)
        transaction.commit()
        assert inside == keys(engine, SHADOW) != before


class Limited(Observer):
    """Refuses a fourth element of all that its reader can see, and depends on what it read."""

    def __init__(self, reads_as: Reader, meanwhile: list[Any] | None = None) -> None:
        self.reads_as = reads_as  # type: ignore[misc]
        self.meanwhile = meanwhile or []
        self.asked = 0

    def observe(self, changed: Changed, context: Context) -> Iterable[Observed]:
        self.asked += 1
        table = context.stored.table_of("Calls")
        rows = {cell.row for batch in context.read(table, [Range()]) for cell in batch}
        if context.checks_ranges:
            context.depend(table, [Range()])
        if self.meanwhile:
            other = self.meanwhile.pop()
            other()
        if len(rows) >= 6:
            raise UsageError("there are three already")
        return ()


def test_a_constraint_reads_as_the_writer_and_an_index_as_the_owner() -> None:
    for reads_as, refused in ((Reader.WRITER, False), (Reader.OWNER, True)):
        with MemoryEngine() as engine:
            graph = watched(engine)
            add(graph, [call(name, label="x") for name in "abc"])
            graph.listeners.added.append(Limited(reads_as))
            nobody = Adder(Writer(graph, Commit(graph, ())))
            if refused:
                with pytest.raises(UsageError, match="three"):
                    nobody.add([call("d")])
            else:
                nobody.add([call("d")])


def test_observers_are_asked_again_if_what_they_read_has_changed() -> None:
    with MemoryEngine() as engine:
        graph = watched(engine)
        other = StoredGraph.attach(engine, "g")
        limited = Limited(Reader.OWNER, [lambda: add(other, [call("b")])])
        graph.listeners.added.append(limited)
        add(graph, [call("a")])
        assert limited.asked == 2
        limited.meanwhile.append(lambda: add(other, [call("c")]))
        with pytest.raises(UsageError, match="three"):
            add(graph, [call("d")])


def test_a_load_cannot_depend_on_ranges() -> None:
    class Depending(Observer):
        def observe(self, changed: Changed, context: Context) -> Iterable[Observed]:
            context.depend(context.stored.table_of("Person"), [Range()])
            return ()

    class Person(lg.Vertex, summary=True):
        id: str

    with lg.open(":memory:", [Person]) as graph:
        graph._access.stored.listeners.added.append(Depending())
        graph.add([Person("a")])
        with pytest.raises(UnsupportedError, match="depend"):
            graph.load(pa.table({"id": ["b"]}), group=Person)
        assert graph.count() == 1


def test_conditional_writes_take_the_place_of_ranges() -> None:
    class Unique(Observer):
        def observe(self, changed: Changed, context: Context) -> Iterable[Observed]:
            assert not context.checks_ranges
            rows = {cell.row for batch in changed.added.values() for cell in batch.cells}
            claims = [ConditionalMutation(row, [Condition(b"f")]).put(b"f") for row in rows]
            yield Observed(conditions={SHADOW: claims})

    with RowEngine() as engine:
        graph = watched(engine, Unique())
        add(graph, [call("a")])
        with pytest.raises(Conflict):
            add(graph, [call("a")])
        assert [one.properties["count"] for one in held(graph)] == [1]
