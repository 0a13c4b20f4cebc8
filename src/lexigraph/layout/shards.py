"""Shards: a byte in front of each row, so that one vertex lies in several parts of a table.

Layer ``layout``. The shard is a field of the plan like any other; only the layout knows how it
comes about. The bytes of a shard follow from the ids alone. Where duplicates are spread it is drawn
instead, and they are looked for in every shard: were it their number, the order of what a reader
sees would tell of elements in between that are hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

from lexigraph.codec import codec_for
from lexigraph.codec.escape import escape
from lexigraph.keyplan import StoredElement
from lexigraph.keyplan.model import ESCAPED, FieldPart
from lexigraph.layout.ends import Ends
from lexigraph.layout.options import DUPLICATES, KeyOptions
from lexigraph.layout.row_kinds import EDGE_KINDS, VERTEX
from lexigraph.layout.spi import Derived
from lexigraph.schema import Group, Schema

SHARD = ".shard"
"""The plan's field; the dot keeps it apart from properties."""


class Shards:
    """Which shards an element may lie in; without sharding, one of no bytes."""

    def __init__(self, schema: Schema, ends: Ends, options: KeyOptions) -> None:
        self.sharded = options.shards > 1
        self._number, self._ends = options.shards, ends
        encode = codec_for("int8").encode
        self.prefixes = [encode(at) for at in range(options.shards)] if self.sharded else [b""]
        spread = options.shard_by == DUPLICATES
        self._spread = {
            name for name, group in schema.groups.items() if spread and not group.aggregates
        }
        self._spread_kinds = {schema.groups[name].kind for name in self._spread}
        self._drawn = Derived(SHARD, options.shards)

    def derive(self, element: StoredElement) -> StoredElement:
        """Give the element with its shard."""
        if not self.sharded:
            return element
        shard = self._shard(element)
        return replace(element, properties={**element.properties, SHARD: shard})

    def derived(self, group: Group) -> Derived | None:
        """Say how the shard of an element comes about."""
        if not self.sharded:
            return None
        if group.name in self._spread:
            return self._drawn
        ids = tuple(FieldPart(name, self._ends.codec, ESCAPED) for name in group.ids)
        return Derived(SHARD, self._number, ids)

    def of_vertex(
        self, vertex: Any, kinds: frozenset[str]
    ) -> Iterator[tuple[bytes, frozenset[str]]]:
        """Give the shards of a vertex and its edges, with the kinds of rows to look for there."""
        if not self.sharded:
            yield b"", kinds
            return
        own = None if "vertex" in self._spread_kinds else self._hash(vertex)
        for shard, prefix in enumerate(self.prefixes):
            there = kinds if own is None or shard == own else kinds & EDGE_KINDS
            if there:
                yield prefix, there

    def of_pair(self, source: Any, destination: Any) -> list[bytes]:
        """Give the shards that edges between two vertices may lie in."""
        if not self.sharded or "edge" in self._spread_kinds:
            return self.prefixes
        return [self.prefixes[self._hash(source, destination)]]

    def _shard(self, element: StoredElement) -> int:
        if element.group in self._spread:
            return self._drawn.draw(1)[0]
        if element.kind == VERTEX:
            return self._hash(element.vertex)
        return self._hash(element.source, element.destination)

    def _hash(self, *ids: Any) -> int:
        # Sorted, because both rows of an edge, and an undirected edge seen from either end, have
        # one shard.
        keys = sorted(escape(self._ends.encode(one)) for one in ids)
        return crc32(b"\x00".join(keys)) % self._number
