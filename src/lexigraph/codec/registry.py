"""Codecs by name, as key plans and schemas refer to them.

Codec layer. The names below are stored in key plans: never rename one. Users add their own with
``register``; a name once taken keeps its meaning for as long as the process lives.
"""

from __future__ import annotations

import re
from typing import Any

from lexigraph.codec.base import Codec
from lexigraph.codec.composite import Descending, Nulls, nullable
from lexigraph.codec.kinds import basics, daytimes, decimals, floats, geo, integers, moments
from lexigraph.codec.kinds.streams import STREAM
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidName, InvalidValue, nearest

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]*")

_CODECS: dict[str, Codec[Any]] = {
    codec.name: codec
    for codec in (
        basics.NULL,
        basics.BOOL,
        integers.INT,
        integers.INT8,
        integers.INT16,
        integers.INT32,
        integers.INT64,
        floats.FLOAT,
        floats.FLOAT32,
        decimals.DECIMAL,
        basics.STR,
        basics.BYTES,
        moments.DATE,
        daytimes.TIME,
        moments.NAIVE_DATETIME,
        moments.DATETIME,
        moments.TIMEDELTA,
        basics.UUID_CODEC,
        basics.IP,
        geo.GEO,
        ANY,
    )
}


_OF_RECORDS: dict[str, Codec[Any]] = {STREAM.name: STREAM}
"""Types that only values of records have; key plans and stages do not know them."""
_BUILT_IN = frozenset(_CODECS)


def is_built_in(name: str) -> bool:
    """Return whether a codec comes with Lexigraph; others are users' own.

    >>> is_built_in("int64"), is_built_in("colour")
    (True, False)
    """
    return name in _BUILT_IN


def register(codec: Codec[Any]) -> None:
    """Add a codec under its own name; a taken name is refused.

    >>> from lexigraph.codec import codec_for
    >>> register(codec_for("int"))
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidName: there is already a codec named 'int'
    """
    if not isinstance(codec, Codec):
        raise InvalidValue(
            f"a codec is an instance of lexigraph.codec.Codec, not {type(codec).__name__}",
            hint="Register an instance of your class: register(MyCodec()).",
        )
    name = getattr(codec, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidName(f"{name!r} is not a valid name for a codec")
    if name in _CODECS or name in _OF_RECORDS:
        raise InvalidName(f"there is already a codec named {name!r}")
    _CODECS[name] = codec


def codec_for(name: str) -> Codec[Any]:
    """Find a codec by name.

    >>> codec_for("int64")
    <codec int64>
    """
    codec = _CODECS.get(name) or _OF_RECORDS.get(name) if isinstance(name, str) else None
    if codec is None:
        raise InvalidName(
            f"there is no codec {name!r}; there are {', '.join(names())}",
            near=nearest(name, _CODECS),
            hint="Use one of these names, or register a codec of your own first.",
        )
    return codec


def names() -> list[str]:
    """List the names of all codecs, sorted.

    >>> "decimal" in names()
    True
    """
    return sorted(_CODECS)


def part_codec(
    name: str | Codec[Any], *, descending: bool = False, nulls: Nulls | None = None
) -> Codec[Any]:
    """Build the codec of one part of a key plan; without ``nulls``, null is refused.

    >>> part_codec("int8", descending=True, nulls="first").encode_part(1).hex()
    '017e'
    """
    codec = codec_for(name) if isinstance(name, str) else name
    if descending:
        codec = Descending(codec)
    return codec if nulls is None else nullable(codec, nulls)
