"""How records are added: the options of ``add``, ``add_vertex`` and ``add_edge``.

Layer ``graph``. They are about records. Elements of summary groups in the same call take the
visibility and the time if they have a field for it; else the call is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.arguments import read_bool
from lexigraph.errors import UsageError, ValidationError, show
from lexigraph.graph.write.records.given import read_note
from lexigraph.layout.write.given import GivenElement, read_given
from lexigraph.schema import Schema
from lexigraph.schema.keys import label_of, time_of


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """What a call says of all its records. ``None`` is not given."""

    visibility: bytes | None = None
    time: int | None = None
    note: Any = None
    replace: bool = False
    new: bool = False
    blind: bool = False
    generated: bool = False
    """Whether the id was generated: nobody else was given it."""

    @staticmethod
    def read(
        *,
        visibility: Any = None,
        time: Any = None,
        note: Any = None,
        replace: Any = False,
        new: Any = False,
        blind: Any = False,
    ) -> RecordOptions:
        """Read what a caller passed."""
        return RecordOptions(
            None if visibility is None else label_of(visibility),
            None if time is None else time_of(time),
            read_note(note),
            read_bool(replace, "replace"),
            read_bool(new, "new"),
            read_bool(blind, "blind"),
        )

    def of_change(self) -> dict[str, Any]:
        """Return what a change that adds a record has of them."""
        return {
            "visibility": self.visibility or b"",
            "time": self.time,
            "note": self.note,
            "replace": self.replace,
            "new": self.new,
            "blind": self.blind,
            "generated": self.generated,
        }

    def apply_to_summary(self, item: Any, schema: Schema, number: int) -> Any:
        """Return an element of a summary group with what the call says; refuse what cannot be."""
        for name in ("replace", "new", "note"):
            if getattr(self, name):
                raise UsageError(
                    f"element {number}, {show(item)}: {name}= is for records",
                    hint=f"Add records and summaries in separate calls, or leave {name} out.",
                )
        if self.visibility is None and self.time is None:
            return item
        given = read_given(item, schema, number)
        filled = self._filled("visibility", self.visibility, given, schema, number)
        return self._filled("time", self.time, filled, schema, number)

    def _filled(
        self, name: str, value: Any, given: GivenElement, schema: Schema, number: int
    ) -> GivenElement:
        if value is None:
            return given
        group = schema.group(given.group)
        field = group.visibility if name == "visibility" else group.timestamp
        if field is None:
            called = "visibility" if name == "visibility" else "timestamp"
            raise ValidationError(
                f"element {number}, {show(given)}: {name}= was given, and {group.name!r} has no "
                f"field lg.{called}()",
                element=number,
                property=name,
                reason=f"the group has no field for {name}",
                hint=f"Add it in a call without {name}=, or give its class such a field.",
            )
        properties: Mapping[str, Any] = given.properties
        if properties.get(field) is not None:
            return given
        return replace(given, properties={**properties, field: value})


def read_properties(given: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """Return properties that are given as a mapping and as keywords."""
    if given is None:
        return dict(named)
    if not isinstance(given, Mapping):
        raise UsageError(f"properties is a mapping of names to values, not {show(given)}")
    twice = [name for name in given if name in named]
    if twice:
        raise UsageError(f"{twice[0]!r} is given twice: in properties and as a keyword")
    return {**given, **named}


NO_RECORD_OPTIONS = RecordOptions()
