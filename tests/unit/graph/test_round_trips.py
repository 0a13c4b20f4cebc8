"""What a table is written as, add reads: every type, as an id, a part of a key and a value."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest
from pyarrow import csv

import lexigraph as lg
from lexigraph.errors import UnsupportedError, UsageError, ValidationError

VALUES: dict[Any, list[Any]] = {
    bool: [True, False],
    int: [5, -(2**62)],
    lg.Int32: [7, -7],
    float: [1.5, float("-inf")],
    lg.Float32: [0.5, 2.0],
    Decimal: [Decimal("1.25"), Decimal(-3)],
    str: ["x", "é"],
    bytes: [b"\xff\x00", b"sixteen bytes ok"],
    datetime: [datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), datetime(1950, 1, 1, tzinfo=UTC)],
    date: [date(2026, 1, 2), date(1, 1, 1)],
    time: [time(3, 4, 5, 6), time(0)],
    timedelta: [timedelta(days=1, microseconds=3), timedelta(-1)],
    UUID: [UUID(int=2**127 + 5), UUID(bytes=b"sixteen bytes ok")],
    IPv4Address: [IPv4Address("10.0.0.1"), IPv4Address("255.0.0.0")],
    IPv6Address: [IPv6Address("fe80::1"), IPv6Address("::ffff:1.2.3.4")],
    lg.GeoPoint: [lg.GeoPoint(1.5, 2.5), lg.GeoPoint(-90.0, 180.0)],
}


def class_of(kind: Any, *roles: str) -> Any:
    """Return a class that holds values of a type in these roles."""
    annotations: dict[str, Any] = {"id": kind if "id" in roles else str}
    fields: dict[str, Any] = {}
    for role, field in {"key": lg.group_by, "value": lg.last, "many": lg.set_of}.items():
        if role in roles:
            annotations[role] = set[kind] if role == "many" else kind | None
            fields[role] = field()
    body = {"__annotations__": annotations, **fields, "__module__": __name__}
    return type(lg.Vertex)("Held", (lg.Vertex,), body, summary=True)


def fill(graph: lg.Graph, made: Any, values: list[Any], *, gaps: bool) -> None:
    first, second = values
    graph.add([made(first, key=second, value=first, many={first, second})])
    graph.add([made(second, key=first, value=second, many={first})])
    if gaps:
        graph.add([made(first, key=None, value=None, many={second})])


def held(graph: lg.Graph) -> list[Any]:
    found = [(one.id, one.key, one.value, one.many) for one in graph.all()]
    # Equal decimals may be written with different zeros.
    return sorted(found, key=lambda one: repr((one[1], one[0]))) if found else []


@pytest.mark.parametrize("where", ["memory", "embedded"])
@pytest.mark.parametrize("form", ["to_arrow", "to_polars", "to_pandas"])
@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_table_is_read_as_it_was_written(
    tmp_path: Path, kind: Any, form: str, where: str
) -> None:
    pytest.importorskip(form.removeprefix("to_").replace("arrow", "pyarrow"))
    made = class_of(kind, "id", "key", "value", "many")
    paths = [":memory:"] * 2 if where == "memory" else [tmp_path / "a", tmp_path / "b"]
    # pandas makes floats of whole numbers with gaps, which are refused, and has no lists of moments
    # in a zone, which is not guessed.
    gaps = form != "to_pandas" or kind not in (int, lg.Int32)
    in_utc = form == "to_pandas" and kind is datetime
    options = {"assume_timezone": "UTC"} if in_utc else {}
    with lg.open(paths[0], [made]) as graph, lg.open(paths[1], [made]) as again:
        fill(graph, made, VALUES[kind], gaps=gaps)
        again.add(getattr(graph.all(made), form)(), group=made, **options)
        assert held(again) == held(graph)
        assert len(held(again)) == 2 + gaps


IN_CSV = [kind for kind in VALUES if kind not in (bytes, timedelta, UUID, lg.GeoPoint)]


@pytest.mark.parametrize("kind", IN_CSV, ids=lambda kind: kind.__name__)
def test_a_csv_file_is_read_as_it_was_written(tmp_path: Path, kind: Any) -> None:
    made = class_of(kind, "id", "key", "value", "many")
    again_made = class_of(kind, "id", "key", "value")
    with lg.open(":memory:", [made]) as graph, lg.open(":memory:", [again_made]) as again:
        fill(graph, made, VALUES[kind], gaps=True)
        table = graph.all(made).to_arrow()
        # A CSV file has no lists.
        csv.write_csv(table.drop_columns(["many"]), tmp_path / "x.csv")
        again.add(tmp_path / "x.csv", group=again_made)
        csv.write_csv(again.all(again_made).to_arrow(), tmp_path / "y.csv")
        assert (tmp_path / "y.csv").read_text() == (tmp_path / "x.csv").read_text()
        assert {(one.id, one.key, one.value) for one in again.all()} == {
            (one.id, one.key, one.value) for one in graph.all()
        }


def test_uuids_of_a_csv_file_are_text(tmp_path: Path) -> None:
    made = class_of(UUID, "id")
    ids = VALUES[UUID]
    (tmp_path / "x.csv").write_text("id\n" + "".join(f" {one}\n" for one in ids))
    with lg.open(":memory:", [made]) as graph:
        graph.add(tmp_path / "x.csv", group=made)
        assert sorted(one.id for one in graph.all(made)) == sorted(ids)


@pytest.mark.parametrize("kind", [timedelta, lg.GeoPoint])
def test_text_of_other_types_is_refused_with_what_to_do(tmp_path: Path, kind: Any) -> None:
    made = class_of(kind, "id")
    (tmp_path / "x.csv").write_text("id\n1\n")
    with lg.open(":memory:", [made]) as graph, pytest.raises(UnsupportedError) as caught:
        graph.add(tmp_path / "x.csv", group=made)
    assert "pass dicts or a frame" in caught.value.hint


WRONG: list[tuple[Any, pa.Array, str]] = [
    (IPv4Address, pa.array(["here"]), "it takes IPv4Address or IPv6Address, not str: 'here'"),
    (IPv4Address, pa.array([7]), "not int: 7"),
    (UUID, pa.array([b"short"]), "it takes UUID, not bytes: b'short'"),
    (lg.GeoPoint, pa.array([{"lat": 1.0, "longitude": 2.0}]), "it takes GeoPoint, not dict"),
    (lg.GeoPoint, pa.array([{"latitude": 91.0, "longitude": 2.0}]), "it takes GeoPoint, not dict"),
]


@pytest.mark.parametrize(("kind", "column", "reason"), WRONG)
def test_what_is_no_such_value_is_refused(kind: Any, column: pa.Array, reason: str) -> None:
    made = class_of(kind, "value")
    frame = pa.table({"id": ["a"], "value": column})
    with lg.open(":memory:", [made]) as graph:
        with pytest.raises(ValidationError) as caught:
            graph.add(frame, group=made)
        assert reason in str(caught.value)
        report = graph.add(frame, group=made, skip_invalid=True)
        assert (report.added, report.skipped_count) == (0, 1)


@pytest.mark.parametrize(
    ("kind", "reason"), [(IPv4Address, "it is not an IP address"), (UUID, "it is not a UUID")]
)
def test_bad_text_of_a_file_belongs_to_its_row(tmp_path: Path, kind: Any, reason: str) -> None:
    made = class_of(kind, "value")
    good = VALUES[kind][0]
    (tmp_path / "x.csv").write_text(f"id,value\na,{good}\nb,here\nc,\n")
    with lg.open(":memory:", [made]) as graph:
        with pytest.raises(ValidationError, match=f"element 1, .*{reason}"):
            graph.add(tmp_path / "x.csv", group=made)
        report = graph.add(tmp_path / "x.csv", group=made, skip_invalid=True)
        assert [one.reason.partition(",")[0] for one in report.skipped] == [reason]
        assert {one.id: one.value for one in graph.all(made)} == {"a": good, "c": None}


def test_lists_of_moments_without_a_zone_say_what_to_pass() -> None:
    made = class_of(datetime, "many")
    naive = pa.array([[datetime(2026, 1, 2)]])
    with lg.open(":memory:", [made]) as graph, pytest.raises(UsageError) as caught:
        graph.add(pa.table({"id": ["a"], "many": naive}), group=made)
    assert 'assume_timezone="UTC"' in caught.value.hint


def test_dicts_take_no_text_for_other_types() -> None:
    made = class_of(IPv4Address, "value")
    with lg.open(":memory:", [made]) as graph, pytest.raises(ValidationError):
        graph.add([{"group": "Held", "vertex": "a", "value": "10.0.0.1"}])
