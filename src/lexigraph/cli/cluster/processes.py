"""Processes that outlive the one that starts them, known by id and by when they started.

Layer ``cli``. Ids are given out again by the system, so an id alone is never trusted: a process is
ours only while its start is the one on file. Nothing else is ever ended.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PAUSE_S = 0.05


@dataclass(frozen=True, slots=True)
class Process:
    """A process that was started here: its id, and its start in ticks since the machine's."""

    pid: int
    started: int

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return _start_of(self.pid) == self.started

    @property
    def memory_bytes(self) -> int:
        """How much memory it holds now; 0 once it ended."""
        if not self.alive:
            return 0
        with suppress(OSError, IndexError, ValueError):
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE")
        return 0

    def end(self, *, within_s: float) -> None:
        """End it: asked first, then by force once ``within_s`` seconds have passed."""
        self._send(signal.SIGTERM)
        if not self.wait(within_s):
            self.kill()

    def kill(self) -> None:
        """End it at once, as a crash does."""
        self._send(signal.SIGKILL)
        self.wait(10)

    def wait(self, within_s: float) -> bool:
        """Wait until it ended and tell whether it did."""
        last = time.monotonic() + within_s
        while self.alive:
            if time.monotonic() > last:
                return False
            time.sleep(_PAUSE_S)
        return True

    def _send(self, number: signal.Signals) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


def start_detached(
    command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> Process:
    """Start a process in a session of its own, which writes what it says to ``log``."""
    with log.open("ab") as out:
        started = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env=None if environment is None else dict(environment),
        )
    return Process(started.pid, _start_of(started.pid) or 0)


def _start_of(pid: int) -> int | None:
    # A child that ended stays in the table until its parent asks for it.
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # The name, in brackets, may hold anything; the fields behind it are plain.
    fields = text.rpartition(")")[2].split()
    # Its first thread may have ended before the others, which then still hold its ports.
    ended = fields[0] in "ZX" and int(fields[17]) <= 1
    return None if ended else int(fields[19])
