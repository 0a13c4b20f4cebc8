"""``lexigraph testing``: the suites of engines and graphs against a cluster of one's own.

Layer ``cli``. Permissions and labels are looked at first: a run that must fail does not start. All
tables are made in a namespace of its own, which goes when the run ends, however it ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated
from uuid import uuid4

import typer

from lexigraph.cli.doctor import show_report
from lexigraph.errors import InvalidName, UnsupportedError
from lexigraph.extras import install_hint
from lexigraph.store.checks import CheckReport

_MODULE = """
from hypothesis import settings

from lexigraph.testing.cluster import suites

settings.register_profile("cluster", deadline=None)
settings.load_profile("cluster")
globals().update(suites(graphs={graphs}))
"""
_HOOKS = "from lexigraph.testing.cluster import pytest_pyfunc_call\n"


def run_suites(
    properties: Annotated[
        Path, typer.Option("--properties", help="A properties file with cluster and user.")
    ],
    graphs: Annotated[  # noqa: FBT002 - an option
        bool, typer.Option("--graphs", help="Run the graph suite too, which takes longer.")
    ] = False,
    keyword: Annotated[
        str, typer.Option("-k", help="Run only matching tests, like pytest's -k.")
    ] = "",
    namespace: Annotated[
        str,
        typer.Option(
            "--namespace", help="How the names of the run's namespaces start.", show_default=False
        ),
    ] = "",
) -> None:
    """Run the suites of Lexigraph against your own cluster, in a namespace of their own.

    The suite of stores takes about half an hour on a cluster of one machine: every test makes
    tables. Ends with 0 where all tests passed.
    """
    if find_spec("pytest") is None or find_spec("hypothesis") is None:
        raise UnsupportedError(
            "the suites need pytest and hypothesis, which are not installed",
            hint=install_hint("testing"),
        )
    namespace = namespace or f"lexigraph_testing_{uuid4().hex[:8]}"
    _check_first(properties, namespace)
    if not keyword:
        typer.echo("this takes about half an hour on a cluster of one machine; -k runs some of it")
    try:
        code = _run(properties, namespace, graphs=graphs, keyword=keyword)
    finally:
        _clean_up(properties, namespace)
    raise typer.Exit(code)


def _check_first(properties: Path, namespace: str) -> None:
    from lexigraph.store.engines.cluster import check_connection, has_namespace
    from lexigraph.testing.cluster import LABELS, numbered

    steps, engine = check_connection(properties, namespace=namespace, timeout_s=60)
    report = CheckReport(steps)
    if engine is not None:
        with engine:
            first = numbered(namespace, 0)
            if has_namespace(engine, first):
                raise InvalidName(
                    f"namespace {first!r} already exists, and the run removes its namespace "
                    "at the end",
                    hint="Choose a namespace that does not exist, or leave it out.",
                )
            report = CheckReport([*steps, *engine.check(authorizations=LABELS).steps])
    if not report.ok:
        show_report(report, as_json=False)
        raise typer.Exit(1)


def _run(properties: Path, namespace: str, *, graphs: bool, keyword: str) -> int:
    from lexigraph.testing.cluster import NAMESPACE_VARIABLE, PROPERTIES_VARIABLE

    with TemporaryDirectory(prefix="lexigraph-testing-") as made:
        Path(made, "test_cluster.py").write_text(_MODULE.format(graphs=graphs))
        Path(made, "conftest.py").write_text(_HOOKS)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-k", keyword] if keyword else []
        variables = {
            PROPERTIES_VARIABLE: str(properties.absolute()),
            NAMESPACE_VARIABLE: namespace,
        }
        ran = subprocess.run(
            [*command, "--rootdir", made, "test_cluster.py"],
            cwd=made,
            env={**os.environ, **variables},
            check=False,
        )
        return ran.returncode


def _clean_up(properties: Path, namespace: str) -> None:
    from lexigraph.store.engines.cluster import open_cluster
    from lexigraph.testing.cluster import drop_namespaces

    with open_cluster(properties) as engine:
        count = drop_namespaces(engine, namespace)
    typer.echo(f"removed the namespaces {namespace}_* with {count} tables")
