"""What holds for all schemas."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lexigraph.errors import SchemaError
from lexigraph.schema import Group, Schema, difference, merge_stored
from lexigraph.schema.describe import describe
from lexigraph.schema.json import schema_from_json, schema_to_json
from tests.unit.schema.strategies import groups, schemas


@given(schemas())
def test_stored_schemas_are_read_back_equal(schema: Schema) -> None:
    for one in (schema, merge_stored(None, schema)):
        assert schema_from_json(json.loads(json.dumps(schema_to_json(one)))) == one


@given(schemas())
def test_a_schema_agrees_with_itself(schema: Schema) -> None:
    stored = merge_stored(None, schema)
    assert list(difference(stored, schema)) == []
    assert merge_stored(stored, schema) is stored


@given(st.lists(schemas(), min_size=1, max_size=6))
def test_a_number_once_given_means_the_same_for_ever(wanted: list[Schema]) -> None:
    stored: Schema | None = None
    meant: dict[tuple[str, int], tuple[str, str]] = {}
    for one in wanted:
        try:
            stored = merge_stored(stored, one)
        except SchemaError:
            continue
        for group in stored.groups.values():
            numbers = [one.number for one in group.properties]
            assert len({*numbers}) == len(numbers)
            assert all(0 < number <= group.last_number for number in numbers)
            for held in group.properties:
                known = meant.setdefault((group.name, held.number), (held.name, held.type.codec))
                assert known == (held.name, held.type.codec)


@given(groups("G"), st.data())
def test_a_part_of_a_schema_agrees_with_the_whole(group: Group, data: st.DataObject) -> None:
    stored = merge_stored(None, Schema({"G": group}))
    used = {*group.group_by, group.visibility, group.timestamp}
    left_out = {
        one.name
        for one in group.properties
        if one.name not in used and data.draw(st.booleans(), label=one.name)
    }
    part = replace(
        group,
        properties=tuple(one for one in group.properties if one.name not in left_out),
        rules=tuple(rule for rule in group.rules if not left_out.intersection(rule.fields)),
    )
    assert merge_stored(stored, Schema({"G": part})) is stored


@given(groups("G"))
def test_every_rule_can_be_said_in_words(group: Group) -> None:
    for rule in group.rules:
        assert rule.fields[0] in describe(rule.where, group)
