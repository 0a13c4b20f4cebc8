"""What an engine guarantees, as data: printed in the docs and tested line by line.

Layer ``store``. Code asks here what an engine can do; it never asks which engine it is.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What one engine can do.

    >>> Capabilities("toy", stages=frozenset({"versions"})).runs("grep")
    False
    """

    engine: str
    atomic_unit: str = "batch"
    """``batch`` (over all tables of a write) or ``row``."""
    snapshots: bool = True
    transactions: bool = True
    """Whether ``write(if_unchanged=...)`` works."""
    buffers: bool = False
    """Whether a commit may stay in the memory of its process for a while, unless it depends on what
    others write."""
    conditional_writes: bool = True
    durabilities: tuple[str, ...] = ()
    """Levels that make a difference, weakest first; none where nothing outlives the process."""
    persistent: bool = False
    many_processes: bool = False
    splits: bool = True
    row_merges: bool = True
    """Whether a range of rows is merged without what lies around it."""
    loads_tables: bool = False
    """Whether a load may fill several tables in one commit."""
    locality_groups: bool = False
    bloom: bool = False
    stages: frozenset[str] | None = None
    """Stages that run in the engine; ``None`` is all of them."""
    operators: frozenset[str] = frozenset({"rows"})
    """Operators that ``Engine.prepare`` may return a reader for; the others it declines."""

    def runs(self, stage: str) -> bool:
        """Return whether a stage of this name can run in the engine."""
        return self.stages is None or stage in self.stages
