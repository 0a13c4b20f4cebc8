"""Which Accumulo a cluster is: asked of its servers when it is opened."""

from __future__ import annotations

import pytest

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import UnsupportedError
from lexigraph.store import AccumuloEngine
from lexigraph.store.accumulo.bridge import versions
from lexigraph.store.accumulo.bridge.java import ACCUMULO_VERSION

pytestmark = pytest.mark.accumulo


def test_servers_say_their_version(cluster: LocalCluster) -> None:
    with AccumuloEngine(cluster.status().properties) as engine:
        assert versions.check_version(engine._bridge) == ACCUMULO_VERSION


def test_servers_of_another_version_are_refused_when_a_cluster_is_opened(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "SUPPORTED", "4.0")
    with pytest.raises(UnsupportedError, match=rf"runs Accumulo {ACCUMULO_VERSION}.* 4\.0\.x"):
        AccumuloEngine(cluster.status().properties)
