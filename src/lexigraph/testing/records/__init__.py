"""The record suite by topics: what records do on any engine.

Layer ``testing``. The topics follow the tests that Vertexium has for its stores; each test names
its behaviour by the number it has there. Where we decided otherwise, the test asserts our decision
and says so. Left out: what searches (parts of 9, 24, 29, 36, 38, 43), 16 (we escape), 30 (NOT in a
visibility), 51, and from 53 on all but tables under elements (69), paths (71 to 76) and streams (77
to 81).
"""

from lexigraph.testing.records.base import RecordTests
from lexigraph.testing.records.deletes import RecordDeletes
from lexigraph.testing.records.elements import RecordElements
from lexigraph.testing.records.expiring import RecordExpiring
from lexigraph.testing.records.fetching import RecordFetching
from lexigraph.testing.records.hiding import RecordHiding
from lexigraph.testing.records.history import RecordHistory
from lexigraph.testing.records.paths import RecordPaths
from lexigraph.testing.records.static import RecordStatic
from lexigraph.testing.records.streams import RecordStreams
from lexigraph.testing.records.supernodes import RecordSupernodes
from lexigraph.testing.records.tables import RecordTables
from lexigraph.testing.records.visibility import RecordVisibility

TOPICS: tuple[type[RecordTests], ...] = (
    RecordElements,
    RecordVisibility,
    RecordHiding,
    RecordDeletes,
    RecordHistory,
    RecordFetching,
    RecordPaths,
    RecordStreams,
    RecordExpiring,
    RecordStatic,
    RecordTables,
    RecordSupernodes,
)
"""In the order of the table of support."""
