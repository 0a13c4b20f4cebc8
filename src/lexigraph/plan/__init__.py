"""The one logical plan: algebra, optimise, execute, explain. There is no second path to a scan.

Layer ``plan``, above ``layout`` and below ``graph``.
"""

from lexigraph.plan.algebra import (
    Adjacent,
    Around,
    Between,
    Elements,
    Everything,
    Filter,
    Hops,
    InRanges,
    Measure,
    Steps,
    Summarise,
    Transform,
    Walk,
    Within,
)
from lexigraph.plan.edge_readers import EdgeReader, edge_reader
from lexigraph.plan.element import Element
from lexigraph.plan.execute import iter_elements
from lexigraph.plan.explain import Explanation, explain
from lexigraph.plan.frames import iter_frames
from lexigraph.plan.keys import Keys
from lexigraph.plan.neighbours import find_adjacent, find_pairs, iter_adjacent
from lexigraph.plan.scope import Scope
from lexigraph.plan.seeds import SeedSet
from lexigraph.plan.summaries import count_elements, iter_summary
from lexigraph.plan.walks import Path, find_hops, iter_walks

__all__ = [
    "Adjacent",
    "Around",
    "Between",
    "EdgeReader",
    "Element",
    "Elements",
    "Everything",
    "Explanation",
    "Filter",
    "Hops",
    "InRanges",
    "Keys",
    "Measure",
    "Path",
    "Scope",
    "SeedSet",
    "Steps",
    "Summarise",
    "Transform",
    "Walk",
    "Within",
    "count_elements",
    "edge_reader",
    "explain",
    "find_adjacent",
    "find_hops",
    "find_pairs",
    "iter_adjacent",
    "iter_elements",
    "iter_frames",
    "iter_summary",
    "iter_walks",
]
