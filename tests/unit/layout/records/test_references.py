"""References that are written as section 6 says are seen exactly when their edge is."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from spec.fact_cases.words import EDGE, reference, shape
from spec.fact_json import element_to_json, reading_from_json

from lexigraph.layout.records.assembling.assembler import assemble
from tests.unit.layout.records.strategies import readers
from tests.unit.layout.records.vectors import Json, read, stored

LABELS = ("KNOWS", "LIKES")


@st.composite
def edges(draw: st.DrawFn) -> list[Json]:
    """Draw the existences of one edge, its hides and additional visibilities."""
    found: list[Json] = []
    # No two versions of a column have one time and one time of writing: a commit writes the last.
    moments = st.tuples(st.integers(1, 6), st.none() | st.integers(7, 9))
    for visibility in draw(st.sampled_from(([""], ["a"], ["a", "b"]))):
        for time, stamp in draw(st.lists(moments, min_size=1, max_size=6, unique=True)):
            state = draw(st.sampled_from(("said", "said", "said", "deleted", "moved", "removed")))
            found.append(version("existence", time, stamp, state, visibility))
            if state == "said":
                found[-1]["shape"] = shape(draw(st.sampled_from(LABELS)))
    for time, stamp in draw(st.lists(moments, max_size=3, unique=True)):
        state = draw(st.sampled_from(("said", "undone", "removed")))
        found.append(version("hide", time, stamp, state, "b"))
    for time, stamp in draw(st.lists(moments, max_size=2, unique=True)):
        state = draw(st.sampled_from(("said", "undone")))
        found.append({**version("required", time, stamp, state, ""), "expression": "a"})
    return found


def version(kind: str, time: int, stamp: int | None, state: str, visibility: str) -> Json:
    found: Json = {"fact": kind, "of": EDGE, "time": time, "state": state}
    if visibility:
        found["visibility"] = visibility
    return found if stamp is None else {**found, "stamp": stamp}


def moment(fact: Json) -> tuple[int, int]:
    return fact["time"], fact.get("stamp", fact["time"])


def reference_to(facts: list[Json], label: str) -> list[Json]:
    """Return the facts of the reference of one shape, as the rule of writing gives them."""
    own: Json = reference(label=label)
    found = [{**one, "of": own} for one in facts if one["fact"] != "existence"]
    for visibility in ("", "a", "b"):
        column = [
            one
            for one in facts
            if one["fact"] == "existence" and one.get("visibility", "") == visibility
        ]
        firsts = [moment(one) for one in column if label_of(one) == label]
        for one in column:
            if firsts and (one["state"] == "removed" or moment(one) >= min(firsts)):
                other = one["state"] == "said" and label_of(one) != label
                state = "deleted" if other else one["state"]
                bare = {name: given for name, given in one.items() if name != "shape"}
                found.append({**bare, "of": own, "state": state})
    return found


def label_of(fact: Json) -> Any:
    return fact.get("shape", {}).get("label")


def seen(facts: list[Json], reader: Json) -> list[Json]:
    found = assemble(read(stored(facts)), reading_from_json(reader))
    return [element_to_json(one) for one in found]


@settings(max_examples=300)
@given(edges(), readers())
def test_references_are_seen_as_their_edge_is(facts: list[Json], reader: Json) -> None:
    hints = {"out_edges": True, "hidden": reader.get("hints", {}).get("hidden", False)}
    reader = {**reader, "hints": hints}
    whole = seen(facts, reader)
    references = seen([one for label in LABELS for one in reference_to(facts, label)], reader)
    assert bool(whole) == bool(references)
    if whole:
        (edge,) = whole
        same = [one for one in references if one["reference"]["label"] == edge["shape"]["label"]]
        names = ("time", "visibility", "hidden")
        assert [[one.get(name) for name in names] for one in same] == [
            [edge.get(name) for name in names]
        ]
    # Each live existence has the reference of its shape, and no other.
    for label in LABELS:
        of_label = [one for one in references if one["reference"]["label"] == label]
        live = [
            visibility
            for visibility in ("", "a", "b")
            for one in seen(
                [
                    fact
                    for fact in facts
                    if fact["fact"] != "existence" or fact.get("visibility", "") == visibility
                ],
                reader,
            )
            if one["shape"]["label"] == label
        ]
        assert len(of_label) == bool(live)
