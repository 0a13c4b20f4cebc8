"""Things by name: aggregators and predicates, ours and those that users add.

Layer ``functions``. Built-in ones are listed explicitly where a registry is made, never by the side
effect of an import. A name once taken keeps its meaning for as long as the process lives.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Generic, Protocol, TypeVar

from lexigraph.errors import InvalidName, InvalidOption, nearest


class Named(Protocol):
    """Anything with a name of its own."""

    name: ClassVar[str]


N = TypeVar("N", bound=Named)


class Registry(Generic[N]):
    """Classes by name; an unknown name is answered with the nearest ones.

    >>> from lexigraph.functions import AGGREGATORS
    >>> AGGREGATORS.find("summ")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: there is no aggregator 'summ' (did you mean: sum?)
    """

    def __init__(self, what: str, built_in: Iterable[type[N]]) -> None:
        self.what = what
        self._entries: dict[str, type[N]] = {entry.name: entry for entry in built_in}

    @property
    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._entries)

    def register(self, entry: type[N]) -> None:
        """Add a class under its ``name``; a taken name is refused."""
        name = getattr(entry, "name", None)
        if not isinstance(name, str) or not name:
            raise InvalidName(f"{name!r} is not a valid name for a {self.what}")
        if name in self._entries:
            raise InvalidName(f"there is already a {self.what} named {name!r}")
        self._entries[name] = entry

    def find(self, name: object) -> type[N]:
        """Return the class of that name."""
        entry = self._entries.get(name) if isinstance(name, str) else None
        if entry is None:
            raise InvalidOption(
                f"there is no {self.what} {name!r}",
                near=nearest(name, self._entries),
                hint=f"Available: {', '.join(self.names)}. Users can register more.",
            )
        return entry
