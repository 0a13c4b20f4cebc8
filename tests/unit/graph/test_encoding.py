"""Tables that the core turns into cells: exactly those that reading row by row gives."""

from __future__ import annotations

import gc
import struct
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import LexigraphError, ValidationError
from lexigraph.graph.write.add import Adder
from lexigraph.graph.write.checking import Checking
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.graph.write.rows_in import rows_of
from lexigraph.keyplan import StoredElement
from lexigraph.layout import ByteEntity, Classic, Layout, spi
from lexigraph.layout.byte_entity import BoundByteEntity
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.encoding import TableEncoder
from lexigraph.schema import Aggregate, Group, Property, Rule, Schema, ValueType, schema_of
from lexigraph.security import ALL
from lexigraph.store import EmbeddedEngine, ManualClock, MemoryEngine, MutationBatch, ScanSpec
from tests.unit.graph.stored_graphs import writer_of
from tests.unit.graph.wide_frames import random_schema, random_table

LAYOUTS: list[Layout] = [
    ByteEntity(),
    Classic(),
    ByteEntity(shards=4),
    Classic(shards=3, shard_by="duplicates"),
    ByteEntity(short_columns=True),
    Classic(short_columns=True, table_per_group=True),
    ByteEntity(fixed_length=True, shards=2),
    Classic(fixed_length=True),
]


def fixed(layout: Layout) -> bool:
    return bool(layout.options.get("fixed_length"))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda one: f"{one.name}{dict(one.options)}")
def test_cells_are_those_of_reading_row_by_row(
    layout: Layout, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"{layout.options}{seed}")
    native = 0
    for _ in range(8):
        schema = random_schema(rng, ids="int" if fixed(layout) else None)
        with MemoryEngine() as engine:
            graph = StoredGraph.create(engine, "g", schema, layout)
            other = StoredGraph.create(engine, "h", schema, layout)
            for group in graph.schema.groups:
                table = random_table(rng, graph.schema.groups[group], rng.choice([1, 9, 60]))
                encoder = TableEncoder(graph, group)
                monkeypatch.setattr(spi, "CHANCE", Random(seed))
                encoded = encoder.encode(table, now=1, skips=False)
                monkeypatch.setattr(spi, "CHANCE", Random(seed))
                if encoded is None:
                    continue
                native += 1
                if encoded.bad:
                    with pytest.raises(LexigraphError):
                        cells_of_table(other, group, table.slice(encoded.bad[0], 1))
                    continue
                assert encoded.batch is not None
                assert encoded.count == len(table)
                assert encoded.batch == cells_of_table(other, group, table)
    assert native > 8


def cells_of_table(stored: StoredGraph, group: str, table: Any) -> MutationBatch:
    """Read a table row by row."""
    checking, writer = Checking(stored), writer_of(stored)
    for number, row in enumerate(rows_of(group, table)):
        writer.take(checking.fit(row, number))
    return writer.take_added().added[group]


def outcome(graph: StoredGraph, group: str, table: Any, *, skips: bool) -> Any:
    """Give what an add says, and all cells that there are then."""
    said: Any
    try:
        report = Adder(writer_of(graph)).add(
            table, group=group, options=RowOptions(skip_invalid=skips)
        )
        said = (report.added, report.commits, report.timestamp, repr(report.skipped))
    except LexigraphError as error:
        said = (type(error), str(error), error.hint, error.context)
    names = graph.tables.values()
    spec = ScanSpec(authorizations=ALL)
    return said, [list(batch) for name in names for batch in graph.engine.scan(name, spec)]


