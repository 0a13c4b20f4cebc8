"""Values in iterator settings, read as Java reads them: flags, numbers, sizes, character sets.

Layer ``store``. What Java takes is taken, down to Unicode digits and what counts as true; what it
refuses is InvalidOption.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexigraph.codec.accumulo.counters import counter_for
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.store.stages.java_text import DECODERS

Options = Mapping[str, str]

MAX_INT = 2**31 - 1


def read_flag(options: Options, name: str, *, default: bool = False) -> bool:
    """Read a flag: ``true`` in any case is true, everything else is false."""
    return options[name].lower() == "true" if name in options else default


def read_text(options: Options, name: str) -> str:
    """Read an option that must be there."""
    if name not in options:
        raise InvalidOption(f"the option {name!r} is missing")
    return options[name]


def to_bytes(text: str) -> bytes:
    """Write text as UTF-8."""
    # Java writes a lone surrogate as a question mark.
    return text.encode("utf-8", "replace")


def read_long(options: Options, name: str) -> int:
    """Read a 64-bit number that must be there."""
    return to_number(read_text(options, name), name)


def read_integer(options: Options, name: str, default: int | None = None) -> int:
    """Read a 32-bit number; without a default it must be there."""
    if default is not None and name not in options:
        return default
    number = read_long(options, name)
    if not -MAX_INT - 1 <= number <= MAX_INT:
        raise InvalidOption(f"{name} does not fit into 32 bits: {number}")
    return number


def to_number(text: str, name: str) -> int:
    """Read a 64-bit number; ``name`` is named in the error."""
    try:
        return counter_for("STRING").decode(to_bytes(text))
    except InvalidBytes as error:
        raise InvalidOption(f"{name} is not a number: {error.message}") from error


def to_size(text: str) -> int:
    """Read a number of bytes: ``600B``, ``1K``, ``2M``, ``3G``.

    >>> to_size("2K")
    2048
    """
    match = re.fullmatch(r"([0-9]+)([BKMGbkmg]?)", text.strip())
    if match is None:
        raise InvalidOption(f"a size is a number followed by B, K, M or G, not {text!r}")
    return int(match[1]) << {"": 0, "B": 0, "K": 10, "M": 20, "G": 30}[match[2].upper()]


def to_charset(name: str) -> str:
    """Read the name of a character set, also by one of its other names."""
    aliases = {
        "UTF8": "UTF-8",
        "LATIN1": "ISO-8859-1",
        "ISO8859_1": "ISO-8859-1",
        "ASCII": "US-ASCII",
    }
    canonical = aliases.get(name.upper(), name.upper())
    if canonical not in DECODERS:
        raise InvalidOption(f"the encoding is one of {', '.join(DECODERS)}, not {name!r}")
    return canonical
