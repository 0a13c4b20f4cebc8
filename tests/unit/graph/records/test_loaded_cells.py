"""Tables of records that the core turns into facts: exactly those of the writer of records."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from lexigraph.errors import LexigraphError
from lexigraph.graph.write.records.loading import RecordLoader
from lexigraph.graph.write.records.options import RecordOptions
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.facts.encoding import FactTableEncoder
from lexigraph.security import ALL
from lexigraph.store import EmbeddedEngine, ManualClock, MemoryEngine, ScanSpec
from tests.unit.graph.records.wide_records import random_records, random_rows
from tests.unit.graph.stored_graphs import writer_of

NATIVE = "lexigraph.layout.write.facts.encoding.find_native"
HOWS = [
    RecordOptions.read(),
    RecordOptions.read(visibility="b&a"),
    RecordOptions.read(time=12, note="imported"),
    RecordOptions.read(visibility="c", note={"by": "ann"}),
]


def outcome(graph: StoredGraph, group: str, table: Any, how: RecordOptions, *, skips: bool) -> Any:
    """Return what a load says, and all cells that there are then."""
    said: Any
    loader = RecordLoader(writer_of(graph), how, learns=False)
    try:
        report = loader.load(
            table,
            group,
            RowOptions(skip_invalid=skips),
            None,
            ALL,
            memory_limit_bytes=1 << 20,
            files=None,
        )
        said = (report.added, report.commits, repr(report.skipped))
    except LexigraphError as error:
        said = (type(error), str(error), error.hint, error.context)
    assert graph.records is not None
    names = graph.records.tables.values()
    spec = ScanSpec(authorizations=ALL)
    return said, [
        cell for name in names for batch in graph.engine.scan(name, spec) for cell in batch
    ]


READ: list[bool] = []
"""Of all tables that the tests of this process load, whether the core makes their facts."""


@pytest.mark.parametrize("bad", [0.0, 0.05])
@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_load_stores_the_cells_of_the_writer_of_records(
    seed: int, bad: float, *, skips: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"{seed} {bad} {skips}")
    native: list[bool] = []
    encode = FactTableEncoder.encode

    def noted(self: FactTableEncoder, *given: Any, **options: Any) -> Any:
        made = encode(self, *given, **options)
        table, how = given[0], given[1]
        # Times of rows that history or times to live judge are read one by one.
        if how.time is None and self._group.timestamp not in table.column_names:
            native.append(made is not None)
        return made

    for at in range(3):
        schema, how = random_records(rng), rng.choice(HOWS)
        with (
            MemoryEngine(clock=ManualClock(1_000)) as engine,
            MemoryEngine(clock=ManualClock(1_000)) as slow,
            EmbeddedEngine(tmp_path / str(at), clock=ManualClock(1_000)) as embedded,
        ):
            graphs = [StoredGraph.create(one, "g", schema) for one in (engine, embedded, slow)]
            for name, group in schema.groups.items():
                table = random_rows(rng, group, rng.choice([9, 60]), bad=bad)
                with monkeypatch.context() as patch:
                    patch.setattr(FactTableEncoder, "encode", noted)
                    found = [outcome(one, name, table, how, skips=skips) for one in graphs[:2]]
                with monkeypatch.context() as patch:
                    patch.setattr(NATIVE, lambda: None)
                    expected = outcome(graphs[2], name, table, how, skips=skips)
                assert found == [expected, expected]
    READ.extend(native)


def test_the_core_makes_the_facts_of_many_tables() -> None:
    if len(READ) < 50:
        pytest.skip("the tests before were not run in this process")
    assert sum(READ) >= len(READ) // 4
