"""An element as an answer holds it: names and values of the schema, no bytes.

Layer ``plan``. Absent properties are not in the mapping. Two elements are equal when they say the
same, whichever of an edge's ends they were found by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexigraph.errors import AttributeNotFound, PropertyNotFound, nearest, show


@dataclass(frozen=True, slots=True)
class Element:
    """One vertex or edge of a group, as its reader may see it.

    >>> ends = {"source": "ann", "destination": "bob", "directed": True}
    >>> call = Element("edge", "calls", {"count": 3}, **ends)
    >>> call["count"], call.other("ann"), call
    (3, 'bob', <calls 'ann' -> 'bob' count=3>)
    """

    kind: str
    group: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    vertex: Any = None
    source: Any = None
    destination: Any = None
    directed: bool | None = None
    matched: str | None = field(default=None, compare=False)
    """The end by which an edge was found: ``source`` or ``destination``; ``None`` where no vertex
    was asked for."""

    if not TYPE_CHECKING:
        # Type checkers are to see the attributes that there are, and no others.
        def __getattr__(self, name: str) -> Any:
            """Raise: a property is not an attribute here."""
            if name.startswith("_") or name in (*Element.__slots__, *type(self).__slots__):
                # Packages look for these, and copies before anything is set.
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            if name in self.properties:
                raise AttributeNotFound(
                    f"{name!r} is a property of this element, not an attribute: use [{name!r}]",
                    hint="Questions with .derive(...), and graphs that were opened without "
                    "classes, return elements whose properties are read by name.",
                )
            known = [one for one in dir(self) if not one.startswith("_")]
            raise AttributeNotFound(
                f"this element of group {self.group!r} has no {name!r}",
                near=nearest(name, [*self.properties, *known]),
                hint=f"Its properties, read by name: {', '.join(self.properties) or 'none'}. "
                f"Its attributes: {', '.join(known)}.",
            )

    def __getitem__(self, name: str) -> Any:
        """Return a property; one that is absent is PropertyNotFound."""
        try:
            return self.properties[name]
        except KeyError:
            raise PropertyNotFound(
                f"this element of group {self.group!r} has no property {show(name)}",
                near=nearest(name, self.properties),
                hint="Use .get(name) for properties that may be absent.",
            ) from None

    def get(self, name: str, default: Any = None) -> Any:
        """Return a property, or ``default`` if it is absent."""
        return self.properties.get(name, default)

    def other(self, vertex: Any) -> Any:
        """Return the end of an edge that is not ``vertex``."""
        return self.destination if vertex == self.source else self.source

    @property
    def ids(self) -> dict[str, Any]:
        """The vertex, or source and destination."""
        if self.kind == "vertex":
            return {"vertex": self.vertex}
        return {"source": self.source, "destination": self.destination}

    @property
    def is_directed(self) -> bool:
        """Whether it is an edge that leads from source to destination and not back."""
        return bool(self.directed)

    def __repr__(self) -> str:
        """Show it in one line."""
        given = "".join(f" {name}={show(item, 40)}" for name, item in self.properties.items())
        if self.kind == "vertex":
            return f"<{self.group} {show(self.vertex, 40)}{given}>"
        arrow = "->" if self.directed else "--"
        return f"<{self.group} {show(self.source, 40)} {arrow} {show(self.destination, 40)}{given}>"
