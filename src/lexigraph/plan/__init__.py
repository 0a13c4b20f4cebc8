"""The one logical plan: algebra, optimise, execute, explain. There is no second path to a scan.

Layer ``plan``, above ``layout`` and below ``graph``.
"""

from lexigraph.plan.cursor import Cursor
from lexigraph.plan.element import Element
from lexigraph.plan.explaining.rows import explain
from lexigraph.plan.explaining.tree import Explanation
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import (
    Adjacent,
    Around,
    Between,
    ById,
    Derive,
    Elements,
    Everything,
    Hops,
    InRanges,
    Pairs,
    PathsBetween,
    Starting,
    Steps,
    Walk,
    Where,
    Within,
)
from lexigraph.plan.logical.expressions import Call, FieldValue
from lexigraph.plan.logical.rows import ELEMENT, Figure, GroupRows, Sort, SortKey, Top
from lexigraph.plan.physical.choose import choose_edges, choose_vertices
from lexigraph.plan.physical.neighbours import read_pairs
from lexigraph.plan.physical.paging import comes_in_order, read_page
from lexigraph.plan.physical.rows.run import RowStream, count, run
from lexigraph.plan.physical.walks import Path, find_hops
from lexigraph.plan.records.found import FoundRecord, FoundValue, group_in_view
from lexigraph.plan.records.history import HistoryEvent, read_history
from lexigraph.plan.scope import FetchHints, Scope
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.store.operators import EdgeReader

__all__ = [
    "ELEMENT",
    "Adjacent",
    "Around",
    "Between",
    "ById",
    "Call",
    "Cursor",
    "Derive",
    "EdgeReader",
    "Element",
    "Elements",
    "Everything",
    "Explanation",
    "FetchHints",
    "FieldValue",
    "Figure",
    "FoundRecord",
    "FoundValue",
    "GroupRows",
    "HistoryEvent",
    "Hops",
    "InRanges",
    "Keys",
    "Pairs",
    "Path",
    "PathsBetween",
    "RowStream",
    "Scope",
    "SeedSet",
    "Sort",
    "SortKey",
    "Starting",
    "Steps",
    "Top",
    "Walk",
    "Where",
    "Within",
    "choose_edges",
    "choose_vertices",
    "comes_in_order",
    "count",
    "explain",
    "find_hops",
    "group_in_view",
    "read_history",
    "read_page",
    "read_pairs",
    "run",
]
