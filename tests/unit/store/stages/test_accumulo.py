"""Iterator settings of real tables."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import InvalidOption, UnsupportedError
from lexigraph.store.stages.accumulo import PREFIX, WITHOUT_STAGE, from_accumulo

PLAIN = {"negate": False}
COMBINER = {"columns": None, "lossy": False, "full_merge_only": False}


@pytest.mark.parametrize(
    ("cls", "options", "name", "ours"),
    [
        ("user.VersioningIterator", {}, "versions", {"max": 1}),
        ("user.VersioningIterator", {"maxVersions": "2147483647"}, "versions", {"max": None}),
        (
            "user.AgeOffFilter",
            {"ttl": "60000", "currentTime": "-1", "negate": "TRUE"},
            "age-off",
            {"ttl": 60000, "now": -1, "negate": True},
        ),
        (
            "user.TimestampFilter",
            {"start": "LONG5", "end": "19700101000001GMT", "endInclusive": "false"},
            "time-range",
            {"start": 5, "end": 1000, "start_inclusive": True, "end_inclusive": False, **PLAIN},
        ),
        (
            "user.ColumnAgeOffFilter",
            {"c%3af:q": "5", "negate": "7"},
            "column-age-off",
            {
                "ttls": [
                    {"family": "c:f", "qualifier": "q", "ttl": 5},
                    {"family": "negate", "qualifier": None, "ttl": 7},
                ],
                **PLAIN,
            },
        ),
        (
            "user.GrepIterator",
            {"term": "é", "matchRow": "false", "matchColumnVisibility": "true"},
            "grep",
            {
                "term": {"hex": "c3a9"},
                "fields": ["family", "qualifier", "visibility", "value"],
                **PLAIN,
            },
        ),
        (
            "user.CfCqSliceSeekingFilter",
            {"minCf": "a", "maxCf": "", "minInclusive": "", "maxInclusive": "no"},
            "column-slice",
            {
                "min_family": "a",
                "min_inclusive": True,
                "max_inclusive": False,
                "seek": True,
                **PLAIN,
            },
        ),
        ("user.WholeRowIterator", {"maxBufferSize": "2K"}, "whole-row", {"max_bytes": 2048}),
        ("user.WholeRowIterator", {}, "whole-row", {"max_bytes": None}),
        ("user.LargeRowFilter", {"max_columns": "-3"}, "large-row", {"max_columns": 0}),
        ("FirstEntryInRowIterator", {"scansBeforeSeek": "3"}, "first-in-row", {}),
        (
            "user.VisibilityFilter",
            {"auths": "B, A", "filterInvalid": "true"},
            "visibility",
            {"authorizations": ["A", "B"], "filter_invalid": True, **PLAIN},
        ),
        (
            "user.SummingCombiner",
            {"type": "STRING", "columns": "f,g:q", "lossy": "true"},
            "sum",
            {"encoding": "text", **COMBINER, "columns": [["f"], ["g", "q"]], "lossy": True},
        ),
        (
            "user.MaxCombiner",
            {"type": f"class:{PREFIX}LongCombiner$FixedLenEncoder", "all": "true"},
            "max",
            {"encoding": "fixed", **COMBINER},
        ),
        ("user.BigDecimalCombiner$BigDecimalMinCombiner", {"all": "true"}, "decimal-min", COMBINER),
        (
            "user.IntersectingIterator",
            {"columnFamilies": "YQ==\nYg==\nYw==\n", "notFlag": "AQAB"},
            "intersect",
            {"terms": ["b"], "negated": ["a", "c"]},
        ),
        (
            "user.IndexedDocIterator",
            {"columnFamilies": "YQ==\n", "docFamily": "x"},
            "intersect-documents",
            {"terms": ["a"], "negated": [], "document_family": "x"},
        ),
    ],
)
def test_a_setting_becomes_a_stage(
    cls: str, options: dict[str, str], name: str, ours: dict[str, Any]
) -> None:
    for full in (cls, PREFIX + cls):
        spec = from_accumulo(full, options, 7)
        assert (spec.name, spec.options, spec.priority) == (name, ours, 7)


@pytest.mark.parametrize(
    ("cls", "options"),
    [
        ("user.VersioningIterator", {"maxVersions": "0"}),
        ("user.VersioningIterator", {"maxVersions": "x"}),
        ("user.VersioningIterator", {"maxVersions": "2147483648"}),
        ("user.AgeOffFilter", {}),
        ("user.TimestampFilter", {"start": "5"}),
        ("user.TimestampFilter", {"end": ""}),
        ("user.ColumnAgeOffFilter", {"f f": "5"}),
        ("user.RegExFilter", {"encoding": "nope"}),
        ("user.GrepIterator", {}),
        ("user.WholeRowIterator", {"maxBufferSize": "lots"}),
        ("user.LargeRowFilter", {}),
        ("user.VisibilityFilter", {"auths": "A,,B"}),
        ("user.SummingCombiner", {"type": "string", "all": "true"}),
        ("user.SummingCombiner", {"type": "class:no.such.Encoder", "all": "true"}),
        ("user.SummingCombiner", {"all": "true"}),
        ("user.SummingCombiner", {"type": "STRING"}),
        ("user.SummingCombiner", {"type": "STRING", "columns": "f%zz"}),
        ("user.IntersectingIterator", {}),
        ("user.IntersectingIterator", {"columnFamilies": "YQ==\n", "notFlag": ""}),
        ("user.IntersectingIterator", {"columnFamilies": "?"}),
    ],
)
def test_a_setting_that_accumulo_refuses_is_refused_with_its_class(
    cls: str, options: dict[str, str]
) -> None:
    with pytest.raises(InvalidOption, match=cls):
        from_accumulo(cls, options)


@pytest.mark.parametrize("cls", [*WITHOUT_STAGE, "Combiner", "com.example.Own", ""])
def test_an_iterator_without_a_stage_is_unsupported(cls: str) -> None:
    with pytest.raises(UnsupportedError, match="no stage for the iterator"):
        from_accumulo(cls, {})
