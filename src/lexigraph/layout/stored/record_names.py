"""Names that records use and no class declares: learnt when they are first used.

Layer ``layout``. One row of the table ``records.names`` for each name, written in the commit that
first uses it: labels of vertices, labels of edges, and properties with the type of their values.
The metadata of the graph has rows of its own in the same table. Families are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lexigraph.cells.mutations import MutationBatch, Mutations
from lexigraph.cells.ranges import Range
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import SchemaError
from lexigraph.schema import Group, Schema
from lexigraph.schema.model import EDGE
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine

if TYPE_CHECKING:
    from lexigraph.layout.stored.graph import StoredGraph

LABEL_OF_VERTICES, LABEL_OF_EDGES, PROPERTY = "vertex", "edge", "property"
ANY_TYPE: Final = "any"
_FAMILY: Final = b"name"
_METADATA: Final = b"metadata"


class UsedName(NamedTuple):
    """A name as a write uses it; ``type`` is the codec of a property's value, else empty."""

    kind: str
    name: str
    type: str = ""


class RecordNames:
    """The names that one graph has learnt."""

    def __init__(self, engine: Engine, table: str) -> None:
        self._engine, self.table = engine, table
        self._known: dict[tuple[str, str], str] = {}

    def fresh(
        self,
        used: Iterable[UsedName],
        snapshot: Snapshot | None,
        record: list[tuple[str, Range]],
    ) -> list[UsedName]:
        """Return the names that a write has to store; what is read is appended to ``record``.

        A property whose values have several types gets the type ``any``.
        """
        asked: dict[tuple[str, str], str] = {}
        for one in used:
            key = (one.kind, one.name)
            asked[key] = one.type if asked.get(key, one.type) == one.type else ANY_TYPE
        unsure = {key: kind for key, kind in asked.items() if not self._covers(key, kind)}
        if not unsure:
            return []
        ranges = [Range.row(_row(*key)) for key in unsure]
        record += [(self.table, one) for one in ranges]
        for one in self._read(ranges, snapshot):
            self._known[one.kind, one.name] = one.type
        found = []
        for key, kind in unsure.items():
            if not self._covers(key, kind):
                found.append(UsedName(*key, ANY_TYPE if key in self._known else kind))
        return found

    def batch(self, names: Iterable[UsedName]) -> MutationBatch:
        """Return the cells that store names."""
        made = Mutations()
        for one in names:
            made.put(_row(one.kind, one.name), _FAMILY, b"", one.type)
        return made.batch()

    def learn(self, names: Iterable[UsedName]) -> None:
        """Remember names that were stored."""
        for one in names:
            self._known[one.kind, one.name] = one.type

    def all(self, snapshot: Snapshot | None = None) -> list[UsedName]:
        """Return all names that were learnt, sorted."""
        return sorted(self._read([Range()], snapshot))

    def check_new(self, before: Schema, after: Schema) -> None:
        """Refuse new classes of edges whose references differ from those that are stored.

        Edges of a label that was learnt have references without a sort key and a signature.
        """
        new = {name: _unlike_learnt(one) for name, one in after.records.groups.items()}
        asked = {name: what for name, what in new.items() if what and name not in before.groups}
        if not asked:
            return
        ranges = [Range.row(_row(LABEL_OF_EDGES, name)) for name in asked]
        for one in self._read(ranges, None):
            raise SchemaError(
                f"class {one.name!r} cannot have {asked[one.name]}: edges of this label are "
                "stored without it",
                hint="Leave that out, or give the class another name and add the edges again.",
            )

    def _covers(self, key: tuple[str, str], kind: str) -> bool:
        return self._known.get(key) in (kind, ANY_TYPE)

    def _read(self, ranges: list[Range], snapshot: Snapshot | None) -> Iterator[UsedName]:
        spec = ScanSpec(ranges=ranges, columns=[(_FAMILY, None)])
        with self._engine.scan(self.table, spec, snapshot=snapshot) as batches:
            for cell in chain.from_iterable(batches):
                kind, _, name = cell.row.decode().partition(":")
                yield UsedName(kind, name, cell.value.decode())


def _unlike_learnt(group: Group) -> str:
    """Return what references of a class have that those of a learnt label do not."""
    record = group.record
    if record is None or group.kind != EDGE:
        return ""
    if record.sort_key:
        return "a sort key"
    if record.signature:
        return "a signature"
    if record.unidirected:
        return "unidirected=True"
    return "directed=False" if group.directed is False else ""


class StoredMetadata:
    """The metadata of one graph: values by key, each under a visibility."""

    def __init__(self, stored: StoredGraph, table: str) -> None:
        self._engine, self._table = stored.engine, table

    def read(
        self, authorizations: Authorizations | All, snapshot: Snapshot | None = None
    ) -> dict[str, Any]:
        """Return what a reader sees, by key; of a key under several visibilities the newest."""
        spec = ScanSpec(columns=[(_METADATA, None)], authorizations=authorizations)
        found: dict[str, tuple[int, Any]] = {}
        with self._engine.scan(self._table, spec, snapshot=snapshot) as batches:
            for cell in chain.from_iterable(batches):
                key = cell.row.decode().partition(":")[2]
                if key not in found or cell.timestamp > found[key][0]:
                    found[key] = cell.timestamp, ANY.decode_value(cell.value)
        return {key: value for key, (_, value) in found.items()}

    def write(
        self, key: str, value: Any, visibility: bytes, authorizations: Authorizations | All
    ) -> None:
        """Store a value; ``None`` removes the one under this visibility."""
        made, row = Mutations(), f"metadata:{key}"
        if value is None:
            made.delete(row, _METADATA, b"", visibility=visibility)
        else:
            made.put(row, _METADATA, b"", ANY.encode_value(value), visibility=visibility)
        self._engine.write({self._table: made}, authorizations=authorizations)


def _row(kind: str, name: str) -> bytes:
    return f"{kind}:{name}".encode()
