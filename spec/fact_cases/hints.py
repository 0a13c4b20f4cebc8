"""Section 8: fetch hints."""

from __future__ import annotations

from spec.fact_cases.words import (
    OUT,
    Json,
    bare,
    case,
    exists,
    hide,
    hide_value,
    label,
    meta,
    prop,
    reference,
    require,
    seen,
    sees,
    value,
    vertex,
)

ABOUT = "Fetch hints: what is read besides the existence (section 8)."

FACTS = [
    exists(1),
    label("Person", 1),
    value("m", "y", 1),
    value("n", "x", 1),
    meta("source", "book", 1, at=1),
    meta("sure", "yes", 1, at=1),
]
LIKES = reference(label="LIKES")
EITHER = reference(direction="either")

BACK = reference(direction="in", label="KNOWS", other="bob")


def with_names(*properties: Json, **more: object) -> Json:
    """Return the vertex without labels."""
    return vertex(1, *properties, labels=None, **more)  # type: ignore[arg-type]


CASES = [
    case(
        "each hint reads its own",
        FACTS,
        sees(bare(1), hints={}),
        sees(bare(1, labels=["Person"]), hints={"labels": True}),
        sees(
            with_names(prop("m", "y", 1, metadata=None), prop("n", "x", 1, metadata=None)),
            hints={"properties": True},
        ),
        sees(with_names(prop("n", "x", 1, metadata=None)), hints={"properties": ["n"]}),
        sees(with_names(), hints={"properties": ["other"]}),
        sees(bare(1), hints={"properties": []}),
    ),
    case(
        "metadata implies properties",
        FACTS,
        sees(
            with_names(
                prop("m", "y", 1),
                prop("n", "x", 1, metadata=(("source", "book"), ("sure", "yes"))),
            ),
            hints={"metadata": True},
        ),
        sees(
            with_names(prop("m", "y", 1), prop("n", "x", 1, metadata=(("sure", "yes"),))),
            hints={"metadata": ["sure"]},
        ),
        sees(
            with_names(prop("n", "x", 1, metadata=(("source", "book"), ("sure", "yes")))),
            hints={"metadata": True, "properties": ["n"]},
        ),
    ),
    case(
        "edges are read by direction and label; those that are undirected by both",
        [exists(1), *(exists(1, of=one) for one in (OUT, LIKES, BACK, EITHER))],
        sees(bare(1), hints={}),
        sees(bare(1), seen(OUT, 1), seen(LIKES, 1), seen(EITHER, 1), hints={"out_edges": True}),
        sees(bare(1), seen(BACK, 1), seen(EITHER, 1), hints={"in_edges": True}),
        sees(bare(1), seen(LIKES, 1), hints={"out_edges": ["LIKES"]}),
        sees(bare(1), hints={"in_edges": ["LIKES"]}),
        sees(
            bare(1),
            seen(LIKES, 1),
            seen(BACK, 1),
            seen(EITHER, 1),
            hints={"out_edges": ["LIKES"], "in_edges": ["KNOWS"]},
        ),
    ),
    case(
        "hides and additional visibilities are always read",
        [exists(1), hide(2, "h"), require("r", 2), *(exists(1, of=one) for one in (OUT,))],
        sees(to="", hints={}),
        sees(bare(1), to="r", hints={}),
        sees(to="r h", hints={}),
        sees(bare(1, hidden=True), to="r h", hints={"hidden": True}),
    ),
    case(
        "hidden properties are asked for together with hidden subjects",
        [exists(1), value("n", "x", 1), hide_value("n", 2)],
        sees(with_names(), hints={"properties": True}),
        sees(
            with_names(prop("n", "x", 1, metadata=None, hidden=True)),
            hints={"properties": True, "hidden": True},
        ),
        sees(bare(1), hints={"hidden": True}),
    ),
    case(
        "edges have hints as vertices do",
        [exists(1, of={"edge": "k1"}), value("w", 5, 1, of={"edge": "k1"})],
        sees({"edge": "k1", "shape": exists(1, of={"edge": "k1"})["shape"], "time": 1}, hints={}),
    ),
]
