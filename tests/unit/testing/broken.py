"""Engines with one defect each: the suite and the state machine must notice every one of them.

Each is the memory engine with the smallest change that a real engine could get wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from itertools import chain
from typing import Any

from lexigraph.cells.mutations import as_batch
from lexigraph.security import ALL
from lexigraph.store import Cell, CellBatch, MemoryEngine, MutationBatch, Resume, ScanSpec
from lexigraph.store.scan.runs import Run


class KeepsRuns(MemoryEngine):
    """The sound engine that all of these change."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"join_runs": False, **options})


class LabelsIgnored(KeepsRuns):
    def scan(self, table: str, spec: ScanSpec | None = None, **how: Any) -> Iterator[CellBatch]:
        return super().scan(table, replace(spec or ScanSpec(), authorizations=ALL), **how)


class _ChangesWrites(KeepsRuns):
    def change(self, cell: Cell) -> Cell | None:
        raise NotImplementedError

    def write(self, batches: Mapping[str, Any], **how: Any) -> int:
        changed = {name: self._changed(as_batch(batch)) for name, batch in batches.items()}
        return super().write(changed, **how)

    def _changed(self, batch: MutationBatch) -> MutationBatch:
        pairs = [(self.change(c), t) for c, t in zip(batch.cells, batch.timed, strict=True)]
        kept = [(cell, timed) for cell, timed in pairs if cell is not None]
        cells = CellBatch.from_cells([cell for cell, _ in kept])
        return MutationBatch(cells, bytes(timed for _, timed in kept))


class DeleteTiesWrong(_ChangesWrites):
    """A marker hides only what is strictly older."""

    def change(self, cell: Cell) -> Cell | None:
        return cell._replace(timestamp=cell.timestamp - 1) if cell.deleted else cell


class DeletesIgnored(_ChangesWrites):
    def change(self, cell: Cell) -> Cell | None:
        return None if cell.deleted else cell


class LabelsNormalised(_ChangesWrites):
    """A&B and B&A become one cell."""

    def change(self, cell: Cell) -> Cell | None:
        return cell._replace(visibility=b"&".join(sorted(cell.visibility.split(b"&"))))


class EmptyPartsLost(_ChangesWrites):
    def change(self, cell: Cell) -> Cell | None:
        return cell if cell.row else None


class _ChangesScans(KeepsRuns):
    def change(self, cells: Iterator[Cell]) -> Iterator[Cell]:
        raise NotImplementedError

    def scan(
        self,
        table: str,
        spec: ScanSpec | None = None,
        *,
        batch_cells: int = 4096,
        **how: Any,
    ) -> Iterator[CellBatch]:
        found = chain.from_iterable(super().scan(table, spec, batch_cells=batch_cells, **how))
        cells = list(self.change(found))
        starts = range(0, len(cells), batch_cells)
        return iter([CellBatch.from_cells(cells[at : at + batch_cells]) for at in starts])


class VersionsAcrossLabels(_ChangesScans):
    def change(self, cells: Iterator[Cell]) -> Iterator[Cell]:
        seen: dict[tuple[bytes, ...], Cell] = {}
        for cell in cells:
            if seen.setdefault(cell[:3], cell).visibility == cell.visibility:
                yield cell


class EqualKeysLost(_ChangesScans):
    def change(self, cells: Iterator[Cell]) -> Iterator[Cell]:
        last = None
        for cell in cells:
            if cell.key != last:
                yield cell
            last = cell.key


class ResumeLosesEqualKeys(KeepsRuns):
    """It goes on behind the key, as Accumulo's servers do."""

    def scan(self, table: str, spec: ScanSpec | None = None, **how: Any) -> Iterator[CellBatch]:
        if spec is not None and spec.after is not None:
            spec = spec.resumed(Resume(spec.after.key, 10**9))
        return super().scan(table, spec, **how)


class BatchesLoseTheirLastCell(KeepsRuns):
    def scan(self, *args: Any, batch_cells: int = 4096, **how: Any) -> Iterator[CellBatch]:
        for batch in super().scan(*args, batch_cells=batch_cells, **how):
            yield batch[:-1] if len(batch) == batch_cells > 1 else batch


class SnapshotNotIsolated(KeepsRuns):
    def scan(
        self, table: str, spec: ScanSpec | None = None, *, snapshot: Any = None, **how: Any
    ) -> Iterator[CellBatch]:
        return super().scan(table, spec, **how)


class ScanNotIsolated(KeepsRuns):
    """Each batch is read from what is there by then."""

    def scan(
        self,
        table: str,
        spec: ScanSpec | None = None,
        *,
        snapshot: Any = None,
        batch_cells: int = 4096,
    ) -> Iterator[CellBatch]:
        spec = spec or ScanSpec()
        while True:
            batch = next(
                super().scan(table, spec, snapshot=snapshot, batch_cells=batch_cells), None
            )
            if batch is None:
                return
            yield batch
            key = batch[-1].key
            spec = spec.resumed(Resume(key, sum(cell.key == key for cell in batch)))


