"""``lexigraph splits``: choose where the tables of a graph are divided, look, and divide them.

Layer ``cli``. Two commands, so that somebody can look at the file between them.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from lexigraph.errors import UsageError, ValidationError

app = typer.Typer(
    name="splits", help="Split points of a graph's tables, by a sample.", no_args_is_help=True
)

StorePath = Annotated[str, typer.Argument(help="A directory, a URL, or a properties file.")]
Name = Annotated[str, typer.Option("--graph", help="The name of the graph.")]
Namespace = Annotated[
    str, typer.Option("--namespace", help="The namespace of the tables, on a cluster.")
]


@app.command()
def sample(
    path: StorePath,
    data: Annotated[Path, typer.Argument(help="The rows that will be loaded: CSV or Parquet.")],
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    count: Annotated[int, typer.Option("--count", help="How many split points.")],
    group: Annotated[str | None, typer.Option("--group", help="The group of the rows.")] = None,
    proportion: Annotated[
        float,
        typer.Option("--proportion", help="The proportion of rows to read, above 0 and up to 1."),
    ] = 0.01,
    validate: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option(help="Whether an invalid row is an error.")
    ] = True,
    graph: Name = "graph",
    namespace: Namespace = "",
) -> None:
    """Write split points to a file, by a sample of rows that are to be loaded."""
    with _open(path, graph, namespace, read_only=True) as opened, _told_for_a_file():
        found = opened.admin.sample_splits(
            str(data), file, count=count, group=group, proportion=proportion, validate=validate
        )
    command = ["lexigraph", "splits", "apply", path, str(file)]
    command += ["--graph", graph] if graph != "graph" else []
    command += ["--namespace", namespace] if namespace else []
    # Plain: a line that is to be copied must not be cut at the terminal's width.
    typer.echo(f"{found} split points in {file}; apply them with: {shlex.join(command)}")


@app.command()
def apply(
    path: StorePath,
    file: Annotated[Path, typer.Argument(help="The file that 'lexigraph splits sample' wrote.")],
    graph: Name = "graph",
    namespace: Namespace = "",
) -> None:
    """Divide the tables of a graph as a file says."""
    with _open(path, graph, namespace, read_only=False) as opened:
        for table, count in opened.admin.apply_splits(file).items():
            typer.echo(f"table {table}: {count} split points")


@contextmanager
def _told_for_a_file() -> Iterator[None]:
    """Let errors about rows say what to do on the command line."""
    try:
        yield
    except ValidationError as wrong:
        wrong.hint = "Fix the row, or pass --no-validate to leave such rows out."
        raise
    except UsageError as wrong:
        if "extra" in wrong.context:
            fields, _, _ = wrong.hint.partition(". ")
            wrong.hint = f"{fields}. Name the columns of the file so, and remove the others."
        raise


def _open(path: str, graph: str, namespace: str, *, read_only: bool) -> Any:
    import lexigraph
    from lexigraph.store.engines.opening import is_cluster

    if namespace and not is_cluster(path):
        raise UsageError(
            f"--namespace is for clusters, and {path!r} does not name one",
            hint="Leave --namespace out, or pass accumulo://... or a file *.properties.",
        )
    options: dict[str, Any] = {"namespace": namespace} if namespace else {}
    return lexigraph.open(path, name=graph, create=False, read_only=read_only, **options)
