"""Storing rows of elements that are written again, at the times that they had.

Layer ``layout``. What they replace goes first, and markers that would hide them are merged away.
"""

from __future__ import annotations

from lexigraph.layout.stored.pending import merge_spans, spans_of
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer


def store_restored(writer: Writer, commit: Commit) -> None:
    """Store what a writer was told to restore."""
    stored, engine = writer.stored, writer.stored.engine
    gone, put = writer.restored()
    if gone:
        commit.store(gone)
    # What is written has the time that it had, and markers hide what is older than they are:
    # these, and those of a delete that ended between two rows.
    for table, batch in put.batches(stored.table_of).items():
        if engine.stats(table).delete_markers:
            rows = set(batch.cells.row)
            merge_spans(engine, table, spans_of(engine, table, rows))
    commit.store(put)