class PartialMergesLoseMarkers(KeepsRuns):
    def compact(self, table: str, *, runs: tuple[int, int] | None = None, **how: Any) -> Any:
        report = super().compact(table, runs=runs, **how)
        if runs is not None and not report.full:
            state = self._tables[table]
            merged = [cell for cell in state.runs[runs[0]].cells if not cell.deleted]
            changed = (*state.runs[: runs[0]], Run(merged), *state.runs[runs[0] + 1 :])
            self._publish({table: replace(state, runs=changed)})
        return report


class PartialMergesCombineAcrossDeletes(KeepsRuns):
    """It takes a client's timestamps for its own."""

    def compact(self, table: str, **how: Any) -> Any:
        state = self._state(table)
        self._publish({table: replace(state, client_timed=False)})
        return super().compact(table, **how)


class MergesAreChanges(KeepsRuns):
    def compact(self, table: str, **how: Any) -> Any:
        report = super().compact(table, **how)
        self._log.add((self._tables[table].identity, run) for run in self._tables[table].runs)
        return report


class BatchHalfApplied(KeepsRuns):
    def write(self, batches: Mapping[str, Any], **how: Any) -> int:
        return [super(BatchHalfApplied, self).write({n: b}, **how) for n, b in batches.items()][-1]


class GrantsIgnored(KeepsRuns):
    def check_granted(self, asked: Any) -> Any:
        return asked


class ConflictsIgnored(KeepsRuns):
    def write(self, batches: Mapping[str, Any], *, if_unchanged: Any = None, **how: Any) -> int:
        return super().write(batches, **how)


class ConditionsIgnored(KeepsRuns):
    def conditional_write(self, table: str, mutations: Iterable[Any], **how: Any) -> Any:
        # Copies: the state machine hands the same mutations to its oracle.
        listed = [copy(mutation) for mutation in mutations]
        for mutation in listed:
            mutation.conditions = ()
        return super().conditional_write(table, listed, **how)


class ClonesShare(KeepsRuns):
    """A clone is only another name."""

    def clone_table(self, name: str, new_name: str) -> Any:
        super().clone_table(name, new_name)
        self._publish({new_name: self._tables[name]})
        self.twins = {name, new_name}
        return self.table(new_name)

    def write(self, batches: Mapping[str, Any], **how: Any) -> int:
        twins = getattr(self, "twins", set())
        shared = {
            twin: batch for n, batch in batches.items() for twin in (twins if n in twins else {n})
        }
        return super().write(shared, **how)


class ImportsUnchecked(KeepsRuns):
    def import_sorted(self, table: str, batches: Iterable[CellBatch]) -> int:
        return self.write({table: CellBatch.concat(batches)})


NOTICED_BY: dict[Callable[..., MemoryEngine], str] = {
    LabelsIgnored: "test_a_reader_sees_what_its_authorizations_satisfy",
    LabelsNormalised: "test_equal_labels_in_other_words_are_two_cells",
    DeleteTiesWrong: "test_at_equal_timestamps_the_delete_wins_in_every_order_of_writing",
    DeletesIgnored: "test_a_delete_hides_what_was_written_before",
    EmptyPartsLost: "test_a_cell_of_nothing_but_empty_parts_is_a_cell",
    VersionsAcrossLabels: "test_each_label_has_its_own_newest_version",
    EqualKeysLost: "test_fully_equal_keys_are_all_kept_with_the_later_first",
    ResumeLosesEqualKeys: "test_a_scan_resumed_behind_any_cell_gives_the_rest",
    BatchesLoseTheirLastCell: "test_every_batch_size_gives_the_same_cells",
    SnapshotNotIsolated: "test_a_snapshot_keeps_what_was_there",
    ScanNotIsolated: "test_a_scan_is_fixed_when_its_iteration_starts",
    PartialMergesLoseMarkers: "test_a_partial_merge_keeps_the_marker_for_what_lies_elsewhere",
    PartialMergesCombineAcrossDeletes: (
        "test_a_marker_written_after_a_merge_still_divides_a_clients_cells"
    ),
    MergesAreChanges: "test_a_merge_is_no_change",
    BatchHalfApplied: "test_a_write_to_several_tables_is_refused_whole",
    GrantsIgnored: "test_asking_for_more_is_an_error",
    ConflictsIgnored: "test_a_change_in_a_range_that_was_read_is_a_conflict",
    ConditionsIgnored: "test_a_value_can_be_asked_for",
    ClonesShare: "test_a_clone_and_its_source_go_their_own_ways",
    ImportsUnchecked: "test_a_cell_out_of_order_refuses_the_import",
}
"""Which test of the suite must fail on which engine."""
