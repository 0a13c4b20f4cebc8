"""Arguments of an engine's methods, read once for all engines.

Layer ``store``. What a caller passes becomes the type that an engine works with, or a
LexigraphError that says what was expected: no engine looks at a raw argument before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lexigraph.arguments import read_int64
from lexigraph.cells.arrow import is_arrow, record_batches
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import leading_key
from lexigraph.cells.mutations import MutationBatch, Mutations, as_batch
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey, InvalidOption, InvalidValue, UnsupportedError, show
from lexigraph.store.conditions import ConditionalMutation
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import DURABILITIES, TableSettings
from lexigraph.store.snapshot import Snapshot

ReadSince = tuple[Snapshot, tuple[tuple[str, Range], ...]]


def read_settings(settings: Any) -> TableSettings:
    """Return settings; none given are the default ones."""
    if settings is None:
        return TableSettings()
    if not isinstance(settings, TableSettings):
        raise InvalidOption(
            f"settings are TableSettings, not {_shown(settings)}",
            hint="Write TableSettings(...), or TableSettings.from_json(...) for their JSON form.",
        )
    return settings


def read_new_settings(settings: Any) -> TableSettings:
    """Return settings that replace others: they must be given."""
    if settings is None:
        raise InvalidOption(
            "new settings are needed, not None",
            hint="Write TableSettings() for the defaults.",
        )
    return read_settings(settings)


def read_spec(spec: Any) -> ScanSpec:
    """Return a scan; none given reads everything without a label.

    >>> read_spec({"version": 1})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: a scan is a ScanSpec, not dict: {'version': 1}
    """
    if spec is None:
        return ScanSpec()
    if not isinstance(spec, ScanSpec):
        raise InvalidOption(
            f"a scan is a ScanSpec, not {_shown(spec)}",
            hint="Write ScanSpec(...), or ScanSpec.from_json(...) for its JSON form.",
        )
    return spec


def read_batches(batches: Any) -> dict[str, MutationBatch]:
    """Return what is to be written, by table."""
    if not isinstance(batches, Mapping):
        raise InvalidValue(
            f"a write takes a mapping of table names to mutations, not {_shown(batches)}",
            hint='Write engine.write({"people": mutations}), or table.write(mutations).',
        )
    return {name: as_batch(batch) for name, batch in batches.items()}


def read_unchanged(given: Any) -> ReadSince | None:
    """Return a snapshot with what was read from it, or None."""
    if given is None:
        return None
    snapshot, reads = given if isinstance(given, tuple | list) and len(given) == 2 else (None, None)
    # A name or a mapping can be iterated too, and would be taken for something else.
    if isinstance(reads, Iterable) and not isinstance(reads, str | bytes | Mapping):
        listed = tuple(reads)
        if isinstance(snapshot, Snapshot) and all(map(_is_read, listed)):
            return snapshot, tuple((name, item) for name, item in listed)
    raise InvalidOption(
        f"if_unchanged is a snapshot and a list of (table, Range), not {_shown(given)}",
        hint='Write if_unchanged=(snapshot, [("people", Range.row("ann"))]).',
    )


def _is_read(item: Any) -> bool:
    return (
        isinstance(item, tuple | list)
        and len(item) == 2
        and isinstance(item[0], str)
        and isinstance(item[1], Range)
    )


def read_durability(durability: Any) -> str | None:
    """Return one of the levels, or None for the table's."""
    if durability is not None and durability not in DURABILITIES:
        raise InvalidOption(
            f"unknown durability {show(durability)}; choose one of {', '.join(DURABILITIES)}"
        )
    return durability if durability is None else str(durability)


def read_conditional(mutations: Any) -> list[ConditionalMutation]:
    """Return conditional mutations; one alone is a list of one."""
    if isinstance(mutations, ConditionalMutation):
        return [mutations]
    listed = list(mutations) if isinstance(mutations, Iterable) else [mutations]
    for item in listed:
        if not isinstance(item, ConditionalMutation):
            raise InvalidValue(
                f"a conditional write takes ConditionalMutations, not {_shown(item)}",
                hint="Write ConditionalMutation(row, [Condition(family, ...)]).put(...).",
            )
    return listed


