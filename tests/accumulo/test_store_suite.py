"""The store suite on a real cluster."""

import pytest

from lexigraph.store.accumulo.bridge.connecting import CAPABILITIES
from lexigraph.testing import store_suite
from lexigraph.testing.accumulo_gaps import STORE
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo
SUITE = store_suite(fresh_engine, name="accumulo", gaps=STORE, capabilities=CAPABILITIES)
# Vectors make a table anew for every cut of every case, thousands: the jar's own tests run them
# all, cut everywhere, and ``test_vectors`` some of each stage on the cluster.
globals().update({name: topic for name, topic in SUITE.items() if name != "TestVectors"})
