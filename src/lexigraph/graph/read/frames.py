"""Answers as tables: Arrow, Polars, pandas; and as a NetworkX graph.

Layer ``graph``. The packages are imported when they are asked for and never before. Columns have
the types of the schema, so that an empty answer has them too; a number that a column cannot hold is
an error that names it, never another number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from typing import Any

from lexigraph.errors import UnsupportedError, UsageError, show
from lexigraph.extras import install_hint
from lexigraph.graph.read.column_types import (
    DIGITS,
    MAX_DIGITS,
    ColumnType,
    arrow_type,
    from_buffers,
    held_by,
    make_array,
    values_of,
)
from lexigraph.plan import Element
from lexigraph.plan.physical.rows.sorting import arrow_order
from lexigraph.store.answers.frames import Frame
from lexigraph.store.answers.vertices import Vertices

BATCH = 65_536
"""How many rows are Python objects at a time while a table is made."""

MOST_SORTED = 1 << 30
"""Up to how many bytes a table is sorted as a whole: its parts have offsets of 32 bits."""

Columns = Mapping[str, ColumnType]
"""The columns of a table: their names, and what they hold."""

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
    chunks: dict[str, list[Any]] = {name: [] for name in columns}
    for batch in _batches(rows, BATCH):
        for name, holds in columns.items():
            values = [row.get(name) for row in batch]
            if holds is None:
                chunks[name].extend(values)
            else:
                chunks[name].append(make_array(pa, values, holds, digits, name, batch))
    return _table(pa, chunks, columns, digits)


def for_pandas(table: Any) -> Any:
    """Return a table that pandas can take: it has no lists of bytes of a fixed length."""
    pa = import_package("pyarrow", "arrow")
    for at, field in enumerate(table.schema):
        kind = field.type
        if pa.types.is_list(kind) and pa.types.is_fixed_size_binary(kind.value_type):
            wide = table.column(at).cast(pa.list_(pa.binary()))
            table = table.set_column(at, field.name, wide)
    return table


def _table(pa: Any, chunks: Mapping[str, list[Any]], columns: Columns, digits: int | None) -> Any:
    """Make a table of arrays, and of all the values of a column whose type they decide."""
    arrays = [
        make_array(pa, chunks[name], None, None, name)
        if holds is None
        else pa.chunked_array(chunks[name], arrow_type(pa, holds, digits))
        for name, holds in columns.items()
    ]
    return pa.table(arrays, names=list(columns))


@dataclass(frozen=True, slots=True)
class ArrowBatches:
    """Record batches of one schema, read as they are asked for."""

    schema: Any
    batches: Iterable[Any]

    __hash__ = None  # type: ignore[assignment]

    def to_table(self) -> Any:
        """Read all of them into a table."""
        pa = import_package("pyarrow", "arrow")
        return pa.Table.from_batches(self.batches, self.schema)

    def to_reader(self) -> Any:
        """Return them as a stream."""
        pa = import_package("pyarrow", "arrow")
        return pa.RecordBatchReader.from_batches(self.schema, self.batches)


def batched(
    rows: Iterable[Mapping[str, Any]],
    columns: Columns,
    size: int = BATCH,
    digits: int | None = None,
) -> ArrowBatches:
    """Make batches of rows; where the type of a column is not known, of all rows at once."""
    pa = import_package("pyarrow", "arrow")
    if None in columns.values():
        table = to_arrow(rows, columns, digits)
        return ArrowBatches(table.schema, table.to_batches(max_chunksize=size))
    schema = _schema(pa, columns, digits)
    tables = (to_arrow(batch, columns, digits) for batch in _batches(rows, size))
    return ArrowBatches(schema, (one for table in tables for one in table.to_batches()))


def in_columns(
    found: Mapping[str, list[Any]], columns: Columns, size: int, digits: int | None
) -> ArrowBatches:
    """Make batches of columns of values."""
    pa = import_package("pyarrow", "arrow")
    arrays = [make_array(pa, found[name], holds, digits, name) for name, holds in columns.items()]
    table = pa.table(arrays, names=list(columns))
    return ArrowBatches(table.schema, table.to_batches(max_chunksize=size))


def decoded(
    found: Iterator[Frame],
    columns: Columns,
    limit: int | None,
    digits: int | None,
    defaults: Defaults,
) -> ArrowBatches:
    """Make batches of what an engine decoded."""
    pa = import_package("pyarrow", "arrow")
    # What is read is fixed now, not when the batches are asked for.
    frames = _limited(chain(list(islice(found, 1)), found), limit)
    if None in columns.values():
        return _inferring(pa, frames, columns, digits, defaults)
    schema = _schema(pa, columns, digits)
    arrays = (_arrays(pa, frame, columns, digits, defaults) for frame in frames)
    return ArrowBatches(schema, (pa.RecordBatch.from_arrays(one, schema=schema) for one in arrays))


def sorted_batches(
    table: Any, order: Iterable[Iterable[tuple[str, bool]]], size: int
) -> ArrowBatches | None:
    """Sort a table by columns, first by the first order; ``None`` if it is too large for that."""
    if table.nbytes > MOST_SORTED:
        return None
    for keys in order:
        names, turned = zip(*keys, strict=True)
        arrays = [table.column(name).combine_chunks() for name in names]
        table = table.take(arrow_order(arrays, turned))
    return ArrowBatches(table.schema, table.to_batches(max_chunksize=size))


def _schema(pa: Any, columns: Columns, digits: int | None) -> Any:
    return pa.schema([(name, arrow_type(pa, holds, digits)) for name, holds in columns.items()])


def _inferring(
    pa: Any, frames: Iterable[Frame], columns: Columns, digits: int | None, defaults: Defaults
) -> ArrowBatches:
    """Read all, because the values of some columns decide their types."""
    chunks: dict[str, list[Any]] = {name: [] for name in columns}
    most = 1
    for frame in frames:
        most = max(most, frame.rows)
        arrays = _arrays(pa, frame, columns, digits, defaults)
        for (name, holds), one in zip(columns.items(), arrays, strict=True):
            if holds is None:
                chunks[name].extend(one)
            else:
                chunks[name].append(one)
    table = _table(pa, chunks, columns, digits)
    return ArrowBatches(table.schema, table.to_batches(max_chunksize=most))


def _arrays(
    pa: Any, frame: Frame, columns: Columns, digits: int | None, defaults: Defaults
) -> list[Any]:
    """Return the array of each column, and a list of values where Arrow infers the type."""
    rows = frame.rows
    arrays: dict[str, Any] = {
        name: values_of(pa, made)[:rows]
        if holds is None
        else from_buffers(pa, arrow_type(pa, holds, digits), made)[:rows]
        for (name, holds), made in zip(columns.items(), frame.columns, strict=True)
    }
    for name, by_group in defaults.items():
        for group, value in by_group.items():
            column, groups = arrays[name], arrays["group"]
            if isinstance(column, list):
                both = zip(column, groups.to_pylist(), strict=True)
                filled = [value if one is None and own == group else one for one, own in both]
                arrays[name] = filled
            elif column.null_count:
                default = make_array(pa, [value], columns[name], digits, name)
                arrays[name] = _filled(pa, column, groups, group, default)
    return list(arrays.values())


def _filled(pa: Any, column: Any, groups: Any, group: str, default: Any) -> Any:
    """Put a default where the elements of a group have no value."""
    compute = import_module("pyarrow.compute")
    lacks = compute.and_(compute.is_null(column), compute.equal(groups, group))
    # By number: Arrow chooses between two arrays of some types only.
    own = pa.array(range(len(column)), pa.int32())
    chosen = compute.if_else(lacks, pa.scalar(len(column), pa.int32()), own)
    return pa.concat_arrays([column, default]).take(chosen)


def _limited(frames: Iterable[Frame], limit: int | None) -> Iterator[Frame]:
    """Yield frames up to so many rows in all."""
    left = limit
    for frame in frames:
        if left is None:
            yield frame
            continue
        if left <= 0:
            return
        yield frame._replace(rows=min(left, frame.rows))
        left -= frame.rows


def pairs_table(near: Vertices, far: Vertices) -> Any:
    """Make a ``pyarrow.Table`` of vertices and their neighbours."""
    pa = import_package("pyarrow", "arrow")
    columns = []
    for column in (near, far):
        if column.texts is not None:
            buffers = [None, *map(pa.py_buffer, column.texts)]
            texts = pa.Array.from_buffers(pa.large_string(), len(column), buffers)
            columns.append(texts.cast(pa.string()))
        else:
            holds = held_by(column.codec.name, None)
            columns.append(make_array(pa, list(column), holds, None, "vertex"))
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


def _batches(rows: Iterable[Mapping[str, Any]], size: int) -> Iterator[Sequence[Mapping[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, size)):
        yield batch
