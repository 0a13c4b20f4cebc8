"""Which record an error is about: how it was given, and where.

Layer ``graph``. A ValidationError names the element, the property and the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexigraph.errors import ValidationError


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """A vertex or an edge as it was given; ``number`` is its place among several."""

    kind: str
    shown: str
    number: int | None = None

    def error(self, name: str, why: str, *, kind: str = "property") -> ValidationError:
        """Return the error that says what is wrong with a property or an id."""
        place = "" if self.number is None else f"element {self.number}, "
        return ValidationError(
            f"{place}{self.shown}: {kind} {name!r}: {why}",
            element=self.shown if self.number is None else self.number,
            property=name,
            reason=why,
        )
