"""What an engine says about its work: placements, merges and statistics.

Layer ``store``. Plain data, the same on every engine, so that tools can print and compare it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexigraph.store.stages.spec import StageSpec


@dataclass(frozen=True, slots=True)
class StagePlacement:
    """Where one stage of a scan runs."""

    stage: StageSpec
    in_engine: bool
    """False: in the client, after the scan. Once one stage is there, all above it are."""

    def __str__(self) -> str:
        """Say it in one line."""
        where = "engine" if self.in_engine else "client"
        return f"{self.stage.priority}: {self.stage.name} ({where})"


@dataclass(frozen=True, slots=True)
class StageCount:
    """How many cells one stage was given and passed on."""

    name: str
    cells_in: int
    cells_out: int


@dataclass(frozen=True, slots=True)
class MergeReport:
    """What a merge did."""

    table: str
    full: bool
    combined: bool
    """Whether combining was safe; if not, combining element stages passed cells on unchanged."""
    now: int
    runs: int
    """How many runs were merged."""
    cells_in: int
    cells_out: int
    stages: tuple[StageCount, ...] = ()

    def __str__(self) -> str:
        """Say it in one line."""
        kind = "full" if self.full else "partial"
        return (
            f"{kind} merge of {self.runs} runs of table {self.table!r}: "
            f"{self.cells_in} cells in, {self.cells_out} out"
        )


@dataclass(frozen=True, slots=True)
class TableStats:
    """What a table holds, as stored: with old versions and delete markers."""

    table: str
    cells: int
    delete_markers: int
    size_bytes: int
    runs: int
    splits: int
    newest: int | None
    """The newest commit, in the table's time unit."""
