"""The command lines of a local cluster: its servers, and the steps that come to an end.

Layer ``cli``. Small heaps, the loopback device alone, and no secret in any of them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from lexigraph.cli.cluster.files import HOST, ClusterFiles
from lexigraph.errors import ClusterError

START_TIMEOUT_S = 180.0
SERVERS = {"manager": 192, "tserver": 512, "gc": 64}
"""The servers of Accumulo, in the order of their start, with their heaps in MB."""

# Compiled quickly rather than well, one collector without threads: half the time to start.
_SMALL = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError")
_ZOOKEEPER_MB = 128
_LOCKS = {"manager": "-manager", "tserver": "-tservers", "gc": "--gc"}


class Launch:
    """The commands of one start."""

    def __init__(
        self, java: Path, jars: Path, own: Path, files: ClusterFiles, extra: Iterable[Path]
    ) -> None:
        self._java, self._files = str(java), files
        self._path = f"{files.conf}:{own}:{jars}/*"
        self._server_path = ":".join([str(files.conf), *map(str, extra), f"{jars}/*"])
        # Settings of another Accumulo or of a user's JVM are not for this one.
        dropped = ("ACCUMULO_", "HADOOP_", "ZOO", "JAVA_TOOL_OPTIONS", "CLASSPATH")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(dropped)
        }

    def zookeeper(self) -> list[str]:
        """Return the command of ZooKeeper."""
        # Without waiting for the disk: what a process that is killed had written stays.
        main = ["-Dzookeeper.forceSync=no", "org.apache.zookeeper.server.ZooKeeperServerMain"]
        return [*self._jvm(_ZOOKEEPER_MB), *main, str(self._files.conf / "zoo.cfg")]

    def server(self, role: str) -> list[str]:
        """Return the command of a server of Accumulo."""
        jvm = self._jvm(SERVERS[role], self._server_path)
        return [*jvm, "org.apache.accumulo.start.Main", role, "-a", HOST]

    def initialise(self) -> None:
        """Make the instance; its password comes from a file: command lines are for all to see."""
        self._run("init", [*self._jvm(128), f"@{self._files.conf / 'init.args'}"])

    def release_locks(self, ended: list[str]) -> None:
        """Take from ZooKeeper the locks of servers that ended.

        It would keep them until their sessions are over. Here they are known to have ended.
        """
        flags = [flag for role, flag in _LOCKS.items() if role in ended]
        if flags:
            zap = ["org.apache.accumulo.start.Main", "zoo-zap", *flags]
            self._run("release-locks", [*self._jvm(128), *zap])

    def await_tables(self) -> None:
        """Wait until the metadata can be read."""
        main = "org.lexigraph.bridge.Ready"
        limit = str(int(START_TIMEOUT_S))
        self._run("ready", [*self._jvm(128), main, str(self._files.properties), limit])

    def _run(self, name: str, command: list[str]) -> None:
        log = self._files.logs / f"{name}.log"
        with log.open("wb") as out:
            try:
                code = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    env=self.environment,
                    timeout=START_TIMEOUT_S + 30,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                code = -1
        if code != 0:
            said = log.read_text(errors="replace").splitlines()[-5:]
            raise ClusterError(
                f"the step {name!r} of starting a cluster failed. The end of its log:\n  "
                + "\n  ".join(line[:200] for line in said),
                hint=f"The whole log is {str(log)!r}.",
            )

    def _jvm(self, memory_mb: int, path: str | None = None) -> list[str]:
        return [self._java, f"-Xmx{memory_mb}m", *_SMALL, "-cp", path or self._path]
