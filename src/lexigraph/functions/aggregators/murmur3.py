"""Murmur3, the 32-bit hash for x86, as samplers use it.

Layer ``functions``. Public-domain algorithm of Austin Appleby; the result is read as unsigned. It
must never change: a sample taken today has to be the sample taken tomorrow.
"""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def murmur3_32(data: bytes, seed: int = 0) -> int:
    """Return the hash of ``data``.

    >>> hex(murmur3_32(b"hello")), murmur3_32(b"")
    ('0x248bfa47', 0)
    """
    state = seed & _MASK
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        state ^= _scramble(int.from_bytes(data[at : at + 4], "little"))
        state = _rotate(state, 13) * 5 + 0xE6546B64 & _MASK
    if whole < len(data):
        state ^= _scramble(int.from_bytes(data[whole:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & _MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
    return state ^ state >> 16


def _scramble(block: int) -> int:
    return _rotate(block * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> 32 - bits) & _MASK
