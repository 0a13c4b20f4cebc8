"""Which versions of Accumulo a connection works with, and what its tablet servers are.

Layer ``store``, only for ``accumulo``. Asked when a cluster is opened: what another Accumulo would
do with our requests is nothing to find out with a user's data.
"""

from __future__ import annotations

from typing import Any

from lexigraph.errors import LexigraphError, Unreachable, UnsupportedError
from lexigraph.store.accumulo.bridge.java import ACCUMULO_VERSION
from lexigraph.store.accumulo.bridge.jvm import translated

SUPPORTED = "2.1"
"""The line of releases that is supported; its later ones change no format and no protocol."""


def is_supported(version: str) -> bool:
    """Tell whether servers of a version may be used.

    >>> is_supported("2.1.4"), is_supported("2.1.6-SNAPSHOT"), is_supported("2.10.0")
    (True, True, False)
    """
    return version.split("-")[0].split(".")[:2] == SUPPORTED.split(".")


def unsupported(address: str, version: str) -> UnsupportedError:
    """Return the error for a tablet server of another version."""
    return UnsupportedError(
        f"tablet server {address} runs Accumulo {version}, and Lexigraph supports {SUPPORTED}.x: "
        f"its client is that of {ACCUMULO_VERSION}",
        hint=f"Run Accumulo {SUPPORTED}.x on every server, or open another cluster.",
        version=version,
    )


def check_version(bridge: Any) -> str:
    """Return the version of a tablet server that answers; refuse one that is not supported."""
    servers = bridge.servers()
    with translated():
        addresses = [str(one) for one in servers.addresses()]
    problem: LexigraphError = Unreachable("ZooKeeper lists no tablet server for this instance")
    for address in addresses:
        try:
            with translated():
                version = str(servers.version(address))
        except Unreachable as away:
            # It may have just ended: another may answer.
            problem = away
            continue
        if not is_supported(version):
            raise unsupported(address, version)
        return version
    raise problem
