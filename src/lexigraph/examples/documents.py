"""Documents in bins, found by several terms at once, right where they are stored.

Layer ``examples``. A row is a bin: it holds some of the documents and the index of exactly these,
so each bin answers alone and only matches leave it. All cells of a document have its label: who
cannot read a document cannot find it, nor tell from ``without`` that it is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import NamedTuple

from lexigraph import ALL, All, Cell, Engine, Mutations, Range
from lexigraph.codec.buckets import shard_names, shard_of
from lexigraph.errors import InvalidKey
from lexigraph.examples.parallel import interleave
from lexigraph.examples.row_changes import Column, change_row, reading

INDEX = b"i"
BODY = b"e\0text"


class Match(NamedTuple):
    """A document that was found, and the bin it was in."""

    document: str
    body: str
    bin: str


def words(text: str) -> set[str]:
    """Take a text apart into the terms it can be found by.

    >>> sorted(words("The White House, white."))
    ['house', 'the', 'white']
    """
    return set(re.findall(r"\w+", text.lower()))


class DocumentStore:
    """Documents spread over bins by their id. The number of bins and ``terms`` must never change:
    what was written is found, and taken away, by them.

    >>> from lexigraph import MemoryEngine
    >>> store = DocumentStore(MemoryEngine(), "news", bins=4)
    >>> store.put("d1", "the white house")
    >>> store.put("d2", "the house is white")
    >>> store.put("d3", "the red house")
    >>> sorted(match.document for match in store.search(["the", "white", "house"]))
    ['d1', 'd2']
    >>> [match.body for match in store.search(["house"], without=["white"])]
    ['the red house']
    """

    def __init__(
        self,
        engine: Engine,
        name: str,
        *,
        bins: int,
        terms: Callable[[str], Iterable[str]] = words,
    ) -> None:
        self.engine, self.terms = engine, terms
        self.bins = shard_names(bins)
        self.table = engine.create_table(name)

    def bin_of(self, document: str) -> str:
        """Name the bin of a document: the same one in every process, for ever."""
        return self.bins[shard_of(document.encode(), len(self.bins))]

    def put(self, document: str, body: str, *, visibility: str = "") -> None:
        """Store a document; what it was before, under whatever label, is gone."""
        self._replace(document, body, visibility)

    def delete(self, document: str) -> None:
        """Remove a document, if it is there, and everything it was found by."""
        self._replace(document, None, "")

    def search(
        self,
        terms: Iterable[str],
        *,
        without: Iterable[str] = (),
        authorizations: Iterable[str] | All = (),
    ) -> Generator[Match, None, None]:
        """Yield the documents that have all ``terms`` and none of ``without``, as they are found.

        Every bin is searched at the same time; a slow one holds back nothing but its own matches,
        so matches of different bins come in no particular order. All bins are read at one moment,
        or each at its own on an engine without snapshots.
        """
        options = {"terms": [*map(str.encode, terms)], "negated": [*map(str.encode, without)]}
        held = authorizations if isinstance(authorizations, All) else list(authorizations)
        with reading(self.engine) as snapshot:
            scans = [
                self.table.scan(
                    rows=name,
                    authorizations=held,
                    stages=[("intersect-documents", options)],
                    snapshot=snapshot,
                )
                for name in self.bins
            ]
            with closing(interleave(scans)) as cells:
                yield from map(read_match, cells)

    def _replace(self, document: str, body: str | None, visibility: str) -> None:
        if not document or "\0" in document:
            raise InvalidKey(f"a document's id is text without a zero byte, not {document!r}")
        bin_name = self.bin_of(document)
        old_body = Range.exact(bin_name, BODY, document)
        new = set() if body is None else self._columns(document, body, visibility.encode())
        text = (body or "").encode()
        puts = {column: text if column[0] == BODY else b"" for column in new}
        with reading(self.engine) as snapshot:
            scan = self.table.scan(ranges=[old_body], authorizations=ALL, snapshot=snapshot)
            seen = {(BODY, cell.qualifier, cell.visibility): cell.value for cell in scan}
            old = (self._columns(document, was.decode(), key[2]) for key, was in seen.items())
            # A marker also hides a put of its own commit: never delete what is written anew.
            deletes = set().union(*old) - new
            if not puts and not deletes:
                return
            if snapshot is None:
                # A bin is one row, so a document changes at once on these engines too.
                absent = dict.fromkeys((column for column in new if column[0] == BODY), None)
                change_row(
                    self.table, bin_name, puts=puts, deletes=deletes, seen={**absent, **seen}
                )
                return
            batch = Mutations()
            for family, qualifier, label in deletes:
                batch.delete(bin_name, family, qualifier, visibility=label)
            for (family, qualifier, label), value in puts.items():
                batch.put(bin_name, family, qualifier, value, visibility=label)
            self.engine.write(
                {self.table.name: batch}, if_unchanged=(snapshot, [(self.table.name, old_body)])
            )

    def _columns(self, document: str, body: str, label: bytes) -> set[Column]:
        columns = {(BODY, document.encode(), label)}
        for term in self.terms(body):
            if "\0" in term:
                raise InvalidKey(f"a term is text without a zero byte, not {term!r}")
            columns.add((INDEX, f"{term}\0text\0{document}\0".encode(), label))
        return columns


def read_match(cell: Cell) -> Match:
    """Read what ``intersect-documents`` gives: 00 type 00 document 00, and the body.

    >>> read_match(Cell(b"03", b"i", b"\\0text\\0d1\\0", value=b"the white house"))
    Match(document='d1', body='the white house', bin='03')
    """
    document = cell.qualifier.split(b"\0")[2]
    return Match(document.decode(), cell.value.decode(), cell.row.decode())
