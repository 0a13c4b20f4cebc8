"""Ids of edges: UUIDs of version 7, each greater than the one before."""

from __future__ import annotations

import os
import time
from threading import Thread
from uuid import RFC_4122, UUID

from lexigraph.layout.records.write.ids import _Ids, generate_id


def test_an_id_is_a_uuid_of_version_7_of_the_present() -> None:
    before = time.time_ns() // 1_000_000
    found = generate_id()
    assert (found.version, found.variant) == (7, RFC_4122)
    assert before <= found.int >> 80 <= time.time_ns() // 1_000_000


def test_ids_increase_also_if_the_clock_goes_back() -> None:
    ids = _Ids()
    found = [ids.next(millis) for millis in (5, 5, 5, 4, 6, 0, 6)]
    assert found == sorted(set(found))
    assert {one.version for one in found} == {7}


def test_ids_increase_past_the_last_random_number_of_a_millisecond() -> None:
    ids = _Ids()
    ids._last = (5 << 74) + (1 << 74) - 1
    after = ids.next(5)
    assert (after.int >> 80, after.version, after.int & (1 << 62) - 1) == (6, 7, 0)


def test_ids_of_threads_are_different() -> None:
    found: list[UUID] = []
    threads = [
        Thread(target=lambda: found.extend(generate_id() for _ in range(500))) for _ in range(4)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(set(found)) == 2000


def test_a_forked_process_does_not_give_the_same_ids() -> None:
    ids = _Ids()
    ids.next(5)
    ids.forget()
    assert ids.next(1).int >> 80 == 1


def test_the_random_part_is_random() -> None:
    assert len({_Ids().next(5) for _ in range(50)}) == 50
    assert os.urandom(1) is not None
