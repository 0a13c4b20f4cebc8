"""Tables of sorted, labelled cells: the contract, the stages and the engines."""

from lexigraph.store.batch import CellBatch
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.cells import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell, Key
from lexigraph.store.clock import Clock, ManualClock, SystemClock
from lexigraph.store.conditions import Condition, ConditionalMutation, Outcome
from lexigraph.store.memory import MemoryEngine
from lexigraph.store.mutations import MutationBatch, Mutations
from lexigraph.store.ranges import Range
from lexigraph.store.reports import MergeReport, StageCount, StagePlacement, TableStats
from lexigraph.store.scan import Resume, ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.table import Table

__all__ = [
    "MAX_TIMESTAMP",
    "MIN_TIMESTAMP",
    "Capabilities",
    "Cell",
    "CellBatch",
    "Clock",
    "Condition",
    "ConditionalMutation",
    "Engine",
    "Key",
    "ManualClock",
    "MemoryEngine",
    "MergeReport",
    "MutationBatch",
    "Mutations",
    "Outcome",
    "Range",
    "Resume",
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
