"""A second table that finds rows by what is in them.

Layer ``examples``. Index row = term, family = field, qualifier = row of the record. Terms of all
types share one index: each is written in the self-describing form, whose bytes sort by type, then
by value, so ranges of numbers and dates are ranges of rows. An index cell has the label of the cell
it points to: nobody learns from the index what the record would not tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lexigraph import ALL, All, Engine, Mutations, Range, codec_for
from lexigraph.codec import following_prefix
from lexigraph.errors import InvalidValue

TERM = codec_for("any")


class IndexedRecords:
    """Records of typed fields, and the index of those fields that are to be found by.

    >>> from datetime import date
    >>> from lexigraph import MemoryEngine
    >>> staff = IndexedRecords(MemoryEngine(), "staff", indexed=["dept", "born", "pay"])
    >>> staff.put("e1", {"name": "Ann", "dept": "sales", "born": date(1985, 5, 1)})
    >>> staff.put("e2", {"name": "Bob", "dept": "sales", "born": date(1999, 1, 9)})
    >>> staff.put("e2", {"pay": 900}, visibility="hr")
    >>> staff.ids("dept", "sales")
    ['e1', 'e2']
    >>> staff.ids_between("born", date(1990, 1, 1), None)
    ['e2']
    >>> staff.ids_between("pay", 500, 1000), staff.ids_between("pay", 500, 1000, ["hr"])
    ([], ['e2'])
    """

    def __init__(self, engine: Engine, name: str, *, indexed: Iterable[str]) -> None:
        self.engine = engine
        self.main = engine.create_table(name)
        self.index = engine.create_table(f"{name}_index")
        self.indexed = frozenset(indexed)

    def put(self, record: str, fields: Mapping[str, Any], *, visibility: str = "") -> None:
        """Write fields of one record under one label, and point to them from the index.

        Fields written before under that label are replaced and the index forgets their terms, in
        one commit. When somebody else wrote the record in between, that is a Conflict: try again.
        """
        row = Range.row(record)
        terms = {field: TERM.encode(fields[field]) for field in self.indexed & fields.keys()}
        with self.engine.snapshot() as snapshot:
            main, index = Mutations(), Mutations()
            for cell in self.main.scan(ranges=[row], authorizations=ALL, snapshot=snapshot):
                field, old = cell.family.decode(), TERM.decode_value(cell.value)
                if field not in terms or cell.visibility != visibility.encode():
                    continue
                # A marker also hides a put of its own commit: never delete what is written anew.
                if TERM.encode(old) != terms[field]:
                    index.delete(TERM.encode(old), field, record, visibility=visibility)
            for field, value in fields.items():
                main.put(record, field, "", TERM.encode_value(value), visibility=visibility)
                if field in terms:
                    index.put(terms[field], field, record, visibility=visibility)
            self.engine.write(
                {self.main.name: main, self.index.name: index},
                if_unchanged=(snapshot, [(self.main.name, row)]),
            )

    def ids(self, field: str, value: Any, authorizations: Iterable[str] | All = ()) -> list[str]:
        """Look a term up: the ids of the records whose field has this value."""
        return self._ids(Range.row(TERM.encode(value)), field, authorizations)

    def ids_between(
        self,
        field: str,
        least: Any,
        greatest: Any,
        authorizations: Iterable[str] | All = (),
    ) -> list[str]:
        """Look a range of terms up, both ends included; ``None`` leaves an end open."""
        return self._ids(term_range(least, greatest), field, authorizations)

    def fetch(
        self,
        records: Iterable[str],
        *fields: str,
        authorizations: Iterable[str] | All = (),
    ) -> Iterator[tuple[str, str, Any]]:
        """Read many records with one batch scan: id, field and value, some fields or all.

        >>> from lexigraph import MemoryEngine
        >>> staff = IndexedRecords(MemoryEngine(), "staff", indexed=["dept"])
        >>> for number, dept in enumerate(["sales", "stock", "sales"]):
        ...     staff.put(f"e{number}", {"dept": dept, "seat": number})
        >>> list(staff.fetch(staff.ids("dept", "sales"), "seat"))
        [('e0', 'seat', 0), ('e2', 'seat', 2)]
        """
        cells = self.main.scan(rows=records, columns=list(fields), authorizations=authorizations)
        for cell in cells:
            yield cell.row.decode(), cell.family.decode(), TERM.decode_value(cell.value)

    def _ids(self, terms: Range, field: str, authorizations: Iterable[str] | All) -> list[str]:
        cells = self.index.scan(ranges=[terms], columns=[field], authorizations=authorizations)
        return list(dict.fromkeys(cell.qualifier.decode() for cell in cells))


def term_range(least: Any, greatest: Any) -> Range:
    """Give the index rows of all terms from ``least`` to ``greatest``, which have one type.

    >>> term_range(2, 10).contains(Range.row(TERM.encode(9)).start)
    True
    >>> term_range(2, "ten")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidValue: a range from 2 to 'ten' would mix two types
    """
    ends = [None if value is None else TERM.encode(value) for value in (least, greatest)]
    kinds = {end[:1] for end in ends if end is not None}
    if len(kinds) != 1:
        wrong = "would mix two types" if kinds else "has no end"
        raise InvalidValue(f"a range from {least!r} to {greatest!r} {wrong}")
    first, last = ends
    if first is not None and last is not None and first > last:
        raise InvalidValue(f"a range from {least!r} to {greatest!r} holds nothing")
    if last is None:
        # All terms of a type start with the type's byte.
        return Range.rows(first, following_prefix(kinds.pop()), end_inclusive=False)
    return Range.rows(kinds.pop() if first is None else first, last)
