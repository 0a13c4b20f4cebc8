"""A cluster from outside: connecting step by step, users, namespaces, jars of its servers.

Layer ``store``. What programs need that look after a cluster. How the engine talks to Java stays in
its own package.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from lexigraph.store.accumulo.bridge.connecting import CAPABILITIES
from lexigraph.store.accumulo.bridge.java import accumulo_jars, find_java, own_jar, user_jars
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.checks.doctor import check_connection
from lexigraph.store.accumulo.engine import AccumuloEngine
from lexigraph.store.accumulo.permissions import READING, WRITING
from lexigraph.store.accumulo.properties import ClusterProperties, read_properties

__all__ = [
    "CAPABILITIES",
    "ClusterProperties",
    "accumulo_jars",
    "check_connection",
    "create_user",
    "find_java",
    "has_namespace",
    "open_cluster",
    "own_jar",
    "permit_tables",
    "read_properties",
    "user_jars",
]


def open_cluster(
    where: str | os.PathLike[str] | Mapping[str, Any], *, namespace: str = ""
) -> AccumuloEngine:
    """Connect to the cluster that a URL or a properties file names."""
    return AccumuloEngine(where, namespace=namespace)


def has_namespace(engine: AccumuloEngine, name: str) -> bool:
    """Return whether the cluster has a namespace."""
    with translated():
        return bool(engine.bridge.admin().hasNamespace(name))


def create_user(engine: AccumuloEngine, name: str, password: str) -> None:
    """Make a user who may not do anything yet."""
    with translated():
        engine.bridge.users().create(name, password)


def permit_tables(engine: AccumuloEngine, user: str, tables: Iterable[str], *, write: bool) -> None:
    """Let a user read tables, or write to them too."""
    users = engine.bridge.users()
    with translated():
        for table in tables:
            for permission in WRITING if write else READING:
                users.permit(user, engine.remote(table), permission)
