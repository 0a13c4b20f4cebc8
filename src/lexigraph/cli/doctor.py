"""``lexigraph doctor``: what is wrong with a graph or its cluster, and the command that mends it.

Layer ``cli``. Takes what ``lexigraph.open`` takes. Ends with 0 where nothing is wrong, with 1 where
something is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import lexigraph
from lexigraph.errors import Authorization, GraphNotFound
from lexigraph.graph.catalogue import CATALOGUE
from lexigraph.store.checks import CheckReport

_STYLES = {"ok": "green", "problem": "bold red", "skipped": "yellow"}


def doctor(
    path: Annotated[
        str, typer.Argument(help="A directory, a URL accumulo://... or a properties file.")
    ],
    graph: Annotated[str, typer.Option("--graph", help="The name of the graph.")] = "graph",
    namespace: Annotated[str, typer.Option("--namespace", help="Accumulo's namespace.")] = "",
    authorizations: Annotated[
        str, typer.Option("--authorizations", help="Labels that readers need, separated by commas.")
    ] = "",
    timeout_s: Annotated[
        float, typer.Option("--timeout", help="Timeout of each call, in seconds.")
    ] = 20.0,
    read_only: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option("--read-only", help="Check for reading only, and write nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,  # noqa: FBT002
) -> None:
    """Check a graph and its cluster: servers, permissions, the jar, tables, grants."""
    labels = [label for label in authorizations.split(",") if label]
    if path.startswith("accumulo://") or path.endswith(".properties"):
        report = _cluster(path, graph, namespace, labels, timeout_s, read_only=read_only)
    else:
        with lexigraph.open(Path(path), name=graph, read_only=True) as opened:
            report = opened.admin.check()
    show_report(report, as_json=as_json)
    if not report.ok:
        raise typer.Exit(1)


def _cluster(
    path: str, graph: str, namespace: str, labels: list[str], timeout_s: float, *, read_only: bool
) -> CheckReport:
    from lexigraph.store.accumulo.doctor import check_connection

    steps, engine = check_connection(path, timeout_s=timeout_s, namespace=namespace)
    if engine is None:
        return CheckReport(steps)
    with engine:
        try:
            with lexigraph.open(engine, name=graph, read_only=True) as opened:
                tables = opened.admin.tables()
        except GraphNotFound:
            tables = []
        except Authorization:
            # The step of permissions says what to type.
            tables = [CATALOGUE]
        found = engine.check(tables, authorizations=labels, read_only=read_only)
        return CheckReport([*steps, *found.steps])


def show_report(report: CheckReport, *, as_json: bool) -> None:
    """Print what was found."""
    if as_json:
        typer.echo(json.dumps(report.to_json()))
        return
    console = Console(soft_wrap=True)
    # Not a table of Rich: it cuts lines at the terminal's width, and these are to be copied.
    width = max(len("step"), *(len(one.step) for one in report.steps))
    console.print(Text(f"{'step':{width}}  {'state':8} what", style="bold"))
    for one in report.steps:
        what = one.what.replace("\n", f"\n{'':{width + 11}}")
        state = (f"{one.state:8} ", _STYLES[one.state])
        console.print(Text.assemble(f"{one.step:{width}}  ", state, what))
        if one.remedy:
            console.print(Text(f"{'':{width + 11}}do: {one.remedy}", style="bold"))
    console.print(report.summary, highlight=False, markup=False)
