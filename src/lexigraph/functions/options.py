"""The options that an aggregator or a transform declares, and how given ones are read.

Layer ``functions``. An option stands beside the name in JSON and is left out where it has its
default. One that is not declared, or that has another type, is refused with the nearest name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import InvalidOption, nearest, show

_SCHEMAS: dict[type, dict[str, Any]] = {
    **{str: {"type": "string"}, bool: {"type": "boolean"}},
    **{dict: {"type": "object"}, object: {}},
}


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its type, its default, and what else must hold of it.

    >>> Option(int, 10, lambda n: 1 <= n <= 99, "from 1 to 99").read(0, "'n'")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: 'n' is int from 1 to 99, not 0
    """

    type: type
    default: Any
    check: Callable[[Any], bool] | None = None
    what: str = ""
    """What ``check`` asks for, in words."""
    allows: Mapping[str, Any] | None = None
    """What type and check ask for, as JSON Schema; ``None`` if the type says all."""

    def schema(self) -> dict[str, Any]:
        """Describe the option in JSON Schema, with its default.

        >>> integer(10, 1, 99).schema()
        {'type': 'integer', 'minimum': 1, 'maximum': 99, 'default': 10}
        """
        allows = self.allows
        return {**(_SCHEMAS[self.type] if allows is None else allows), "default": self.default}

    def read(self, value: Any, name: str) -> Any:
        """Return the value, or say what it should have been."""
        fits = isinstance(value, self.type) and isinstance(value, bool) == (self.type is bool)
        if not fits or (self.check is not None and not self.check(value)):
            raise InvalidOption(f"{name} is {self.type.__name__} {self.what}, not {show(value)}")
        return value


def integer(default: int, lowest: int, highest: int) -> Option:
    """Declare an integer between two bounds."""
    inside = range(lowest, highest + 1)
    allows = {"type": "integer", "minimum": lowest, "maximum": highest}
    return Option(int, default, inside.__contains__, f"from {lowest} to {highest}", allows)


def choice(default: str, *words: str) -> Option:
    """Declare one of a few words."""
    what = f"of {', '.join(words)}"
    return Option(str, default, words.__contains__, what, {"enum": list(words)})


def text(default: str) -> Option:
    """Declare any text that UTF-8 can hold."""
    return Option(str, default, _has_utf8, "without lone surrogates")


def flag(*, default: bool = False) -> Option:
    """Declare true or false."""
    return Option(bool, default, None, "(true or false)")


def read_options(
    what: str, declared: Mapping[str, Option], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return every declared option, with its default where it is not given.

    >>> read_options("'reservoir'", {"size": integer(10, 1, 99)}, {"sise": 3})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: 'reservoir' has no option 'sise' (did you mean: size?)
    """
    for name in given:
        if name not in declared:
            known = ", ".join(declared)
            raise InvalidOption(
                f"{what} has no option {name!r}",
                near=nearest(name, declared),
                hint=f"Its options are: {known}." if known else "It has no options.",
            )
    return {
        name: option.read(given[name], f"option {name!r} of {what}")
        if name in given
        else option.default
        for name, option in declared.items()
    }


def _has_utf8(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)
