"""Order-preserving bytes for every type: the lowest layer that knows about bytes.

``codec_for(name)`` finds a codec; ``descending``, ``nullable``, ``tuple_codec`` and
``list_codec`` combine them; ``prefix`` turns them into ranges; ``rowid`` spreads rows. Accumulo's
own encodings are in ``lexicoders``, ``counters``, ``rows`` and ``columns``. docs/formats/codec.md
has every byte.
"""

from lexigraph.codec.base import Codec
from lexigraph.codec.composite import (
    Descending,
    ListCodec,
    Nullable,
    Nulls,
    TupleCodec,
    descending,
    list_codec,
    nullable,
    tuple_codec,
)
from lexigraph.codec.kinds.enums import EnumCodec, enum_codec
from lexigraph.codec.prefix import (
    Bound,
    KeyRange,
    bounded_range,
    following_prefix,
    prefix_range,
    successor,
    tuple_range,
)
from lexigraph.codec.registry import codec_for, is_built_in, names, part_codec, register

__all__ = [
    "Bound",
    "Codec",
    "Descending",
    "EnumCodec",
    "KeyRange",
    "ListCodec",
    "Nullable",
    "Nulls",
    "TupleCodec",
    "bounded_range",
    "codec_for",
    "descending",
    "enum_codec",
    "following_prefix",
    "is_built_in",
    "list_codec",
    "names",
    "nullable",
    "part_codec",
    "prefix_range",
    "register",
    "successor",
    "tuple_codec",
    "tuple_range",
]
