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
        """Return the report in one line."""
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
    """Whether everything took part that its rows have."""
    combined: bool
    """Whether combining was safe; if not, combining element stages passed cells on unchanged."""
    now: int
    runs: int
    """How many runs were merged."""
    cells_in: int
    cells_out: int
    stages: tuple[StageCount, ...] = ()

    def __str__(self) -> str:
        """Return the report in one line."""
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
    stored_bytes: int | None = None
    """What its cells take on disk; ``None`` where nothing is on a disk."""
    blocks: int | None = None
    """In how many blocks they are."""
    delta_cells: int | None = None
    """How many of them wait to be merged into the others."""
    labels: int | None = None
    """How many distinct labels they have, as far as they were counted."""
    oldest_reader_s: float | None = None
    """For how long the oldest reader of the whole store has kept old pages from being reused."""
    merge_failure: str | None = None
    """Why the last merge in this process, most likely in the background, failed: a value that no
    stage can read, say. ``None`` once one succeeds; until then new cells wait beside the others."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge removed of what deleted cells had left behind."""

    whole: bool
    """Whether nothing of them is left in what the engine keeps."""
    splits: int = 0
    """How many split points were removed."""
    size_bytes: int | None = None
    """The size of the file afterwards; ``None`` where there is none."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a bulk load did."""

    table: str
    cells: int
    timestamp: int
    """The commit timestamp, which cells without one of their own have."""

    def __str__(self) -> str:
        """Return the report in one line."""
        return f"loaded {self.cells} cells into table {self.table!r}"
