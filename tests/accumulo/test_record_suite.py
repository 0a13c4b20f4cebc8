"""Records on a real cluster pass the whole suite."""

import pytest

from lexigraph.store.accumulo.bridge.connecting import CAPABILITIES
from lexigraph.testing import record_suite
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo
SUITE = record_suite(fresh_engine, name="accumulo", capabilities=CAPABILITIES)
globals().update(SUITE)
