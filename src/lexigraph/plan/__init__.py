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
    InRanges,
    Measure,
    Steps,
    Summarise,
    Transform,
    Walk,
    Within,
)
from lexigraph.plan.element import Element
from lexigraph.plan.execute import iter_adjacent, iter_elements
from lexigraph.plan.keys import Keys
from lexigraph.plan.scope import Scope
from lexigraph.plan.seeds import SeedSet

__all__ = [
    "Adjacent",
    "Around",
    "Between",
    "Element",
    "Elements",
    "Everything",
    "Filter",
    "InRanges",
    "Keys",
    "Measure",
    "Scope",
    "SeedSet",
    "Steps",
    "Summarise",
    "Transform",
    "Walk",
    "Within",
    "iter_adjacent",
    "iter_elements",
]
