"""The stages that come with Lexigraph, in the order of ``spec/scan.md`` sections 4 and 7.

Layer ``store``. A stage is built in because it stands in this tuple, for no other reason.
"""

from __future__ import annotations

from lexigraph.store.stages.base import Stage
from lexigraph.store.stages.cells.cell_stage import CellStage
from lexigraph.store.stages.cells.combiners import MaxStage, MinStage, SumArray, SumStage
from lexigraph.store.stages.cells.decimal_combiners import DecimalMax, DecimalMin, DecimalSum
from lexigraph.store.stages.cells.documents import IntersectDocuments
from lexigraph.store.stages.cells.intersect import Intersect
from lexigraph.store.stages.cells.labels import Labelled, VisibilityFilter
from lexigraph.store.stages.cells.matches import Grep, Regex
from lexigraph.store.stages.cells.packing import WholeFamily, WholeRow
from lexigraph.store.stages.cells.rows import FirstInRow, LargeRow, RowDelete
from lexigraph.store.stages.cells.sampling import Limit, Sample
from lexigraph.store.stages.cells.slices import ColumnSlice, QualifierSlice
from lexigraph.store.stages.cells.times import AgeOffStage, AsOf, ColumnAgeOff, TimeRange
from lexigraph.store.stages.cells.versions import Versions
from lexigraph.store.stages.elements import ELEMENT_STAGES

CELL_STAGES: tuple[type[CellStage], ...] = (
    Versions,
    AsOf,
    TimeRange,
    AgeOffStage,
    ColumnAgeOff,
    Regex,
    Grep,
    QualifierSlice,
    ColumnSlice,
    WholeRow,
    WholeFamily,
    FirstInRow,
    RowDelete,
    LargeRow,
    VisibilityFilter,
    Labelled,
    SumStage,
    MinStage,
    MaxStage,
    SumArray,
    DecimalSum,
    DecimalMin,
    DecimalMax,
    Intersect,
    IntersectDocuments,
    Limit,
    Sample,
)

BUILT_IN: tuple[type[Stage], ...] = (*CELL_STAGES, *ELEMENT_STAGES)
