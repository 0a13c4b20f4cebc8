"""A process that follows a feed and writes down what it is told, until somebody ends it.

``python -m tests.durability.follower PATH NOTES``. A line of NOTES is the cursor of a change and
what it said. The process acknowledges now and then, after the lines are on disk, and notes the
cursor that it has acknowledged as a line that starts with ``done``.
"""

from __future__ import annotations

import os
import sys
from itertools import count

import lexigraph as lg
from tests.durability.recorder import CLASSES


def main(path: str, notes: str) -> None:
    """Follow the feed."""
    with lg.open(path, CLASSES) as graph, open(notes, "a", encoding="utf-8") as out:
        feed = graph.changes("follower")
        print("open", flush=True)
        for _ in count():
            for number, change in enumerate(feed):
                out.write(f"{change.cursor} {change.kind} {change.id}\n")
                if number % 17 == 16:
                    out.flush()
                    os.fsync(out.fileno())
                    feed.done(change)
                    out.write(f"done {change.cursor}\n")
            out.flush()
            os.fsync(out.fileno())
            feed.done()
            out.write(f"done {feed.cursor}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
