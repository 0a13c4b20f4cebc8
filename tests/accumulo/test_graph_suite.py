"""Graphs on a real cluster pass the whole suite, in both layouts."""

import pytest

from lexigraph.store.accumulo.bridge.connecting import CAPABILITIES
from lexigraph.testing import graph_suite
from lexigraph.testing.accumulo_gaps import GRAPH
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo
SUITE = graph_suite(fresh_engine, name="accumulo", gaps=GRAPH, capabilities=CAPABILITIES)
globals().update(SUITE)
