"""What a predicate is: a question about the fields of an element, as data.

Layer ``functions``. Values are key forms, so every language compares bytes and gives the same
answer. A comparison with an absent field is false, also ``ne``. A predicate is read once, bound
once to the fields of a group, and then called for each element.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol, Self

Test = Callable[[Any], bool]
MAX_DEPTH = 32
"""How deep predicates may nest, so that no scan can exhaust the stack of an engine."""


class Fields(Protocol):
    """What a predicate asks of a group: how to get at a field of an element."""

    def key_of(self, field: str) -> Callable[[Any], bytes | None]:
        """Give a reader of the field's key form; refuse fields that have none."""
        ...

    def presence_of(self, field: str) -> Test:
        """Give a test for whether the field is there."""
        ...


class Reader(Protocol):
    """How a predicate reads its own JSON; made by :func:`parse_predicate`."""

    def text(self, name: str) -> str:
        """Read a text."""
        ...

    def byte_string(self, name: str) -> bytes:
        """Read bytes."""
        ...

    def byte_strings(self, name: str) -> tuple[bytes, ...]:
        """Read a list of bytes."""
        ...

    def predicate(self, name: str) -> Predicate:
        """Read a predicate inside this one."""
        ...

    def predicates(self, name: str) -> tuple[Predicate, ...]:
        """Read a list of predicates inside this one."""
        ...


class Predicate(ABC):
    """A question about one element. ``name`` is its ``op``; ``members`` are its JSON fields."""

    name: ClassVar[str]
    members: ClassVar[tuple[str, ...]]
    depth: int = 1
    """How deep it nests, itself included."""

    @classmethod
    @abstractmethod
    def read(cls, reader: Reader) -> Self:
        """Make one from its JSON fields."""

    @abstractmethod
    def bind(self, fields: Fields) -> Test:
        """Give a test of elements that have these fields."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Write it; byte strings stay bytes, their JSON form is the store's."""

    def fields(self) -> Iterator[str]:
        """Give the names of the fields it looks at."""
        return iter(())
