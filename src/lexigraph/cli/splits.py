"""``lexigraph splits``: choose where the tables of a graph are divided, look, and divide them.

Layer ``cli``. Two commands, so that somebody can look at the file between them.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from lexigraph.errors import UsageError, install_hint

app = typer.Typer(
    name="splits", help="Split points of a graph's tables, by a sample.", no_args_is_help=True
)

Where = Annotated[str, typer.Argument(help="A directory, a URL, or a properties file.")]
Name = Annotated[str, typer.Option("--graph", help="The name of the graph.")]
Namespace = Annotated[
    str, typer.Option("--namespace", help="The namespace of the tables, on a cluster.")
]


@app.command()
def sample(
    path: Where,
    data: Annotated[Path, typer.Argument(help="The rows that will be loaded: *.parquet or *.csv.")],
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
    with _open(path, graph, namespace, read_only=True) as opened:
        found = opened.admin.sample_splits(
            _read(data),
            file,
            count=count,
            group=group,
            proportion=proportion,
            validate=validate,
        )
    command = ["lexigraph", "splits", "apply", path, str(file)]
    command += ["--graph", graph] if graph != "graph" else []
    command += ["--namespace", namespace] if namespace else []
    # Plain: a line that is to be copied must not be cut at the terminal's width.
    typer.echo(f"{found} split points in {file}; apply them with: {shlex.join(command)}")


@app.command()
def apply(
    path: Where,
    file: Annotated[Path, typer.Argument(help="The file that 'lexigraph splits sample' wrote.")],
    graph: Name = "graph",
    namespace: Namespace = "",
) -> None:
    """Divide the tables of a graph as a file says."""
    with _open(path, graph, namespace, read_only=False) as opened:
        for table, count in opened.admin.apply_splits(file).items():
            typer.echo(f"table {table}: {count} split points")


def _open(path: str, graph: str, namespace: str, *, read_only: bool) -> Any:
    import lexigraph

    options = {"namespace": namespace} if namespace else {}
    return lexigraph.open(path, name=graph, create=False, read_only=read_only, **options)


def _read(data: Path) -> Any:
    try:
        if data.suffix == ".csv":
            from pyarrow import csv  # type: ignore[import-untyped]

            return csv.read_csv(data)
        if data.suffix == ".parquet":
            from pyarrow import parquet

            return parquet.read_table(data)
    except ImportError:
        raise UsageError(
            "reading rows from files needs pyarrow, which is not installed",
            hint=install_hint("arrow"),
        ) from None
    except (OSError, ValueError) as problem:
        raise UsageError(f"{str(data)!r} cannot be read: {problem}") from None
    raise UsageError(
        f"rows are read from *.parquet and *.csv, not from {str(data)!r}",
        hint="Write the rows as Parquet or CSV, or call graph.admin.sample_splits.",
    )
