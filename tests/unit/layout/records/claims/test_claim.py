"""What a row of claims holds, and which changes claim what."""

from __future__ import annotations

import pytest

from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidBytes
from lexigraph.layout.records.claims.claim import (
    ROWS,
    Claim,
    Claiming,
    decode_claims,
    encode_claims,
    place_of,
    row_of,
)
from lexigraph.layout.records.claims.places import claims_of
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import AddEdge, AddVertex, DeleteElement, Hide, Relabel
from tests.unit.layout.records.write.world import ROWS as RECORD_ROWS
from tests.unit.layout.records.write.world import World

SHAPE = EdgeShape("WED", "a", "b")


def test_claims_come_back_and_equal_ones_differ_in_bytes() -> None:
    claims = [
        Claiming(b"t" * 16, Claim(place_of("id", 1), VertexSubject(7), b"hr&x"), 2_000),
        Claiming(b"u" * 16, Claim(place_of("id", 2), EdgeSubject("k"), b""), 0),
    ]
    assert decode_claims(encode_claims(claims)) == claims
    assert encode_claims([]) != encode_claims([])


@pytest.mark.parametrize("listed", [3, ((1, 2),), ((b"", b"", "else", 1, b"", 1),)])
def test_other_bytes_are_refused(listed: object) -> None:
    with pytest.raises(InvalidBytes):
        decode_claims(bytes(16) + ANY.encode_value(listed))


def test_places_share_a_fixed_number_of_rows() -> None:
    rows = {row_of(place_of(number)) for number in range(20 * ROWS)}
    assert len(rows) == ROWS


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (AddEdge(id=1, shape=EdgeShape("OWNS", "a", "b")), 1),
        (AddEdge(id=1, shape=EdgeShape("BORN", "a", "b")), 1),
        (AddEdge(id=1, shape=EdgeShape("LEADS", "a", "b")), 1),
        (AddEdge(id=1, shape=SHAPE), 2),
        (AddEdge(id=1, shape=EdgeShape("WED", "a", "b", directed=False)), 4),
        (AddEdge(id=1, shape=SHAPE, new=True), 3),
        (AddEdge(id=1, shape=EdgeShape("KNOWS", "a", "b")), 0),
        (AddEdge(id=1, shape=EdgeShape("KNOWS", "a", "b"), new=True), 1),
        (AddVertex(id=1, new=True), 1),
        (AddVertex(id=1, new=True, generated=True), 0),
        (AddVertex(id=1), 0),
        (Relabel(edge=EdgeSubject(5), label="WED"), 2),
        (Relabel(edge=EdgeSubject(5), label="KNOWS"), 0),
        (Relabel(edge=EdgeSubject(6), label="WED"), 0),
        (DeleteElement(subject=EdgeSubject(5)), 0),
        (Hide(subject=EdgeSubject(5)), 0),
    ],
)
def test_what_a_change_claims(change: object, places: int) -> None:
    world = World()
    world.commit(AddEdge(id=5, shape=EdgeShape("LIKES", "a", "b")), at=1)
    writer = world.writer()
    found = claims_of(writer.records, RECORD_ROWS, [change])  # type: ignore[list-item]
    assert len({one.place for one in found}) == len(found) == places


def test_an_undirected_edge_has_one_place_from_either_end() -> None:
    world = World()
    both = [
        AddEdge(id=1, shape=EdgeShape("OWNS", *ends, directed))
        for ends in ("ab", "ba")
        for directed in (True, False)
    ]
    found = claims_of(world.writer().records, RECORD_ROWS, both)
    assert len(found) == 4
    assert len({one.place for one in found}) == 1
