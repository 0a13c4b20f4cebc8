"""The stages that come with Lexigraph, in the order of ``spec/scan.md`` sections 4 and 7.

Layer ``store``. A stage is built in because it stands in this tuple, for no other reason.
"""

from __future__ import annotations

from lexigraph.store.stages.base import Stage
from lexigraph.store.stages.cell_stage import CellStage
from lexigraph.store.stages.combiners import Max, Min, Sum, SumArray
from lexigraph.store.stages.decimal_combiners import DecimalMax, DecimalMin, DecimalSum
from lexigraph.store.stages.documents import IntersectDocuments
from lexigraph.store.stages.elements import ELEMENT_STAGES
from lexigraph.store.stages.intersect import Intersect
from lexigraph.store.stages.labels import Labelled, VisibilityFilter
from lexigraph.store.stages.matches import Grep, Regex
from lexigraph.store.stages.packing import WholeFamily, WholeRow
from lexigraph.store.stages.rows import FirstInRow, LargeRow, RowDelete
from lexigraph.store.stages.sampling import Limit, Sample
from lexigraph.store.stages.slices import ColumnSlice, QualifierSlice
from lexigraph.store.stages.times import AgeOff, AsOf, ColumnAgeOff, TimeRange
from lexigraph.store.stages.versions import Versions

CELL_STAGES: tuple[type[CellStage], ...] = (
    Versions,
    AsOf,
    TimeRange,
    AgeOff,
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
    Sum,
    Min,
    Max,
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
