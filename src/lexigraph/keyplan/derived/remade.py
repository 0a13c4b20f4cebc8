"""Values made anew while elements merge: by other aggregators, and of what was in the key.

Layer ``keyplan``. A group that a roll-up gives aggregators has a tagged value in the plan of its
output: properties keep their ids, and group-by properties that move into the value take the next
ones. A property whose own aggregator is asked for merges its states; every other starts from the
finished value and the time of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidOption, nearest
from lexigraph.functions import Aggregator
from lexigraph.keyplan.model import (
    IDENTITY,
    TAGGED,
    AggregatePlan,
    GroupPlan,
    Model,
    PropertyPlan,
    Value,
    fields_in,
)
from lexigraph.keyplan.parse import MAX_ID, read_aggregator
from lexigraph.keyplan.reader import JsonNode
from lexigraph.keyplan.values import States, ValueCodec, aggregator_of

Aggregates = Mapping[str, Mapping[str, AggregatePlan]]
"""The aggregators that a roll-up is given, by group and field."""


def read_aggregates(node: JsonNode, model: Model, by: tuple[str, ...]) -> Aggregates:
    """Read ``{group: {field: aggregate}}``; a name that the plan does not have is refused."""
    groups = {group.name: group for group in model.groups}
    found: dict[str, dict[str, AggregatePlan]] = {}
    for name, members in node.object().items():
        if name not in groups:
            members.fail(f"the plan has no group {name!r}", near=nearest(name, groups))
        group = groups[name]
        own = {one.field: one for one in group.value.properties}
        moved = {field: codec for field, codec in _keyed(group).items() if field not in by}
        found[name] = {}
        for field, item in members.object().items():
            if field not in own and field not in moved:
                near = nearest(field, [*own, *moved])
                item.fail(f"group {name!r} has no aggregated property {field!r}", near=near)
            bound = _bind(item, own[field]) if field in own else read_aggregator(item, moved[field])
            if not bound.takes_field:
                item.fail(f"{bound.name!r} has no field; it works only in the stage 'summarise'")
            found[name][field] = AggregatePlan(bound.name, bound.given)
    return found


def remade_value(group: GroupPlan, aggregates: Mapping[str, AggregatePlan]) -> Value:
    """Return the value of a group whose properties merge by these aggregators."""
    properties = []
    for one in group.value.properties:
        asked = aggregates.get(one.field, one.aggregate)
        if asked == one.aggregate:
            properties.append(one)
            continue
        codec = aggregator_of(one).result
        if codec is None:
            raise _collection(one)
        properties.append(replace(one, codec=codec.name, aggregate=asked))
    last = max((one.id for one in properties), default=0)
    keyed = _keyed(group)
    moved = [field for field in keyed if field in aggregates]
    if last + len(moved) > MAX_ID:
        raise InvalidOption(f"group {group.name!r} has no property ids left for {moved[0]!r}")
    for at, field in enumerate(moved, last + 1):
        properties.append(PropertyPlan(at, field, keyed[field].name, aggregates[field]))
    return Value(TAGGED, tuple(properties))


class Remake:
    """Gives the states of one group's output, from the key and the states of a cell."""

    def __init__(self, value: ValueCodec, output: ValueCodec) -> None:
        places = {one.field: (at, one) for at, one in enumerate(value.properties)}
        self._makers: list[Callable[[dict[str, Any], States, int], Any]] = []
        for one, aggregator in zip(output.properties, output.aggregators, strict=True):
            at, own = places.get(one.field, (None, None))
            if at is None:
                self._makers.append(_from_key(one.field, aggregator))
            elif own == one:
                self._makers.append(_from_state(at))
            else:
                self._makers.append(_from_value(at, value.aggregators[at], aggregator))

    def states(self, keyed: dict[str, Any], states: States, timestamp: int) -> States:
        """Make the states of a cell of ``timestamp`` anew."""
        return [make(keyed, states, timestamp) for make in self._makers]


def _from_key(field: str, aggregator: Aggregator) -> Callable[[dict[str, Any], States, int], Any]:
    def make(keyed: dict[str, Any], states: States, timestamp: int) -> Any:
        value = keyed.get(field)
        return None if value is None else aggregator.start(value, timestamp)

    return make


def _from_state(at: int) -> Callable[[dict[str, Any], States, int], Any]:
    return lambda keyed, states, timestamp: states[at]


def _from_value(
    at: int, own: Aggregator, aggregator: Aggregator
) -> Callable[[dict[str, Any], States, int], Any]:
    def make(keyed: dict[str, Any], states: States, timestamp: int) -> Any:
        value = None if states[at] is None else own.finish(states[at])
        return None if value is None else aggregator.start(value, timestamp)

    return make


def _bind(item: JsonNode, one: PropertyPlan) -> Aggregator:
    own = aggregator_of(one)
    name = item.object().get("name", item).value
    if name == own.name:
        same = read_aggregator(item, own.codec)
        if same.settings == own.settings:
            return same
    if own.result is None:
        item.fail(str(_collection(one)))
    return read_aggregator(item, own.result)


def _collection(one: PropertyPlan) -> InvalidOption:
    return InvalidOption(
        f"field {one.field!r} holds a collection, which only its own aggregator merges"
    )


def _keyed(group: GroupPlan) -> dict[str, Codec[Any]]:
    """Return the codecs of the group-by properties, in the order of the qualifier."""
    return {
        part.field: codec_for(part.codec)
        for part in fields_in(group.qualifier)
        if part.field not in IDENTITY
    }
