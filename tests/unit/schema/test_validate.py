"""Elements that are added: what fits, and what is said of what does not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError, ValidationError
from lexigraph.schema import Rule, group_of
from lexigraph.schema.validate import Validator
from tests.unit.schema.calls import Calls, Place

DAY = date(2026, 1, 2)
CALLS, PLACES = Validator(group_of(Calls)), Validator(group_of(Place))


@dataclass
class Plain:
    """An element that is of no class."""

    ids: dict[str, Any]
    properties: dict[str, Any] = field(default_factory=dict)
    group: str = "Calls"


def test_an_element_that_fits_becomes_what_a_plan_writes() -> None:
    call = Calls("ann", "bob", DAY, 2, longest=3, label="b&a", kinds={"sms"})  # type: ignore[arg-type]
    element = CALLS.check(call)
    assert (element.source, element.destination, element.directed) == ("ann", "bob", True)
    assert element.visibility == b"a&b"
    assert element.properties == {"day": DAY, "count": 2, "longest": 3.0, "kinds": {"sms"}}
    assert isinstance(element.properties["longest"], float)


def test_the_time_of_an_element_is_its_timestamp() -> None:
    seen = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    element = PLACES.check(Place(5, low=1, high=2, seen=seen))
    assert (element.vertex, element.timestamp) == (5, 1_000_000)
    assert element.properties == {"low": 1, "high": 2, "road-use": 0}


@pytest.mark.parametrize(
    ("changes", "name", "reason"),
    [
        ({"count": "one"}, "count", "it takes int, not str: 'one'"),
        ({"count": None}, "count", "it is missing"),
        ({"count": -1}, "count", "breaks the rule count >= 0"),
        ({"day": datetime(2026, 1, 1)}, "day", "it takes date, not datetime; use .date()"),
        ({"label": "a&"}, "label", "a term is missing"),
        ({"kinds": [1]}, "kinds", "it takes str"),
        ({"longest": 10**400}, "longest", "too large for a float"),
        ({"cuont": 1}, "cuont", "no such property .did you mean: count"),
    ],
)
def test_what_is_wrong_is_said_with_property_and_reason(
    changes: dict[str, Any], name: str, reason: str
) -> None:
    given = Plain({"source": "a", "destination": "b"}, {"day": DAY, "count": 1, **changes})
    with pytest.raises(ValidationError, match=reason) as caught:
        CALLS.check(given, number=4)
    assert (caught.value.element, caught.value.property) == (4, name)
    assert str(caught.value).startswith("element 4, Plain(")


@pytest.mark.parametrize(
    ("ids", "reason"),
    [
        ({"source": 5, "destination": "b"}, "id 'source': it takes str"),
        ({"source": None, "destination": "b"}, "id 'source': it is missing"),
        ({"vertex": "a"}, "id 'source': .*has source, destination, not vertex"),
    ],
)
def test_ids_are_checked_too(ids: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        CALLS.check(Plain(ids, {"day": DAY, "count": 1}))


def test_edges_go_the_way_that_their_group_says() -> None:
    @dataclass
    class Turned(Plain):
        is_directed: Any = False

    ids = {"source": "a", "destination": "b"}
    with pytest.raises(ValidationError, match="all have the opposite value"):
        CALLS.check(Turned(ids, {"day": DAY, "count": 1}))
    with pytest.raises(ValidationError, match="is true or false, not None"):
        CALLS.check(Turned(ids, {"day": DAY, "count": 1}, is_directed=None))


def test_widths_and_times_have_limits() -> None:
    with pytest.raises(ValidationError, match="does not fit into 32 bits"):
        PLACES.check(Place(1, low=2**31, high=2**31))  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="an int or an aware datetime"):
        PLACES.check(Place(1, low=1, high=1, seen=datetime(2026, 1, 1)))


def test_all_that_is_wrong_is_kept_beside_the_first() -> None:
    with pytest.raises(ValidationError) as caught:
        CALLS.check(Plain({"source": 1, "destination": "b"}, {"day": 1}))
    assert [name for name, _ in caught.value.context["reasons"]] == ["source", "day", "count"]


def test_rules_see_what_people_will_see() -> None:
    class Tagged(lg.Vertex, summary=True):
        id: str
        tags: set[str] | str = lg.set_of(check=[lg.this.contains("x"), lg.this.length < 3])

    validator = Validator(group_of(Tagged))
    for given in ({"x"}, ["x", "x", "x", "x"], "x"):
        assert validator.check(Tagged("a", tags=given)).vertex == "a"  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match=r"breaks the rule contains.tags, value='x'."):
        validator.check(Tagged("a", tags={"y"}))
    with pytest.raises(ValidationError, match=r"breaks the rule length.tags, compare='lt', size=3"):
        validator.check(Tagged("a", tags={"x", "y", "z"}))


def test_rules_over_two_properties_say_their_reason() -> None:
    with pytest.raises(ValidationError, match="'low': low must not lie above high"):
        PLACES.check(Place(1, low=3, high=2))


def test_rules_on_age_take_the_validators_now() -> None:
    class Seen(lg.Vertex, summary=True):
        id: str
        day: date = lg.group_by(check=[lg.this.age_off(days=100)])

    element = Seen("a", day=date(1970, 1, 1))
    day = 86_400_000_000
    assert Validator(group_of(Seen), now=99 * day).check(element).vertex == "a"
    with pytest.raises(ValidationError, match=r"breaks the rule day\.age_off\(days=100\)"):
        Validator(group_of(Seen), now=100 * day).check(element)
    with pytest.raises(ValidationError, match=r"breaks the rule day\.age_off\(days=100\)"):
        Validator(group_of(Seen)).check(element)


def test_a_rule_that_cannot_be_asked_is_an_error_of_the_schema() -> None:
    group = replace(group_of(Calls), rules=(Rule({"op": "like", "field": "day"}, ("day",)),))
    with pytest.raises(SchemaError, match=r"the rule 'like.day.' of group 'Calls': .*no predicate"):
        Validator(group)
