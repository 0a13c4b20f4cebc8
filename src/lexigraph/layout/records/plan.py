"""Key plans of facts: what the rows of records consist of, as data for every language.

Layer ``layout``. ``spec/facts.md`` section 9 is the contract, ``spec/plans/records.json`` the
worked example.
"""

from __future__ import annotations

from typing import Any

from lexigraph.keyplan.parse import read_codec
from lexigraph.keyplan.reader import JsonNode
from lexigraph.layout.records.rows import RecordRows, SortField


def read_fact_plan(data: Any, path: str = "plan") -> RecordRows:
    """Read a plan; errors say where in it they lie.

    >>> plan = RecordRows("str", {"KNOWS": (SortField("since", "date"),)}).to_plan()
    >>> plan["facts"]
    {'vertex': 'str', 'labels': {'KNOWS': [{'field': 'since', 'codec': 'date'}]}}
    >>> read_fact_plan(plan).to_plan() == plan
    True
    """
    members = JsonNode(data, path).members(("version", "facts"))
    members["version"].integer(1, 1)
    facts = members["facts"].members(("vertex",), ("labels",))
    labels = facts["labels"].object() if "labels" in facts else {}
    keys = {label: _read_key(label, node) for label, node in labels.items()}
    return RecordRows(read_codec(facts["vertex"]), keys)


def _read_key(label: str, node: JsonNode) -> tuple[SortField, ...]:
    if not label:
        node.fail("a label is not empty")
    found: dict[str, SortField] = {}
    for item in node.items():
        part = item.members(("field", "codec"), ("descending",))
        name = part["field"].text()
        if name in found:
            item.fail(f"{name!r} comes twice")
        descending = part["descending"].flag() if "descending" in part else False
        found[name] = SortField(name, read_codec(part["codec"]), descending)
    return tuple(found.values())
