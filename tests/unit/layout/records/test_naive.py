"""The naive evaluator agrees with the vectors: what they say follows from the rules."""

from __future__ import annotations

from tests.unit.layout.records.naive import World
from tests.unit.layout.records.vectors import ROWS, Json, each_reading

SORT_KEYS = ROWS.to_plan()["facts"]["labels"]


@each_reading("elements")
def test_the_rules_give_the_elements_of_the_vector(facts: list[Json], reading: Json) -> None:
    assert World(facts, reading["reader"], SORT_KEYS).elements() == reading["elements"]


@each_reading("events")
def test_the_rules_give_the_events_of_the_vector(facts: list[Json], reading: Json) -> None:
    world = World(facts, reading["reader"], SORT_KEYS)
    assert world.events(reading.get("since"), reading.get("limit")) == reading["events"]
