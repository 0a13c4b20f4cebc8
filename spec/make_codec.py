"""Makes spec/codec.json: the codec vectors that Python, Rust and Java test.

``python -m spec.make_codec`` writes the file, ``--check`` only compares. Inputs are chosen by
hand in codec_values.py, codec_refusals.py and below; docs/formats/codec.md describes the form.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from spec import codec_refusals
from spec.codec_values import COMPOSITES, MORE, ORDERS
from spec.tagged import codec_from_json, part, to_json

from lexigraph.codec import Bound, TupleCodec, bounded_range, following_prefix, successor
from lexigraph.codec.buckets import bucket_of, shard_names, shard_of
from lexigraph.codec.rowid import RowPlan

FILE = Path(__file__).with_name("codec.json")

PREFIXES = "|00|61|61ff|ff|ffff|6162ff00ff|fe|feff|7f|00ff|ff00|0100"
MOMENTS = [
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(999, 12, 31, 23, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999999, UTC),
    datetime(2010, 1, 3, 12, tzinfo=UTC),
    datetime(2010, 1, 4, tzinfo=UTC),
    datetime(2010, 3, 9, 7, tzinfo=UTC),
    datetime(2020, 12, 31, tzinfo=UTC),
    datetime(9999, 12, 31, 23, tzinfo=UTC),
]
SPREADS = [b"", b"\x00", b"a", b"123456789", b"\xff" * 8, "九".encode()]
IDS = [b"", b"a", b"a!", b"a_00", b"a\x00b", b"a\x01", b"com.google.code", b"\xff"]
PLANS: list[dict[str, Any]] = [
    {"form": form, "shards": shards, "bucket": bucket}
    for form in ("terminated", "plain", "leading")
    for shards, bucket in ((3, None), (None, "month"), (2, "week"), (101, "day"))
]
DATES = (date(2010, 3, 30), date(2010, 4, 2))


def main() -> None:
    """Write or check, as the command line says."""
    parser = argparse.ArgumentParser(description="Write spec/codec.json, or check it.")
    parser.add_argument("--check", action="store_true", help="compare only; fail on a difference")
    check, text = parser.parse_args().check, render()
    fresh = FILE.is_file() and FILE.read_text(encoding="utf-8") == text
    if check and not fresh:
        sys.exit("spec/codec.json is stale; run python -m spec.make_codec")
    if not check:
        FILE.write_text(text, encoding="utf-8")
    print(f"spec/codec.json: {sum(len(entries) for entries in vectors().values())} vectors")


def render() -> str:
    """Give the text of the file: one vector to a line, so that changes can be read."""
    sections = [
        f"{json.dumps(name)}: [\n"
        + ",\n".join(json.dumps(entry, ensure_ascii=True) for entry in entries)
        + "\n]"
        for name, entries in vectors().items()
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def vectors() -> dict[str, list[dict[str, Any]]]:
    """Give all sections of the file."""
    simple: list[tuple[Any, list[Any]]] = list(ORDERS.items())
    valued = simple + list(MORE.items()) + COMPOSITES
    return {
        "values": [_value(codec, value) for codec, values in valued for value in values],
        "orders": [_order(codec, values) for codec, values in simple + COMPOSITES],
        "refused_bytes": [
            {"codec": codec, "form": form, "bytes": data, "why": why}
            for codec, form, data, why in codec_refusals.BYTES
        ],
        "refused_values": [
            {"codec": codec, "value": to_json(value), "why": why}
            for codec, value, why in codec_refusals.VALUES
        ],
        "prefixes": [_prefix(bytes.fromhex(text)) for text in PREFIXES.split("|")],
        "bounds": _bounds(),
        "shards": [
            {"spread": spread.hex(), "n": n, "suffix": shard_names(n)[shard_of(spread, n)]}
            for spread in SPREADS
            for n in (1, 2, 10, 16, 100, 101, 10_000)
        ],
        "buckets": [
            {"unit": unit, "micros": _micros(moment), "suffix": bucket_of(moment, unit)}
            for moment in MOMENTS
            for unit in ("hour", "day", "week", "month")
        ],
        "rows": [_row(plan, identifier) for plan in PLANS for identifier in IDS],
        "expansions": [
            entry
            for plan in PLANS
            if (plan["shards"] or 0) < 100  # hundreds of ranges show nothing more
            for entry in _expansions(plan)
        ],
    }


def _value(described: Any, value: Any) -> dict[str, Any]:
    codec = codec_from_json(described)
    key = codec.encode(value)
    entry = {
        "codec": described,
        "value": to_json(value),
        "key": key.hex(),
        "part": codec.encode_part(value).hex(),
        "stored": codec.encode_value(value).hex(),
    }
    canonical = to_json(codec.decode(key))
    return entry if canonical == entry["value"] else {**entry, "canonical": canonical}


def _order(described: Any, values: list[Any]) -> dict[str, Any]:
    keys = [codec_from_json(described).encode(value).hex() for value in values]
    return {"codec": described, "values": [to_json(value) for value in values], "keys": keys}


def _prefix(prefix: bytes) -> dict[str, Any]:
    end = following_prefix(prefix)
    return {"prefix": prefix.hex(), "end": _hex(end), "successor": successor(prefix).hex()}


def _bounds() -> list[dict[str, Any]]:
    entries = []
    for desc in (False, True):
        for nulls in (None, "first", "last"):
            described = {"tuple": [part("str"), part("int8", desc=desc, nulls=nulls)]}
            codec = codec_from_json(described)
            for lower in (None, Bound(-128), Bound(1, inclusive=False), Bound(127, False)):
                for upper in (None, Bound(127), Bound(3), Bound(1, inclusive=False)):
                    entries.append(_bound(described, codec, lower, upper))  # noqa: PERF401
    return entries


def _bound(described: Any, codec: Any, lower: Bound | None, upper: Bound | None) -> dict[str, Any]:
    if not isinstance(codec, TupleCodec):
        raise TypeError(described)
    start, end = bounded_range(codec, ("a",), lower=lower, upper=upper)
    return {
        "codec": described,
        "prefix": [to_json("a")],
        "lower": _bound_json(lower),
        "upper": _bound_json(upper),
        "start": start.hex(),
        "end": _hex(end),
    }


def _bound_json(bound: Bound | None) -> dict[str, Any] | None:
    return bound and {"value": to_json(bound.value), "inclusive": bound.inclusive}


def _row(described: dict[str, Any], identifier: bytes) -> dict[str, Any]:
    plan, moment = RowPlan(**described), MOMENTS[5] if described["bucket"] else None
    row = plan.row(identifier, moment=moment, spread=b"q")
    return {
        "plan": described,
        "id": identifier.hex(),
        "moment": None if moment is None else _micros(moment),
        "spread": b"q".hex(),
        "row": row.hex(),
    }


def _expansions(described: dict[str, Any]) -> list[dict[str, Any]]:
    plan, bucketed = RowPlan(**described), described["bucket"] is not None
    entries = []
    for dates in (None, DATES) if bucketed else (None,):
        if described["form"] == "leading" and bucketed and dates is None:
            continue  # refused: the buckets are not known
        asked: list[tuple[bytes, bytes | None, bool]] = [
            (b"a_", b"a_", True),
            (b"a\x00", b"a\x00", True),
            (b"a", b"a!c", False),
            (b"b", b"a", False),
            (b"a", None, False),
        ]
        for lower, upper, one in asked:
            if one:
                ranges = plan.ranges_of(lower, dates=dates)
            else:
                ranges = plan.ranges_between(lower, upper, dates=dates)
            ends = dates and [bucket_of(day, described["bucket"]) for day in dates]
            entry = {"plan": described, "lower": lower.hex(), "upper": _hex(upper), "one": one}
            pairs = [[start.hex(), _hex(end)] for start, end in ranges]
            entries.append({**entry, "dates": ends, "ranges": pairs})
    return entries


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _micros(moment: datetime) -> str:
    return str(to_json(moment)["v"])


if __name__ == "__main__":
    main()
