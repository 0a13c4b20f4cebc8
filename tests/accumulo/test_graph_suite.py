"""Graphs on a real cluster pass the whole suite, in both layouts."""

import pytest

from lexigraph.store.accumulo.connecting import CAPABILITIES
from lexigraph.testing import graph_suite
from tests.accumulo.engines import Fresh
from tests.accumulo.gaps import GRAPH

pytestmark = pytest.mark.accumulo
SUITE = graph_suite(Fresh, name="accumulo", gaps=GRAPH, capabilities=CAPABILITIES)
globals().update(SUITE)
