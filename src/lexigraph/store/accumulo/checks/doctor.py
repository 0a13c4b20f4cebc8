"""A check from nothing: of a cluster that may not even be reached.

Layer ``store``, only for ``accumulo``. Takes the steps of a connection one by one, so that what is
wrong is told by the first of them that fails.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from lexigraph.errors import Authorization, LexigraphError, Unreachable, UnsupportedError
from lexigraph.store.accumulo.bridge.connecting import find_zookeeper
from lexigraph.store.accumulo.bridge.jvm import java_bridge
from lexigraph.store.accumulo.engine import AccumuloEngine
from lexigraph.store.accumulo.properties import read_properties
from lexigraph.store.checks import OK, PROBLEM, Checked


def check_connection(
    where: str | os.PathLike[str] | Mapping[str, Any], *, timeout_s: float = 20.0, **options: Any
) -> tuple[list[Checked], AccumuloEngine | None]:
    """Connect step by step; return the steps, and the engine where all of them went well."""
    done: list[Checked] = []

    def step(name: str, look: Callable[[], Any], well: Callable[[Any], str]) -> Any:
        try:
            found = look()
        except LexigraphError as error:
            done.append(Checked(_step_of(error, name), PROBLEM, str(error), error.hint))
            return None
        done.append(Checked(name, OK, well(found)))
        return found

    user, password = options.get("user"), options.get("password")
    properties = step(
        "properties",
        lambda: read_properties(where, user=user, password=password),
        lambda found: f"{found.url} as user {found.user!r}",
    )
    if properties is None:
        return done, None
    zookeepers = step(
        "zookeeper",
        lambda: find_zookeeper(properties.zookeepers, timeout_s),
        lambda found: f"{found} answers",
    )
    java = step("java", java_bridge, lambda _: "the client's jars are here, and Java runs them")
    if zookeepers is None or java is None:
        return done, None
    engine = step(
        "user",
        lambda: AccumuloEngine(where, timeout_s=timeout_s, **options),
        lambda made: f"instance {properties.instance!r} accepts the password of {made.user!r}",
    )
    return done, engine


def _step_of(error: LexigraphError, name: str) -> str:
    # Connecting finds out several things, each a step of its own.
    if name != "user" or isinstance(error, Authorization):
        return name
    if isinstance(error, UnsupportedError):
        return "version"
    if isinstance(error, Unreachable):
        return "instance" if "do not know the instance" in str(error) else "servers"
    return name
