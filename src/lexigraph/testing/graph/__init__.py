"""The graph suite by topics: what a graph does on any engine, whatever its layout.

Layer ``testing``. The topics follow the integration tests of Gaffer (its stores are asked the same
way); each test names its behaviour by the number it has there. Left out: 21 (walks) to 25 and 30,
which are about operations and servers; of 27 files of CSV, and of 29 split points, reducer sums and
bloom filters, which belong to clusters and come with them.
"""

from lexigraph.testing.graph.aggregation import Aggregation
from lexigraph.testing.graph.base import GraphTests
from lexigraph.testing.graph.conditions import Conditions
from lexigraph.testing.graph.deletes import GraphDeletes
from lexigraph.testing.graph.directions import Adjacency, Directions
from lexigraph.testing.graph.half_edges import HalfWritten
from lexigraph.testing.graph.ids import Ids
from lexigraph.testing.graph.opening import Opening
from lexigraph.testing.graph.ranges import Ranges
from lexigraph.testing.graph.rules import Rules
from lexigraph.testing.graph.time_order import TimeOrder
from lexigraph.testing.graph.views import Views
from lexigraph.testing.graph.visibility import Labels

TOPICS: tuple[type[GraphTests], ...] = (
    Aggregation,
    Directions,
    Adjacency,
    Views,
    Conditions,
    Rules,
    Labels,
    TimeOrder,
    Ranges,
    GraphDeletes,
    HalfWritten,
    Opening,
    Ids,
)
"""In the order of the table of support."""
