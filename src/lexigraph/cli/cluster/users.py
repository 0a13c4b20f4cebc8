"""Users of a local cluster: made with a file to connect with, and what they may do to a graph.

Layer ``cli``. Such a cluster has no shell of Accumulo's. A password is random, stands in its file
alone, which only its owner can read, and is never printed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import lexigraph
from lexigraph.cli.cluster.files import write_properties
from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import InvalidName, LexigraphError, Unreachable, UsageError, show
from lexigraph.store.engines.cluster import (
    create_user,
    open_cluster,
    permit_tables,
    read_properties,
)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")


def permit_user(
    cluster: LocalCluster,
    name: str,
    *,
    graph: str = "graph",
    write: bool = False,
    namespace: str = "",
    out: Path | None = None,
) -> Path:
    """Let a user read a graph, or write to it too, and return the file that it connects with.

    A new user is made with its file; one that has its file already may do more from then on.
    """
    _check_name(name)
    status = cluster.status()
    if not status.running:
        raise Unreachable(
            f"no cluster runs in {str(cluster.home)!r}",
            hint=f"Start it: lexigraph cluster start --dir {cluster.home}",
        )
    path = (cluster.home / f"{name}.properties" if out is None else out).expanduser().absolute()
    with open_cluster(status.properties, namespace=namespace) as engine:
        with lexigraph.open(engine, name=graph, read_only=True) as opened:
            tables = opened.admin.tables()
        if path.exists():
            _check_file(path, name)
        else:
            with _new_file(name, path, status.properties) as password:
                create_user(engine, name, password)
        permit_tables(engine, name, tables, write=write)
    return path


@contextmanager
def _new_file(name: str, path: Path, properties: Path) -> Iterator[str]:
    """Write the file of a user with a password, which is yielded; it goes if making them fails."""
    ours, password = read_properties(properties), secrets.token_urlsafe(24)
    lines = {
        "accumulo.instance": ours.instance,
        "accumulo.zookeepers": ours.zookeepers,
        "accumulo.user": name,
        "accumulo.password": password,
    }
    try:
        # Before the user is there: nobody could use one whose password is on no file.
        write_properties(path, lines)
    except OSError as problem:
        raise UsageError(f"{str(path)!r} cannot be written: {problem}") from None
    try:
        yield password
    except LexigraphError:
        path.unlink(missing_ok=True)
        raise


def _check_name(name: str) -> None:
    # It is also the name of a file.
    if not _NAME.fullmatch(name):
        raise InvalidName(
            f"{show(name)} cannot be the name of a user here",
            hint="Up to 100 letters, digits, '_' and '-', starting with a letter.",
        )


def _check_file(path: Path, name: str) -> None:
    if read_properties(path).user != name:
        raise InvalidName(
            f"the file {str(path)!r} belongs to another user",
            hint="Choose another user name, or another file with --out.",
        )
