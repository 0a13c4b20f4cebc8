"""Claiming numbers for the ids of many records.

Layer ``graph``.
"""

from __future__ import annotations

from typing import Any

from lexigraph.arguments import read_choice, read_count, read_int
from lexigraph.errors import InvalidOption, UsageError, show
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.id_blocks import KINDS, MAX_PARTITION


def claim_ids(stored: StoredGraph, count: Any, kind: Any, partition: Any) -> range:
    """Check what was asked for, and claim it."""
    wanted = read_count(count, "count")
    counted = read_choice(kind, KINDS, "kind")
    part = read_int(partition, "partition", least=0)
    if part > MAX_PARTITION:
        raise InvalidOption(f"partition must be at most {MAX_PARTITION:,}, not {show(part)}")
    if stored.records is None:
        raise UsageError(
            f"graph {stored.name!r} has no records, so it numbers no ids",
            hint="Declare a class of records: class Person(lg.Vertex).",
        )
    return stored.ids.claim(counted, wanted, part)
