"""Records on the memory engine pass the whole suite; scans cut behind every second cell too."""

from functools import partial

from lexigraph.store import MemoryEngine
from lexigraph.testing import record_suite

cut = partial(MemoryEngine, join_runs=False, cut_every=2)
SUITE = record_suite(cut, name="memory")
globals().update(SUITE)
