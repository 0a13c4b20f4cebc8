"""Look-ups by value: exact, by range, by label; the index never lies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from ipaddress import ip_address
from typing import Any
from uuid import UUID

import pytest

from lexigraph.errors import Conflict, InvalidValue
from lexigraph.examples.term_index import TERM, IndexedRecords
from lexigraph.security import ALL
from lexigraph.store import MemoryEngine


@pytest.fixture
def staff() -> IndexedRecords:
    records = IndexedRecords(MemoryEngine(), "staff", indexed=["dept", "age", "born", "pay"])
    records.put("e1", {"name": "Ann", "dept": "sales", "age": 9, "born": date(1990, 2, 1)})
    records.put("e2", {"name": "Bob", "dept": "sales", "age": 10, "born": date(1989, 12, 31)})
    records.put("e3", {"name": "Cy", "dept": "stock", "age": 100, "born": date(2001, 7, 4)})
    records.put("e1", {"pay": Decimal("99.50")}, visibility="hr")
    records.put("e2", {"pay": Decimal("100.5")}, visibility="hr&boss")
    return records


def test_an_index_cell_is_term_field_and_record_under_the_label_of_the_record(
    staff: IndexedRecords,
) -> None:
    cells = staff.index.scan(rows=TERM.encode(Decimal("99.5")), authorizations=ALL)
    assert [cell.column for cell in cells] == [
        (TERM.encode(Decimal("99.5")), b"pay", b"e1", b"hr"),
    ]


def test_a_term_is_looked_up_in_two_steps(staff: IndexedRecords) -> None:
    found = staff.fetch(staff.ids("dept", "sales"), "name")
    assert list(found) == [("e1", "name", "Ann"), ("e2", "name", "Bob")]


def test_looking_up_nothing_fetches_nothing(staff: IndexedRecords) -> None:
    assert list(staff.fetch(staff.ids("dept", "moon"))) == []


def test_a_term_of_another_field_is_not_found(staff: IndexedRecords) -> None:
    assert staff.ids("age", "sales") == []


@pytest.mark.parametrize(
    ("authorizations", "expected"),
    [([], []), (["hr"], ["e1"]), (["hr", "boss"], ["e1", "e2"]), (["boss"], [])],
)
def test_the_index_tells_nobody_more_than_the_record(
    staff: IndexedRecords, authorizations: list[str], expected: list[str]
) -> None:
    least, greatest = Decimal("90"), Decimal("200")
    assert staff.ids_between("pay", least, greatest, authorizations) == expected


@pytest.mark.parametrize(
    ("least", "greatest", "expected"),
    [
        (9, 10, ["e1", "e2"]),
        (10, 100, ["e2", "e3"]),
        (None, 9, ["e1"]),
        (11, None, ["e3"]),
        (11, 99, []),
        (-5, 8, []),
    ],
)
def test_numbers_are_found_in_the_order_of_numbers(
    staff: IndexedRecords, least: int | None, greatest: int | None, expected: list[str]
) -> None:
    assert staff.ids_between("age", least, greatest) == expected


def test_dates_are_found_in_the_order_of_dates(staff: IndexedRecords) -> None:
    assert staff.ids_between("born", date(1989, 12, 31), date(1990, 12, 31)) == ["e2", "e1"]


ORDERED: list[tuple[str, Callable[[int], Any]]] = [
    ("int", lambda n: n - 2),
    ("big int", lambda n: 10**30 * (n - 2)),
    ("float", lambda n: (n - 2) * 1.5),
    ("decimal", lambda n: Decimal(n - 2) / 8),
    ("text", lambda n: "abcde"[n] * 2),
    ("bytes", lambda n: bytes([n, 255 - n])),
    ("date", lambda n: date(1969 + n, 12, 31)),
    ("datetime", lambda n: datetime(1968 + n, 1, 1, tzinfo=UTC)),
    ("naive datetime", lambda n: datetime(1968 + n, 1, 1)),
    ("time", lambda n: datetime(2000, 1, 1, n, 59).time()),
    ("timedelta", lambda n: timedelta(hours=n - 2)),
    ("uuid", lambda n: UUID(int=n << 120)),
    ("ip", lambda n: ip_address(f"10.0.0.{n * 50}")),
    ("tuple", lambda n: ("a", n - 2)),
]


@pytest.mark.parametrize("make", [m for _, m in ORDERED], ids=[n for n, _ in ORDERED])
def test_a_range_of_every_ordered_type_lies_in_one_physical_index(
    make: Callable[[int], Any],
) -> None:
    records = IndexedRecords(MemoryEngine(), "things", indexed=["v", "other"])
    for number in range(5):
        records.put(f"r{number}", {"v": make(number)})
        for name, other in ORDERED:
            records.put(f"{name}{number}", {"other": other(number)})
    assert records.ids_between("v", make(1), make(3)) == ["r1", "r2", "r3"]


def test_a_changed_field_leaves_no_stale_term(staff: IndexedRecords) -> None:
    staff.put("e1", {"dept": "stock"})
    assert staff.ids("dept", "sales") == ["e2"]
    assert staff.ids("dept", "stock") == ["e1", "e3"]


def test_a_field_written_again_with_its_value_is_still_found(staff: IndexedRecords) -> None:
    staff.put("e1", {"dept": "sales"})
    assert staff.ids("dept", "sales") == ["e1", "e2"]


def test_a_field_under_another_label_lives_beside_the_first(staff: IndexedRecords) -> None:
    staff.put("e1", {"dept": "spies"}, visibility="secret")
    assert staff.ids("dept", "sales") == ["e1", "e2"]
    assert staff.ids("dept", "spies") == []
    assert staff.ids("dept", "spies", ["secret"]) == ["e1"]


def test_a_record_that_changed_meanwhile_is_a_conflict(
    staff: IndexedRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = staff.engine.write

    def intruded(*args: Any, **options: Any) -> int:
        monkeypatch.undo()
        staff.main.put("e1", "dept", "", TERM.encode_value("moon"))
        return write(*args, **options)

    monkeypatch.setattr(staff.engine, "write", intruded)
    with pytest.raises(Conflict):
        staff.put("e1", {"dept": "stock"})
    assert staff.ids("dept", "stock") == ["e3"]


@pytest.mark.parametrize(("least", "greatest"), [(1, "x"), (None, None), (5, 4)])
def test_a_range_that_means_nothing_is_refused(
    staff: IndexedRecords, least: Any, greatest: Any
) -> None:
    with pytest.raises(InvalidValue, match="a range from"):
        staff.ids_between("age", least, greatest)
