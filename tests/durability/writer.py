"""A process that writes batches until it is ended.

``python -m tests.durability.writer PATH FIRST DURABILITY``. It prints the number of
each batch once the store has promised to keep it.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from tests.durability.batches import batch, make_tables, open_store


def main(path: str, first: str, durability: str) -> None:
    engine = open_store(Path(path))
    make_tables(engine)
    for number in count(int(first)):
        engine.write(batch(number), durability=durability)
        if durability == "buffered":
            if number % 5:
                continue
            engine.flush()
        print(number, flush=True)
        if number % 50 == 49:
            engine.compact("cells")


if __name__ == "__main__":
    main(*sys.argv[1:])
