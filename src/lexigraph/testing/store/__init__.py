"""The store suite by topics: every behaviour that an engine must have.

Layer ``testing``. A test added to a topic here is asked of every engine from then on.
"""

from lexigraph.testing.store.aggregates import Aggregates
from lexigraph.testing.store.base import StoreTests
from lexigraph.testing.store.combiners import Combiners
from lexigraph.testing.store.conditions import Conditions
from lexigraph.testing.store.constraints import Constraints
from lexigraph.testing.store.deletes import Deletes
from lexigraph.testing.store.isolation import Isolation
from lexigraph.testing.store.labels import Grants, Labels
from lexigraph.testing.store.loads import Loads
from lexigraph.testing.store.merges import Ages, Merges
from lexigraph.testing.store.mistakes import Mistakes
from lexigraph.testing.store.order import Order
from lexigraph.testing.store.ranges import Ranges
from lexigraph.testing.store.readds import Readds
from lexigraph.testing.store.results import Results, Rows
from lexigraph.testing.store.resuming import Resuming
from lexigraph.testing.store.snapshots import Snapshots
from lexigraph.testing.store.tables import Tables
from lexigraph.testing.store.times import Times
from lexigraph.testing.store.transactions import Transactions
from lexigraph.testing.store.user_functions import UserFunctions
from lexigraph.testing.store.user_stages import UserStages
from lexigraph.testing.store.vectors import Vectors
from lexigraph.testing.store.versions import Versions
from lexigraph.testing.store.writes import Imports, Writes

TOPICS: tuple[type[StoreTests], ...] = (
    Ranges,
    Order,
    Writes,
    Imports,
    Loads,
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
