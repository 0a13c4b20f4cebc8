"""Opening a graph that others may be making, changing or dropping at the same moment.

Layer ``layout``. Of several who create one graph at once the first makes it; the others wait for it
and then open it, as if they had come later. A maker that died leaves an unfinished entry, which is
made again once nobody has changed it for ``WAIT_S``.
"""

from __future__ import annotations

from random import uniform
from time import monotonic, sleep

from lexigraph.errors import Conflict, GraphNotFound, InvalidName
from lexigraph.layout import Layout
from lexigraph.layout.stored.catalogue import MAKING, READY, Catalogue, Entry
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.layouts import Choice
from lexigraph.schema import Schema
from lexigraph.store import Engine

WAIT_S = 5.0
"""For how long an unfinished graph is taken to be in the making. Too short does no harm: a maker
that was overtaken opens the graph of the one who overtook it."""
TRY_S = 60.0
"""For how long a change that others get in the way of is tried again."""
PAUSE_S = 0.02


def find_or_make(
    engine: Engine,
    name: str,
    schema: Schema,
    layout: Layout | str | Choice | None,
    *,
    makes: bool,
    learns: bool = False,
) -> StoredGraph | None:
    """Return the graph of that name with the schema's groups; ``None`` if it may not be made.

    ``learns`` is for a new graph: it takes records whose names the schema does not have.
    """
    catalogue = Catalogue(engine)
    end = monotonic() + TRY_S
    while True:
        entry = catalogue.find(name)
        if (entry is None or entry.state != READY) and not makes:
            return None
        if entry is not None and entry.state == MAKING:
            entry = _wait_for(catalogue, name, entry.raw)
        try:
            if entry is not None and entry.state == READY:
                return StoredGraph.attach(engine, name, schema, layout)
            # Over what was seen and waited for: another maker that has begun since is a Conflict.
            return StoredGraph.make(engine, name, entry, schema, layout, learns=learns)
        except (Conflict, GraphNotFound, InvalidName) as error:
            now = catalogue.find(name)
            raced = isinstance(error, Conflict) or (now and now.raw) != (entry and entry.raw)
            if not raced or monotonic() > end:
                raise
        # Not all at the same moment again.
        sleep(uniform(PAUSE_S / 4, PAUSE_S))


def _wait_for(catalogue: Catalogue, name: str, seen: bytes | None) -> Entry | None:
    """Return the entry once it is not the one that was seen, or nobody has changed it for long."""
    end = monotonic() + WAIT_S
    while True:
        entry = catalogue.find(name)
        if entry is None or entry.state != MAKING or monotonic() > end:
            return entry
        if entry.raw != seen:
            seen, end = entry.raw, monotonic() + WAIT_S
        sleep(PAUSE_S)
