"""Functions that only Python knows: they run on every engine, behind what the engine runs.

Layer ``testing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, ClassVar, Self

import pytest

from lexigraph.codec import codec_for
from lexigraph.functions import AGGREGATORS, PREDICATES, Predicate
from lexigraph.functions.aggregators.extremes import Max
from lexigraph.functions.predicates.base import Fields, PredicateReader
from lexigraph.store import Engine, ScanSpec, Table, TableSettings
from lexigraph.testing.store.base import StoreTests, read, stage
from lexigraph.testing.store.merges.aggregates import PLAN


class Longest(Max):
    """The longest text, of equally long ones the larger."""

    name = "testing-longest"

    def start(self, value: Any, timestamp: int) -> Any:
        """Rank by length first."""
        found = super().start(value, timestamp)
        return found._replace(rank=(len(value), found.rank))

    def decode(self, data: bytes, timestamp: int) -> Any:
        """Rank by length first."""
        return self.start(self.codec.decode_value(data), timestamp)


class Even(Predicate):
    """The text has an even number of characters."""

    name: ClassVar[str] = "testing-even"
    members: ClassVar[tuple[str, ...]] = ("field",)

    def __init__(self, field: str) -> None:
        self.field = field

    @classmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Read the field."""
        return cls(reader.text("field"))

    def bind(self, fields: Fields) -> Callable[[Any], bool]:
        """Count."""
        get = fields.value_of(self.field)
        return lambda element: len(get(element) or "x") % 2 == 0

    def to_json(self) -> dict[str, Any]:
        """Write the field."""
        return {"op": self.name, "field": self.field}

    def fields(self) -> Iterator[str]:
        """Yield the one field."""
        yield self.field


def _plan(aggregate: dict[str, Any]) -> dict[str, Any]:
    plan = deepcopy(PLAN)
    plan["groups"]["seen"]["value"]["property"] |= {"codec": "str", "aggregate": aggregate}
    return plan


class UserFunctions(StoreTests):
    """A user's own aggregators and predicates, and patterns that only Python reads."""

    @pytest.fixture
    def words(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Table:
        """Return a table of a few words; the functions are there for one test."""
        monkeypatch.setitem(AGGREGATORS._entries, Longest.name, Longest)
        monkeypatch.setitem(PREDICATES._entries, Even.name, Even)
        table = engine.create_table("t", TableSettings(max_versions=None))
        for time, word in enumerate(["bb", "a", "ccc", "dd"]):
            value = codec_for("str").encode_value(word)
            table.put("ann", "seen", value=value, timestamp=time)
        return table

    def test_a_users_own_aggregator_merges(self, words: Table) -> None:
        """In a stage that the engine leaves to the client."""
        spec = ScanSpec(
            plans={"p": _plan({"name": Longest.name})}, stages=[stage("aggregate", plan="p")]
        )
        assert [cell.value for cell in read(words, spec)] == [b"ccc"]

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            ({"op": "testing-even", "field": "n"}, [b"dd", b"bb"]),
            ({"op": "not", "of": {"op": "testing-even", "field": "n"}}, [b"ccc", b"a"]),
            ({"op": "regex", "field": "n", "pattern": r"(.)\1+"}, [b"dd", b"ccc", b"bb"]),
            ({"op": "regex", "field": "n", "pattern": "[a-c]+"}, [b"ccc", b"a", b"bb"]),
        ],
        ids=str,
    )
    def test_a_predicate_holds_wherever_it_runs(
        self, words: Table, where: dict[str, Any], expected: list[bytes]
    ) -> None:
        """A user's own and a pattern with a reference in the client, the others in the engine."""
        plans = {"p": _plan({"name": "max"})}
        spec = ScanSpec(plans=plans, stages=[stage("filter", plan="p", where=where)])
        assert [cell.value for cell in read(words, spec)] == expected
