"""A process that builds an index and is ended by SIGKILL after some of its commits.

``python -m tests.durability.indexer PATH COMMITS``.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import lexigraph as lg
from lexigraph.index import building
from lexigraph.store.spi import Engine


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: int = lg.group_by()


def main(path: str, commits: str) -> None:
    building.BATCH_CELLS = 50
    left, write = [int(commits)], Engine.write

    def counted(self: Engine, batches: Any, **more: Any) -> int:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return write(self, batches, **more)

    with lg.open(path, [Calls]) as graph:
        Engine.write = counted  # type: ignore[method-assign]
        graph.index.create("by_day", Calls.day)


if __name__ == "__main__":
    main(*sys.argv[1:])
