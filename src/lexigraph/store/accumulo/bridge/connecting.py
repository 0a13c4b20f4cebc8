"""Connecting to a cluster, and what every connection guarantees.

Layer ``store``, only for ``accumulo``. Accumulo's own client waits for ever for a ZooKeeper that is
away, and says nothing; so whether one answers is asked first.
"""

from __future__ import annotations

import socket
from typing import Any

from lexigraph.errors import Authorization, LexigraphError, Unreachable
from lexigraph.store.accumulo.bridge.jvm import java_bridge, translated
from lexigraph.store.accumulo.bridge.versions import check_version
from lexigraph.store.accumulo.properties import PASSWORD_VARIABLE, USER_VARIABLE, ClusterProperties
from lexigraph.store.capabilities import Capabilities

CAPABILITIES = Capabilities(
    "accumulo",
    atomic_unit="row",
    snapshots=False,
    transactions=False,
    durabilities=("none", "log", "flush", "sync"),
    persistent=True,
    many_processes=True,
    row_merges=False,
    locality_groups=True,
    bloom=True,
    operators=frozenset({"rows", "frames", "edges"}),
)
"""What every connection guarantees; a jar of another version may have fewer stages."""


def connect(cluster: ClusterProperties, timeout_s: float) -> Any:
    """Return the bridge to a cluster of a supported version, as the user of its properties."""
    bridge = java_bridge()
    properties = java_properties(cluster)
    settings = bridge.WriteSettings(
        cluster.numbers["accumulo.maxBufferSizeForBatchWriterInBytes"],
        cluster.numbers["accumulo.maxTimeOutForBatchWriterInMilliseconds"],
        cluster.numbers["accumulo.numThreadsForBatchWriter"],
    )
    try:
        with translated():
            made = bridge.Bridge.connect(properties, int(timeout_s * 1000), settings)
    except Authorization as refused:
        # All that was asked is who this is.
        raise Authorization(
            str(refused),
            hint="Check user and password: accumulo.user and accumulo.password of the properties "
            f"file, user= and password=, or {USER_VARIABLE} and {PASSWORD_VARIABLE}.",
        ) from None
    try:
        check_version(made)
    except LexigraphError:
        made.close()
        raise
    return made


def java_properties(cluster: ClusterProperties) -> Any:
    """Return what Accumulo's client is made from."""
    import jpype

    properties = jpype.JClass("java.util.Properties")()
    for name, value in cluster.for_client().items():
        properties.setProperty(name, value)
    return properties


def server_stages() -> frozenset[str]:
    """Return the names of all stages that the jar has."""
    import jpype

    names = jpype.JClass("org.lexigraph.stages.StageRegistry").names()
    return frozenset(map(str, names))


def find_zookeeper(zookeepers: str, timeout_s: float) -> str:
    """Return the first of them that answers; refuse to go on where none does."""
    tried = []
    for one in zookeepers.split(","):
        host, _, port = one.partition("/")[0].rpartition(":")
        try:
            number = int(port) if host else 2181
            socket.create_connection((host or port, number), timeout=min(timeout_s, 10)).close()
        except (OSError, ValueError, OverflowError) as problem:
            tried.append(f"{one} ({problem})")
            continue
        return one
    raise Unreachable(
        f"no ZooKeeper answers: {', '.join(tried)}",
        hint="Check the addresses, and that the cluster runs; 'lexigraph cluster status' shows a "
        "local cluster.",
    )
