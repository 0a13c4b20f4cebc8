"""A small universe of tables, cells and scans for random tests: collisions are the rule in it.

Layer ``testing``. Values are numbers in text, so that every column can be summed; in tables of
elements they become states of many aggregators, all of whose bytes are canonical.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from lexigraph.cells.cell import order
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import (
    Condition,
    ConditionalMutation,
    Key,
    Mutations,
    Range,
    ScanSpec,
    TableSettings,
)
from lexigraph.testing.store.base import stage

# Partial merges pass these sums on: a client's timestamps may put a marker between any two cells.
_SUM = stage("sum", encoding="text", full_merge_only=True)

FIGURES = {
    name: "str" if name == "concat" else "bool" if name in ("and", "or") else "int"
    for name in (
        *("sum", "product", "min", "max", "and", "or", "first", "last", "set", "list", "concat"),
        *("frequency-map", "top-n", "reservoir", "bitmap"),
    )
}
"""Aggregators of the elements, and what they are given."""

PLAN: dict[str, Any] = {
    "version": 1,
    "rows": [{"kind": "vertex", "parts": [{"field": "vertex", "codec": "bytes", "form": "rest"}]}],
    "family": [{"field": "group", "codec": "str", "form": "rest"}],
    "groups": {
        "f": {
            "kind": "vertex",
            "qualifier": [],
            "value": {
                "form": "tagged",
                "properties": [
                    {"id": number, "field": name, "codec": codec, "aggregate": {"name": name}}
                    for number, (name, codec) in enumerate(FIGURES.items(), 1)
                ],
            },
        }
    },
}
_AGGREGATE = stage("aggregate", plan="figures")

KINDS = {
    "all": TableSettings(max_versions=None),
    "newest": TableSettings(max_versions=1),
    "sums": TableSettings(max_versions=None, scan_stages=[_SUM], merge_stages=[_SUM]),
    "elements": TableSettings(
        max_versions=None,
        plans={"figures": PLAN},
        scan_stages=[_AGGREGATE],
        merge_stages=[_AGGREGATE],
    ),
}
"""Kinds of tables; a name is a kind and a number."""

NAMES = [f"{kind}{number}" for kind in KINDS for number in (0, 1)]

# The more often an entry stands here, the likelier it is; most cells share a column.
rows = st.sampled_from([b"a", b"a", b"a", b"a\0", b"\xff"])
families = st.sampled_from([b"f", b"f", b""])
labels = st.sampled_from([b"", b"", b"", b"A", b"A&B", b"B&A", b"A|B"])
times = st.sampled_from([None, None, None, 1, 1, 2, 2, 3, 2**63 - 1, -(2**63)])
numbers = st.integers(-1, 2).map(str)
authorizations: st.SearchStrategy[Authorizations | All] = st.sampled_from(
    [Authorizations([]), Authorizations(["A"]), Authorizations(["A", "B"]), ALL]
)
spans = st.sampled_from([-10, -1, 0, 1, 1, 5, 1000])
"""How far a clock moves, in microseconds."""


@st.composite
def mutations(draw: st.DrawFn) -> Mutations:
    """Draw up to five puts and deletes."""
    batch = Mutations()
    for _ in range(draw(st.integers(0, 5))):
        key = draw(rows), draw(families)
        label, time = draw(labels), draw(times)
        if draw(st.integers(0, 3)):
            batch.put(*key, value=draw(numbers), visibility=label, timestamp=time)
        else:
            batch.delete(*key, visibility=label, timestamp=time)
    return batch


def fitting(name: str, batch: Mutations) -> Mutations:
    """Return a batch for a table: as it is, or numbers as the states of an element.

    Tables that combine elements refuse delete markers with a time of their own.
    """
    if not name.startswith("elements"):
        return batch
    found, given = Mutations(), batch.batch()
    for cell, timed in zip(given.cells, given.timed, strict=True):
        key = cell.row, cell.family, cell.qualifier
        if cell.deleted:
            found.delete(*key, visibility=cell.visibility)
            continue
        value = _states(int(cell.value)) if cell.family == b"f" else cell.value
        time = cell.timestamp if timed else None
        found.put(*key, value=value, visibility=cell.visibility, timestamp=time)
    return found


@cache
def _states(number: int) -> bytes:
    properties = {figure: _given(codec, number) for figure, codec in FIGURES.items()}
    [one] = KeyPlan.parse(PLAN).encode(StoredElement("vertex", "f", properties, vertex=b"a"))
    return one.value


def _given(codec: str, number: int) -> Any:
    # A bitmap holds no negative numbers.
    return {"int": abs(number), "bool": number > 0, "str": str(number)}[codec]


@st.composite
def conditional_mutations(draw: st.DrawFn) -> ConditionalMutation:
    """Draw a mutation with up to two conditions."""
    conditions = [
        Condition(
            draw(families),
            visibility=draw(labels),
            value=draw(st.none() | numbers),
            timestamp=draw(st.sampled_from([None, None, 1, 2])),
        )
        for _ in range(draw(st.integers(0, 2)))
    ]
    mutation = ConditionalMutation(draw(rows), conditions)
    return mutation.put(draw(families), value=draw(numbers), visibility=draw(labels))


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Draw whole rows, prefixes, or bounds anywhere among the versions of a column."""
    form = draw(st.sampled_from(["row", "prefix", "keys", "all"]))
    if form == "row":
        return Range.row(draw(rows))
    if form == "prefix":
        return Range.prefix(draw(rows))
    if form == "all":
        return Range()
    bound = st.none() | st.builds(
        Key, rows, families, st.just(b""), labels, st.integers(0, 4), st.booleans()
    )
    start, end = draw(bound), draw(bound)
    if start is not None and end is not None and order(start) > order(end):
        start, end = end, start
    return Range(start, draw(st.booleans()), end, draw(st.booleans()))


@st.composite
def scans(draw: st.DrawFn, kind: str) -> ScanSpec:
    """Draw a scan whose answer no merge of a table of this kind may change.

    Above what the table itself combines or drops everything may stand, below it nothing.
    """
    stages = []
    above = 10 if kind == "all" else 30
    if kind != "elements" and draw(st.booleans()):
        stages.append(stage("age-off", priority=above, ttl=draw(st.integers(-1, 3))))
    if kind == "all" and draw(st.booleans()):
        stages.append(stage("sum", encoding="text"))
    if kind in ("all", "sums") and draw(st.booleans()):
        stages.append(stage("versions", max=draw(st.integers(1, 3))))
    if draw(st.booleans()):
        stages.append(stage("limit", cells=draw(st.integers(0, 4))))
    return ScanSpec(
        ranges=draw(st.lists(ranges(), max_size=3) | st.just([Range()])),
        columns=draw(st.sampled_from([(), (), ((b"f", None),), ((b"", b""),), ((b"", b"x"),)])),
        authorizations=draw(authorizations),
        now=draw(st.integers(0, 4)),
        stages=stages,
    )
