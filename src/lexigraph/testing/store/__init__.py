"""The store suite by topics: every behaviour that an engine must have.

Layer ``testing``. A test added to a topic here is asked of every engine from then on.
"""

from lexigraph.testing.store.base import StoreTests
from lexigraph.testing.store.merges.aggregates import Aggregates
from lexigraph.testing.store.merges.combiners import Combiners
from lexigraph.testing.store.merges.merges import Ages, Merges
from lexigraph.testing.store.reads.labels import Grants, Labels
from lexigraph.testing.store.reads.order import Order
from lexigraph.testing.store.reads.ranges import Ranges
from lexigraph.testing.store.reads.results import Results, Rows
from lexigraph.testing.store.reads.resuming import Resuming
from lexigraph.testing.store.reads.snapshots import Snapshots
from lexigraph.testing.store.reads.times import Times
from lexigraph.testing.store.reads.vectors import Vectors
from lexigraph.testing.store.reads.versions import Versions
from lexigraph.testing.store.tables import Tables
from lexigraph.testing.store.user_functions import UserFunctions
from lexigraph.testing.store.user_stages import UserStages
from lexigraph.testing.store.writes.conditions import Conditions
from lexigraph.testing.store.writes.constraints import Constraints
from lexigraph.testing.store.writes.deletes import Deletes
from lexigraph.testing.store.writes.isolation import Isolation
from lexigraph.testing.store.writes.loads import Loads
from lexigraph.testing.store.writes.made import MadeWrites
from lexigraph.testing.store.writes.mistakes import Mistakes
from lexigraph.testing.store.writes.readds import Readds
from lexigraph.testing.store.writes.transactions import Transactions
from lexigraph.testing.store.writes.writes import Imports, Writes

TOPICS: tuple[type[StoreTests], ...] = (
    Ranges,
    Order,
    Writes,
    Imports,
    Loads,
    MadeWrites,
    Deletes,
    Labels,
    Grants,
    Versions,
    Combiners,
    Aggregates,
    Merges,
    Readds,
    Ages,
    Times,
    Snapshots,
    Isolation,
    Transactions,
    Conditions,
    Constraints,
    Tables,
    Resuming,
    Results,
    Rows,
    UserFunctions,
    UserStages,
    Vectors,
    Mistakes,
)
"""In the order of the table of support."""
