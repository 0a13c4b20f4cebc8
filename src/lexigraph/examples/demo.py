"""The demo: a graph of road traffic, from a file of events to answers, in a minute of reading.

Layer ``examples``; run by ``python -m lexigraph.examples.demo``. It works in a temporary directory,
leaves nothing behind and ends by itself. Everything it prints comes from the graph, none is made
up. Rich is imported only when it runs, so that importing the package stays light.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import lexigraph as lg
from lexigraph.examples import traffic
from lexigraph.examples.traffic import Junction, RoadUse
from lexigraph.graph import Graph, Session
from lexigraph.store import ManualClock

if TYPE_CHECKING:
    from rich.console import Console

EVENTS = 200_000
COUNCIL = ("council", "police")
LATER_DAYS = 60


class Camera(lg.Vertex):
    """A camera: a record, which stands beside the sums of its junction."""

    id: str
    maker: str | None = None
    state: str | None = None


def main(events: int = EVENTS) -> None:
    """Show it all, say how long each step took."""
    from rich.console import Console

    # In a pipe Rich cannot know a width; 80 columns is what people expect there.
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=80)
    start = time.perf_counter()
    console.print(f"[bold]Lexigraph on road traffic[/]: {events:,} counts become a graph, in")
    console.print("eight steps and less than a minute. Nothing is left behind.")
    with TemporaryDirectory() as home:
        show(console, Path(home), events)
    seconds = time.perf_counter() - start
    console.print(
        f"\n[bold]Done[/] in {seconds:.1f} s. The code: src/lexigraph/examples/traffic.py"
    )
    console.print("Where to go next: docs/tutorial/graphs.md")


def show(console: Console, home: Path, events: int) -> None:
    """Go through the steps, in a directory of its own."""
    groups = [RoadUse, Junction, Camera]
    file, path = home / "events.csv", home / "traffic.lexi"
    show_file(console, file, events)
    with lg.open(path, groups) as graph:
        show_load(console, graph, file)
        council = graph.session(COUNCIL)
        top = show_busiest(console, graph, council)
        show_week(console, council, top)
        show_walk(console, council, top)
        show_explain(console, council, top)
        show_record(console, graph, top)
    # The clock of an engine is a setting like others; here it shows what time will do.
    later = ManualClock((time.time_ns() // 1000) + LATER_DAYS * 86_400_000_000)
    with lg.open(path, groups, clock=later) as graph:
        show_age_off(console, graph)


def show_file(console: Console, file: Path, events: int) -> None:
    """Make the file."""
    with step(console, 1, f"A file: {events:,} counts by cameras on {len(traffic.roads())} roads"):
        traffic.write_events(file, events)
    with file.open(encoding="utf-8") as lines:
        for _ in range(3):
            console.print(f"  {next(lines).strip()}")


def show_load(console: Console, graph: Graph, file: Path) -> None:
    """Load it, and tell what it became."""
    with step(console, 2, "Load: each count is added to its road and to its junction"):
        added = traffic.load_events(graph, file)
    council = graph.session(COUNCIL)
    kept = council.count()
    console.print(f"{added:,} elements went in, summed to {kept:,}: one for each road or junction,")
    console.print("day and kind of vehicle. Nothing was read to write them.")


def show_busiest(console: Console, public: Session, council: Session) -> str:
    """Ask the same question as two people, and return the busiest junction."""
    with step(console, 3, "Labels: the busiest junctions, as two people see them"):
        all_of_it = traffic.busiest(council, 5)
        in_public = {one.id: one for one in traffic.busiest(public, 1000)}
    rows = [
        [one.id, *_figures(in_public[one.id]), *_figures(one), one.label or "(none)"]
        for one in all_of_it
    ]
    heads = ["junction", "anybody:\nvehicles", "fastest", "council:\nvehicles", "fastest", "label"]
    print_table(console, heads, rows, numbers=range(1, 5))
    console.print("Lorries are labelled council, patrols council&police. Who lacks the words sees")
    console.print("sums without them, and cannot tell that there is more.")
    return all_of_it[0].id


def show_week(console: Console, council: Session, junction: str) -> None:
    """Roll one week up in three ways."""
    first = date.today() - timedelta(days=14)
    with step(console, 4, f"Roll-ups: a week at {junction}, three ways"):
        week = traffic.in_week(council, junction, first)
        by_day = [[f"{one.day:%a %d %b}", *_figures(one)] for one in week.roll_up("day")]
        by_vehicle = [[one.vehicle, *_figures(one)] for one in week.roll_up("vehicle")]
        in_all = [["all", *_figures(one)] for one in week.roll_up()]
    heads = ["by day, by vehicle, in all", "vehicles", "fastest"]
    rows = [*by_day, ["", "", ""], *by_vehicle, ["", "", ""], *in_all]
    print_table(console, heads, rows, numbers=range(1, 3))


def show_walk(console: Console, council: Session, start: str) -> None:
    """Follow the main roads."""
    with step(console, 5, f"A walk: from {start} along three main roads"):
        found = council.all(RoadUse).roll_up("road")
        counts = sorted(one.count for one in found)
        least = counts[len(counts) // 4]
        hop = traffic.main_roads(council, least)
        ways = list(council.walk(start, hop, hop, hop))
        away = [len(council.hops(start, RoadUse, steps=steps)) for steps in (1, 2, 3)]
    ways = [way for way in ways if len(set(way.vertices)) == len(way.vertices)]
    for way in ways[:3]:
        console.print("  " + " > ".join(way.vertices))
    console.print(f"Ways that visit no junction twice: {len(ways)}, by roads of {least:,} vehicles")
    near = ", ".join(map(str, away))
    console.print(f"or more. By any road, {near} junctions lie exactly 1, 2, 3 hops away.")


def show_explain(console: Console, council: Session, junction: str) -> None:
    """Print how the week was found."""
    first = date.today() - timedelta(days=14)
    with step(console, 6, "Explain: how the week by vehicle is found"):
        asked = traffic.in_week(council, junction, first).roll_up("vehicle")
        text = str(asked.explain(run=True))
    console.print(text, markup=False)


def show_record(console: Console, graph: Graph, junction: str) -> None:
    """Keep the camera of a junction as a record beside its sums."""
    with step(console, 7, f"A record beside the sums: the camera of {junction}"):
        graph.add([Camera(junction, maker="Argus", state="new")])
        camera = graph.vertex(junction)
        camera.set("state", "repaired", note="lens")
        camera.set("state", "watched", visibility="police")
        seen = [graph.session(one).vertex(junction) for one in ((), COUNCIL)]
        rows = [[who, *_states(one)] for who, one in zip(("anybody", "council"), seen, strict=True)]
    print_table(console, ["reader", "state", "and its past, newest first"], rows, numbers=range(0))
    console.print("Each value has a visibility, a time and a past. The sums stay as they are.")


def _states(camera: Any) -> list[str]:
    """Return the state of a camera and those that its reader sees in its history."""
    events = camera.history(edges=False)
    past = [one.value for one in events if getattr(one, "name", "") == "state"]
    return [camera.one().state, ", ".join(past)]


def show_age_off(console: Console, graph: Graph) -> None:
    """Look at the graph later, when some days are too old."""
    days = traffic.KEPT_DAYS
    title = f"Age-off: {LATER_DAYS} days later, in a graph that keeps {days} days"
    with step(console, 8, title):
        council = graph.session(COUNCIL)
        left = {row["day"] for row in council.all(Junction).summarise(by=["day"], n=lg.count())}
        before = _cells(graph)
        graph.admin.compact()
        after = _cells(graph)
    console.print(f"{len(left)} of {traffic.DAYS} days are still visible. A merge removed the")
    console.print(f"others permanently: {before:,} cells before, {after:,} after.")


def _cells(graph: Graph) -> int:
    return sum(table.cells for table in graph.admin.stats().values())


def _figures(one: Any) -> list[str]:
    return [f"{one.count:,}", f"{one.fastest:.1f}"]


@contextmanager
def step(console: Console, number: int, title: str) -> Iterator[None]:
    """Print what comes next, run it, and print how long it took."""
    console.print(f"\n[bold cyan]{number}. {title}[/]")
    start = time.perf_counter()
    yield
    console.print(f"[dim]{(time.perf_counter() - start) * 1000:,.1f} ms[/]")


def print_table(console: Console, heads: list[str], rows: list[list[str]], numbers: range) -> None:
    """Print rows; columns of numbers are aligned to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place in numbers else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
