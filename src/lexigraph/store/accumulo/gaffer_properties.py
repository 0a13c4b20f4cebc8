"""Gaffer's store properties, what each of them means here, and their defaults.

Layer ``store``, only for ``accumulo``. Names and defaults are those of Gaffer's documentation. What
names a class of Gaffer is taken where we have the same, and refused otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from lexigraph.errors import InvalidOption, show
from lexigraph.store.preferences import Preferences

STORE = "gaffer.store.class"
STORE_PROPERTIES = "gaffer.store.properties.class"
KEY_PACKAGE = "gaffer.store.accumulo.keypackage.class"
VALIDATOR = "gaffer.store.accumulo.enable.validator.iterator"
AT_ONCE = "accumulo.entriesForBatchScanner"
CLIENT_FILTER = "accumulo.clientSideBloomFilterSize"
PASSED_FILTER = "accumulo.maxBloomFilterToPassToAnIterator"
RATE = "accumulo.falsePositiveRate"
REPLICATION = "accumulo.file.replication"

NUMBERS = {
    "accumulo.batchScannerThreads": 10,
    AT_ONCE: 50_000,
    "accumulo.maxBufferSizeForBatchWriterInBytes": 1_000_000,
    "accumulo.maxTimeOutForBatchWriterInMilliseconds": 1000,
    "accumulo.numThreadsForBatchWriter": 10,
    CLIENT_FILTER: 838_860_800,
    PASSED_FILTER: 8_388_608,
}
"""Whole numbers of at least 1, with their defaults; filters are in bits."""

OTHERS = (STORE, STORE_PROPERTIES, KEY_PACKAGE, VALIDATOR, RATE, REPLICATION)
"""All others."""

DEFAULT_RATE = 0.0002

# By the last part of a class's name: its package changed from one release to the next.
_STORES = ("AccumuloStore", "SingleUseAccumuloStore")
MOCK_STORES = ("MockAccumuloStore", "SingleUseMockAccumuloStore")
"""Gaffer's stores that keep everything in the memory of one process."""
_KEY_PACKAGES = {"ByteEntityKeyPackage": "byte-entity", "ClassicKeyPackage": "classic"}


def read_numbers(found: Mapping[str, str]) -> dict[str, int]:
    """Read the whole numbers; those that are not given have their defaults."""
    return {name: _number(name, found.get(name), default) for name, default in NUMBERS.items()}


def is_mock(found: Mapping[str, str]) -> bool:
    """Return whether the properties name a store that keeps everything in memory."""
    return found.get(STORE, "").rpartition(".")[2] in MOCK_STORES


def read_preferences(
    found: Mapping[str, str], numbers: Mapping[str, int], *, stores: tuple[str, ...] = _STORES
) -> Preferences:
    """Read what graphs follow; what Gaffer alone could do is refused."""
    _check_class(STORE, found, stores)
    _check_class(STORE_PROPERTIES, found, ("AccumuloProperties",))
    return Preferences(
        layout=_layout(found.get(KEY_PACKAGE)),
        validates=_flag(VALIDATOR, found.get(VALIDATOR)),
        seeds_per_scan=numbers[AT_ONCE],
        client_filter_bits=max(numbers[CLIENT_FILTER], 64),
        passed_filter_bits=max(numbers[PASSED_FILTER], 64),
        false_positive_rate=_rate(found.get(RATE)),
    )


def read_table_properties(found: Mapping[str, str]) -> dict[str, str]:
    """Return what every table that is made gets besides its settings.

    >>> read_table_properties({"accumulo.file.replication": "2"})
    {'table.file.replication': '2'}
    """
    given = found.get(REPLICATION)
    if given is None:
        return {}
    return {"table.file.replication": str(_number(REPLICATION, given, 1))}


def _number(name: str, text: str | None, default: int) -> int:
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or int(text) < 1 or int(text) >= 2**31:
        raise InvalidOption(f"{name} is a whole number of at least 1, not {show(text)}")
    return int(text)


def _rate(text: str | None) -> float:
    if text is None:
        return DEFAULT_RATE
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < 1:
        raise InvalidOption(f"{RATE} is a number between 0 and 1, not {show(text)}")
    return rate


def _flag(name: str, text: str | None) -> bool:
    words = {None: True, "true": True, "false": False}
    lower = None if text is None else text.lower()
    if lower not in words:
        raise InvalidOption(f"{name} is true or false, not {show(text)}")
    return words[lower]


def _layout(text: str | None) -> str | None:
    if text is None:
        return None
    layout = _KEY_PACKAGES.get(text.rpartition(".")[2])
    if layout is None:
        raise InvalidOption(
            f"{KEY_PACKAGE} names {show(text)}, which is not one of Gaffer's key packages",
            hint=f"Key packages: {', '.join(_KEY_PACKAGES)}. Pass a layout of your own to "
            "lexigraph.open.",
        )
    return layout


def _check_class(name: str, found: Mapping[str, str], known: tuple[str, ...]) -> None:
    given = found.get(name)
    if given is None or given.rpartition(".")[2] in known:
        return
    hint = f"Remove it, or set it to gaffer.accumulostore.{known[0]}."
    if given.rpartition(".")[2] in MOCK_STORES:
        hint = "Open the file with lexigraph.open, which keeps such a graph in memory."
    raise InvalidOption(
        f"{name} names {show(given)}, and these properties are those of an Accumulo store",
        hint=hint,
    )
