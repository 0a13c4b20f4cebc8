"""Several iterators at once: whatever is ready comes first.

Layer ``examples``. Each iterator is at most one item ahead of what was taken from it, so memory
stays small however much there is, and nothing waits for the slowest.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")

_DONE = object()


def interleave(iterators: Iterable[Iterator[Item]]) -> Generator[Item, None, None]:
    """Yield the items of all iterators as they come, each iterator in a thread of its own.

    An error of one iterator is raised here. Close it to stop early.

    >>> sorted(interleave([iter("ace"), iter("bd")]))
    ['a', 'b', 'c', 'd', 'e']
    """
    waiting = list(iterators)
    if not waiting:
        return
    pool = ThreadPoolExecutor(len(waiting))
    try:
        running: dict[Future[object], Iterator[Item]] = {
            pool.submit(next, iterator, _DONE): iterator for iterator in waiting
        }
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                iterator = running.pop(future)
                item = future.result()
                if item is not _DONE:
                    running[pool.submit(next, iterator, _DONE)] = iterator
                    yield item  # type: ignore[misc]
    finally:
        # Not waiting: whoever stops early need not sit out the slowest.
        pool.shutdown(wait=False, cancel_futures=True)
