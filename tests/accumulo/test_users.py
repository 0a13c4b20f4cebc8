"""Users of Accumulo: what each may see of labelled elements, and what merges of it.

Gaffer's integration tests name four authorisations: ``vis1`` and ``vis2`` for labels,
``publicVisibility`` and ``privateVisibility`` for what merges over them. Here each user is one of
Accumulo's own, so that its servers judge, not this process.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import Authorization, NotGranted
from lexigraph.security import Authorizations, Visibility
from lexigraph.store import AccumuloEngine, Mutations
from lexigraph.testing.duplicates import open_keeping
from tests.accumulo.files import Files
from tests.accumulo.users import make_user

pytestmark = pytest.mark.accumulo

NAMESPACE = f"users{uuid4().hex[:8]}"
TOKENS = ("vis1", "vis2", "publicVisibility", "privateVisibility")
USERS = [
    *(chosen for size in range(3) for chosen in combinations(TOKENS[:2], size)),
    *(chosen for size in (1, 2) for chosen in combinations(TOKENS[2:], size)),
    TOKENS,
]
LABELS = (
    None,
    "",
    "vis1",
    "vis2",
    "vis1&vis2",
    "vis1|vis2",
    "publicVisibility",
    "privateVisibility",
    "(publicVisibility|vis2)&privateVisibility",
)


class Note(lg.Vertex, summary=True, aggregates=False):
    id: str
    text: str
    label: str | None = lg.visibility(default=None)


class Count(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum()
    first: str = lg.first()
    last: str = lg.last()
    label: str | None = lg.visibility(default=None)


def counts(day: int) -> list[list[Count]]:
    """Return a batch for each label; powers of two tell what a sum was made from."""
    return [
        [Count("a", "b", day=day, count=2**at, first=str(at), last=str(at), label=label)]
        for at, label in enumerate(LABELS)
    ]


def seen_by(tokens: tuple[str, ...]) -> list[int]:
    held = Authorizations(tokens)
    return [at for at, label in enumerate(LABELS) if Visibility(label or "").evaluate(held)]


@pytest.fixture(scope="module")
def engine(cluster: LocalCluster) -> Iterator[AccumuloEngine]:
    """The owner's, in a namespace of its own."""
    with AccumuloEngine(cluster.status().properties, namespace=NAMESPACE) as made:
        made.grant("root", TOKENS)
        yield made


@pytest.fixture(scope="module")
def owner(engine: AccumuloEngine) -> lg.Graph:
    graph = open_keeping(engine, [Note, Count], authorizations=lg.ALL)
    graph.add([Note("n", text=str(label), label=label) for label in LABELS])
    for batch in counts(day=1):
        graph.add(batch)
    return graph


def reader(
    cluster: LocalCluster, owner: lg.Graph, where: Path, tokens: tuple[str, ...]
) -> lg.Graph:
    """Open the graph as a user with these authorisations."""
    engine: Any = owner._access.engine
    tables = {engine.remote(table): ["READ"] for table in owner.admin.tables()}
    _, path = make_user(cluster, where, permissions=tables, labels=list(tokens))
    return lg.open(path, [Note, Count], namespace=NAMESPACE, read_only=True, authorizations=lg.ALL)


def check(graph: lg.Graph, tokens: tuple[str, ...]) -> None:
    seen = seen_by(tokens)
    assert sorted(one.text for one in graph.all(Note)) == sorted(str(LABELS[at]) for at in seen)
    total, first, last = sum(2**at for at in seen), str(seen[0]), str(seen[-1])
    told = [(one.day, one.count, one.first, one.last) for one in graph.get("b").edges(Count)]
    assert told == [(day, total, first, last) for day in (1, 2)]
    [rolled] = graph.all(Count).roll_up()
    assert (rolled.count, rolled.first, rolled.last) == (2 * total, first, last)
    assert graph.all(Count).summarise(total=lg.sum("count")).to_list() == [{"total": 2 * total}]


def test_each_user_sees_what_its_authorisations_allow_and_merges_of_it(
    cluster: LocalCluster, owner: lg.Graph, engine: AccumuloEngine, tmp_path: Path
) -> None:
    """From a file and from memory, from files alone, and when all of it was compacted."""
    readers = {tokens: reader(cluster, owner, tmp_path, tokens) for tokens in USERS}
    with Files(engine, "graph.elements") as files:
        files.flush()
        for batch in counts(day=2):
            owner.add(batch)
        for then in (files.flush, owner.admin.compact, lambda: None):
            for tokens, graph in readers.items():
                check(graph, tokens)
                same = owner.session(tokens)
                assert sorted(map(repr, same.all())) == sorted(map(repr, graph.all()))
            then()
    for graph in readers.values():
        with pytest.raises(NotGranted):
            graph.session(["of nobody"])
        graph.close()


def test_of_a_batch_for_two_tables_neither_is_written_where_one_refuses(
    cluster: LocalCluster, engine: AccumuloEngine, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        engine.create_table(name)
    remotes = {engine.remote("first"): ["READ", "WRITE"], engine.remote("second"): ["READ"]}
    user, where = make_user(cluster, tmp_path, permissions=remotes)
    both = {name: Mutations().put("r", "f", "", "v") for name in ("first", "second")}
    with AccumuloEngine(where, namespace=NAMESPACE) as writer:
        with pytest.raises(Authorization, match=r"'second' .*needs Table\.WRITE") as refused:
            writer.write(both)
        assert f"-t {engine.remote('second')} -u {user}" in refused.value.hint
        assert [list(writer.table(name).scan()) for name in both] == [[], []]
        writer.write({"first": both["first"]})
        assert len(list(engine.table("first").scan())) == 1


def test_who_may_not_drop_a_graph_or_alter_it_loses_nothing_of_it(
    cluster: LocalCluster, engine: AccumuloEngine, tmp_path: Path
) -> None:
    batch = [Note(id=one, text=one) for one in "abc"]
    with open_keeping(engine, [Note, Count], name="kept") as graph:
        graph.add(batch)
        tables = {engine.remote(table): ["READ", "WRITE"] for table in graph.admin.tables()}
        _, where = make_user(cluster, tmp_path, permissions=tables)
        with lg.open(where, name="kept", namespace=NAMESPACE) as writer:
            with pytest.raises(Authorization, match=r"Table\.DROP_TABLE"):
                writer.admin.drop()
            with pytest.raises(Authorization, match=r"first delete .*Table\.ALTER_TABLE"):
                writer.delete([batch[0]])
            assert graph.count() == writer.count() == 3
            graph.delete([batch[1]])
            # Somebody has deleted, so everybody who may write can.
            writer.delete([batch[0]])
            assert graph.count() == 1
        loading = ["READ", "WRITE", "BULK_IMPORT", "ALTER_TABLE"]
        _, where = make_user(cluster, tmp_path, permissions=dict.fromkeys(tables, loading))
        with lg.open(where, name="kept", namespace=NAMESPACE) as loader:
            loader.load(pa.table({"vertex": ["d"], "text": ["loaded"]}), group="Note")
            assert graph.count() == 2
    with lg.open(engine, [Note], name="kept") as again:
        assert [note.id for note in again.all(Note)] == ["c", "d"]
        again.admin.clear()
        assert again.count() == 0
        again.admin.drop()
