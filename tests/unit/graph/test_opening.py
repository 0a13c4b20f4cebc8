"""Opening a graph by its path: what names one, and what must not become a directory."""

from __future__ import annotations

from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import GraphNotFound, InvalidOption, InvalidValue, StoreError
from lexigraph.layout.stored.catalogue import Catalogue
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import schema_of
from lexigraph.store import EmbeddedEngine, MemoryEngine


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, in which nothing must be made by mistake."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "path",
    [
        "acumulo://zk1:2181/main",
        "ACCUMULO://zk1:2181/main",
        "accumulo:/zk1:2181/main",
        "memory:",
        "file:/tmp/calls",
        "sqlite:calls",
        Path("accumulo://zk1:2181/main"),
    ],
)
def test_a_scheme_that_there_is_not_makes_no_directory(path: str | Path, empty: Path) -> None:
    with pytest.raises(InvalidOption, match="does not name an engine") as refused:
        lg.open(path, [Calls])
    assert "':memory:', 'accumulo://zk1:2181/instance'" in refused.value.hint
    assert list(empty.iterdir()) == []


def test_a_properties_file_that_is_not_there_makes_no_directory(empty: Path) -> None:
    with pytest.raises(GraphNotFound, match=r"no properties file 'nosuch\.properties'"):
        lg.open("nosuch.properties", [Calls])
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("name", ["./with:colon", "c:x", "2nd:x"])
def test_other_names_with_a_colon_are_directories(name: str, empty: Path) -> None:
    with lg.open(name, [Calls]) as graph:
        graph.add([Calls("ann", "bob", count=1)])
    assert (empty / name).is_dir()


@pytest.mark.parametrize("path", [5, b"/x", None, ["x"], 1.5, object(), "", Calls])
def test_what_is_not_a_path_is_refused(path: object, empty: Path) -> None:
    for opens in (lambda: lg.open(path, [Calls]), lambda: lg.graphs(path)):  # type: ignore[call-overload, arg-type]
        with pytest.raises(InvalidOption, match="opened by a path, not") as refused:
            opens()
        assert "':memory:', 'accumulo://zk1:2181/instance'" in refused.value.hint
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("size", [2**64, 2**63, 2**47, 0, -1, 1.5, "1", None, True])
def test_a_map_of_an_impossible_size_is_refused(size: object, empty: Path) -> None:
    with pytest.raises(InvalidValue, match="map_size_bytes must be"):
        lg.open("store", [Calls], map_size_bytes=size)
    assert list(empty.iterdir()) == []


def test_the_graphs_of_a_directory_are_listed(empty: Path) -> None:
    for name in ("work", "family"):
        lg.open("store", [Calls], name=name).close()
    before = sorted(empty.joinpath("store").iterdir())
    assert lg.graphs("store") == lg.graphs(empty / "store") == ["family", "work"]
    assert sorted(empty.joinpath("store").iterdir()) == before
    with EmbeddedEngine("store") as engine:
        assert lg.graphs(engine) == ["family", "work"]
        assert engine.tables()
    with lg.open("store", name="work") as graph:
        graph.admin.drop()
    assert lg.graphs("store", lock_timeout_s=1) == ["family"]
    assert lg.graphs(":memory:") == []


def test_listing_graphs_makes_nothing(empty: Path) -> None:
    with pytest.raises(GraphNotFound, match="no graph at 'nosuch'"):
        lg.graphs("nosuch")
    (empty / "folder").mkdir()
    with pytest.raises(StoreError, match="there is no store"):
        lg.graphs("folder")
    with pytest.raises(InvalidOption, match="did you mean: threads"):
        lg.graphs("folder", thread=1)
    assert [*empty.rglob("*")] == [empty / "folder"]


@pytest.mark.parametrize("store", ["MockAccumuloStore", "SingleUseMockAccumuloStore"])
@pytest.mark.parametrize("package", ["gaffer", "uk.gov.gchq.gaffer"])
def test_a_properties_file_that_names_gaffers_mock_store_opens_memory(
    store: str, package: str, empty: Path
) -> None:
    lines = [
        f"gaffer.store.class={package}.accumulostore.{store}",
        f"gaffer.store.properties.class={package}.accumulostore.AccumuloProperties",
        "gaffer.store.accumulo.keypackage.class=ClassicKeyPackage",
        "accumulo.instance=anything",
        "accumulo.zookeepers=localhost:2181",
    ]
    Path("mock.properties").write_text("\n".join(lines), encoding="utf-8")
    with lg.open("mock.properties", [Calls]) as graph:
        graph.add([Calls("ann", "bob", count=1), Calls("ann", "bob", count=2)])
        assert graph.all().to_list() == [Calls("ann", "bob", count=3)]
        assert "memory" in repr(graph)
        assert graph._access.stored.layout_name == "classic"
    assert lg.graphs("mock.properties") == []
    assert [one.name for one in empty.iterdir()] == ["mock.properties"]


def test_a_mistake_in_the_properties_of_a_mock_store_is_refused() -> None:
    lines = "gaffer.store.class=gaffer.accumulostore.MockAccumuloStore\naccumulo.instanc=x\n"
    Path("mock.properties").write_text(lines, encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"did you mean: accumulo\.instance"):
        lg.open("mock.properties", [Calls])


class Hiding(MemoryEngine):
    """An engine that does not show all its tables, as a cluster does."""

    hidden = ""

    def tables(self) -> list[str]:
        return [one for one in super().tables() if not one.startswith(self.hidden or "-")]


def test_a_hint_names_only_graphs_whose_tables_are_shown() -> None:
    engine = Hiding()
    for name in ("open", "secret"):
        StoredGraph.create(engine, name, schema_of([Calls]))
    engine.hidden = "secret."
    with pytest.raises(GraphNotFound) as missing:
        lg.open(engine, name="opne")
    assert missing.value.hint.startswith("Available: open. ")
    with pytest.raises(GraphNotFound) as missing:
        Catalogue(engine).get("opne")
    assert "secret" not in missing.value.hint
    assert Catalogue(engine).names() == ["open", "secret"]


@pytest.mark.parametrize("ending", ["", ".properties"])
@pytest.mark.parametrize("classes", [None, [Calls]])
def test_a_path_that_is_too_long_for_a_file_is_refused(
    empty: Path, ending: str, classes: list[type] | None
) -> None:
    path = empty / ("x" * 300 + ending)
    with pytest.raises((StoreError, GraphNotFound)):
        lg.open(path, classes)
    with pytest.raises(GraphNotFound):
        lg.open(path, classes, read_only=True)
