"""Sketches: both languages read one another's bytes and come to the same result."""

from __future__ import annotations

import json
import random
import sys
from contextlib import suppress
from decimal import Decimal
from functools import reduce
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.cells.cell import Cell
from lexigraph.cells.jsonbytes import cell_from_json, cell_to_json
from lexigraph.codec import codec_for
from lexigraph.errors import InvalidBytes, InvalidValue, UnsupportedError
from lexigraph.functions import Aggregator, aggregator_for
from lexigraph.functions.aggregators.sketches import load

native = pytest.importorskip(
    "lexigraph._native", reason="the native core is not built: run maturin develop"
)

KINDS: list[tuple[str, str, dict[str, Any]]] = [
    ("hll", "int", {}),
    ("hll", "str", {"lg_k": 8}),
    ("theta", "int", {}),
    ("theta", "str", {"lg_k": 6}),
    ("quantiles", "int", {}),
    ("quantiles", "decimal", {"k": 20}),
    ("frequent-items", "int", {"size": 16}),
    ("frequent-items", "str", {}),
    ("bitmap", "int", {}),
]
each_kind = pytest.mark.parametrize(("name", "codec", "options"), KINDS, ids=str)


def plan(name: str, codec: str, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": 1,
        "rows": [
            {"kind": "vertex", "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}
        ],
        "family": [{"field": "group", "codec": "str", "form": "rest"}],
        "groups": {
            "seen": {
                "kind": "vertex",
                "qualifier": [],
                "value": {
                    "form": "single",
                    "property": {
                        "id": 1,
                        "field": "n",
                        "codec": codec,
                        "aggregate": {"name": name, **options},
                    },
                },
            }
        },
    }


def run_core(kind: Any, states: list[bytes], *stages: dict[str, Any]) -> list[Cell]:
    cells = [Cell(b"a", b"seen", timestamp=time, value=s) for time, s in enumerate(states)]
    request = {
        "cells": [cell_to_json(cell) for cell in reversed(cells)],
        "stages": [
            {"name": one["name"], "priority": place, "options": {"plan": "p", **one["options"]}}
            for place, one in enumerate(stages)
        ],
        "scope": "scan",
        "now": 0,
        "plans": {"p": plan(*kind)},
        "authorizations": "ALL",
        "range": {"start": None, "start_inclusive": True, "end": None, "end_inclusive": True},
        "families": [],
        "inclusive": False,
        "columns": [],
        "default_visibility": "",
    }
    found, error = native.run_stack(json.dumps(request))
    if error is not None:
        raise error
    return [cell_from_json(cell) for cell in json.loads(found)]


AGGREGATE = {"name": "aggregate", "options": {}}
DECODE = {"name": "decode", "options": {"fields": ["n"]}}


def value_of(codec: str, number: int) -> Any:
    return {"int": number, "str": f"name {number}", "decimal": Decimal(number) / 4}[codec]


def parts(codec: str, count: int) -> list[list[Any]]:
    """Give values in several parts, of which the smaller ones are the more frequent."""
    chance = random.Random(count)
    numbers = [int(chance.paretovariate(0.6)) % 100_000 for _ in range(count)]
    values = [value_of(codec, number) for number in numbers]
    return [values[at::3] for at in range(3)]


def finished_by_core(kind: Any, states: list[bytes]) -> Any:
    [cell] = run_core(kind, states, AGGREGATE, DECODE)
    return codec_for("any").decode_value(cell.value)[0]


def agree(aggregator: Aggregator, ours: Any, theirs: Any) -> bool:
    if aggregator.result is not None:
        return bool(ours == pytest.approx(theirs, rel=1e-9))
    return (tuple(ours.items()) if isinstance(ours, dict) else ours) == theirs


@each_kind
@pytest.mark.parametrize("count", [3, 60, 5000])
def test_each_side_reads_what_the_other_wrote(
    name: str, codec: str, options: dict[str, Any], count: int
) -> None:
    kind = (name, codec, options)
    aggregator = aggregator_for(name, codec_for(codec), options)
    states = [aggregator.take(part, 0) for part in parts(codec, count)]
    written = [aggregator.encode(state) for state in states]
    lone = aggregator.finish(aggregator.decode(written[0], 0))
    assert agree(aggregator, lone, finished_by_core(kind, written[:1]))
    # What the core made of our parts, read by us and by itself.
    [cell] = run_core(kind, written, AGGREGATE)
    read = aggregator.finish(aggregator.decode(cell.value, 0))
    assert agree(
        aggregator,
        read,
        finished_by_core(kind, [cell.value, aggregator.encode(aggregator.empty())]),
    )  # type: ignore[attr-defined]
    # What we made of them, read by us and by the core.
    merged = reduce(aggregator.merge, states)
    own = aggregator.encode(merged)
    assert agree(
        aggregator, aggregator.finish(aggregator.decode(own, 0)), finished_by_core(kind, [own])
    )


@pytest.mark.parametrize("name", ["hll", "theta"])
def test_both_sides_estimate_alike_and_well(name: str) -> None:
    aggregator = aggregator_for(name, codec_for("int"))
    ranges = [range(0, 30_000), range(20_000, 50_000)]
    states = [aggregator.take(one, 0) for one in ranges]
    ours = aggregator.finish(reduce(aggregator.merge, states))
    theirs = finished_by_core((name, "int", {}), [aggregator.encode(s) for s in states])
    assert ours == pytest.approx(50_000, rel=0.05)
    assert theirs == pytest.approx(ours, rel=1e-6)


def test_values_are_fed_alike_by_both_sides() -> None:
    """A sketch of values that the core started itself is that which Python starts."""
    for name in ("hll", "theta"):
        aggregator = aggregator_for(name, codec_for("str"))
        texts = ["", "a", "é", "\0"]
        ours = [aggregator.encode(aggregator.start(text, 0)) for text in texts]
        summarise = {
            "name": "summarise",
            "options": {"measures": [{"name": "m", "aggregate": name, "field": "n"}]},
        }
        last = aggregator_for("last", codec_for("str"))
        for text, expected in zip(texts, ours, strict=True):
            [cell] = run_core(("last", "str", {}), [last.encode_result(text)], summarise)
            theirs = aggregator.decode(cell.value[2:], 0)
            both = aggregator.merge(theirs, aggregator.decode(expected, 0))
            assert round(aggregator.finish(both)) == 1, (name, text)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sets(st.integers(0, 2**64 - 1) | st.integers(0, 200)), min_size=2, max_size=3))
