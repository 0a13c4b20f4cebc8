"""Tables of sorted, labelled cells: the contract, the stages and the engines.

The public names of the layer. Each is imported when it is first asked for, so that a stage or an
engine can import one module without all the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexigraph.cells.batch import CellBatch
    from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell, Key
    from lexigraph.cells.key_sets import KeySet
    from lexigraph.cells.mutations import MutationBatch, Mutations
    from lexigraph.cells.ranges import Range
    from lexigraph.store.accumulo.engine import AccumuloEngine
    from lexigraph.store.capabilities import Capabilities
    from lexigraph.store.checks import Checked, CheckReport
    from lexigraph.store.clock import Clock, ManualClock, SystemClock
    from lexigraph.store.conditions import Condition, ConditionalMutation, Outcome
    from lexigraph.store.embedded.engine import EmbeddedEngine
    from lexigraph.store.load_files import LoadFiles
    from lexigraph.store.memory.engine import MemoryEngine
    from lexigraph.store.operators import RowReader
    from lexigraph.store.reports import (
        LoadReport,
        MergeReport,
        StageCount,
        StagePlacement,
        TableStats,
    )
    from lexigraph.store.scan.results import Scan
    from lexigraph.store.scan.spec import Resume, ScanSpec
    from lexigraph.store.settings import TableSettings
    from lexigraph.store.snapshot import Snapshot
    from lexigraph.store.spi import Engine
    from lexigraph.store.stages.spec import StageSpec
    from lexigraph.store.table import Table

_HOMES = {
    "store.accumulo.engine": ("AccumuloEngine",),
    "cells.batch": ("CellBatch",),
    "store.capabilities": ("Capabilities",),
    "cells.cell": ("MAX_TIMESTAMP", "MIN_TIMESTAMP", "Cell", "Key"),
    "store.checks": ("CheckReport", "Checked"),
    "store.clock": ("Clock", "ManualClock", "SystemClock"),
    "store.conditions": ("Condition", "ConditionalMutation", "Outcome"),
    "store.embedded.engine": ("EmbeddedEngine",),
    "cells.key_sets": ("KeySet",),
    "store.load_files": ("LoadFiles",),
    "store.memory.engine": ("MemoryEngine",),
    "cells.mutations": ("MutationBatch", "Mutations"),
    "cells.ranges": ("Range",),
    "store.reports": ("LoadReport", "MergeReport", "StageCount", "StagePlacement", "TableStats"),
    "store.scan.results": ("Scan",),
    "store.operators": ("RowReader",),
    "store.scan.spec": ("Resume", "ScanSpec"),
    "store.settings": ("TableSettings",),
    "store.snapshot": ("Snapshot",),
    "store.spi": ("Engine",),
    "store.stages.spec": ("StageSpec",),
    "store.table": ("Table",),
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
    value = getattr(import_module(f"lexigraph.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted({*globals(), *__all__})
