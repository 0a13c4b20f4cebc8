"""Tables of elements that combine at merge: what they keep apart and what they refuse.

Layer ``testing``. Nothing is combined across a delete marker, nor past a cell that was not seen.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import reduce
from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.codec.varint import decode_uvarint
from lexigraph.errors import ConstraintError, UnsupportedError
from lexigraph.functions import aggregator_for
from lexigraph.store import Engine, Mutations, ScanSpec, Table, TableSettings
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read, stage
from lexigraph.testing.store.reads.partitions import merge_runs
from lexigraph.testing.store.writes.readds import SCRIPT, all_orders

INT = codec_for("int")
EVERY: list[tuple[str, str, dict[str, Any], list[Any]]] = [
    ("sum", "decimal", {}, [Decimal("1.5"), Decimal("-0.25"), Decimal("7")]),
    ("product", "int", {}, [2**40, -3, 2**50]),
    ("min", "str", {}, ["b", "", "a"]),
    ("max", "date", {}, [date(2026, 1, 2), date(2025, 1, 2), date(2026, 1, 1)]),
    ("and", "bool", {}, [True, False, True]),
    ("or", "bool", {}, [False, False, True]),
    ("first", "str", {}, ["b", "c", "a"]),
    ("last", "str", {}, ["b", "c", "a"]),
    ("set", "str", {}, [["b", "a"], ["c"], ["a"]]),
    ("list", "int", {}, [[3, 1], [], [3]]),
    ("concat", "str", {"separator": "|", "distinct": True}, ["a|b", "c", "b"]),
    ("frequency-map", "str", {}, [["a", "a"], {"b": 2}, "a"]),
    ("top-n", "int", {"n": 2}, [[5, 1], [9], [7]]),
    ("time-series", "date", {"bucket": "month"}, [date(2026, 1, 2), date(2026, 1, 3), []]),
    ("reservoir", "int", {"size": 3}, [[*range(9)], [4], [*range(20, 29)]]),
    ("hll", "str", {}, [["a", "b"], "c", "a"]),
    ("theta", "str", {"lg_k": 8}, [["a", "b"], "c", "a"]),
    ("quantiles", "int", {}, [[*range(50)], [*range(50, 90)], [7]]),
    ("frequent-items", "str", {"size": 8}, [["a", "a", "b"], {"c": 7}, "a"]),
    ("bitmap", "int", {}, [[3, 2**50], 4, [3]]),
]
"""What each aggregator is given in three writes."""
# One kind of vertex, whose whole value is a number that is summed.
PLAN: dict[str, Any] = {
    "version": 1,
    "rows": [{"kind": "vertex", "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
    "family": [{"field": "group", "codec": "str", "form": "rest"}],
    "groups": {
        "seen": {
            "kind": "vertex",
            "qualifier": [],
            "value": {
                "form": "single",
                "property": {"id": 1, "field": "n", "codec": "int", "aggregate": {"name": "sum"}},
            },
        }
    },
}
AGGREGATE = stage("aggregate", plan="counts")
COUNTS = TableSettings(
    max_versions=None,
    plans={"counts": PLAN},
    scan_stages=[AGGREGATE],
    merge_stages=[AGGREGATE],
)


def add(table: Table, number: int, *, timestamp: int | None = None, label: str = "") -> None:
    """Add a number to the vertex ``ann``."""
    value = INT.encode_value(number)
    table.put("ann", "seen", value=value, timestamp=timestamp, visibility=label)


def totals(table: Table) -> list[int]:
    """Return the numbers that a reader of everything sees."""
    return [INT.decode_value(cell.value) for cell in read(table)]


class Aggregates(StoreTests):
    """Tables whose merges combine elements."""

    def test_numbers_are_added_up_at_scan(self, engine: Engine) -> None:
        """With the newest timestamp."""
        table = engine.create_table("t", COUNTS)
        for time, number in ((3, 1), (9, 2), (1, 4)):
            add(table, number, timestamp=time)
        assert (totals(table), read(table)[0].timestamp) == ([7], 9)

    def test_a_merge_leaves_one_cell_and_the_same_total(self, engine: Engine) -> None:
        """And what comes later is added."""
        table = engine.create_table("t", COUNTS)
        for number in (1, 2, 4):
            add(table, number)
        before = read(table)
        table.compact()
        assert (engine.stats("t").cells, read(table)) == (1, before)
        add(table, 8)
        assert totals(table) == [15]

    def test_integers_never_overflow(self, engine: Engine) -> None:
        """Sums of elements are exact, past 64 bits too."""
        table = engine.create_table("t", COUNTS)
        for _ in range(3):
            add(table, 2**63 - 1)
        assert totals(table) == [3 * (2**63 - 1)]

    def test_labels_are_kept_apart(self, engine: Engine) -> None:
        """A merge combines no two of them."""
        table = engine.create_table("t", COUNTS)
        for number, label in ((1, "A"), (2, "B"), (4, "A")):
            add(table, number, label=label)
        table.compact()
        assert totals(table) == [5, 2]

    @pytest.mark.parametrize(
        ("name", "codec", "options", "given"), EVERY, ids=[item[0] for item in EVERY]
    )
    def test_every_aggregator_gives_the_same_before_and_after_a_merge(
        self, engine: Engine, name: str, codec: str, options: dict[str, Any], given: list[Any]
    ) -> None:
        """Merged when it is read, by a merge, by both, and in a summary."""
        aggregator = aggregator_for(name, codec_for(codec), options)
        plan = deepcopy(PLAN)
        plan["groups"]["seen"]["value"]["property"] |= {
            "codec": codec,
            "aggregate": {"name": name, **options},
        }
        settings = replace(COUNTS, plans={"counts": plan})
        table = engine.create_table("t", settings)
        states = []
        for time, one in enumerate(given, 1):
            value = aggregator.encode_result(one)
            states.append(aggregator.decode(value, time))
            table.put("ann", "seen", value=value, timestamp=time)

        def shown(value: bytes) -> Any:
            # Sketches may have other bytes for the same content.
            return value if aggregator.canonical else aggregator.finish(aggregator.decode(value, 3))

        merged = reduce(aggregator.merge, states)
        expected = shown(aggregator.encode(merged))
        assert [shown(cell.value) for cell in read(table)] == [expected]
        measures = [{"name": "m", "aggregate": name, "field": "n"}]
        summarise = ScanSpec(stages=[stage("summarise", plan="counts", measures=measures)])
        [summed] = read(table, summarise)
        length, start = decode_uvarint(summed.value, 1)
        assert (len(summed.value) - start, shown(summed.value[start:])) == (length - 1, expected)
        table.compact()
        assert [shown(cell.value) for cell in read(table)] == [expected]
        table.put("ann", "seen", value=aggregator.encode_result(given[0]), timestamp=9)
        more = aggregator.decode(aggregator.encode_result(given[0]), 9)
        final = shown(aggregator.encode(aggregator.merge(merged, more)))
        assert [shown(cell.value) for cell in read(table)] == [final]

    @needs("partial-merges")
    def test_add_delete_and_add_again_survive_every_order_of_merges(self, runs: Engine) -> None:
        """With the engine's timestamps, where every merge combines."""
        source = runs.create_table("source", COUNTS)
        for number in SCRIPT:
            if number is None:
                source.write(Mutations().delete("ann", "seen"))
            else:
                add(source, number)
        expected = read(source)
        assert totals(source) == [8]
        for number, order in enumerate(all_orders(len(SCRIPT))):
            table = runs.clone_table("source", f"t{number}")
            for first, last in order:
                merge_runs(runs, table.name, first, last)
                assert read(table) == expected, (order, (first, last))
            runs.drop_table(table.name)

    @needs("partial-merges")
    def test_a_clients_timestamps_survive_every_order_of_merges(self, runs: Engine) -> None:
        """Partial merges then pass cells on: a marker without a time may lie between them."""
        source = runs.create_table("source", COUNTS)
        add(source, 1, timestamp=2**60)
        add(source, 2, timestamp=5)
        source.delete("ann", "seen")
        add(source, 4, timestamp=2**61)
        add(source, 8, timestamp=7)
        expected = read(source)
        assert totals(source) == [5]
        for number, order in enumerate(all_orders(5)):
            table = runs.clone_table("source", f"t{number}")
            for first, last in order:
                merge_runs(runs, table.name, first, last)
                assert read(table) == expected, (order, (first, last))
            runs.drop_table(table.name)

    @needs("partial-merges")
    def test_a_merge_that_may_not_combine_keeps_every_version(self, runs: Engine) -> None:
        """Else a later one would find only the newest of a client's cells."""
        below = stage("aggregate", priority=15, plan="counts")
        settings = TableSettings.with_stages(below, plans={"counts": PLAN}, max_versions=1)
        table = runs.create_table("t", settings)
        for time in range(4):
            add(table, 1, timestamp=time)
        merge_runs(runs, "t", 1, 3)
        assert totals(table) == [4]
        table.compact()
        assert totals(table) == [4]

    @needs("partial-merges")
    def test_a_marker_written_after_a_merge_still_divides_a_clients_cells(
        self, runs: Engine
    ) -> None:
        """Had the merge combined them, the marker could hide only all or nothing."""
        table = runs.create_table("t", COUNTS)
        add(table, 16)
        add(table, 1, timestamp=2**60)
        add(table, 2, timestamp=5)
        merge_runs(runs, "t", 1, 3)
        table.delete("ann", "seen")
        assert totals(table) == [1]

    def test_a_delete_marker_with_a_time_of_its_own_is_refused(self, engine: Engine) -> None:
        """It could lie among parts that a merge has combined."""
        table = engine.create_table("t", COUNTS)
        add(table, 1)
        with pytest.raises(ConstraintError):
            table.delete("ann", "seen", timestamp=5)
        table.delete("ann", "seen")
        assert totals(table) == []

    @pytest.mark.parametrize(
        "refused",
        [
            stage("as-of", timestamp=5),
            stage("time-range", start=5),
            stage("age-off", ttl=5),
            stage("column-age-off", ttls=[{"family": "seen", "qualifier": None, "ttl": 5}]),
        ],
        ids=lambda item: item.name,
    )
    def test_stages_that_need_the_times_of_parts_are_refused(
        self, engine: Engine, refused: Any
    ) -> None:
        """What was combined no longer has them; the error says so before any cell is read."""
        engine.create_table("t", COUNTS)
        with pytest.raises(UnsupportedError):
            engine.scan("t", ScanSpec(stages=[refused]))
