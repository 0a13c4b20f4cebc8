"""Schemas in Gaffer's JSON: read, refused with reasons, written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.codec import codec_for
from lexigraph.errors import SchemaError, UnsupportedError, ValidationError
from lexigraph.schema import Aggregate, Schema, Validator, ValueType, merge_stored, schema_of
from lexigraph.schema.gaffer.json import merged_document, schema_from_gaffer, schema_to_gaffer
from tests.unit.schema.calls import Calls, Place

ELEMENTS: dict[str, Any] = {
    "entities": {"Visit": {"vertex": "v", "properties": {"day": "long", "n": "count"}}},
    "edges": {
        "Road": {
            "description": "A road.",
            "source": "v",
            "destination": "v",
            "directed": "true",
            "properties": {"day": "long", "tags": "tags", "who": "label"},
            "groupBy": ["day"],
        }
    },
    "visibilityProperty": "who",
}
TYPES: dict[str, Any] = {
    "types": {
        "v": {"class": "String"},
        "true": {"class": "Boolean", "validateFunctions": [{"class": "IsTrue"}]},
        "long": {"class": "java.lang.Long", "aggregateFunction": {"class": "Max"}},
        "count": {
            "class": "Integer",
            "description": "how many",
            "serialiser": {"class": "my.Serialiser", "level": 3},
            "aggregateFunction": {"class": "uk.gov.gchq.koryphe.impl.binaryoperator.Sum"},
            "validateFunctions": [{"class": "IsMoreThan", "value": 0, "orEqualTo": True}],
        },
        "tags": {"class": "TreeSet", "aggregateFunction": {"class": "CollectionConcat"}},
        "label": {"class": "String", "aggregateFunction": {"class": "StringConcat"}},
    }
}

# As the documentation of Gaffer's store on Accumulo prints it.
OLD_AGE_OFF = """
"long": {
    "class": "java.lang.Long",
    "validateFunctions": [
        {
            "function": {
                "class": "gaffer.function.simple.filter.AgeOff",
                "ageOffDays": "100"
              }
        }
    ]
}
"""


def test_a_schema_of_two_parts_becomes_groups() -> None:
    schema = schema_from_gaffer(ELEMENTS, json.dumps(TYPES))
    road = schema.group("Road")
    assert (road.kind, road.directed, road.group_by, road.visibility, road.doc) == (
        "edge",
        True,
        ("day",),
        "who",
        "A road.",
    )
    assert road.ids["source"] == ValueType("str", java="java.lang.String")
    assert road.property("tags").aggregate == Aggregate("set")
    count = schema.group("Visit").property("n")
    assert count.type == ValueType("int", 32, optional=True, java="java.lang.Integer")
    assert (count.aggregate, count.doc) == (Aggregate("sum"), "how many")
    (rule,) = schema.group("Visit").rules
    assert rule.where == {"op": "ge", "field": "n", "value": codec_for("int").encode(0)}


def test_the_old_nested_form_loads_as_printed() -> None:
    text = f'{{"types": {{{OLD_AGE_OFF}, "v": {{"class": "String"}}}}}}'
    elements = {
        "entities": {"Old": {"vertex": "v", "properties": {"day": "long"}, "aggregate": False}}
    }
    schema = schema_from_gaffer(elements, text)
    (rule,) = schema.group("Old").rules
    assert rule.where == {"op": "age-off", "field": "day", "ttl": 100 * 86_400_000_000}
    written = merged_document(elements, text)["types"]["long"]["validateFunctions"]
    assert written == [{"class": "uk.gov.gchq.koryphe.impl.predicate.AgeOff", "ageOffDays": "100"}]


def test_parts_may_be_files(tmp_path: Path) -> None:
    path = tmp_path / "types.json"
    path.write_text(json.dumps(TYPES))
    assert schema_from_gaffer(ELEMENTS, path) == schema_from_gaffer(ELEMENTS, TYPES)


def test_what_has_no_meaning_here_is_written_back() -> None:
    schema = schema_from_gaffer(ELEMENTS, TYPES)
    written = schema_to_gaffer(merge_stored(None, schema))
    assert written["types"]["count"]["serialiser"] == {"class": "my.Serialiser", "level": 3}
    assert written["types"]["count"]["description"] == "how many"
    assert written == merged_document(ELEMENTS, TYPES)
    assert schema_from_gaffer(written) == schema


def test_groups_of_classes_are_written_from_what_they_mean() -> None:
    written = schema_to_gaffer(schema_of([Calls]))
    assert written["edges"]["Calls"] == {
        "source": "str",
        "destination": "str",
        "directed": "true",
        "properties": {
            "day": "date.max",
            "count": "int.sum",
            "longest": "float.max",
            "kinds": "str.set",
            "label": "str.concat",
        },
        "groupBy": ["day"],
        "validateFunctions": [
            {
                "selection": ["count"],
                "predicate": {
                    "class": "uk.gov.gchq.koryphe.impl.predicate.IsMoreThan",
                    "orEqualTo": True,
                    "value": {"java.lang.Long": 0},
                },
            }
        ],
        "description": "Calls by day.",
    }
    assert written["visibilityProperty"] == "label"
    again = schema_from_gaffer(written).group("Calls")
    assert [one.name for one in again.properties] == [*written["edges"]["Calls"]["properties"]]
    assert again.rules[0].where == schema_of([Calls]).group("Calls").rules[0].where


def test_a_schema_with_both_kinds_of_groups_is_written_whole() -> None:
    mixed = merge_stored(schema_from_gaffer(ELEMENTS, TYPES), schema_of([Extra]))
    written = schema_to_gaffer(mixed)
    assert list(written["entities"]) == ["Visit", "Extra"]
    assert written["entities"]["Extra"]["properties"] == {"n": "int16.sum", "ok": "bool.and"}
    again = schema_from_gaffer(written)
    assert again.group("Extra").property("n").type.bits == 16
    before, after = mixed.group("Extra").rules, again.group("Extra").rules
    # Gaffer's lengths let absent values pass, so these are written with more words.
    assert [rule.where for rule in after[:3]] == [rule.where for rule in before[:3]]
    judges = [Validator(one.group("Extra")) for one in (mixed, again)]
    for element in EXTRAS:
        verdicts = [fits(judge, element) for judge in judges]
        assert verdicts[0] == verdicts[1]
    assert {fits(judges[0], element) for element in EXTRAS} == {True, False}


class Extra(lg.Vertex, summary=True):
    id: str
    n: lg.Int16 = lg.sum(
        check=[lg.this.is_in([1, 2]) | ~(lg.this == 3), lg.this != None]  # noqa: E711
    )
    ok: bool = lg.all_of(check=[lg.this == True])  # noqa: E712

    rules = [
        lg.field("vertex").matches("a.*") & (lg.field("vertex").length < 9),
        (lg.field("n") > 1) | (lg.field("vertex").length > 3),
    ]


EXTRAS = [
    Extra(key, n=n, ok=ok)
    for key in ("a", "abcd", "abcdefghij", "b")
    for n in (1, 2, 3, 9)
    for ok in (True, False)
]


def fits(judge: Validator, element: Extra) -> bool:
    try:
        judge.check(element)
    except ValidationError:
        return False
    return True


def test_rules_of_gaffer_remove_at_merges() -> None:
    schema = schema_from_gaffer(ELEMENTS, TYPES)
    removing = [rule.remove for group in schema.groups.values() for rule in group.rules]
    assert removing
    assert all(removing)
    assert schema_from_gaffer(schema_to_gaffer(schema)).groups == schema.groups


def test_what_gaffer_has_no_word_for_is_said() -> None:
    with pytest.raises(UnsupportedError, match="no predicate for the rule 'le' on low, high"):
        schema_to_gaffer(schema_of([Place]))

    class Sample(lg.Vertex, summary=True):
        id: str
        n: int = lg.top(3)

    with pytest.raises(UnsupportedError, match="no equivalent of the aggregator 'top-n'"):
        schema_to_gaffer(schema_of([Sample]))

    class Spot(lg.Vertex):
        id: lg.GeoPoint

    with pytest.raises(UnsupportedError, match="no class for values of 'geo'"):
        schema_to_gaffer(schema_of([Spot]))


def test_one_label_and_one_time_for_all_groups() -> None:
    class One(lg.Vertex):
        id: str
        label: str = lg.visibility()
        at: int = lg.timestamp()

    class Two(lg.Vertex):
        id: str
        mark: str = lg.visibility()

    assert schema_to_gaffer(schema_of([One]))["config"] == {"timestampProperty": "at"}
    with pytest.raises(SchemaError, match="visibility property for all groups, not label, mark"):
        schema_to_gaffer(schema_of([One, Two]))


def changed(part: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(part))
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return copy


VISIT = ("entities", "Visit")


@pytest.mark.parametrize(
    ("elements", "types", "message"),
    [
        (changed(ELEMENTS, "edgs", to={}), TYPES, "no field 'edgs'.*edges"),
        (changed(ELEMENTS, *VISIT, "groupby", to=[]), TYPES, "no field 'groupby'.*groupBy"),
        (changed(ELEMENTS, *VISIT, "groupBy", to=["dy"]), TYPES, "no property 'dy'.*day"),
        (changed(ELEMENTS, *VISIT, "parents", to=["Visits"]), TYPES, "parent 'Visits'.*Visit"),
        (changed(ELEMENTS, *VISIT, "parents", to=["Visit"]), TYPES, "a parent of itself"),
        (
            changed(ELEMENTS, *VISIT, "source", to="v"),
            TYPES,
            "only the other kind of group can have",
        ),
        (changed(ELEMENTS, *VISIT, "aggregate", to=1), TYPES, "is true or false"),
        (changed(ELEMENTS, *VISIT, "properties", "n", to="cuont"), TYPES, "'cuont'.*did you mean"),
        (ELEMENTS, changed(TYPES, "types", "v", "class", to="Strng"), "'Strng' is not known"),
        (ELEMENTS, changed(TYPES, "types", "v", to=5), "type 'v' is an object"),
        (
            ELEMENTS,
            changed(TYPES, "types", "long", "aggregateFunction", to={"class": "Summ"}),
            "'Summ', which is not known .did you mean: Sum",
        ),
        (
            ELEMENTS,
            changed(TYPES, "types", "long", "aggregateFunction", to={"class": "no.such.Sum"}),
            "'no.such.Sum', which is not known",
        ),
        (
            ELEMENTS,
            changed(TYPES, "types", "count", "validateFunctions", 0, "value", to={"Long": 0}),
            "IsMoreThan compares 'n', a java.lang.Integer, with a java.lang.Long",
        ),
        (ELEMENTS, "{", "not JSON"),
        ("elements.json", ELEMENTS, r"not JSON(.|\n)*pathlib\.Path"),
        (ELEMENTS, "[]", "a schema is an object"),
    ],
)
def test_mistakes_are_named_with_what_is_near(elements: Any, types: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        schema_from_gaffer(elements, types)


def test_all_problems_are_listed_at_once() -> None:
    wrong = changed(ELEMENTS, "edges", "Road", "groupBy", to=["who"])
    wrong["entities"]["Visit"]["properties"]["x"] = "v"
    with pytest.raises(SchemaError) as caught:
        schema_from_gaffer(wrong, TYPES)
    assert str(caught.value) == (
        "the schema is wrong:\n"
        "  Visit: 'x' needs an aggregator that says how its values merge\n"
        "  Road: labels keep elements apart by themselves"
    )


def test_a_schema_has_a_part() -> None:
    with pytest.raises(SchemaError, match="at least one part"):
        schema_from_gaffer()
    assert schema_from_gaffer({}).groups == {}


def test_aggregators_over_several_properties_are_refused() -> None:
    both = {"selection": ["day", "n"], "binaryOperator": {"class": "First"}}
    given = changed(ELEMENTS, *VISIT, "aggregateFunctions", to=[both])
    with pytest.raises(SchemaError, match=r"First takes 1 values, not .'day', 'n'."):
        schema_from_gaffer(given, TYPES)


def test_ages_of_timestamps_would_be_read_in_another_unit() -> None:
    types = changed(TYPES, "types", "long", "validateFunctions", to=[{"class": "AgeOff"}])
    assert schema_from_gaffer(ELEMENTS, types).group("Road").rules
    timed = {**ELEMENTS, "config": {"timestampProperty": "day"}}
    with pytest.raises(UnsupportedError, match="'day' cannot have an AgeOff"):
        schema_from_gaffer(changed(timed, "edges", "Road", "groupBy", to=[]), types)


def test_a_property_with_the_name_of_an_id_has_a_field_of_its_own() -> None:
    given = changed(ELEMENTS, *VISIT, "properties", to={"vertex": "count"})
    (rule,) = schema_from_gaffer(given, TYPES).group("Visit").rules
    assert rule.where["field"] == ".vertex"


def test_an_empty_schema_is_written_empty() -> None:
    assert schema_to_gaffer(Schema({})) == {}
    assert schema_to_gaffer(replace(schema_from_gaffer(TYPES), groups={}))["types"].keys() == {
        *TYPES["types"]
    }
