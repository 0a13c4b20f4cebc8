"""A process that writes streaming values until it is killed, and says which were stored.

Run as ``python -m tests.durability.streamer PATH FIRST``. Values are of all kinds: in the table, in
files, of unknown size, too large for the table only at their end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count

import lexigraph as lg

MOST = 300_000
SIZES = (0, 10, 200_000, MOST, MOST + 1, 4_000_000)
NAMES = 5


def value_of(number: int) -> bytes:
    """Return the bytes of a value."""
    size = SIZES[number % len(SIZES)]
    return (f"{number}.".encode() * (size // 2 + 1))[:size]


def pieces(data: bytes) -> Iterator[bytes]:
    """Yield bytes in pieces."""
    for start in range(0, len(data), 70_000):
        yield data[start : start + 70_000]


def name_of(number: int) -> str:
    """Return the property that has a value: each is written again and again."""
    return f"p{number % NAMES}"


def main() -> None:
    """Write."""
    path, first = sys.argv[1], int(sys.argv[2])
    graph = lg.open(path, authorizations=lg.ALL, max_streaming_bytes=MOST)
    print("open", flush=True)
    for number in count(first):
        data = value_of(number)
        given = lg.stream(data) if number % 3 else lg.stream(pieces(data))
        graph.vertex("v").set(name_of(number), given, metadata={"number": number})
        print(number, flush=True)
        if number % 7 == 6:
            graph.vertex("v").unset(name_of(number), hard=True)


if __name__ == "__main__":
    main()
