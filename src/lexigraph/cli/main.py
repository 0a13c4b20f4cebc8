"""The program ``lexigraph``: its commands, and how an error looks to the user.

Layer ``cli``. An error of ours is a message with what to do, never a traceback; anything else is
a bug and shows one.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import lexigraph
from lexigraph.cli.cluster.commands import app as cluster
from lexigraph.cli.doctor import doctor
from lexigraph.cli.splits import app as splits
from lexigraph.cli.testing import run_suites
from lexigraph.errors import LexigraphError

app = typer.Typer(
    name="lexigraph",
    help="A secure, aggregating property-graph database on sorted key-value cells.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
app.add_typer(cluster)
app.add_typer(splits)
app.command()(doctor)
app.command("testing")(run_suites)


def _show_version(asked: bool) -> None:  # noqa: FBT001 - as Typer calls it
    if asked:
        typer.echo(f"lexigraph {lexigraph.__version__}")
        raise typer.Exit


@app.callback()
def choose(
    version: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
) -> None:
    """Take the options that come before a command."""


def run() -> None:
    """Run the command that was typed."""
    try:
        app()
    except LexigraphError as error:
        console = Console(stderr=True, soft_wrap=True)
        console.print(Text.assemble(("error: ", "bold red"), str(error)))
        if error.hint:
            console.print(Text.assemble(("hint: ", "bold"), error.hint))
        sys.exit(1)
