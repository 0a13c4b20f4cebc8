"""A process that adds records and deletes them again, for ever, and says what it has stored.

``python -m tests.durability.recorder PATH FIRST``. Each commit adds a hub with its spokes, or
deletes a hub, which deletes its edges too. After each it prints ``add N`` or ``delete N``.
"""

from __future__ import annotations

import sys
from itertools import count

import lexigraph as lg

SPOKES = 40


class Hub(lg.Vertex):
    id: str
    name: str


class Spoke(lg.Edge):
    id: str | None
    source: str
    destination: str
    rank: int = lg.sort_key()
    note: str | None = None


CLASSES: list[type] = [Hub, Spoke]


def hub(number: int) -> str:
    """Return the id of a hub."""
    return f"hub-{number}"


def main(path: str, first: str) -> None:
    """Write until somebody ends the process."""
    with lg.open(path, CLASSES, authorizations=lg.ALL) as graph:
        print("open", flush=True)
        for number in count(int(first)):
            graph.add(
                [
                    Hub(hub(number), name=f"n{number}"),
                    *(
                        Spoke(f"{number}.{at}", hub(number), f"rim-{at}", rank=at, note="x")
                        for at in range(SPOKES)
                    ),
                ]
            )
            print("add", number, flush=True)
            if number % 2:
                graph.vertex(hub(number - 1)).delete(hard=bool(number % 4 == 3))
                print("delete", number - 1, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
