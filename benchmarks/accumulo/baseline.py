"""The Java program that does the same without Lexigraph, in a process of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType

from lexigraph.store.accumulo.bridge.java import accumulo_jars, find_java


class Baseline:
    """Runs ``Baseline.java``, which stays warm between rounds as the JVM of our process does."""

    def __init__(self, properties: Path, cells: int) -> None:
        source = Path(__file__).with_name("Baseline.java")
        command = [find_java(), "-Xmx512m", "-cp", f"{accumulo_jars()}/*", source]
        self._process = subprocess.Popen(
            [*map(str, command), str(properties), str(cells)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, what: str, table: str, seen: int | None) -> tuple[float, float]:
        """Return seconds, and seconds of processors in the client.

        ``seen`` is how many cells or vertices it has to come across, if that is known.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what} {table}\n")
        self._process.stdin.flush()
        told = self._process.stdout.readline().split()
        if len(told) != 3:
            raise RuntimeError(f"the Java program ended in {what!r} of {table!r}")
        self.seen = int(told[2])
        if seen not in (None, self.seen):
            raise AssertionError(f"{what} of {table!r}: Java has seen {told[2]} instead of {seen}")
        return float(told[0]), float(told[1])

    def __enter__(self) -> Baseline:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait(60)
