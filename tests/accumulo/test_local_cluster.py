"""The life of a local cluster: started, killed in part, stopped, started again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexigraph.cli.cluster.local import ROLES, LocalCluster
from lexigraph.errors import Unreachable
from lexigraph.store import AccumuloEngine

pytestmark = pytest.mark.accumulo


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    cluster = LocalCluster(tmp_path_factory.mktemp("own") / "cluster")
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop(delete=True)


def pids(cluster: LocalCluster) -> dict[str, int | None]:
    return {one.role: one.pid for one in cluster.status().servers}


def test_all_of_it_runs(own: LocalCluster) -> None:
    status = own.start()
    assert status.state == "running"
    assert [one.role for one in status.servers] == list(ROLES)
    assert all(one.memory_bytes > 10 << 20 for one in status.servers)


def test_starting_it_twice_starts_nothing(own: LocalCluster) -> None:
    own.start()
    before = pids(own)
    own.start()
    assert pids(own) == before


def test_it_listens_on_the_loopback_device_alone(own: LocalCluster) -> None:
    own.start()
    ours = {one.port for one in own.status().servers}
    addresses = {address for address, port in listening() if port in ours}
    assert addresses == {LOOPBACK}


def test_no_command_line_and_no_log_holds_a_secret(own: LocalCluster) -> None:
    own.start()
    texts = [path.read_text(errors="replace") for path in (own.home / "logs").iterdir()]
    texts += [Path(f"/proc/{pid}/cmdline").read_text() for pid in pids(own).values()]
    password = (own.home / "client.properties").read_text().split("password=")[1].strip()
    secret = (own.home / "conf/accumulo.properties").read_text().split("secret=")[1].split()[0]
    assert all(password not in text and secret not in text for text in texts)
    assert not (own.home / "conf/init.args").exists()


@pytest.mark.parametrize("role", ["tserver", "zookeeper"])
def test_a_killed_process_is_started_again_and_the_others_stay(
    own: LocalCluster, role: str
) -> None:
    own.start()
    before = pids(own)
    killed = own.process(role)
    assert killed is not None
    killed.kill()
    assert own.status().state == "broken"
    own.start()
    after = pids(own)
    assert own.status().state == "running"
    assert [name for name in ROLES if before[name] != after[name]] == [role]


def test_what_was_acknowledged_outlives_a_killed_tablet_server(own: LocalCluster) -> None:
    own.start()
    with AccumuloEngine(own.status().properties, timeout_s=10) as engine:
        table = engine.create_table("kept")
        for number in range(300):
            table.put(f"r{number:03}", "f", "", str(number))
        killed = own.process("tserver")
        assert killed is not None
        killed.kill()
        with pytest.raises(Unreachable):
            list(table.scan())
    own.start()
    with AccumuloEngine(own.status().properties) as engine:
        found = [cell.value for cell in engine.table("kept").scan()]
    assert found == [str(number).encode() for number in range(300)]


def test_a_stopped_cluster_leaves_no_process_and_starts_again(own: LocalCluster) -> None:
    own.start()
    before = pids(own)
    assert own.stop().state == "stopped"
    assert own.stop().state == "stopped"
    assert not any(os.path.exists(f"/proc/{pid}") for pid in before.values())
    assert own.start().state == "running"


LOOPBACK = "0000000000000000FFFF00000100007F"


def listening() -> list[tuple[str, int]]:
    """Read who listens, from the system's own tables; 0A is the state of listening."""
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                address, port = fields[1].split(":")
                found.append((address, int(port, 16)))
    return found
