"""The metadata of a graph: a few values by key, which belong to no element.

Layer ``graph``. Each value has a visibility; a reader sees those that it may.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lexigraph.graph.write.records.given import FREE, fit, read_text
from lexigraph.layout.stored.record_names import StoredMetadata
from lexigraph.layout.write.record_commit import bound_records
from lexigraph.schema.keys import label_of

if TYPE_CHECKING:
    from lexigraph.graph.session import Session


class GraphMetadata(Mapping[str, Any]):
    """What a session sees of the metadata of its graph, as a mapping that ``set`` changes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def set(self, key: str, value: Any, *, visibility: str | bytes = b"") -> None:
        """Store a value under a key, or remove the one of this visibility with ``None``."""
        session = self._session
        session._check_writer()
        session._refuse_in_transaction("the metadata of a graph")
        read_text(key, "a key of metadata")
        seen_by = label_of(visibility)
        session._check_labels([seen_by])
        held = None if value is None else fit(FREE, value)
        self._held().write(key, held, seen_by, session.authorizations)

    def _held(self) -> StoredMetadata:
        stored = self._session._access.stored
        return StoredMetadata(stored, bound_records(stored).names_table)

    def _read(self) -> dict[str, Any]:
        session = self._session
        if session._access.stored.records is None:
            return {}
        return self._held().read(session.authorizations, session._snapshot)

    def __getitem__(self, key: str) -> Any:
        """Return the value of a key."""
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        """Yield the keys, sorted."""
        return iter(sorted(self._read()))

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._read())

    def __repr__(self) -> str:
        """Show what can be seen."""
        return f"<metadata of graph {self._session._access.name!r}: {self._read()!r}>"
