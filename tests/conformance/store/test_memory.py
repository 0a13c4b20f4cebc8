"""The memory engine passes the whole suite; it has no gaps."""

from functools import partial

from lexigraph.store import MemoryEngine
from lexigraph.testing import store_suite

keep_runs = partial(MemoryEngine, join_runs=False)
SUITE = store_suite(MemoryEngine, name="memory", make_runs=keep_runs)
globals().update(SUITE)
