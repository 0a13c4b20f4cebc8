"""Feeds of changes: what is told, to whom, from where on; on memory and on a directory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import (
    Conflict,
    CursorExpired,
    CursorNotFound,
    InvalidName,
    NotGranted,
    ReadOnly,
    UnsupportedError,
    UsageError,
)


class RowEngine(lg.MemoryEngine):
    """An engine without transactions, as that of a cluster."""

    @property
    def capabilities(self) -> Any:
        return replace(super().capabilities, transactions=False, atomic_unit="row")


class Person(lg.Vertex):
    id: str
    name: str | None = None
    tags: list[str] | None = None


class Knows(lg.Edge):
    source: str
    destination: str
    since: int | None = None


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: int = lg.group_by(default=1)
    count: int = lg.sum(default=1)
    label: str = lg.visibility(default="")


class Guest(lg.Vertex):
    id: str


SCHEMA = [Person, Knows, Calls, Guest]


@pytest.fixture(params=["memory", "embedded"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return ":memory:" if request.param == "memory" else tmp_path / "g"


@pytest.fixture
def graph(where: Any) -> Iterator[lg.Graph]:
    with lg.open(where, SCHEMA, authorizations=lg.ALL) as opened:
        yield opened


def told(feed: lg.ChangeFeed) -> list[tuple[Any, ...]]:
    """Return what a feed tells, and acknowledge it."""
    found = [(one.kind, one.id, one.property or one.metadata or one.label) for one in feed]
    feed.done()
    return found


def kinds(feed: lg.ChangeFeed) -> list[str]:
    return [one[0] for one in told(feed)]


def test_a_feed_starts_when_its_cursor_is_made(graph: lg.Graph) -> None:
    graph.add(Person("ann"))
    feed = graph.changes("search")
    assert list(feed) == []
    graph.add(Person("bob", name="Bob"))
    assert told(feed) == [
        ("added", "bob", None),
        ("label added", "bob", "Person"),
        ("value set", "bob", "name"),
    ]
    assert told(feed) == []


def test_changes_of_records_have_the_words_of_histories(graph: lg.Graph) -> None:
    graph.add(Person("ann", name="Ann"))
    feed, ann = graph.changes("x"), graph.vertex("ann")
    ann.set("name", "Anna", metadata={"by": "hr"})
    assert told(feed) == [("value set", "ann", "name")]
    ann.set_metadata("name", "by", "ops")
    assert told(feed) == [("metadata set", "ann", "name")]
    ann.unset("name")
    assert told(feed) == [("value deleted", "ann", "name")]
    ann.add_label(Guest)
    ann.remove_label(Guest)
    assert told(feed) == [("label added", "ann", "Guest"), ("label deleted", "ann", "Guest")]
    ann.hide("a")
    ann.show("a")
    ann.require("a")
    ann.release("a")
    words = ["hidden", "shown", "visibility required", "visibility released"]
    assert kinds(feed) == words
    ann.delete()
    graph.add(Person("ann"))
    ann.delete(hard=True)
    assert kinds(feed) == ["deleted", "added", "label added", "removed"]


def test_edges_say_their_ends_and_new_shapes(graph: lg.Graph) -> None:
    feed = graph.changes("x")
    graph.add([Person("ann"), Person("bob"), Person("cy")])
    told(feed)
    edge = graph.add_edge("ann", Knows, "bob", id=7, since=3)
    first, second = list(feed)
    assert (first.kind, first.id, first.label, first.source, first.destination) == (
        *("added", edge, "Knows"),
        *("ann", "bob"),
    )
    assert (second.kind, second.property, second.element) == ("value set", "since", "edge")
    feed.done()
    graph.add_edge("ann", Knows, "cy", id=7)
    [one] = feed
    assert (one.kind, one.destination) == ("reshaped", "cy")
    feed.done()
    graph.vertex("ann").delete()
    assert told(feed) == [("deleted", "ann", None), ("deleted", 7, "Knows")]


def test_what_a_reader_begins_or_ceases_to_see(graph: lg.Graph) -> None:
    graph.add(Person("ann", name="Ann"))
    public = graph.session().changes("public")
    hr = graph.session(["hr"]).changes("hr")
    ann = graph.vertex("ann")
    ann.set("name", "Anna", visibility="hr")
    assert (told(public), told(hr)) == ([], [("value set", "ann", "name")])
    ann.set_visibility("hr")
    assert (kinds(public), kinds(hr)) == (["disappeared"], ["moved"])
    ann.set_visibility("")
    assert (kinds(public), kinds(hr)) == (["appeared"], ["moved"])
    ann.require("hr")
    assert (kinds(public), kinds(hr)) == (["disappeared"], ["visibility required"])
    ann.release("hr")
    assert (kinds(public), kinds(hr)) == (["appeared"], ["visibility released"])
    ann.hide("hr")
    assert (kinds(public), kinds(hr)) == ([], ["hidden"])
    ann.show("hr")
    assert (kinds(public), kinds(hr)) == ([], ["shown"])


def test_what_nobody_may_know_is_not_told(graph: lg.Graph) -> None:
    graph.add(Person("ann"), visibility="hr")
    public = graph.session().changes("public")
    graph.vertex("ann").set("name", "Ann")
    graph.add(Person("bob"), visibility="hr")
    graph.load(pa.table({"id": ["cy"], "name": ["Cy"]}), group=Person, visibility="hr")
    graph.admin.erase("bob")
    assert list(public) == []
    # It is new to those who did not see it, as if it had not been there.
    graph.add(Person("ann"))
    assert [(one.kind, one.number) for one in public] == [("added", 1), ("label added", 2)]


def test_the_owner_is_told_of_hidden_elements_too(graph: lg.Graph) -> None:
    graph.add(Person("ann"))
    graph.vertex("ann").hide("hr")
    owner, public = graph.changes("owner"), graph.session().changes("public")
    hr = graph.session(["hr"]).changes("hr")
    graph.vertex("ann").set("name", "Ann")
    [one] = owner
    assert (one.kind, one.visible) == ("value set", False)
    assert (kinds(public), kinds(hr)) == (["value set"], [])


def test_summaries_tell_their_keys(graph: lg.Graph) -> None:
    public, hr = graph.session().changes("public"), graph.session(["hr"]).changes("hr")
    graph.add([Calls("ann", "bob", count=5), Calls("ann", "cy", label="hr")])
    found = list(hr)
    assert [dict(one.key) for one in found] == [
        {"source": "ann", "destination": "bob", "day": 1},
        {"source": "ann", "destination": "cy", "day": 1},
    ]
    assert [(one.kind, one.group, one.visibility) for one in public] == [("added", "Calls", "")]
    hr.done()
    public.done()
    graph.delete(graph.all(Calls))
    assert (kinds(public), kinds(hr)) == (["deleted"], ["deleted", "deleted"])


def test_adds_of_frames_and_mixed_commits_are_told(graph: lg.Graph) -> None:
    feed = graph.changes("x")
    graph.add(pa.table({"source": ["a", "b"], "destination": ["b", "c"]}), group=Calls)
    assert [one.source for one in feed] == ["a", "b"]
    feed.done()
    graph.add([Calls("a", "b"), Person("ann")])
    found = list(feed)
    assert [one.kind for one in found] == ["added", "added", "label added"]
    assert len({one.timestamp for one in found}) == 1


def test_a_load_is_one_change_for_those_who_read_some_of_it(graph: lg.Graph) -> None:
    owner, public = graph.changes("owner"), graph.session().changes("public")
    rows = pa.table({"id": ["ann", "bob"], "name": ["Ann", "Bob"]})
    report = graph.load(rows, group=Person)
    frame = pa.table({"source": ["a"], "destination": ["b"], "label": ["hr"]})
    graph.load(frame, group=Calls)
    graph.add(Person("cy"))
    found = list(owner)
    assert [(one.kind, one.group, one.count) for one in found[:2]] == [
        ("loaded", "Person", 2),
        ("loaded", "Calls", 1),
    ]
    assert found[0].timestamp == report.timestamp
    for_public = [(one.kind, one.group, one.count) for one in public]
    assert for_public[0] == ("loaded", "Person", None)
    assert [one[0] for one in for_public] == ["loaded", "added", "label added"]


def test_a_transaction_is_one_commit(graph: lg.Graph) -> None:
    graph.add([Person("ann"), Calls("a", "b")])
    feed = graph.changes("x")
    with graph.transaction() as changing:
        changing.add([Person("bob"), Calls("b", "c")])
        assert changing.all(Calls).count() == 2
        changing.vertex("ann").set("name", "Ann")
        changing.delete(Calls("a", "b"))
    abandoned = graph.transaction()
    abandoned.add(Person("cy"))
    abandoned.__exit__(ValueError, ValueError(), None)
    found = list(feed)
    assert len({one.timestamp for one in found}) == 1
    assert [(one.kind, one.id) for one in found] == [
        ("deleted", None),
        ("added", None),
        ("added", "bob"),
        ("label added", "bob"),
        ("value set", "ann"),
    ]


def test_blind_adds_know_what_readers_see(graph: lg.Graph) -> None:
    graph.add(Person("ann"))
    graph.vertex("ann").require("hr")
    public, hr = graph.session().changes("public"), graph.session(["hr"]).changes("hr")
    graph.add([Person("ann", name="Ann"), Person("bob")], blind=True)
    assert told(public) == [("added", "bob", None), ("label added", "bob", "Person")]
    assert ("value set", "ann", "name") in told(hr)


def test_a_writer_that_opened_the_graph_before_logs_too(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", SCHEMA) as early, lg.open(tmp_path / "g") as late:
        early.add([Person("ann"), Calls("a", "b")])
        feed = late.changes("x")
        early.add([Person("bob"), Calls("b", "c")])
        assert [one.kind for one in feed] == ["added", "added", "label added"]
        late.admin.drop_cursor("x")
        early.add(Person("cy"))
        again = early.changes("x")
        early.add(Person("dan"))
        assert [one.id for one in again] == ["dan", "dan"]


def test_a_writer_that_buffers_logs_too(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", SCHEMA, durability="buffered") as graph:
        graph.add(Person("ann"))
        feed = graph.changes("x")
        graph.add(Person("bob"))
        assert [one.id for one in feed] == ["bob", "bob"]


def test_nothing_is_logged_without_a_cursor(graph: lg.Graph) -> None:
    graph.add(Person("ann"))
    assert "changes" not in graph.admin.stats()
    graph.changes("x")
    graph.changes("y")
    graph.add(Person("bob"))
    graph.admin.drop_cursor("x")
    assert [one.name for one in graph.admin.cursors()] == ["y"]
    graph.admin.drop_cursor("y")
    graph.add(Person("cy"))
    graph.admin.compact()
    assert graph.admin.cursors() == []
    assert graph.admin.stats()["changes"].cells == 0


def test_a_feed_goes_on_where_it_was(where: Any, tmp_path: Path) -> None:
    path = tmp_path / "durable"
    with lg.open(path, SCHEMA) as graph:
        graph.changes("x")
        graph.add([Person("ann"), Person("bob")])
        feed = graph.changes("x")
        for change in feed:
            if change.id == "bob":
                break
            feed.done(change)
    with lg.open(path) as graph:
        graph.admin.compact()
        feed = graph.changes("x")
        assert [one.id for one in feed] == ["bob", "bob"]
        assert [one.id for one in feed] == ["bob", "bob"]


def test_a_consumer_may_keep_its_own_place(graph: lg.Graph) -> None:
    feed = graph.changes("x")
    graph.add([Person("ann"), Person("bob")])
    places = [one.cursor for one in feed]
    assert [one.id for one in graph.changes("x", after=places[1])] == ["bob", "bob"]
    feed.done()
    graph.add(Person("cy"))
    assert [one.id for one in graph.changes("x", after=feed.cursor)] == ["cy", "cy"]
    for wrong in ("", "abc", "x" * 50, 5, b"", places[0][:-2]):  # type: ignore[index]
        with pytest.raises(UsageError):
            graph.changes("x", after=wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        graph.changes("y", after=places[0])


def test_a_cursor_is_bound_to_its_authorizations(graph: lg.Graph) -> None:
    graph.session(["hr"]).changes("x")
    graph.session(["hr"]).changes("x")
    with pytest.raises(NotGranted, match="other authorizations"):
        graph.session(["hr", "ops"]).changes("x")


def test_dropping_and_odd_names(graph: lg.Graph) -> None:
    with pytest.raises(CursorNotFound):
        graph.admin.drop_cursor("x")
    feed = graph.changes("billing")
    with pytest.raises(CursorNotFound, match="billing"):
        graph.admin.drop_cursor("biling")
    graph.admin.drop_cursor("billing")
    with pytest.raises(CursorNotFound):
        list(feed)
    graph.changes("billing")
    with pytest.raises(UsageError, match="new one"):
        list(feed)
    for wrong in (None, "", "a\nb", 5, "x" * 201):
        with pytest.raises(InvalidName):
            graph.changes(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        feed.done("x")  # type: ignore[arg-type]


def test_other_moments_have_no_feed(graph: lg.Graph) -> None:
    with graph.snapshot() as still, pytest.raises(UnsupportedError):
        still.changes("x")
    with pytest.raises(UnsupportedError):
        graph.as_of(0).changes("x")
    with graph.transaction() as changing, pytest.raises(UnsupportedError):
        changing.changes("x")


def test_a_cursor_that_falls_behind_has_to_start_again(graph: lg.Graph) -> None:
    slow, fast = graph.changes("slow"), graph.changes("fast")
    graph.admin.limit_changes(max_changes=8)
    for number in range(6):
        graph.add(Person(f"p{number}"))
        fast.done(list(fast)[-1])
    with pytest.raises(CursorExpired, match="too far behind"):
        list(slow)
    states = {one.name: (one.expired, one.waiting) for one in graph.admin.cursors()}
    assert states["slow"][0]
    assert states["slow"][1] <= 10
    assert not states["fast"][0]
    slow.restart()
    graph.add(Person("new"))
    assert [one.id for one in slow] == ["new", "new"]


def test_what_all_cursors_have_passed_is_removed(graph: lg.Graph) -> None:
    one, two = graph.changes("one"), graph.session().changes("two")
    graph.add(Person("ann"), visibility="hr")
    told(one)
    assert list(two) == []
    graph.admin.limit_changes()
    assert graph.admin.stats()["changes"].cells > 0
    assert [one.waiting for one in graph.admin.cursors()] == [0, 0]
    graph.admin.compact()
    # Two cursors and the limits.
    assert graph.admin.stats()["changes"].cells == 3


def test_clear_and_drop_reach_the_log(graph: lg.Graph) -> None:
    feed = graph.changes("x")
    graph.add(Person("ann"))
    graph.admin.clear()
    with pytest.raises(CursorExpired, match="cleared"):
        list(feed)
    feed.restart()
    graph.add(Person("bob"))
    assert [one.id for one in feed] == ["bob", "bob"]
    graph.admin.drop()
    with lg.open(":memory:", SCHEMA) as other:
        assert other.admin.cursors() == []


def test_a_graph_that_is_made_again_has_a_new_log(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", SCHEMA) as graph:
        graph.changes("x")
        graph.add(Person("ann"))
        graph.admin.drop()
        again = lg.open(tmp_path / "g", SCHEMA)
        assert again.admin.cursors() == []
        assert list(again.changes("x")) == []
        again.close()


def test_backup_and_verify_know_the_log(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", SCHEMA) as graph:
        graph.changes("x")
        graph.add(Person("ann"))
        graph.admin.verify()
        graph.admin.backup(tmp_path / "copy")
        assert any("changes" in name for name in graph.admin.tables())
    with lg.open(tmp_path / "copy") as copy:
        assert [one.id for one in copy.changes("x")] == ["ann", "ann"]


def test_a_load_that_runs_is_waited_for(graph: lg.Graph) -> None:
    started, go = threading.Event(), threading.Event()

    def frames() -> Iterator[Any]:
        yield pa.table({"id": ["ann"]})
        started.set()
        go.wait(20)

    loading = threading.Thread(target=lambda: graph.load(frames(), group=Person))
    loading.start()
    started.wait(20)
    with pytest.raises(Conflict, match="load runs"):
        graph.changes("x")
    go.set()
    loading.join()
    feed = graph.changes("x")
    graph.add(Person("bob"))
    assert [one.id for one in feed] == ["bob", "bob"]


def test_writers_of_several_threads_are_told_in_the_order_of_commits(graph: lg.Graph) -> None:
    feed = graph.changes("x")

    def write(thread: int) -> None:
        for number in range(10):
            graph.add([Person(f"{thread}-{number}"), Calls("a", f"{thread}-{number}")])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found = list(feed)
    assert len(found) == 90
    assert [one.timestamp for one in found] == sorted(one.timestamp for one in found)
    assert len({one.cursor for one in found}) == 90


def test_a_reader_of_a_graph_that_is_read_only_cannot_acknowledge(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", SCHEMA) as graph:
        graph.changes("x")
        graph.add(Person("ann"))
    with lg.open(tmp_path / "g", read_only=True) as graph:
        feed = graph.changes("x")
        assert [one.id for one in feed] == ["ann", "ann"]
        with pytest.raises(ReadOnly):
            feed.done()
        with pytest.raises(ReadOnly):
            graph.changes("y")
        with pytest.raises(ReadOnly):
            graph.admin.drop_cursor("x")


def test_an_engine_that_stores_row_by_row_has_no_feed() -> None:
    graph = lg.open(":memory:", SCHEMA)
    stored = graph._access.stored
    stored.engine.__class__ = RowEngine
    with pytest.raises(UnsupportedError, match="no log"):
        graph.changes("x")
    with pytest.raises(UnsupportedError, match="no log"):
        graph.admin.limit_changes(max_changes=5)
    assert graph.admin.cursors() == []


# Erasing and listening


def test_erasing_reaches_the_log_and_is_told(tmp_path: Path) -> None:
    name = "ann@example.org"
    with lg.open(tmp_path / "g", SCHEMA) as graph:
        behind, kept = graph.changes("behind"), graph.changes("kept")
        graph.add([Person(name), Person("bob"), Calls(name, "bob")])
        graph.add_edge(name, Knows, "bob")
        told(kept)
        graph.admin.erase(name)
        assert kinds(kept) == ["erased"]
        with pytest.raises(CursorExpired, match="erased"):
            list(behind)
        graph.add(Person("cy"))
        assert kinds(kept) == ["added", "label added"]
    for file in (tmp_path / "g").rglob("*"):
        if file.is_file():
            assert name.encode() not in file.read_bytes()


def test_listeners_hear_the_same_changes(graph: lg.Graph) -> None:
    heard: list[tuple[Any, ...]] = []
    feed = graph.changes("owner")
    with graph.admin.on_commit(lambda one: heard.extend(shown(one.changes()))):
        graph.add([Person("ann", name="Ann"), Calls("a", "b")])
        graph.vertex("ann").hide("hr")
        graph.vertex("ann").set("name", "Anna", visibility="hr")
        graph.vertex("ann").set_visibility("hr")
        graph.add(Person("bob"), blind=True)
        graph.load(pa.table({"id": ["cy"]}), group=Person)
        with graph.transaction() as changing:
            changing.add(Person("dan"))
            changing.delete(Calls("a", "b"))
        graph.delete(graph.vertex("bob").one())
    assert heard == shown(feed)
    assert len(heard) > 10


def test_listeners_hear_changes_without_a_cursor(graph: lg.Graph) -> None:
    graph.add(Person("ann"))
    graph.vertex("ann").hide("hr")
    heard: list[lg.GraphChange] = []
    with graph.admin.on_commit(lambda one: heard.extend(one.changes())):
        graph.add(Person("ann", name="Ann"))
    assert [(one.kind, one.visible) for one in heard][-1] == ("value set", False)
    assert graph.admin.cursors() == []


def shown(changes: Any) -> list[tuple[Any, ...]]:
    return [(one.kind, one.id, one.property, one.timestamp, one.number) for one in changes]
