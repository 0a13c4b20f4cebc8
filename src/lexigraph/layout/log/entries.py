"""What one commit changed, as data: keys of summaries, facts of records, loads and erasures.

Layer ``layout``; section 3 of ``spec/changes.md``. Values are never part of it. An entry is stored
in parts, each of which is read alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidBytes
from lexigraph.layout.log.condition import ElementCondition, Shapes
from lexigraph.layout.log.packing import (
    numbers,
    pack,
    pack_column,
    pack_strings,
    read_column,
    read_numbers,
    read_strings,
    unpack,
)
from lexigraph.layout.records.facts import EdgeShape

PART_CHANGES: Final = 50_000
"""About how many changes a part has."""
COMMIT, LOAD, ERASE = "commit", "load", "erase"
"""The kinds of entries: changes one by one; a bulk load as a whole; what no longer has a name."""
ADDED, DELETED, RESTORED = "added", "deleted", "restored"
FACT_KINDS: Final = (b"a", b"e", b"h", b"hp", b"l", b"p", b"pm")
"""Families by their numbers in an entry. They are stored: never change their order."""
_KIND_NUMBERS: Final = {family: number for number, family in enumerate(FACT_KINDS)}


@dataclass(slots=True)
class SummaryKeys:
    """Keys of elements of one group that were added, deleted or restored: cells without values."""

    group: str
    what: str
    cells: CellBatch

    __hash__ = None  # type: ignore[assignment]


@dataclass(slots=True)
class SubjectChanges:
    """What a commit wrote to the row of one vertex or edge."""

    edge: bool
    row: bytes
    before: ElementCondition
    after: ElementCondition
    shapes_before: Shapes = ()
    shapes_after: Shapes = ()
    facts: list[tuple[bytes, int, bytes, bytes]] = field(default_factory=list)
    """Family, state, qualifier and visibility of each fact, in the order of changes."""

    __hash__ = None  # type: ignore[assignment]


@dataclass(slots=True)
class LogEntry:
    """The changes of one commit, or a part of them.

    A load and an erasure have ``counts`` by group and the ``labels`` under which they happened.
    """

    kind: str = COMMIT
    summaries: list[SummaryKeys] = field(default_factory=list)
    subjects: list[SubjectChanges] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    labels: list[bytes] = field(default_factory=list)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        """Return how many changes it has, about."""
        own = sum(len(one.cells) for one in self.summaries)
        return own + sum(len(one.facts) for one in self.subjects) or 1

    def __bool__(self) -> bool:
        """Return whether it says anything."""
        return bool(self.kind != COMMIT or self.summaries or self.subjects)

    def parts(self) -> Iterator[LogEntry]:
        """Yield it in parts; the changes of one record stay together."""
        if len(self) <= PART_CHANGES:
            yield self
            return
        for one in self.summaries:
            for start in range(0, len(one.cells), PART_CHANGES):
                cells = one.cells[start : start + PART_CHANGES]
                yield LogEntry(summaries=[SummaryKeys(one.group, one.what, cells)])
        held: list[SubjectChanges] = []
        size = 0
        for subject in self.subjects:
            held.append(subject)
            size += len(subject.facts)
            if size >= PART_CHANGES:
                yield LogEntry(subjects=held)
                held, size = [], 0
        if held:
            yield LogEntry(subjects=held)

    def to_bytes(self) -> bytes:
        """Write it."""
        header: dict[str, Any] = {"kind": self.kind}
        columns: list[bytes] = []
        if self.kind != COMMIT:
            header["counts"] = self.counts
            header["labels"] = list(map(_text, sorted(self.labels)))
        if self.summaries:
            header["summaries"] = [[one.group, one.what, len(one.cells)] for one in self.summaries]
            for one in self.summaries:
                for column in ("row", "family", "qualifier", "visibility"):
                    columns += pack_column(getattr(one.cells, column))
        if self.subjects:
            columns += _pack_subjects(self.subjects, header)
        # Keys of many summaries are written so fast that shrinking them would be felt.
        return pack(header, columns, shrinks=not self.summaries)

    @staticmethod
    def from_bytes(data: bytes) -> LogEntry:
        """Read it."""
        header, columns = unpack(data)
        left = iter(columns)
        try:
            entry = LogEntry(
                header["kind"],
                counts=header.get("counts", {}),
                labels=[_bytes(one) for one in header.get("labels", ())],
            )
            for group, what, count in header.get("summaries", ()):
                read = [read_column(next(left), next(left), count) for _ in range(4)]
                cells = CellBatch.from_cells(Cell(*key) for key in zip(*read, strict=True))
                entry.summaries.append(SummaryKeys(group, what, cells))
            if "conditions" in header:
                entry.subjects = list(_read_subjects(header, left))
        except (KeyError, IndexError, StopIteration, TypeError, ValueError) as error:
            if isinstance(error, InvalidBytes):
                raise
            raise InvalidBytes(f"an entry of changes cannot be read: {error!r}") from None
        return entry


class _Numbered(dict[Any, int]):
    """Numbers things in the order in which they first come."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


