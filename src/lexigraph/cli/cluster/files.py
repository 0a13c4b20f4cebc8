"""The files of a local cluster: configuration, secrets, and what runs.

Layer ``cli``. Everything that holds a secret is made with mode 600, inside a directory with mode
700; no secret is ever printed or put on a command line, where every user of the machine could
read it.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lexigraph.cli.cluster.processes import Process
from lexigraph.errors import StoreError

HOST = "127.0.0.1"
PORTS = ("zookeeper", "manager", "tserver", "gc")
SESSION_S = 120
"""How long a server may be silent before it loses its locks, and ends itself: longer than on a real
cluster, so that this one outlives a short sleep of the machine."""


@dataclass(slots=True)
class State:
    """What is known of a cluster: its name, ports, and the processes that were started."""

    instance: str
    ports: dict[str, int]
    initialised: bool = False
    processes: dict[str, Process] = field(default_factory=dict)


class ClusterFiles:
    """The directory of one cluster."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.conf = home / "conf"
        self.logs = home / "logs"
        self.properties = home / "client.properties"
        self._state = home / "cluster.json"

    def read(self) -> State | None:
        """Return what is on file, or None where no cluster was made."""
        try:
            found = json.loads(self._state.read_text(encoding="utf-8"))
            processes = {name: Process(**one) for name, one in found.pop("processes").items()}
            return State(**found, processes=processes)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            raise StoreError(
                f"{str(self._state)!r} cannot be read: {problem}",
                hint="If no process of the cluster is running, remove the directory.",
            ) from None

    def write(self, state: State) -> None:
        """Keep what is known, in one step."""
        data = asdict(state)
        _write_secret(self._state, json.dumps(data, indent=1))

    def make(self) -> State:
        """Make the files of a new cluster, with free ports and secrets of its own."""
        for directory in (self.home, self.conf, self.logs, self.home / "zookeeper"):
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        state = State(instance="lexigraph", ports=_free_ports())
        password = secrets.token_urlsafe(24)
        zookeepers = f"{HOST}:{state.ports['zookeeper']}"
        _write_secret(self.conf / "accumulo.properties", _lines(self._server(state, zookeepers)))
        write_properties(
            self.properties,
            {
                "accumulo.instance": state.instance,
                "accumulo.zookeepers": zookeepers,
                "accumulo.user": "root",
                "accumulo.password": password,
            },
        )
        _write_secret(
            self.conf / "init.args",
            "org.apache.accumulo.start.Main init --user root --clear-instance-name "
            f"--instance-name {state.instance} --password {password}\n",
        )
        (self.conf / "zoo.cfg").write_text(_lines(self._zookeeper(state)))
        (self.conf / "core-site.xml").write_text(_CORE_SITE)
        (self.conf / "log4j2.properties").write_text(_LOG4J)
        self.write(state)
        return state

    def forget_initial_password(self) -> None:
        """Remove the arguments of the first start: the password stays in one file alone."""
        (self.conf / "init.args").unlink(missing_ok=True)

    def _server(self, state: State, zookeepers: str) -> dict[str, Any]:
        return {
            "instance.volumes": (self.home / "accumulo").as_uri(),
            "instance.zookeeper.host": zookeepers,
            "instance.zookeeper.timeout": f"{SESSION_S}s",
            "instance.secret": secrets.token_urlsafe(24),
            "manager.port.client": state.ports["manager"],
            "tserver.port.client": state.ports["tserver"],
            "gc.port.client": state.ports["gc"],
            # In the file, but not on disk: safe when a process is killed, several times as fast.
            "table.durability": "flush",
            "manager.recovery.delay": "1s",
            # How soon the manager sees what a server that came back still has to load.
            "manager.tablet.watcher.interval": "1s",
            "tserver.memory.maps.native.enabled": "false",
            "tserver.memory.maps.max": "64M",
            "tserver.cache.data.size": "16M",
            "tserver.cache.index.size": "16M",
            "tserver.cache.summary.size": "1M",
            "tserver.wal.max.size": "128M",
        }

    def _zookeeper(self, state: State) -> dict[str, Any]:
        return {
            "tickTime": SESSION_S * 1000 // 20,  # a session lasts 20 ticks at most
            "dataDir": self.home / "zookeeper",
            "clientPort": state.ports["zookeeper"],
            "clientPortAddress": HOST,
            "maxClientCnxns": 200,
            "admin.enableServer": "false",
        }


def write_properties(path: Path, properties: Mapping[str, Any]) -> None:
    """Write a file of properties that only its owner can read."""
    _write_secret(path, _lines(properties))


def _write_secret(path: Path, text: str) -> None:
    # Made with its mode, not changed to it: there is no moment at which others could read it.
    made = path.with_suffix(".new")
    made.unlink(missing_ok=True)
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
    made.rename(path)


def _lines(properties: Mapping[str, Any]) -> str:
    return "".join(f"{name}={value}\n" for name, value in properties.items())


def _free_ports() -> dict[str, int]:
    # Below those that the system gives to clients: one that tries to reach a server that ended
    # could be given the server's own port, and hold it.
    free: list[int] = []
    while len(free) < len(PORTS):
        port = secrets.choice([one for one in range(20_000, 32_000) if one not in free])
        with suppress(OSError), socket.create_server((HOST, port)):
            free.append(port)
    return dict(zip(PORTS, free, strict=True))


# The raw local file system: with the default one, which keeps checksums, a write-ahead log is on
# disk only once it is closed, and a killed tablet server loses writes that it acknowledged.
_CORE_SITE = """<configuration>
 <property><name>fs.defaultFS</name><value>file:///</value></property>
 <property><name>fs.file.impl</name><value>org.apache.hadoop.fs.RawLocalFileSystem</value></property>
</configuration>
"""

_LOG4J = """status = error
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %-5p %c{2}: %m%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
logger.accumulo.name = org.apache.accumulo
logger.accumulo.level = info
logger.audit.name = org.apache.accumulo.audit
logger.audit.level = warn
"""
