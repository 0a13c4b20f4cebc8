"""What a source of a question has to say: where it reads, and what is left to check.

Layer ``plan``. An edge has two rows; a finder knows which of them a question reaches, so that it
gives each edge once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lexigraph.cells.key_sets import KeySet
from lexigraph.keyplan.element import StoredElement
from lexigraph.layout import Place, Wanted
from lexigraph.layout.wanted import BOTH
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.sources.seeds import BATCH, SeedSet
from lexigraph.store.answers.frames import FrameEnds
from lexigraph.store.preferences import Preferences

if TYPE_CHECKING:
    from lexigraph.plan.scope import Scope

EndsCheck = Callable[[StoredElement], bool]


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its word.

    >>> counted(1, "vertex", "vertices"), counted(0, "vertex", "vertices")
    ('1 vertex', '0 vertices')
    """
    return f"{number} {one if number == 1 else many}"


class Finder(ABC):
    """What one source reads."""

    once = False
    """Whether only one of an edge's two rows may be read."""
    shows_matched = True
    """Whether answers say by which end an edge was found."""
    has_ranges = True
    reads = False
    """Whether places are known only once something is read, at the moment of the run."""

    batch = BATCH
    """How many seeds are looked up by one scan."""

    def __init__(self, asked: Elements, keys: Keys) -> None:
        self.asked, self.keys = asked, keys
        self.encode = keys.vertex_codec.encode

    @abstractmethod
    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Give the places to look at, those of one scan at a time."""

    def for_run(self) -> Finder:
        """Return one that a single run may change."""
        return self

    def start(self, scope: Scope) -> None:  # noqa: B027 - most read nothing
        """Take the moment that is read; called before the first place."""

    def check(self) -> EndsCheck | None:
        """Give what the client has to check of each element, ``None`` for nothing."""
        return None

    def ends(self) -> FrameEnds | None:
        """Give the same as data, for an engine that checks it itself; ``None`` where it is none."""
        return None

    def other_in(self, preferences: Preferences) -> KeySet | None:
        """Give the vertices that the other end of an edge must be one of; ``None`` for any.

        It may let others through, which the check leaves out.
        """
        return None

    @abstractmethod
    def describe(self) -> str:
        """Say in a few words what is looked for."""

    def seeds(self, vertices: Iterable[Any]) -> SeedSet:
        """Encode vertices once."""
        is_set = isinstance(vertices, SeedSet)
        return vertices if is_set else SeedSet(vertices, self.keys.vertex_codec)  # type: ignore[return-value]

    def ends_of(self, element: StoredElement) -> tuple[bytes, bytes]:
        """Give the end of an edge that its row starts with, and the other."""
        source, destination = self.encode(element.source), self.encode(element.destination)
        return (destination, source) if element.matched == "destination" else (source, destination)

    def turns(self, element: StoredElement) -> bool:
        """Tell whether the edge's other row can be found by its own first vertex, too."""
        return not element.directed or self.asked.direction == BOTH