@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_what_does_not_fit_is_refused_or_skipped_in_the_same_words(
    seed: int, *, skips: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(seed)
    refused = 0
    for at in range(3):
        schema = random_schema(rng)
        with (
            MemoryEngine(clock=ManualClock(1_000)) as engine,
            MemoryEngine(clock=ManualClock(1_000)) as slow,
            EmbeddedEngine(tmp_path / str(at), clock=ManualClock(1_000)) as embedded,
        ):
            graphs = [StoredGraph.create(one, "g", schema) for one in (engine, embedded, slow)]
            for name, group in graphs[0].schema.groups.items():
                table = random_table(rng, group, 30, bad=0.05)
                found = [outcome(one, name, table, skips=skips) for one in graphs[:2]]
                with monkeypatch.context() as patch:
                    patch.setattr("lexigraph.keyplan.columns.encoder.find_native", lambda: None)
                    expected = outcome(graphs[2], name, table, skips=skips)
                assert found == [expected, expected]
                refused += expected[0][-1] != "()"
    assert refused


class Link(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: lg.Int32 = lg.group_by()
    weight: int = lg.sum()
    label: str | None = lg.visibility()


def links(rows: int) -> pa.Table:
    ids = pa.array([f"v{at % 1000}" for at in range(rows)])
    return pa.table(
        {
            "source": ids,
            "destination": ids.take(pa.array([(7 * at + 1) % rows for at in range(rows)])),
            "day": pa.array([at % 30 for at in range(rows)], pa.int32()),
            "weight": pa.array(range(rows), pa.int16() if rows < 1 << 15 else pa.int64()),
            "label": pa.array(["public", "a&b"] * (rows // 2)),
        }
    )


def test_large_tables_are_divided_and_give_the_same() -> None:
    # More rows than two threads are worth.
    table = links(20_000)
    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "g", schema_of([Link]))
        encoded = TableEncoder(graph, "Link").encode(table, now=0, skips=False)
        assert encoded is not None
        assert encoded.batch == cells_of_table(graph, "Link", table)
        wrong = table.set_column(3, "weight", pa.array([*range(19_990), *[None] * 10]))
        encoded = TableEncoder(graph, "Link").encode(wrong, now=0, skips=True)
        assert encoded is not None
        assert (encoded.count, encoded.bad) == (19_990, list(range(19_990, 20_000)))
        assert encoded.batch == cells_of_table(graph, "Link", wrong.slice(0, 19_990))


def test_no_row_becomes_a_python_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise AssertionError("a row was read one by one")

    table = links(200_000)
    with lg.open(tmp_path / "g", schema=[Link]) as graph:
        graph.add(table.slice(0, 10))
        monkeypatch.setattr("lexigraph.graph.write.checking.Checking.fit", fail)
        monkeypatch.setattr("lexigraph.layout.write.writer.Writer.take", fail)
        monkeypatch.setattr("lexigraph.graph.write.rows.sifting.rows_of", fail)
        monkeypatch.setattr("lexigraph.cells.batch.CellBatch.cells", fail)
        gc.collect()
        before = sys.getallocatedblocks()
        blocks = []
        monkeypatch.setattr(
            graph._access.engine,
            "write",
            lambda *given, **how: (
                blocks.append(sys.getallocatedblocks() - before),
                type(graph._access.engine).write(graph._access.engine, *given, **how),
            )[1],
        )
        assert graph.add(table).added == 200_000
        assert max(blocks) < 5_000
        assert graph.load(table).added == 200_000


def test_rules_about_age_look_at_the_clock_of_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Property("seen", ValueType("datetime"), aggregate=Aggregate("max"))
    day_us = 86_400_000_000
    rule = Rule({"op": "age-off", "field": "seen", "ttl": day_us}, ("seen",))
    group = Group("p", "vertex", {"vertex": ValueType("str")}, (seen,), rules=(rule,))
    now = datetime.now(UTC)
    times = [now, now - timedelta(days=3), now - timedelta(hours=3)]
    table = pa.table({"vertex": ["a", "b", "c"], "seen": times})
    for native in (True, False):
        with monkeypatch.context() as patch, MemoryEngine() as engine:
            if not native:
                patch.setattr("lexigraph.keyplan.columns.encoder.find_native", lambda: None)
            graph = StoredGraph.create(engine, "g", Schema({"p": group}))
            encoded = TableEncoder(graph, "p").encode(table, now=0, skips=True)
            assert (encoded is not None) == native
            report = Adder(writer_of(graph)).add(
                table, group="p", options=RowOptions(skip_invalid=True)
            )
            assert [one.number for one in report.skipped] == [1]


def test_what_the_core_does_not_know_is_read_row_by_row() -> None:
    class Tags(lg.Vertex, summary=True):
        id: str
        tags: tuple[str, ...] | None = lg.set_of()
        seen: datetime | None = lg.max()

    berlin = pa.timestamp("us", "Europe/Berlin")
    tags = pa.array([["x", "y"], ["z"]], pa.list_view(pa.string()))
    views = pa.table({"vertex": ["a", "a"], "tags": tags})
    zoned = pa.table(
        {"vertex": ["a"], "seen": pa.array([datetime(2026, 7, 1, tzinfo=UTC)], berlin)}
    )
    unsigned = pa.table({"vertex": ["a"], "tags": pa.array([1], pa.uint64())})
    with lg.open(":memory:", schema=[Tags]) as graph:
        encoder = TableEncoder(graph._access.stored, "Tags")
        for table in (views, zoned, unsigned):
            assert encoder.encode(table, now=0, skips=False) is None
        graph.add(views)
        graph.add(zoned)
        [found] = graph.all(Tags)
        assert found.tags == ("x", "y", "z")
        assert found.seen is not None
        assert found.seen.utcoffset() == timedelta(hours=2)
        with pytest.raises(ValidationError, match="it takes str"):
            graph.add(unsigned)


def test_a_layout_that_derives_on_its_own_is_asked_for_each_element() -> None:
    class Turned(BoundByteEntity):
        def derive(self, element: StoredElement) -> StoredElement:
            return replace(element, visibility=b"turned")

    class Turning(ByteEntity):
        name = "turning"

        def bind(self, schema: Schema) -> Turned:
            return Turned(self, schema, self.row_options)

    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "g", schema_of([Link]), Turning())
        assert TableEncoder(graph, "Link").encode(links(2), now=0, skips=False) is None
        Adder(writer_of(graph)).add(links(2), group="Link")
        [batch] = engine.scan("g.elements", ScanSpec(authorizations=["turned"]))
        assert len(batch) == 4


@pytest.mark.parametrize("name", ["hll", "theta", "quantiles", "frequent-items", "bitmap"])
def test_sketches_say_the_same(name: str) -> None:
    value = Property("n", ValueType("int"), aggregate=Aggregate(name))
    group = Group("p", "vertex", {"vertex": ValueType("str")}, (value,))
    table = pa.table({"vertex": ["a", "b", "a", "a"], "n": [1, 2, 3, 1]})
    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "g", Schema({"p": group}))
        encoded = TableEncoder(graph, "p").encode(table, now=0, skips=False)
        assert encoded is not None
        assert encoded.batch is not None
        shown = [
            [str(graph.plan_of("p").decode(cell).properties["n"]) for cell in batch.cells]  # type: ignore[union-attr]
            for batch in (encoded.batch, cells_of_table(graph, "p", table))
        ]
        assert shown[0] == shown[1]


def test_text_that_is_no_text_is_refused() -> None:
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(struct.pack("=3i", 0, 1, 2)), pa.py_buffer(b"\xc3\xa9")]
    )
    table = links(2).set_column(0, "source", broken)
    with MemoryEngine() as engine:
        graph = StoredGraph.create(engine, "g", schema_of([Link]))
        encoded = TableEncoder(graph, "Link").encode(table, now=0, skips=True)
        assert encoded is not None
        assert encoded.bad == [0, 1]
