"""``lexigraph doctor``: what is wrong with a directory or a cluster, and what to do about it.

Layer ``cli``. Takes what ``lexigraph.open`` takes. Ends with 0 if nothing is wrong, with 1 if
something is.
"""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import lexigraph
from lexigraph.errors import Authorization, Corruption, GraphNotFound
from lexigraph.layout.stored.catalogue import CATALOGUE
from lexigraph.store.checks import OK, PROBLEM, Checked, CheckReport
from lexigraph.store.engines.opening import CLUSTER, PROPERTIES, open_engine
from lexigraph.store.spi import Engine

_STYLES = {"ok": "green", "problem": "bold red", "skipped": "yellow"}


def doctor(
    path: Annotated[
        str, typer.Argument(help="A directory, a URL accumulo://... or a properties file.")
    ],
    graph: Annotated[
        str,
        typer.Option("--graph", help="The graph; without it all of a directory, or 'graph'."),
    ] = "",
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
    verify: Annotated[  # noqa: FBT002
        bool, typer.Option("--verify", help="Read and check every block of a directory.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,  # noqa: FBT002
) -> None:
    """Check a directory or a cluster: what is wrong with it, and what to do about it."""
    labels = [label for label in authorizations.split(",") if label]
    if path.startswith(CLUSTER) or path.endswith(PROPERTIES):
        name = graph or "graph"
        report = _cluster(path, name, namespace, labels, timeout_s, read_only=read_only)
    else:
        report = _directory(path, graph, verify=verify)
    show_report(report, as_json=as_json)
    if not report.ok:
        raise typer.Exit(1)


def _directory(path: str, graph: str, *, verify: bool) -> CheckReport:
    with open_engine(path, {}, read_only=True) as engine:
        if graph:
            with lexigraph.open(engine, name=graph, read_only=True) as opened:
                steps = list(opened.admin.check().steps)
        else:
            steps = list(engine.check().steps)
            for name in lexigraph.graphs(engine):
                with lexigraph.open(engine, name=name, read_only=True) as opened:
                    steps += opened.admin.check_graph().steps
        if verify:
            steps.append(_verified(engine))
    return CheckReport(steps)


def _verified(engine: Engine) -> Checked:
    try:
        return Checked("blocks", OK, str(engine.verify()))
    except Corruption as damage:
        return Checked("blocks", PROBLEM, str(damage), damage.hint)


def _cluster(
    path: str, graph: str, namespace: str, labels: list[str], timeout_s: float, *, read_only: bool
) -> CheckReport:
    from lexigraph.store.engines.cluster import check_connection

    steps, engine = check_connection(path, timeout_s=timeout_s, namespace=namespace)
    if engine is None:
        return CheckReport(steps)
    with engine:
        try:
            with lexigraph.open(engine, name=graph, read_only=True) as opened:
                tables, of_graph = opened.admin.tables(), opened.admin.check_graph().steps
        except GraphNotFound:
            tables, of_graph = [], ()
        except Authorization:
            # The step of permissions says what to type.
            tables, of_graph = [CATALOGUE], ()
        found = engine.check(tables, authorizations=labels, read_only=read_only)
        return CheckReport([*steps, *found.steps, *of_graph])


def show_report(report: CheckReport, *, as_json: bool) -> None:
    """Print what was found."""
    if as_json:
        typer.echo(json.dumps(report.to_json()))
        return
    console = Console(soft_wrap=True)
    # Not a table of Rich: it cuts lines at the terminal's width, and these are to be copied.
    width = max(len(word) for word in ("step", *(one.step for one in report.steps)))
    console.print(Text(f"{'step':{width}}  {'state':8} what", style="bold"))
    for one in report.steps:
        what = one.what.replace("\n", f"\n{'':{width + 11}}")
        state = (f"{one.state:8} ", _STYLES[one.state])
        console.print(Text.assemble(f"{one.step:{width}}  ", state, what))
        if one.remedy:
            console.print(Text(f"{'':{width + 11}}do: {one.remedy}", style="bold"))
    console.print(report.summary, highlight=False, markup=False)
