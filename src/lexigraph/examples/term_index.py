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
from lexigraph.cells.cell import leading_key
from lexigraph.codec import following_prefix
from lexigraph.errors import InvalidValue
from lexigraph.examples.row_changes import change_row, reading

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
        one commit. If another writer changed the record in between, that is a Conflict: try again.
        On an engine that changes one row at once, the index gets new terms first and forgets old
        ones last; look-ups leave out what the record does not say.
        """
        row, label = Range.row(record), visibility.encode()
        terms = {field: TERM.encode(fields[field]) for field in self.indexed & fields.keys()}
        written = {field: TERM.encode_value(value) for field, value in fields.items()}
        index = Mutations()
        for field, term in terms.items():
            index.put(term, field, record, visibility=visibility)
        with reading(self.engine) as snapshot:
            cells = self.main.scan(ranges=[row], authorizations=ALL, snapshot=snapshot)
            forgotten = Mutations() if snapshot is None else index
            seen = {c.family.decode(): c for c in cells if c.visibility == label}
            for field in terms.keys() & seen.keys():
                old = TERM.encode(TERM.decode_value(seen[field].value))
                # A marker also hides a put of its own commit: never delete what is written anew.
                if old != terms[field]:
                    # Of that time: another writer may bring the old term back meanwhile.
                    time = seen[field].timestamp if snapshot is None else None
                    forgotten.delete(old, field, record, visibility=visibility, timestamp=time)
            if snapshot is not None:
                main = Mutations()
                for field, value in written.items():
                    main.put(record, field, "", value, visibility=visibility)
                self.engine.write(
                    {self.main.name: main, self.index.name: index},
                    if_unchanged=(snapshot, [(self.main.name, row)]),
                )
                return
        self.index.write(index)
        change_row(
            self.main,
            record,
            puts={(field.encode(), b"", label): value for field, value in written.items()},
            seen={
                (field.encode(), b"", label): seen[field].value if field in seen else None
                for field in written
            },
        )
        self.index.write(forgotten)

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
        held = authorizations if isinstance(authorizations, All) else list(authorizations)
        cells = self.index.scan(ranges=[terms], columns=[field], authorizations=held)
        found = dict.fromkeys(cell.qualifier.decode() for cell in cells)
        if self.engine.capabilities.transactions or not found:
            return list(found)
        # A writer may be between the index and the record, or have ended there.
        said = self.fetch(found, field, authorizations=held)
        true = {one for one, _, value in said if terms.contains(leading_key(TERM.encode(value)))}
        return [one for one in found if one in true]


def term_range(least: Any, greatest: Any) -> Range:
    """Return the index rows of all terms from ``least`` to ``greatest``, which have one type.

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
