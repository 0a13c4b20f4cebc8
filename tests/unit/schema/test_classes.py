"""Classes of elements: what they say, what they refuse, how their elements behave."""

from __future__ import annotations

import pickle
from copy import deepcopy
from datetime import date, datetime
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Annotated, Any, ClassVar

import pytest

import lexigraph as lg
from lexigraph.errors import PropertyNotFound, SchemaError, ValidationError
from lexigraph.schema import Aggregate, ValueType, group_of, schema_of
from tests.unit.schema.calls import Calls, Place

DAY = date(2026, 1, 2)


def test_a_class_says_everything_that_a_group_needs() -> None:
    group = group_of(Calls)
    assert (group.name, group.kind, group.directed, group.doc) == (
        "Calls",
        "edge",
        True,
        "Calls by day.",
    )
    assert group.ids == {"source": ValueType("str"), "destination": ValueType("str")}
    assert group.group_by == ("day",)
    assert group.visibility == "label"
    assert [one.name for one in group.values] == ["count", "longest", "kinds"]
    assert group.property("count").aggregate == Aggregate("sum")
    assert group.property("count").doc == "how many"
    assert group.property("longest").type == ValueType("float", optional=True)


def test_names_that_python_cannot_have_are_given_beside() -> None:
    group = group_of(Place)
    assert group.name == "place"
    assert group.property("road-use").aggregate == Aggregate("sum")
    assert group.ids == {"vertex": ValueType("int")}
    assert group.property("low").type.bits == 32
    assert Place(1, low=1, high=2, road_use=3).properties == {"low": 1, "high": 2, "road-use": 3}


def test_an_element_gives_values_and_its_class_fields() -> None:
    call = Calls("ann", "bob", day=DAY, count=1)
    assert (call.source, call.day, call.longest, call.label) == ("ann", DAY, None, "")
    assert isinstance(Calls.day, lg.Field)
    assert call.ids == {"source": "ann", "destination": "bob"}
    assert call.is_directed
    assert call.group == "Calls"
    assert repr(call) == (
        "Calls('ann', 'bob', day=datetime.date(2026, 1, 2), count=1, kinds=(), label='')"
    )


def test_elements_do_not_change() -> None:
    call = Calls("ann", "bob", day=DAY, count=1)
    with pytest.raises(AttributeError, match="elements are immutable"):
        call.count = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="elements are immutable"):
        call.other = 2  # type: ignore[attr-defined]


def test_elements_compare_by_what_they_hold() -> None:
    assert Calls("a", "b", DAY, 1) == Calls("a", "b", day=DAY, count=1)
    assert Calls("a", "b", DAY, 1) != Calls("b", "a", DAY, 1)
    assert Calls("a", "b", DAY, 1) != Calls("a", "b", DAY, 2)
    assert hash(Calls("a", "b", DAY, 1)) == hash(Calls("a", "b", DAY, 2))
    assert Calls("a", "b", DAY, 1) != 5


def test_elements_travel_and_match() -> None:
    call = Calls("a", "b", DAY, 1)
    assert pickle.loads(pickle.dumps(call)) == deepcopy(call) == call
    match call:
        case Calls(source, destination, count=count):
            assert (source, destination, count) == ("a", "b", 1)


def test_a_value_that_is_missing_or_unknown_is_named() -> None:
    with pytest.raises(ValidationError, match="Calls needs a value for 'day'"):
        Calls("a", "b", count=1)  # type: ignore[call-arg]
    with pytest.raises(PropertyNotFound, match=r"no field 'cuont'.*count"):
        Calls("a", "b", DAY, cuont=1)  # type: ignore[call-arg]
    with pytest.raises(ValidationError, match="twice"):
        Calls("a", "b", DAY, day=DAY, count=1)  # type: ignore[misc]


def test_edges_may_say_themselves_whether_they_are_directed() -> None:
    class Link(lg.Edge, summary=True):
        source: int
        destination: int
        directed: bool

    assert group_of(Link).directed is None
    assert Link(1, 2, directed=True) != Link(2, 1, directed=True)
    assert Link(1, 2, directed=False) == Link(2, 1, directed=False)
    assert Link(1, 2, directed=False) != Link(1, 2, directed=True)


def test_a_child_has_the_fields_and_words_of_its_parent() -> None:
    class Long(Calls):
        """Long calls."""

        why: str = lg.last(default="")

    group = group_of(Long)
    assert group.name == "Long"
    assert group.summary
    assert [one.name for one in group.properties][-2:] == ["label", "why"]
    assert group.rules == group_of(Calls).rules
    assert "why" not in [one.name for one in group_of(Calls).properties]


def test_a_class_without_summary_holds_records() -> None:
    class Person(lg.Vertex):
        key: str = lg.id()
        id: int
        unit: ClassVar[str] = "m"

    group = group_of(Person)
    assert (group.summary, group.aggregates) == (False, False)
    assert [one.name for one in group.properties] == ["id"]
    assert Person("ann", 5).ids == {"vertex": "ann"}


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (bool, ValueType("bool")),
        (Decimal, ValueType("decimal")),
        (lg.Float32, ValueType("float", bits=32)),
        (IPv4Address | IPv6Address | None, ValueType("ip", optional=True)),
        (Annotated[datetime, "naive_datetime"], ValueType("naive_datetime")),
        (tuple[str, int], ValueType("any")),
        (Any, ValueType("any")),
    ],
)
def test_annotations_choose_the_codec(annotation: Any, expected: ValueType) -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        value: annotation = lg.last()

    assert group_of(Thing).property("value").type == expected


