"""Where the program ``lexigraph`` starts: it finds the packages of its commands, or says how.

Layer ``cli``. Typer and Rich are the extra ``cli``; the library works without them.
"""

from __future__ import annotations

import sys

import lexigraph
from lexigraph.extras import install_hint

NEEDED = ("click", "rich", "typer")
MISSING = "error: the lexigraph command needs packages that are not installed: {name}\nhint: {hint}"


def run() -> None:
    """Run the command that was typed."""
    if sys.argv[1:] == ["--version"]:
        print(f"lexigraph {lexigraph.__version__}")
        return
    try:
        from lexigraph.cli.main import run as run_command
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in NEEDED:
            raise
        print(MISSING.format(name=missing.name, hint=install_hint("cli")), file=sys.stderr)
        sys.exit(1)
    run_command()
