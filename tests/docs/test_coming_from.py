"""The tables for people who come from other stores of records: what they say to write, runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

import lexigraph as lg
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "explanation" / "coming-from.md").read_text(encoding="utf-8")
TITLES = ("From Vertexium", "From Blueprints and AccumuloGraph", "From Titan and JanusGraph")


class Person(lg.Vertex):
    id: str
    name: str | None = None
    mails: lg.Many[str] | None = None


class Owns(lg.Edge):
    source: str
    destination: str
    since: int = lg.sort_key(descending=True)


def calls(title: str) -> Iterator[str]:
    """Yield each piece of code of the column of Lexigraph."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [one.strip() for one in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] != "you look for":
            yield from re.findall(r"`([^`]+)`", cells[1])


def statement(code: str) -> str:
    """Return a piece of the table as a statement: short forms are said of Ann."""
    code = code.replace("{...}", "{}").replace(
        "set(...).append(...)", 'set("name", "A").append("mails", "m")'
    )
    if code.startswith("with "):
        return f"{code}\n    pass"
    if code == "transaction()":
        return "with graph.transaction():\n    pass"
    if code.startswith("."):
        return f'list(graph.get("ann").edges(Owns){code})'
    short = re.match(r"[a-z_]+\(", code)
    return f'graph.vertex("ann").{code}' if short else code


CASES = [
    pytest.param(code, id=f"{title.split()[1]}-{code}")
    for title in TITLES
    for code in calls(title)
    if "(" in code and not code.startswith("since:")
]


@pytest.mark.parametrize("code", CASES)
def test_what_the_tables_say_runs(code: str) -> None:
    with lg.open(":memory:", [Person, Owns], strict=False, authorizations=lg.ALL) as graph:
        graph.add_vertex("ann", "Person", name="Ann")
        graph.add_edge("ann", "Owns", "acc-0", since=2019)
        graph.vertex("ann").hide("bank").require("audit")
        record = graph.vertex("ann").fetch("hidden", "properties").one()
        time = datetime.now(UTC)
        if not code.startswith("show("):
            graph.vertex("ann").show("bank")
        if not code.startswith("release("):
            graph.vertex("ann").release("audit")
        names = {"graph": graph, "lg": lg, "Owns": Owns, "record": record, "time": time}
        exec(statement(code), names)
