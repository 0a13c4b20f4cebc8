"""The stage that finds documents by terms and gives their bodies.

Layer ``store``. The index has one family; its qualifiers are term, type, document and info with a
00 byte behind each of the first three. Bodies lie in the same row, in family prefix, 00, type.
"""

from __future__ import annotations

from collections.abc import Iterator

from lexigraph.cells.cell import Cell, Key, leading_key
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidBytes, show
from lexigraph.store.stages.base import Families
from lexigraph.store.stages.cells.intersect import DocumentPlace, Intersect
from lexigraph.store.stages.options import BYTES, StageOption


class IntersectDocuments(Intersect):
    """Give the documents that have all ``terms`` and none of ``negated``, with their bodies.

    A result has the row, the index family, the qualifier 00 type 00 document 00, and the body as
    value: empty where the document is missing. A range that starts at such a key starts there; any
    other starts at the document its qualifier spells.
    """

    name = "intersect-documents"
    options = (
        *Intersect.options,
        StageOption("index_family", BYTES, default="i"),
        StageOption("document_family", BYTES, default="e"),
    )

    def family_of(self, term: bytes) -> bytes:
        """Return the index family."""
        return bytes(self.settings["index_family"])

    def key(self, row: bytes, term: bytes, document: bytes | None = None) -> Key:
        """Return where a document of a term would be in the index."""
        qualifier = term if document is None else term + b"\0" + document + b"\0"
        return leading_key(row, self.family_of(term), qualifier)

    def start_key(self, start: Key, term: bytes) -> Key:
        """Return where a term's cells start; a key of a result stands for its document."""
        document = start.qualifier
        if self._is_result(start):
            document = document[1:-1]
        return self.key(start.row, term, document)

    def term_of(self, cell: Cell) -> bytes:
        """Return the term that an index cell is about."""
        term, zero, _ = cell.qualifier.partition(b"\0")
        if not zero:
            raise _broken(cell)
        return term

    def document_of(self, cell: Cell) -> bytes:
        """Return type, 00 and document that an index cell is about."""
        parts = cell.qualifier.split(b"\0", 3)
        if len(parts) < 4:
            raise _broken(cell)
        return parts[1] + b"\0" + parts[2]

    def results(self, place: DocumentPlace, range: Range) -> Iterator[Cell]:
        """Yield the result for a document that matches."""
        row, document = place
        key = Key(row, self.family_of(b""), b"\0" + document + b"\0")
        if range.start is not None and self._is_result(range.start) and range.before(key):
            return
        yield Cell(*key, value=self._body(row, document))

    def _is_result(self, key: Key) -> bool:
        qualifier = key.qualifier
        return (
            key.family == self.family_of(b"")
            and len(qualifier) > 1
            and qualifier[0] == qualifier[-1] == 0
        )

    def _body(self, row: bytes, document: bytes) -> bytes:
        kind, _, name = document.partition(b"\0")
        family = self.settings["document_family"] + b"\0" + kind
        wanted = Range.exact(row, family, name)
        families = Families(frozenset({family}), inclusive=True)
        found = next(iter(self.source.scan(wanted, families)), None)
        return b"" if found is None else found.value


def _broken(cell: Cell) -> InvalidBytes:
    return InvalidBytes(
        f"the index qualifier {show(cell.qualifier)} in row {show(cell.row)} is not "
        "term, type, document and info with a 00 byte between",
        hint="Name the family of the index with index_family.",
    )
