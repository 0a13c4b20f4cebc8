"""The result of a scan, apart from what gives its batches."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from lexigraph.errors import UsageError
from lexigraph.store.scan.results import Scan, Watch


def test_one_scan_in_two_threads_is_refused_in_words() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def batches() -> Iterator[None]:
        inside.set()
        go_on.wait(60)
        yield None

    scan = Scan(batches(), Watch("t"))  # type: ignore[arg-type]
    first = threading.Thread(target=lambda: next(scan))
    first.start()
    assert inside.wait(60)
    with pytest.raises(
        UsageError, match="another thread is already reading this scan of table 't'"
    ) as held:
        next(scan)
    assert "one thread at a time" in held.value.hint
    go_on.set()
    first.join()
    assert list(scan) == []
