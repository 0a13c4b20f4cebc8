"""The embedded engine passes the whole suite; its gaps are merges of some runs alone."""

from functools import partial

from lexigraph.testing import store_suite

from .embedded_engines import Temporary

# As most stores are opened, but without waiting for the disk at each of many thousand commits.
SUITE = store_suite(partial(Temporary, durability="relaxed"), name="embedded")
globals().update(SUITE)
