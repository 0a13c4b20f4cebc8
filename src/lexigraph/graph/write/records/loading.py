"""Bulk loads of records: frames and files of one group, as facts, sorted and stored whole.

Layer ``graph``. A load is blind: it does not look what is there, so it is for new ids, each once,
and for ids whose edges keep their shape. Everything else is that of a load of summaries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from lexigraph.errors import UnsupportedError, UsageError, ValidationError
from lexigraph.graph.write.add import AddReport
from lexigraph.graph.write.load import FIX_ROW, LOAD_ROWS, iter_ahead, iter_frames
from lexigraph.graph.write.records.fitting import RecordFitter
from lexigraph.graph.write.records.options import RecordOptions
from lexigraph.graph.write.records.sifting import RecordSifter
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.graph.write.rows.shaping import Shaping
from lexigraph.graph.write.rows.skips import Skips
from lexigraph.graph.write.rows_in import RowClass, group_of_frame
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.loading import ObservedLoad
from lexigraph.layout.write.facts.blind import blind_cells
from lexigraph.layout.write.facts.encoding import FactTableEncoder
from lexigraph.layout.write.record_commit import bound_records
from lexigraph.layout.write.writer import Writer
from lexigraph.schema import Group
from lexigraph.schema.model import EDGE, MULTIPLICITIES
from lexigraph.security import All
from lexigraph.store.load_files import LoadFiles
from lexigraph.store.spi import Engine


class RecordLoader:
    """Loads data frames of one group of records."""

    def __init__(self, writer: Writer, how: RecordOptions, *, learns: bool) -> None:
        self._writer, self._stored, self._how = writer, writer.stored, how
        self._learns = learns
        self._bound = bound_records(writer.stored)
        self._added = 0

    def load(
        self,
        frames: Any,
        given: Any,
        options: RowOptions,
        progress: Callable[[int, int], object] | None,
        authorizations: Iterable[str | bytes] | All,
        *,
        memory_limit_bytes: int,
        files: LoadFiles | None,
    ) -> AddReport:
        """Load a data frame or a file, or all that an iterable yields; ``given`` names the group.

        Of a group with a multiplicity it is refused, unless the caller promises with ``blind``
        that the rows keep it.
        """
        schema, how = self._stored.schema, self._how
        group = schema.group(group_of_frame(frames, given, schema))
        check_promise(group, how)
        check_whole(self._stored.engine)
        skips = Skips() if options.skip_invalid else None
        # What is not given is not stored with a record: reading it shows the default.
        shaping = Shaping(group, RowClass(names=RowClass.of(given, group).names), options)
        fitter = RecordFitter(self._bound, self._stored.ids, learns=self._learns)
        encoder = FactTableEncoder(self._bound, group)
        # Generated ids are not looked for either.
        sifter = RecordSifter(
            self._writer, shaping, skips, fitter, replace(how, blind=True), encoder
        )
        self._stored.finish_merges()
        reader = self._stored.engine.check_granted(authorizations)
        report = ObservedLoad(self._stored, group.name, reader, encoder.main_table).load(
            iter_ahead(self._parts(sifter, group, iter_frames(frames))),
            memory_limit_bytes=memory_limit_bytes,
            files=files,
            progress=progress,
        )
        return AddReport.of(skips, self._added, commits=1, timestamp=report.timestamp)

    def _parts(
        self, sifter: RecordSifter, group: Group, frames: Iterator[Any]
    ) -> Iterator[Changed]:
        stamp = stamp_after(self._stored.engine)
        try:
            for table in sifter.tables(frames, LOAD_ROWS):
                found = sifter.sift(table, stamp)
                if isinstance(found, list):
                    batches, count = blind_cells(self._bound, found, stamp), len(found)
                else:
                    batches, count = dict(found.batches), found.count
                self._writer.check_labels(batches.values())
                self._added += count
                yield Changed(beside=batches, added_count=Counter({group.name: count}))
        except ValidationError as error:
            error.replace_hint(FIX_ROW)
            raise


def check_promise(group: Group, how: RecordOptions) -> None:
    """Refuse a load of what it cannot judge, unless its caller promises it."""
    assert group.record is not None
    multiplicity = group.record.multiplicity
    if group.kind == EDGE and multiplicity != MULTIPLICITIES[0] and not how.blind:
        raise UsageError(
            f"edges of {group.name!r} are {multiplicity}, which a load does not check",
            hint="Use add, which checks it, or promise with blind=True that the rows keep it.",
        )


def check_whole(engine: Engine) -> None:
    """Refuse a load that would leave edges without references if it failed half-way."""
    if not engine.capabilities.loads_tables:
        raise UnsupportedError(
            f"{engine.capabilities.engine} cannot load records yet: it loads one table at a time",
            hint="Use add, which writes each edge before its references.",
        )


def stamp_after(engine: Engine) -> int:
    """Return when a load is written that has no commit yet: after every commit that there is.

    What has a time of its own is stamped with it.
    """
    newest = None
    if engine.capabilities.snapshots:
        with engine.snapshot() as snapshot:
            newest = snapshot.timestamp
    return max(engine.now(), newest or 0) + 1
