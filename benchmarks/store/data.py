"""Generated edges and the cells they become: two rows an edge, a label each, a sum to merge.

The degrees follow a power law (R-MAT), the order of arrival is shuffled, the seed is fixed: every
run and every peer has the same edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lexigraph.codec import codec_for
from lexigraph.store import MutationBatch, TableSettings

DAYS = 30
FIRST_DAY = date(2026, 1, 1)
MOST_WEIGHT = 1000
READER = ("public", "private", "legal", "all")
"""Who reads: sees every edge, but only through its label."""

PLAN = {
    "version": 1,
    "rows": [
        {
            "kind": "edge",
            "directed": True,
            "matched": first,
            "once": once,
            "parts": [
                {"field": first, "codec": "str", "form": "escaped"},
                {"const": {"hex": f"00{flag}00"}},
                {"field": second, "codec": "str", "form": "escaped"},
                {"const": {"hex": f"00{flag}"}},
            ],
        }
        for first, second, flag, once in (
            ("source", "destination", "02", "always"),
            ("destination", "source", "03", "never"),
        )
    ],
    "family": [{"field": "group", "codec": "str", "form": "rest"}],
    "groups": {
        "calls": {
            "kind": "edge",
            "qualifier": [{"field": "day", "codec": "date", "form": "part"}],
            "value": {
                "form": "tagged",
                "properties": [
                    {"id": 1, "field": "count", "codec": "int", "aggregate": {"name": "sum"}},
                    {"id": 2, "field": "weight", "codec": "int", "aggregate": {"name": "sum"}},
                ],
            },
        }
    },
}


def edge_settings() -> TableSettings:
    """Return the settings of a table whose edges add up."""
    return TableSettings.with_stages(
        ("aggregate", {"plan": "calls"}), plans={"calls": PLAN}, max_versions=None
    )


@dataclass(frozen=True)
class Edges:
    """Edges by column: numbers of vertices, days and weights."""

    source: Any
    destination: Any
    day: Any
    weight: Any
    scale: int

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, part: slice) -> Edges:
        columns = (self.source, self.destination, self.day, self.weight)
        return Edges(*(column[part] for column in columns), self.scale)


def make_edges(count: int, *, scale: int = 18, seed: int = 11) -> Edges:
    """Draw edges between ``2**scale`` vertices; few vertices have many."""
    random = np.random.default_rng(seed)
    source = np.zeros(count, np.int64)
    destination = np.zeros(count, np.int64)
    for _ in range(scale):
        quadrant = np.searchsorted([0.57, 0.76, 0.95], random.random(count))
        source = source * 2 + quadrant // 2
        destination = destination * 2 + quadrant % 2
    numbers = random.permutation(1 << scale)
    return Edges(
        numbers[source],
        numbers[destination],
        random.integers(0, DAYS, count),
        random.integers(1, MOST_WEIGHT + 1, count),
        scale,
    )


def make_events(edges: Edges, count: int, *, keys: int, seed: int = 13) -> Edges:
    """Draw events over so many distinct edges and days: each at least once, few most often."""
    random = np.random.default_rng(seed)
    known = random.choice(len(edges), keys // 2, replace=False)
    pairs = np.repeat(known, 3) * DAYS + random.integers(0, DAYS, 3 * len(known))
    chosen = random.permutation(np.unique(pairs))[:keys]
    skewed = (len(chosen) * random.random(count - len(chosen)) ** 3).astype(np.int64)
    drawn = chosen[random.permutation(np.concatenate([np.arange(len(chosen)), skewed]))]
    edge = drawn // DAYS
    weight = random.integers(1, MOST_WEIGHT + 1, count)
    return Edges(edges.source[edge], edges.destination[edge], drawn % DAYS, weight, edges.scale)


def short_ids(scale: int) -> Any:
    return pa.array([b"u%d" % number for number in range(1 << scale)], pa.binary())


def url_ids(scale: int) -> Any:
    """Return ids of 60 bytes each, as links are."""
    made = (
        b"https://www.example.org/people/%08x/profile/index-%06d.html" % (number * 40503, number)
        for number in range(1 << scale)
    )
    return pa.array([url[:60].ljust(60, b"x") for url in made], pa.binary())


def three_labels() -> list[bytes]:
    return [b"", b"public", b"private&(audit|legal)"]


def many_labels() -> list[bytes]:
    return [b"all|team%d" % number for number in range(200)]


def edge_batches(
    edges: Edges,
    *,
    ids: Any = None,
    labels: list[bytes] | None = None,
    unique_times: bool = False,
    size: int = 250_000,
) -> Iterator[MutationBatch]:
    """Give the cells of the edges, ``2 * size`` at a time, in the order of arrival."""
    ids = short_ids(edges.scale) if ids is None else ids
    labels = labels or three_labels()
    for start in range(0, len(edges), size):
        part = edges[start : start + size]
        yield _batch(part, ids, labels, start if unique_times else None)


def wide_batches(edges: Edges, *, size: int = 500_000) -> Iterator[MutationBatch]:
    """Give one cell an edge: the row is the source, the qualifier the destination and the day."""
    ids = short_ids(edges.scale)
    for start in range(0, len(edges), size):
        part = edges[start : start + size]
        count = len(part)
        days = _days(part)
        yield _mutations(
            ids.take(pa.array(part.source)),
            pc.binary_join_element_wise(ids.take(pa.array(part.destination)), days, b"\0"),
            _labels(part, three_labels()),
            pa.array(np.arange(start, start + count)),
            _values(part),
        )


def _batch(part: Edges, ids: Any, labels: list[bytes], first_time: int | None) -> MutationBatch:
    source, destination = (ids.take(pa.array(end)) for end in (part.source, part.destination))
    join = pc.binary_join_element_wise
    out = join(source, b"\0\2\0", destination, b"\0\2", b"")
    back = join(destination, b"\0\3\0", source, b"\0\3", b"")
    days, label, value = _days(part), _labels(part, labels), _values(part)
    if first_time is None:
        times = part.day.astype(np.int64) * 86_400_000_000
    else:
        # One step of a few microseconds an edge, as events come in.
        jitter = np.random.default_rng(first_time).integers(0, 5, len(part))
        times = 1_767_225_600_000_000 + (first_time + np.arange(len(part))) * 7 + jitter
    times = pa.array(times)

    def twice(column: Any) -> Any:
        return pa.concat_arrays([column, column])

    rows = pa.concat_arrays([out, back])
    return _mutations(rows, twice(days), twice(label), twice(times), twice(value))


def row_batches(count: int, seed: int, size: int = 100_000) -> Iterator[MutationBatch]:
    """Give so many rows of one cell, each once, shuffled, with values drawn anew for each seed."""
    random = np.random.default_rng(1000 + seed)
    order = random.permutation(count)
    one = pa.repeat(pa.scalar(b"", pa.binary()), size)
    for start in range(0, count, size):
        part = order[start : start + size]
        rows = pa.array([b"row%09d" % number for number in part.tolist()], pa.binary())
        words = random.bytes(16 * len(part))
        values = [words[place : place + 16] for place in range(0, len(words), 16)]
        times = pa.nulls(len(part), pa.int64())
        empty = one.slice(0, len(part))
        yield _mutations(rows, empty, empty, times, pa.array(values, pa.binary()))


def _mutations(rows: Any, qualifiers: Any, labels: Any, times: Any, values: Any) -> MutationBatch:
    count = len(rows)
    table = pa.table(
        {
            "row": rows.cast(pa.large_binary()),
            "family": pa.repeat(pa.scalar(b"calls", pa.large_binary()), count),
            "qualifier": qualifiers.cast(pa.large_binary()),
            "visibility": labels.cast(pa.large_binary()),
            "timestamp": times,
            "deleted": pa.repeat(pa.scalar(False), count),
            "value": values.cast(pa.large_binary()),
        }
    )
    return MutationBatch.from_arrow(table)


def day_keys() -> list[bytes]:
    """Return the key form of every day."""
    days = codec_for("date")
    return [days.encode_part(FIRST_DAY + timedelta(days=day)) for day in range(DAYS)]


def _days(part: Edges) -> Any:
    return pa.array(day_keys(), pa.binary()).take(pa.array(part.day))


def _labels(part: Edges, labels: list[bytes]) -> Any:
    codes = (part.source * 31 + part.destination * 17 + part.day) % len(labels)
    return pa.array(labels, pa.binary()).take(pa.array(codes))


def _values(part: Edges) -> Any:
    number = codec_for("int").encode_value
    one = number(1)
    made = [b""]
    for weight in range(1, MOST_WEIGHT + 1):
        state = number(weight)
        made.append(b"\1\1" + bytes([len(one)]) + one + b"\2" + bytes([len(state)]) + state)
    return pa.array(made, pa.binary()).take(pa.array(part.weight))
