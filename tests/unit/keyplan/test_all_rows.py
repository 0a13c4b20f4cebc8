"""All rows of an element from any of them: those that the encoder gives."""

from __future__ import annotations

import pytest

import lexigraph as lg
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.keyplan.all_rows import AllRows, can_find_all_rows
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.schema import schema_of

IDS = ["", "a", "b", "a\0", "\0a", "\x01", "\x02\0\x02", "\xff", "é", "abc"]
NUMBERS = [0, 1, -1, 2**33, -(2**62), 256]


class Person(lg.Vertex, summary=True):
    id: str


class Link(lg.Edge, summary=True):
    source: str
    destination: str
    directed: bool


class Item(lg.Vertex, summary=True):
    id: lg.Int64


class Pair(lg.Edge, summary=True):
    source: lg.Int64
    destination: lg.Int64
    directed: bool


LAYOUTS: list[tuple[Layout, bool]] = [
    (ByteEntity(), False),
    (Classic(), False),
    (ByteEntity(short_columns=True), False),
    (Classic(short_columns=True, table_per_group=True), False),
    (ByteEntity(shards=7), False),
    (Classic(shards=5), False),
    (ByteEntity(fixed_length=True), True),
    (Classic(fixed_length=True, shards=3), True),
    (Classic(fixed_length=True, short_columns=True), True),
]


@pytest.mark.parametrize(("layout", "numbers"), LAYOUTS)
def test_any_row_leads_to_all_rows(layout: Layout, numbers: bool) -> None:  # noqa: FBT001
    vertex, edge = (Item, Pair) if numbers else (Person, Link)
    ids = NUMBERS if numbers else IDS
    bound = layout.bind(schema_of([vertex, edge]))
    plan = KeyPlan.parse(dict(bound.plan))
    elements = [StoredElement("vertex", vertex.__name__, vertex=one) for one in ids]
    elements += [
        StoredElement("edge", edge.__name__, source=a, destination=b, directed=directed)
        for a in ids
        for b in ids
        for directed in (True, False)
    ]
    for element in elements:
        group = plan.model.group(element.group)
        assert can_find_all_rows(plan.model, group)
        wanted = {cell[:2] for cell in plan.encode(bound.derive(element))}
        for row, family in wanted:
            found = AllRows(plan.model, group).of(row, family)
            assert found[0] == (row, family)
            assert len(set(found)) == len(found)
            assert set(found) == wanted


def test_what_is_not_a_row_of_the_group_has_none() -> None:
    bound = ByteEntity().bind(schema_of([Person, Link]))
    model = KeyPlan.parse(dict(bound.plan)).model
    rows = AllRows(model, model.group("Link"))
    assert rows.of(b"a\0\x01", b"Link") == []
    assert rows.of(b"a\0\x02\0b\0\x02", b"Person") == []
    assert len(rows.of(b"a\0\x02\0b\0\x02", b"Link")) == 2
