"""Graphs on the embedded engine pass the whole suite, and its core runs what it can run."""

from functools import partial

from lexigraph.testing import graph_suite
from tests.conformance.store.embedded_engines import Temporary

SUITE = graph_suite(partial(Temporary, durability="relaxed"), name="embedded")
globals().update(SUITE)
