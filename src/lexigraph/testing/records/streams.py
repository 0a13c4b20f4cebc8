"""Streaming values: behaviours 28 and 77 to 81 of Vertexium's tests, and what its store got wrong.

Layer ``testing``. Entries 8 and 9 of the outside cases are tested here as we decided them: bytes
have the visibility of their property, every version stays readable, deletes remove them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    InvalidOption,
    InvalidValue,
    LexigraphError,
    PropertyNotFound,
    UnsupportedError,
    UsageError,
)
from lexigraph.testing.marks import needs
from lexigraph.testing.records.base import RecordTests, Time, user

MOST = 10 * 1024 * 1024
NOW = timedelta(0)


def some_bytes(size: int, seed: int = 0) -> bytes:
    """Return bytes that say where they stand.

    >>> some_bytes(5, seed=1)
    b'bipwd'
    """
    cycle = bytes(ord("a") + (7 * i + seed) % 26 for i in range(26))
    return (cycle * (size // 26 + 1))[:size]


def content(record: Any, name: str) -> list[tuple[str, str, bytes]]:
    """Return key, visibility and bytes of all values of a name."""
    return [(one.key.decode(), one.visibility, _all(one.value)) for one in record.values(name)]


def _all(value: lg.StreamingValue) -> bytes:
    with value.open() as file:
        return file.read()


class RecordStreams(RecordTests):
    """Streaming values of records."""

    def test_bytes_come_back_as_often_as_they_are_read(self, graph: lg.Graph) -> None:
        """77: small, empty and of more than one chunk; names may be odd."""
        sizes = {"none": 0, "one": 1, "a name, with / and \u001f": 1000, "chunks": 2**20 + 1}
        for name, size in sizes.items():
            graph.add_vertex("v", properties={name: lg.stream(some_bytes(size))})
        for name, size in sizes.items():
            value = graph.vertex("v").one()[name]
            assert value.size == size
            assert [_all(value), _all(value)] == 2 * [some_bytes(size)]

    def test_streams_are_made_of_paths_files_bytes_and_iterators(
        self, graph: lg.Graph, tmp_path: Any
    ) -> None:
        """Paths, file objects, bytes, iterators of bytes and other streaming values."""
        (tmp_path / "file").write_bytes(b"path")
        given = {
            "path": (lg.stream(tmp_path / "file"), b"path"),
            "text": (lg.stream(str(tmp_path / "file")), b"path"),
            "object": (lg.stream(io.BytesIO(b"object")), b"object"),
            "bytes": (lg.stream(bytearray(b"bytes")), b"bytes"),
            "pieces": (lg.stream(iter([b"pie", b"", b"ces"])), b"pieces"),
        }
        graph.add_vertex("v", properties={name: one for name, (one, _) in given.items()})
        found = graph.vertex("v").one()
        assert {name: _all(found[name]) for name in given} == {
            n: two for n, (_, two) in given.items()
        }
        copied = graph.vertex("v").set("copy", found["object"]).one()["copy"]
        assert _all(copied) == b"object"
        assert copied != found["object"]
        assert found["object"] == graph.vertex("v").one()["object"]

    def test_what_cannot_be_read_is_refused_and_stores_nothing(self, graph: lg.Graph) -> None:
        """Also a source that fails on its way."""
        graph.add_vertex("v", p=1)
        once = lg.stream(io.BytesIO(b"once"))
        graph.vertex("v").set("p", once)
        refused: list[tuple[Callable[[], Any], type[BaseException]]] = [
            (lambda: lg.stream("/there/is/no/such/file"), InvalidValue),
            (lambda: lg.stream(7), InvalidValue),
            (lambda: lg.stream(iter(["text"])), InvalidValue),
            (lambda: lg.stream(_failing()), ZeroDivisionError),
            (lambda: once, UsageError),
        ]
        for given, error in refused:
            with pytest.raises(error):
                graph.vertex("v").set("p", given())
        assert _all(graph.vertex("v").one()["p"]) == b"once"
        assert _left(graph) == []

    def test_a_shorter_value_replaces_a_longer_one(self, graph: lg.Graph, time: Time) -> None:
        """78, and entry 8: as of an earlier time the longer one is still there."""
        graph.add_vertex("v", p=lg.stream(some_bytes(2**20 + 5)))
        before = time.passes()
        graph.vertex("v").set("p", lg.stream(b"short"))
        assert _all(graph.vertex("v").one()["p"]) == b"short"
        assert _all(graph.as_of(before).vertex("v").one()["p"]) == some_bytes(2**20 + 5)

    def test_any_range_is_read(self, graph: lg.Graph) -> None:
        """79 and 80: any part, also over chunks and past the end; seek goes back."""
        whole = some_bytes(2**20 + 100)
        graph.add_vertex("v", p=lg.stream(whole))
        value = graph.vertex("v").one()["p"]
        for start, stop in (
            (0, 5),
            (2**20 - 3, 2**20 + 3),
            (2**20 + 90, 2**30),
            (2**30, 2**31),
            (9, 3),
        ):
            assert value.read_range(start, stop) == whole[start:stop]
        with value.open() as file:
            assert (file.seek(-10, 2), file.read(4), file.tell()) == (
                len(whole) - 10,
                whole[-10:-6],
                len(whole) - 6,
            )
            assert (file.seek(2), file.read(3)) == (2, whole[2:5])
            buffer = bytearray(8)
            assert (file.readinto(buffer), bytes(buffer)) == (8, whole[5:13])
        wrong: list[tuple[Any, Any]] = [(-1, 5), (0, None), ("a", 5)]
        for start, stop in wrong:
            with pytest.raises(InvalidOption):
                value.read_range(start, stop)

    def test_a_value_is_saved_to_a_file(self, graph: lg.Graph, tmp_path: Any) -> None:
        """81: block by block."""
        graph.add_vertex("v", p=lg.stream(some_bytes(2**20 + 5)))
        assert graph.vertex("v").one()["p"].save_to(tmp_path / "copy") == 2**20 + 5
        assert (tmp_path / "copy").read_bytes() == some_bytes(2**20 + 5)

    def test_two_visibilities_of_a_name_are_two_values(self, graph: lg.Graph) -> None:
        """Entry 8: neither overwrites the other, and keys tell more apart."""
        handle = graph.add_vertex("v") and graph.vertex("v")
        handle.set("p", lg.stream(b"of a"), visibility="a").set(
            "p", lg.stream(b"of b"), visibility="b"
        )
        handle.set("p", lg.stream(b"of key"), key="k", visibility="a")
        assert content(user(graph, "a").vertex("v").one(), "p") == [
            ("", "a", b"of a"),
            ("k", "a", b"of key"),
        ]
        assert content(user(graph, "b").vertex("v").one(), "p") == [("", "b", b"of b")]

    def test_bytes_cannot_be_read_without_their_visibility(
        self, graph: lg.Graph, engine: lg.Engine
    ) -> None:
        """Entry 8: every cell and every file of a value is for the readers of the property."""
        graph.add_vertex(
            "v",
            p=lg.stream(b"secret", visibility="a")
            if False
            else lg.value(lg.stream(b"secret"), visibility="a&b"),
        )
        assert user(graph, "a").vertex("v").one().get("p") is None
        [table] = [name for name in engine.tables() if name.endswith(".streams")]
        seen = [
            cell
            for cell in engine.table(table).scan(authorizations=["a"])
            if b"secret" in cell.value
        ]
        assert seen == []
        assert {
            cell.visibility
            for cell in engine.table(table).scan(authorizations=lg.ALL)
            if len(cell.row) == 16
        } == {b"a&b"}
        # A value that its reader may not read any more is closed to it, also if it is known.
        known = graph.vertex("v").one()["p"]
        stranger = user(graph, "a").vertex("v")._reading.scope().bound(known)
        with pytest.raises(PropertyNotFound):
            stranger.read_range(0, 1)

    def test_another_visibility_moves_the_bytes(self, graph: lg.Graph, time: Time) -> None:
        """28, and entry 9: new readers read them; of the past the old ones do."""
        noted = {"m": lg.value(1, visibility="")}
        graph.add_vertex(
            "v", p=lg.value(lg.stream(some_bytes(2**20 + 5)), visibility="a", metadata=noted)
        )
        before = time.passes()
        graph.vertex("v").set_visibility("b", "p", of="a")
        assert content(user(graph, "a").vertex("v").one(), "p") == []
        assert content(user(graph, "b").vertex("v").one(), "p") == [
            ("", "b", some_bytes(2**20 + 5))
        ]
        assert user(graph, "b").vertex("v").one().value("p").metadata == {"m": 1}
        past = graph.session(["a"]).as_of(before).vertex("v").one()
        assert content(past, "p") == [("", "a", some_bytes(2**20 + 5))]
        assert content(graph.session(["b"]).as_of(before).vertex("v").one(), "p") == []

    def test_a_soft_delete_keeps_the_past_and_a_hard_one_does_not(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """Entry 8: what is deleted for good is deleted from the tables too."""
        graph.add_vertex("v", p=lg.stream(b"first"))
        before = time.passes()
        graph.vertex("v").unset("p")
        time.passes()
        assert graph.vertex("v").one().get("p") is None
        value = graph.as_of(before).vertex("v").one()["p"]
        assert _all(value) == b"first"
        graph.vertex("v").unset("p", hard=True)
        assert graph.as_of(before).vertex("v").one().get("p") is None
        with pytest.raises(PropertyNotFound, match="are not there"):
            _all(value)
        assert _left(graph) == []
        assert _heads(graph) == 0

    def test_a_hard_delete_of_an_element_removes_what_its_caller_reads(
        self, graph: lg.Graph
    ) -> None:
        """All versions of the readable values; what others read stays for them."""
        graph.add_vertex("v", visibility="", p=lg.value(lg.stream(b"one"), visibility="a"))
        graph.vertex("v").set("p", lg.stream(b"two"), visibility="a")
        graph.vertex("v").set("p", lg.stream(b"of b"), visibility="b")
        graph.session(["a"], role="writer").vertex("v").delete(hard=True)
        assert _heads(graph) == 1
        graph.add_vertex("v", visibility="")
        assert content(graph.vertex("v").one(), "p") in ([], [("", "b", b"of b")])

    def test_exactly_the_limit_lies_in_the_table(self, engine: lg.Engine) -> None:
        """One byte more does not, whether its size is known before or not."""
        with lg.open(engine, authorizations=lg.ALL) as graph:
            for name, given in (
                ("known", lg.stream(bytes(MOST))),
                ("unknown", lg.stream(_blocks(MOST))),
            ):
                graph.add_vertex("v", properties={name: given})
                value = graph.vertex("v").one()[name]
                assert (value.size, value.stored_as[2]) == (MOST, 1)
            more = (lg.stream(bytes(MOST + 1)), lg.stream(_blocks(MOST + 1)))
            for name, given in zip(("known", "unknown"), more, strict=True):
                if engine.files is None:
                    with pytest.raises(UnsupportedError, match="and no larger ones"):
                        graph.vertex("v").set(name, given)
                else:
                    value = graph.vertex("v").set(name, given).one()[name]
                    assert (value.size, value.stored_as[2]) == (MOST + 1, 2)
                    assert value.read_range(MOST - 1, MOST + 9) == bytes(2)
            assert _left(graph) == []

    def test_large_values_lie_in_a_folder_that_is_given(
        self, engine: lg.Engine, tmp_path: Any, time: Time
    ) -> None:
        """They are read, replaced, moved and removed as others are."""
        options: dict[str, Any] = {"streams": tmp_path / "large", "max_streaming_bytes": 10}
        with lg.open(engine, authorizations=lg.ALL, **options) as graph:
            graph.add_vertex("v", p=lg.stream(some_bytes(11)), q=lg.stream(some_bytes(10)))
            before = time.passes()
            graph.vertex("v").set("p", lg.stream(_blocks(3_000_000)))
            graph.vertex("v").set_visibility("b", "p")
            assert _all(user(graph, "b").vertex("v").one()["p"]) == b"".join(_blocks(3_000_000))
            assert _all(graph.session().as_of(before).vertex("v").one()["p"]) == some_bytes(11)
            assert len(_files(tmp_path)) == 3
            graph.vertex("v").unset("p", hard=True)
            assert (_files(tmp_path), _left(graph)) == ([], [])
            graph.vertex("v").set("p", lg.stream(some_bytes(11)))
            graph.admin.clear()
            assert _files(tmp_path) == []

    @needs("transactions")
    def test_a_transaction_that_fails_leaves_what_can_be_collected(
        self, graph: lg.Graph, time: Time
    ) -> None:
        """Until it commits only it sees the value; what nobody refers to is removed."""
        graph.add_vertex("v", p=lg.stream(b"old"))
        time.passes()
        with suppress(ZeroDivisionError), graph.transaction() as transaction:
            transaction.vertex("v").set("p", lg.stream(b"new"))
            assert _all(transaction.vertex("v").one()["p"]) == b"new"
            assert _all(graph.vertex("v").one()["p"]) == b"old"
            raise ZeroDivisionError
        assert _heads(graph) == 2
        assert graph.admin.collect_streams() == 0
        assert graph.admin.collect_streams(older_than=NOW) == 1
        assert (_heads(graph), _left(graph)) == (1, [])
        assert _all(graph.vertex("v").one()["p"]) == b"old"
        time.passes()
        with graph.transaction() as transaction:
            transaction.vertex("v").set("p", lg.stream(b"new"))
        assert _all(graph.vertex("v").one()["p"]) == b"new"

    def test_an_erased_vertex_leaves_no_bytes(self, graph: lg.Graph) -> None:
        """Of any version, under any visibility."""
        graph.add_vertex("v", p=lg.value(lg.stream(b"one"), visibility="a"))
        graph.add_edge("v", "KNOWS", "w", id="e", q=lg.stream(b"two"))
        graph.add_vertex("w", p=lg.stream(b"kept"))
        graph.vertex("v").set("p", lg.stream(b"three"), visibility="a")
        assert graph.admin.erase("v").deleted == 2
        assert (_heads(graph), _left(graph)) == (1, [])
        assert _all(graph.vertex("w").one()["p"]) == b"kept"

    def test_streams_are_values_of_properties_only(self, graph: lg.Graph) -> None:
        """Not ids, metadata, notes or parts of other values; a copy is no way around that."""
        graph.add_vertex("v", p=lg.stream(b"x"))
        known = graph.vertex("v").one()["p"]
        for one in (lg.stream(b"x"), known):
            for call in (
                lambda one=one: graph.add_vertex(one),
                lambda one=one: graph.vertex("v").set("q", 1, metadata={"m": one}),
                lambda one=one: graph.vertex("v").set("q", 1, note=one),
                lambda one=one: graph.vertex("v").set("q", (one,)),
                lambda one=one: graph.metadata.set("m", one),
            ):
                with pytest.raises(LexigraphError):
                    call()
        assert _left(graph) == []

    def test_answers_have_handles(self, graph: lg.Graph) -> None:
        """Answers have handles; streams are not compared."""
        graph.add_vertex("v", "Film", p=lg.stream(b"film"), name="Film")
        [row] = graph.all().select("p", "name").to_list()
        assert (_all(row["p"]), row["name"]) == (b"film", "Film")
        assert [_all(one["p"]) for one in graph.all()] == [b"film"]
        events: list[Any] = list(graph.vertex("v").history())
        found = [one.value for one in events if one.kind == "value set" and one.name == "p"]
        assert [_all(one) for one in found] == [b"film"]

    def test_a_class_declares_a_stream(self, engine: lg.Engine) -> None:
        """A class declares it by ``lg.StreamingValue``; other values are refused."""

        class Film(lg.Vertex):
            id: str
            name: str
            video: lg.StreamingValue | None = None

        with lg.open(engine, [Film], authorizations=lg.ALL) as graph:
            graph.add([Film("v", name="V", video=lg.stream(b"film")), Film("w", name="W")])
            found = graph.vertex("v").one()
            assert (_all(found.video), graph.vertex("w").one().video) == (b"film", None)
            assert [one.name for one in graph.all(Film).where(Film.name == "V")] == ["V"]
            for call in (
                lambda: graph.vertex("v").set("video", b"film"),
                lambda: graph.vertex("v").set("name", lg.stream(b"film")),
                lambda: graph.all(Film).where(Film.video == found.video).to_list(),
            ):
                with pytest.raises(LexigraphError):
                    call()


def _failing() -> Iterator[bytes]:
    yield bytes(2**20)
    raise ZeroDivisionError


def _blocks(size: int) -> Iterator[bytes]:
    for start in range(0, size, 1_000_000):
        yield bytes(min(1_000_000, size - start))


def _files(folder: Any) -> list[str]:
    return sorted(one.name for one in folder.rglob("*") if one.is_file())


def _heads(graph: lg.Graph) -> int:
    """Return how many streaming values the graph stores, whoever refers to them."""
    return len(list(graph._access.stored.streams.heads()))


def _left(graph: lg.Graph) -> list[str]:
    """Return what a check finds wrong with streams, orphans of any age included."""
    gone = graph.admin.collect_streams(older_than=NOW)
    found = graph.admin.check_graph().steps
    wrong = [one.what for one in found if one.step == "streams" and one.state != "ok"]
    return [*wrong, *([f"{gone} orphans"] if gone else [])]
