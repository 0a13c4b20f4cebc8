"""Results of scans as objects: closed, cancelled, limited in time, handed on to Arrow.

Layer ``testing``. No time is measured: a limit is so short that it must be over, or never is.
"""

from __future__ import annotations

from itertools import chain
from threading import Thread

import pytest

from lexigraph.errors import Closed, InvalidKey, NotGranted, QueryCancelled, QueryTimeout
from lexigraph.store import Cell, CellBatch, Engine, Mutations, Table, TableSettings
from lexigraph.testing.store.base import SUM, StoreTests, read, rows, values

INSTANT = 1e-9


class Results(StoreTests):
    """Results of scans: closing, cancelling, time limits."""

    @pytest.fixture
    def three(self, table: Table) -> Table:
        """Return a table of three rows."""
        table.write(Mutations().put("a").put("b").put("c"))
        return table

    def test_a_result_is_an_iterator_of_batches(self, engine: Engine, three: Table) -> None:
        """As any other."""
        scan = engine.scan("plain", batch_cells=2)
        assert iter(scan) is scan
        assert [len(batch) for batch in scan] == [2, 1]
        assert next(scan, None) is None

    def test_a_closed_result_says_so(self, engine: Engine, three: Table) -> None:
        """It does not end as if there were no more cells; closing it twice is fine."""
        with engine.scan("plain", batch_cells=1) as scan:
            next(scan)
        scan.close()
        with pytest.raises(Closed):
            next(scan)

    def test_a_result_can_be_closed_before_it_is_read(self, engine: Engine, three: Table) -> None:
        """Then nothing is ever read."""
        scan = engine.scan("plain")
        scan.close()
        with pytest.raises(Closed):
            next(scan)

    def test_a_cancelled_result_says_so_again_and_again(self, engine: Engine, three: Table) -> None:
        """By whichever thread it was cancelled."""
        scan = engine.scan("plain", batch_cells=1)
        next(scan)
        thread = Thread(target=scan.cancel)
        thread.start()
        thread.join()
        for _ in range(2):
            with pytest.raises(QueryCancelled):
                next(scan)

    def test_a_result_past_its_time_says_so_again_and_again(
        self, engine: Engine, three: Table
    ) -> None:
        """The clock starts with the first batch."""
        scan = engine.scan("plain", batch_cells=1, timeout_s=INSTANT)
        for _ in range(2):
            with pytest.raises(QueryTimeout):
                list(scan)

    def test_a_result_within_its_time_is_whole(self, engine: Engine, three: Table) -> None:
        """A limit changes nothing else."""
        found = chain.from_iterable(engine.scan("plain", timeout_s=1e6))
        assert rows(found) == rows(three.scan(timeout_s=1000)) == [b"a", b"b", b"c"]

    def test_one_result_can_end_while_another_goes_on(self, engine: Engine, three: Table) -> None:
        """They share nothing."""
        first, second = (engine.scan("plain", batch_cells=1) for _ in range(2))
        next(first)
        next(second)
        first.close()
        assert rows(chain.from_iterable(second)) == [b"b", b"c"]

    def test_a_result_becomes_a_stream_of_arrow_batches(self, engine: Engine, three: Table) -> None:
        """One record batch for each batch, all of the same schema."""
        pytest.importorskip("pyarrow")
        reader = engine.scan("plain", batch_cells=2).to_arrow()
        batches = list(reader)
        assert [batch.num_rows for batch in batches] == [2, 1]
        assert {batch.schema for batch in batches} == {reader.schema}
        assert [c for b in batches for c in CellBatch.from_arrow(b)] == read(three)

    def test_nothing_becomes_an_empty_stream(self, engine: Engine, table: Table) -> None:
        """With the schema all the same."""
        pytest.importorskip("pyarrow")
        reader = engine.scan("plain").to_arrow()
        assert reader.schema.names == list(Cell._fields)
        assert list(reader) == []


class Rows(StoreTests):
    """Single rows as they are now."""

    def test_a_row_is_read_as_a_scan_reads_it(self, engine: Engine) -> None:
        """Newest versions, without what was deleted or cannot be seen."""
        table = engine.create_table("t", TableSettings(max_versions=2))
        for value in "123":
            table.put("r", "f", value=value)
        table.put("r", "g", visibility="A")
        table.put("r", "h")
        table.delete("r", "h")
        table.put("r\0", "f")
        for authorizations in ([], ["A"]):
            cells = engine.row_reader("t", authorizations=authorizations).row(b"r")
            assert cells == list(table.scan(rows="r", authorizations=authorizations))
            assert all(isinstance(cell, Cell) for cell in cells)
            assert all(type(cell.deleted) is bool for cell in cells)
        assert values(table.row("r")) == ["3", "2"]

    def test_a_reader_sees_each_commit(self, engine: Engine, table: Table) -> None:
        """It is prepared once and holds no moment."""
        reader = engine.row_reader("plain")
        assert reader.row(b"r") == []
        table.put("r", value="1")
        assert values(reader.row(b"r")) == ["1"]
        table.compact()
        table.put("r", value="2")
        assert values(reader.row(b"r")) == ["2"]
        table.delete("r")
        assert reader.row(b"r") == []

    def test_a_reader_runs_the_tables_stages(self, engine: Engine) -> None:
        """Also those that it got later."""
        table = engine.create_table("t", TableSettings(max_versions=None))
        reader = engine.row_reader("t")
        for value in "12":
            table.put("r", value=value)
        assert values(reader.row(b"r")) == ["2", "1"]
        table.configure(TableSettings(max_versions=None, scan_stages=[SUM]))
        assert values(reader.row(b"r")) == ["3"]

    def test_a_reader_of_some_columns_gives_no_others(self, engine: Engine, table: Table) -> None:
        """Families, or families with a qualifier."""
        for family in "fg":
            for qualifier in "12":
                table.put("r", family, qualifier)
        reader = engine.row_reader("plain", columns=[(b"f", b"2"), (b"g", None)])
        found = [(cell.family, cell.qualifier) for cell in reader.row(b"r")]
        assert found == [(b"f", b"2"), (b"g", b"1"), (b"g", b"2")]

    def test_a_reader_has_no_more_than_is_granted(self) -> None:
        """As any reader."""
        with self.backend.make(grants=["A"]) as engine:
            engine.create_table("t")
            with pytest.raises(NotGranted):
                engine.row_reader("t", authorizations=["B"])

    def test_a_row_of_a_closed_engine_cannot_be_read(self, engine: Engine, table: Table) -> None:
        """The reader does not outlive it."""
        reader = engine.row_reader("plain")
        engine.close()
        with pytest.raises(Closed):
            reader.row(b"r")

    def test_a_row_that_is_no_text_is_refused(self, table: Table) -> None:
        """Nothing is guessed."""
        with pytest.raises(InvalidKey):
            table.row(5)  # type: ignore[arg-type]
