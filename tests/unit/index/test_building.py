"""Building an index while others have the graph open: nothing is ever missing from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, InternalError, Locked
from lexigraph.index import building
from lexigraph.keyplan import StoredElement
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import DeclaredIndexes
from lexigraph.layout.stored.loads import LoadNote
from lexigraph.layout.write.changes import Add
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.security import ALL
from lexigraph.store import MemoryEngine
from tests.unit.index.indexed_graphs import ALL_GROUPS, Calls, call, day, entries, used_index
from tests.unit.layout.observe.row_engine import RowEngine


def found(graph: Any) -> list[str]:
    return [one.destination for one in graph.all(Calls).where(Calls.day == day(0))]


def test_a_handle_of_before_keeps_the_index(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", ALL_GROUPS) as old, lg.open(tmp_path / "g", ALL_GROUPS) as new:
        old.add([call("a", "b", 0)])
        new.index.create("by_day", Calls.day)
        old.add([call("a", "c", 0)])
        assert used_index(new.all(Calls).where(Calls.day == day(0)))
        assert found(new) == found(old) == ["b", "c"]
        new.index.drop("by_day")
        old.add([call("a", "d", 0)])
        new.index.create("by_day", Calls.day)
        assert found(new) == found(old) == ["b", "c", "d"]


def test_an_index_that_comes_between_reading_and_commit_is_not_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = MemoryEngine()
    first, second = lg.open(engine, ALL_GROUPS), lg.open(engine, ALL_GROUPS)
    write, done = engine.write, []

    def late(batches: Any, **options: Any) -> int:
        if not done:
            done.append(True)
            second.index.create("by_day", Calls.day)
        return write(batches, **options)

    monkeypatch.setattr(engine, "write", late)
    first.add([call("a", "b", 0)])
    assert len(entries(first)) == 1
    assert found(second) == ["b"]


def test_a_build_that_was_cut_short_is_not_used_and_is_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = lg.open(":memory:", ALL_GROUPS)
    graph.add([call("a", f"{at:03}", 0) for at in range(100)])
    monkeypatch.setattr(building, "BATCH_CELLS", 32)
    batch, calls = building._Build._batch, []

    def killed(self: Any, *given: Any) -> Any:
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return batch(self, *given)

    monkeypatch.setattr(building._Build, "_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        graph.index.create("by_day", Calls.day)
    assert [one.state for one in graph.index.list()] == ["building"]
    assert 0 < len(entries(graph)) < 100
    told = str(graph.all(Calls).where(Calls.day == day(0)).explain())
    assert "declined index by_day: because it is building" in told
    assert len(found(graph)) == 100
    graph.add([call("a", "new", 0)])
    assert graph.index.create("by_day", Calls.day).state == "ready"
    assert len(entries(graph)) == len(found(graph)) == 101


def test_writes_and_deletes_during_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = lg.open(":memory:", ALL_GROUPS)
    graph.add([call("a", f"{at:03}", 0) for at in range(100)])
    monkeypatch.setattr(building, "BATCH_CELLS", 64)
    of_cells, calls = building.IndexEntries.of_cells, []

    def meanwhile(self: Any, cells: Any, *, deleted: bool) -> Any:
        made = of_cells(self, cells, deleted=deleted)
        if not calls:
            # The entries of these are made already, and must not be stored after the delete.
            calls.append(1)
            graph.delete([call("a", "003", 0)])
            graph.add([call("a", "000x", 0)])
        return made

    monkeypatch.setattr(building.IndexEntries, "of_cells", meanwhile)
    graph.index.create("by_day", Calls.day)
    assert len(entries(graph)) == len(found(graph)) == 100


def test_no_index_is_built_while_a_load_runs() -> None:
    graph = lg.open(":memory:", ALL_GROUPS)
    frame = pa.table({"source": ["a", "a"], "destination": ["b", "c"], "day": [day(0), day(0)]})

    def frames() -> Any:
        with pytest.raises(Conflict, match="bulk load"):
            graph.index.create("by_day", Calls.day)
        yield frame

    graph.load(frames(), group=Calls)
    assert [one.state for one in graph.index.list()] == ["building"]
    assert graph.index.create("by_day", Calls.day).state == "ready"
    assert found(graph) == ["b", "c"]


def test_a_delete_during_a_load_keeps_the_entries_of_what_is_loaded(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", ALL_GROUPS) as graph:
        graph.index.create("by_day", Calls.day)
        graph.add([call("a", "b", 0)])
        frame = pa.table({"source": ["a"], "destination": ["b"], "day": [day(0)]})

        def frames() -> Any:
            yield frame
            graph.delete([call("a", "b", 0)])
            yield pa.table({"source": ["x"], "destination": ["y"], "day": [day(0)]})

        graph.load(frames(), group=Calls)
        assert found(graph) == [one.destination for one in graph.all(Calls)]
        assert "y" in found(graph)


def test_a_load_that_outlives_its_note_takes_indexes_out_of_use(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    graph = lg.open(":memory:", ALL_GROUPS)
    graph.index.create("by_day", Calls.day)
    monkeypatch.setattr(LoadNote, "end", lambda _: False)
    graph.load(pa.table({"source": ["a"], "destination": ["b"], "day": [day(0)]}), group=Calls)
    assert [one.state for one in graph.index.list()] == ["building"]
    assert "by_day" in caplog.text


def test_buffered_commits_of_others_keep_an_index_from_being_built(tmp_path: Path) -> None:
    where = tmp_path / "g"
    with lg.open(where, ALL_GROUPS, durability="buffered") as buffering:
        buffering.add([call("a", "b", 0)])
        with lg.open(where, ALL_GROUPS) as other, pytest.raises(Locked):
            other.index.create("by_day", Calls.day)
    with lg.open(where, ALL_GROUPS) as alone:
        assert alone.index.create("by_day", Calls.day).state == "ready"
        assert found(alone) == ["b"]
    with lg.open(where, ALL_GROUPS, durability="buffered") as buffering:
        buffering.add([call("a", "c", 0)])
        assert found(buffering) == ["b", "c"]


def test_a_writer_that_buffers_knows_of_an_index_that_its_process_makes_and_drops(
    tmp_path: Path,
) -> None:
    with lg.open(tmp_path / "g", ALL_GROUPS, durability="buffered") as graph:
        graph.add([call("a", "b", 0)])
        graph.index.create("by_day", Calls.day)
        graph.add([call("a", "c", 0)])
        assert len(entries(graph)) == len(found(graph)) == 2
        graph.index.drop("by_day")
        graph.add([call("a", "d", 0)])
        assert entries(graph) == []
        graph.index.create("by_day", Calls.day)
        graph.add([call("a", "e", 0)])
        assert len(entries(graph)) == len(found(graph)) == 4


def test_buffered_commits_without_an_index_read_the_catalogue_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lg.open(tmp_path / "g", ALL_GROUPS, durability="buffered") as graph:
        graph.add([call("a", "b", 0)])
        read = []
        monkeypatch.setattr(DeclaredIndexes, "now", lambda *_: read.append(1))
        graph.add([call("a", "c", 0)])
        assert read == []


def test_a_graph_with_indexes_is_not_written_without_them() -> None:
    engine = MemoryEngine()
    with lg.open(engine, ALL_GROUPS) as graph:
        graph.index.create("by_city", "city")
        bare = StoredGraph.attach(engine, "graph")
        writer = Writer(bare, Commit(bare, ALL))
        writer.take(Add(StoredElement("vertex", "Person", {"city": "x"}, vertex="a"), timed=False))
        with pytest.raises(InternalError, match="indexes"):
            writer.flush()


def test_rows_alone_are_atomic_entries_come_first_and_go_last() -> None:
    engine = RowEngine()
    graph = lg.open(engine, ALL_GROUPS)
    graph.index.create("by_day", Calls.day)
    engine.written.clear()
    graph.add([call("a", "b", 0), call("a", "c", 1)])
    graph.delete([call("a", "b", 0)])
    tables = [next(iter(one)) for one in engine.written]
    assert tables == ["graph.indexes", "graph.elements", "graph.elements", "graph.indexes"]
    frame = pa.table({"source": ["a"], "destination": ["d"], "day": [day(0)]})
    graph.load(frame, group=Calls)
    assert used_index(graph.all(Calls).where(Calls.day == day(0)))
    assert found(graph) == ["d"]
    assert len(entries(graph)) == 2


def test_an_element_that_is_added_between_a_delete_and_its_markers_keeps_its_entry() -> None:
    engine = RowEngine()
    graph = lg.open(engine, ALL_GROUPS)
    graph.index.create("by_day", Calls.day)
    graph.add([call("a", "b", 0)])
    write, done = engine.write, []

    def between(batches: Any, **options: Any) -> int:
        # The markers of entries come last.
        if list(batches) == ["graph.indexes"] and not done:
            done.append(1)
            graph.add([call("a", "b", 0)])
        return write(batches, **options)

    engine.write = between  # type: ignore[method-assign]
    graph.delete([call("a", "b", 0)])
    assert done
    assert found(graph) == ["b"]


def test_an_entry_without_its_element_shows_nothing() -> None:
    engine = RowEngine()
    graph = lg.open(engine, ALL_GROUPS)
    graph.index.create("by_day", Calls.day)
    write = engine.write

    def dies(batches: Any, **options: Any) -> int:
        if "graph.elements" in batches:
            raise KeyboardInterrupt
        return write(batches, **options)

    engine.write = dies  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        graph.add([call("a", "b", 0)])
    engine.write = write  # type: ignore[method-assign]
    assert len(entries(graph)) == 1
    assert found(graph) == []
