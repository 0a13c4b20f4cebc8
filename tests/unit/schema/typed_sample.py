"""Checked by mypy in a test: what type checkers know of classes of elements."""

from datetime import date
from typing import reveal_type

import lexigraph as lg
from lexigraph.schema import FieldCondition


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(check=[lg.this >= 0])
    longest: lg.Field[float] = lg.max()
    label: str = lg.visibility(default="")


def use() -> None:
    call = Calls("ann", "bob", day=date(2026, 1, 2), count=1, longest=3.5)
    reveal_type(call.day)  # expect: datetime.date
    reveal_type(call.longest)  # expect: float
    reveal_type(Calls.longest)  # expect: Field[float]
    reveal_type(lg.field(Calls.count))  # expect: Field[int]
    condition: FieldCondition = Calls.longest > 3.5
    condition &= Calls.day >= date(2026, 1, 1)
    condition |= lg.field(Calls.day).between(date(2026, 1, 1), date(2026, 2, 1))

    Calls("ann", "bob", date(2026, 1, 2), "one", 3.5)  # error: arg-type
    Calls("ann", "bob", count=1, longest=3.5)  # error: call-arg
    Calls("ann", "bob", date(2026, 1, 2), 1, 3.5, weight=1)  # error: call-arg
    call.count = 2  # error: misc
    _ = Calls.day >= "today"  # error: operator
    _ = Calls.longest > "long"  # error: operator
