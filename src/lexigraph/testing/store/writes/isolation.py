"""Isolation: a scan reads one moment from its first cell to its last, whoever writes meanwhile.

Layer ``testing``. Threads here prove that no half of a commit is ever seen; they measure no time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from threading import Thread

from lexigraph.errors import Conflict
from lexigraph.store import (
    Cell,
    CellBatch,
    Condition,
    ConditionalMutation,
    Engine,
    Mutations,
    Outcome,
    Range,
    ScanSpec,
    Table,
)
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read, rows

WIDTH = 5
COMMITS = 100


def wide_row(number: int, *, row: str = "r") -> Mutations:
    """Return a commit that gives every column of a row the same value."""
    mutations = Mutations()
    for column in range(WIDTH):
        mutations.put(row, "f", str(column), str(number))
    return mutations


def while_running(work: Callable[[], None]) -> Iterator[None]:
    """Run something in a thread; give a turn again and again until it ended, and one after."""
    worker = Thread(target=work)
    worker.start()
    while worker.is_alive():
        yield
    worker.join()
    yield


class Isolation(StoreTests):
    """Isolation of scans from writes."""

    @needs("snapshots")
    def test_a_scan_is_fixed_when_its_iteration_starts(self, engine: Engine, table: Table) -> None:
        """Writes behind its first cell do not show."""
        table.write(Mutations().put("a").put("b"))
        cells = chain.from_iterable(engine.scan("plain", batch_cells=1))
        first = next(cells)
        table.put("c")
        table.delete("b")
        table.compact()
        assert rows([first, *cells]) == [b"a", b"b"]

    def test_a_scan_sees_what_was_written_before_its_iteration_starts(
        self, engine: Engine, table: Table
    ) -> None:
        """Asking for a scan reads nothing yet."""
        scan = engine.scan("plain")
        table.put("a")
        assert rows(chain.from_iterable(scan)) == [b"a"]

    @needs("snapshots")
    def test_two_scans_of_different_moments_run_side_by_side(
        self, engine: Engine, table: Table
    ) -> None:
        """Each with its own."""
        table.write(Mutations().put("a").put("b"))
        early = chain.from_iterable(engine.scan("plain", batch_cells=1))
        assert next(early).row == b"a"
        table.put("aa")
        late = chain.from_iterable(engine.scan("plain", batch_cells=1))
        assert (rows(late), rows(early)) == ([b"a", b"aa", b"b"], [b"b"])

    def test_no_reader_sees_a_torn_row(self, engine: Engine, table: Table) -> None:
        """A thread rewrites a row as a whole while another reads it, cell by cell."""
        table.write(wide_row(0))

        def write() -> None:
            for number in range(1, COMMITS):
                table.write(wide_row(number))
                if number % 10 == 0:
                    table.compact()

        seen = [[cell.value for cell in read(table, batch_cells=1)] for _ in while_running(write)]
        assert all(len(found) == WIDTH and len(set(found)) == 1 for found in seen)
        assert seen[-1] == [str(COMMITS - 1).encode()] * WIDTH

    @needs("atomic-batches")
    def test_no_reader_sees_half_of_a_commit_over_two_tables(
        self, engine: Engine, table: Table
    ) -> None:
        """Read from one snapshot, both tables always agree."""
        other = engine.create_table("other")
        engine.write({"plain": wide_row(0), "other": wide_row(0)})

        def write() -> None:
            for number in range(1, COMMITS):
                engine.write({"plain": wide_row(number), "other": wide_row(number)})

        # An engine without snapshots refuses here, with no thread left behind.
        engine.snapshot().close()
        for _ in while_running(write):
            with engine.snapshot() as moment:
                pair = [[c.value for c in read(t, snapshot=moment)] for t in (table, other)]
            assert pair[0] == pair[1]
        assert pair[0] == [str(COMMITS - 1).encode()] * WIDTH

    def test_writes_from_several_threads_are_all_kept(self, engine: Engine, raw: Table) -> None:
        """Each commit has a timestamp of its own."""
        commits: list[int] = []

        def write(name: str) -> None:
            commits.extend(raw.put(name) for _ in range(50))

        threads = [Thread(target=write, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(commits)) == len(read(raw)) == 200

    @needs("transactions")
    def test_counters_raised_in_transactions_lose_nothing(
        self, engine: Engine, table: Table
    ) -> None:
        """Threads read, add one and write if nothing changed; a conflict is tried again."""
        table.put("counter", value="0")
        counter = Range.row(b"counter")

        def raise_once() -> None:
            while True:
                with engine.snapshot() as moment:
                    spec = ScanSpec(ranges=[counter])
                    [cell] = read(table, spec, snapshot=moment)
                    raised = Mutations().put("counter", value=str(int(cell.value) + 1))
                    try:
                        engine.write({"plain": raised}, if_unchanged=(moment, [("plain", counter)]))
                    except Conflict:
                        continue
                    return

        def raise_often() -> None:
            for _ in range(25):
                raise_once()

        # An engine without snapshots refuses here, where its error is seen.
        raise_once()
        threads = [Thread(target=raise_often) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [cell.value for cell in read(table)] == [b"101"]

    @needs("conditional_writes")
    def test_of_many_who_want_a_lock_one_gets_it(self, engine: Engine, table: Table) -> None:
        """Threads write the same column if it is absent."""
        outcomes: list[Outcome] = []

        def take(name: str) -> None:
            mutation = ConditionalMutation("lock", [Condition("owner")]).put("owner", value=name)
            outcomes.extend(engine.conditional_write("plain", [mutation]))

        threads = [Thread(target=take, args=(name,)) for name in "abcdefgh"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert outcomes.count(Outcome.ACCEPTED) == len(read(table)) == 1

    def test_what_a_writer_changes_in_its_own_list_later_is_not_stored(self, table: Table) -> None:
        """A batch is taken as it was when it was written."""
        cells = [Cell(b"a", timestamp=1)]
        batch = CellBatch.from_cells(cells)
        mutations = Mutations().put("b", timestamp=1)
        table.write(batch)
        table.write(mutations)
        cells.append(Cell(b"c"))
        mutations.put("d")
        assert rows(read(table)) == [b"a", b"b"]
