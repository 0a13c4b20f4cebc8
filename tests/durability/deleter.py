"""A process that deletes many edges of a graph by a question, and says when the delete begins.

``python -m tests.durability.deleter PATH``. It prints ``found`` once the cells to delete are found
and are about to be written, and ``done`` once the delete has returned.
"""

from __future__ import annotations

import sys
from typing import Any

import lexigraph as lg
from lexigraph.layout.write.sinks import Commit


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


def main(path: str) -> None:
    with lg.open(path, [Calls]) as graph:
        store = Commit.store

        def told(self: Commit, *given: Any, **how: Any) -> int:
            print("found", flush=True)
            return store(self, *given, **how)

        Commit.store = told  # type: ignore[method-assign]
        graph.delete(graph.all(Calls).where(Calls.count == 2))
        print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
