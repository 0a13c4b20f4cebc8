"""Values that people pass, and fields of JSON objects, read strictly: each known, each of its kind.

Above ``errors`` alone, so that every layer refuses in the same words what it does not know: a
misspelt field is an error and never a silent default.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from lexigraph.errors import InvalidOption, InvalidValue, nearest, show

LONGEST_S = 1e9
"""The longest time limit in seconds, about 30 years: clocks count no further."""


def read_object(
    value: Any, known: Collection[str], what: str, *, version: bool = False
) -> dict[str, Any]:
    """Return a JSON object whose fields are all known; with ``version``, it must be version 1.

    >>> read_object({"rows": 1}, ["row"], "table")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: a table has no field 'rows' (did you mean: row?)
    """
    if not isinstance(value, dict):
        raise InvalidOption(f"a {what} in JSON is an object, not {show(value)}")
    for name in value:
        if name not in known and not (version and name == "version"):
            raise InvalidOption(f"a {what} has no field {name!r}", near=nearest(name, known))
    if version and (isinstance(value.get("version"), bool) or value.get("version") != 1):
        raise InvalidOption(f"a {what} needs version 1, this has {value.get('version')!r}")
    return value


def read_list(value: Any, what: str) -> list[Any]:
    """Return a JSON list."""
    if not isinstance(value, list | tuple):
        raise InvalidOption(f"{what} must be a list, not {show(value)}")
    return list(value)


def read_bool(value: Any, what: str) -> bool:
    """Return true or false, and take nothing for them."""
    if not isinstance(value, bool):
        raise InvalidOption(f"{what} must be true or false, not {show(value)}")
    return value


def read_int(value: Any, what: str, *, least: int | None = None) -> int:
    """Return an integer, at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidOption(f"{what} must be an integer, not {show(value)}")
    if least is not None and value < least:
        raise InvalidOption(f"{what} must be at least {least}, not {show(value)}")
    return value


def read_count(count: Any, what: str, *, most: int = 2**63 - 1) -> int:
    """Return how many, at least one."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InvalidValue(f"{what} must be an integer of at least 1, not {show(count)}")
    if count > most:
        raise InvalidValue(f"{what} must be at most {most:,}, not {show(count)}")
    return count


def read_int64(value: Any, what: str) -> int:
    """Return a signed 64-bit integer.

    >>> read_int64(2**63, "now")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: now does not fit in a signed 64-bit integer: 9223372036854775808
    """
    number = read_int(value, what)
    if not -(2**63) <= number < 2**63:
        raise InvalidOption(f"{what} does not fit in a signed 64-bit integer: {show(number)}")
    return number


def read_choice(value: Any, choices: Collection[str], what: str) -> str:
    """Return one of some words."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidOption(f"{what} must be one of {', '.join(choices)}, not {show(value)}")
    return value


def read_mapping(value: Any, what: str) -> dict[str, Any]:
    """Return a JSON object with any names."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise InvalidOption(f"{what} must be an object, not {show(value)}")
    return value


def check_plans(plans: Any) -> None:
    """Refuse what does not map names to plans."""
    if not isinstance(plans, Mapping) or not all(isinstance(name, str) for name in plans):
        raise InvalidOption(f"plans map names to key plans in their JSON form, not {show(plans)}")


def read_timeout(timeout_s: Any) -> float | None:
    """Return a time limit in seconds, or None for no limit.

    >>> read_timeout(-1)
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: timeout_s is a number of seconds above 0, not -1
    """
    if timeout_s is None:
        return None
    number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if not number or not 0 < timeout_s <= LONGEST_S:
        raise InvalidOption(f"timeout_s is a number of seconds above 0, not {show(timeout_s)}")
    return float(timeout_s)
