"""Records on the embedded engine pass the whole suite."""

from functools import partial

from lexigraph.testing import record_suite
from tests.conformance.store.embedded_engines import Temporary

SUITE = record_suite(partial(Temporary, durability="relaxed"), name="embedded")
globals().update(SUITE)