def test_a_bitmap_has_the_same_bytes_on_both_sides(sets: list[set[int]]) -> None:
    bitmap = aggregator_for("bitmap", codec_for("int"))
    states = [bitmap.take(one, 0) for one in sets]
    [cell] = run_core(("bitmap", "int", {}), [bitmap.encode(s) for s in states], AGGREGATE)
    assert cell.value == bitmap.encode(reduce(bitmap.merge, states))
    assert bitmap.finish(bitmap.decode(cell.value, 0)) == tuple(sorted(set().union(*sets)))


def test_a_bitmap_of_long_runs_has_the_same_bytes_on_both_sides() -> None:
    bitmap = aggregator_for("bitmap", codec_for("int"))
    ranges = [range(0, 70_000), range(65_000, 200_000, 2), range(2**40, 2**40 + 5000, 3)]
    states = [bitmap.take(one, 0) for one in ranges]
    [cell] = run_core(("bitmap", "int", {}), [bitmap.encode(s) for s in states], AGGREGATE)
    assert cell.value == bitmap.encode(reduce(bitmap.merge, states))


@pytest.mark.parametrize("number", [-1, 2**64])
def test_a_bitmap_holds_no_other_integer(number: int) -> None:
    with pytest.raises(InvalidValue, match="from 0 to"):
        aggregator_for("bitmap", codec_for("int")).start(number, 0)


@each_kind
def test_damaged_bytes_are_refused_or_read_but_never_more(
    name: str, codec: str, options: dict[str, Any]
) -> None:
    aggregator = aggregator_for(name, codec_for(codec), options)
    chance = random.Random(7)
    for count in (0, 2, 300) * 100:
        given = list(chain(*parts(codec, count)))
        state = bytearray(aggregator.encode(aggregator.take(given, 0)))
        for _ in range(chance.randint(0, 3)):
            state[chance.randrange(min(len(state), chance.choice([8, 40, 10_000])))] = (
                chance.randrange(256)
            )
        cut = bytes(state[: chance.randint(0, len(state))])
        for damaged in (bytes(state), cut):
            with suppress(InvalidBytes):
                finished_by_core((name, codec, options), [damaged, damaged])


def test_a_library_that_is_missing_is_named() -> None:
    with pytest.raises(UnsupportedError, match="no_such_sketches"):
        load("no_such_sketches")


@pytest.mark.parametrize("skip_invalid", [True, False])
def test_a_missing_library_is_no_fault_of_an_element(
    monkeypatch: pytest.MonkeyPatch, *, skip_invalid: bool
) -> None:
    class Seen(lg.Vertex, summary=True):
        id: str
        others: str = lg.hll()

    monkeypatch.setitem(sys.modules, "datasketches", None)
    load.cache_clear()
    with (
        lg.open(":memory:", [Seen]) as graph,
        pytest.raises(UnsupportedError, match=r"needs the package 'datasketches'") as missing,
    ):
        graph.add([Seen("a", others="b")], skip_invalid=skip_invalid)
    assert "pip install 'datasketches>=" in missing.value.hint
