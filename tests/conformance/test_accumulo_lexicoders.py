"""Bytes that Accumulo's own classes printed: lexicoders, counters, rows, prefixes, options."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes
from uuid import UUID

import pytest

from lexigraph.codec import following_prefix
from lexigraph.codec.accumulo import columns
from lexigraph.codec.accumulo import lexicoders as lex
from lexigraph.codec.accumulo.counters import counter_for
from lexigraph.codec.accumulo.rows import RowCell, pack_family, pack_row, unpack_family, unpack_row
from lexigraph.security.authorizations import Authorizations
from lexigraph.store.scan.reading import EmptySource
from lexigraph.store.stages.accumulo import from_accumulo
from lexigraph.store.stages.base import StageContext
from lexigraph.store.stages.registry import stage_class
from tests.conformance.outside import count, outside

SYSTEM = "accumulo.lexicoders"
VECTORS = json.loads(outside("accumulo", "lexicoders.json").read_text())["vectors"]


def as_is(value: Any) -> Any:
    return value


LEXICODERS: dict[str, tuple[lex.Lexicoder[Any], Callable[[Any], Any]]] = {
    "uinteger": (lex.UIntegerLexicoder(), as_is),
    "integer": (lex.IntegerLexicoder(), as_is),
    "ulong": (lex.ULongLexicoder(), as_is),
    "long": (lex.LongLexicoder(), as_is),
    "date_ms": (lex.DateLexicoder(), as_is),
    "double": (lex.DoubleLexicoder(), float),
    "float": (lex.FloatLexicoder(), float),
    "biginteger": (lex.BigIntegerLexicoder(), int),
    "string": (lex.StringLexicoder(), as_is),
    "text": (lex.TextLexicoder(), as_is),
    "uuid": (lex.UuidLexicoder(), UUID),
    "reverse(bytes)": (lex.ReverseLexicoder(lex.BytesLexicoder()), bytes.fromhex),
    "reverse(string)": (lex.ReverseLexicoder(lex.StringLexicoder()), as_is),
    "reverse(long)": (lex.ReverseLexicoder(lex.LongLexicoder()), as_is),
    "list(string)": (lex.ListLexicoder(lex.StringLexicoder()), as_is),
    "list(long)": (lex.ListLexicoder(lex.LongLexicoder()), as_is),
    "sequence(string)": (lex.SequenceLexicoder(lex.StringLexicoder()), as_is),
    "pair(string,string)": (
        lex.PairLexicoder(lex.StringLexicoder(), lex.StringLexicoder()),
        tuple,
    ),
    "pair(string,reverse(long))": (
        lex.PairLexicoder(lex.StringLexicoder(), lex.ReverseLexicoder(lex.LongLexicoder())),
        tuple,
    ),
}


def chosen(*prefixes: str) -> list[Any]:
    found = [v for v in VECTORS if v["encoder"].startswith(prefixes)]
    return [pytest.param(v, id=f"{v['encoder']}-{str(v['input'])[:24]}") for v in found]


def vectors_of_lexicoders() -> list[Any]:
    return [v for name in LEXICODERS for v in chosen(name) if v.values[0]["encoder"] == name]


def test_every_vector_is_asked_by_some_test() -> None:
    known = {*LEXICODERS, "wholerow", "followingPrefix", "iteratoroptions"}
    known.add("authorizations.serialize")
    asked = ("longcombiner.", "summingarray.")
    strange = {v["encoder"] for v in VECTORS} - known
    assert {name for name in strange if not name.startswith(asked)} == set()


@pytest.mark.parametrize("vector", vectors_of_lexicoders())
def test_a_lexicoder_writes_the_bytes_of_java(vector: dict[str, Any]) -> None:
    coder, convert = LEXICODERS[vector["encoder"]]
    assert coder.encode(convert(vector["input"])).hex() == vector["hex"]
    count(SYSTEM)


@pytest.mark.parametrize("vector", vectors_of_lexicoders())
def test_a_lexicoder_reads_the_bytes_of_java(vector: dict[str, Any]) -> None:
    coder, convert = LEXICODERS[vector["encoder"]]
    value = coder.decode(bytes.fromhex(vector["hex"]))
    expected = convert(vector["input"])
    if vector["encoder"] in ("ulong", "uinteger"):
        expected %= 1 << (64 if vector["encoder"] == "ulong" else 32)
    assert repr(value) == repr(expected)


@pytest.mark.parametrize("vector", chosen("longcombiner."))
def test_a_counter_writes_and_reads_the_bytes_of_java(vector: dict[str, Any]) -> None:
    counter = counter_for(vector["encoder"].partition(".")[2])
    data = bytes.fromhex(vector["hex"])
    assert (counter.encode(vector["input"]), counter.decode(data)) == (data, vector["input"])
    count(SYSTEM)


@pytest.mark.parametrize("vector", chosen("summingarray."))
def test_an_array_is_written_as_java_writes_it(vector: dict[str, Any]) -> None:
    counter = counter_for(vector["encoder"].partition(".")[2])
    data = bytes.fromhex(vector["hex"])
    assert counter.encode_array(vector["input"]) == data
    # No text at all is read as one zero, so an empty array of STRING does not come back.
    empty_text = vector["encoder"].endswith("STRING") and not vector["input"]
    assert counter.decode_array(data) == ([0] if empty_text else vector["input"])
    count(SYSTEM)


@pytest.mark.parametrize("vector", chosen("wholerow"))
def test_a_whole_row_is_packed_as_java_packs_it(vector: dict[str, Any]) -> None:
    cells = [
        RowCell(family.encode(), qualifier.encode(), label.encode(), stamp, value.encode())
        for family, qualifier, label, stamp, value in vector["input"]
    ]
    packed = bytes.fromhex(vector["hex"])
    assert pack_row(cells) == packed
    assert unpack_row(packed) == cells
    count(SYSTEM)


@pytest.mark.parametrize("vector", chosen("followingPrefix"))
def test_a_following_prefix_is_that_of_java(vector: dict[str, Any]) -> None:
    found = following_prefix(bytes.fromhex(vector["input"]))
    assert (None if found is None else found.hex()) == vector["hex"]
    count(SYSTEM)


def options(iterator: str) -> list[dict[str, str]]:
    """Return the settings of an iterator that the sample has; of a small sample perhaps none."""
    found = [v for v in VECTORS if v["encoder"] == "iteratoroptions"]
    return [v["options"] for v in found if re.split(r"\W", v["input"])[0] == iterator]


def columns_in(text: str) -> list[tuple[bytes, bytes | None]]:
    found = [[unquote_to_bytes(part) for part in one.split(":")] for one in text.split(",")]
    return [(one[0], one[1] if len(one) > 1 else None) for one in found]


def flag(given: dict[str, str], name: str) -> bool:
    return given.get(name) == "true"


def inclusive(given: dict[str, str]) -> dict[str, bool]:
    return {f"{end}_inclusive": flag(given, f"{end}Inclusive") for end in ("start", "end")}


def combiner(given: dict[str, str]) -> dict[str, Any]:
    return {
        "encoding": given["type"].lower(),
        "columns": [
            [family.decode(), *([] if qualifier is None else [qualifier.decode()])]
            for family, qualifier in columns_in(given["columns"])
        ],
        "lossy": flag(given, "lossy"),
        "full_merge_only": flag(given, "reduceOnFullCompactionOnly"),
    }


def ages(given: dict[str, str]) -> dict[str, Any]:
    found = [(columns_in(column)[0], int(ttl)) for column, ttl in given.items()]
    return {
        "ttls": [
            {"family": family, "ttl": ttl, **({} if name is None else {"qualifier": name})}
            for (family, name), ttl in found
        ]
    }


def expressions(given: dict[str, str]) -> dict[str, Any]:
    names = {
        "row": "rowRegex",
        "family": "colfRegex",
        "qualifier": "colqRegex",
        "value": "valueRegex",
    }
    asked = {name: given[java] for name, java in names.items() if java in given}
    return {**asked, "any": flag(given, "orFields"), "substring": flag(given, "matchSubstring")}


SETTINGS: dict[str, tuple[str, Callable[[dict[str, str]], dict[str, Any]]]] = {
    "SummingCombiner": ("sum", combiner),
    "AgeOffFilter": ("age-off", lambda o: {"ttl": int(o["ttl"]), "now": int(o["currentTime"])}),
    "ColumnAgeOffFilter": ("column-age-off", ages),
    "TimestampFilter": (
        "time-range",
        lambda o: {
            **{end: int(o[end].removeprefix("LONG")) for end in ("start", "end")},
            **inclusive(o),
        },
    ),
    "RegExFilter": ("regex", expressions),
    "GrepIterator": ("grep", lambda o: {"term": o["term"]}),
    "VersioningIterator": ("versions", lambda o: {"max": int(o["maxVersions"])}),
    "ColumnSliceFilter": (
        "qualifier-slice",
        lambda o: {"start": o["startBound"], "end": o["endBound"], **inclusive(o)},
    ),
    "VisibilityFilter": (
        "visibility",
        lambda o: {
            "authorizations": [one.decode() for one in tokens_in(o["auths"])],
            "filter_invalid": flag(o, "filterInvalid"),
        },
    ),
    "IndexedDocIterator": (
        "intersect-documents",
        lambda o: {
            "terms": [one.decode() for one in terms_in(o["columnFamilies"])],
            "index_family": o["indexFamily"],
            "document_family": o["docFamily"],
        },
    ),
}
"""Our stage for each iterator, and what its settings mean, read here once more."""


def terms_in(text: str) -> list[bytes]:
    return [b64decode(line) for line in text.splitlines()]


def tokens_in(text: str) -> list[bytes]:
    return [b64decode(one) for one in text.removeprefix("!AUTH1:").split(",")]


@pytest.mark.parametrize("vector", chosen("iteratoroptions"))
def test_settings_that_java_wrote_are_read_as_the_stage_they_mean(vector: dict[str, Any]) -> None:
    iterator = re.split(r"\W", vector["input"])[0]
    name, meaning = SETTINGS[iterator]
    found = from_accumulo(f"org.apache.accumulo.core.iterators.user.{iterator}", vector["options"])
    source, context = EmptySource(), StageContext()
    wanted = stage_class(name)(source, meaning(vector["options"]), context)
    assert found.name == name
    assert stage_class(name)(source, found.options, context).settings == wanted.settings
    count(SYSTEM)


def test_columns_of_a_combiner_are_written_as_java_writes_them() -> None:
    for given in options("SummingCombiner"):
        assert columns.decode_columns(given["columns"]) == columns_in(given["columns"])
        assert columns.encode_columns(columns_in(given["columns"])) == given["columns"]


def test_the_column_of_an_age_off_is_written_as_java_writes_it() -> None:
    for given in options("ColumnAgeOffFilter"):
        assert [columns.encode_column(*columns_in(one)[0]) for one in given] == list(given)


def test_terms_of_an_intersection_are_written_as_java_writes_them() -> None:
    for given in options("IndexedDocIterator"):
        terms = terms_in(given["columnFamilies"])
        assert columns.encode_terms(terms) == given["columnFamilies"]
        assert columns.decode_terms(given["columnFamilies"]) == terms


@pytest.mark.parametrize("vector", chosen("authorizations.serialize"))
def test_authorizations_are_serialised_as_java_does(vector: dict[str, Any]) -> None:
    assert Authorizations(vector["input"]).serialise().decode() == vector["text"]
    count(SYSTEM)


def test_the_authorizations_of_a_visibility_filter_are_written_as_java_writes_them() -> None:
    for given in options("VisibilityFilter"):
        tokens = tokens_in(given["auths"])
        assert Authorizations(reversed(tokens)).serialise().decode() == given["auths"]
        assert Authorizations.parse(given["auths"]) == Authorizations(tokens)


def plain(data: Any) -> bytes:
    return bytes.fromhex(data["hex"]) if isinstance(data, dict) else data.encode()


def packed_cells(iterator: str) -> list[bytes]:
    return [
        plain(cell[6])
        for case in json.loads(outside("accumulo", "stages.json").read_text())["cases"]
        if len(case["stack"]) == 1 and case["stack"][0]["class"].endswith(iterator)
        for cell in case.get("expected", [])
        if isinstance(cell, list)
    ]


def test_whole_rows_of_a_server_are_taken_apart_and_packed_again() -> None:
    found = packed_cells("WholeRowIterator")
    assert [pack_row(unpack_row(data)) for data in found] == found


def test_whole_families_of_a_server_are_taken_apart_and_packed_again() -> None:
    found = packed_cells("WholeColumnFamilyIterator")
    assert [pack_family(unpack_family(data)) for data in found] == found
