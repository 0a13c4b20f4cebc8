"""Classes of records: what they declare, and how it is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from math import inf, nan
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import InvalidOption, SchemaError, UnsupportedError
from lexigraph.schema import Schema, declare, group_of, merge_stored, schema_from_json, schema_of
from lexigraph.schema.json import schema_to_json
from lexigraph.schema.model import History, Record, SortPart, ValueType
from lexigraph.schema.records import keep
from lexigraph.types import Many


class Person(lg.Vertex):
    id: str
    name: str
    born: date | None = None
    emails: Many[str] = ()  # type: ignore[assignment]
    tags: set[str] | None = None


class Knows(lg.Edge, multiplicity="simple", history=keep(days=30)):
    id: int
    source: str
    destination: str
    since: date = declare.sort_key(descending=True)
    weight: float = declare.signature()
    note: str | None = None


def as_data(*classes: type[Any]) -> Schema:
    """Return the schema of classes as if it came from JSON."""
    groups = schema_of(classes).groups
    return Schema({name: replace(one, of_class=False) for name, one in groups.items()})


def test_cardinalities_follow_from_the_annotations() -> None:
    held = {one.name: (one.cardinality, one.type.codec) for one in group_of(Person).properties}
    assert held == {
        "name": ("single", "str"),
        "born": ("single", "date"),
        "emails": ("list", "str"),
        "tags": ("set", "str"),
    }


def test_an_edge_has_a_shape() -> None:
    assert group_of(Knows).record == Record(
        (SortPart("since", descending=True),),
        ("weight",),
        "simple",
        unidirected=False,
        history=History(30),
        edge_id=ValueType("int"),
    )
    assert set(group_of(Knows).ids) == {"source", "destination"}
    assert Knows(7, "ann", "bob", date(2026, 1, 2), 0.5).properties == {
        "since": date(2026, 1, 2),
        "weight": 0.5,
    }


def test_an_edge_whose_elements_merge_may_have_a_property_called_id() -> None:
    class Seen(lg.Edge, summary=True):
        source: str
        destination: str
        id: int = declare.max()

    assert group_of(Seen).record is None
    assert [one.name for one in group_of(Seen).properties] == ["id"]


def test_what_is_stored_is_read_back() -> None:
    schema = merge_stored(None, as_data(Person, Knows))
    assert schema_from_json(schema_to_json(schema)) == schema


class Animal(lg.Vertex):
    id: str
    name: str


def test_a_name_has_one_type_in_all_classes_of_records() -> None:
    merge_stored(None, schema_of([Person, Animal]))

    class Robot(lg.Vertex):
        id: str
        name: int

    class Club(lg.Vertex):
        id: str
        emails: str

    with pytest.raises(SchemaError, match="'name' is str in 'Person' and int in 'Robot'"):
        merge_stored(None, schema_of([Person, Robot]))
    stored = merge_stored(None, schema_of([Person]))
    with pytest.raises(SchemaError, match="is a list of str in 'Person' and str in 'Club'"):
        merge_stored(stored, schema_of([Club]))


def test_names_of_summaries_are_their_own() -> None:
    class Seen(lg.Vertex, summary=True):
        id: str
        name: int = declare.sum()

    schema = merge_stored(None, schema_of([Person, Seen]))
    assert list(schema.records.groups) == ["Person"]
    assert list(schema.summaries.groups) == ["Seen"]


def test_histories_of_vertices_are_all_by_days_or_all_by_versions() -> None:
    class Note(lg.Vertex, history=keep(days=3)):
        id: str

    class Page(lg.Vertex, history=keep(versions=3)):
        id: str

    merge_stored(None, schema_of([Note, Knows]))
    with pytest.raises(SchemaError, match="'Note' is kept by days, that of 'Page' by versions"):
        merge_stored(None, schema_of([Note, Page]))


def test_rules_of_records_are_refused() -> None:
    class Aged(lg.Vertex):
        id: str
        age: int = declare.Field(check=[lg.this >= 0])

    with pytest.raises(UnsupportedError, match="'Aged' has rules"):
        merge_stored(None, schema_of([Aged]))


def make(kind: type[Any], options: dict[str, Any], **fields: Any) -> type[Any]:
    values = {name: one for name, (_, one) in fields.items() if one is not ...}
    body = {"__annotations__": {name: hint for name, (hint, _) in fields.items()}, **values}
    return type(kind)("Made", (kind,), body, **options)


ENDS = {"source": (str, ...), "destination": (str, ...)}


@pytest.mark.parametrize(
    ("kind", "options", "fields", "said"),
    [
        (lg.Edge, {"multiplicity": "one"}, ENDS, "no multiplicity 'one'"),
        (lg.Edge, {"unidirected": 1}, ENDS, "unidirected is True or False"),
        (lg.Edge, {"history": 30}, ENDS, r"history is lg.keep\(...\)"),
        (lg.Vertex, {"multiplicity": "multi"}, {"id": (str, ...)}, "belongs to edges"),
        (
            lg.Vertex,
            {},
            {"id": (str, ...), "day": (date, declare.sort_key())},
            "sort-key belongs to edges",
        ),
        (
            lg.Edge,
            {},
            {**ENDS, "days": (set[date], declare.sort_key())},
            "has one value, not a set",
        ),
        (
            lg.Edge,
            {"summary": True},
            {**ENDS, "day": (date, declare.sort_key())},
            "day: only classes of records have this",
        ),
        (
            lg.Edge,
            {"summary": True, "multiplicity": "simple"},
            ENDS,
            "multiplicity: only classes of records",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(
    kind: type[Any], options: dict[str, Any], fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(SchemaError, match=said):
        make(kind, options, **fields)


@pytest.mark.parametrize(
    "given", [{}, {"days": 1, "versions": 1}, {"days": 0}, {"days": float("nan")}, {"versions": 0}]
)
def test_a_history_is_days_or_versions(given: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        keep(**given)


@pytest.mark.parametrize(
    "record",
    [
        {"sort_keys": []},
        {"sort_key": [{"name": 3}]},
        {"multiplicity": "some"},
        {"history": {}},
        {"history": {"days": -1}},
        {"edge_id": {}},
    ],
)
def test_stored_records_are_read_strictly(record: dict[str, Any]) -> None:
    data = schema_to_json(schema_of([Knows]))
    data["groups"]["Knows"]["record"] = record
    with pytest.raises(InvalidOption):
        schema_from_json(data)


def test_a_shape_does_not_change_and_a_history_may() -> None:
    stored = merge_stored(None, as_data(Knows))

    class Other(lg.Edge, group="Knows", history=keep(versions=3)):
        id: int
        source: str
        destination: str
        since: date = declare.sort_key()
        weight: float = declare.signature()

    with pytest.raises(SchemaError, match="sort_key=since desc, given sort_key=since"):
        merge_stored(stored, as_data(Other))

    class Kept(Knows, group="Knows", history=keep(versions=3)):
        pass

    kept = merge_stored(stored, as_data(Kept)).groups["Knows"].record
    assert kept is not None
    assert kept.history == History(versions=3)


def test_a_class_and_a_field_have_times_to_live() -> None:
    class Session(lg.Vertex, ttl=timedelta(hours=1)):
        id: str
        token: str | None = lg.expires(minutes=5, seconds=0.5)

    record = schema_of([Session]).groups["Session"].record
    assert record is not None
    assert (record.ttl, record.ttls) == (3_600_000_000, (("token", 300_500_000),))
    stored = schema_from_json(schema_to_json(schema_of([Session])))
    assert stored.groups["Session"].record == record


@pytest.mark.parametrize("given", [timedelta(), timedelta(-1), 7, "1 day", True, timedelta.max])
def test_a_time_to_live_is_a_positive_timedelta(given: Any) -> None:
    with pytest.raises(SchemaError):

        class Session(lg.Vertex, ttl=given):
            id: str


@pytest.mark.parametrize(
    "given", [{}, {"days": -1}, {"hours": "1"}, {"seconds": nan}, {"days": inf}, {"seconds": True}]
)
def test_a_field_expires_after_some_time(given: Any) -> None:
    with pytest.raises(SchemaError):
        lg.expires(**given)


def test_a_name_has_one_time_to_live() -> None:
    class Session(lg.Vertex):
        id: str
        token: str | None = lg.expires(days=1)

    class Person(lg.Vertex):
        id: str
        token: str | None = None

    with pytest.raises(SchemaError, match=r"live 1 day, 0:00:00 in 'Session' and without end in"):
        merge_stored(None, schema_of([Session, Person]))


def test_summaries_have_no_times_to_live() -> None:
    with pytest.raises(SchemaError, match="only classes of records have this"):

        class Calls(lg.Vertex, summary=True, ttl=timedelta(1)):
            id: str
            count: int = lg.sum()


def test_a_stored_time_to_live_does_not_change() -> None:
    class Session(lg.Vertex, ttl=timedelta(1)):
        id: str
        token: str | None = lg.expires(hours=1)

    class Changed(lg.Vertex, group="Session", ttl=timedelta(2)):
        id: str
        token: str | None = None
        code: str | None = lg.expires(hours=2)

    stored = merge_stored(None, schema_of([Session]))
    with pytest.raises(SchemaError) as refused:
        merge_stored(stored, schema_of([Changed]))
    assert refused.value.context["difference"] == [
        "Session: stored to live 1 day, 0:00:00, given 2 days, 0:00:00",
        "Session.token: stored to live 1:00:00, given without end",
    ]


def test_a_new_property_may_expire() -> None:
    class Session(lg.Vertex):
        id: str
        token: str | None = lg.expires(hours=1)

    class Later(lg.Vertex, group="Session"):
        id: str
        code: str | None = lg.expires(hours=2)

    merged = merge_stored(merge_stored(None, schema_of([Session])), schema_of([Later]))
    record = merged.groups["Session"].record
    assert record is not None
    assert dict(record.ttls) == {"token": 3_600_000_000, "code": 7_200_000_000}


@pytest.mark.parametrize("keyword", ["shards", "cut_vertices", "partitioned"])
def test_vertices_are_not_cut(keyword: str) -> None:
    with pytest.raises(UnsupportedError, match="vertices are not cut") as refused:
        type("Hub", (lg.Vertex,), {"__annotations__": {"id": str}}, **{keyword: 8})
    assert "rows of its own" in str(refused.value.hint)
