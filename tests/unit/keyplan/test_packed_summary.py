"""Partial results of a summary merge to what one summary of everything gives."""

from __future__ import annotations

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.codec.varint import encode_uvarint
from lexigraph.errors import InvalidBytes
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.derived.packed_summary import merge_packed
from lexigraph.keyplan.derived.summary import Summary
from lexigraph.testing.vectors import StageCase, load_cases
from tests.conformance.store.plain_stack import run_on_stack
from tests.unit.keyplan.plans import SPEC, load_plan

CASES = [
    case
    for case in load_cases(SPEC / "stages" / "summarise.json")
    if case.error is None and len(case.spec["stages"]) == 1 and "ranges" not in case.spec
]
PACKED = "074863616c6c7300800000000000000704" + "01038103"
"""What a server makes of three calls in two cells, the newer at 7; the Java tests have it too."""


def summary_of(case: StageCase) -> Summary:
    options = case.spec["stages"][0]["options"]
    plan = KeyPlan.parse(case.spec["plans"][options["plan"]])
    return Summary(plan, options.get("by", []), options["measures"])


def pack(cells: list[Cell]) -> bytes:
    stamp = codec_for("int64").encode
    return b"".join(
        encode_uvarint(len(cell.row))
        + cell.row
        + stamp(cell.timestamp)
        + encode_uvarint(len(cell.value))
        + cell.value
        for cell in cells
    )


def test_there_are_cases() -> None:
    assert len(CASES) > 15


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_parts_merge_to_the_whole(case: StageCase) -> None:
    columns = sorted({cell.key[:4] for cell in case.cells})
    for cut in range(len(columns) + 1):
        left = set(columns[:cut])
        parts = [
            [cell for cell in case.cells if (cell.key[:4] in left) == wanted]
            for wanted in (False, True)
        ]
        packed = [pack(list(run_on_stack(replaced(case, part)))) for part in parts]
        assert tuple(merge_packed(summary_of(case), packed)) == case.expected


def replaced(case: StageCase, cells: list[Cell]) -> StageCase:
    return StageCase(case.stage, case.name, tuple(cells), case.spec)


def test_what_servers_pack_is_read() -> None:
    measure = {"name": "calls", "aggregate": "sum", "field": "count"}
    summary = Summary(load_plan("byte-entity"), ["group"], [measure])
    value = bytes.fromhex(PACKED)
    (cell,) = merge_packed(summary, [value, value])
    assert summary.finish(cell.row, summary.read(cell.value, 0)) == {"group": "calls", "calls": 6}
    assert cell.timestamp == 7


@pytest.mark.parametrize("length", range(1, len(PACKED) // 2))
def test_a_packed_summary_that_is_cut_is_refused(length: int) -> None:
    summary = Summary(load_plan("byte-entity"), ["group"], [{"name": "n", "aggregate": "count"}])
    with pytest.raises(InvalidBytes):
        list(merge_packed(summary, [bytes.fromhex(PACKED)[:length]]))
