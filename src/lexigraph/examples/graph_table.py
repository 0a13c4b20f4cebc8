"""Entities, their attributes and their relations in one table, summed up from raw events.

Layer ``examples``. Row = entity, family = attribute or edge type, qualifier = attribute value or
other entity, value = weight. Each event only adds cells, with its own amount; the ``sum`` stage
adds them up, when reading and when merging, so no writer ever reads before it writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lexigraph import All, Engine, Mutations, Table, TableSettings

SETTINGS = TableSettings.with_stages(("sum", {"encoding": "text"}))

INVERSES = {"units_sold": "sold_by", "manager_of": "managed_by"}
"""Edge types that are written in both directions, so that both ends can be asked."""


class Weight(NamedTuple):
    """One fact with its weight; attributes have none, which is 0."""

    entity: str
    relation: str
    other: str
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Hired:
    """Somebody came; the day is not always known."""

    employee: str
    name: str
    department: str
    day: str | None = None

    def weights(self) -> Iterator[Weight]:
        """Yield the attributes of the employee."""
        yield Weight(self.employee, "name", self.name)
        yield Weight(self.employee, "department", self.department)
        if self.day:
            yield Weight(self.employee, "hire_date", self.day)


@dataclass(frozen=True, slots=True)
class Promoted:
    """Somebody leads somebody else from now on."""

    manager: str
    employee: str

    def weights(self) -> Iterator[Weight]:
        """Yield the edge, without a weight."""
        yield Weight(self.manager, "manager_of", self.employee)


@dataclass(frozen=True, slots=True)
class Listed:
    """A product is on offer."""

    product: str
    name: str
    kind: str

    def weights(self) -> Iterator[Weight]:
        """Yield the attributes of the product."""
        yield Weight(self.product, "product_name", self.name)
        yield Weight(self.product, "product_type", self.kind)


@dataclass(frozen=True, slots=True)
class Sold:
    """Somebody sold one unit."""

    employee: str
    product: str

    def weights(self) -> Iterator[Weight]:
        """Yield the edge with a count of 1."""
        yield Weight(self.employee, "units_sold", self.product, 1)


@dataclass(frozen=True, slots=True)
class Moved:
    """Units came into a country's stock, or left it when the amount is negative."""

    product: str
    country: str
    amount: int

    def weights(self) -> Iterator[Weight]:
        """Yield the amount."""
        yield Weight(self.product, "in_stock", self.country, self.amount)


Event = Hired | Promoted | Listed | Sold | Moved


def create_graph(engine: Engine, name: str) -> Table:
    """Make a table that adds weights up, for readers and for ever."""
    return engine.create_table(name, SETTINGS)


def add_events(table: Table, events: Iterable[Event], *, visibility: str = "") -> int:
    """Write what the events say, in one commit; return how many cells that were.

    >>> from lexigraph import MemoryEngine
    >>> graph = create_graph(MemoryEngine(), "company")
    >>> add_events(graph, [Sold("E001", "P001")] * 3), add_events(graph, [Sold("E003", "P001")])
    (6, 2)
    >>> read_weights(graph, "P001") == [
    ...     Weight("P001", "sold_by", "E001", 3), Weight("P001", "sold_by", "E003", 1)]
    True
    """
    batch = Mutations()
    for event in events:
        for fact in event.weights():
            weight = str(fact.weight)
            batch.put(fact.entity, fact.relation, fact.other, weight, visibility=visibility)
            if inverse := INVERSES.get(fact.relation):
                batch.put(fact.other, inverse, fact.entity, weight, visibility=visibility)
    table.write(batch)
    return len(batch)


def read_weights(
    table: Table,
    entity: str | None = None,
    *relations: str,
    authorizations: Iterable[str] | All = (),
) -> list[Weight]:
    """Read one entity or all of them; some relations or all of them."""
    cells = table.scan(rows=entity, columns=list(relations), authorizations=authorizations)
    return [
        Weight(cell.row.decode(), cell.family.decode(), cell.qualifier.decode(), int(cell.value))
        for cell in cells
    ]


def company_events() -> Iterator[Event]:
    """Yield the events of a small company: who was hired, what was sold and what was moved.

    >>> sum(isinstance(event, Sold) for event in company_events())
    1578
    """
    yield Hired("E001", "bob", "sales", "20030102")
    yield Hired("E002", "george", "sales")
    yield Hired("E003", "harry", "accounts_recv", "20000405")
    yield Promoted("E002", "E001")
    yield Promoted("E002", "E003")
    yield Listed("P001", "nike_airs", "shoe")
    yield Listed("P002", "basic_jacket", "clothing")
    for employee, product, units in (
        ("E001", "P001", 780),
        ("E003", "P001", 232),
        ("E003", "P002", 566),
    ):
        yield from [Sold(employee, product)] * units
    yield from (Moved("P001", "germany", 1000), Moved("P001", "germany", -100))
    yield from (Moved("P001", "brazil", 250), Moved("P001", "brazil", -50))
    yield from (Moved("P002", "usa", 4000), Moved("P002", "usa", -546))
    yield from (Moved("P002", "germany", 300), Moved("P002", "germany", 400))
