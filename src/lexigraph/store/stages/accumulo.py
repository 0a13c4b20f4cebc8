"""Iterator settings of an Accumulo table, read into stages of ours.

Layer ``store``. Options are text, as a table's configuration holds them, and are read as Accumulo
2.1 reads them, down to what it takes for true. Options it ignores are ignored; what it refuses, and
columns named twice, which make it fail by accident, are InvalidOption.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lexigraph.codec.accumulo.columns import (
    decode_column,
    decode_columns,
    decode_flags,
    decode_terms,
)
from lexigraph.codec.accumulo.counters import counter_for
from lexigraph.errors import InvalidOption, LexigraphError, UnsupportedError
from lexigraph.security import Authorizations
from lexigraph.store.stages.java_dates import read_millis
from lexigraph.store.stages.java_values import (
    MAX_INT,
    Options,
    read_flag,
    read_integer,
    read_long,
    read_text,
    to_bytes,
    to_charset,
    to_number,
    to_size,
)
from lexigraph.store.stages.spec import StageSpec

PREFIX = "org.apache.accumulo.core.iterators."
WITHOUT_STAGE = ("OrIterator", "ColumnFamilyCounter", "DevNull", "DebugIterator")
"""Iterators of Accumulo that Lexigraph has no stage for."""

_ENCODER = re.compile(
    r"(?:LongCombiner\$|user\.SummingArrayCombiner\$)"
    r"(String|VarLen|FixedLen|VarLong|FixedLong)(?:Array)?Encoder"
)


def from_accumulo(class_name: str, options: Options, priority: int | None = None) -> StageSpec:
    """Read one iterator setting; the class may be named with or without Accumulo's package.

    >>> spec = from_accumulo("user.VersioningIterator", {"maxVersions": "3"}, 20)
    >>> spec.name, spec.options, spec.priority
    ('versions', {'max': 3}, 20)
    """
    short = class_name.removeprefix(PREFIX)
    if short not in _READERS:
        raise UnsupportedError(
            f"there is no stage for the iterator {class_name}",
            hint="Read the table without this iterator, or write a stage and register it.",
        )
    name, reader = _READERS[short]
    try:
        ours = reader(options)
    except InvalidOption as error:
        raise InvalidOption(f"{class_name}: {error.message}", hint=error.hint) from error
    except LexigraphError as error:
        raise InvalidOption(f"{class_name}: {error.message}") from error
    return StageSpec(name, ours, priority)


def _versions(options: Options) -> dict[str, Any]:
    most = read_integer(options, "maxVersions", default=1)
    if most < 1:
        raise InvalidOption(f"maxVersions must be at least 1, not {most}")
    return {"max": None if most == MAX_INT else most}


def _timestamps(options: Options) -> dict[str, Any]:
    bounds = {name: _moment(options[name]) for name in ("start", "end") if name in options}
    return {
        **bounds,
        "start_inclusive": read_flag(options, "startInclusive", default=True),
        "end_inclusive": read_flag(options, "endInclusive", default=True),
        **_negate(options),
    }


def _moment(text: str) -> int:
    if text.startswith("LONG"):
        return to_number(text.removeprefix("LONG"), "time")
    return read_millis(text)


def _age_off(options: Options) -> dict[str, Any]:
    now = read_long(options, "currentTime") if "currentTime" in options else None
    return {"ttl": read_long(options, "ttl"), "now": now, **_negate(options)}


def _column_age_off(options: Options) -> dict[str, Any]:
    ttls = []
    for column, ttl in options.items():
        if column == "negate" and ttl.lower() in ("true", "false"):
            continue
        family, qualifier = decode_column(column)
        ttls.append({"family": family, "qualifier": qualifier, "ttl": to_number(ttl, column)})
    return {"ttls": ttls, **_negate(options)}


def _regex(options: Options) -> dict[str, Any]:
    names = {"row": "row", "family": "colf", "qualifier": "colq", "value": "value"}
    patterns = {ours: options.get(f"{theirs}Regex") for ours, theirs in names.items()}
    return {
        **patterns,
        "any": read_flag(options, "orFields"),
        "substring": read_flag(options, "matchSubstring"),
        "encoding": to_charset(options.get("encoding", "UTF-8")),
        **_negate(options),
    }


def _grep(options: Options) -> dict[str, Any]:
    names = {
        "row": "matchRow",
        "family": "matchColumnFamily",
        "qualifier": "matchColumnQualifier",
        "visibility": "matchColumnVisibility",
        "value": "matchValue",
    }
    fields = [
        ours
        for ours, theirs in names.items()
        if read_flag(options, theirs, default=ours != "visibility")
    ]
    return {"term": to_bytes(read_text(options, "term")), "fields": fields, **_negate(options)}


def _qualifier_slice(options: Options) -> dict[str, Any]:
    return {
        "start": options.get("startBound"),
        "end": options.get("endBound"),
        "start_inclusive": read_flag(options, "startInclusive", default=True),
        "end_inclusive": read_flag(options, "endInclusive"),
        **_negate(options),
    }


def _column_slice(options: Options) -> dict[str, Any]:
    names = {
        "min_family": "minCf",
        "max_family": "maxCf",
        "min_qualifier": "minCq",
        "max_qualifier": "maxCq",
    }
    bounds = {
        ours: to_bytes(options[theirs]) for ours, theirs in names.items() if options.get(theirs)
    }
    return {
        **bounds,
        "min_inclusive": not options.get("minInclusive") or read_flag(options, "minInclusive"),
        "max_inclusive": not options.get("maxInclusive") or read_flag(options, "maxInclusive"),
        **_negate(options),
    }


def _seeking_slice(options: Options) -> dict[str, Any]:
    return {**_column_slice(options), "seek": True}


def _whole_row(options: Options) -> dict[str, Any]:
    size = options.get("maxBufferSize")
    return {"max_bytes": None if size is None else to_size(size)}


def _nothing(options: Options) -> dict[str, Any]:
    return {}


def _first_in_row(options: Options) -> dict[str, Any]:
    read_integer(options, "scansBeforeSeek", default=10)
    return {}


def _large_row(options: Options) -> dict[str, Any]:
    return {"max_columns": max(0, read_integer(options, "max_columns"))}


def _visibility(options: Options) -> dict[str, Any]:
    return {
        "authorizations": list(Authorizations.parse(options.get("auths", ""))),
        "filter_invalid": read_flag(options, "filterInvalid"),
        **_negate(options),
    }


def _counter(options: Options) -> dict[str, Any]:
    stored = read_text(options, "type")
    if stored.startswith("class:"):
        encoder = _ENCODER.fullmatch(stored.removeprefix("class:").removeprefix(PREFIX))
        if encoder is None:
            raise InvalidOption(
                f"unknown encoder {stored!r}", hint="Use VARLEN, FIXEDLEN or STRING."
            )
        stored = {"S": "STRING", "V": "VARLEN", "F": "FIXEDLEN"}[encoder[1][0]]
    names = {"VARLEN": "varlen", "FIXEDLEN": "fixed", "STRING": "text"}
    return {"encoding": names[counter_for(stored).name], **_combiner(options)}


def _combiner(options: Options) -> dict[str, Any]:
    columns = None
    if not read_flag(options, "all"):
        columns = [
            [family] if qualifier is None else [family, qualifier]
            for family, qualifier in decode_columns(read_text(options, "columns"))
        ]
    return {
        "columns": columns,
        "lossy": read_flag(options, "lossy"),
        "full_merge_only": read_flag(options, "reduceOnFullCompactionOnly"),
    }


def _intersect(options: Options) -> dict[str, Any]:
    terms = decode_terms(read_text(options, "columnFamilies"))
    flags = decode_flags(options["notFlag"]) if "notFlag" in options else [False] * len(terms)
    if len(flags) < len(terms):
        raise InvalidOption(f"notFlag holds {len(flags)} flags for {len(terms)} terms")
    pairs = list(zip(terms, flags, strict=False))
    return {
        "terms": [term for term, negated in pairs if not negated],
        "negated": [term for term, negated in pairs if negated],
    }


def _documents(options: Options) -> dict[str, Any]:
    names = {"index_family": "indexFamily", "document_family": "docFamily"}
    families = {ours: to_bytes(options[name]) for ours, name in names.items() if name in options}
    return {**_intersect(options), **families}


def _negate(options: Options) -> dict[str, Any]:
    return {"negate": read_flag(options, "negate")}


_READERS: dict[str, tuple[str, Callable[[Options], dict[str, Any]]]] = {
    "user.VersioningIterator": ("versions", _versions),
    "user.TimestampFilter": ("time-range", _timestamps),
    "user.AgeOffFilter": ("age-off", _age_off),
    "user.ColumnAgeOffFilter": ("column-age-off", _column_age_off),
    "user.RegExFilter": ("regex", _regex),
    "user.GrepIterator": ("grep", _grep),
    "user.ColumnSliceFilter": ("qualifier-slice", _qualifier_slice),
    "user.CfCqSliceFilter": ("column-slice", _column_slice),
    "user.CfCqSliceSeekingFilter": ("column-slice", _seeking_slice),
    "user.WholeRowIterator": ("whole-row", _whole_row),
    "user.WholeColumnFamilyIterator": ("whole-family", _nothing),
    "FirstEntryInRowIterator": ("first-in-row", _first_in_row),
    "user.RowDeletingIterator": ("row-delete", _nothing),
    "user.LargeRowFilter": ("large-row", _large_row),
    "user.VisibilityFilter": ("visibility", _visibility),
    "user.ReqVisFilter": ("labelled", _negate),
    "user.SummingCombiner": ("sum", _counter),
    "user.MinCombiner": ("min", _counter),
    "user.MaxCombiner": ("max", _counter),
    "user.SummingArrayCombiner": ("sum-array", _counter),
    "user.BigDecimalCombiner$BigDecimalSummingCombiner": ("decimal-sum", _combiner),
    "user.BigDecimalCombiner$BigDecimalMinCombiner": ("decimal-min", _combiner),
    "user.BigDecimalCombiner$BigDecimalMaxCombiner": ("decimal-max", _combiner),
    "user.IntersectingIterator": ("intersect", _intersect),
    "user.IndexedDocIterator": ("intersect-documents", _documents),
}
