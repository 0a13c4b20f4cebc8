"""Opening a graph by its path: what names one, and what must not become a directory."""

from __future__ import annotations

from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import GraphNotFound, InvalidOption
from lexigraph.graph.catalogue import Catalogue
from lexigraph.graph.stored import StoredGraph
from lexigraph.schema import schema_of
from lexigraph.store import MemoryEngine


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
    with pytest.raises(InvalidOption, match="is no way to open a graph") as refused:
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
    assert missing.value.hint.startswith("There are: open. ")
    with pytest.raises(GraphNotFound) as missing:
        Catalogue(engine).get("opne")
    assert "secret" not in missing.value.hint
    assert Catalogue(engine).names() == ["open", "secret"]
