"""From raw events to the table of employees and products, summed at scan and at merge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from lexigraph.examples.graph_table import (
    INVERSES,
    Event,
    Moved,
    Promoted,
    Sold,
    Weight,
    add_events,
    company_events,
    create_graph,
    read_weights,
)
from lexigraph.store import MemoryEngine, Table

# The table of Accumulo's design document, in its sorted order.
COMPANY = [
    Weight("E001", "department", "sales"),
    Weight("E001", "hire_date", "20030102"),
    Weight("E001", "name", "bob"),
    Weight("E001", "units_sold", "P001", 780),
    Weight("E002", "department", "sales"),
    Weight("E002", "manager_of", "E001"),
    Weight("E002", "manager_of", "E003"),
    Weight("E002", "name", "george"),
    Weight("E003", "department", "accounts_recv"),
    Weight("E003", "hire_date", "20000405"),
    Weight("E003", "name", "harry"),
    Weight("E003", "units_sold", "P001", 232),
    Weight("E003", "units_sold", "P002", 566),
    Weight("P001", "in_stock", "brazil", 200),
    Weight("P001", "in_stock", "germany", 900),
    Weight("P001", "product_name", "nike_airs"),
    Weight("P001", "product_type", "shoe"),
    Weight("P002", "in_stock", "germany", 700),
    Weight("P002", "in_stock", "usa", 3454),
    Weight("P002", "product_name", "basic_jacket"),
    Weight("P002", "product_type", "clothing"),
]
MIRRORED = [
    Weight("E001", "managed_by", "E002"),
    Weight("E003", "managed_by", "E002"),
    Weight("P001", "sold_by", "E001", 780),
    Weight("P001", "sold_by", "E003", 232),
    Weight("P002", "sold_by", "E003", 566),
]


def nothing(table: Table) -> None:
    """Leave the table as it was written."""


def compact(table: Table) -> None:
    table.compact()


def compact_twice(table: Table) -> None:
    table.compact()
    table.compact()


def chunks(events: Iterator[Event], size: int) -> Iterator[list[Event]]:
    while part := list(islice(events, size)):
        yield part


@pytest.fixture(params=[10_000, 97, 1500])
def company(request: pytest.FixtureRequest) -> Table:
    """The company, its events written in one batch or in several."""
    table = create_graph(MemoryEngine(), "company")
    for part in chunks(company_events(), request.param):
        add_events(table, part)
    return table


@pytest.mark.parametrize("settle", [nothing, compact, compact_twice])
def test_events_become_exactly_the_table_of_employees_and_products(
    company: Table, settle: Callable[[Table], None]
) -> None:
    settle(company)
    forward = {fact.relation for fact in COMPANY}
    assert read_weights(company, None, *forward) == COMPANY


@pytest.mark.parametrize("settle", [nothing, compact])
def test_the_whole_table_is_that_and_the_other_direction_of_its_edges(
    company: Table, settle: Callable[[Table], None]
) -> None:
    settle(company)
    assert read_weights(company) == sorted([*COMPANY, *MIRRORED])


def test_a_merge_keeps_one_cell_for_each_sum(company: Table) -> None:
    before = company.engine.stats(company.name).cells
    report = company.compact()
    assert (report.cells_in, report.cells_out) == (before, len(COMPANY) + len(MIRRORED))


def test_sums_go_on_after_a_merge(company: Table) -> None:
    company.compact()
    add_events(company, [Sold("E001", "P001"), Moved("P001", "germany", -900)])
    assert read_weights(company, "E001", "units_sold") == [
        Weight("E001", "units_sold", "P001", 781)
    ]
    assert Weight("P001", "in_stock", "germany", 0) in read_weights(company, "P001")


def test_edges_of_several_types_between_two_entities_stay_apart(company: Table) -> None:
    add_events(company, [Sold("E002", "E001"), Promoted("E002", "E001")])
    assert read_weights(company, "E002", "manager_of", "units_sold") == [
        Weight("E002", "manager_of", "E001"),
        Weight("E002", "manager_of", "E003"),
        Weight("E002", "units_sold", "E001", 1),
    ]


def test_every_edge_has_the_same_weight_from_both_ends(company: Table) -> None:
    everything = read_weights(company)
    for relation, inverse in INVERSES.items():
        there = {(f.entity, f.other, f.weight) for f in everything if f.relation == relation}
        back = {(f.other, f.entity, f.weight) for f in everything if f.relation == inverse}
        assert there == back != set()


def test_weights_of_two_labels_are_two_sums(company: Table) -> None:
    add_events(company, [Sold("E001", "P001")] * 20, visibility="audit")
    assert [fact.weight for fact in read_weights(company, "E001", "units_sold")] == [780]
    seen = read_weights(company, "E001", "units_sold", authorizations=["audit"])
    assert [fact.weight for fact in seen] == [780, 20]
