"""Tables of sorted, labelled cells: the contract, the stages and the engines.

The public names of the layer. Each is imported when it is first asked for, so that a stage or an
engine can import one module without all the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexigraph.store.accumulo.engine import AccumuloEngine
    from lexigraph.store.batch import CellBatch
    from lexigraph.store.capabilities import Capabilities
    from lexigraph.store.cells import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell, Key
    from lexigraph.store.checks import Checked, CheckReport
    from lexigraph.store.clock import Clock, ManualClock, SystemClock
    from lexigraph.store.conditions import Condition, ConditionalMutation, Outcome
    from lexigraph.store.embedded import EmbeddedEngine
    from lexigraph.store.key_sets import KeySet
    from lexigraph.store.load_files import LoadFiles
    from lexigraph.store.memory import MemoryEngine
    from lexigraph.store.mutations import MutationBatch, Mutations
    from lexigraph.store.ranges import Range
    from lexigraph.store.reports import (
        LoadReport,
        MergeReport,
        StageCount,
        StagePlacement,
        TableStats,
    )
    from lexigraph.store.results import Scan
    from lexigraph.store.row_reader import RowReader
    from lexigraph.store.scan import Resume, ScanSpec
    from lexigraph.store.settings import TableSettings
    from lexigraph.store.snapshot import Snapshot
    from lexigraph.store.spi import Engine
    from lexigraph.store.stages.spec import StageSpec
    from lexigraph.store.table import Table

_HOMES = {
    "accumulo.engine": ("AccumuloEngine",),
    "batch": ("CellBatch",),
    "capabilities": ("Capabilities",),
    "cells": ("MAX_TIMESTAMP", "MIN_TIMESTAMP", "Cell", "Key"),
    "checks": ("CheckReport", "Checked"),
    "clock": ("Clock", "ManualClock", "SystemClock"),
    "conditions": ("Condition", "ConditionalMutation", "Outcome"),
    "embedded": ("EmbeddedEngine",),
    "key_sets": ("KeySet",),
    "load_files": ("LoadFiles",),
    "memory": ("MemoryEngine",),
    "mutations": ("MutationBatch", "Mutations"),
    "ranges": ("Range",),
    "reports": ("LoadReport", "MergeReport", "StageCount", "StagePlacement", "TableStats"),
    "results": ("Scan",),
    "row_reader": ("RowReader",),
    "scan": ("Resume", "ScanSpec"),
    "settings": ("TableSettings",),
    "snapshot": ("Snapshot",),
    "spi": ("Engine",),
    "stages.spec": ("StageSpec",),
    "table": ("Table",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "MAX_TIMESTAMP",
    "MIN_TIMESTAMP",
    "AccumuloEngine",
    "Capabilities",
    "Cell",
    "CellBatch",
    "CheckReport",
    "Checked",
    "Clock",
    "Condition",
    "ConditionalMutation",
    "EmbeddedEngine",
    "Engine",
    "Key",
    "KeySet",
    "LoadFiles",
    "LoadReport",
    "ManualClock",
    "MemoryEngine",
    "MergeReport",
    "MutationBatch",
    "Mutations",
    "Outcome",
    "Range",
    "Resume",
    "RowReader",
    "Scan",
    "ScanSpec",
    "Snapshot",
    "StageCount",
    "StagePlacement",
    "StageSpec",
    "SystemClock",
    "Table",
    "TableSettings",
    "TableStats",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted({*globals(), *__all__})
