"""Arguments of the embedded engine alone, read into what the native module takes.

Layer ``store``, only for ``embedded``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from lexigraph.errors import InvalidOption, show
from lexigraph.store.arguments import read_durability
from lexigraph.store.conditions import ConditionalMutation
from lexigraph.store.embedded.native import batch_parts
from lexigraph.store.settings import TableSettings

DURABILITIES = ("buffered", "relaxed", "sync")
"""Weakest first."""
MOST_THREADS = 256
"""More would only wait for each other."""
MOST_MAP_BYTES = 1 << 46
"""64 TiB. A process has 128 TiB of addresses, which other stores and programs share."""


def settings_text(settings: TableSettings) -> str:
    """Return settings as JSON text."""
    return json.dumps(settings.to_json())


def read_path(path: Any) -> Path:
    """Return the path of a directory."""
    named = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(named, str) or not named:
        raise InvalidOption(
            f"a directory is named by a path, not {type(path).__name__}: {show(path)}",
            hint="Pass text or a pathlib.Path.",
        )
    try:
        named.encode()
    except UnicodeEncodeError:
        raise InvalidOption(
            f"the path {show(named)} is not valid text",
            hint="Choose a directory whose name is UTF-8.",
        ) from None
    return Path(named)


def read_span(seconds: Any, what: str) -> float:
    """Return a number of seconds."""
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 <= seconds < 2**32:
        raise InvalidOption(f"{what} is a number of seconds, 0 or more, not {show(seconds)}")
    return float(seconds)


def read_threads(threads: Any) -> int:
    """Return how many threads a large scan uses; None is one for each core, up to eight."""
    if threads is None:
        return min(os.cpu_count() or 1, 8)
    number = isinstance(threads, int) and not isinstance(threads, bool)
    if not number or not 1 <= threads <= MOST_THREADS:
        raise InvalidOption(
            f"threads is a number from 1 to {MOST_THREADS}, not {show(threads)}",
            hint="Leave it out for one thread on each core.",
        )
    return int(threads)


def read_level(durability: Any) -> str | None:
    """Return one of this engine's levels, or None for the table's or the engine's."""
    level = read_durability(durability)
    if level is not None and level not in DURABILITIES:
        raise InvalidOption(
            f"this engine does not support durability {level!r}; choose one of "
            f"{', '.join(DURABILITIES)}",
            hint="When a write returns: sync is on disk, relaxed is in the file, buffered is in "
            "memory.",
        )
    return level


def conditional_parts(mutation: ConditionalMutation) -> tuple[Any, ...]:
    """Return a conditional mutation as the native module takes it."""
    conditions = [
        (item.family, item.qualifier, item.visibility, item.value, item.timestamp)
        for item in mutation.conditions
    ]
    return mutation.row, conditions, batch_parts(mutation.batch())
