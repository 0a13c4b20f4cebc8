"""Connecting to a cluster: what is refused, how soon, and what is never said."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import Authorization, Closed, NotGranted, TableNotFound, Unreachable
from lexigraph.store import AccumuloEngine, Mutations, Range, ScanSpec, StageSpec, TableSettings
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo


@pytest.fixture
def engine() -> Iterator[AccumuloEngine]:
    with fresh_engine() as made:
        yield made


def password_of(cluster: LocalCluster) -> str:
    text = cluster.status().properties.read_text()
    return text.split("accumulo.password=")[1].strip()


def test_a_cluster_is_opened_by_its_url(cluster: LocalCluster) -> None:
    with AccumuloEngine(cluster.status().properties) as by_file:
        url = by_file._properties.url
    with AccumuloEngine(url, user="root", password=password_of(cluster)) as engine:
        assert repr(engine) == f"AccumuloEngine({url!r})"
        assert password_of(cluster) not in repr(engine)


def test_a_wrong_password_is_refused_and_not_repeated(cluster: LocalCluster) -> None:
    where = cluster.status().properties
    with pytest.raises(Authorization, match="refused user 'root'") as refused:
        AccumuloEngine(where, password="not-the-password")
    assert "not-the-password" not in str(refused.value)
    assert "Check user and password: accumulo.user" in refused.value.hint


def test_a_zookeeper_that_is_not_there_is_unreachable() -> None:
    with pytest.raises(Unreachable, match=r"no ZooKeeper answers: 127\.0\.0\.1:1 "):
        AccumuloEngine("accumulo://127.0.0.1:1/main", user="ann", password="x", timeout_s=5)


def test_an_instance_that_is_not_there_is_unreachable(cluster: LocalCluster) -> None:
    with AccumuloEngine(cluster.status().properties) as engine:
        url = engine._properties.url.replace("/lexigraph", "/another")
    with pytest.raises(Unreachable, match="do not know the instance 'another'"):
        AccumuloEngine(url, user="root", password=password_of(cluster), timeout_s=5)


def test_what_accumulo_did_not_grant_is_not_granted(cluster: LocalCluster) -> None:
    with AccumuloEngine(cluster.status().properties, namespace="ungranted") as engine:
        table = engine.create_table(f"t-{uuid4()}")
        with pytest.raises(NotGranted, match="did not grant user 'root'"):
            list(table.scan(authorizations=[f"of nobody {uuid4()}"]))


def test_tables_of_others_are_not_touched(cluster: LocalCluster) -> None:
    with AccumuloEngine(cluster.status().properties, namespace="accumulo") as system:
        assert system.tables() == []
        with pytest.raises(TableNotFound):
            system.drop_table("metadata")


def test_a_stage_of_a_scan_runs_on_the_server(engine: AccumuloEngine) -> None:
    table = engine.create_table("t", TableSettings(max_versions=None))
    for number in range(20):
        table.put(f"r{number:02}", "f", "", str(number % 2))
    engine.counted = []
    grep = ScanSpec(stages=[StageSpec("grep", {"term": "1"})], ranges=[Range.rows("r05", None)])
    found = [cell for batch in engine.scan("t", grep) for cell in batch]
    assert [place.in_engine for place in engine.placement("t", grep)] == [True]
    [told] = engine.counted
    assert told["class"] == "org.lexigraph.iterators.StageIterator"
    [stage] = told["stages"]
    assert (stage["name"], stage["read"], stage["given"]) == ("grep", 15, len(found))


def test_many_ranges_come_in_order_from_several_tablets(engine: AccumuloEngine) -> None:
    settings = TableSettings(splits=[b"r0300", b"r0700", b"r07000"])
    table = engine.create_table("t", settings)
    rows = [f"r{number:04}" for number in range(1000)]
    mutations = Mutations()
    for row in rows:
        mutations.put(row, "f", "", row)
    table.write(mutations)
    wanted = [rows[place] for place in range(0, 1000, 3)]
    spec = ScanSpec(ranges=[Range.row(row) for row in reversed(wanted)])
    found = [cell.value.decode() for part in engine.scan("t", spec) for cell in part]
    assert found == wanted


def test_a_closed_engine_says_so(engine: AccumuloEngine) -> None:
    engine.close()
    with pytest.raises(Closed):
        engine.tables()


BESIDE = """
import jpype, sys
jpype.startJVM()
before = jpype.java.util.ArrayList()
from lexigraph.store import AccumuloEngine
with AccumuloEngine(sys.argv[1], namespace="beside") as engine:
    table = engine.create_table("t" + sys.argv[2])
    table.put("r", "f", "", "v")
    print([cell.value for cell in table.scan()])
before.add("still there")
print(before[0])
"""


def test_it_works_in_a_jvm_that_somebody_else_started(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    where = str(cluster.status().properties)
    command = [sys.executable, "-c", BESIDE, where, tmp_path.name.replace("-", "")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.stdout.split("\n")[:2] == ["[b'v']", "still there"], ran.stderr


FORGOTTEN = """
import sys
from lexigraph.store import AccumuloEngine
engine = AccumuloEngine(sys.argv[1])
print(len(engine.tables()) >= 0)
"""


def test_a_process_ends_that_forgot_to_close(cluster: LocalCluster) -> None:
    command = [sys.executable, "-c", FORGOTTEN, str(cluster.status().properties)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (ran.returncode, ran.stdout) == (0, "True\n"), ran.stderr


BUSY = """
import sys
from lexigraph.store import AccumuloEngine
with AccumuloEngine(sys.argv[1]) as engine:
    print("busy", flush=True)
    while True:
        engine.tables()
"""


def test_a_process_that_is_told_to_end_just_ends(cluster: LocalCluster) -> None:
    command = [sys.executable, "-c", BUSY, str(cluster.status().properties)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == b"busy\n"
        busy.terminate()
        assert busy.wait(60) == -signal.SIGTERM