def _pack_subjects(subjects: list[SubjectChanges], header: dict[str, Any]) -> Iterator[bytes]:
    conditions, labels = _Numbered(), _Numbered()
    yield bytes(one.edge for one in subjects)
    yield from pack_strings([one.row for one in subjects])
    yield numbers(conditions[one.before] for one in subjects)
    yield numbers(conditions[one.after] for one in subjects)
    yield from pack_strings([_write_shapes(one) for one in subjects if one.edge])
    yield numbers(len(one.facts) for one in subjects)
    facts = list(chain.from_iterable(one.facts for one in subjects))
    yield bytes(_KIND_NUMBERS[one[0]] for one in facts)
    yield bytes(one[1] for one in facts)
    yield from pack_strings([one[2] for one in facts])
    yield numbers(labels[one[3]] for one in facts)
    header["conditions"] = [[list(map(_text, part)) for part in one] for one in conditions]
    header["visibilities"] = list(map(_text, labels))


def _read_subjects(header: dict[str, Any], left: Iterator[bytes]) -> Iterator[SubjectChanges]:
    conditions = [
        ElementCondition(*(tuple(map(_bytes, part)) for part in one))
        for one in header["conditions"]
    ]
    labels = list(map(_bytes, header["visibilities"]))
    edges, rows = next(left), read_strings(next(left), next(left))
    before, after = read_numbers(next(left)), read_numbers(next(left))
    shapes = iter(read_strings(next(left), next(left)))
    sizes, kinds, states = read_numbers(next(left)), next(left), next(left)
    qualifiers, of_facts = read_strings(next(left), next(left)), read_numbers(next(left))
    facts = iter(
        zip(
            [FACT_KINDS[one] for one in kinds],
            states,
            qualifiers,
            [labels[one] for one in of_facts],
            strict=True,
        )
    )
    for edge, row, old, new, size in zip(edges, rows, before, after, sizes, strict=True):
        first, then = conditions[old], conditions[new]
        one = SubjectChanges(bool(edge), row, first, then)
        if edge:
            read = _read_shapes(next(shapes))
            one.shapes_before = read[: len(first.existences)]
            one.shapes_after = read[len(first.existences) :]
        one.facts = [next(facts) for _ in range(size)]
        yield one


def _write_shapes(one: SubjectChanges) -> bytes:
    # Label, ends and direction only: the properties of a shape are values.
    return ANY.encode_value(tuple(map(_ends_of, (*one.shapes_before, *one.shapes_after))))


def _ends_of(shape: EdgeShape | None) -> Any:
    if shape is None:
        return None
    return shape.label, shape.source, shape.destination, shape.directed


def _read_shapes(data: bytes) -> Shapes:
    read = ANY.decode_value(data)
    return tuple(None if one is None else EdgeShape(*one) for one in read)


def _text(label: bytes) -> str:
    return label.decode("latin-1")


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")
