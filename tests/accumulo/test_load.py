"""Bulk loads on a cluster: sorted files for each partition, taken together or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import ConstraintError, TableNotFound
from lexigraph.store import AccumuloEngine, Cell, CellBatch, LoadFiles, TableSettings
from tests.accumulo.engines import fresh_engine
from tests.conftest import CLUSTER

pytestmark = pytest.mark.accumulo

SPLITS = [b"r0500", b"r0900", b"r1700"]
CELLS = [
    Cell(b"r%04d" % (place * 7 % 2000), b"f", b"%d" % place, b"", place + 1, False, b"v" * 20)
    for place in range(4000)
]
KEPT_ALL = TableSettings(max_versions=None, splits=SPLITS)


@pytest.fixture(scope="module")
def engine() -> Iterator[AccumuloEngine]:
    with fresh_engine() as made:
        yield made


def volume() -> Path:
    """Where the cluster of this run keeps its files."""
    return Path(os.environ[CLUSTER]) / "cluster" / "accumulo"


@pytest.mark.parametrize(
    ("number", "given", "files"),
    [
        (0, {}, 4),
        (1, {"files": LoadFiles(max_partitions=1)}, 1),
        (2, {"files": LoadFiles(max_partitions=2)}, 2),
        (3, {"files": LoadFiles(min_partitions=9)}, 9),
        (4, {"memory_limit_bytes": 40_000}, 4),
    ],
)
def test_there_is_a_file_for_each_partition_and_every_cell_is_found(
    engine: AccumuloEngine, number: int, given: dict[str, Any], files: int
) -> None:
    table = engine.create_table(f"files{number}", KEPT_ALL)
    before = set(volume().iterdir())
    made: list[int] = []
    bridge = engine._bridge
    engine.load(
        f"files{number}",
        [CellBatch.from_cells(CELLS[:1500]), CellBatch.from_cells(CELLS[1500:])],
        progress=lambda read, written: made.append(read),
        **given,
    )
    assert made == [1500, 4000]
    assert list(table.scan()) == sorted(CELLS, key=lambda cell: cell.key)
    stats = engine.stats(f"files{number}")
    assert stats.cells == len(CELLS)
    # A file for several tablets is one of each of them.
    assert len(list(tables_files(bridge, engine, f"files{number}"))) == files
    assert set(volume().iterdir()) == before


def tables_files(bridge: Any, engine: AccumuloEngine, table: str) -> Iterator[Path]:
    identity = str(bridge.admin().identity(engine.remote(table)))
    return (volume() / "tables" / identity).glob("b-*/*.rf")


def test_what_a_table_did_not_take_stays_in_the_failure_folder(
    engine: AccumuloEngine, tmp_path: Path
) -> None:
    failures = volume().parent / "failures" / tmp_path.name
    for number, kept in enumerate((failures, None)):
        name = f"dropped{number}"
        engine.create_table(name, KEPT_ALL)
        before = set(volume().iterdir())

        def drop(read: int, written: int, name: str = name) -> None:
            engine.drop_table(name)

        told = "its files are in" if kept else "nothing of it was loaded\\n"
        with pytest.raises(TableNotFound, match=told) as refused:
            engine.load(
                name, CellBatch.from_cells(CELLS), files=LoadFiles(failures=kept), progress=drop
            )
        assert set(volume().iterdir()) == before
        if kept:
            [folder] = failures.iterdir()
            assert str(folder) in str(refused.value)
            assert len(list(folder.glob("*.rf"))) == 4


class Met(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum()


def test_equal_elements_of_several_loads_are_one(engine: AccumuloEngine, tmp_path: Path) -> None:
    rows = [
        {"source": f"p{n % 40}", "destination": f"q{n % 7}", "day": n % 5, "count": 1}
        for n in range(3000)
    ]
    import pyarrow as pa

    frame = pa.Table.from_pylist(rows)
    with lg.open(engine, [Met], name="met") as graph:
        file = tmp_path / "splits.txt"
        graph.admin.sample_splits(frame, file, count=5, proportion=0.2, group=Met)
        graph.admin.apply_splits(file)
        assert len(engine.splits("met.elements")) == 5
        for _ in range(2):
            graph.load(frame, group=Met, memory_limit_bytes=100_000)
        for _ in range(2):
            assert graph.all(Met).count() == len({tuple(row.values()) for row in rows})
            assert sum(met.count for met in graph.all(Met)) == 6000
            graph.admin.compact()


def test_a_value_that_servers_could_not_hold_is_refused(engine: AccumuloEngine) -> None:
    table = engine.create_table("values", KEPT_ALL)
    most = 16 << 20
    fits, large = (Cell(b"r", timestamp=1, value=bytes(size)) for size in (most, most + 1))
    for write in (engine.load, lambda name, cells: engine.write({name: cells})):
        with pytest.raises(ConstraintError, match="its value has 16777217 bytes"):
            write("values", CellBatch.from_cells([fits, large]))
    assert list(table.scan()) == []
    engine.write({"values": CellBatch.from_cells([fits])})
    table.compact()
    assert list(table.scan()) == [fits]
