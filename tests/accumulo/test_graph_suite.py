"""The graph suite on a real cluster, in both layouts: a long run, by its own variable.

Every test makes a graph, which is several tables, and a table takes a second. ``test_graph`` asks
the main questions in every run.
"""

import os

import pytest

from lexigraph.store.accumulo.connecting import CAPABILITIES
from lexigraph.testing import graph_suite
from tests.accumulo.engines import Fresh

VARIABLE = "LEXIGRAPH_CLUSTER_GRAPHS"

pytestmark = [
    pytest.mark.accumulo,
    pytest.mark.skipif(VARIABLE not in os.environ, reason=f"a long run, only with {VARIABLE} set"),
]
SUITE = graph_suite(Fresh, name="accumulo", capabilities=CAPABILITIES)
globals().update(SUITE)
