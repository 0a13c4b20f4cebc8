"""For random graphs and readers: no answer of any kind shows that more is stored than is readable.

A graph with everything answers a reader as its twin does, which holds what the reader may see and
nothing else; and both answer as a brute-force filter of the elements does. In every layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.errors import LexigraphError
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.testing.duplicates import open_keeping
from tests.unit.layout.engines import ENGINES


class Calls(lg.Edge, summary=True, directed=True):
    source: lg.Int64
    destination: lg.Int64
    day: int = lg.group_by()
    count: int = lg.sum(default=1)
    longest: int = lg.max(default=0)
    first: int = lg.first(default=0)
    last: int = lg.last(default=0)
    seen: set[int] = lg.set_of(default=())
    label: str | None = lg.visibility(default=None)


class Knows(lg.Edge, summary=True, directed=False):
    source: lg.Int64
    destination: lg.Int64
    since: int = lg.min(default=0)
    label: str | None = lg.visibility(default=None)


class Note(lg.Vertex, summary=True, aggregates=False):
    id: lg.Int64
    text: lg.Int64
    label: str | None = lg.visibility(default=None)


class Person(lg.Vertex, summary=True):
    id: lg.Int64
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)


CLASSES = [Calls, Knows, Note, Person]
LAYOUTS: dict[str, Layout] = {
    "byte-entity": ByteEntity(),
    "classic": Classic(),
    "byte-entity in shards": ByteEntity(shards=3),
    "classic in shards": Classic(shards=2, shard_by="duplicates"),
    "byte-entity short": ByteEntity(short_columns=True),
    "classic in tables": Classic(table_per_group=True),
    "byte-entity fixed": ByteEntity(fixed_length=True),
    "classic, all at once": Classic(
        short_columns=True, shards=2, table_per_group=True, fixed_length=True
    ),
}
TOKENS = "abc"
LABELS = st.sampled_from([None, "a", "b", "a&b", "a|b", "(a|b)&c", "c"])
IDS = st.integers(0, 3)
SMALL = st.integers(1, 5)
ELEMENTS = st.one_of(
    st.builds(
        lambda s, d, day, n, label: Calls(
            s, d, day=day, count=n, longest=n, first=n, last=n, seen=(n,), label=label
        ),
        *(IDS, IDS, st.integers(1, 2), SMALL, LABELS),
    ),
    st.builds(lambda s, d, n, label: Knows(s, d, since=n, label=label), IDS, IDS, SMALL, LABELS),
    st.builds(lambda v, n, label: Note(v, text=n, label=label), IDS, SMALL, LABELS),
    st.builds(lambda v, n, label: Person(v, count=n, label=label), IDS, SMALL, LABELS),
)
Ask = Callable[[lg.Session, int], Any]


def said(question: Any) -> list[str]:
    """Give elements as text, without their order: shards are read side by side."""
    return sorted(f"{one!r} {one.matched}" for one in question.elements())


def refusal(call: Callable[[], Any]) -> str:
    try:
        return f"no error: {call()!r}"
    except LexigraphError as error:
        return f"{type(error).__name__}: {error} {error.hint} {error.context}"


def figures(question: Any) -> list[str]:
    rows = question.summarise(
        by=["day"], n=lg.count(), t=lg.sum("count"), m=lg.max("count"), s=lg.set_of("last")
    )
    return [*map(repr, rows), str(rows.explain(run=True))]


QUESTIONS: dict[str, Ask] = {
    "all": lambda s, v: said(s.all()),
    "by label": lambda s, v: said(s.all().by_visibility()),
    "counts": lambda s, v: [s.count(), *(s.count(one) for one in CLASSES), s.get(v).count()],
    "get": lambda s, v: said(s.get(v)),
    "out": lambda s, v: said(s.get(v).edges(direction="out")),
    "in": lambda s, v: said(s.get(v).edges(Calls, direction="in")),
    "within": lambda s, v: said(s.within([v, 0])),
    "between": lambda s, v: said(s.between([v, 0], [1, 2])),
    "ranges": lambda s, v: said(s.ranges((min(1, v), v))),
    "pair": lambda s, v: said(s.edge(v, 1)),
    "rolled up": lambda s, v: said(s.get(v, 1).edges(Calls).roll_up()),
    "rolled up otherwise": lambda s, v: said(s.all(Calls).roll_up(count=lg.max(), last=lg.min())),
    "rolled up and filtered": lambda s, v: said(s.all(Calls).roll_up().where(Calls.count > 3)),
    "filtered": lambda s, v: said(s.all(Calls).where(Calls.count > 3, Calls.first < 4)),
    "by a label": lambda s, v: said(s.all(Calls).where(lg.field("label") == "a")),
    "limited": lambda s, v: [len(s.all().limit(n).to_list()) for n in (0, 1, 5)],
    "adjacent": lambda s, v: s.get(v).edges().adjacent(),
    "hops": lambda s, v: [s.hops(v, steps=n, within=w) for n in (1, 2) for w in (True, False)],
    "all hops": lambda s, v: s.hops(v, steps=3, within=True, direction="both"),
    "ways": lambda s, v: sorted(repr(one) for one in s.walk(v, Calls, [Calls, Knows])),
    "figures": lambda s, v: figures(s.all(Calls)),
    "figures around": lambda s, v: figures(s.get(v).edges(Calls)),
    "figures by label": lambda s, v: [*map(repr, s.all(Note).summarise(["label"], n=lg.count()))],
    "table": lambda s, v: sorted(map(repr, s.all(Calls).select("count").to_arrow().to_pylist())),
    "explained": lambda s, v: str(s.get(v).explain(run=True)),
    "explained all": lambda s, v: str(s.all(Calls).roll_up().limit(2).explain(run=True)),
    "pictures": lambda s, v: [repr(s), repr(s.get(v)), repr(s.schema)],
    "html": lambda s, v: len(s.get(v)._repr_html_()),
    "a wrong name": lambda s, v: refusal(lambda: s.all(Calls).select("cuont").to_list()),
    "no writer": lambda s, v: refusal(lambda: s.add([Person(v)])),
    "no rights": lambda s, v: refusal(lambda: s.delete([Person(v)])),
    "moment": lambda s, v: _in_a_snapshot(s, v),
}


def _in_a_snapshot(session: lg.Session, vertex: int) -> list[str]:
    with session.snapshot() as then:
        return said(then.get(vertex))


def visible(elements: list[Any], reader: list[str]) -> list[Any]:
    held = lg.Authorizations(reader)
    return [one for one in elements if lg.Visibility(one.label or "").evaluate(held)]


def key_of(one: Any) -> tuple[Any, ...]:
    ends = tuple(one.ids.values())
    ends = tuple(sorted(ends)) if one.group == "Knows" else ends
    return (one.group, *ends, getattr(one, "day", None))


def brute(elements: list[Any]) -> Counter[Any]:
    """Merge elements by hand: groups that merge by key, the others one by one."""
    parts: dict[Any, list[Any]] = {}
    for one in elements:
        parts.setdefault(key_of(one), []).append(one)
    found: Counter[Any] = Counter()
    for key, members in parts.items():
        if key[0] == "Calls":
            value: tuple[Any, ...] = (
                sum(one.count for one in members),
                max(one.longest for one in members),
                (members[0].first, members[-1].last),
                tuple(sorted({n for one in members for n in one.seen})),
            )
        elif key[0] == "Person":
            value = (sum(one.count for one in members),)
        elif key[0] == "Knows":
            value = (min(one.since for one in members),)
        else:
            found.update((*key, one.text) for one in members)
            continue
        found[(*key, *value)] += 1
    return found


def held(session: lg.Session) -> Counter[Any]:
    """Give what a session finds in the form of ``brute``."""
    found: Counter[Any] = Counter()
    for one in session.all():
        own = {
            "Calls": lambda e: (e.count, e.longest, (e.first, e.last), tuple(e.seen)),
            "Person": lambda e: (e.count,),
            "Knows": lambda e: (e.since,),
            "Note": lambda e: (e.text,),
        }[one.group](one)
        found[(*key_of(one), *own)] += 1
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_cannot_be_read_shows_in_no_answer(layout: str, engine: str) -> None:
    with ENGINES[engine]() as one, ENGINES[engine]() as other:
        # Not shrunk: an example asks a hundred questions, and says which one leaked.
        @settings(max_examples=6, phases=[Phase.explicit, Phase.reuse, Phase.generate])
        @given(
            stream=st.lists(ELEMENTS, max_size=14),
            reader=st.sets(st.sampled_from(TOKENS)).map(sorted),
            vertex=IDS,
            merged=st.booleans(),
        )
        def check(stream: list[Any], reader: list[str], vertex: int, merged: Any) -> None:
            full = open_keeping(one, CLASSES, layout=LAYOUTS[layout])
            twin = open_keeping(other, CLASSES, layout=LAYOUTS[layout])
            try:
                for element in stream:
                    full.add([element])
                for element in visible(stream, reader):
                    twin.add([element])
                for graph in (full, twin) if merged else ():
                    graph.admin.compact()
                compare(full, twin, stream, reader, vertex)
            finally:
                full.admin.drop()
                twin.admin.drop()

        check()


def compare(
    full: lg.Graph, twin: lg.Graph, stream: list[Any], reader: list[str], vertex: int
) -> None:
    for name, ask in QUESTIONS.items():
        answers = [ask(graph.session(reader), vertex) for graph in (full, twin)]
        assert answers[0] == answers[1], name
    assert held(full.session(reader)) == brute(visible(stream, reader))
    _delete_alike(full, twin, stream, reader)


def _delete_alike(full: lg.Graph, twin: lg.Graph, stream: list[Any], reader: list[str]) -> None:
    """Delete as the reader: it counts what it saw, and what it did not see stays."""
    doomed = stream[:2]
    # Elements that share a key are deleted together.
    given = [{"group": "Note", **one.ids} if isinstance(one, Note) else one for one in doomed]
    counts = [graph.session(reader, role="writer").delete(given) for graph in (full, twin)]
    assert counts[0] == counts[1]
    keys = {key_of(one) for one in doomed}
    seen = {id(one) for one in visible(stream, reader)}
    left = [one for one in stream if key_of(one) not in keys or id(one) not in seen]
    assert held(full.session(lg.ALL)) == brute(left)
    assert held(full.session(reader)) == held(twin.session(reader))
