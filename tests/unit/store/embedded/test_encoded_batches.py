"""Cells that the core made and keeps: the same as columns, whoever looks at them and when."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.cells.encoded import EncodedBatch
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.encoding import TableEncoder
from lexigraph.schema import schema_of
from lexigraph.store import EmbeddedEngine, MemoryEngine, MutationBatch, ScanSpec


class Link(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    weight: lg.Int32 = lg.sum()
    label: str | None = lg.visibility(default=None)


TABLE = pa.table({"source": ["a", "b", "a"], "destination": ["b", "b", "b"], "weight": [1, 2, 4]})


def made(table: pa.Table = TABLE, *, skips: bool = False) -> EncodedBatch:
    graph = StoredGraph.create(MemoryEngine(), "links", schema_of(Link))
    encoded = TableEncoder(graph, "Link").encode(table, now=0, skips=skips)
    assert encoded is not None
    assert isinstance(encoded.batch, EncodedBatch)
    return encoded.batch


def test_it_counts_before_and_after_somebody_looked() -> None:
    batch = made()
    before = len(batch)
    assert before == 3
    assert len(batch.cells) == len(batch.timed) == len(batch) == before
    assert batch == MutationBatch(batch.cells, batch.timed)


def test_a_load_takes_it_looked_at_or_not(tmp_path: Path) -> None:
    fresh, seen = made(), made()
    assert seen.cells
    found = []
    for number, batch in enumerate([fresh, seen]):
        with EmbeddedEngine(tmp_path / f"store-{number}") as engine:
            engine.create_table("t")
            engine.load("t", [batch])
            cells = [cell for cells in engine.scan("t", ScanSpec()) for cell in cells]
            found.append([(cell.row, cell.qualifier, cell.value) for cell in cells])
    assert found[0] == found[1]
    assert len(found[0]) == 3


@pytest.mark.parametrize("labels", [["x", None, "y&x"], ["x", "x", "x"], [None, None, None]])
def test_its_labels_are_those_of_its_cells(labels: list[str | None]) -> None:
    batch = made(TABLE.append_column("label", pa.array(labels, pa.string())))
    before = batch.labels()
    assert batch.native is not None
    assert batch.cells
    assert (
        before
        == batch.labels()
        == {"&".join(sorted((one or "").split("&"))).encode() for one in labels}
    )


def test_labels_of_rows_that_do_not_fit_are_not_among_them() -> None:
    table = TABLE.set_column(2, "weight", pa.array([1, 2**40, 4]))
    batch = made(table.append_column("label", pa.array(["x", "secret", "x"])), skips=True)
    assert batch.labels() == {b"x"}


def test_nobody_looks_at_it_on_its_way_into_a_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(_: EncodedBatch) -> None:
        raise AssertionError("cells of a load became columns of Python")

    with lg.open(tmp_path, [Link], authorizations=["x"]) as graph:
        session = graph.session(["x"], role="writer", own_labels=True)
        monkeypatch.setattr(EncodedBatch, "_look", look)
        session.load(TABLE.append_column("label", pa.array(["x", "x", "x"])), group=Link)
        monkeypatch.undo()
        assert len(list(graph.all(Link))) == 2
