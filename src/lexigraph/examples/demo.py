"""The demo: a cell table from empty to searched, in a minute of reading.

Layer ``examples``; run by ``python -m lexigraph.examples.demo``. It leaves nothing behind and ends
by itself. Rich is imported only when it runs, so that importing the package stays light. Every
table it prints comes from a scan, none is made up.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from lexigraph import MemoryEngine, Mutations
from lexigraph.examples.documents import DocumentStore
from lexigraph.examples.graph_table import (
    Sold,
    add_events,
    company_events,
    create_graph,
    read_weights,
)
from lexigraph.examples.term_index import IndexedRecords
from lexigraph.store import EmbeddedEngine

if TYPE_CHECKING:
    from rich.console import Console

READERS: dict[str, list[str]] = {
    "visitor": [],
    "nurse": ["care"],
    "doctor": ["care", "lab", "psych"],
}

PATIENT = [
    ("name", "Ann Bell", ""),
    ("allergy", "penicillin", "care"),
    ("blood type", "0 negative", "care|lab"),
    ("hiv test", "negative", "lab&care"),
    ("notes", "sleeps badly", "psych"),
]

NEWS = {
    "d1": "The White House",
    "d2": "The house at the lake is white",
    "d3": "The red house",
    "d4": "White paint for the garden",
    "d5": "Sold: a white house near the sea",
    "d6": "The staff of the White House",
}

BIRTHDAYS = {
    "ann": date(1985, 5, 17),
    "bob": date(1999, 12, 31),
    "carla": date(2000, 1, 1),
    "dan": date(2004, 2, 29),
}


def main() -> None:
    """Show it all, say how long it took."""
    from rich.console import Console

    # In a pipe Rich cannot know a width; 80 columns is what people expect there.
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=80)
    start = time.perf_counter()
    console.print("[bold]Lexigraph in five steps[/]: labels, sums, documents, ranges, a directory.")
    console.print("It takes about a second and leaves nothing behind.")
    with MemoryEngine() as engine:
        show_labels(console, engine)
        show_sums(console, engine)
        show_documents(console, engine)
        show_ranges(console, engine)
    show_directory(console)
    seconds = time.perf_counter() - start
    console.print(f"\n[bold]Done[/] in {seconds:.2f} s. Where to go next: docs/tutorial/cells.md")


def show_labels(console: Console, engine: MemoryEngine) -> None:
    """Read one row as three people."""
    with step(console, 1, "Labels: the same scan as three people"):
        table = engine.create_table("patients")
        batch = Mutations()
        for field, value, label in PATIENT:
            batch.put("ann", field, "", value, visibility=label)
        table.write(batch)
        seen = {
            name: {
                cell.family.decode(): cell.value.decode()
                for cell in table.scan(authorizations=held)
            }
            for name, held in READERS.items()
        }
    rows = [
        [field, label or "(none)", *(seen[name].get(field, "[dim]-[/]") for name in READERS)]
        for field, _, label in PATIENT
    ]
    heads = [f"{name}\n[dim]{', '.join(held) or 'nothing'}[/]" for name, held in READERS.items()]
    print_table(console, ["cell", "label", *heads], rows)


def show_sums(console: Console, engine: MemoryEngine) -> None:
    """Add up what was sold, from single sales."""
    with step(console, 2, "Sums: raw events in, weights out, before and after a merge"):
        table = create_graph(engine, "company")
        written = add_events(table, company_events())
        summed = read_weights(table, None, "units_sold", "sold_by")
        report = table.compact()
        add_events(table, [Sold("E001", "P001")])
        one_more = read_weights(table, None, "units_sold", "sold_by")
    rows = [
        [before.entity, before.relation, before.other, str(before.weight), str(after.weight)]
        for before, after in zip(summed, one_more, strict=True)
    ]
    heads = ["entity", "relation", "other", "sum", "after one more sale"]
    print_table(console, heads, rows, numbers=2)
    console.print(
        f"{written} cells were written, nothing was read to write them; "
        f"the merge left {report.cells_out}."
    )


def show_documents(console: Console, engine: MemoryEngine) -> None:
    """Find documents by three terms."""
    with step(console, 3, "Documents: the AND white AND house, in 4 bins at once"):
        store = DocumentStore(engine, "news", bins=4)
        for document, body in NEWS.items():
            label = "staff" if "staff" in body else ""
            store.put(document, body, visibility=label)
        terms = ["the", "white", "house"]
        public = {match.document for match in store.search(terms)}
        found = sorted(store.search(terms, authorizations=["staff"]))
    rows = [
        [match.document, match.body, match.bin, "everyone" if match.document in public else "staff"]
        for match in found
    ]
    print_table(console, ["document", "body, returned with the match", "bin", "found by"], rows)


def show_ranges(console: Console, engine: MemoryEngine) -> None:
    """Find records by a range of dates."""
    first, last = date(1999, 12, 31), date(2003, 1, 1)
    with step(console, 4, f"Ranges: born from {first} to {last}, by an index of typed terms"):
        people = IndexedRecords(engine, "people", indexed=["born"])
        for person, born in BIRTHDAYS.items():
            people.put(person, {"born": born})
        found = people.ids_between("born", first, last)
        records = list(people.fetch(found))
        read = len(found) + len(records)
    print_table(console, ["person", "field", "date"], [[*map(str, record)] for record in records])
    console.print(
        f"{read} cells were given by index and table together: dates sort as bytes, "
        "so a range of dates is one range of rows."
    )


def show_directory(console: Console, edges: int = 20_000) -> None:
    """Keep a table in a directory, and read it after it was closed."""
    with (
        step(console, 5, f"A directory: {edges:,} sales loaded, closed, opened again, summed"),
        TemporaryDirectory() as home,
    ):
        with EmbeddedEngine(home) as engine:
            table = create_graph(engine, "company")
            sold = (Sold(f"E{number % 7:03}", f"P{number % 3:03}") for number in range(edges))
            written = add_events(table, sold)
        with EmbeddedEngine(home) as engine:
            table = engine.table("company")
            rows = read_weights(table, None, "units_sold", "sold_by")[:4]
            report, sound = table.compact(), engine.verify()
    print_table(
        console,
        ["entity", "relation", "other", "sum"],
        [[row.entity, row.relation, row.other, str(row.weight)] for row in rows],
        numbers=1,
    )
    console.print(f"{written:,} cells were written; a merge left {report.cells_out}; {sound}.")


@contextmanager
def step(console: Console, number: int, title: str) -> Iterator[None]:
    """Say what comes, do it, say how long it took."""
    console.print(f"\n[bold cyan]{number}. {title}[/]")
    start = time.perf_counter()
    yield
    console.print(f"[dim]{(time.perf_counter() - start) * 1000:.1f} ms[/]")


def print_table(
    console: Console, heads: list[str], rows: list[list[str]], *, numbers: int = 0
) -> None:
    """Print rows; the last ``numbers`` columns are aligned to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate(heads):
        right = place >= len(heads) - numbers
        table.add_column(head, justify="right" if right else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    main()
