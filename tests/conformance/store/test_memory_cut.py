"""The memory engine with stages dropped behind every cell and runs never joined: same answers."""

from functools import partial

from lexigraph.store import MemoryEngine
from lexigraph.testing import store_suite

cut = partial(MemoryEngine, join_runs=False, cut_every=1)
globals().update(store_suite(cut, name="memory, cut", make_runs=cut))
