"""The page of all stages: what each does, its options, and an example that was really run.

Texts come from the docstrings, options from the catalogue, to which the code is held by tests, and
results from the memory engine: so the page cannot say what the code does not do.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from docs.catalogue import CATALOGUE, describe
from docs.stage_examples import EXAMPLES, PLAN, Example

from lexigraph import ALL, Cell, MemoryEngine, Mutations, ScanSpec, StageSpec, TableSettings
from lexigraph.cells.cell import MAX_TIMESTAMP
from lexigraph.codec import codec_for
from lexigraph.store.stages.base import Stage
from lexigraph.store.stages.builtin import BUILT_IN

HEADS = ("row", "family", "qualifier", "label", "time", "value")
INTRO = """\
A scan or a table names stages with their options. [Scans](../../spec/scan.md) says exactly what
they mean, [deviations](deviations.md) where an answer differs from Accumulo's on purpose, and the
how-to pages of the [index](../README.md) show them at work.

- A stage without a priority of its own stands at the one shown here, or at the next free number
  above it. Lower is closer to the data; the versions that a table keeps are chosen at 20.
- Options that are not listed are refused. `null` is Python's `None`. Bytes may be given as `bytes`
  or, where all are printable ASCII, as text.
- In the examples the clock `now` is 100, `-` is nothing and ␀ is a zero byte."""


def stages_page(note: str) -> str:
    """Return the page, with the note that it is made."""
    lines = ["# Stages", "", note, INTRO, "", "| stage | what it does |", "|---|---|"]
    lines += [f"| [`{cls.name}`](#{cls.name}) | {_first_line(cls)} |" for cls in BUILT_IN]
    for cls in BUILT_IN:
        lines += ["", *_section(cls)]
    return "\n".join(lines) + "\n"


def _section(cls: type[Stage]) -> list[str]:
    entry = CATALOGUE["stages"][cls.name]
    lines = [f"## {cls.name}", "", _text(cls), "", _place(entry)]
    if entry["options"]:
        lines += ["", "| option | takes | default |", "|---|---|---|"]
        lines += [_option_row(name, schema) for name, schema in entry["options"].items()]
    return [*lines, "", *_example(cls.name, EXAMPLES[cls.name])]


def _place(entry: Mapping[str, Any]) -> str:
    facts = [f"Priority {entry['priority']}."]
    if "whole_scan" in entry["flags"]:
        facts.append("Works over all ranges of a scan at once.")
    if "scan_only" in entry["flags"]:
        facts.append("In scans only.")
    return " ".join(facts)


def _option_row(name: str, schema: Mapping[str, Any]) -> str:
    default = f"`{json.dumps(schema['default'])}`" if "default" in schema else "required"
    return f"| `{name}` | {describe(schema)} | {default} |"


def _text(cls: type[Stage]) -> str:
    text = inspect.cleandoc(cls.__doc__ or "")
    text = re.sub(r":\w+:`[~]?([^`]+)`", r"``\1``", text)
    return text.replace("``", "`")


def _first_line(cls: type[Stage]) -> str:
    return _text(cls).split("\n", 1)[0].rstrip(".")


def _example(name: str, example: Example) -> list[str]:
    cells = read_cells(example)
    shown_by = example.codec if example.shown_by is None else example.shown_by
    before = _table([_show(cell, example.codec) for cell in cells])
    after = _table([_show(cell, shown_by) for cell in run(name, example, cells)])
    stage = f"({name!r}, {dict(example.options)!r})" if example.options else repr(name)
    plan = ["With the plan `sales`: a vertex by month, with a `count` that is summed.", ""]
    return [
        *(plan if "plan" in example.options else ()),
        "```text",
        stage,
        "",
        *before,
        "   gives",
        *(after or ["nothing"]),
        "```",
    ]


def read_cells(example: Example) -> list[Cell]:
    """Give the cells that go in."""
    return [_read(line, example.codec) for line in example.cells]


def run(name: str, example: Example, cells: Iterable[Cell]) -> list[Cell]:
    """Give what the memory engine makes of the example."""
    with MemoryEngine() as engine:
        settings = TableSettings(max_versions=None, plans={"sales": PLAN})
        table = engine.create_table("example", settings)
        batch = Mutations()
        for cell in cells:
            batch.put(*cell[:3], cell.value, visibility=cell.visibility, timestamp=cell.timestamp)
        table.write(batch)
        stage = StageSpec(name, example.options)
        spec = ScanSpec(authorizations=ALL, now=example.now, stages=[stage])
        return [cell for part in engine.scan("example", spec) for cell in part]


def _read(line: str, codec: str | None) -> Cell:
    row, family, qualifier, label, time, value = (
        "" if part == "-" else part.replace("+", " ") for part in line.split(" ")
    )
    stored = codec_for(codec).encode_value(int(value)) if codec else value.encode()
    return Cell(
        row.encode(), family.encode(), qualifier.encode(), label.encode(), int(time), False, stored
    )


def _show(cell: Cell, codec: str | None) -> list[str]:
    time = "largest" if cell.timestamp == MAX_TIMESTAMP else str(cell.timestamp)
    value = repr(codec_for(codec).decode_value(cell.value)) if codec else _plain(cell.value)
    return [*(_plain(part) for part in cell.column), time, value]


def _plain(data: bytes) -> str:
    if not data:
        return "-"
    text = data.decode("ascii", "backslashreplace").replace("\0", "␀")
    if any(not char.isprintable() for char in text):
        return f"({len(data)} bytes)"
    return text


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(HEADS, *rows, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in ([*HEADS], *rows)
    ]
