"""Random facts and readers, in their JSON form. Few names and times, so that they meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from spec.fact_cases.words import ANN, EDGE, IN, OUT, reference, shape

Json = dict[str, Any]

STATES = {
    "existence": ("said",) * 6 + ("deleted", "deleted", "moved", "removed"),
    "label": ("said",) * 4 + ("deleted", "removed"),
    "value": ("said",) * 6 + ("deleted", "removed"),
    "metadata": ("said", "said", "undone"),
    "hide": ("said", "undone", "removed"),
    "value-hide": ("said", "undone", "removed"),
    "required": ("said",) * 3 + ("undone", "removed"),
}
THEMES = (
    ("value", "existence"),
    ("value", "metadata", "existence"),
    ("value", "value-hide", "existence"),
    ("required", "existence"),
    ("hide", "existence"),
    ("label", "existence"),
    tuple(STATES),
)
"""Kinds of facts that a world has: few of them meet more often than all."""
SUBJECTS = (ANN, ANN, ANN, EDGE, OUT, IN, reference(direction="either"))
VISIBILITIES = ("", "", "a", "b", "a&b", "a|b")
FEW = st.integers(min_value=1, max_value=5)
SHAPES = (shape(), shape("LIKES"), shape(properties=(("km", 1),)))


@st.composite
def facts_of(
    draw: st.DrawFn,
    *,
    subjects: Sequence[Json],
    visibilities: Sequence[str],
    kinds: Sequence[str],
    times: st.SearchStrategy[int],
    stamps: tuple[int, int],
    expires: bool,
) -> Json:
    """Draw one fact."""
    subject = draw(st.sampled_from(subjects))
    kind = draw(st.sampled_from([one for one in kinds if one not in _lacking(subject)]))
    time, state = draw(times), draw(st.sampled_from(STATES[kind]))
    found: Json = {"fact": kind, "of": subject, "time": time, "state": state}
    visibility = draw(st.sampled_from(visibilities))
    if visibility and kind != "required":
        found["visibility"] = visibility
    if draw(st.booleans()):
        found["stamp"] = draw(st.integers(*stamps))
    if expires and _may_expire(found) and draw(st.integers(0, 2)) == 0:
        found["ttl"] = draw(st.integers(1, 6))
    if draw(st.integers(0, 9)) == 0:
        found["note"] = draw(st.sampled_from(("why", 7)))
    return {**found, **_more(draw, found, visibilities)}


def _lacking(subject: Json) -> tuple[str, ...]:
    if "reference" in subject:
        return ("label", "value", "metadata", "value-hide")
    return ("label",) if "edge" in subject else ()


def _may_expire(fact: Json) -> bool:
    if fact["state"] == "deleted":
        return fact["fact"] == "existence" and "reference" in fact["of"]
    return fact["state"] == "said" and fact["fact"] in ("existence", "label", "value")


def _more(draw: st.DrawFn, found: Json, visibilities: Sequence[str]) -> Json:
    kind, subject = found["fact"], found["of"]
    more: Json = {}
    said = found["state"] == "said"
    if kind == "existence" and said:
        if "edge" in subject:
            more["shape"] = draw(st.sampled_from(SHAPES))
        if "reference" in subject and draw(st.booleans()):
            more["signature"] = [["km", draw(st.integers(1, 2))]]
        if draw(st.integers(0, 3)) == 0:
            more["ended"] = draw(st.integers(0, found["time"] - 1))
    if kind == "label":
        more["label"] = draw(st.sampled_from(("P", "Q")))
    if kind == "hide" and draw(st.booleans()):
        more["cause"] = draw(st.sampled_from(("ann", "bob")))
    if kind == "required":
        more["expression"] = draw(st.sampled_from(("a", "b", "a|b")))
    if kind in ("value", "metadata", "value-hide"):
        more["name"] = draw(st.sampled_from("mn"))
        if draw(st.integers(0, 3)) == 0:
            more["key"] = "k"
    if kind in ("metadata", "value-hide"):
        visibility = draw(st.sampled_from(visibilities))
        if visibility:
            more["value_visibility"] = visibility
    if kind == "metadata":
        more |= {"value_time": draw(FEW), "entry": draw(st.sampled_from("st"))}
    if kind in ("value", "metadata") and said:
        more["value"] = draw(st.sampled_from(("x", "y", 3)))
    return more


@st.composite
def worlds(
    draw: st.DrawFn,
    *,
    times: st.SearchStrategy[int] = FEW,
    stamps: tuple[int, int] = (1, 7),
    expires: bool = False,
) -> list[Json]:
    """Draw facts of few kinds about few subjects; values often have metadata."""
    subjects = draw(st.lists(st.sampled_from(SUBJECTS), min_size=1, max_size=2))
    visibilities = draw(st.lists(st.sampled_from(VISIBILITIES), min_size=1, max_size=2))
    kinds = draw(st.sampled_from(THEMES))
    one = facts_of(
        subjects=subjects,
        visibilities=visibilities,
        kinds=kinds,
        times=times,
        stamps=stamps,
        expires=expires,
    )
    found = draw(st.lists(one, min_size=6, max_size=16))
    # Most subjects exist for some readers, else little is ever seen.
    for subject in subjects:
        if draw(st.integers(0, 3)):
            said: Json = {"fact": "existence", "of": subject, "time": draw(times), "state": "said"}
            if visibilities[0]:
                said["visibility"] = visibilities[0]
            if "edge" in subject:
                said["shape"] = SHAPES[0]
            found.append(said)
    for value in [one for one in found if one["fact"] == "value" and one["state"] == "said"]:
        if draw(st.booleans()):
            given = {name: one for name, one in value.items() if name in _GIVEN}
            more = {"value_time": value["time"], "entry": "s", "value": "z"}
            if "visibility" in value:
                more["value_visibility"] = value["visibility"]
            found.append({**given, **more, "fact": "metadata"})
    return found


_GIVEN = {"of", "time", "state", "stamp", "name", "key"}

HINTS = st.fixed_dictionaries(
    {},
    optional={
        "labels": st.booleans(),
        "properties": st.sampled_from((True, True, ["n"], False)),
        "metadata": st.sampled_from((True, True, ["s"], False)),
        "out_edges": st.sampled_from((True, ["KNOWS"], ["LIKES"])),
        "in_edges": st.sampled_from((True, ["KNOWS"])),
        "hidden": st.booleans(),
    },
)


@st.composite
def readers(draw: st.DrawFn, *, as_of: st.SearchStrategy[int] = FEW, expires: bool = False) -> Json:
    """Draw a reader."""
    held = draw(st.sampled_from((["a", "b"], ["a"], ["b"], [], "ALL")))
    found: Json = {"authorizations": held}
    if draw(st.integers(0, 2)):
        found["as_of"] = draw(as_of)
    if draw(st.integers(0, 3)) == 3:
        found["hints"] = draw(HINTS)
    if expires and draw(st.integers(0, 3)):
        found["now"] = draw(st.integers(1, 12))
    return found
