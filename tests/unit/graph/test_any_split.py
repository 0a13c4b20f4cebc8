"""However a stream is cut into batches, merged and reopened, the graph is the same.

And however elements are added, deleted and added again, it is what a dict would hold.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.security import ALL
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine
from tests.unit.graph.stored_graphs import (
    SCHEMA,
    Calls,
    Event,
    Knows,
    Reading,
    add,
    delete,
    shown,
)

LAYOUTS: list[Layout] = [
    ByteEntity(),
    Classic(),
    ByteEntity(shards=2),
    Classic(table_per_group=True),
    ByteEntity(short_columns=True),
    Classic(shards=2, shard_by="duplicates"),
]
IDS = st.sampled_from(["a", "b", "a\x00"])
SMALL = st.integers(-3, 3)
WORDS = st.sampled_from("xyz")
LABELS = st.sampled_from([None, "s", "t|s", "s|t"])
ELEMENTS = st.one_of(
    st.builds(
        Calls,
        IDS,
        IDS,
        day=st.sampled_from([date(2026, 1, 2), date(2026, 1, 3)]),
        count=SMALL,
        devices=st.none() | st.lists(WORDS, min_size=1, max_size=2).map(tuple),
        label=LABELS,
    ),
    st.builds(Knows, IDS, IDS, since=SMALL, opened=st.none() | WORDS),
    st.builds(Event, IDS, what=WORDS),
    st.builds(Reading, IDS, at=st.integers(1, 5), value=SMALL),
)


class Held:
    """An engine that can be closed and opened again, where it keeps anything."""

    def __init__(self, name: str, layout: Layout) -> None:
        self.home = tempfile.mkdtemp(prefix="lexigraph-") if name == "embedded" else None
        self.engine = self._open() if self.home else MemoryEngine(join_runs=False)
        self.graph = StoredGraph.create(self.engine, "g", SCHEMA, layout)

    def _open(self) -> Engine:
        assert self.home is not None
        return EmbeddedEngine(self.home, durability="relaxed", merge_cells=None)

    def do(self, action: str) -> None:
        if action == "merge":
            for table in self.graph.tables.values():
                self.engine.compact(table)
        elif action == "reopen" and self.home is not None:
            self.engine.close()
            self.engine = self._open()
            self.graph = StoredGraph.attach(self.engine, "g", SCHEMA)
        elif action == "reopen":
            self.graph = StoredGraph.attach(self.engine, "g", SCHEMA)


@contextmanager
def opened(name: str, layout: Layout) -> Iterator[Held]:
    found = Held(name, layout)
    try:
        yield found
    finally:
        found.engine.close()
        if found.home is not None:
            shutil.rmtree(found.home, ignore_errors=True)


def label(one: Any) -> bytes:
    return {None: b"", "s": b"s"}.get(getattr(one, "label", None), b"s|t")


def identity(one: Any) -> tuple[Any, ...]:
    if isinstance(one, Calls):
        return ("Calls", one.source, one.destination, one.day)
    if isinstance(one, Knows):
        return ("Knows", *sorted((one.source, one.destination)))
    return (one.group, one.id)


def keys(elements: list[Any]) -> list[Any]:
    """Name events by their key: those that share it are deleted together."""
    return [{"group": "Event", **one.ids} if isinstance(one, Event) else one for one in elements]


def expected(stream: list[Any]) -> Counter[Any]:
    """Merge a stream by hand."""
    merged: dict[Any, list[Any]] = {}
    found: Counter[Any] = Counter()
    for one in stream:
        merged.setdefault((identity(one), label(one)), []).append(one)
    for (key, visibility), members in merged.items():
        group, first = key[0], members[0]
        if group == "Event":
            for one in members:
                found[group, one.id, None, None, None, b"", None, (("what", one.what),)] += 1
            continue
        time, properties = None, {}
        vertex, ends, directed = None, (None, None), None
        if group == "Calls":
            devices = {word for one in members for word in one.devices or ()}
            properties = {"day": first.day, "count": sum(one.count for one in members)}
            if devices:
                properties["devices"] = tuple(sorted(devices))
            ends, directed = (first.source, first.destination), True
        elif group == "Knows":
            words = [one.opened for one in members if one.opened is not None]
            properties = {"since": min(one.since for one in members)}
            if words:
                properties["opened"] = words[0]
            ends, directed = (key[1], key[2]), False
        else:
            time = max(one.at for one in members)
            vertex = first.id
            # Of equally late ones the larger bytes: those of integers order as they do.
            properties = {"value": max(one.value for one in members if one.at == time)}
        shown_as = tuple(sorted(properties.items()))
        found[group, vertex, *ends, directed, visibility, time, shown_as] += 1
    return found


@pytest.mark.parametrize("name", ["memory", "embedded"])
@pytest.mark.parametrize("at", range(len(LAYOUTS)))
@settings(max_examples=15)
@given(
    stream=st.lists(ELEMENTS, max_size=25),
    cuts=st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["", "merge", "reopen"]))),
    size=st.integers(1, 30),
)
def test_any_split_gives_the_same_graph(
    name: str, at: int, stream: list[Any], cuts: list[tuple[int, str]], size: int
) -> None:
    with opened(name, LAYOUTS[at]) as held:
        left = list(stream)
        for length, action in cuts:
            part, left = left[:length], left[length:]
            add(held.graph, part, batch_elements=size)
            held.do(action)
        add(held.graph, left, batch_elements=size)
        assert shown(held.graph) == expected(stream)


ACTIONS = st.one_of(
    st.tuples(st.just("add"), st.lists(ELEMENTS, min_size=1, max_size=4)),
    st.tuples(st.just("delete"), st.lists(ELEMENTS, min_size=1, max_size=2)),
    st.tuples(st.just("delete as t"), st.lists(ELEMENTS, min_size=1, max_size=2)),
    st.tuples(st.sampled_from(["merge", "reopen"]), st.just([])),
)


def readable(one: Any, action: str) -> bool:
    return action == "delete" or label(one) != b"s"


@pytest.mark.parametrize("name", ["memory", "embedded"])
@pytest.mark.parametrize("at", range(len(LAYOUTS)))
@settings(max_examples=15)
@given(actions=st.lists(ACTIONS, max_size=15))
def test_added_deleted_and_added_again(
    name: str, at: int, actions: list[tuple[str, list[Any]]]
) -> None:
    stream: list[Any] = []
    with opened(name, LAYOUTS[at]) as held:
        for action, elements in actions:
            if action == "add":
                add(held.graph, elements)
                stream += elements
            elif action.startswith("delete"):
                doomed = {identity(one) for one in elements}
                gone = [one for one in stream if identity(one) in doomed and readable(one, action)]
                events = [one for one in gone if isinstance(one, Event)]
                others = {identity(one) for one in gone if not isinstance(one, Event)}
                caller = ALL if action == "delete" else ["t"]
                assert delete(held.graph, keys(elements), by=caller) == len(events) + len(others)
                stream = [
                    one
                    for one in stream
                    if identity(one) not in doomed or not readable(one, action)
                ]
            else:
                held.do(action)
            assert shown(held.graph) == expected(stream)
