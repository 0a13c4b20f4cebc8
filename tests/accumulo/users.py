"""Users of Accumulo for tests, each with what it is given and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from uuid import uuid4

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.store import AccumuloEngine

PASSWORD = "of-a-test"
_numbers = count()


def make_user(
    cluster: LocalCluster,
    where: Path,
    *,
    permissions: Mapping[str, list[str]] | None = None,
    labels: list[str] | None = None,
    system: Iterable[str] = (),
) -> tuple[str, Path]:
    """Make a user and a properties file for it; permissions are by the remote names of tables."""
    properties = cluster.status().properties
    name = f"user{next(_numbers)}_{uuid4().hex[:6]}"
    with AccumuloEngine(properties) as root:
        users = root.bridge.users()
        users.create(name, PASSWORD)
        for table, wanted in (permissions or {}).items():
            for one in wanted:
                users.permit(name, table, one)
        for one in system:
            users.permitSystem(name, one)
        if labels:
            root.grant(name, labels)
    text = properties.read_text().replace("accumulo.user=root", f"accumulo.user={name}")
    before = text.split("accumulo.password=")[1].strip()
    path = where / f"{name}.properties"
    path.write_text(text.replace(before, PASSWORD))
    return name, path
