"""One example for each stage: what goes in and with which options; what comes out is computed.

A cell is written as row, family, qualifier, label, timestamp and value, with ``-`` for what is
empty and ``+`` for a blank. The page of all stages is made from these by ``docs.stages_page``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """Cells, options, and the codec that values are shown by (none: as text)."""

    cells: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    codec: str | None = None
    shown_by: str | None = None
    """Another codec for the values that come out."""
    now: int = 100


VERSIONS = ("ann age - - 30 41", "ann age - - 20 40", "ann age - - 10 39", "bob age - - 10 27")
PEOPLE = (
    "ann address home - 50 elm+street",
    "ann age - - 90 41",
    "bob address home - 95 oak+avenue",
    "bob address work - 10 elm+street",
)
LABELS = ("ann age - - 5 41", "ann pay - hr 5 2500", "bob pay - hr&boss 5 9000")
COUNTS = (
    "E001 sold P001 - 3 2",
    "E001 sold P001 - 2 5",
    "E001 sold P001 - 1 1",
    "E001 sold P002 - 1 4",
)
ARRAYS = ("E001 sold P001 - 2 1,2,3", "E001 sold P001 - 1 10,10")
DECIMALS = ("E001 paid - - 3 0.10", "E001 paid - - 2 2.5", "E001 paid - - 1 0.20")
BINS = (
    "bin0 house d1 - 1 -",
    "bin0 house d2 - 1 -",
    "bin0 red d2 - 1 -",
    "bin1 house d3 - 1 -",
    "bin1 white d3 - 1 -",
)
BODIES = (
    "bin0 e\0text d1 - 1 white+house",
    "bin0 e\0text d2 - 1 red+house",
    "bin0 i house\0text\0d1\0 - 1 -",
    "bin0 i house\0text\0d2\0 - 1 -",
    "bin0 i red\0text\0d2\0 - 1 -",
)
SALES = (
    "ann sold 2026-01 - 2 3",
    "ann sold 2026-01 - 1 4",
    "ann sold 2026-02 - 1 5",
    "bob sold 2026-01 - 1 9",
)

PLAN = {
    "version": 1,
    "rows": [{"kind": "vertex", "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
    "family": [{"field": "group", "codec": "str", "form": "rest"}],
    "groups": {
        "sold": {
            "kind": "vertex",
            "qualifier": [{"field": "month", "codec": "str", "form": "rest"}],
            "value": {
                "form": "single",
                "property": {
                    "id": 1,
                    "field": "count",
                    "codec": "int",
                    "aggregate": {"name": "sum"},
                },
            },
        }
    },
}

EXAMPLES = {
    "versions": Example(VERSIONS, {"max": 2}),
    "as-of": Example(VERSIONS, {"timestamp": 20}),
    "time-range": Example(VERSIONS, {"start": 10, "end": 30, "end_inclusive": False}),
    "age-off": Example(PEOPLE, {"ttl": 20}),
    "column-age-off": Example(PEOPLE, {"ttls": [{"family": "address", "ttl": 20}]}),
    "regex": Example(PEOPLE, {"family": "a.*s", "value": "elm.*"}),
    "grep": Example(PEOPLE, {"term": "work"}),
    "qualifier-slice": Example(PEOPLE, {"start": "home", "end": "work"}),
    "column-slice": Example(PEOPLE, {"min_family": "address", "max_family": "address"}),
    "whole-row": Example(PEOPLE),
    "whole-family": Example(PEOPLE),
    "first-in-row": Example(PEOPLE),
    "row-delete": Example(("ann - - - 60 DEL_ROW", *PEOPLE)),
    "large-row": Example(VERSIONS, {"max_columns": 2}),
    "visibility": Example(LABELS, {"authorizations": ["hr"]}),
    "labelled": Example(LABELS),
    "sum": Example(COUNTS, {"encoding": "text"}),
    "min": Example(COUNTS, {"encoding": "text"}),
    "max": Example(COUNTS, {"encoding": "text"}),
    "sum-array": Example(ARRAYS, {"encoding": "text"}),
    "decimal-sum": Example(DECIMALS),
    "decimal-min": Example(DECIMALS),
    "decimal-max": Example(DECIMALS),
    "intersect": Example(BINS, {"terms": ["house"], "negated": ["red"]}),
    "intersect-documents": Example(BODIES, {"terms": ["house"], "negated": ["red"]}),
    "limit": Example(PEOPLE, {"cells": 2}),
    "sample": Example(PEOPLE, {"modulus": 2, "of": "column"}),
    "filter": Example(
        SALES,
        {"plan": "sales", "where": {"op": "ge", "field": "month", "value": "2026-02"}},
        codec="int",
    ),
    "aggregate": Example(SALES, {"plan": "sales"}, codec="int"),
    "roll-up": Example(SALES, {"plan": "sales"}, codec="int"),
    "decode": Example(
        SALES, {"plan": "sales", "fields": ["vertex", "count"]}, codec="int", shown_by="any"
    ),
    "summarise": Example(
        SALES,
        {
            "plan": "sales",
            "by": ["month"],
            "measures": [{"name": "total", "aggregate": "sum", "field": "count"}],
        },
        codec="int",
        shown_by="",
    ),
}
