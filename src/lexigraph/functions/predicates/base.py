"""What a predicate is: a question about the fields of an element, as data.

Layer ``functions``. Values are key forms, so every language compares bytes and gives the same
answer. A comparison with an absent field is false, also ``ne``. A predicate is read once, bound
once to the fields of a group, and then called for each element.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from lexigraph.codec import Codec

Test = Callable[[Any], bool]
MAX_DEPTH = 32
"""How deep predicates may nest, so that no scan can exhaust the stack of an engine."""

PredicateJson = Mapping[str, Any]
"""A predicate in its JSON form."""


class Holds(NamedTuple):
    """What a field holds."""

    codec: Codec[Any]
    """The codec of its values, or of those in its collection."""
    result: Codec[Any] | None
    """The codec of what people see; ``None`` for a collection."""


class Fields(Protocol):
    """What a predicate asks of a group: how to get at a field of an element."""

    @property
    def now(self) -> int:
        """The scan's clock, in microseconds since 1970."""
        ...

    def holds(self, field: str) -> Holds:
        """Return what a field holds; refuse one that is not there."""
        ...

    def value_of(self, field: str) -> Callable[[Any], Any]:
        """Return a reader of the field's finished value; ``None`` where it is absent."""
        ...

    def key_of(self, field: str) -> Callable[[Any], bytes | None]:
        """Return a reader of the field's key form; refuse fields that have none."""
        ...

    def presence_of(self, field: str) -> Test:
        """Return a test for whether the field is there."""
        ...

    def key_set(self, name: str) -> Container[bytes]:
        """Return a set of key forms that the scan brings along; refuse one that it does not."""
        ...


class PredicateReader(Protocol):
    """How a predicate reads its own JSON; made by :func:`parse_predicate`."""

    def text(self, name: str) -> str:
        """Read a text."""
        ...

    def has(self, name: str) -> bool:
        """Return whether an optional member is there."""
        ...

    def flag(self, name: str) -> bool:
        """Read true or false."""
        ...

    def integer(self, name: str) -> int:
        """Read an integer of 64 bits."""
        ...

    def choice(self, name: str, words: tuple[str, ...]) -> str:
        """Read one of several words."""
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
    optional: ClassVar[tuple[str, ...]] = ()
    """JSON fields that may be left out."""
    depth: int = 1
    """How deep it nests, itself included."""

    @classmethod
    def variant(cls, members: Iterable[str]) -> type[Predicate]:
        """Return the class for these JSON fields, where one name has several forms."""
        return cls

    @classmethod
    @abstractmethod
    def read(cls, reader: PredicateReader) -> Self:
        """Make one from its JSON fields."""

    @abstractmethod
    def bind(self, fields: Fields) -> Test:
        """Return a test of elements that have these fields."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Write it; byte strings stay bytes, their JSON form is the store's."""

    def fields(self) -> Iterator[str]:
        """Yield the names of the fields it looks at."""
        return iter(())