@pytest.mark.parametrize(
    ("given", "codec"),
    [
        (lg.set_of(), "str"),
        (lg.frequencies(), "str"),
        (lg.top(3), "str"),
        (lg.hll(of=int), "int"),
        (lg.reservoir(), "str"),
    ],
)
def test_collections_have_the_type_of_their_members(given: Any, codec: str) -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        value: set[str] = given

    assert group_of(Thing).property("value").type.codec == codec


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (lg.concat(), Aggregate("concat")),
        (lg.concat(separator=";"), Aggregate("concat", {"separator": ";"})),
        (lg.concat(distinct=True), Aggregate("concat", {"distinct": True})),
        (lg.top(3), Aggregate("top-n", {"n": 3})),
        (lg.top(n=10), Aggregate("top-n")),
        (lg.reservoir(), Aggregate("reservoir")),
        (lg.reservoir(size=5), Aggregate("reservoir", {"size": 5})),
        (lg.aggregate("unknown", options={"x": 1}), Aggregate("unknown", {"x": 1})),
    ],
)
def test_options_that_are_the_default_are_left_out(given: Any, expected: Aggregate) -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        value: str = given

    assert group_of(Thing).property("value").aggregate == expected


def test_with_another_field_it_is_a_measure() -> None:
    measure = lg.sum("count")
    assert (measure.over, measure.aggregate) == ("count", Aggregate("sum"))


def make(body: dict[str, Any], *, kind: type = lg.Vertex, **words: Any) -> None:
    kinds = {name: given[0] for name, given in body.items()}
    values = {name: given[1] for name, given in body.items() if len(given) > 1}
    type(kind)("Bad", (kind,), {"__annotations__": kinds, **values}, **words)


@pytest.mark.parametrize(
    ("body", "words", "message"),
    [
        ({}, {}, "has no id"),
        ({"id": (str,), "n": (int,)}, {"summary": True}, "the field has no aggregator"),
        ({"id": (str,), "n": (int, lg.group_by())}, {}, "needs a class whose elements merge"),
        ({"id": (str,), "n": (str, lg.sum())}, {"summary": True}, "'sum' works over"),
        ({"id": (str,), "n": (str, lg.top(0))}, {"summary": True}, "from 1 to"),
        ({"id": (str,), "n": (int, lg.visibility())}, {}, "a label is text"),
        ({"id": (str,), "n": (str, lg.timestamp())}, {}, "a timestamp is a datetime"),
        ({"id": (str,), "n": (object(),)}, {}, "no codec is known"),
        ({"id": (str,), "n": (set[str],)}, {"summary": True}, "known for the type set"),
        ({"id": (str,), "n": (int, lg.sum("m"))}, {"summary": True}, "belongs in a summary"),
        ({"id": (str,), "group": (int,)}, {}, "'group' is an attribute of every element"),
        ({"id": (str,), "kind": (int, lg.last())}, {}, "'kind' is an attribute of every element"),
        (
            {"id": (str,), "a": (int,), "b": (int, lg.last(name="a"))},
            {},
            "two fields with the same name",
        ),
        (
            {"id": (str,), "a": (str, lg.visibility()), "b": (str, lg.visibility())},
            {},
            "more than one field",
        ),
    ],
)
def test_what_a_class_gets_wrong_is_said_when_it_is_made(
    body: dict[str, Any], words: dict[str, Any], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        make(body, **words)


def test_a_group_has_a_name() -> None:
    with pytest.raises(SchemaError, match="the name of a group is text"):
        make({"id": (str,)}, group="")


def test_edges_need_both_ends_and_one_word_on_direction() -> None:
    with pytest.raises(SchemaError, match="'source' and 'destination'"):
        make({"source": (str,)}, kind=lg.Edge)
    ends = {"source": (str,), "destination": (str,)}
    with pytest.raises(SchemaError, match="does not say whether its edges are directed"):
        make({**ends, "directed": (bool,)}, kind=lg.Edge, directed=True)


def test_a_field_without_a_type_is_refused() -> None:
    with pytest.raises(SchemaError, match="'count' has no type"):

        class Bad(lg.Vertex, summary=True):
            id: str
            count = lg.sum()


def test_classes_make_a_schema_and_share_no_group() -> None:
    assert list(schema_of([Calls, Place]).groups) == ["Calls", "place"]
    with pytest.raises(SchemaError, match="two classes describe the group 'Calls'"):
        schema_of([Calls, Calls])
    with pytest.raises(SchemaError, match=r"subclass of lg.Vertex"):
        schema_of([int])  # type: ignore[list-item]


def test_a_type_defined_further_down_is_found_when_it_is_needed() -> None:
    class Early(lg.Vertex, summary=True):
        id: Later  # type: ignore[name-defined]  # noqa: F821

    globals()["Later"] = str
    try:
        assert group_of(Early).ids["vertex"].codec == "str"
    finally:
        del globals()["Later"]
