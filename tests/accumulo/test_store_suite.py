"""The store suite on a real cluster."""

import pytest

from lexigraph.store.accumulo.connecting import CAPABILITIES
from lexigraph.testing import store_suite
from tests.accumulo.engines import Fresh
from tests.accumulo.gaps import STORE

pytestmark = pytest.mark.accumulo
SUITE = store_suite(Fresh, name="accumulo", gaps=STORE, capabilities=CAPABILITIES)
globals().update(SUITE)
