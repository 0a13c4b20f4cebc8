"""Answers as tables: Arrow, Polars, pandas; and as a NetworkX graph.

Layer ``graph``. The packages are imported when they are asked for and never before. Columns have
the types of the schema, so that an empty answer has them too; a number that a column cannot hold is
an error that names it, never another number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from itertools import chain, islice
from typing import Any

from lexigraph.codec import Codec
from lexigraph.errors import (
    InvalidOption,
    InvalidValue,
    UnsupportedError,
    UsageError,
    install_hint,
    show,
)
from lexigraph.plan import Element
from lexigraph.store.columns import BytesColumn
from lexigraph.store.frames import Frame

ANY_SIZE = "int"
"""The codec of whole numbers of any size: they may outgrow 64 bits."""
DIGITS, MAX_DIGITS = 38, 76
"""How many digits decimal columns have, and how many they can have."""
BATCH = 65_536
"""How many rows are Python objects at a time while a table is made."""

Columns = Mapping[str, str | None]
"""The columns of a table: their names, and the codec of their values, ``None`` where it varies."""


Defaults = Mapping[str, Mapping[str, Any]]
"""What a column shows where an element has no value, by the group of the element."""


def import_package(name: str, extra: str) -> Any:
    """Import a package that not everyone has, or say how to get it."""
    try:
        return import_module(name)
    except ImportError:
        raise UnsupportedError(
            f"this needs {name}, which is not installed",
            hint=install_hint(extra),
        ) from None


def to_arrow(rows: Iterable[Mapping[str, Any]], columns: Columns, digits: int | None = None) -> Any:
    """Make a ``pyarrow.Table``; whole numbers of any size have so many ``digits``, or 64 bits."""
    pa = import_package("pyarrow", "arrow")
    types = {name: _arrow_type(pa, codec, digits) for name, codec in columns.items()}
    chunks: dict[str, list[Any]] = {name: [] for name in columns}
    for batch in _batches(rows, BATCH):
        for name in columns:
            values = [_plain(row.get(name)) for row in batch]
            chunks[name].append(_array(pa, values, types[name], name, batch))
    for name, kind in types.items():
        if kind is None and chunks[name]:
            found = [chunk.type for chunk in chunks[name] if not pa.types.is_null(chunk.type)]
            chunks[name] = [chunk.cast(found[0]) if found else chunk for chunk in chunks[name]]
    arrays = [
        pa.chunked_array(chunks[name], None if chunks[name] else types[name] or pa.null())
        for name in columns
    ]
    return pa.table(arrays, names=list(columns))


@dataclass(frozen=True, slots=True)
class Batches:
    """Record batches of one schema, read as they are asked for."""

    schema: Any
    batches: Iterable[Any]

    __hash__ = None  # type: ignore[assignment]

    def to_table(self) -> Any:
        """Read all of them into a table."""
        pa = import_package("pyarrow", "arrow")
        return pa.Table.from_batches(self.batches, self.schema)

    def to_reader(self) -> Any:
        """Give them as a stream."""
        pa = import_package("pyarrow", "arrow")
        return pa.RecordBatchReader.from_batches(self.schema, self.batches)


def batched(
    rows: Iterable[Mapping[str, Any]],
    columns: Columns,
    size: int = BATCH,
    digits: int | None = None,
) -> Batches:
    """Make batches of rows; where the type of a column is not known, of all rows at once."""
    pa = import_package("pyarrow", "arrow")
    types = {name: _arrow_type(pa, codec, digits) for name, codec in columns.items()}
    if None in types.values():
        table = to_arrow(rows, columns, digits)
        return Batches(table.schema, table.to_batches(max_chunksize=size))
    schema = pa.schema(list(types.items()))
    tables = (to_arrow(batch, columns, digits) for batch in _batches(rows, size))
    return Batches(schema, (one for table in tables for one in table.to_batches()))


def decoded(found: Iterator[Frame], columns: Columns, limit: int | None) -> Batches | None:
    """Make batches of what an engine decoded; ``None`` where the first shows that it cannot."""
    pa = import_package("pyarrow", "arrow")
    schema = pa.schema([(name, _arrow_type(pa, codec)) for name, codec in columns.items()])
    try:
        first = list(islice(found, 1))
    except (InvalidOption, UnsupportedError):
        return None
    return Batches(schema, _arrays(pa, chain(first, found), schema, limit))


def _arrays(pa: Any, found: Iterable[Frame], schema: Any, limit: int | None) -> Iterator[Any]:
    left = limit
    for rows, columns in found:
        if left is not None and left <= 0:
            return
        arrays = []
        for kind, (nulls, present, offsets, data) in zip(schema.types, columns, strict=True):
            buffers = [present, data] if offsets is None else [present, offsets, data]
            held = [None if one is None else pa.py_buffer(one) for one in buffers]
            arrays.append(pa.Array.from_buffers(kind, rows, held, nulls))
        batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
        yield batch if left is None else batch.slice(0, left)
        left = None if left is None else left - rows


def filled(found: Batches, defaults: Defaults) -> Batches:
    """Put defaults where a column has none."""
    if not defaults:
        return found
    return Batches(found.schema, (_filled(batch, defaults) for batch in found.batches))


def _filled(batch: Any, defaults: Defaults) -> Any:
    pa, compute = import_package("pyarrow", "arrow"), import_module("pyarrow.compute")
    arrays = dict(zip(batch.schema.names, batch.columns, strict=True))
    for name, by_group in defaults.items():
        for group, value in by_group.items():
            column = arrays[name]
            if column.null_count:
                [default] = _array(pa, [value], column.type, name)
                lacks = compute.and_(compute.is_null(column), compute.equal(arrays["group"], group))
                arrays[name] = compute.if_else(lacks, default, column)
    return pa.RecordBatch.from_arrays(list(arrays.values()), schema=batch.schema)


def pairs_table(near: BytesColumn, far: BytesColumn, codec: Codec[Any]) -> Any:
    """Make a ``pyarrow.Table`` of vertices and their neighbours, which are key forms."""
    pa = import_package("pyarrow", "arrow")
    kind = _arrow_type(pa, codec.name)
    columns = []
    for column in (near, far):
        if codec.name == "str":
            buffers = [None, pa.py_buffer(column.offsets), pa.py_buffer(column.data)]
            texts = pa.Array.from_buffers(pa.large_string(), len(column), buffers)
            columns.append(texts.cast(kind))
        else:
            columns.append(_array(pa, list(map(codec.decode, column)), kind, "vertex"))
    return pa.table(columns, names=["vertex", "adjacent"])


def to_networkx(elements: Iterable[Element]) -> Any:
    """Make a ``networkx`` multigraph, directed if any edge is.

    A node has, by group, the properties of its vertex: a dict, or for all nodes a list of dicts if
    any vertex has several elements of that group. Edges have their group and properties. In a
    directed graph an undirected edge stands in both directions.
    """
    nx = import_package("networkx", "networkx")
    nodes: dict[Any, dict[str, list[dict[str, Any]]]] = {}
    edges = []
    for element in elements:
        if element.kind == "vertex":
            own = nodes.setdefault(element.vertex, {})
            own.setdefault(element.group, []).append(dict(element.properties))
        else:
            edges.append(element)
    undirected = bool(edges) and not any(edge.directed for edge in edges)
    graph = nx.MultiGraph() if undirected else nx.MultiDiGraph()
    several = {name for own in nodes.values() for name, found in own.items() if len(found) > 1}
    for node, own in nodes.items():
        graph.add_node(node)
        graph.nodes[node].update(
            {name: found if name in several else found[0] for name, found in own.items()}
        )
    for edge in edges:
        ends = [(edge.source, edge.destination)]
        if not (undirected or edge.directed or edge.source == edge.destination):
            ends.append((edge.destination, edge.source))
        for source, destination in ends:
            # Not as keywords: a property may be called as a parameter is.
            key = graph.add_edge(source, destination)
            facts = {"group": edge.group, "directed": edge.directed, **edge.properties}
            graph.edges[source, destination, key].update(facts)
    return graph


_KINDS = {
    "str": "string",
    "int": "int64",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float": "float64",
    "bool": "bool_",
    "bytes": "binary",
    "date": "date32",
}


def read_digits(decimals: Any) -> int | None:
    """Read how many digits decimal columns have: ``True`` is 38; none for ``False``."""
    if isinstance(decimals, bool):
        return DIGITS if decimals else None
    if not isinstance(decimals, int) or not 1 <= decimals <= MAX_DIGITS:
        raise UsageError(
            f"decimals is True, False or a number of digits up to {MAX_DIGITS}, "
            f"not {show(decimals)}"
        )
    return decimals


def in_decimals(table: Any, columns: Columns, digits: int) -> Any:
    """Return a table whose whole numbers of any size are decimal columns."""
    pa = import_package("pyarrow", "arrow")
    kinds = {name: _arrow_type(pa, codec, digits) for name, codec in columns.items()}
    # Arrow wants room for all 64 bits, also where the numbers have fewer digits.
    room = pa.decimal128(DIGITS, 0)
    for at, (name, kind) in enumerate(kinds.items()):
        if columns[name] == ANY_SIZE:
            column = table.column(at).cast(room)
            table = table.set_column(at, name, column if kind == room else column.cast(kind))
    return table


def _arrow_type(pa: Any, codec: str | None, digits: int | None = None) -> Any:
    if codec == ANY_SIZE and digits is not None:
        return pa.decimal128(digits, 0) if digits <= DIGITS else pa.decimal256(digits, 0)
    if codec == "datetime":
        return pa.timestamp("us", "UTC")
    if codec == "naive_datetime":
        return pa.timestamp("us")
    if codec == "time":
        return pa.time64("us")
    if codec == "timedelta":
        return pa.duration("us")
    name = _KINDS.get(codec or "")
    return None if name is None else getattr(pa, name)()


def _array(
    pa: Any, values: list[Any], kind: Any, name: str, rows: Sequence[Mapping[str, Any]] = ()
) -> Any:
    is_decimal = kind is not None and pa.types.is_decimal(kind)
    if is_decimal:
        values = [None if value is None else Decimal(value) for value in values]
    try:
        return pa.array(values, type=kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        pass
    if kind is None:
        return pa.array([None if value is None else str(value) for value in values])
    for at, value in enumerate(values):
        try:
            pa.array([value], type=kind)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            where = f", the value of {_shown_ids(rows[at])}" if rows else ""
            more = f"Pass decimals={MAX_DIGITS if is_decimal else True} for a decimal column, or "
            can_grow = isinstance(value, int | Decimal) and (is_decimal or kind == pa.int64())
            raise InvalidValue(
                f"column {name!r} of type {kind} cannot hold {show(value)}{where}",
                hint=(more if can_grow else "")
                + "iterate over the elements: Python holds every number exactly.",
                column=name,
            ) from None
    raise InvalidValue(f"column {name!r} cannot be converted to type {kind}")


def _shown_ids(row: Mapping[str, Any]) -> str:
    ids = [name for name in ("vertex", "source", "destination") if row.get(name) is not None]
    if not ids:
        return show(dict(row))
    shown = ", ".join(f"{name}={show(row[name])}" for name in ids)
    return f"{row['group']}({shown})" if row.get("group") else f"({shown})"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return list(value.items())
    return sorted(value) if isinstance(value, set | frozenset) else value


def _batches(rows: Iterable[Mapping[str, Any]], size: int) -> Iterator[Sequence[Mapping[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, size)):
        yield batch
