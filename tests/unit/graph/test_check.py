"""``graph.admin``: what a check of a directory finds, and looking after its files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import Corruption, NotGranted, ReadOnly, UnsupportedError
from lexigraph.store import EmbeddedEngine
from lexigraph.store.checks import Checked, CheckReport
from lexigraph.store.clock import ManualClock
from lexigraph.store.embedded import check as embedded_check

HOUR = 3_600_000_000


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum(check=[lg.this <= 10])


class Place(lg.Vertex, summary=True):
    id: str
    visits: int = lg.sum()


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[lg.Graph]:
    with lg.open(tmp_path / "store", [Person, Place]) as opened:
        opened.add([Person("ann", seen=1), Place("here", visits=1)])
        yield opened


def step(report: CheckReport, name: str) -> list[Checked]:
    return [one for one in report.steps if one.step == name]


def test_a_sound_directory_has_no_problems(graph: lg.Graph) -> None:
    report = graph.admin.check()
    assert report.ok
    assert [one.step for one in report.steps] == [
        *(
            "format",
            "counts",
            "delta",
            "readers",
            "clock",
            "space",
            "pages",
            "schema",
            "rules",
            "indexes",
            "groups",
        )
    ]
    [counts] = step(report, "counts")
    engine = graph._access.engine
    cells = sum(engine.stats(table).cells for table in graph.admin.tables())
    assert counts.what == f"2 tables, {cells} cells, 0 delete markers"
    [rules] = step(report, "rules")
    assert rules.what == "Person: 1 rule; no stored element is hidden"


def test_commits_ahead_of_the_clock_are_a_problem(tmp_path: Path) -> None:
    clock = ManualClock(10 * HOUR)
    with lg.open(tmp_path / "store", [Place], clock=clock) as graph:
        graph.add([Place("here", visits=1)])
        assert graph.admin.check().ok
        clock.advance(-2 * HOUR)
        [problem] = graph.admin.check().problems
        assert problem.step == "clock"
        assert "7,200 s ahead" in problem.what
        assert problem.remedy


def test_an_old_reader_is_a_problem(graph: lg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_check, "OLD_READER_COMMITS", 3)
    with graph.snapshot() as held:
        assert held.count() == 2
        for number in range(5):
            graph.add([Place(f"p{number}", visits=1)])
        problems = graph.admin.check().problems
        assert [one.step for one in problems] == ["readers"]
        assert "5 commits old" in problems[0].what
    assert graph.admin.check().ok


def test_unmerged_cells_are_a_problem_once_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_check, "WAITING_CELLS", 5)
    with lg.open(tmp_path / "store", [Place], merge_cells=None) as graph:
        graph.add(Place(f"p{number}", visits=1) for number in range(10))
        [problem] = graph.admin.check().problems
        assert (problem.step, problem.remedy) == ("delta", "Run graph.admin.compact().")
        graph.admin.compact()
        assert graph.admin.check().ok


def test_a_full_map_or_disk_is_a_problem(
    graph: lg.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_check, "LITTLE_ROOM_BYTES", 2**60)
    [problem] = graph.admin.check().problems
    assert (problem.step, "the disk has" in problem.what) == ("space", True)
    monkeypatch.undo()
    with lg.open(tmp_path / "small", [Place], map_size_bytes=1 << 20) as small:
        monkeypatch.setattr(embedded_check, "MAP_USED", 0.001)
        [problem] = small.admin.check().problems
        assert "map_size_bytes" in problem.remedy


def test_a_graph_without_rules_says_so(tmp_path: Path) -> None:
    class Person(lg.Vertex, summary=True):
        id: str
        seen: int = lg.sum()

    with lg.open(tmp_path / "store", [Person]) as graph:
        [rules] = step(graph.admin.check(), "rules")
        assert rules.what == "no group has rules"


def test_counts_are_for_owners(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path, grants=["A"]) as engine, pytest.raises(NotGranted):
        engine.check()


def test_a_graph_is_backed_up_verified_and_vacuumed(graph: lg.Graph, tmp_path: Path) -> None:
    assert graph.admin.backup(tmp_path / "copy") > 0
    assert "all sound" in str(graph.admin.verify())
    assert graph.admin.vacuum() >= 0
    assert graph.count() == 2
    with lg.open(tmp_path / "copy", read_only=True) as copy:
        assert copy.count() == 2
        with pytest.raises(ReadOnly):
            copy.admin.vacuum()
    file = tmp_path / "copy" / "data.mdb"
    file.write_bytes(file.read_bytes()[: 3 * 4096])
    with pytest.raises(Corruption):
        lg.open(tmp_path / "copy")


def test_memory_has_nothing_to_look_after_and_says_what_to_do() -> None:
    with lg.open(":memory:", [Person]) as graph:
        assert graph.admin.check().ok
        for call in (lambda: graph.admin.backup("x"), graph.admin.verify, graph.admin.vacuum):
            with pytest.raises(UnsupportedError, match="the memory engine does not have") as told:
                call()
            assert "directory" in told.value.hint


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    minutes: int = lg.sum(check=[lg.this <= 10])
    label: str = lg.visibility(default="")


@pytest.mark.parametrize("where", [":memory:", "directory"])
@pytest.mark.parametrize("layout", ["byte-entity", "classic"])
def test_a_check_says_how_many_elements_the_rules_hide(
    where: str, layout: str, tmp_path: Path
) -> None:
    path = where if where == ":memory:" else str(tmp_path / "store")
    with lg.open(path, [Person, Place, Calls], layout=layout) as graph:
        said = {one.what for one in step(graph.admin.check(), "rules")}
        assert said == {
            "Person: 1 rule; no stored element is hidden",
            "Calls: 1 rule; no stored element is hidden",
        }
        for _ in range(2):
            graph.add([Person("ann", seen=6), Person("bob", seen=1), Place("here", visits=9)])
            # Two rows each, and rules judge each label by itself.
            graph.add([Calls("ann", "bob", minutes=6), Calls("ann", "bob", minutes=6, label="a")])
            graph.add([Calls("bob", "ann", minutes=6, label="a"), Calls("x", "x", minutes=1)])
        shown = graph.session(lg.ALL).count(Calls)
        people, calls = step(graph.admin.check(), "rules")
        assert people.what == (
            "Person: 1 rule; 1 stored element breaks a rule and is hidden from every reader "
            "(each label counts)"
        )
        assert "3 stored elements break a rule and are hidden" in calls.what
        assert shown == 1
        graph.admin.compact()
        assert step(graph.admin.check(), "rules") == [people, calls]


def test_a_check_with_limited_grants_counts_nothing_hidden() -> None:
    with lg.open(":memory:", [Person], grants=["a"]) as graph:
        graph.add([Person("ann", seen=1)])
        [rules] = step(graph.admin.check(), "rules")
        assert "not counted: the graph was opened with limited grants" in rules.what


def test_a_check_names_the_indexes(graph: lg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    [none] = step(graph.admin.check(), "indexes")
    assert none.what == "there are none"

    def cut_short(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("lexigraph.index.building._Build.run", cut_short)
        with pytest.raises(KeyboardInterrupt):
            graph.index.create("by_id", Person.id)
    report = graph.admin.check()
    [building] = step(report, "indexes")
    assert "by_id on Person.vertex: building" in building.what
    assert "graph.index.create again" in building.what
    assert report.ok
    graph.index.create("by_id", Person.id)
    [ready] = step(graph.admin.check(), "indexes")
    assert ready.what == "by_id on Person.vertex: ready"
