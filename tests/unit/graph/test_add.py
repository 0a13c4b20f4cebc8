"""Adding: what can be given, what is refused and why, and how little is written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from lexigraph.errors import GroupNotFound, UsageError, ValidationError
from lexigraph.graph.write.add import AddReport
from lexigraph.keyplan import StoredElement
from lexigraph.store import MemoryEngine
from tests.unit.graph.stored_graphs import (
    DAY,
    Calls,
    Event,
    Knows,
    Reading,
    add,
    cells_of,
    held,
    make,
    shown,
)


def test_instances_elements_and_dicts_are_added_alike() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        report = add(
            graph,
            [
                Calls("a", "b", day=DAY, count=2, label="x&y"),
                {"group": "Calls", "source": "a", "destination": "b", "day": DAY, "count": 3}
                | {"label": "y&x"},
                StoredElement(
                    "edge",
                    "Calls",
                    {"day": DAY, "count": 4},
                    source="a",
                    destination="b",
                    directed=True,
                    visibility=b"x&y",
                ),
                {
                    "group": "Calls",
                    "source": "a",
                    "destination": "b",
                    "properties": {"day": DAY, "count": 5, "label": "x&y"},
                },
            ],
        )
        assert report == AddReport(4, commits=1, timestamp=report.timestamp)
        assert len(report) == 4
        [one] = held(graph)
        assert one.properties["count"] == 14
        assert one.visibility == b"x&y"


def test_a_single_element_and_none_at_all() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        assert len(add(graph, Event("a", what="x"))) == 1
        assert add(graph, []) == AddReport()
        assert len(add(graph, {"group": "Event", "vertex": "a", "what": "x"})) == 1
        assert len(held(graph)) == 2


def test_equal_elements_of_a_batch_are_merged_before_they_are_written() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        add(graph, (Calls("a", "b", day=DAY, devices=("x", str(at % 3))) for at in range(1000)))
        assert cells_of(graph) == 2
        [one] = held(graph)
        assert one.properties["count"] == 1000
        assert one.properties["devices"] == ("0", "1", "2", "x")


def test_duplicates_stay_where_the_group_keeps_them() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        add(graph, [Event("a", what="x")] * 5)
        assert len(held(graph)) == 5


def test_the_first_is_the_one_that_was_given_first_in_one_batch_or_in_two() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        add(graph, [Knows("a", "b", since=3, opened="z"), Knows("b", "a", since=2, opened="y")])
        add(graph, [Knows("a", "b", since=5, opened="a")])
        [one] = held(graph)
        assert one.properties == {"since": 2, "opened": "z"}


def test_a_time_of_their_own_decides_the_last() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        add(graph, [Reading("a", at=30, value=3), Reading("a", at=10, value=1)])
        add(graph, [Reading("a", at=20, value=2)])
        [one] = held(graph)
        assert (one.timestamp, one.properties) == (30, {"value": 3})
        assert cells_of(graph) == 3
        moment = datetime(2026, 1, 2, tzinfo=UTC)
        add(graph, [{"group": "Reading", "vertex": "b", "at": moment, "value": 1}])
        assert held(graph)[1].timestamp == int(moment.timestamp() * 1_000_000)


def test_a_generator_without_end_is_stored_batch_by_batch() -> None:
    class Enough(Exception):
        pass

    with MemoryEngine() as engine:
        graph = make(engine)

        def endless() -> Iterator[Event]:
            for at in count():
                if len(held(graph)) >= 30:
                    raise Enough
                yield Event("a", what=str(at))

        with pytest.raises(Enough):
            add(graph, endless(), batch_elements=10)
        assert len(held(graph)) == 30


BAD = {"group": "Calls", "source": "a", "destination": "b", "day": DAY}


@pytest.mark.parametrize(
    ("item", "error", "message"),
    [
        ({**BAD, "count": "many"}, ValidationError, "element 1, .*property 'count'.*int"),
        ({**BAD, "day": None}, ValidationError, "property 'day': it is missing"),
        ({**BAD, "cuont": 1}, ValidationError, "property 'cuont'.*did you mean: count"),
        ({**BAD, "source": None}, ValidationError, "id 'source': it is missing"),
        ({**BAD, "source": 5}, ValidationError, "'source'.*str"),
        ({**BAD, "label": "a&"}, ValidationError, "'label'"),
        ({**BAD, "directed": False}, ValidationError, "directed"),
        ({**BAD, "group": "Cals"}, GroupNotFound, "element 1, .*did you mean: Calls"),
        ({"vertex": "a"}, ValidationError, "does not name its group"),
        (5, ValidationError, "element 1, 5 is not an element"),
        (SimpleNamespace(group="Calls"), ValidationError, "element 1, .*has source, destination"),
        (SimpleNamespace(group="Calls", properties=3), ValidationError, "element 1"),
        ({**BAD, "class": "Edge"}, ValidationError, "no such property"),
        (
            StoredElement("vertex", "Calls", {"day": DAY}, vertex="a"),
            ValidationError,
            "element 1",
        ),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_of_its_batch_stored(
    item: Any, error: type[Exception], message: str
) -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        good = Calls("a", "b", day=DAY)
        with pytest.raises(error, match=message):
            add(graph, [good, item, good])
        assert held(graph) == []
        report = add(graph, [good, item, good], skip_invalid=True)
        assert (report.added, report.skipped_count) == (2, 1)
        [skipped] = report.skipped
        assert skipped.number == 1
        assert skipped.element == item
        assert skipped.reason


def test_an_error_says_what_was_stored_before() -> None:
    with MemoryEngine() as engine:
        graph = make(engine)
        stream = [Event(str(at), what="x") for at in range(25)] + [{"group": "Event"}]
        with pytest.raises(ValidationError) as caught:
            add(graph, stream, batch_elements=10)
        assert "20 elements were stored before" in caught.value.hint
        assert caught.value.context["stored"] == 20
        assert len(held(graph)) == 20


def test_a_report_keeps_only_the_first_of_many_that_were_skipped() -> None:
    with MemoryEngine() as engine:
        report = add(make(engine), ({"group": "Event"} for _ in range(1500)), skip_invalid=True)
        assert (report.skipped_count, len(report.skipped)) == (1500, 1000)


def test_frames_are_added_as_elements_of_one_group() -> None:
    arrow = pytest.importorskip("pyarrow")
    columns = {
        "source": ["a", "a", "b"],
        "destination": ["b", "b", "c"],
        "day": [DAY, DAY, date(2026, 1, 3)],
        "count": [1, 2, 3],
        "label": ["x", "x", None],
    }
    table = arrow.table(columns)
    with MemoryEngine() as engine:
        graph = make(engine)
        expected = make(engine, name="expected")
        names = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        add(expected, [{**row, "group": "Calls"} for row in names])
        assert add(graph, table, group=Calls, batch_elements=2).added == 3
        assert shown(graph) == shown(expected)
        assert cells_of(graph) == 4
        reader = arrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
        assert add(graph, reader, group="Calls").added == 3
        with pytest.raises(UsageError, match="need a group"):
            add(graph, table)
        with pytest.raises(ValidationError, match="element 1"):
            add(graph, arrow.table({**columns, "source": ["a", None, "b"]}), group="Calls")
        bad = arrow.table({**columns, "source": ["a", None, "b"]})
        assert add(graph, bad, group="Calls", skip_invalid=True).skipped_count == 1


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_frames_of_other_libraries(library: str) -> None:
    module = pytest.importorskip(library)
    pytest.importorskip("pyarrow")
    frame = module.DataFrame({"vertex": ["a", "b"], "what": ["x", "y"]})
    with MemoryEngine() as engine:
        graph = make(engine)
        assert add(graph, frame, group=Event).added == 2
        assert {one.vertex for one in held(graph)} == {"a", "b"}
