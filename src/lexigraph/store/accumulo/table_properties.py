"""A table's settings as properties of Accumulo, and back.

Layer ``store``, only for ``accumulo``. The settings themselves are kept as JSON; every other
property follows from them, so that the servers do what the settings say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.errors import FormatVersion, UnsupportedError
from lexigraph.store.accumulo.stages import merge_properties
from lexigraph.store.settings import VERSIONS_PRIORITY, TableSettings

SETTINGS = "table.custom.lexigraph.settings"
VERSION = "table.custom.lexigraph.version"
MARKED = "table.custom.lexigraph.marked"
"""There, and ``true``, once a delete marker may have been written to the table."""
_FORMAT = "1"
# A flush fails for ever where what is counted of a file, with some of its rows, takes more room.
_SUMMARIES, _SUMMARY_SIZE = "table.file.summary.maxSize", "32M"
# Rows of a graph start with a vertex, and a look-up knows that much: a filter of rows serves both.
_BLOOM = {
    "row": "org.lexigraph.iterators.VertexFunctor",
    "family": "org.apache.accumulo.core.file.keyfunctor.ColumnFamilyFunctor",
    "qualifier": "org.apache.accumulo.core.file.keyfunctor.ColumnQualifierFunctor",
}
_VERSIONING = "org.apache.accumulo.core.iterators.user.VersioningIterator"
DURABILITIES = {
    "none": "none",
    "log": "log",
    "buffered": "log",
    "flush": "flush",
    "relaxed": "flush",
    "sync": "sync",
}
"""Accumulo's word for each durability that settings or a write may name."""

# All that follows from settings: what is not written again is taken away.
_OURS = (
    "table.custom.lexigraph.",
    "table.iterator.minc.lexigraph-",
    "table.iterator.majc.lexigraph-",
    "table.iterator.minc.vers",
    "table.iterator.majc.vers",
    "table.group",
    "table.bloom.",
    "table.durability",
    _SUMMARIES,
    "table.security.scan.visibility.default",
)


def to_properties(settings: TableSettings, *, marked: bool = False) -> dict[str, str]:
    """Return the properties of a table; ``marked`` once it may hold delete markers."""
    _check_time(settings)
    text = json.dumps({**settings.to_json(), "splits": []})
    out = {VERSION: _FORMAT, SETTINGS: text, _SUMMARIES: _SUMMARY_SIZE}
    out |= _versions(settings)
    out |= merge_properties(settings, marked=marked)
    if marked:
        out[MARKED] = "true"
    out |= _groups(settings.locality_groups)
    if settings.bloom is not None:
        out["table.bloom.enabled"] = "true"
        out["table.bloom.key.functor"] = _BLOOM[settings.bloom]
    if settings.durability is not None:
        out["table.durability"] = DURABILITIES[settings.durability]
    return out


def to_remove(present: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Return which of a table's properties follow from settings that it no longer has."""
    return [name for name in present if name.startswith(_OURS) and name not in wanted]


def is_ours(properties: Mapping[str, str]) -> bool:
    """Tell whether a table was made by Lexigraph."""
    return SETTINGS in properties


def from_properties(
    name: str, properties: Mapping[str, str], splits: tuple[bytes, ...]
) -> TableSettings:
    """Read the settings of a table of ours."""
    if properties.get(VERSION) != _FORMAT:
        raise FormatVersion(
            f"table {name!r} has version {properties.get(VERSION)!r} of Lexigraph's properties, "
            f"and this release reads {_FORMAT!r}",
        )
    return _parse(properties[SETTINGS], splits)


@lru_cache(maxsize=64)
def _parse(text: str, splits: tuple[bytes, ...]) -> TableSettings:
    # Every question asks for them, and they hardly ever change.
    read: dict[str, Any] = json.loads(text)
    return TableSettings.from_json({**read, "splits": list(map(bytes_to_json, splits))})


def _check_time(settings: TableSettings) -> None:
    if settings.time_unit == "logical":
        raise UnsupportedError(
            "the time unit 'logical' is not supported on Accumulo: several clients write to a "
            "table at once",
            hint="Use the time unit 'micros' or 'millis'.",
        )


def _versions(settings: TableSettings) -> dict[str, str]:
    # Scans read all versions and keep the newest themselves: their stages may stand below that.
    if settings.max_versions is None or settings.merge_stages:
        return {}
    out = {}
    for scope in ("minc", "majc"):
        out[f"table.iterator.{scope}.vers"] = f"{VERSIONS_PRIORITY},{_VERSIONING}"
        out[f"table.iterator.{scope}.vers.opt.maxVersions"] = str(settings.max_versions)
    return out


def _groups(groups: Mapping[str, Any]) -> dict[str, str]:
    if not groups:
        return {}
    # Their own names may hold anything; Accumulo's are numbered.
    numbered = {f"g{number}": families for number, families in enumerate(groups.values())}
    out = {f"table.group.{name}": ",".join(map(_family, of)) for name, of in numbered.items()}
    return {**out, "table.groups.enabled": ",".join(numbered)}


def _family(family: bytes) -> str:
    return "".join(
        chr(byte) if 32 <= byte <= 126 and byte not in b"\\," else f"\\x{byte:02x}"
        for byte in family
    )
