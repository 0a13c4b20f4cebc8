"""Gaffer's store properties on a real cluster: each one's effect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import lexigraph as lg
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import UnsupportedError
from lexigraph.store import AccumuloEngine, Range

pytestmark = pytest.mark.accumulo


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()
    rules = [lg.rule(lg.field("count") < 10, remove=True)]


@pytest.fixture
def namespace() -> str:
    return f"effects_{uuid4().hex[:8]}"


@contextmanager
def engine(cluster: LocalCluster, namespace: str, **given: str) -> Iterator[AccumuloEngine]:
    lines = cluster.status().properties.read_text().splitlines()
    properties = dict(line.split("=", 1) for line in lines)
    more = {name.replace("__", "."): value for name, value in given.items()}
    with AccumuloEngine({**properties, **more}, namespace=namespace) as made:
        yield made


def test_a_properties_file_as_gaffer_documents_it_opens_a_graph(
    cluster: LocalCluster, namespace: str, tmp_path: Path
) -> None:
    path = tmp_path / "store.properties"
    path.write_text(
        "gaffer.store.class=gaffer.accumulostore.AccumuloStore\n"
        "gaffer.store.properties.class=gaffer.accumulostore.AccumuloProperties\n"
        + cluster.status().properties.read_text()
    )
    with lg.open(path, [Person], namespace=namespace) as graph:
        graph.add([Person("ann", seen=1), Person("ann", seen=2)])
        assert graph.get("ann").to_list() == [Person("ann", seen=3)]


def test_the_key_package_is_the_layout_of_new_graphs(cluster: LocalCluster, namespace: str) -> None:
    package = "uk.gov.gchq.gaffer.accumulostore.key.core.impl.classic.ClassicKeyPackage"
    given = {"gaffer__store__accumulo__keypackage__class": package}
    with engine(cluster, namespace, **given) as ours, lg.open(ours, [Person]) as graph:
        assert graph.admin._access.stored.layout_name == "classic"
        graph.add([Person("ann", seen=1)])
        # Classic rows of a vertex are its bytes alone.
        assert [cell.row for cell in ours.table("graph.elements").scan()] == [b"ann"]
    with engine(cluster, namespace) as ours, lg.open(ours) as graph:
        assert len(graph.all().to_list()) == 1
    other = {"gaffer__store__accumulo__keypackage__class": "x.ByteEntityKeyPackage"}
    with engine(cluster, namespace, **other) as ours, pytest.raises(UnsupportedError):
        lg.open(ours)


def test_without_the_validator_tables_keep_and_show_what_breaks_a_rule(
    cluster: LocalCluster, namespace: str
) -> None:
    name = "gaffer__store__accumulo__enable__validator__iterator"
    for value, shown in (("true", []), ("false", [12])):
        with (
            engine(cluster, namespace, **{name: value}) as ours,
            lg.open(ours, [Calls], name=f"g-{value}") as graph,
        ):
            graph.add([Calls("ann", "bob", count=6)])
            graph.add([Calls("ann", "bob", count=6)])
            assert [edge.count for edge in graph.all().to_list()] == shown
            graph.admin.compact()
            assert [edge.count for edge in graph.all().to_list()] == shown
            table = graph.admin.tables()[1]
            assert len(list(ours.table(table).scan())) == 2 * len(shown)
            filters = [one for one in ours.properties_of(table) if one.endswith("-filter")]
            assert bool(filters) == (value == "true")


class Watched:
    """A bridge, and the scans that it was asked for."""

    def __init__(self, bridge: Any) -> None:
        self.bridge, self.made = bridge, []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bridge, name)

    def scan(self, *arguments: Any) -> Any:
        self.made.append(self.bridge.scan(*arguments))
        return self.made[-1]


def field_of(one: Any, name: str) -> Any:
    """Read a private field of an object of Java."""
    field = one.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field.get(one)


def test_scans_of_many_ranges_have_the_threads_and_the_ranges_that_are_asked_for(
    cluster: LocalCluster, namespace: str
) -> None:
    given = {"accumulo__batchScannerThreads": "3", "accumulo__entriesForBatchScanner": "4"}
    with engine(cluster, namespace, **given) as ours:
        table = ours.create_table("t")
        for number in range(10):
            table.put(f"r{number}", "f", "", str(number))
        ours._bridge = Watched(ours._bridge)
        spec = lg.ScanSpec(ranges=[Range.row(f"r{number}") for number in range(10)])
        batches = iter(ours.scan("t", spec, batch_cells=1))
        next(batches)
        [scan] = ours._bridge.made
        assert scan.asked() == 4
        assert int(field_of(field_of(scan, "scanner"), "numThreads")) == 3
        assert sum(len(batch) for batch in batches) == 9
        assert scan.asked() == 10


def test_writers_gather_as_asked_for(cluster: LocalCluster, namespace: str) -> None:
    with engine(cluster, namespace) as ours:
        told = str(ours.bridge.writerConfig())
        for one in ("maxMemory=1000000", "maxLatency=1000", "maxWriteThreads=10"):
            assert one in told
    given = {
        "accumulo__maxBufferSizeForBatchWriterInBytes": "2000000",
        "accumulo__maxTimeOutForBatchWriterInMilliseconds": "250",
        "accumulo__numThreadsForBatchWriter": "2",
    }
    with engine(cluster, namespace, **given) as ours:
        told = str(ours.bridge.writerConfig())
        for one in ("maxMemory=2000000", "maxLatency=250", "maxWriteThreads=2"):
            assert one in told


def test_files_of_tables_are_replicated_as_asked_for(cluster: LocalCluster, namespace: str) -> None:
    with engine(cluster, namespace, accumulo__file__replication="2") as ours:
        ours.create_table("two")
        assert ours.properties_of("two")["table.file.replication"] == "2"
    with engine(cluster, namespace) as ours:
        ours.create_table("usual")
        assert "table.file.replication" not in ours.properties_of("usual")


def test_filters_of_sets_have_the_sizes_asked_for_and_change_no_answer(
    cluster: LocalCluster, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexigraph.plan.sources.seeds.MAX_EXACT", 10)
    edges = [Calls(f"p{one % 40}", f"p{one % 37}", count=1) for one in range(200)]
    wanted = [f"p{one}" for one in range(20)]
    found: dict[str, list[str]] = {}
    sizes = {}
    for name, given in {
        "usual": {},
        "small": {"accumulo__maxBloomFilterToPassToAnIterator": "64"},
        "loose": {"accumulo__falsePositiveRate": "0.1"},
        "client": {"accumulo__clientSideBloomFilterSize": "64"},
    }.items():
        with engine(cluster, namespace, **given) as ours, lg.open(ours, [Calls]) as graph:
            if name == "usual":
                graph.add(edges)
            asked = graph.within(wanted)
            found[name] = sorted(map(repr, asked.to_list()))
            sizes[name] = (graph._seeds(wanted).filter_bits, str(asked.explain()))
    assert found["usual"]
    assert found["small"] == found["loose"] == found["client"] == found["usual"]
    assert "a filter of 131072 bits" in sizes["usual"][1]
    assert "a filter of 64 bits" in sizes["small"][1]
    assert "a filter of 256 bits" in sizes["loose"][1]
    assert (sizes["usual"][0], sizes["client"][0]) == (512, 64)
