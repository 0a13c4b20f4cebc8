"""Streaming values and what the owner does with the graph: checks, backups, schemas, leases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Conflict, Corruption, InvalidOption, SchemaError, UsageError
from lexigraph.layout.streams import placing
from lexigraph.streaming import FILE

NOW = timedelta(0)


class Film(lg.Vertex):
    id: str
    name: str
    video: lg.StreamingValue | None = None


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A directory whose graph has a value in the table and one in a file."""
    with open_graph(tmp_path / "g") as graph:
        graph.add_vertex("v", small=lg.stream(b"12345"), large=lg.stream(b"1234567890"))
    return tmp_path / "g"


def open_graph(path: Path, **options: Any) -> lg.Graph:
    return lg.open(path, authorizations=lg.ALL, max_streaming_bytes=5, **options)


def files_below(path: Path) -> list[Path]:
    return sorted(one for one in (path / "streams").rglob("*") if one.is_file())


def problems(graph: lg.Graph) -> list[str]:
    return [one.what for one in graph.admin.check().problems]


def test_values_are_read_whatever_the_limit_is_now(home: Path) -> None:
    with lg.open(home, authorizations=lg.ALL) as graph:
        found = graph.vertex("v").one()
        assert [found[name].read_range(3, 99) for name in ("small", "large")] == [b"45", b"4567890"]
        assert found["large"].stored_as[2] == FILE
        assert graph.vertex("v").set("large", found["large"]).one()["large"].stored_as[2] != FILE


def test_a_backup_has_the_files_too(home: Path, tmp_path: Path) -> None:
    with open_graph(home) as graph:
        assert graph.admin.backup(tmp_path / "copy") > 10
        graph.vertex("v").delete(hard=True)
    assert files_below(home) == []
    with open_graph(tmp_path / "copy") as copy:
        assert copy.vertex("v").one()["large"].read_range(0, 99) == b"1234567890"
        copy.admin.verify()
        assert problems(copy) == []


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"123")])
def test_a_file_that_is_gone_or_cut_is_found(home: Path, harm: Any) -> None:
    [path] = files_below(home)
    harm(path)
    with open_graph(home) as graph:
        with pytest.raises(Corruption, match="1 of 2 streaming values"):
            graph.admin.verify()
        assert problems(graph) == ["1 streaming values whose bytes are not all there"]


def test_files_that_nothing_names_are_collected_when_they_are_old(home: Path) -> None:
    [path] = files_below(home)
    for name in ("0" * 32, "1" * 32 + ".part"):
        path.with_name(name).write_bytes(b"left")
    with open_graph(home) as graph:
        assert graph.admin.collect_streams() == 0
        assert graph.admin.collect_streams(older_than=NOW) == 2
        assert files_below(home) == [path]
        graph.admin.drop()
    assert files_below(home) == []


def test_dropped_and_cleared_graphs_leave_the_files_of_others(home: Path) -> None:
    with open_graph(home, name="other", strict=False) as other:
        other.add_vertex("v", large=lg.stream(b"0987654321"))
        other.admin.clear()
        assert len(files_below(home)) == 1
        other.add_vertex("v", large=lg.stream(b"0987654321"))
        assert other.vertex("v").one()["large"].read_range(0, 2) == b"09"
        other.admin.drop()
    with open_graph(home) as graph:
        assert graph.vertex("v").one()["large"].read_range(0, 2) == b"12"


def test_a_writer_whose_bytes_were_collected_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = lg.open(":memory:")
    graph.add_vertex("v")
    monkeypatch.setattr(placing, "_LEASE_S", -1.0)
    with graph.transaction() as transaction:
        transaction.vertex("v").set("p", lg.stream(b"kept"))
    transaction = graph.transaction().__enter__()
    transaction.vertex("v").set("p", lg.stream(b"late"))
    assert graph.admin.collect_streams(older_than=NOW) == 1
    with pytest.raises(Conflict, match="collected before"):
        transaction.commit()
    assert graph.vertex("v").one()["p"].read_range(0, 9) == b"kept"
    assert graph.admin.collect_streams(older_than=NOW) == 0


def test_a_commit_that_comes_late_keeps_its_bytes_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = lg.open(":memory:")
    graph.add_vertex("v")
    monkeypatch.setattr(placing, "_LEASE_S", -1.0)
    streams = graph._access.stored.streams
    with graph.transaction() as transaction:
        transaction.vertex("v").set("p", lg.stream(b"kept"))
        [before] = [head.time for head in streams.heads()]
    [after] = [head.time for head in streams.heads()]
    assert after > before


def test_an_older_handle_still_takes_new_groups(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", [Film]) as graph:
        with lg.open(tmp_path / "g") as other:
            other.add_vertex("v", Film, name="V", video=lg.stream(b"1"))

        class Actor(lg.Vertex):
            id: str

        graph.admin.evolve([Film, Actor])
        graph.add(Actor("a"))
        assert graph.vertex("v").one().video.size == 1
        graph.admin.drop()
        assert [name for name in graph._access.engine.tables() if "streams" in name] == []


def test_columns_hold_sizes() -> None:
    graph = lg.open(":memory:", [Film])
    graph.add([Film("v", name="V", video=lg.stream(b"1234")), Film("w", name="W")])
    table = graph.all(Film).to_arrow()
    assert (str(table.schema.field("video").type), table["video"].to_pylist()) == (
        "int64",
        [4, None],
    )


def test_streams_are_not_declared_where_values_are_compared() -> None:
    class Summary(lg.Vertex, summary=True):
        id: str
        video: lg.StreamingValue = lg.last()

    class Named(lg.Vertex):
        id: lg.StreamingValue

    class Sorted(lg.Edge):
        source: str
        destination: str
        video: lg.StreamingValue = lg.sort_key()

    class Signed(lg.Edge):
        source: str
        destination: str
        video: lg.StreamingValue = lg.signature()

    for one in (Summary, Named, Sorted, Signed):
        with pytest.raises(SchemaError, match="a streaming value is a property of a record"):
            lg.open(":memory:", [one])


def test_a_value_that_was_copied_elsewhere_has_no_graph() -> None:
    import pickle

    graph = lg.open(":memory:")
    graph.add_vertex("v", p=lg.stream(b"1"))
    value = graph.vertex("v").one()["p"]
    copy = pickle.loads(pickle.dumps(value))
    assert (copy, hash(copy), repr(copy)) == (value, hash(value), "<stream 1 byte>")
    with pytest.raises(UsageError, match="does not know its graph"):
        copy.open()
    with pytest.raises(InvalidOption):
        value.save_to(7)  # type: ignore[arg-type]
    for age in (timedelta(seconds=-1), 5, None):
        with pytest.raises(InvalidOption, match="older_than"):
            graph.admin.collect_streams(older_than=age)  # type: ignore[arg-type]


def test_a_source_is_read_piece_by_piece() -> None:
    graph = lg.open(":memory:", max_streaming_bytes=1000)
    graph.add_vertex("v")
    held = graph._access.engine.files
    assert held is not None
    seen: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(5):
            seen.append(number)
            yield bytes(400)

    given = lg.stream(pieces())
    assert seen == []
    graph.vertex("v").set("p", given)
    assert (graph.vertex("v").one()["p"].size, seen) == (2000, [0, 1, 2, 3, 4])
