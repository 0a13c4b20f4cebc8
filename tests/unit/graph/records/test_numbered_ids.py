"""Numbered ids: claimed in blocks, by many at once, each number once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import InvalidOption, LexigraphError, UsageError
from lexigraph.layout.stored.id_blocks import FIRST_BLOCK, LARGEST_BLOCK, LAST


class Person(lg.Vertex):
    id: int
    name: str | None = None


class Pays(lg.Edge):
    id: int
    source: int
    destination: int


class Calls(lg.Edge, summary=True):
    source: str
    destination: str


@pytest.fixture(params=["memory", "embedded"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ":memory:" if request.param == "memory" else str(tmp_path / "people.lexi")


@pytest.fixture
def graph(path: str) -> Any:
    with lg.open(path, [Person, Pays]) as graph:
        yield graph


def test_records_without_an_id_are_numbered(graph: lg.Graph) -> None:
    many = FIRST_BLOCK + 3
    assert [graph.add_vertex(None, Person) for _ in range(many)] == list(range(1, many + 1))
    assert [graph.add_edge(1, Pays, 2) for _ in range(2)] == [1, 2]
    assert len(list(graph.get(1).edges(Pays))) == 2


def test_edges_that_come_as_dicts_are_numbered_too(graph: lg.Graph) -> None:
    graph.add([{"group": "Pays", "source": 1, "destination": 2}] * 2)
    assert sorted(one.id for one in graph.all(Pays)) == [1, 2]


def test_edges_that_are_loaded_are_numbered_too(graph: lg.Graph) -> None:
    rows = {"source": [1, 1], "destination": [2, 3]}
    assert graph.load(pa.table(rows), group=Pays).added == 2
    graph.load(pa.table({**rows, "id": pa.array([7, None])}), group=Pays)
    assert sorted(one.id for one in graph.all(Pays)) == [1, 2, 3, 7]


def test_each_kind_and_partition_counts_for_itself(graph: lg.Graph) -> None:
    claim = graph.admin.claim_ids
    assert [claim(5), claim(2)] == [range(1, 6), range(6, 8)]
    assert [claim(3, "edge"), claim(3, "type"), claim(3, partition=7)] == [range(1, 4)] * 3
    assert graph.add_vertex(None, Person) == 8


def test_a_number_given_by_hand_is_not_written_over(graph: lg.Graph) -> None:
    graph.add_vertex(1, Person, name="Ann")
    with pytest.raises(LexigraphError, match="1"):
        graph.add_vertex(None, Person, name="Bob")
    assert graph.vertex(1).one().name == "Ann"
    assert graph.add_vertex(None, Person, name="Bob") == 2


def test_clearing_does_not_give_numbers_again(graph: lg.Graph) -> None:
    graph.add_vertex(None, Person)
    graph.admin.clear()
    assert graph.add_vertex(None, Person) == 2
    assert graph.admin.claim_ids(1)[0] > 2


def test_a_graph_that_is_opened_again_goes_on(tmp_path: Path) -> None:
    found = []
    for _ in range(3):
        with lg.open(tmp_path / "people.lexi", [Person]) as graph:
            found.append(graph.add_vertex(None, Person))
    assert found == [1, FIRST_BLOCK + 1, 2 * FIRST_BLOCK + 1]


def test_blocks_grow_up_to_a_bound(graph: lg.Graph) -> None:
    ids = graph._access.stored.ids
    claimed = []
    claim = ids.claim
    ids.claim = lambda *given: claimed.append(given[1]) or claim(*given)  # type: ignore[method-assign, func-returns-value]
    found = [ids.next("vertex") for _ in range(4 * LARGEST_BLOCK)]
    assert found == list(range(1, len(found) + 1))
    assert claimed[:3] == [FIRST_BLOCK, 4 * FIRST_BLOCK, 16 * FIRST_BLOCK]
    assert max(claimed) == claimed[-1] == LARGEST_BLOCK


def test_threads_share_blocks(graph: lg.Graph) -> None:
    ids = graph._access.stored.ids
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: [ids.next("vertex") for _ in range(500)], range(8)))
    assert len({one for some in taken for one in some}) == 4000
    assert all(some == sorted(some) for some in taken)


CLAIMER = """
import sys
import lexigraph as lg
with lg.open(sys.argv[1]) as graph:
    for count in (1, 3, 200) * 20:
        print(*graph.admin.claim_ids(count))
    print(*(graph._access.stored.ids.next("vertex") for _ in range(300)))
"""


def test_eight_processes_claim_none_twice(tmp_path: Path) -> None:
    path = tmp_path / "people.lexi"
    lg.open(path, [Person]).close()
    command = [sys.executable, "-c", CLAIMER, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    found = []
    for one in running:
        own = [int(word) for word in one.communicate()[0].split()]
        assert one.returncode == 0
        assert own == sorted(own)
        found += own
    assert len(found) == len(set(found)) == 8 * (20 * 204 + 300)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_leaves_the_block_alone(graph: lg.Graph) -> None:
    ids = graph._access.stored.ids
    first = ids.next("vertex")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, str(len(ids._left)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 10) == b"0"
    assert ids.next("vertex") == first + 1


def test_what_cannot_be_claimed_is_refused(graph: lg.Graph) -> None:
    claim: Any = graph.admin.claim_ids
    for wrong in (0, -1, 1.5, "3", True, None):
        with pytest.raises(LexigraphError, match="count"):
            claim(wrong)
    with pytest.raises(InvalidOption, match="kind must be one of vertex, edge, type"):
        claim(1, "vertices")
    for wrong in (-1, 2**31, "0"):
        with pytest.raises(InvalidOption, match="partition"):
            claim(1, partition=wrong)
    claim(LAST - 1)
    with pytest.raises(UsageError, match="only 1 are left"):
        claim(2)
    assert claim(1) == range(LAST, LAST + 1)


def test_only_records_are_numbered() -> None:
    with lg.open(":memory:", [Calls]) as graph, pytest.raises(UsageError, match="has no records"):
        graph.admin.claim_ids(1)