def read_cell_batches(batches: Any) -> Iterator[CellBatch]:
    """Give batches of cells; one alone is a list of one."""
    if isinstance(batches, CellBatch):
        batches = (batches,)
    if not isinstance(batches, Iterable):
        batches = (batches,)
    for batch in batches:
        if not isinstance(batch, CellBatch):
            raise InvalidValue(
                f"sorted cells come in CellBatches, not in {_shown(batch)}",
                hint="Write CellBatch.from_cells(cells); mutations go to engine.write.",
            )
        yield batch


def read_rows(rows: Any) -> list[bytes]:
    """Return rows in bytes, as splits are."""
    listed = list(rows) if isinstance(rows, Iterable) else [rows]
    if not all(isinstance(row, bytes) for row in listed):
        raise InvalidKey(
            f"splits are a list of rows, in bytes, not {_shown(rows)}",
            hint='Encode text first, as in [b"m"].',
        )
    return listed


def read_now(now: Any) -> int | None:
    """Return a time in a table's unit, or None for the clock's."""
    return None if now is None else read_int64(now, "now")


def read_row_range(range: Any) -> Range | None:
    """Return a range of whole rows, or None for all of them."""
    if range is None:
        return None
    if not isinstance(range, Range):
        raise InvalidOption(
            f"the rows of a merge are a Range, not {_shown(range)}",
            hint="Write Range.rows(start, end), or Range.row(row).",
        )
    start, end = range.start, range.end
    whole = (start is None or (start == leading_key(start.row) and range.start_inclusive)) and (
        end is None or (end == leading_key(end.row) and not range.end_inclusive)
    )
    if not whole:
        raise InvalidOption(
            f"a merge is of whole rows, and {show(range)} cuts one",
            hint="Write Range.rows(start, end), Range.row(row) or Range.prefix(row).",
        )
    return range


def read_columns(columns: Any) -> tuple[tuple[bytes, bytes | None], ...]:
    """Return columns as a scan has them."""
    if isinstance(columns, tuple) and not columns:
        # As for most readers of one row, who should not wait for a whole scan to be checked.
        return ()
    return tuple(ScanSpec(columns=columns).columns)


def read_loadable(table: str, batches: Any) -> Iterator[tuple[str, MutationBatch]]:
    """Yield what is to be loaded with its table: mutations, cells, or Arrow's record batches.

    An item that maps tables to batches is for each of these tables.
    """
    if isinstance(batches, Mutations | MutationBatch | CellBatch) or is_arrow(batches):
        batches = (batches,)
    if not isinstance(batches, Iterable) or isinstance(batches, str | bytes | Mapping):
        raise InvalidValue(
            f"a load takes batches of cells, not {_shown(batches)}",
            hint="Pass CellBatches, MutationBatches or Arrow record batches, one or many.",
        )
    for item in batches:
        if is_arrow(item):
            yield from ((table, MutationBatch.from_arrow(one)) for one in record_batches(item))
        elif isinstance(item, Mapping):
            yield from ((name, as_batch(one)) for name, one in item.items())
        else:
            yield table, as_batch(item)


def one_table(table: str, loadable: Iterable[tuple[str, MutationBatch]]) -> Iterator[MutationBatch]:
    """Yield what is to be loaded by an engine that loads one table at a time."""
    for name, batch in loadable:
        if name != table:
            raise UnsupportedError(
                f"a load into {table!r} cannot fill {show(name)} too",
                hint="Load each table by itself.",
            )
        yield batch


def read_progress(progress: Any) -> Callable[[int, int], object] | None:
    """Return what a load calls now and then, or None."""
    if progress is not None and not callable(progress):
        raise InvalidOption(
            f"progress is a function of two numbers, not {_shown(progress)}",
            hint="Write progress=lambda read, written: print(read, written).",
        )
    return progress  # type: ignore[no-any-return]


def _shown(thing: Any) -> str:
    return f"{type(thing).__name__}: {show(thing)}"
