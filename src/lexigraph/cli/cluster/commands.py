"""``lexigraph cluster``: start, stop and look at a local Accumulo.

Layer ``cli``. What a command prints for people it also gives as JSON; neither holds a password.
"""

from __future__ import annotations

import json
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from lexigraph.cli.cluster.local import ClusterStatus, LocalCluster
from lexigraph.cli.cluster.users import permit_user
from lexigraph.store.engines.cluster import open_cluster

app = typer.Typer(
    name="cluster", help="A local Apache Accumulo for trying and testing.", no_args_is_help=True
)

Home = Annotated[
    Path | None, typer.Option("--dir", help="The directory of the cluster.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def start(home: Home = None, as_json: AsJson = False) -> None:  # noqa: FBT002 - an option
    """Start the cluster, or what of it does not run, and wait until it answers."""
    cluster = LocalCluster(home)
    console = Console(stderr=True)
    shown = nullcontext() if as_json else console.status("starting")
    with shown as spinner:
        status = cluster.start(lambda step: spinner.update(step) if spinner else None)
    _print(status, as_json=as_json)


@app.command()
def stop(
    home: Home = None,
    as_json: AsJson = False,  # noqa: FBT002 - an option
    delete: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option("--delete", help="Remove its directory with all data.")
    ] = False,
) -> None:
    """End all processes of the cluster; what was written stays unless --delete is given."""
    _print(LocalCluster(home).stop(delete=delete), as_json=as_json)


@app.command()
def status(home: Home = None, as_json: AsJson = False) -> None:  # noqa: FBT002 - an option
    """Show what runs, the ports, memory, and the file to connect with.

    Ends with 3 where not all of it runs.
    """
    found = LocalCluster(home).status()
    _print(found, as_json=as_json)
    if not found.running:
        raise typer.Exit(3)


@app.command()
def grant(
    user: Annotated[str, typer.Argument(help="A user of Accumulo.")],
    labels: Annotated[list[str], typer.Argument(help="More labels that the user may read.")],
    home: Home = None,
    properties: Annotated[
        Path | None,
        typer.Option(
            "--properties", help="Properties file of a remote cluster, as a user who may grant."
        ),
    ] = None,
) -> None:
    """Let a user of Accumulo read more labels; it keeps those that it has."""
    where = LocalCluster(home).status().properties if properties is None else properties
    with open_cluster(where) as engine:
        whole = engine.grant(user, labels)
    shown = ", ".join(label.decode(errors="backslashreplace") for label in whole)
    typer.echo(f"user {user} may read: {shown}")


@app.command("user")
def make_user(
    name: Annotated[str, typer.Argument(help="The name of the user.")],
    graph: Annotated[
        str, typer.Option("--graph", help="The graph that the user may read.")
    ] = "graph",
    write: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option("--write", help="Let the user write to the graph too.")
    ] = False,
    namespace: Annotated[
        str, typer.Option("--namespace", help="The namespace of the graph's tables.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Where to write the user's properties file.", show_default=False
        ),
    ] = None,
    home: Home = None,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Make a user of a local cluster who may read a graph, with a file to connect with.

    Without labels it sees what has none; a user that was made before may do more from then on.
    """
    cluster = LocalCluster(home)
    path = permit_user(cluster, name, graph=graph, write=write, namespace=namespace, out=out)
    command = f"lexigraph cluster grant {name} LABEL --dir {shlex.quote(str(cluster.home))}"
    if as_json:
        told = {"user": name, "graph": graph, "write": write, "properties": str(path)}
        typer.echo(json.dumps({**told, "next": command}))
        return
    typer.echo(f"user {name} may {'read and write' if write else 'read'} graph {graph}")
    typer.echo(f"properties: {path}")
    typer.echo(f"to let it read labels, type: {command}")


def to_json(status: ClusterStatus) -> dict[str, Any]:
    """Return a status as data."""
    return {
        "state": status.state,
        "directory": str(status.home),
        "instance": status.instance,
        "properties": None if status.instance is None else str(status.properties),
        "servers": [
            {
                "role": one.role,
                "running": one.running,
                "pid": one.pid,
                "port": one.port,
                "memory_bytes": one.memory_bytes,
            }
            for one in status.servers
        ],
    }


def _print(status: ClusterStatus, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(to_json(status)))
        return
    console = Console(soft_wrap=True)
    console.print(f"cluster: {_WORDS[status.state]}", highlight=False)
    console.print(f"directory: {status.home}", highlight=False, markup=False)
    if status.instance is None:
        return
    console.print(f"properties: {status.properties}", highlight=False, markup=False)
    table = Table("server", "state", "pid", "port", "memory", box=None, pad_edge=False)
    for one in status.servers:
        state = "running" if one.running else "stopped"
        memory = f"{one.memory_bytes / 2**20:.0f} MiB" if one.running else ""
        table.add_row(one.role, state, str(one.pid or ""), str(one.port), memory)
    console.print(table)


_WORDS = {
    "running": "running",
    "stopped": "stopped",
    "broken": "broken: some servers are down; 'lexigraph cluster start' restarts them",
    "none": "none; 'lexigraph cluster start' creates one",
}
