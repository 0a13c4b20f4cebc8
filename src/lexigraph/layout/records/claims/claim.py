"""What a claim is, and the cell that holds those of many writers.

Layer ``layout``. Section 10 of ``spec/facts.md``. A writer claims a *place* before it looks whether
it may write there. Places are digests, and many share a row: so claims name no vertex, and their
rows do not grow with the graph.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidBytes
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject

FAMILY: Final = b"claims"
ROWS: Final = 1024
"""How many rows hold the claims of a graph. Stored: never change it."""
_SIZE: Final = 16
_KINDS: Final[dict[str, type[VertexSubject] | type[EdgeSubject]]] = {
    "vertex": VertexSubject,
    "edge": EdgeSubject,
}

Claimed = VertexSubject | EdgeSubject


@dataclass(frozen=True, slots=True)
class Claim:
    """An element that is to be written, and the place that it needs for itself."""

    place: bytes
    subject: Claimed
    visibility: bytes
    """Of the existence that is to be written: who cannot read it does not wait for it."""


@dataclass(frozen=True, slots=True)
class Claiming:
    """A claim as others find it, with the token of the attempt that made it.

    ``patience_ms`` is how long they leave it alone.
    """

    token: bytes
    claim: Claim
    patience_ms: int


def new_token() -> bytes:
    """Return bytes that no other attempt has."""
    return os.urandom(_SIZE)


def place_of(*parts: Any) -> bytes:
    """Return the place that these values name.

    >>> place_of("out", "OWNS", b"ann") == place_of("out", "OWNS", b"bob")
    False
    """
    return blake2b(ANY.encode_value(parts), digest_size=_SIZE).digest()


def row_of(place: bytes) -> bytes:
    """Return the row that holds the claims of a place.

    >>> row_of(bytes(16))
    b'claims:0000'
    """
    return b"claims:%04x" % (int.from_bytes(place[:4], "big") % ROWS)


def encode_claims(held: Iterable[Claiming]) -> bytes:
    """Write the claims of a row, in their order; equal ones never give equal bytes.

    So a value that is there again is one that nobody has replaced.
    """
    listed = tuple(
        (
            one.token,
            one.claim.place,
            "vertex" if isinstance(one.claim.subject, VertexSubject) else "edge",
            one.claim.subject.id,
            one.claim.visibility,
            one.patience_ms,
        )
        for one in held
    )
    return new_token() + ANY.encode_value(listed)


def decode_claims(value: bytes) -> list[Claiming]:
    """Read the claims of a row.

    >>> claim = Claim(bytes(16), EdgeSubject("k"), b"hr")
    >>> decode_claims(encode_claims([Claiming(b"mine", claim, 50)])) == [
    ...     Claiming(b"mine", claim, 50)
    ... ]
    True
    """
    listed = ANY.decode_value(value[_SIZE:])
    if not isinstance(listed, tuple) or not all(map(_is_claiming, listed)):
        raise InvalidBytes("a row of claims is not as this version writes it")
    return [
        Claiming(token, Claim(place, _KINDS[kind](name), visibility), patience)
        for token, place, kind, name, visibility, patience in listed
    ]


def _is_claiming(one: Any) -> bool:
    kinds = (bytes, bytes, str, object, bytes, int)
    return (
        isinstance(one, tuple)
        and len(one) == len(kinds)
        and all(map(isinstance, one, kinds))
        and one[2] in _KINDS
    )
