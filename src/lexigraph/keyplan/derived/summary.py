"""Summaries: measures over all elements that agree in some fields, and their bytes.

Layer ``keyplan``. Shared by the stage ``summarise``, which writes partial results, and by readers,
which merge and finish them. Equal content has equal bytes, so partial results merge in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.codec.varint import decode_uvarint, encode_uvarint
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.functions import AGGREGATORS, Aggregator, as_plain
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import Get
from lexigraph.keyplan.key_plan import KeyPlan
from lexigraph.keyplan.parse import read_aggregator
from lexigraph.keyplan.reader import JsonNode

FORMAT_VERSION = b"\x01"

FigureStates = list[Any]


@dataclass(frozen=True, slots=True)
class SummaryMeasure:
    """One figure of a summary."""

    name: str
    aggregator: Aggregator
    get: Get
    holds_states: bool
    """Whether ``get`` gives states of this very aggregator, not values."""

    def state(self, element: StoredElement) -> Any:
        """Return the state of one element, ``None`` where it has no such field."""
        if not self.aggregator.takes_field:
            return self.aggregator.start(None, element.timestamp)
        found = self.get(element)
        if found is None or self.holds_states:
            return found
        return self.aggregator.start(found, element.timestamp)


class Summary:
    """What ``summarise`` is asked for: fields to group by, and measures."""

    def __init__(
        self, plan: KeyPlan, by: Sequence[str], measures: Sequence[Mapping[str, Any]]
    ) -> None:
        self.by = tuple(by)
        self.measures = [
            _read_measure(plan, JsonNode(item, f"measures[{at}]"))
            for at, item in enumerate(measures)
        ]
        names = [*self.by, *(measure.name for measure in self.measures)]
        for name in names:
            if names.count(name) > 1:
                raise InvalidOption(f"summarise has two columns named {name!r}")
        self._gets = [plan.fields().getter(name) for name in self.by]

    def row(self, element: StoredElement) -> bytes:
        """Return the key forms of the ``by`` values, one after another."""
        encode = codec_for("any").encode
        return b"".join(encode(as_plain(get(element))) for get in self._gets)

    def states(self, element: StoredElement) -> FigureStates:
        """Return the states of one element."""
        return [measure.state(element) for measure in self.measures]

    def merge(self, a: FigureStates, b: FigureStates) -> FigureStates:
        """Merge the states of two partial results."""
        return [
            right if left is None else left if right is None else one.aggregator.merge(left, right)
            for one, left, right in zip(self.measures, a, b, strict=True)
        ]

    def write(self, states: FigureStates) -> bytes:
        """Write the value of a result."""
        out = [FORMAT_VERSION]
        for measure, state in zip(self.measures, states, strict=True):
            if state is None:
                out.append(encode_uvarint(0))
                continue
            data = measure.aggregator.encode(state)
            out += (encode_uvarint(len(data) + 1), data)
        return b"".join(out)

    def read(self, data: bytes, timestamp: int) -> FigureStates:
        """Read the value of a result."""
        if data[:1] != FORMAT_VERSION:
            raise InvalidBytes(f"a summary starts with the byte 01, not with {data[:1].hex()!r}")
        states: FigureStates = []
        offset = 1
        for measure in self.measures:
            length, offset = decode_uvarint(data, offset)
            end = offset + length - 1
            if length == 0:
                states.append(None)
                continue
            if end > len(data):
                raise InvalidBytes(f"measure {measure.name!r} has fewer bytes than announced")
            states.append(measure.aggregator.decode(data[offset:end], timestamp))
            offset = end
        if offset != len(data):
            raise InvalidBytes(f"{len(data) - offset} bytes follow the last measure of a summary")
        return states

    def finish(self, row: bytes, states: FigureStates) -> dict[str, Any]:
        """Return the values of one result by name."""
        result: dict[str, Any] = {}
        offset = 0
        for name in self.by:
            result[name], offset = codec_for("any").decode_part(row, offset)
        if offset != len(row):
            raise InvalidBytes(f"{len(row) - offset} bytes follow the last key of a summary")
        for measure, state in zip(self.measures, states, strict=True):
            result[measure.name] = None if state is None else measure.aggregator.finish(state)
        return result


def _read_measure(plan: KeyPlan, node: JsonNode) -> SummaryMeasure:
    members = node.members(("name", "aggregate"), ("field",))
    asked = members["aggregate"]
    aggregate = JsonNode({"name": asked.value}, asked.path) if asked.is_text else asked
    kind = AGGREGATORS.find(aggregate.object().get("name", aggregate).text())
    name = members["name"].text()
    if not kind.takes_field:
        if "field" in members:
            members["field"].fail(f"{kind.name!r} takes no field")
        return SummaryMeasure(name, read_aggregator(aggregate, codec_for("int")), _nothing, False)
    if "field" not in members:
        node.fail(f"{kind.name!r} needs a field")
    field = plan.fields().find(members["field"].text())
    own = field.aggregator
    if own is not None and own.name == kind.name:
        # A bare name means the property's own aggregator, with the options that it has.
        same = own if asked.is_text else read_aggregator(aggregate, field.codec)
        if same.settings == own.settings:
            held = field.name
            return SummaryMeasure(name, own, lambda element: element.states.get(held), True)
    if field.result is None:
        node.fail(
            f"field {field.name!r} holds a collection, which only its own aggregator summarises"
        )
    return SummaryMeasure(name, read_aggregator(aggregate, field.result), field.get, False)


def _nothing(element: StoredElement) -> None:
    return None
