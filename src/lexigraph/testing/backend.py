"""What the suite must know of an engine under test: how to make one, and what it cannot do.

Layer ``testing``. Everything else is asked of the engine itself, through the contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

from lexigraph.security import All
from lexigraph.store import Capabilities, Clock, Engine
from lexigraph.testing.marks import Gap


class MakeEngine(Protocol):
    """Makes a fresh, empty engine that takes its time and its grants from the test."""

    def __call__(self, *, clock: Clock = ..., grants: list[str] | All = ...) -> Engine:
        """Make it."""
        ...


@dataclass(frozen=True)
class Backend:
    """An engine under test."""

    name: str
    make: MakeEngine
    make_runs: MakeEngine | None = None
    """Makes one that keeps a run for each commit and merges some by ``compact(runs=(i, j))``."""
    gaps: Mapping[str, Gap] = field(default_factory=dict)
    """Tests that are known to fail, by name, and why."""

    promised: Capabilities | None = None
    """What an engine of this kind guarantees, where making one to ask it takes long."""

    @cached_property
    def capabilities(self) -> Capabilities:
        """What an engine of this kind guarantees."""
        if self.promised is not None:
            return self.promised
        with self.make() as engine:
            return engine.capabilities

    def lacks(self, feature: str) -> str | None:
        """Return why a feature is missing, or ``None`` when it is there."""
        if feature == "partial-merges":
            return (
                None if self.make_runs is not None else "it cannot merge only some runs of a table"
            )
        if feature == "atomic-batches":
            unit = self.capabilities.atomic_unit
            return None if unit == "batch" else f"its atomic unit is the {unit}"
        value = getattr(self.capabilities, feature)
        return None if value else f"its capabilities say {feature}={value!r}"


class Topic:
    """Tests of one topic; those made for an engine know it and the topic they come from."""

    backend: ClassVar[Backend]
    topic: ClassVar[type[Topic]]
