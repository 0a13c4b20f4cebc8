"""A local Accumulo: ZooKeeper, a manager, a tablet server and a collector of garbage.

Layer ``cli``. A real cluster with small heaps, on the loopback device alone. Its processes outlive
the one that started them; ``stop`` ends them, and no others. What was written stays.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from lexigraph.cli.cluster.files import HOST, ClusterFiles, State
from lexigraph.cli.cluster.launch import SERVERS, START_TIMEOUT_S, Launch
from lexigraph.cli.cluster.processes import Process, start_detached
from lexigraph.errors import ClusterError, Locked, Unreachable
from lexigraph.store.engines.cluster import accumulo_jars, find_java, own_jar, user_jars

END_TIMEOUT_S = 10.0
ROLES = ("zookeeper", *SERVERS)


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One process of a cluster."""

    role: str
    running: bool
    pid: int | None
    port: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """What of a cluster runs, and how to reach it."""

    home: Path
    instance: str | None
    servers: tuple[ServerStatus, ...]

    @property
    def running(self) -> bool:
        """Whether all of it runs."""
        return bool(self.servers) and all(one.running for one in self.servers)

    @property
    def state(self) -> str:
        """``running``, ``stopped``, ``broken`` (some of it runs) or ``none`` (never started)."""
        if not self.servers:
            return "none"
        if self.running:
            return "running"
        return "broken" if any(one.running for one in self.servers) else "stopped"

    @property
    def properties(self) -> Path:
        """The file to connect with; only its owner can read it."""
        return self.home / "client.properties"


class LocalCluster:
    """The cluster of one directory. Safe to use from several processes: they take turns.

    ``jars`` stand on the class path of its servers; unless given, those are Lexigraph's
    own and those of LEXIGRAPH_JARS.
    """

    def __init__(
        self, home: str | os.PathLike[str] | None = None, *, jars: Iterable[Path] | None = None
    ) -> None:
        self._jars = None if jars is None else list(jars)
        self.home = (default_home() if home is None else Path(home)).expanduser().absolute()
        self._files = ClusterFiles(self.home)

    def start(self, say: Callable[[str], object] = lambda _: None) -> ClusterStatus:
        """Start whatever of the cluster does not run, and wait until it answers.

        One that runs already is left as it is; a process that was killed is started again. Where
        it cannot be done, what this call started is ended again.
        """
        java = find_java()
        with self._alone():
            if self.status().running:
                return self.status()
            say("finding the jars (about 100 MB are fetched the first time)")
            own = own_jar()
            extra = [own, *user_jars()] if self._jars is None else self._jars
            launch = Launch(java, accumulo_jars(), own, self._files, extra)
            state = self._files.read() or self._files.make()
            before = {role for role, one in state.processes.items() if one.alive}
            try:
                self._start_missing(launch, state, say)
            except BaseException:
                self._end(state, [role for role in ROLES if role not in before])
                raise
            return self.status()

    def stop(self, *, delete: bool = False) -> ClusterStatus:
        """End every process of the cluster; with ``delete`` its data goes too."""
        if not self.home.exists():
            return self.status()
        with self._alone():
            state = self._files.read()
            if state is not None:
                self._end(state, ROLES)
            status = self.status()
            if delete and state is not None:
                shutil.rmtree(self.home)
        return self.status() if delete else status

    def status(self) -> ClusterStatus:
        """Return what runs. Reads files and the process table alone, so it never waits."""
        state = self._files.read()
        if state is None:
            return ClusterStatus(self.home, None, ())
        return ClusterStatus(
            self.home, state.instance, tuple(_server(role, state) for role in ROLES)
        )

    def process(self, role: str) -> Process | None:
        """Return one process, running or not: for tests of what happens without it."""
        state = self._files.read()
        return None if state is None else state.processes.get(role)

    def _start_missing(self, launch: Launch, state: State, say: Callable[[str], object]) -> None:
        def run(role: str, command: list[str]) -> None:
            if _runs(role, state):
                return
            say(f"starting {role}")
            _check_port(role, state.ports[role])
            state.processes[role] = start_detached(
                command, self._files.logs / f"{role}.log", launch.environment
            )
            # On file at once: a start that is killed must not leave processes nobody knows.
            self._files.write(state)

        run("zookeeper", launch.zookeeper())
        self._await_port("zookeeper", state)
        if not state.initialised:
            say("making a new instance")
            launch.initialise()
            state.initialised = True
            self._files.write(state)
        else:
            launch.release_locks([role for role in SERVERS if not _runs(role, state)])
        self._files.forget_initial_password()
        for role in SERVERS:
            run(role, launch.server(role))
        for role in ("tserver", "manager"):
            self._await_port(role, state)
        say("waiting for its tables")
        launch.await_tables()
        for role, process in state.processes.items():
            if not process.alive:
                raise self._ended(role)

    def _await_port(self, role: str, state: State) -> None:
        last = time.monotonic() + START_TIMEOUT_S
        while not _answers(state.ports[role]):
            if not state.processes[role].alive:
                raise self._ended(role)
            if time.monotonic() > last:
                raise Unreachable(
                    f"{role} does not answer after {START_TIMEOUT_S:.0f} s",
                    hint=f"Its log is {self._files.logs / role}.log.",
                )
            time.sleep(0.1)

    def _ended(self, role: str) -> ClusterError:
        log = self._files.logs / f"{role}.log"
        said = log.read_text(errors="replace").splitlines() if log.exists() else []
        last = "\n  ".join(line[:200] for line in said[-5:])
        return ClusterError(
            f"{role} ended while the cluster started. The end of its log:\n  {last}",
            hint=f"The whole log is {str(log)!r}.",
        )

    def _end(self, state: State, roles: list[str] | tuple[str, ...]) -> None:
        # ZooKeeper last: the others say goodbye to it.
        for role in reversed(roles):
            if role in state.processes:
                state.processes.pop(role).end(within_s=END_TIMEOUT_S)
                self._files.write(state)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self.home / ".lock").open("w") as lock:
            last = time.monotonic() + START_TIMEOUT_S
            while True:
                with suppress(BlockingIOError):
                    flock(lock, LOCK_EX | LOCK_NB)
                    break
                if time.monotonic() > last:
                    raise Locked(
                        f"another process starts or stops the cluster in {str(self.home)!r}"
                    )
                time.sleep(0.1)
            yield


def default_home() -> Path:
    """Return the directory of the cluster that is meant when none is named."""
    given = os.environ.get("XDG_DATA_HOME")
    return (Path(given) if given else Path.home() / ".local" / "share") / "lexigraph" / "cluster"


def _runs(role: str, state: State) -> bool:
    return role in state.processes and state.processes[role].alive


def _server(role: str, state: State) -> ServerStatus:
    process = state.processes.get(role)
    running = process is not None and process.alive
    return ServerStatus(
        role,
        running,
        process.pid if process is not None and running else None,
        state.ports[role],
        process.memory_bytes if process is not None else 0,
    )


def _check_port(role: str, port: int) -> None:
    if _answers(port):
        raise ClusterError(
            f"port {port}, which {role} used before, now belongs to another program",
            hint="Stop that program, or create a new cluster in another directory (--dir).",
        )


def _answers(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
