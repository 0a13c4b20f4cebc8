"""What each layout reads for a question: cells in its ranges, before any predicate."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from lexigraph.errors import Corruption
from lexigraph.keyplan import StoredElement
from lexigraph.layout import ByteEntity, Classic, Layout, Wanted
from lexigraph.store import EmbeddedEngine, Engine
from tests.unit.layout.engines import memory
from tests.unit.layout.graphs import cells, make, schema

HUB = 50
GROUPS = frozenset({"person", "links"})


def star() -> list[StoredElement]:
    """Give a vertex with as many edges of each kind."""
    ends = [("hub", f"v{at}", True) for at in range(HUB)]
    ends += [(f"v{at}", "hub", True) for at in range(HUB)]
    ends += [("hub", f"v{at}", False) for at in range(HUB)]
    edges = [
        StoredElement("edge", "links", {"count": 1}, source=a, destination=b, directed=directed)
        for a, b, directed in ends
    ]
    return [StoredElement("vertex", "person", {"count": 1}, vertex="hub"), *edges]


def cells_read(engine: Engine, layout: Layout, wanted: Wanted) -> int:
    places = layout.bind(schema()).around(["hub"], wanted)
    return sum(1 for place in places for _ in cells(engine, replace(place, where=None)))


def both(wanted: Wanted) -> dict[str, int]:
    read = {}
    for layout in (ByteEntity(), Classic()):
        with memory() as engine:
            make(engine, layout, schema(), star())
            read[layout.name] = cells_read(engine, layout, wanted)
    return read


def test_byte_entity_reads_only_the_edges_that_go_out() -> None:
    wanted = Wanted(GROUPS, vertices=False, direction="out", directed=True)
    assert both(wanted) == {"byte-entity": HUB, "classic": 3 * HUB}


def test_byte_entity_reads_only_what_comes_in_or_has_no_direction() -> None:
    wanted = Wanted(GROUPS, vertices=False, direction="in")
    assert both(wanted) == {"byte-entity": 2 * HUB, "classic": 3 * HUB}


def test_a_vertex_is_read_without_its_edges() -> None:
    assert both(Wanted(GROUPS, edges=False)) == {"byte-entity": 1, "classic": 1}


def test_classic_looks_up_a_pair_in_one_place() -> None:
    ranges = {}
    for layout in (ByteEntity(), Classic()):
        with memory() as engine:
            bound = make(engine, layout, schema(), star())
            [place] = bound.edges_between([("hub", "v1")], Wanted(GROUPS))
            ranges[layout.name] = len(place.ranges)
            assert len(list(cells(engine, place))) == 2
    assert ranges == {"byte-entity": 2, "classic": 1}


@pytest.mark.parametrize("layout", [ByteEntity(), Classic()])
def test_a_question_about_one_group_reads_no_block_of_another(
    layout: Layout, tmp_path: Path
) -> None:
    """Damage all blocks of one group: only questions about that group notice."""
    of = schema()
    names = {group: [_name(group, at) for at in range(2000)] for group in ("calls", "events")}
    given = [
        StoredElement("edge", group, {"count": 1}, source=name, destination="to", directed=True)
        for group, listed in names.items()
        for name in listed
    ]
    with EmbeddedEngine(tmp_path / "d") as engine:
        make(engine, layout, of, given)
        engine.compact("elements")
        engine.vacuum()
    [file] = (tmp_path / "d").rglob("data*.mdb")
    data = bytearray(file.read_bytes())
    # Rows share the start of their names with the row before; the rest stands there as it is.
    tails = [data.find(name[8:].encode()) for name in names["events"]]
    assert tails.count(-1) < 100
    for at in tails:
        if at >= 0:
            data[at] ^= 0xFF
    file.write_bytes(data)
    with EmbeddedEngine(tmp_path / "d") as engine:
        bound = layout.bind(of)
        [place] = bound.everything(Wanted(frozenset({"calls"})))
        assert len(list(cells(engine, place))) == 4000
        [place] = bound.everything(Wanted(frozenset({"events"})))
        with pytest.raises(Corruption):
            list(cells(engine, place))


def _name(group: str, at: int) -> str:
    return sha256(f"{group}{at}".encode()).hexdigest()[:32]
