"""The stored form of what a group of records has besides; part of the JSON of a schema.

Layer ``schema``. What is at its default is left out.
"""

from __future__ import annotations

from typing import Any

from lexigraph.arguments import (
    read_bool,
    read_choice,
    read_int,
    read_list,
    read_mapping,
    read_object,
)
from lexigraph.errors import InvalidOption, show
from lexigraph.schema.model import MULTIPLICITIES, History, Record, SortPart, ValueType

_RECORD = (
    *("sort_key", "signature", "multiplicity", "unidirected", "history", "edge_id"),
    *("ttl", "ttls", "static"),
)


def record_to_json(record: Record) -> dict[str, Any]:
    """Write it.

    >>> record_to_json(Record((SortPart("day", descending=True),), multiplicity="simple"))
    {'sort_key': [{'name': 'day', 'descending': True}], 'multiplicity': 'simple'}
    """
    data: dict[str, Any] = {}
    if record.sort_key:
        data["sort_key"] = [
            {"name": one.name, **({"descending": True} if one.descending else {})}
            for one in record.sort_key
        ]
    if record.signature:
        data["signature"] = list(record.signature)
    if record.multiplicity != MULTIPLICITIES[0]:
        data["multiplicity"] = record.multiplicity
    if record.unidirected:
        data["unidirected"] = True
    if record.history is not None:
        kept = {"days": record.history.days, "versions": record.history.versions}
        data["history"] = {name: value for name, value in kept.items() if value is not None}
    if record.edge_id is not None:
        bits = {} if record.edge_id.bits is None else {"bits": record.edge_id.bits}
        data["edge_id"] = {"codec": record.edge_id.codec, **bits}
    if record.ttl is not None:
        data["ttl"] = record.ttl
    if record.ttls:
        data["ttls"] = dict(record.ttls)
    if record.static:
        data["static"] = True
    return data


def record_from_json(value: Any, group: str) -> Record:
    """Read it strictly."""
    what = f"the record of {group}"
    data = read_object(value, _RECORD, what)
    parts = read_list(data.get("sort_key", []), f"'sort_key' of {what}")
    names = read_list(data.get("signature", []), f"'signature' of {what}")
    return Record(
        tuple(_sort_part(one, what) for one in parts),
        tuple(_text(one, f"a name in 'signature' of {what}") for one in names),
        read_choice(
            data.get("multiplicity", MULTIPLICITIES[0]), MULTIPLICITIES, f"'multiplicity' of {what}"
        ),
        read_bool(data.get("unidirected", False), f"'unidirected' of {what}"),
        _history(data["history"], what) if "history" in data else None,
        _edge_id(data["edge_id"], what) if "edge_id" in data else None,
        read_int(data["ttl"], f"'ttl' of {what}", least=1) if "ttl" in data else None,
        tuple(
            (name, read_int(one, f"'ttls' of {what}", least=1))
            for name, one in read_mapping(data.get("ttls", {}), f"'ttls' of {what}").items()
        ),
        read_bool(data.get("static", False), f"'static' of {what}"),
    )


def _sort_part(value: Any, what: str) -> SortPart:
    data = read_object(value, ("name", "descending"), f"part of the sort key of {what}")
    return SortPart(
        _text(data.get("name"), f"'name' in the sort key of {what}"),
        read_bool(data.get("descending", False), f"'descending' in the sort key of {what}"),
    )


def _history(value: Any, what: str) -> History:
    data = read_object(value, ("days", "versions"), f"'history' of {what}")
    days, versions = data.get("days"), data.get("versions")
    if (days is None) == (versions is None):
        raise InvalidOption(f"'history' of {what} has either 'days' or 'versions'")
    if days is None:
        return History(None, read_int(versions, f"'versions' of {what}", least=1))
    if isinstance(days, bool) or not isinstance(days, int | float) or not days > 0:
        raise InvalidOption(f"'days' of {what} must be a number above 0, not {show(days)}")
    return History(days, None)


def _edge_id(value: Any, what: str) -> ValueType:
    data = read_object(value, ("codec", "bits"), f"'edge_id' of {what}")
    bits = read_int(data["bits"], f"'bits' of {what}", least=8) if "bits" in data else None
    return ValueType(_text(data.get("codec"), f"'codec' of {what}"), bits)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidOption(f"{what} must be text, not {show(value)}")
    return value
